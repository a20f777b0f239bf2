"""The states in which messages begin: what a put at a queue manager is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from topograph.errors import UsageError
from topograph.message import Message
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import next_hop
from topograph.systems.mqe.positions import MqePosition, position_of
from topograph.tracing.states import Begins, Pairs, State

ANY = "(any queue)"
"""Stands for a queue whose name is not known; no queue can have this name."""


def put(server: str, queue: str, manager: str = "", reply: tuple[str, ...] = ()) -> State:
    """The state of a message that is put at queue manager ``server`` for ``queue`` of
    ``manager`` (empty: of ``server`` itself), with the reply-to queue and queue manager that it
    names."""
    return MqePosition(server, queue, manager or server, reply=reply).state()


def address(state: State) -> str:
    """What a message was put for, in words: ``QUEUE@QMGR``, at its own queue manager without
    that name.
    """
    at = position_of(state)
    if at.queue == ANY:
        return f"any queue of {at.manager}"
    return at.queue if at.manager == at.server else at.address


def enter(server: str, message: Message) -> State:
    """The state of a message of a question: to ``queue:NAME``, with the queue manager that the
    question names, or to ``NAME@QMGR``.
    """
    named = message.destination
    manager = message.queue_manager or ""
    if named.at and manager and named.at != manager:
        raise UsageError(
            f"{named} names the queue manager {named.at}, and --queue-manager {manager}: "
            "give one of them."
        )
    reply = (message.reply_to, message.reply_to_queue_manager or server) if message.reply_to else ()
    return put(server, named.name, named.at or manager, reply)


def reply(state: State, message: Message) -> State | None:  # noqa: ARG001
    """The reply to a message that was taken: the program that took it puts the reply at its own
    queue manager. None where none is asked for.
    """
    at = position_of(state)
    return put(at.server, at.reply[0], at.reply[1]) if at.reply else None


def entries(configuration: MqeConfiguration) -> Iterator[State]:
    """The states in which messages begin: every queue that a queue manager defines, and one
    queue for each other queue manager whose name it knows. At most one state an object."""
    found: _Known = {}
    for here in configuration.all():
        known: set[str] = set()
        for queue, manager in here.exact:
            known.add(manager)
            yield put(here.name, queue, manager)
        names = [*here.accepting, *here.connections, *here.aliases]
        for manager in dict.fromkeys(names):
            if manager not in known:
                yield put(here.name, _a_queue_of(configuration, here, manager, found), manager)


def begins(configuration: MqeConfiguration) -> Begins:
    """The messages of senders: ``entries``; and for each queue manager whose name another one
    knows, and its own, one to a queue that nothing names and one to each queue that a queue manager
    has; also one to any queue of a queue manager whose name is known elsewhere alone: the sender
    may name it all the same.
    """
    known = {one.name: _names_known_by(one) for one in configuration.all()}
    nothing = (put(server, ANY, one) for server in sorted(known) for one in sorted(known[server]))
    return Begins(
        (_named(configuration.all(), known), _known_elsewhere(known)),
        chain(entries(configuration), nothing),
    )


def _named(everyone: Sequence[MqeManager], known: Mapping[str, Collection[str]]) -> Pairs:
    """A message to each name of a queue for each queue manager that another one knows, where this
    has no queue of that name for it."""
    names = sorted({name for one in everyone for name, _ in (*one.exact, *one.by_alias)})

    def states(servers: Collection[str]) -> Iterator[State]:
        for here in everyone:
            for manager in sorted(known[here.name]) if here.name in servers else ():
                for queue in names:
                    if (queue, manager) not in here.exact:
                        yield put(here.name, queue, manager)

    what = "messages to queues of which the sender's queue manager knows nothing"
    count = len(names) * sum(map(len, known.values())) - sum(len(one.exact) for one in everyone)
    return Pairs(what, count, states)


def _known_elsewhere(known: Mapping[str, Collection[str]]) -> Pairs:
    """A message to any queue of each queue manager at those that do not know it."""
    managers = sorted({name for names in known.values() for name in names})

    def states(servers: Collection[str]) -> Iterator[State]:
        for server in sorted({*servers} & known.keys()):
            yield from (put(server, ANY, one) for one in managers if one not in known[server])

    what = "messages to queue managers that the sender's queue manager does not know"
    return Pairs(what, len(known) * len(managers) - sum(map(len, known.values())), states)


def _names_known_by(here: MqeManager) -> set[str]:
    """The names of queue managers that objects of one say, and its own."""
    of_queues = (manager for _, manager in (*here.exact, *here.by_alias))
    return {here.name, *here.accepting, *here.connections, *here.aliases, *of_queues}


_Known = dict[tuple[str, str], str]
"""By queue manager and the name of another one, a queue that messages for the latter may go to
from the former; empty for none.
"""


def _a_queue_of(
    configuration: MqeConfiguration, here: MqeManager, manager: str, known: _Known
) -> str:
    """The name of some queue that messages for a queue manager may go to: one that a queue
    manager on the way has for it, for it may pass on no other, else one of its own. Linear in
    the queue managers on the way that are not ``known``, which it makes them."""
    gone: dict[tuple[str, str], str] = {}
    at: MqeManager | None = here
    found = ""
    while at is not None and (at.name, manager) not in gone:
        asked = at.name, manager
        if asked in known:
            found = known[asked]
            break
        meant = at.substitute(manager)
        if meant.in_circle:
            break
        manager = meant.target
        there = configuration.get(manager)
        own = (
            ""
            if there is None
            else next((queue for queue, owner in there.exact if owner == there.name), "")
        )
        gone[asked] = own
        found = next((queue for queue, owner in at.exact if owner == manager), "")
        if found:
            break
        at = configuration.get(next_hop(configuration, at, manager).to)
    for asked, own in reversed(gone.items()):
        found = found or own
        known[asked] = found
    return found or ANY
