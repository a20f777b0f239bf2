"""The graph tables of a network of routers, and the forwarding graph made of them.

Points:

* First one for every server, in server order, key ``X=>X``: kind ``toward`` for a router that has a
  place in the network, kind ``apart`` for one that has none (standalone, or it does not start) and
  for a server that is not loaded.
* ``toward``, key ``X=>D``: a message is at router X (``server``) on its way to router D
  (``target``); one for every ordered pair of routers that reach each other, none for other pairs.
  ``link`` is the link to X's next hop for D; ``cost``, ``rule``, ``confidence``, ``source`` and
  ``configured_by`` (the router whose connector it is) describe the step to it. Its only forward
  goes to the point of the next hop for D.

Links, in this order: inter-router links, used by a route or not, the cheapest of parallel ones
first; uplinks of edge routers, active (``UPLINK``) and waiting (``STANDBY``, in the order in which
they take over), ``a`` being the edge; connectors that lead to no loaded router (``OUTSIDE``), ``a``
being the router that has them; links of which it is not known what they carry (``UNDECIDED``);
connections that give no link (``STOPPED``).

Guards are of kind ``position`` only: they ask nothing of a message and carry an assumption. They
stand on the link and on the points whose step rests on it; those of ``OUTSIDE`` and ``UNDECIDED``
links say why it is not known what they lead to, those of ``STOPPED`` ones why they do not come up.
A point whose way costs more than the least that one over a router that is not loaded would, or no
less than one over a link that may come up, carries a position of its own (T-4).

Edge routers take no part in route computation (E-5): the way to an edge is the way to its interior
router and one step of cost 0 (E-2); the way from it begins with its uplink (E-1).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, replace

import numpy as np

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding import graph as forwarding
from topograph.forwarding.graph import (
    STANDBY,
    STOPPED,
    Bools,
    Forward,
    ForwardingGraph,
    GraphTables,
    Guard,
    Server,
)
from topograph.forwarding.points import Point, PointColumns
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.amq_interconnect.network.connections import (
    Connections,
    Outside,
    RouterLink,
    Uplink,
)
from topograph.systems.amq_interconnect.network.routers import Router, RouterEndpoint
from topograph.systems.amq_interconnect.routes.trees import all_trees

SYSTEM = "amq_interconnect"

UPLINK, OUTSIDE, UNDECIDED = "uplink", "outside", "undecided"
"""Roles of links that are not inter-router links."""


@record
class _Step:
    """One step of a message over a link, or a link itself: to which router, and what is known of
    it.
    """

    to: str
    link: int
    cost: int
    rule: str
    confidence: Confidence
    connector: RouterEndpoint
    positions: tuple[Assumption, ...]


def tables_of(routers: Sequence[Router], connections: Connections) -> GraphTables:
    """The tables of a network. O(routers * links log links)."""
    return _Tables(routers, connections).made()


class _Tables:
    def __init__(self, routers: Sequence[Router], connections: Connections) -> None:
        self.routers = routers
        self.connections = connections
        self.servers = [*_servers(routers, connections), *_outside_servers(routers, connections)]
        self.number = {server.name: place for place, server in enumerate(self.servers)}
        self.guards: dict[str, Guard] = {}
        self.guard_numbers: dict[str, int] = {}
        self.keys: Counter[str] = Counter()

    def made(self) -> GraphTables:
        links = list(self.links())
        points = [*self.own_points(), *self.toward_points()]
        return GraphTables(SYSTEM, self.servers, points, tuple(self.guards.values()), links)

    def position(self, position: Assumption, source: Source) -> int:
        """The number of the guard that carries a position; ``source`` is its place. One that
        several links rest on has none of its own.
        """
        identity = f"position:{position.rule}:{position.text}"
        if identity not in self.guards:
            self.guard_numbers[identity] = len(self.guards)
            body = json.dumps(asdict(position), sort_keys=True, ensure_ascii=False)
            self.guards[identity] = Guard(identity, "position", position.text, body, source)
        elif self.guards[identity].source != source:
            self.guards[identity] = replace(self.guards[identity], source=Source(""))
        return self.guard_numbers[identity]

    def unique(self, key: str) -> str:
        """The key, numbered from its second use on."""
        self.keys[key] += 1
        return key if self.keys[key] == 1 else f"{key}#{self.keys[key]}"

    def own_points(self) -> Iterator[Point]:
        placed = {router.name for router in self.routers if router.linked}
        for place, server in enumerate(self.servers):
            kind = "toward" if server.name in placed else "apart"
            yield Point(
                f"{server.name}=>{server.name}", kind, place, target=place, source=server.source
            )

    def links(self) -> Iterator[forwarding.Link]:
        """In the order of ``_Steps``, which names them by number."""
        for link in self.connections.links:
            a, b = link.ends
            yield self.link(
                a, b, "", link.cost, link.rule, link.confidence, link.connector, link.positions
            )
        for role, uplinks in (
            (UPLINK, self.connections.uplinks),
            (STANDBY, self.connections.standby),
        ):
            for uplink in uplinks:
                ends = uplink.connector.router, uplink.listener.router
                yield self.link(
                    *ends, role, 0, "E-1", uplink.confidence, uplink.connector, uplink.positions
                )
        for outside in self.connections.outside:
            why = Assumption("T-13", Confidence.I, outside.because, "")
            ends = outside.connector.router, outside.name
            yield self.link(*ends, OUTSIDE, 0, "T-13", Confidence.I, outside.connector, (why,))
        for role, links in (
            (UNDECIDED, self.connections.undecided),
            (STOPPED, self.connections.stopped),
        ):
            for one in links:
                yield self.link(
                    *one.ends,
                    role,
                    one.cost,
                    one.rule,
                    one.confidence,
                    one.connector,
                    one.positions,
                )

    def link(
        self,
        a: str,
        b: str,
        role: str,
        cost: int,
        rule: str,
        confidence: Confidence,
        connector: RouterEndpoint,
        positions: Sequence[Assumption],
    ) -> forwarding.Link:
        return forwarding.Link(
            self.number[a],
            self.number[b],
            cost=cost,
            role=role,
            configured_by=connector.router,
            rule=rule,
            confidence=confidence,
            guards=tuple(self.position(position, connector.source) for position in positions),
            source=connector.source,
            carries=role in ("", UPLINK),
        )

    def toward_points(self) -> Iterator[Point]:
        steps = _Steps(self.connections)
        names = [router.name for router in self.routers if router.linked]
        cheapest = cheapest_as_shown(self.connections, {router.name for router in self.routers})
        perhaps = _PerhapsUp(self.connections)
        for here in names:
            for there in names:
                step = steps.toward(here, there) if here != there else None
                if step is None:
                    continue
                if cheapest and steps.cost(here, there) >= LEAST_OVER_ANOTHER:
                    step = replace(step, positions=(*step.positions, cheapest))
                if perhaps.links and perhaps.is_as_cheap(steps.ends(here, there)):
                    step = replace(step, positions=(*step.positions, perhaps.position))
                yield self.point(f"{here}=>{there}", "toward", here, there, step)

    def point(self, key: str, kind: str, here: str, there: str, step: _Step) -> Point:
        source = step.connector.source
        return Point(
            key=self.unique(key),
            kind=kind,
            server=self.number[here],
            target=self.number[there],
            link=step.link,
            cost=step.cost,
            guards=tuple(self.position(position, source) for position in step.positions),
            rule=step.rule,
            confidence=step.confidence,
            configured_by=step.connector.router,
            source=source,
        )


LEAST_OVER_ANOTHER = 2
"""What a way over a router in between costs at least: 1 for each link (T-3)."""

CHEAPEST = "position:T-4:"
"""How the id of the guard begins which says that the ways shown are the cheapest."""

OUTSIDE_NAMED = 3
"""Routers that are not loaded which a position names; of more the number is given."""


def cheapest_as_shown(connections: Connections, loaded: Collection[str]) -> Assumption | None:
    """T-4: what the ways between loaded routers rest on where there are routers that are not
    loaded: each may have links to any of them, and with these the cheapest way. None without one.
    """
    names = {
        one.name
        for one in connections.outside
        if one.connector.role in ("inter-router", "edge") and one.name not in loaded
    }
    if not names:
        return None
    return Assumption(
        "T-4",
        Confidence.I,
        f"no way over {not_loaded(names)} costs less than those shown",
        "messages go that way",
    )


class _PerhapsUp:
    """The inter-router links of which it is not known whether they come up, and the ways that one
    of them could take the place of: where one lies on a way that costs no more than the way shown,
    this is not sure to be the one that routers take (T-4).

    Costs are multiplied by more than the links of any way, and each link that may come up costs
    one less: a way over one of them is then cheaper exactly if it costs no more than one without.
    O(routers * links log links), and nothing without such a link.
    """

    def __init__(self, connections: Connections) -> None:
        self.links = [
            link
            for link in connections.undecided
            if link.cost >= 1 and {link.connector.role, link.listener.role} == {"inter-router"}
        ]
        if not self.links:
            return
        sure = [(*link.ends, link.cost) for link in connections.links]
        open_ = [(*link.ends, link.cost) for link in self.links]
        self.times = 1 + len({end for a, b, _ in (*sure, *open_) for end in (a, b)})
        self.sure = all_trees(sure)
        self.all = all_trees(
            [
                *((a, b, cost * self.times) for a, b, cost in sure),
                *((a, b, cost * self.times - 1) for a, b, cost in open_),
            ]
        )

    def is_as_cheap(self, ends: tuple[str, str]) -> bool:
        """Whether a way over such a link costs no more than the way between two interior routers
        that reach each other. O(1)."""
        first, last = ends
        if first == last:
            return False
        return self.all[first].cost[last] < self.sure[first].cost[last] * self.times

    @property
    def position(self) -> Assumption:
        """What a way rests on that one over such a link could replace."""
        pairs = sorted({f"{a}-{b}" for a, b in (link.ends for link in self.links)})
        named = ", ".join(pairs[:OUTSIDE_NAMED])
        if len(pairs) > OUTSIDE_NAMED:
            named += f" and {len(pairs) - OUTSIDE_NAMED:,} more"
        text = (
            f"no way over {named}, of which it is not known whether the connection opens, costs "
            "as little as those shown"
        )
        return Assumption("T-4", Confidence.I, text, "messages go that way")


def not_loaded(names: Collection[str]) -> str:
    """Routers that are not loaded, in words."""
    told = sorted(names)
    more = len(told) - OUTSIDE_NAMED
    if more > 0:
        return f"{', '.join(told[:OUTSIDE_NAMED])} and {more:,} more, of which nothing is loaded,"
    listed = " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)
    return f"{listed}, of which nothing is loaded,"


def _servers(routers: Sequence[Router], connections: Connections) -> Iterator[Server]:
    for router in routers:
        yield Server(
            router.name,
            SYSTEM,
            loaded=True,
            source=router.source,
            incomplete=router.stopped or router.doubtful,
            open_ended=router.gaps or router.name in connections.undecided_routers,
        )


def _outside_servers(routers: Sequence[Router], connections: Connections) -> Iterator[Server]:
    loaded = {router.name for router in routers}
    first: dict[str, Outside] = {}
    for outside in connections.outside:
        if outside.name not in loaded:
            first.setdefault(outside.name, outside)
    for name, outside in sorted(first.items()):
        source = outside.connector.source
        yield Server(
            name, SYSTEM, loaded=False, source=source, incomplete=outside.because, open_ended=True
        )


class _Steps:
    """The step of a message at one router on its way to another."""

    def __init__(self, connections: Connections) -> None:
        self.trees = all_trees((*link.ends, link.cost) for link in connections.links)
        self.links: dict[tuple[str, str], tuple[int, RouterLink]] = {}
        for number, link in enumerate(connections.links):
            self.links.setdefault(link.ends, (number, link))
        first = len(connections.links)
        self.uplinks = {
            uplink.connector.router: (number, uplink)
            for number, uplink in enumerate(connections.uplinks, first)
        }

    def toward(self, here: str, there: str) -> _Step | None:
        """None if a message cannot get from ``here`` to ``there``."""
        attached = self.uplinks[there][1].listener.router if there in self.uplinks else there
        if here in self.uplinks:
            interior = self.uplinks[here][1].listener.router
            reaches = interior == attached or self.reaches(interior, attached)
            return _uplink_step(*self.uplinks[here], interior, "E-1") if reaches else None
        if here == attached:
            return _uplink_step(*self.uplinks[there], there, "E-2")
        if not self.reaches(here, attached):
            return None
        next_hop = self.trees[here].next_hop[attached]
        number, link = self.links[min(here, next_hop), max(here, next_hop)]
        return _Step(
            next_hop, number, link.cost, link.rule, link.confidence, link.connector, link.positions
        )

    def cost(self, here: str, there: str) -> int:
        """What the way from one router to another costs that it reaches; uplinks cost nothing."""
        first, last = self.ends(here, there)
        return 0 if first == last else self.trees[first].cost[last]

    def ends(self, here: str, there: str) -> tuple[str, str]:
        """The interior routers at the ends of a way."""
        first, last = (
            self.uplinks[name][1].listener.router if name in self.uplinks else name
            for name in (here, there)
        )
        return first, last

    def reaches(self, here: str, there: str) -> bool:
        return here in self.trees and there in self.trees[here].cost


def _uplink_step(number: int, uplink: Uplink, to: str, rule: str) -> _Step:
    return _Step(to, number, 0, rule, uplink.confidence, uplink.connector, uplink.positions)


def graph_of(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables. Linear in the points.

    A point may be entered by forwards of different costs, so that a forward is described by the
    point it leaves.
    """
    columns = PointColumns.of(tables.points)
    places = np.flatnonzero(kind_mask(columns, "toward"))
    server, target, link = columns.server.tolist(), columns.target.tolist(), columns.link.tolist()
    links = tables.links
    place = {(server[n], target[n]): int(n) for n in places}
    leaving = [int(n) for n in places if link[n] >= 0]
    onward = (
        links[link[n]].b if links[link[n]].a == server[n] else links[link[n]].a for n in leaving
    )
    ends = np.array(
        [place[there, target[n]] for n, there in zip(leaving, onward, strict=True)], np.int32
    )
    starts = np.zeros(len(columns) + 1, np.int64)
    starts[np.array(leaving, np.int64) + 1] = 1

    def forward_of(start: int, end: int) -> Forward:
        left = tables.points[start]
        return Forward(
            key=f"{left.key}>{columns.key[end]}",
            start=start,
            end=end,
            guards=left.guards,
            rule=left.rule,
            confidence=left.confidence,
            source=left.source,
            cost=left.cost,
        )

    return ForwardingGraph(
        system=SYSTEM,
        servers=tables.servers,
        points=columns,
        guards=tables.guards,
        starts=np.cumsum(starts),
        ends=ends,
        forward_count=len(ends),
        forward_of=forward_of,
        links=links,
    )


def links_of(graph: ForwardingGraph, role: str = "") -> list[forwarding.Link]:
    """The links of one role, in their order; without one the working inter-router links, used by
    a route or not.
    """
    return [link for link in graph.links if link.role == role]


def uplinks_of(graph: ForwardingGraph) -> dict[str, str]:
    """Per edge router the interior router of its active uplink, by name."""
    return {
        graph.servers[link.a].name: graph.servers[link.b].name for link in links_of(graph, UPLINK)
    }


def kind_mask(columns: PointColumns, kind: str) -> Bools:
    """Which points are of that kind. Linear in the points."""
    if kind not in columns.kind.values:
        return np.zeros(len(columns), np.bool_)
    mask: Bools = columns.kind.codes == columns.kind.values.index(kind)
    return mask
