"""Who subscribes to which topics, over a whole network: static durables, bridges, the clients
that were declared and those that servers listed (R40, A12, A13); and what the guards of links
say of a topic or of a pattern of topics (R42, R46, R49)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from topograph.errors import UnknownDestination
from topograph.facts.ems import EmsBridge, EmsDurable, EmsServer
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph, Guard
from topograph.message import DestinationName, parse_destination
from topograph.outcomes import Truth
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.ems.destinations.guards import INTEREST_KINDS, evaluate
from topograph.systems.ems.destinations.subscribers import SUBSCRIBER_ROLES, Facts
from topograph.systems.ems.destinations.topics import (
    contained,
    covered,
    is_temporary,
    is_wildcard,
    overlap,
)
from topograph.systems.ems.network.observations import Observations, observations


@record
class TopicSubscription:
    """Somebody at a server who wants a topic, a name or a pattern. ``held_for`` is the server
    that a static durable of kind ``route`` is held for; ``what`` says who it is; ``by_client``
    that it is a client, which may exit, and no part of the server itself."""

    server: str
    topic: str
    what: str
    durable: bool
    source: Source
    held_for: str = ""
    by_client: bool = True


@record(slots=False)
class Wanted:
    """The subscriptions of a network, the topics that declared publishers publish to by server,
    and whether clients are known at all: ``assume`` is True where none is declared, so that
    there may be a subscriber to any topic anywhere but at the servers that ``listed`` theirs.
    ``unsure`` is what such lists leave open, and where."""

    subscriptions: tuple[TopicSubscription, ...]
    publishers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assume: bool = True
    listed: frozenset[str] = frozenset()
    unsure: tuple[tuple[str, Source], ...] = ()
    senders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The queues that declared senders send to, by server."""

    @classmethod
    def of(cls, facts: Facts, clients: Sequence[Client], servers: Collection[str]) -> Wanted:
        """The subscriptions at some servers. Linear in durables, bridges, clients and servers."""
        seen = observations(facts, servers)
        found = [*_configured(facts), *_observed(seen)]
        publishers: dict[str, list[str]] = defaultdict(list)
        senders: dict[str, list[str]] = defaultdict(list)
        declared = False
        for client in clients:
            named = _named(client)
            subscribes = client.role in SUBSCRIBER_ROLES
            declared |= subscribes
            if named.type == "queue" and not subscribes:
                senders[client.server].append(named.name)
            if named.type != "topic" or is_temporary(named.name):
                continue
            if subscribes:
                what = f"durable subscriber {client.durable}" if client.durable else "subscriber"
                found.append(
                    TopicSubscription(
                        client.server, named.name, what, bool(client.durable), client.source
                    )
                )
            else:
                publishers[client.server].append(named.name)
        listed = frozenset() if declared else frozenset(seen.whole.keys() | seen.cut.keys())
        unsure = tuple(seen.cut.values())
        ordered = sorted(found, key=lambda one: (one.topic, one.server, one.what, str(one.source)))
        published = {server: tuple(topics) for server, topics in publishers.items()}
        sent = {server: tuple(queues) for server, queues in senders.items()}
        return cls(tuple(ordered), published, not declared, listed, unsure, sent)

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics and patterns that somebody subscribes to, by name."""
        return tuple(sorted({one.topic for one in self.subscriptions}))

    @cached_property
    def _by_topic(self) -> Mapping[str, Sequence[TopicSubscription]]:
        found: dict[str, list[TopicSubscription]] = defaultdict(list)
        for one in self.subscriptions:
            found[one.topic].append(one)
        return found

    def to(self, topic: str) -> Iterator[TopicSubscription]:
        """The subscriptions that take every message to a topic, or to every topic of a pattern.
        Linear in the distinct topics.
        """
        for pattern, subscriptions in self._by_topic.items():
            if contained(topic, pattern):
                yield from subscriptions

    def publishers_of(self, topic: str) -> frozenset[str] | None:
        """The servers where somebody publishes to a topic (to any, if it is empty); None where
        no publisher at all is declared, so that anybody may.
        """
        if not self.publishers:
            return None
        return frozenset(
            server
            for server, topics in self.publishers.items()
            if not topic or any(overlap(topic, one) for one in topics)
        )


def _named(client: Client) -> DestinationName:
    """The destination of a client; a bare name is that of a topic."""
    try:
        return parse_destination(client.destination)
    except UnknownDestination:
        return DestinationName("topic", client.destination)


def _observed(seen: Observations) -> Iterator[TopicSubscription]:
    """The subscribers that servers listed."""
    for row in seen.subscriptions:
        if not is_temporary(row.name):
            what = (
                f"durable subscriber {row.durable}" if row.durable else "subscriber that was listed"
            )
            yield TopicSubscription(row.server, row.name, what, bool(row.durable), row.source)


def _configured(facts: Facts) -> Iterator[TopicSubscription]:
    """The durables and bridges of the configurations in use (R7)."""
    used: dict[str, str] = {}
    for main in facts(("server",), ""):
        if isinstance(main, EmsServer):
            used[main.server] = min(main.bundle, used.get(main.server, main.bundle))
    for fact in facts(("durable", "bridge"), ""):
        if fact.bundle != used.get(fact.server):
            continue
        if isinstance(fact, EmsDurable) and not is_temporary(fact.topic):
            held_for = fact.name if fact.route else ""
            what = f"durable held for server {fact.name}" if fact.route else f"durable {fact.name}"
            yield TopicSubscription(
                fact.server, fact.topic, what, True, fact.source, held_for, by_client=not held_for
            )
        elif (
            isinstance(fact, EmsBridge)
            and fact.source_type == "topic"
            and not is_temporary(fact.source_name)
        ):
            what = f"bridge to {fact.target_type}:{fact.target_name}"
            yield TopicSubscription(
                fact.server, fact.source_name, what, False, fact.source, by_client=False
            )


class TopicGuards:
    """What the guards that stop interest say of topics and patterns; each guard is read once."""

    def __init__(self, graph: ForwardingGraph) -> None:
        self._graph = graph
        self._kinds = [n for n, guard in enumerate(graph.guards) if guard.kind in INTEREST_KINDS]
        self._patterns: dict[int, tuple[frozenset[str], tuple[str, ...], bool]] = {}

    def failing(self, topic: str) -> tuple[frozenset[int], frozenset[int]]:
        """The guards that do not let every message to ``topic`` pass, and those of them of which
        that is not certain. Linear in the guards and in the patterns of topics."""
        said = {number: self._says(number, topic) for number in self._kinds}
        failing = frozenset(number for number, truth in said.items() if truth is not Truth.TRUE)
        return failing, frozenset(number for number in failing if said[number] is Truth.UNKNOWN)

    def partly(self, topic: str) -> bool:
        """Whether a server makes some topics of a pattern global and others not, so that it is
        not routed reliably (R46).
        """
        if not is_wildcard(topic):
            return False
        for number in self._kinds:
            guard = self._graph.guards[number]
            if guard.kind == "global" and self._global(number, guard, topic) is not Truth.TRUE:
                names, _, _ = self._patterns[number]
                if any(overlap(topic, pattern) for pattern in names):
                    return True
        return False

    def _says(self, number: int, topic: str) -> Truth:
        guard = self._graph.guards[number]
        if guard.kind == "global":
            return self._global(number, guard, topic)
        if guard.kind == "grant" and is_wildcard(topic):
            return _grant(json.loads(guard.payload), topic)
        return evaluate(guard, topic, {}).truth

    def _global(self, number: int, guard: Guard, topic: str) -> Truth:
        if number not in self._patterns:
            payload = json.loads(guard.payload)
            patterns = payload.get("patterns", ())
            wild = tuple(pattern for pattern in patterns if is_wildcard(pattern))
            self._patterns[number] = frozenset(patterns), wild, "unknown" in payload
        names, wild, unknown = self._patterns[number]
        if topic in names or any(contained(topic, pattern) for pattern in wild):
            return Truth.TRUE
        if is_wildcard(topic) and covered(topic, names):
            return Truth.TRUE
        partly = is_wildcard(topic) and any(overlap(topic, pattern) for pattern in names)
        return Truth.UNKNOWN if unknown or partly else Truth.FALSE


def _grant(payload: Mapping[str, object], topic: str) -> Truth:
    """A grant guard and a pattern of topics: some of them may be secure and not granted (R49)."""
    if "unknown" in payload:
        return Truth.UNKNOWN
    secure, grants, wanted = (payload.get(key, ()) for key in ("secure", "grants", "permissions"))
    assert isinstance(secure, list)
    assert isinstance(grants, list)
    assert isinstance(wanted, list)
    if not any(overlap(topic, pattern) for pattern in secure):
        return Truth.TRUE
    given = {
        permission for grant in grants if contained(topic, grant[0]) for permission in grant[1:]
    }
    return Truth.TRUE if "all" in given or given >= set(wanted) else Truth.UNKNOWN
