"""Would a new route be refused? (ems.md 2.3 and 6.4, R20-R28)

The verdict is linear in the links: RU are the servers from which a message can arrive at u so that
it may go on over the new link, RV likewise at v. The link is refused iff RU and RV meet, or a
server of RU already reaches a server of RV. Three walks over arrays; what the network looks like
with the link is made only if it is asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph, GraphTables, Link, Server
from topograph.forwarding.points import Point
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.simple import Path
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.contract.cycles import DoubledName
from topograph.systems.ems.network.assemble import assemble
from topograph.systems.ems.network.legality import cyclic_parts, duplicates
from topograph.systems.ems.topics.reach import all_paths


@record
class NewLink:
    """A link that a command would create between servers ``u`` and ``v`` (names), configured on
    ``configured_on``.
    """

    u: str
    v: str
    zone: str
    zone_type: str
    configured_on: str = ""
    source: Source = Source("")


@dataclass
class RouteVerdict:
    """``verdict`` is ``accept``, ``reject`` or ``error``. For a rejection ``detected`` tells
    where the servers notice it: at an end point of the new link (2.3 step 3; then ``conflicts``
    maps each end to the names it would get twice) or downstream (step 4). ``kind`` names an
    error: ``zone-type``, ``same-server``, ``route-exists``. ``widened`` makes the network with
    the link, where it can be added at all; ``twice`` the ``conflicts``, of which there may be
    one for every server."""

    verdict: str
    detected: str = ""
    kind: str = ""
    message: str = ""
    twice: Callable[[], dict[str, list[str]]] = dict
    widened: Callable[[], ForwardingGraph] | None = None

    @cached_property
    def conflicts(self) -> dict[str, list[str]]:
        """By end of the new link the names that it would get twice, in order; listed when they
        are first asked for.
        """
        return self.twice()

    @cached_property
    def graph(self) -> ForwardingGraph | None:
        """The network with the link, made when it is first asked for; None where the link cannot
        be added.
        """
        return self.widened() if self.widened else None


def with_link(tables: GraphTables, link: NewLink) -> GraphTables:
    """The tables with the link added as the last one, its servers added if they are new. Linear
    in the tables.
    """
    servers = list(tables.servers)
    known = {server.name for server in servers}
    for name in sorted({link.u, link.v} - known):
        servers.append(Server(name, "ems", True, link.source))
    order = sorted(range(len(servers)), key=lambda n: servers[n].name)
    place = {servers[old].name: new for new, old in enumerate(order)}
    old_place = [place[server.name] for server in servers]
    servers = [servers[old] for old in order]
    origins = [
        Point(
            key=f"{server.name}|origin",
            kind="origin",
            server=number,
            rule="R13",
            source=server.source,
        )
        for number, server in enumerate(servers)
    ]
    arrivals = [
        dataclasses.replace(
            point, server=old_place[point.server], previous=old_place[point.previous]
        )
        for point in tables.points
        if point.kind == "arrival"
    ]
    number = 1 + max((point.link for point in arrivals), default=-1)
    for start, end in sorted([(link.u, link.v), (link.v, link.u)]):
        arrivals.append(
            Point(
                key=f"{end}|{start}",
                kind="arrival",
                server=place[end],
                previous=place[start],
                link=number,
                zone=link.zone,
                zone_type=link.zone_type,
                rule="R13",
                confidence=Confidence.H,
                configured_by=link.configured_on,
                source=link.source,
            )
        )
    links = [
        dataclasses.replace(known, a=old_place[known.a], b=old_place[known.b])
        for known in tables.links
    ]
    first, second = sorted((link.u, link.v))
    links.append(
        Link(
            place[first],
            place[second],
            link.zone,
            link.zone_type,
            configured_by=link.configured_on,
            rule="R1",
            source=link.source,
        )
    )
    return GraphTables("ems", servers, [*origins, *arrivals], tables.guards, links)


def judge_new_link(tables: GraphTables, link: NewLink) -> RouteVerdict:
    """Accept or reject one new link on a legal network (6.4), with where a rejection is noticed
    (2.3).

    On a network that is illegal already, RU and RV are upper bounds; judge the whole network
    instead.
    """
    graph = assemble(tables)
    return judge_on(graph, RowWalks(graph), link)


def judge_on(graph: ForwardingGraph, walks: RowWalks, link: NewLink) -> RouteVerdict:
    """``judge_new_link`` on a network that is assembled already, for any number of links. Linear
    in the links; 10,000 servers take milliseconds."""
    error = _error(graph, link)
    if error is not None:
        return error

    def widened() -> ForwardingGraph:
        return assemble(
            with_link(
                GraphTables(graph.system, graph.servers, graph.points, graph.guards, graph.links),
                link,
            )
        )

    sides = {end: _continuing(graph, walks, end, link) for end in (link.u, link.v)}
    if not _refused(graph, walks, sides[link.u], sides[link.v]):
        return RouteVerdict("accept", widened=widened)
    doubled = {
        here: sides[there] & _known(graph, walks, here)
        for here, there in ((link.v, link.u), (link.u, link.v))
    }
    doubled = {here: names for here, names in doubled.items() if names.any()}
    found = {
        name for names in doubled.values() or (sides[link.u],) for name in _names(graph, names)
    }
    return RouteVerdict(
        "reject",
        detected="endpoint" if doubled else "downstream",
        message=f"Implicit route to '{printed_name(found, link)}' already exists",
        twice=lambda: {here: _names(graph, names) for here, names in doubled.items()},
        widened=widened,
    )


def printed_name(found: Collection[str], link: NewLink) -> str:
    """The name that the refusal of a route prints, of those that would come twice: the first by
    name, those of the ends of the route last, and last of all that of the server that the command
    runs on (A8).

    >>> link = NewLink("A", "B", "Z", "mhop", "A", Source(""))
    >>> [printed_name(names, link) for names in (["A", "B", "HUB"], ["A", "B"])]
    ['HUB', 'B']
    """
    own = (link.u, link.v) if link.configured_on == link.v else (link.v, link.u)
    return min(found, key=lambda name: (own.index(name) + 1 if name in own else 0, name))


def _error(graph: ForwardingGraph, link: NewLink) -> RouteVerdict | None:
    """Step 1 of 2.3: what makes the command fail before any name is exchanged."""
    if link.u == link.v:
        return RouteVerdict("error", kind="same-server", message="a route leads to another server")
    point = _arrival_between(graph, link)
    if point is not None:
        promotes = point.configured_by not in (
            "active-active",
            "",
            link.configured_on,
        ) and link.configured_on in (
            link.u,
            link.v,
        )
        if not promotes:
            return RouteVerdict(
                "error", kind="route-exists", message=f"{link.u} and {link.v} are linked already"
            )
        return RouteVerdict(
            "accept", message="the passive route becomes active-active", widened=lambda: graph
        )
    kind = type_of_zone(graph, link)
    if kind not in ("", link.zone_type):
        return RouteVerdict(
            "error", kind="zone-type", message=f"zone {link.zone} exists with type {kind} (R8)"
        )
    return None


def _arrival_between(graph: ForwardingGraph, link: NewLink) -> Point | None:
    """The first arrival over a link that joins the ends of the new one already."""
    u, v = graph.server_number.get(link.u), graph.server_number.get(link.v)
    if u is None or v is None:
        return None
    left, at = graph.columns.previous, graph.columns.server
    found = np.flatnonzero(((left == u) & (at == v)) | ((left == v) & (at == u)))
    return graph.points[int(found[0])] if len(found) else None


def type_of_zone(graph: ForwardingGraph, link: NewLink) -> str:
    """The type that the zone has where the new link would join it; empty if it is new there
    (A10).
    """
    zone = graph.columns.zone
    if link.zone not in zone.values:
        return ""
    of_zone = zone.codes == zone.values.index(link.zone)
    for name in (link.u, link.v):
        number = graph.server_number.get(name)
        if number is None:
            continue
        found = np.flatnonzero(of_zone & (graph.columns.server == number))
        if len(found):
            return graph.columns.zone_type[int(found[-1])]
    return ""


def _continuing(graph: ForwardingGraph, walks: RowWalks, end: str, link: NewLink) -> Bools:
    """RU (or RV): the servers whose messages arrive at ``end`` and may go on over the new link,
    ``end`` included. By R14 one walk from ``end`` over the links that the new one does not
    exclude. Of no server where ``end`` is new."""
    side = np.zeros(len(graph.servers), np.bool_)
    number = graph.server_number.get(end)
    if number is None:
        return side
    side[number] = True
    if link.zone_type == "mhop":
        first = [number]
    else:
        zones = graph.columns.zone
        first = [point for point in graph.successors(number) if zones[point] != link.zone]
    side[graph.point_server[walks.walk(first, Closed()).points]] = True
    return side


def _refused(graph: ForwardingGraph, walks: RowWalks, at_u: Bools, at_v: Bools) -> bool:
    if (at_u & at_v).any():
        return True
    # By R14 it is the same from either side: from the one with fewer servers.
    few, many = (at_u, at_v) if np.count_nonzero(at_u) <= np.count_nonzero(at_v) else (at_v, at_u)
    walk = walks.walk(np.flatnonzero(few).tolist(), Closed())
    return bool(many[graph.point_server[walk.points[walk.hops > 0]]].any())


def _names(graph: ForwardingGraph, side: Bools) -> list[str]:
    """The names of servers, in order."""
    return [graph.servers[number].name for number in np.flatnonzero(side).tolist()]


def _known(graph: ForwardingGraph, walks: RowWalks, server: str) -> Bools:
    """The other servers whose names a server holds today (R22, R14)."""
    known = np.zeros(len(graph.servers), np.bool_)
    number = graph.server_number.get(server)
    if number is not None:
        known[graph.point_server[walks.walk([number], Closed()).points]] = True
        known[number] = False
    return known


def doubled_names(graph: ForwardingGraph, budget: Budget, limit: int = 20_000) -> list[DoubledName]:
    """Names held over two routes in ``graph``, for the report on a rejection (list of illegal
    pairs, 6.4): as many as the limit and the budget allow.
    """
    return duplicates(graph, RowWalks(graph), Closed(), budget, limit).found


def illegal_pairs(
    graph: ForwardingGraph, budget: Budget
) -> Iterator[tuple[int, int, tuple[Path, ...]]]:
    """Every pair of servers (numbers, in order) with more than one permitted path, with its two
    shortest (R25, A1). All links count, down or not (R30). One bounded search a pair: quadratic
    in the servers of the cyclic parts and what lies behind them. Raises BudgetSpent."""
    walker = RowWalks(graph)
    if all(part.legal for part in cyclic_parts(graph)):
        return
    for start in range(len(graph.servers)):
        for end in range(start + 1, len(graph.servers)):
            found = all_paths(graph, walker, start, end, 2, budget, Closed())
            if not found.exact:
                raise BudgetSpent
            if len(found.paths) > 1:
                yield start, end, tuple(found.paths)


def multi_zone_cycle(graph: ForwardingGraph) -> bool:
    """A2: the network is legal and has a cycle over several zones."""
    parts = cyclic_parts(graph)
    return bool(parts) and all(part.legal for part in parts)
