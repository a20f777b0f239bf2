"""The states in which messages begin: what a put at a queue manager is."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.errors import UsageError
from topograph.message import Message
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import next_hop
from topograph.systems.mqe.positions import MqePosition, position_of
from topograph.tracing.states import State

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


MOST_FAR = 20_000
"""Messages to queues of queue managers that are told apart by the name of the queue."""


def begins(configuration: MqeConfiguration) -> Iterator[State]:
    """The messages of senders: ``entries``; and for each queue manager whose name another one
    knows, and its own, one to a queue that nothing names and, while these are not too many, one to
    each queue that a queue manager has. While these are not too many, also one to any queue of a
    queue manager whose name is known elsewhere alone: the sender may name it all the same.
    """
    yield from entries(configuration)
    everyone = configuration.all()
    names = {name for one in everyone for name, _ in (*one.exact, *one.by_alias)}
    known = [(here.name, manager) for here in everyone for manager in sorted(_names_known_by(here))]
    asked = (ANY, *sorted(names)) if len(known) * len(names) <= MOST_FAR else (ANY,)
    yield from (put(server, queue, manager) for server, manager in known for queue in asked)
    managers = sorted({manager for _, manager in known})
    if len(everyone) * len(managers) <= MOST_FAR:
        own = set(known)
        yield from (
            put(here.name, ANY, manager)
            for here in everyone
            for manager in managers
            if (here.name, manager) not in own
        )


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
