"""What questions ask of a network of routers, on the walk that either engine supplied. Pure; all numbers are server numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import rustworkx as rx

from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph, Point, Walk


@dataclass(frozen=True, slots=True)
class RouteStep:
    """One step of a route. ``note`` says in words what makes it uncertain, empty if nothing does."""

    from_: int
    to: int
    cost: int
    rule: str
    confidence: str
    source: Source
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReachedRouter:
    """How the router asked from reaches ``server``: the routers from first to last, both included, and the sum of link costs (T-7)."""

    server: int
    path: tuple[int, ...]
    hops: int
    cost: int
    steps: tuple[RouteStep, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A server of which the loaded files do not say whether it is reached, why, and the place that leaves it open."""

    server: int
    because: str
    source: Source


@dataclass(frozen=True, slots=True)
class Position:
    """Something an answer takes to be so: the rule, its confidence, what is taken, and what would hold otherwise."""

    rule: str
    confidence: str
    text: str
    alternative: str


@dataclass(frozen=True, slots=True)
class Redundant:
    """Routers joined by more than one path (a biconnected part with at least three routers), and its links as pairs."""

    routers: tuple[int, ...]
    links: tuple[tuple[int, int], ...]


def starts_of(graph: ForwardingGraph, start: int) -> list[int]:
    """The points a walk from a router begins at: one for each router that it has a route to. Empty for a router without routes."""
    return [
        number
        for number in graph.points_of_server.get(start, [])
        if graph.points[number].kind == "toward" and graph.points[number].target != start
    ]


def reached_routers(graph: ForwardingGraph, start: int, walk: Walk) -> tuple[ReachedRouter, ...]:
    """The routers that the walk from ``starts_of(graph, start)`` reached, by name. A destination counts as reached if the walk holds the
    whole chain to it; linear in the lengths of the chains."""
    walked = set(walk.points.tolist())
    reached = [found for point in starts_of(graph, start) if (found := _follow(graph, point, walked)) is not None]
    return tuple(sorted(reached, key=lambda found: graph.servers[found.server].name))


def _follow(graph: ForwardingGraph, point: int, walked: set[int]) -> ReachedRouter | None:
    steps: list[RouteStep] = []
    target = graph.points[point].target
    while graph.points[point].server != target:
        after = next(graph.successors(point), None)
        if after is None or after not in walked:
            return None
        steps.append(_route_step(graph.step(point, after), graph.points[point].server, graph.points[after].server))
        point = after
    path = (steps[0].from_, *(step.to for step in steps))
    return ReachedRouter(target, path, len(steps), sum(step.cost for step in steps), tuple(steps))


def _route_step(details: Point, from_: int, to: int) -> RouteStep:
    return RouteStep(from_, to, details.cost, details.rule, details.confidence.value, details.source, details.zone_type)


def positions_of(steps: Iterable[RouteStep]) -> tuple[Position, ...]:
    """What the steps of an answer take to be so, each once, in the order of the steps."""
    found: dict[Position, None] = {}
    for step in steps:
        if step.note:
            found.setdefault(Position(step.rule, step.confidence, step.note, _ALTERNATIVES.get(step.rule, _BY_HOST)))
    return tuple(found)


_BY_HOST = "if the host is another router, the link is not there: say which it is in topograph.yaml under hosts"
_UPLINK = (
    "with another uplink active, or another router behind the host, the path begins or ends at another interior router"
)
_ALTERNATIVES = {
    "T-11": "with another of the links in effect, costs, next hops and paths may differ",
    "E-1": _UPLINK,
    "E-2": _UPLINK,
}


def links_of(graph: ForwardingGraph) -> tuple[RouteStep, ...]:
    """All working inter-router links, used by a route or not, by their ends; edge uplinks are no links (E-5)."""
    return tuple(_route_step(point, point.server, point.target) for point in graph.points if point.kind == "link")


def redundant(graph: ForwardingGraph) -> tuple[Redundant, ...]:
    """The parts of the network in which every two routers have more than one path, by router numbers. Linear in links.

    A part is a biconnected component of at least three routers; parallel links between two routers (T-11) are no redundancy.
    """
    network: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
    network.add_nodes_from(range(len(graph.servers)))
    network.add_edges_from([(link.from_, link.to, None) for link in links_of(graph)])
    parts: dict[int, set[tuple[int, int]]] = {}
    for edge, part in rx.biconnected_components(network).items():
        a, b = sorted(edge)
        parts.setdefault(part, set()).add((a, b))
    found = [
        Redundant(tuple(sorted({router for link in links for router in link})), tuple(sorted(links)))
        for links in parts.values()
        if len(links) > 1
    ]
    return tuple(sorted(found, key=lambda part: (part.routers, part.links)))


def undetermined(graph: ForwardingGraph, start: int, reached: Sequence[int]) -> tuple[Unknown, ...]:
    """The servers of which it is not known whether ``start`` reaches them, by name.

    Those are the routers outside that a reached router connects to; and, since such a router may lead anywhere, the loaded routers not
    reached, if the reached part or their own part of the network connects to one. A router that does not start or is standalone has
    no place in the network and is never undetermined.
    """
    here = {start, *reached}
    outside = [point for point in graph.points if point.kind == "outside"]
    in_network = {point.server for point in graph.points if point.kind == "toward" and point.server == point.target}
    if start not in in_network:
        return ()
    found: dict[int, Unknown] = {}
    ours = [point for point in outside if point.server in here]
    for point in ours:
        found.setdefault(point.target, Unknown(point.target, _leads_out(graph, point), point.source))
    part = _parts(graph)
    for server in sorted(in_network - here):
        theirs = [point for point in outside if part[point.server] == part[server]]
        for point in (*ours, *theirs)[:1]:
            because = f"{_leads_out(graph, point)}: that may join it with {graph.servers[start].name}"
            found.setdefault(server, Unknown(server, because, point.source))
    return tuple(sorted(found.values(), key=lambda unknown: graph.servers[unknown.server].name))


def _leads_out(graph: ForwardingGraph, point: Point) -> str:
    return f"{graph.servers[point.server].name} connects to {graph.servers[point.target].name}, and {point.zone_type}"


def _parts(graph: ForwardingGraph) -> dict[int, int]:
    """The connected part of every server, by the least server number in it; from the routes, so that edges count."""
    part = {number: number for number in range(len(graph.servers))}
    for point in graph.points:
        if point.kind == "toward":
            part[point.server] = min(part[point.server], point.target)
    return part
