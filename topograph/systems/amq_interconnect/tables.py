"""The graph tables of a network of routers, and the forwarding graph made of them.

Points, by ``kind``:

* ``toward``, key ``X=>D``: a message is at router X (``server``) on its way to router D (``target``). One for every ordered pair of routers
  that reach each other, and ``D=>D`` for every router that has a place in the network. ``link`` is the server number of X's next hop for D
  (-1 at D itself); ``cost``, ``rule``, ``confidence``, ``source`` and ``configured_by`` (the router whose connector it is) describe the step to it, and
  ``zone_type`` says in words what makes that step uncertain. Its only forward goes to the point of the next hop for D. A pair that does
  not reach each other has no point.
* ``link``, key ``A--B``: a working inter-router link, used by a route or not; ``server`` and ``target`` are its ends, the other fields as above.
* ``outside``, key ``X->HOST:PORT``: a connector of X whose other end (``target``) is no loaded router.

Edge routers take no part in route computation (E-5): the way to an edge is the way to its interior router and one step of cost 0 (E-2);
the way from it begins with its uplink (E-1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph, GraphTables, Point, Server
from topograph.outcomes import Confidence
from topograph.systems.amq_interconnect.links import Connections, Link, Uplink
from topograph.systems.amq_interconnect.routers import Router
from topograph.systems.amq_interconnect.routes import Tree, all_trees

SYSTEM = "amq_interconnect"


@dataclass(frozen=True, slots=True)
class _Step:
    to: str
    cost: int
    rule: str
    confidence: Confidence
    source: Source
    configured_by: str
    note: str


def tables_of(routers: Sequence[Router], connections: Connections) -> GraphTables:
    """The tables of a network. O(routers * links log links)."""
    servers = [*_servers(routers), *_outside_servers(routers, connections)]
    number = {server.name: place for place, server in enumerate(servers)}
    points = [
        *_link_points(connections, number),
        *_outside_points(connections, number),
        *_toward_points(routers, connections, number),
    ]
    return GraphTables(SYSTEM, servers, points, ())


def _servers(routers: Sequence[Router]) -> Iterator[Server]:
    for router in routers:
        yield Server(
            router.name, SYSTEM, loaded=True, source=router.source, incomplete=router.stopped or router.doubtful
        )


def _outside_servers(routers: Sequence[Router], connections: Connections) -> Iterator[Server]:
    loaded = {router.name for router in routers}
    first: dict[str, Source] = {}
    for outside in connections.outside:
        if outside.name not in loaded:
            first.setdefault(outside.name, outside.connector.source)
    for name in sorted(first):
        yield Server(name, SYSTEM, loaded=False, source=first[name], open_ended=True)


def _link_points(connections: Connections, number: Mapping[str, int]) -> Iterator[Point]:
    seen: dict[str, int] = {}
    for link in connections.links:
        a, b = link.ends
        key = f"{a}--{b}"
        seen[key] = seen.get(key, 0) + 1
        yield Point(
            key=key if seen[key] == 1 else f"{key}#{seen[key]}",
            kind="link",
            server=number[a],
            target=number[b],
            cost=link.cost,
            zone_type=link.note,
            rule=link.rule,
            confidence=link.confidence,
            configured_by=link.connector.router,
            source=link.connector.source,
        )


def _outside_points(connections: Connections, number: Mapping[str, int]) -> Iterator[Point]:
    seen: dict[str, int] = {}
    for outside in connections.outside:
        router = outside.connector.router
        key = f"{router}->{outside.name}"
        seen[key] = seen.get(key, 0) + 1
        yield Point(
            key=key if seen[key] == 1 else f"{key}#{seen[key]}",
            kind="outside",
            server=number[router],
            target=number[outside.name],
            zone_type=outside.because,
            rule="T-13",
            confidence=Confidence.I,
            configured_by=router,
            source=outside.connector.source,
        )


def _toward_points(routers: Sequence[Router], connections: Connections, number: Mapping[str, int]) -> Iterator[Point]:
    trees = all_trees((*link.ends, link.cost) for link in connections.links)
    links: dict[tuple[str, str], Link] = {}
    for link in connections.links:
        links.setdefault(link.ends, link)
    uplinks = {uplink.connector.router: uplink for uplink in connections.uplinks}
    modes = {router.name: router.mode for router in routers if router.linked}
    for here in modes:
        for there in modes:
            if here == there:
                yield Point(f"{here}=>{there}", "toward", number[here], target=number[there])
                continue
            step = _step(here, there, trees, links, uplinks)
            if step is None:
                continue
            yield Point(
                key=f"{here}=>{there}",
                kind="toward",
                server=number[here],
                target=number[there],
                link=number[step.to],
                cost=step.cost,
                zone_type=step.note,
                rule=step.rule,
                confidence=step.confidence,
                configured_by=step.configured_by,
                source=step.source,
            )


def _step(
    here: str,
    there: str,
    trees: Mapping[str, Tree],
    links: Mapping[tuple[str, str], Link],
    uplinks: Mapping[str, Uplink],
) -> _Step | None:
    """The step that a message at ``here`` takes toward ``there``; None if it cannot get there."""
    attached = uplinks[there].listener.router if there in uplinks else there
    if here in uplinks:
        interior = uplinks[here].listener.router
        reaches = interior == attached or (interior in trees and attached in trees[interior].cost)
        return _uplink_step(uplinks[here], interior, "E-1") if reaches else None
    if here == attached:
        return _uplink_step(uplinks[there], there, "E-2")
    if here not in trees or attached not in trees[here].cost:
        return None
    next_hop = trees[here].next_hop[attached]
    link = links[min(here, next_hop), max(here, next_hop)]
    return _Step(
        next_hop, link.cost, link.rule, link.confidence, link.connector.source, link.connector.router, link.note
    )


def _uplink_step(uplink: Uplink, to: str, rule: str) -> _Step:
    return _Step(to, 0, rule, uplink.confidence, uplink.connector.source, uplink.connector.router, uplink.note)


def graph_of(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables. Linear in the points."""
    place = {(point.server, point.target): n for n, point in enumerate(tables.points) if point.kind == "toward"}
    starts = np.zeros(len(tables.points) + 1, np.int64)
    ends: list[int] = []
    for n, point in enumerate(tables.points):
        if point.kind == "toward" and point.link >= 0:
            ends.append(place[point.link, point.target])
        starts[n + 1] = len(ends)
    return ForwardingGraph(
        system=SYSTEM,
        servers=tables.servers,
        points=tables.points,
        guards=tables.guards,
        starts=starts,
        ends=np.array(ends, np.int32),
        forward_count=len(ends),
        steps_leave=True,
    )
