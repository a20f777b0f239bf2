"""Publish/subscribe: what becomes of a message that is published (M-30 to M-33)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Subscription, Topic
from topograph.findings import Source
from topograph.outcomes import Confidence, Outcome
from topograph.systems.coverage import NotShown
from topograph.systems.ibm_mq.objects.attributes import keyword, place, value
from topograph.systems.ibm_mq.objects.queue_managers import refusals
from topograph.systems.ibm_mq.routing.cluster_publication import (
    Carriage,
    blocking,
    carriage,
    carried_ways,
    shared_topic,
    subscribed_elsewhere,
    takes_from_others,
)
from topograph.systems.ibm_mq.routing.lookup import Lookup, needs_blank
from topograph.systems.ibm_mq.routing.positions import PUBLISH, SUBSCRIBED, TAKEN, MqPosition
from topograph.systems.ibm_mq.routing.resolution import at_copy
from topograph.systems.ibm_mq.routing.topics import (
    governing,
    is_above,
    is_inhibited,
    subscribes,
    topic_string,
)
from topograph.systems.ibm_mq.routing.ways import M, PutRefused, one_way, selecting, undecided
from topograph.tracing.states import State, Transition, Way
from topograph.tracing.trace import Ending


def published(estate: Lookup, at: MqPosition) -> Transition:
    """M-31: one copy goes to each matching subscription of the queue manager; with none the
    message is gone, which is no error. M-33: a cluster carries it to other members. What came from
    another member goes to the subscriptions that take part in the cluster alone.
    """
    network, topic = estate.network, at.name
    network.absent(at.server, ("TOPIC",), "", "topic objects")
    levels = governing(estate, at.server, topic)
    if is_inhibited(levels):
        inhibited = next(
            one for level in levels for one in level if keyword(one, "PUB") == "DISABLED"
        )
        where = f" of {inhibited.server}" if inhibited.server != at.server else ""
        why = f"topic object {inhibited.name}{where} has PUB(DISABLED)"
        raise PutRefused(2051, why, "M-30", place(inhibited, "PUB"), confidence=M)
    decided = shared_topic if at.published else carriage
    carried = decided(estate, at.server, topic)
    blocked = {one: blocking(estate, one, levels) for one in _matching(estate, at, carried)}
    found = [one for one, kept_off in blocked.items() if not kept_off]
    kept_off = [one.name for one, kept_off in blocked.items() if kept_off]
    ways = [] if at.published else [_kept_here(estate, at, levels, found, kept_off)]
    ways += [_copy(estate, at, one, certain=blocked[one] is False) for one in found]
    ways += _copies_not_shown(estate, at, carried)
    if carried is not None:
        ways += carried_ways(estate, at, carried)
    beyond = {} if at.published else _not_decided(estate, at, carried)
    for one, why in _perhaps(estate, at, carried, beyond):
        ways.append(_copy_elsewhere(estate, at, one, why))
    unsure = [
        *network.doubts(*found),
        *refusals(_not_defined(estate, at, carried_to(estate, at.server, topic))),
        *_beyond(estate, at, beyond, carried),
    ]
    if kept_off:
        text = (
            "WILDCARD(BLOCK) of a topic object keeps publications there and below from "
            "wildcards above it"
        )
        unsure.append(Assumption("M-30", "M", text, f"{', '.join(kept_off)} get a copy, too"))
    return Transition(tuple(ways), tuple(unsure))


def brought(at: MqPosition, source: Source) -> Transition:
    """M-33: a publication came over a channel of the cluster."""
    assert at.arrival is not None
    to = at.goes(phase=PUBLISH, queue_manager="")
    text = f"channel {at.arrival.channel} brings the publication on {at.name}"
    return one_way(to, text, "M-33", source, confidence=M)


def _matching(estate: Lookup, at: MqPosition, carried: Carriage | None) -> list[Subscription]:
    """The subscriptions of the queue manager that take a publication."""
    own = [
        one
        for one in estate.network.subscriptions.of(at.server)
        if subscribes(estate, one, at.name)
    ]
    if not at.published or carried is None or not carried.cluster:
        return own
    return [one for one in own if takes_from_others(estate, one, at.name, carried)]


def _kept_here(
    estate: Lookup,
    at: MqPosition,
    levels: Sequence[Sequence[Topic]],
    found: Sequence[Subscription],
    kept_off: Sequence[str],
) -> Way:
    """The publication itself, which ends where it is made."""
    topic, nearest = at.name, levels[0][0] if levels else None
    named: dict[str, str | int] = {"destination": topic, "queue_manager": at.server}
    if at.queue or nearest:
        named["topic_object"] = at.queue or (nearest.name if nearest else "")
    text = f"published on {topic or 'the root topic'} at {at.server}: "
    text += f"{len(found)} subscriptions match" if found else "no configured subscription matches"
    for name in kept_off:
        text += f"; WILDCARD(BLOCK) of a topic object keeps it from subscription {name}"
    source = nearest.source if nearest else estate.network.managers[at.server].source
    rule = "M-30, M-31" if nearest else "M-31"
    return Way(Ending(Outcome.PUBLISHED, named), text, rule, M, source)


def _not_decided(estate: Lookup, at: MqPosition, carried: Carriage | None) -> dict[str, str]:
    """The other queue managers of which it is not decided whether a publication gets there, each
    with why it may."""
    if carried is not None and carried.stays:
        return {}
    members = set(estate.clusters.members_of(carried.cluster)) if carried else set()
    found = carried_to(estate, at.server, at.name)
    return {server: why for server, why in found.items() if server not in members}


def _perhaps(
    estate: Lookup, at: MqPosition, carried: Carriage | None, beyond: Mapping[str, str]
) -> Iterator[tuple[Subscription, str]]:
    """The subscriptions of other queue managers that may get a copy, each with why."""
    for server, why in sorted(beyond.items()):
        for one in estate.network.subscriptions.of(server):
            if (
                subscribes(estate, one, at.name)
                and takes_from_others(estate, one, at.name, None) is not False
            ):
                yield one, why
    if carried is not None and not carried.stays and not at.published:
        why = f"topic object {carried.topics[0].name} is clustered in {carried.cluster}"
        for one, gets in subscribed_elsewhere(estate, at.server, at.name, carried):
            if gets is None:
                yield one, why


def _not_defined(
    estate: Lookup, at: MqPosition, beyond: Iterable[str]
) -> Iterator[Topic | Subscription]:
    """What queue managers refuse to define that would matter to a publication: topic objects at
    its topic or above, and those that a subscription names; subscriptions to the topic.
    """
    network, mine = estate.network, estate.clusters.receivers(at.server)
    named = {value(one, "TOPICOBJ") for one in network.subscriptions.of(at.server)}
    for topic in network.topics.refused(at.server):
        if topic.name in named or is_above(topic, at.name):
            yield topic
    for topic in network.topics.all_refused() if mine else ():
        elsewhere = topic.server != at.server and is_above(topic, at.name)
        if elsewhere and any(cluster in mine for cluster in network.clusters(topic)):
            yield topic
    for server in (at.server, *sorted(beyond)):
        for one in network.subscriptions.refused(server):
            if not topic_string(estate, one) or subscribes(estate, one, at.name):
                yield one


def _copy(estate: Lookup, at: MqPosition, one: Subscription, *, certain: bool = True) -> Way:
    """The copy for a subscription; without ``certain`` WILDCARD may keep it off."""
    selector = value(one, "SELECTOR")
    guard = selecting(selector, place(one, "SELECTOR")) if selector else None
    if not certain:
        because = (
            f"subscription {one.name} of {one.server} gets a copy unless WILDCARD(BLOCK) keeps it "
            "off: definitions of one cluster topic differ in it"
        )
        guard = undecided(f"wildcard/{one.server}/{one.name}", because, one.source)
    if keyword(one, "DESTCLAS") == "MANAGED":
        ending = Ending(
            Outcome.DELIVERED, {"destination": f"managed queue of {one.name}@{at.server}"}
        )
        return Way(
            ending,
            f"subscription {one.name} has a managed queue",
            "M-31",
            M,
            one.source,
            guard=guard,
        )
    queue, manager = value(one, "DEST"), value(one, "DESTQMGR")
    blank = not manager and needs_blank(estate, at.server, queue)
    copy = at_copy(at, queue, manager or at.server, f"{SUBSCRIBED}{one.name}", blank=blank)
    text = f"subscription {one.name} gets a copy on {queue}" + (f"@{manager}" if manager else "")
    return Way(copy.state(), text, "M-31", M, place(one, "DEST"), guard=guard)


def _copies_not_shown(estate: Lookup, at: MqPosition, carried: Carriage | None) -> Iterator[Way]:
    """The copies for subscriptions that no loaded file shows, at the queue manager and at those
    that the cluster carries a publication to: told where it is made."""
    if at.published:
        return
    others = estate.clusters.members_of(carried.cluster) if carried else ()
    for server in dict.fromkeys((at.server, *others)):
        unknown = estate.network.missing(server, ("SUB",), "", "subscriptions")
        if isinstance(unknown, NotShown):
            guard = undecided(f"subscriptions/{server}", unknown.text, unknown.source)
            to = Ending(Outcome.DELIVERED, {"destination": f"subscriptions of {server}"})
            text = f"which subscriptions get a copy is not known: {unknown.text}"
            yield Way(to, text, "M-31, C-11", Confidence.L, unknown.source, guard=guard)


def _copy_elsewhere(estate: Lookup, at: MqPosition, one: Subscription, why: str) -> Way:
    """A subscription of another queue manager: whether the publication gets there is not decided
    (M-30).
    """
    because = (
        f"subscription {one.name} of {one.server} gets a copy if publications of {at.server} "
        f"are carried there: {why}"
    )
    own = _copy(estate, MqPosition(one.server, PUBLISH, at.name), one)
    to = (
        own.to
        if isinstance(own.to, State)
        else MqPosition(one.server, TAKEN, at.name, queue=one.name).state()
    )
    guard = undecided(f"publication/{at.server}/{one.server}/{one.name}", because, one.source)
    return Way(to, because, "M-30", Confidence.L, one.source, guard=guard)


def managed(estate: Lookup, at: MqPosition) -> Transition:
    """A copy on the managed queue of a subscription (M-31)."""
    ending = Ending(Outcome.DELIVERED, {"destination": f"managed queue of {at.queue}@{at.server}"})
    source = estate.network.managers[at.server].source
    return one_way(
        ending, f"subscription {at.queue} has a managed queue", "M-31", source, confidence=M
    )


def _beyond(
    estate: Lookup, at: MqPosition, beyond: Mapping[str, str], carried: Carriage | None
) -> Iterator[Assumption]:
    """What is not followed of what clusters and hierarchies carry to other queue managers, and that
    members which are not loaded do not subscribe (C-6)."""
    if at.published or (carried is not None and carried.stays):
        return
    if carried is not None:
        yield from estate.clusters.missing(at.server)
        others = {one.server for one in carried.topics}
        told = subscribed_elsewhere(estate, at.server, at.name, carried)
        for other in sorted(others | {one.server for one, gets in told if gets}):
            what = f"topic {at.name} at {other}"
            yield from estate.clusters.repositories.unheard(at.server, other, what)
    parent = estate.network.managers[at.server].stated("PARENT")
    clusters = [] if carried else list(_clustered(estate, at.server, at.name))
    if carried is None:  # members that are not loaded may define a topic for the cluster
        yield from estate.clusters.missing(at.server)
        yield from estate.clusters.closed(at.server)
    if not (beyond or parent or clusters):
        return
    why = next(iter(beyond.values()), f"{at.server} has PARENT({parent})" if parent else "")
    text = (
        f"only subscriptions of {at.server} are certain to get {at.name}, although "
        f"{why or clusters[0][1]}"
    )
    if carried is not None:
        text = f"outside of cluster {carried.cluster}, {text}"
    yield Assumption("M-30", "L", text, "subscriptions of other queue managers get a copy, too")


def carried_to(estate: Lookup, server: str, topic: str) -> dict[str, str]:
    """The other loaded queue managers that publications of one may be carried to, over clustered
    topics and hierarchies, each with why. Linear in the queue managers that are found."""
    found: dict[str, str] = {}
    clusters: set[str] = set()
    waiting = deque([server])
    while waiting:
        now = waiting.popleft()
        near: list[tuple[str, str]] = list(estate.clusters.related(now))
        for cluster, why in _clustered(estate, now, topic):
            if cluster not in clusters:
                clusters.add(cluster)
                near += [(member, why) for member in estate.clusters.members_of(cluster)]
        for other, why in near:
            if other != server and other not in found:
                found[other] = why
                waiting.append(other)
    return found


def _clustered(estate: Lookup, server: str, topic: str) -> Iterator[tuple[str, str]]:
    """The clusters of a queue manager in which a topic object at a topic or above it is
    advertised, each with why.
    """
    for cluster in estate.clusters.receivers(server):
        for one in estate.clusters.topics(cluster):
            if is_above(one, topic):
                yield cluster, f"topic object {one.name} of {one.server} is clustered in {cluster}"
                break
