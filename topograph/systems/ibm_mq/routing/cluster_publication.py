"""Publications that a cluster carries to the subscriptions of other members (M-33).

A topic object with CLUSTER makes its topic, and all below it, one for the members of the cluster. A
publication goes over cluster channels to each member that subscribes: direct (CLROUTE(DIRECT)), or
by way of a queue manager that defines the topic (CLROUTE(TOPICHOST)). Where the documents do not
say enough, ``carriage`` is None and ``takes_from_others`` too, and nothing is concluded. A queue
manager goes by its own topic object at each topic string, else by those of its clusters (M-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.facts.ibm_mq import Subscription, Topic
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.ibm_mq.objects.attributes import keyword, value
from topograph.systems.ibm_mq.objects.cluster_instances import Instance
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import XMIT, MqPosition
from topograph.systems.ibm_mq.routing.topics import (
    ancestors,
    before_wildcard,
    fixed_part,
    governing,
    is_above,
    is_inhibited,
    levels_of,
    resolved,
    subscribes,
)
from topograph.systems.ibm_mq.routing.transmission import cluster_transmission_queue
from topograph.tracing.states import Way
from topograph.tracing.trace import Kind


@record(slots=False)
class Carriage:
    """How the publications of a queue manager on a topic get to other members: the cluster, and the
    members that define the topic. ``stays``: they go nowhere (PUBSCOPE(QMGR))."""

    cluster: str = ""
    topics: tuple[Topic, ...] = ()
    stays: bool = False

    @property
    def hosts(self) -> frozenset[str]:
        """The queue managers by way of which they go; none where they go directly."""
        if not self.topics or keyword(self.topics[0], "CLROUTE") != "TOPICHOST":
            return frozenset()
        return frozenset(one.server for one in self.topics)


def carriage(estate: Lookup, server: str, topic: str) -> Carriage | None:
    """How publications on a topic that are made at a queue manager leave it; None where that is
    not certain. Linear in the topic objects of its clusters. Raises NotShownHere."""
    if not _clusters(estate, server, topic):
        return None
    scope = resolved(governing(estate, server, topic), "PUBSCOPE", "ALL")
    if scope == {"QMGR"}:
        return Carriage(stays=True)
    found = shared_topic(estate, server, topic)
    if len(scope) > 1 or found is None:
        return None
    by_way = found.hosts if server not in found.hosts else ()
    if not all(_passes_on(estate, host, topic, found) for host in by_way):
        return None
    return found


def shared_topic(estate: Lookup, server: str, topic: str) -> Carriage | None:
    """The cluster topic that a queue manager shares; None where that is not certain: topics of
    several clusters, definitions that differ in CLROUTE, or something that keeps it from taking
    part."""
    clusters = _clusters(estate, server, topic)
    if len(clusters) != 1:
        return None
    (cluster,) = clusters
    above = [one for one in estate.clusters.topics(cluster) if is_above(one, topic)]
    nearest = max(len(levels_of(one)) for one in above)
    topics = [one for one in above if len(levels_of(one)) == nearest]
    ways = {keyword(one, "CLROUTE") or "DIRECT" for one in topics}
    if len(ways) > 1 or not _takes_part(estate, server, topic, topics):
        return None
    return Carriage(cluster, tuple(topics))


def _clusters(estate: Lookup, server: str, topic: str) -> set[str]:
    """The clusters of a queue manager in which a topic object at a topic or above it is
    advertised."""
    return {
        cluster
        for cluster in estate.clusters.receivers(server)
        if any(is_above(one, topic) for one in estate.clusters.topics(cluster))
    }


def _takes_part(estate: Lookup, server: str, topic: str, topics: Sequence[Topic]) -> bool:
    """Whether nothing at a queue manager keeps it from a cluster topic: that PSCLUS or PSMODE is
    turned off, or a topic object of its own in the place of the cluster's."""
    manager = estate.network.managers[server]
    if manager.stated("PSCLUS").upper() == "DISABLED" or manager.stated("PSMODE").upper() not in (
        "",
        "ENABLED",
    ):
        return False
    return not any(
        levels_of(one) == levels_of(topics[0]) and not value(one, "CLUSTER")
        for one in ancestors(estate, server, topic)
    )


def _passes_on(estate: Lookup, host: str, topic: str, carried: Carriage) -> bool:
    """Whether nothing at a topic host keeps it from passing publications of others on."""
    levels = governing(estate, host, topic)
    everywhere = resolved(levels, "PUBSCOPE", "ALL") == {"ALL"}
    return everywhere and not is_inhibited(levels) and shared_topic(estate, host, topic) == carried


def takes_from_others(
    estate: Lookup, one: Subscription, topic: str, carried: Carriage | None
) -> bool | None:
    """Whether a subscription that takes a topic gets what other members publish there; None where
    that is not certain: what they share is not (``carried``), or its wildcard begins above the
    cluster's topic."""
    levels = governing(estate, one.server, topic)
    scope = resolved(levels, "SUBSCOPE", "ALL")
    if keyword(one, "SUBSCOPE") == "QMGR" or scope == {"QMGR"}:
        return False
    if blocking(estate, one, levels) is True:
        return False
    if carried is None or len(scope) > 1 or is_inhibited(levels):
        return None
    above = len(fixed_part(estate, one)) < len(levels_of(carried.topics[0]))
    shared = shared_topic(estate, one.server, topic)
    return None if above or shared != carried else True


def blocking(estate: Lookup, one: Subscription, levels: Sequence[Sequence[Topic]]) -> bool | None:
    """Whether WILDCARD(BLOCK) keeps a publication from a subscription whose wildcard stands above
    the topic object (M-30); None where definitions of one cluster topic differ."""
    begins = before_wildcard(estate, one)
    if begins is None:
        return False
    said = [
        {keyword(each, "WILDCARD") == "BLOCK" for each in level}
        for level in levels
        if len("/".join(levels_of(level[0]))) > len(begins.strip("/"))
    ]
    if {True} in said:
        return True
    return None if {True, False} in said else False


def subscribed_elsewhere(
    estate: Lookup, server: str, topic: str, carried: Carriage
) -> Iterator[tuple[Subscription, bool | None]]:
    """The subscriptions of other members that take a topic, each with whether it gets what is
    published at ``server``. Linear in the subscriptions of the members."""
    for other in estate.clusters.members_of(carried.cluster):
        if other != server:
            for one in estate.network.subscriptions.of(other):
                if subscribes(estate, one, topic):
                    yield one, takes_from_others(estate, one, topic, carried)


def carried_ways(estate: Lookup, at: MqPosition, carried: Carriage) -> Iterator[Way]:
    """The ways of a publication to other members: to each that subscribes, or to one of the topic's
    hosts, which passes it on. What a host gets goes to all others but its sender."""
    sender = at.arrival.sender if at.published and at.arrival is not None else ""
    hosts = carried.hosts
    if sender and (at.server not in hosts or sender in hosts):
        return
    found = subscribed_elsewhere(estate, at.server, at.name, carried)
    targets = sorted({one.server for one, gets in found if gets} - {sender})
    if not targets:
        return
    if not hosts or at.server in hosts:
        for target in targets:
            yield _to_member(estate, at, carried, target, "which subscribes")
        return
    for host in sorted(hosts):
        way = _to_member(estate, at, carried, host, "which hosts the topic")
        if len(hosts) > 1:
            choice = f"host of topic {at.name} at {at.server}"
            text = f"{host} is chosen for each publication (CLROUTE(TOPICHOST))"
            way = Way(
                way.to,
                way.text,
                way.rule,
                way.confidence,
                way.source,
                Kind.ONE_OF,
                choice=choice,
                choice_of=f"topic {at.name}",
                condition=text,
            )
        yield way


def _to_member(estate: Lookup, at: MqPosition, carried: Carriage, target: str, why: str) -> Way:
    channels = estate.clusters.shared(at.server, target)[carried.cluster]
    instances = [Instance(target, None, one, source=one.source) for one in channels]
    one = estate.clusters.reduce(at.server, None, instances).instances[0]
    queue, _, where = cluster_transmission_queue(estate.network, at.server, one.channel_name)
    to = MqPosition(
        at.server,
        XMIT,
        at.name,
        target,
        queue=queue,
        member=target,
        channel=one.channel_name,
        published=True,
    )
    text = f"cluster {carried.cluster} carries it to {target}, {why}: put on {queue}"
    return Way(to.state(), text, "M-33, M-26", Confidence.M, one.source or where)
