"""What a published EMS network shows: destinations and bridges, and what guards and zones mean
in words on points, routes and guards.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsDestination, EmsRoute
from topograph.forwarding.budget import Budget
from topograph.forwarding.descriptions import (
    OF_EVERY_SYSTEM,
    BridgeShown,
    DestinationShown,
    GuardPlace,
    GuardWords,
    MessageGuards,
    NamesOfServer,
    PointWords,
)
from topograph.forwarding.graph import OPEN, WAITS, ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.forwarding.rows import RowWalks
from topograph.message import Message
from topograph.side_inputs import Client, SideInputs
from topograph.systems.ems.destinations.guard_index import judge
from topograph.systems.ems.destinations.guards import (
    INTEREST_KINDS,
    ServerSettings,
    selectors_used,
    settings,
)
from topograph.systems.ems.destinations.subscribers import (
    Facts,
    check_topic,
    local_without_links,
    refusal,
    subscribers,
)
from topograph.systems.ems.destinations.topics import is_temporary
from topograph.systems.ems.network import doubt
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.doubt import Doubt
from topograph.systems.ems.network.legality import cyclic_parts
from topograph.systems.ems.network.links import EmsLink, configuration_of
from topograph.systems.ems.network.links_closed import links_down, not_certainly_up
from topograph.systems.ems.network.names import name_of, names_held
from topograph.systems.ems.network.observations import observations
from topograph.systems.ems.topics.publication import confined

STATEMENTS: Mapping[str, str] = {
    **OF_EVERY_SYSTEM,
    "servers": "`show servers` in memory",
    "routes": "`show routes` in memory, each link both ways",
    "zones": "the zones of the points in memory",
    "reach": "`reach` in memory",
    "hops": "`hops` in memory",
    "hop-matrix": "`hops --matrix` in memory",
    "paths": "`paths` in memory",
    "why-not": "the stops of `reach FROM TO` in memory",
    "single-points-of-failure": "`impact --sweep` in memory",
    "multi-path-cycles": "`cycles` in memory",
    "multi-path-cycles-held": "`cycles` in memory",
    "interests": "`interests` in memory",
    "propagate": "`propagate` in memory",
    "selectors": "the selectors of the route entries",
    "guards": "the guards of the points in memory",
    "bridges": "the entries of bridges.conf",
    "queues": "the routes of `trace` in memory",
    "findings": "`check` in memory",
    "durable-subscribers": "the durables of `show` whose topic fits, as `matches` says",
}
"""See ``DatabaseRows``."""

ILLEGAL_LIMIT = 300
"""Servers of an illegal network up to which the names are worked out: there each holder takes a
search a neighbour (0.1 s at 1,000 servers).
"""


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """See ``DatabaseRows``. A destination that is defined and named by a bridge is the defined
    one.
    """
    named: dict[tuple[str, str, str], DestinationShown] = {}
    for fact in facts:
        if isinstance(fact, EmsDestination):
            properties = dict(fact.properties)
            flags = properties.get("global") == "true", properties.get("secure") == "true"
            key = fact.server, fact.type, fact.name
            if key not in named or not named[key].defined:
                home = (fact.owner or fact.server) if fact.type == "queue" else None
                routed = home not in (None, fact.server)
                named[key] = DestinationShown(
                    fact.server,
                    fact.type,
                    fact.name,
                    fact.source,
                    True,
                    *flags,
                    leads_to=(f"{fact.name}@{home}",) if routed else (),
                    home=home,
                )
        elif isinstance(fact, EmsBridge):
            for type_, name in (
                (fact.source_type, fact.source_name),
                (fact.target_type, fact.target_name),
            ):
                shown = DestinationShown(fact.server, type_, name, fact.source, False)
                named.setdefault((fact.server, type_, name), shown)
    yield from named.values()


def bridges(facts: Iterable[Fact]) -> Iterator[BridgeShown]:
    """See ``DatabaseRows``."""
    for fact in facts:
        if isinstance(fact, EmsBridge):
            ends = fact.source_type, fact.source_name, fact.target_type, fact.target_name
            yield BridgeShown(fact.server, *ends, fact.selector, fact.source)


def route_urls(facts: Iterable[Fact]) -> Mapping[tuple[str, str], str]:
    """See ``DatabaseRows``; several URLs of a route are joined by commas."""
    return {
        (fact.server, fact.name): ",".join(fact.url)
        for fact in facts
        if isinstance(fact, EmsRoute) and fact.url
    }


def point_words(graph: ForwardingGraph) -> Iterator[PointWords]:
    """See ``DatabaseRows``. What is not passed on follows from the zone (R13) and from where the
    message came (R16).
    """
    names = [server.name for server in graph.servers]
    payload = _payloads(graph.guards)
    for point in graph.points:
        if point.kind != "arrival":
            yield PointWords(starts=True)
            continue
        back = f"not back to {names[point.previous]} (R16)"
        if point.zone_type == "1hop":
            back = f"not over another route of 1hop zone {point.zone} (R13), {back}"
        kinds = {graph.guards[guard].kind: graph.guards[guard] for guard in point.guards}
        down = "link" in kinds
        open_ = kinds[OPEN].text if OPEN in kinds and not down else ""
        words = _condition(graph, point, names, payload)
        waits = WAITS in kinds
        yield PointWords(words, back, ends=True, down=down, open_=open_, waits=waits)


def doubts(graph: ForwardingGraph) -> Iterator[str]:
    """See ``DatabaseRows``: the servers that routes which no file shows may lead to (A17)."""
    left_open = Doubt(graph, RowWalks(graph), links_down(graph))
    for server in range(len(graph.servers)):
        because = left_open.unreached(server, server) if left_open.open_ended else None
        yield because[0] if because else ""


def cut_off(graph: ForwardingGraph) -> Collection[int]:
    """See ``DatabaseRows``: the servers whose routing is disabled (R6)."""
    return doubt.cut_off(graph)


def _payloads(guards: Sequence[Guard]) -> list[dict[str, object]]:
    return [json.loads(guard.payload) if guard.payload else {} for guard in guards]


def _condition(
    graph: ForwardingGraph,
    point: Point,
    names: Sequence[str],
    payload: Sequence[Mapping[str, object]],
) -> str:
    """What a message needs to cross a link, in the order of the guards. The first ``global``
    guard is the sending end's.
    """
    parts = []
    ends = [names[point.previous], names[point.server]]
    for number in point.guards:
        guard = graph.guards[number]
        if guard.kind == "link":
            parts.append(f"never: {guard.text}")
        elif guard.kind == OPEN:
            parts.append(f"if it comes up, which is not certain: {guard.text}")
        elif guard.kind == "global":
            at = ends.pop(0) if ends else names[point.server]
            text = (
                guard.text
                if "unknown" in payload[number]
                else guard.text.replace(" is global", f" is global at {at}")
            )
            parts.append(text)
        elif guard.kind == "selector":
            parts.append(
                f"where topic is {payload[number]['topic']}: {payload[number]['selector']}"
            )
        elif guard.kind == "grant":
            parts.append(guard.text)
        elif guard.kind == WAITS:
            parts.append(f"waits before it: {guard.text}")
    return "; ".join(parts)


def guard_words(graph: ForwardingGraph, facts: Sequence[Fact]) -> Iterator[GuardWords]:
    """See ``DatabaseRows``. Each line that sets a selector or makes a topic global is a place;
    no line makes "no topic is global".
    """
    places = _places(graph, facts)
    for number, (guard, payload) in enumerate(
        zip(graph.guards, _payloads(graph.guards), strict=True)
    ):
        topic, selector = (str(payload.get(key, "")) for key in ("topic", "selector"))
        yield GuardWords(
            topic, selector, guard.kind in INTEREST_KINDS, tuple(places.get(number, {}))
        )


def _places(graph: ForwardingGraph, facts: Sequence[Fact]) -> dict[int, dict[GuardPlace, None]]:
    """The places of every guard by its number, each once."""
    estate = configuration_of(facts, SideInputs())
    number_of = {guard.id: number for number, guard in enumerate(graph.guards)}
    found: dict[int, dict[GuardPlace, None]] = {}

    def add(identity: str, place: GuardPlace) -> None:
        if identity in number_of:
            found.setdefault(number_of[identity], {})[place] = None

    of_servers = {f"link:{name}" for name in estate.servers}
    for name, configured in estate.servers.items():
        own = settings(configured)
        add(f"link:{name}", GuardPlace(name, own.routing_source))
        for identity, place in _global_places(configured, own):
            add(identity, place)
    for name, route in estate.unloaded.items():
        add(f"global:?{name}", GuardPlace(name, route.source))
    for point in graph.points:
        for number in point.guards:
            guard = graph.guards[number]
            # Of a server whose routing is disabled the line is that of the setting.
            if guard.kind == OPEN or (guard.kind == "link" and guard.id not in of_servers):
                ends = (graph.servers[one].name for one in (point.previous, point.server))
                at, neighbour = ends
                place = GuardPlace(at, guard.source, neighbour=neighbour)
                found.setdefault(number, {})[place] = None
    for number, guard in enumerate(graph.guards):
        if guard.kind == "grant":
            payload = json.loads(guard.payload)
            found.setdefault(number, {})[
                GuardPlace(payload["at"], guard.source, neighbour=payload["user"])
            ] = None
    for link in estate.links:
        for identity, place in _selector_places(link):
            add(identity, place)
    return found


def _global_places(configured: Configured, own: ServerSettings) -> Iterator[tuple[str, GuardPlace]]:
    if own.topics_missing:
        yield f"global:?{own.name}", GuardPlace(own.name, own.source)
        return
    if not own.global_topics:
        yield f"global:none:{own.name}", GuardPlace(own.name, own.source)
        return
    identity = f"global:{'|'.join(own.global_topics)}"
    for topic in own.global_topics:
        yield identity, GuardPlace(configured.name, own.topic_sources[topic], topic)


def _selector_places(link: EmsLink) -> Iterator[tuple[str, GuardPlace]]:
    for server, route in link.routes.items():
        for direction in ("outgoing", "incoming"):
            for used in selectors_used(route, direction):
                place = GuardPlace(
                    server, used.line.source, used.line.topic, direction, link.other(server)
                )
                yield f"selector:{used.key}", place


def names_by_server(graph: ForwardingGraph) -> Iterator[NamesOfServer]:
    """See ``DatabaseRows``. Nothing for an illegal network of more than ILLEGAL_LIMIT servers:
    there a holder takes a search a neighbour.
    """
    if len(graph.servers) > ILLEGAL_LIMIT and not all(part.legal for part in cyclic_parts(graph)):
        return
    walker, closed, budget = RowWalks(graph), not_certainly_up(graph), Budget()
    possible = closed if closed == links_down(graph) else links_down(graph)

    @cache
    def name(server: int) -> str:
        return graph.servers[server].name

    for holder in range(len(graph.servers)):
        held = names_held(graph, walker, holder, closed, budget)
        names = tuple((name_of(name(owner)), name(via), hops) for owner, via, hops in held.rows())
        complete = not held.undecided and (
            possible is closed
            or len(names_held(graph, walker, holder, possible, budget).found) == len(names)
        )
        yield NamesOfServer(name(holder), names, complete)


def message_guards(
    graph: ForwardingGraph,
    facts: Facts,
    start: str,
    message: Message,
    clients: Sequence[Client],
) -> MessageGuards:
    """See ``DatabaseRows``: the guards of ``publication.judge``, the subscribers of
    ``messages.follow``.
    """
    topic = message.destination.name
    check_topic(topic)
    verdicts = judge(graph, topic, message.properties)
    loaded = {server.name: server.loaded for server in graph.servers}
    wanting = subscribers(facts, loaded, topic, clients, True)
    routed = {subscriber.server for subscriber in wanting if subscriber.reliable}
    everyone = not is_temporary(topic) and any(
        subscriber.known == "assumed" for subscriber in wanting
    )
    # also those of which nothing is loaded; not those whose only subscription may or may not be
    # routed (R46), nor those that listed theirs
    if everyone:
        listed = observations(facts, loaded).whole.keys()
        routed = loaded.keys() - (({subscriber.server for subscriber in wanting} | listed) - routed)
    refused = refusal(facts, start, message)
    local = local_without_links(facts, graph, topic)
    return MessageGuards(
        tuple(sorted(verdicts.failing)),
        tuple(sorted(verdicts.unknown)),
        None if everyone and len(routed) == len(loaded) else tuple(sorted(routed)),
        refused.text if refused is not None else "",
        tuple(sorted(graph.servers[number].name for number in confined(graph, verdicts, local))),
    )
