"""What queue managers of IBM MQ have beside queues and topics, for a database: channels, clusters,
listeners, subscriptions, dead-letter queues, and where aliases and remote queues lead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from topograph.facts import Fact
from topograph.facts.ibm_mq import Channel, Described, Queue, Subscription
from topograph.forwarding.configured import (
    End,
    Thing,
    Tie,
    Value,
    declared,
    destination,
    leads_to,
    of_elements,
    server,
    subscription,
)
from topograph.side_inputs import SideInputs
from topograph.systems.coverage import NotShown, NotShownHere
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq.objects.attributes import as_shown, valued
from topograph.systems.ibm_mq.objects.channels import PARTNERS, Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


def configured(
    facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str]
) -> Iterator[Thing | Tie]:
    """See ``forwarding.configured.Configured``."""
    network = MqNetwork(FactList(list(facts)), side_inputs)
    clusters = Clusters(network)
    yield from declared(side_inputs, servers, _pattern_of_levels)
    yield from _clusters(network, clusters)
    channels = Channels(network)
    seen: dict[tuple[str, str], set[str]] = {}
    for status in network.channel_status.all():
        seen.setdefault((status.server, status.name), set()).add(status.get("STATUS"))
    for one in network.channels.all():
        yield from _channel(network, channels, one, seen.get((one.server, one.name), set()))
    for listener in network.listeners.all():
        yield Thing(
            "Listener",
            listener.server,
            listener.name,
            listener.source,
            values=(
                ("address", listener.get("IPADDR")),
                ("port", listener.get("PORT")),
                ("transport", listener.get("TRPTYPE")),
                ("control", listener.get("CONTROL")),
            ),
        )
    topics = _Topics(network)
    for sub in network.subscriptions.all():
        yield from _subscription(sub, topics)
    for queue in network.queues.all():
        yield from _queue(network, clusters, queue)
    for name, manager in network.managers.items():
        if dead := manager.get("DEADQ"):
            yield Tie("DEAD_LETTERS_TO", server(name), destination(name, dead, "queue"))


def _clusters(network: MqNetwork, clusters: Clusters) -> Iterator[Thing | Tie]:
    """Each cluster that a loaded queue manager is a member of, or holds a full repository of."""
    members: dict[str, dict[str, str]] = {}
    for name in network.managers:
        try:
            full = frozenset(network.repositories(name))
        except NotShownHere:
            full = frozenset()
        for cluster in sorted({*clusters.receivers(name), *full}):
            members.setdefault(cluster, {})[name] = "full" if cluster in full else "partial"
    for cluster, own in sorted(members.items()):
        made = Thing("Cluster", "", cluster)
        yield made
        for name, repository in own.items():
            yield Tie("MEMBER_OF", server(name), made.end, (("repository", repository),))


def _shown(one: Described, name: str) -> str | None:
    """An attribute; None where the output does not show it."""
    return None if isinstance(valued(one, name), NotShown) else as_shown(one, name)


def _of_clusters(network: MqNetwork, one: Described) -> tuple[str, ...]:
    try:
        return network.clusters(one)
    except NotShownHere:
        return ()


def _channel(
    network: MqNetwork, channels: Channels, one: Channel, seen: Collection[str]
) -> Iterator[Thing | Tie]:
    own = _of_clusters(network, one) if one.channel_type.startswith("CLUS") else ()
    values: dict[str, Value] = {
        "type": one.channel_type,
        "connection_name": as_shown(one, "CONNAME"),
        "transmission_queue": as_shown(one, "XMITQ"),
        "tls": _shown(one, "SSLCIPH"),
        "client_authentication": _shown(one, "SSLCAUTH"),
        "peer": _shown(one, "SSLPEER"),
        "clusters": own,
        "user": _shown(one, "MCAUSER"),
        "observed": ", ".join(sorted({*seen} - {""})),
    }
    made = Thing(
        "Channel",
        one.server,
        one.name,
        one.source,
        f"{one.channel_type}/{one.name}",
        tuple(values.items()),
    )
    yield made
    partners = channels.partners(one) if one.channel_type in PARTNERS else ()
    for name in dict.fromkeys(partner.server for partner in partners):
        yield Tie("CONNECTS_TO", made.end, server(name))
    if read := as_shown(one, "XMITQ"):
        yield Tie("READS", made.end, destination(one.server, read, "queue"))
    for cluster in own:
        yield Tie("OF_CLUSTER", made.end, End("Cluster", "", cluster))


class _Topics:
    """The topic objects of each queue manager, by name and by topic string."""

    def __init__(self, network: MqNetwork) -> None:
        self._strings: dict[tuple[str, str], str] = {}
        self._objects: dict[tuple[str, str], dict[str, None]] = {}
        for one in network.topics.all():
            string = as_shown(one, "TOPICSTR")
            self._strings.setdefault((one.server, one.name), string)
            self._objects.setdefault((one.server, string), {})[one.name] = None

    def string_of(self, at: str, name: str) -> str:
        """The topic string of an object; empty where there is none."""
        return self._strings.get((at, name), "")

    def objects(self, at: str, name: str, string: str) -> list[str]:
        """The object of a name, and those of a topic string."""
        named = [name] if (at, name) in self._strings else []
        return list(dict.fromkeys((*named, *self._objects.get((at, string), ()))))


def _subscription(one: Subscription, topics: _Topics) -> Iterator[Thing | Tie]:
    """One; all administrative subscriptions are durable."""
    named = as_shown(one, "TOPICOBJ")
    above = topics.string_of(one.server, named)
    own = as_shown(one, "TOPICSTR")
    joined = (above.rstrip("/"), own.lstrip("/") if above else own)
    topic = "/".join(part for part in joined if part)
    manager, queue = one.get("DESTQMGR"), one.get("DEST")
    by_character = as_shown(one, "WSCHEMA").upper() == "CHAR"
    found = subscription(
        one.server,
        "subscription",
        f"topic:{topic}",
        one.name,
        one.source,
        _pattern_of_characters if by_character else _pattern_of_levels,
        known="configured",
        durable=True,
        user=one.get("SUBUSER"),
        selector=one.get("SELECTOR"),
        delivers_to=(f"{queue}@{manager}" if manager else queue) or one.get("DESTCLAS"),
    )
    for each in found:
        if isinstance(each, Tie):
            continue  # destinations are topic objects, which have names of their own
        yield each
        for name in topics.objects(one.server, named, topic):
            yield Tie("SUBSCRIBES_TO", each.end, destination(one.server, name, "topic"))
        if queue:
            yield Tie("DELIVERS_TO", each.end, destination(manager or one.server, queue, "queue"))


def _pattern_of_levels(topic: str) -> tuple[str, str]:
    return of_elements(topic, "/", "+", "#", least=0), "/"


_BY_CHARACTER = {"*": "(?s:.*)", "?": "(?s:.)"}


def _pattern_of_characters(topic: str) -> tuple[str, str]:
    return "".join(_BY_CHARACTER.get(sign, re.escape(sign)) for sign in topic) + "/", "/"


def _queue(network: MqNetwork, clusters: Clusters, one: Queue) -> Iterator[Tie]:
    start = destination(one.server, one.name, "queue", one.source)
    for cluster in clusters.known_in(one):
        yield Tie("OF_CLUSTER", start, End("Cluster", "", cluster))
    if one.noun == "QALIAS":
        yield from _alias(network, clusters, one, start)
    elif one.noun == "QREMOTE" and (name := as_shown(one, "RNAME")):
        manager = _behind_aliases(network, one.server, as_shown(one, "RQMNAME"))
        if manager:
            yield leads_to(start, destination(manager, name, "queue"), "remote queue")


def _alias(network: MqNetwork, clusters: Clusters, one: Queue, start: End) -> Iterator[Tie]:
    """To the topic or queue that it names: a queue of its own queue manager comes before those of
    clusters. Nowhere, where no file shows whether there is one."""
    target = as_shown(one, "TARGET")
    if as_shown(one, "TARGTYPE").upper() == "TOPIC":
        yield leads_to(start, destination(one.server, target, "topic"), "alias")
    elif target and network.objects_named(one.server, target):
        yield leads_to(start, destination(one.server, target, "queue"), "alias")
    elif target and not isinstance(network.find(one.server, target), NotShown):
        own = clusters.receivers(one.server)
        for queue in clusters.advertised(target):
            if any(cluster in own for cluster in clusters.known_in(queue)):
                end = destination(queue.server, queue.name, "queue")
                yield leads_to(start, end, "cluster queue")


def _behind_aliases(network: MqNetwork, at: str, manager: str) -> str:
    """What queue-manager aliases of a queue manager make of the name of another; empty in a
    circle."""
    seen: set[str] = set()
    while manager and manager not in seen:
        seen.add(manager)
        alias = next(
            (
                found
                for found in network.objects_named(at, manager)
                if found.noun == "QREMOTE" and not as_shown(found, "RNAME")
            ),
            None,
        )
        after = as_shown(alias, "RQMNAME") if alias is not None else manager
        if after == manager:
            return manager
        manager = after
    return ""
