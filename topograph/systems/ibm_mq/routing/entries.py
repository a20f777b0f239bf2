"""Where messages begin: each configured queue and topic at its own queue manager, and each name of
another queue manager that it knows (DESIGN 2.1).

Names stand for themselves with any queue; the members of clusters, and whatever DEFXMITQ takes, are
one entry each, so that a graph does not grow with the square of the queue managers twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import overload

from topograph.facts.fact import Fact
from topograph.facts.ibm_mq import Channel, Queue, Subscription
from topograph.facts.ibm_mq_templates import is_template
from topograph.forwarding.graph import Server
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.ambiguities import C14
from topograph.systems.ibm_mq.objects.attributes import as_shown, value
from topograph.systems.ibm_mq.objects.channels import SENDING, other_end
from topograph.systems.ibm_mq.objects.clusters import is_known_alias
from topograph.systems.ibm_mq.objects.names import is_default
from topograph.systems.ibm_mq.routing import default_names
from topograph.systems.ibm_mq.routing.lookup import Lookup, needs_blank
from topograph.systems.ibm_mq.routing.plain_queues import plain
from topograph.systems.ibm_mq.routing.positions import (
    ANY_MEMBER,
    ANY_OTHER,
    ANY_QUEUE,
    NO_QUEUE,
    OPEN,
    PUBLISH,
    XMIT,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.resolution import opened
from topograph.systems.ibm_mq.routing.topics import topic_string
from topograph.systems.ibm_mq.routing.transmission import (
    cluster_transmission_queue,
    default_transmission_queue,
    refuse_inhibited,
)
from topograph.systems.ibm_mq.routing.ways import M, PutRefused
from topograph.tracing.states import Begins, Ended, Narrowed, Pairs, State, Transition, Way
from topograph.tracing.trace import Kind


@overload
def entries(
    estate: Lookup,
    servers: Collection[str] | None = None,
    *,
    only: Collection[str] | None = None,
) -> Iterator[State]: ...
@overload
def entries(
    estate: Lookup, *, ended: Callable[[str, str], Ended | None]
) -> Iterator[State | Ended]: ...
def entries(
    estate: Lookup,
    servers: Collection[str] | None = None,
    *,
    ended: Callable[[str, str], Ended | None] = lambda _server, _name: None,
    only: Collection[str] | None = None,
) -> Iterator[State | Ended]:
    """The states in which messages begin, by queue manager; none for the objects that others are
    made like, and, at others than some ``servers``, none for local queues that just take the
    message. ``only``: those at some queue managers. ``ended`` may give what stands in place of that
    of a message to a queue. Linear in the objects."""
    for server in estate.network.managers:
        if only is not None and server not in only:
            continue
        left = () if servers is None or server in servers else plain(estate, server)
        for name in dict.fromkeys(one.name for one in estate.network.queues.of(server)):
            if is_default(name) or name in left:
                continue
            if (instead := ended(server, name)) is not None:
                yield instead
                continue
            blank = needs_blank(estate, server, name)
            yield MqPosition(server, OPEN, name, server, blank=blank).state()
        for topic in estate.network.topics.of(server):
            if string := as_shown(topic, "TOPICSTR"):
                yield MqPosition(server, PUBLISH, string, queue=topic.name).state()
        for name in known_names(estate, server):
            yield MqPosition(server, OPEN, ANY_QUEUE, name).state()
        if estate.clusters.receivers(server):
            yield MqPosition(server, OPEN, ANY_QUEUE, ANY_MEMBER).state()
        if estate.network.managers[server].stated("DEFXMITQ"):
            yield MqPosition(server, OPEN, ANY_QUEUE, ANY_OTHER).state()


EXAMPLE = "example"
"""What stands for any level of a topic."""


def begins(estate: Lookup) -> Begins:
    """The messages of senders that say nothing more: ``entries``, those that a subscription takes,
    those to a queue that only others of a cluster have, and those to a queue manager that is known
    elsewhere alone, where a queue says otherwise what becomes of them, or where a cluster has an
    alias of that name. One to any queue of another queue manager stands for those to each
    (``any_queue``)."""
    own = set(_subscribed(estate))

    def each(servers: Collection[str] | None) -> Iterator[State]:
        yield from (_publication(*one) for one in sorted(own))
        yield from dict.fromkeys(chain(_misnamed(estate), _aliased(estate)))
        yield from entries(estate, servers)

    wide = _published(estate, own), _shared(estate), _by_default(estate)
    return Begins(wide, each(None), each)


def _misnamed(estate: Lookup) -> Iterator[State]:
    """A message to any queue of each other queue manager whose name some queue has that does not
    lead there (NR14): why it is refused, or waits, depends on that queue."""
    named = {one.name for one in named_servers(estate)} | estate.network.managers.keys()
    for server in estate.network.managers:
        own = estate.network.queues.of(server)
        names = {one.name for one in own if one.name in named or _transmits(one)}
        for name in sorted(names - {server, *known_names(estate, server)}):
            yield MqPosition(server, OPEN, ANY_QUEUE, name).state()


def _aliased(estate: Lookup) -> Iterator[State]:
    """A message to any queue of each alias that the clusters of a queue manager advertise: the
    header that it gets there has another name, which does not say what it was sent to (NR12)."""
    for server in estate.network.managers:
        known = {server, *known_names(estate, server)}
        for name in estate.clusters.aliases(server):
            if name not in known:
                yield MqPosition(server, OPEN, ANY_QUEUE, name).state()


def _subscribed(estate: Lookup) -> Iterator[tuple[str, str]]:
    """The queue managers and topics of publications that a subscription takes; of a wildcard any
    that fits."""
    for server in estate.network.managers:
        for one in estate.network.subscriptions.of(server):
            with suppress(NotShownHere):
                yield server, topic_example(estate, one)


def _publication(server: str, topic: str) -> State:
    return MqPosition(server, PUBLISH, topic).state()


def _published(estate: Lookup, own: Collection[tuple[str, str]]) -> Pairs:
    """A publication on each topic that a subscription takes at every queue manager that has no such
    subscription (``own``)."""
    managers = estate.network.managers
    topics = sorted({topic for _, topic in own})

    def states(servers: Collection[str]) -> Iterator[State]:
        for server in sorted({*servers} & managers.keys()):
            yield from (_publication(server, one) for one in topics if (server, one) not in own)

    what = "publications on topics that only other queue managers subscribe to"
    return Pairs(what, len(topics) * len(managers) - len(own), states)


def topic_example(estate: Lookup, one: Subscription) -> str:
    """A topic whose publications a subscription takes."""
    pattern = topic_string(estate, one)
    if value(one, "WSCHEMA").upper() == "CHAR":
        return pattern.replace("*", EXAMPLE).replace("?", "x")
    levels = pattern.split("/")
    return "/".join(EXAMPLE if level in ("#", "+") else level for level in levels)


def _shared(estate: Lookup) -> Pairs:
    """A message to each queue of a cluster at each of its members that has no such queue."""
    network = estate.network
    offered: dict[str, set[str]] = {}
    joined = {server: estate.clusters.receivers(server) for server in network.managers}
    for owner in network.managers if any(joined.values()) else ():
        for one in network.queues.of(owner):
            with suppress(NotShownHere):
                for cluster in network.clusters(one):
                    offered.setdefault(cluster, set()).add(one.name)

    def names(server: str) -> set[str]:
        own = {one.name for one in network.queues.of(server)}
        return set().union(*(offered.get(name, ()) for name in joined[server])) - own

    def states(servers: Collection[str]) -> Iterator[State]:
        for server in sorted({*servers} & joined.keys()):
            for name in sorted(names(server)):
                blank = needs_blank(estate, server, name)
                yield MqPosition(server, OPEN, name, server, blank=blank).state()

    what = "messages to queues that other members of a cluster have"
    return Pairs(what, sum(len(names(server)) for server in joined), states)


def _by_default(estate: Lookup) -> Pairs:
    """A message to any queue of each other queue manager that is loaded, where DEFXMITQ takes it:
    whether it does depends on that queue."""
    managers = estate.network.managers
    own = [server for server, one in managers.items() if one.stated("DEFXMITQ")]

    def states(servers: Collection[str]) -> Iterator[State]:
        for server in own:
            if server in servers:
                yield from (
                    MqPosition(server, OPEN, ANY_QUEUE, other).state()
                    for other in managers
                    if other != server
                )

    what = "messages to queues of other queue managers that DEFXMITQ takes"
    return Pairs(
        what,
        len(own) * (len(managers) - 1),
        states,
        narrowed=Narrowed(
            partial(default_names.concerned, estate, own),
            lambda names: (
                MqPosition(server, OPEN, ANY_QUEUE, other).state()
                for server in own
                for other in names
                if other != server
            ),
        ),
    )


def address(state: State) -> str:
    """What a message was sent to, in words: a queue, with its queue manager where that is another
    one."""
    at = position(state)
    if at.phase == PUBLISH:
        return f"topic:{at.name}"
    named = at.phase == OPEN and at.name not in (ANY_QUEUE, NO_QUEUE)
    return (
        f"{at.name}@{at.queue_manager}" if named and at.queue_manager != at.server else state.object
    )


def known_names(estate: Lookup, server: str) -> Sequence[str]:
    """The names of other queue managers that the objects of one say: aliases, and transmission
    queues that no remote queue names. Linear in its queues, once.
    """
    if server not in estate.names:
        estate.names[server] = _known_names(estate, server)
    return estate.names[server]


def _known_names(estate: Lookup, server: str) -> list[str]:
    own = estate.network.queues.of(server)
    named = {as_shown(one, "XMITQ") for one in own if one.noun == "QREMOTE"}
    own = [one for one in own if not (is_template(one.name) or is_default(one.name))]
    found = {one.name for one in own if is_known_alias(one)}
    found |= {
        one.name
        for one in own
        if _transmits(one)
        and (
            one.name in estate.network.managers
            or (one.name not in named and _readers(estate, server, one.name))
        )
        and not one.name.startswith("SYSTEM.")
    }
    return sorted(found - {server, ""})


def _transmits(queue: Queue) -> bool:
    """Whether a queue is shown to be a transmission queue."""
    return queue.noun == "QLOCAL" and as_shown(queue, "USAGE").upper() == "XMITQ"


def _readers(estate: Lookup, server: str, name: str) -> list[Channel]:
    """The channels that are shown to read a transmission queue."""
    try:
        return estate.channels.readers(server, name)
    except NotShownHere:
        return []


def symbolic(estate: Lookup, at: MqPosition) -> Transition:
    """The ways of any queue of any member of the clusters, or of any queue manager that nothing
    is known of.
    """
    return _members(estate, at) if at.queue_manager == ANY_MEMBER else _others(estate, at)


def _members(estate: Lookup, at: MqPosition) -> Transition:
    ways: list[Way] = []
    aliases = estate.clusters.aliases(at.server)
    for name in (*estate.clusters.members(at.server), *aliases):
        if name in at.excluded or estate.network.queue(at.server, name) is not None:
            continue
        ways += _to_member(estate, at.server, name)
    return Transition(tuple(ways))


def _to_member(estate: Lookup, server: str, name: str) -> Sequence[Way]:
    """The ways of any queue of a member of a cluster that nothing else has the name of. Where one
    channel leads there, and it is read from a queue that all put on, they are those that another
    member has."""
    to = MqPosition(server, OPEN, ANY_QUEUE, name)
    instances = estate.clusters.queue_managers(server, name)
    if len(instances) != 1 or name == server:
        return opened(estate, to).ways
    (one,) = instances
    queue, why, _ = cluster_transmission_queue(estate.network, server, one.channel_name)
    if not _takes_puts(estate, server, queue):
        return opened(estate, to).ways
    key = name, one.server, one.channel_name, one.source, id(one.channel), id(one.queue), queue, why
    if key not in estate.members:
        estate.members[key] = opened(estate, to).ways, one
    ways, _ = estate.members[key]
    shared = [_from(server, way) for way in ways]
    return opened(estate, to).ways if None in shared else [one for one in shared if one is not None]


def _from(server: str, way: Way) -> Way | None:
    """The way to a member of a cluster as another one has it; None of one that does not put the
    message on a transmission queue alone."""
    put = position(way.to) if isinstance(way.to, State) else None
    if put is None or put.phase != XMIT or not put.member or way.kind is not Kind.COPY:
        return None
    if put.server == server:
        return way
    to = MqPosition(
        server,
        XMIT,
        put.name,
        put.queue_manager,
        queue=put.queue,
        member=put.member,
        channel=put.channel,
    )
    said = way.text, way.rule, way.confidence, way.source
    return Way(to.state(), *said, eliminated=way.eliminated)


def _takes_puts(estate: Lookup, server: str, queue: str) -> bool:
    """Whether a transmission queue is shown to refuse nothing that is put on it, once for each."""
    key = server, queue
    if key not in estate.takes_puts:
        estate.takes_puts[key] = False
        with suppress(NotShownHere, PutRefused):
            found = estate.network.queue(server, queue)
            if found is not None:
                refuse_inhibited(found)
            estate.takes_puts[key] = True
    return estate.takes_puts[key]


def _others(estate: Lookup, at: MqPosition) -> Transition:
    manager = estate.network.managers[at.server]
    known = _ways_to_names(estate, at)
    left_out = {*at.excluded}
    ways = [way for name, way in known.items() if name not in left_out]
    if estate.clusters.receivers(at.server):
        text = "the members of its clusters are known here"
        ways.append(Way(at.goes(queue_manager=ANY_MEMBER), text, "M-16", M, manager.source))
    try:
        found = default_transmission_queue(
            estate.network, estate.clusters, at.server, "others", manager.source
        )
    except (PutRefused, NotShownHere):
        return Transition(tuple(ways))
    excluded = {*at.excluded, *(name for name in known if name in estate.network.managers)}
    to = MqPosition(
        at.server, XMIT, ANY_QUEUE, ANY_OTHER, queue=found.queue, excluded=tuple(sorted(excluded))
    )
    ways.append(Way(to.state(), found.text, "M-16", M, found.source))
    return Transition(tuple(ways))


def _ways_to_names(estate: Lookup, at: MqPosition) -> Mapping[str, Way]:
    """The way to any queue of each other queue manager that is known where a position is, by name;
    one for all that differ in what they are not for (``excluded``)."""
    every = replace(at, excluded=())
    if every not in estate.named:
        source = estate.network.managers[at.server].source
        estate.named[every] = {
            name: Way(every.goes(queue_manager=name), f"{name} is known here", "M-16", M, source)
            for name in known_names(estate, at.server)
        }
    return estate.named[every]


def named_servers(estate: Lookup) -> Iterator[Server]:
    """The queue managers that only others name: where messages leave the loaded files. Text of a
    template names none. Reads all queues and channels.
    """
    found: dict[str, Server] = {}
    cleared = _cleared_names(estate)

    def add(name: str, fact: Fact) -> None:
        if (
            name
            and name not in estate.network.managers
            and name not in found
            and not name.startswith("*")
            and not is_template(name)
        ):
            found[name] = Server(
                name, "ibm_mq", False, fact.source, "its files are not loaded", open_ended=True
            )

    for queue in estate.network.queues.all():
        if queue.noun == "QREMOTE" and as_shown(queue, "RQMNAME") not in cleared:
            add(as_shown(queue, "RQMNAME"), queue)
    for server in estate.network.managers:
        for name in known_names(estate, server):
            for own in estate.network.objects_named(server, name)[:1]:
                if _transmits(own):
                    add(name, own)
    for one in estate.network.cluster_managers.all():
        add(one.name, one)
    for shown in estate.network.cluster_queues.all():
        add(shown.get("CLUSQMGR"), shown)
    hosts = {entry.server for entry in estate.network.side_inputs.hosts}
    outside = estate.network.readings.takes(C14, "external")
    for channel in estate.network.channels.all():
        if channel.channel_type in SENDING and hosts and not estate.channels.partners(channel):
            add(estate.channels.leads(channel, "").outside, channel)
        if outside and channel.channel_type in SENDING and not estate.channels.partners(channel):
            add(other_end(channel), channel)
    yield from (server for _, server in sorted(found.items()))


def _cleared_names(estate: Lookup) -> set[str]:
    """The names that aliases with a blank RQMNAME clear, and that are those of no queue manager;
    none where messages may leave the loaded files with such a name."""
    network = estate.network
    names = {
        one.name
        for one in network.queues.all()
        if is_known_alias(one) and not as_shown(one, "RQMNAME")
    }
    sending = (one for one in network.channels.all() if one.channel_type in SENDING)
    leaves = names and any(not estate.channels.partners(one) for one in sending)
    return set() if leaves else names


def is_symbolic(at: MqPosition) -> bool:
    """Whether a position stands for many names."""
    return at.phase == OPEN and at.queue_manager in (ANY_MEMBER, ANY_OTHER)
