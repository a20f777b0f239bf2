"""The ``$TMP$.X.>`` names that servers hold (R21-R23, R91) and where two routes bring the same
name.

By R14 the zone rule is symmetric: X holds the name of S, learned from neighbour V, iff a
server-simple path leads from X over V to S. So what one server holds is one walk from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import partial
from itertools import pairwise

import numpy as np

from topograph.forwarding.budget import Budget
from topograph.forwarding.components import connected, neighbours_of
from topograph.forwarding.graph import Closed, ForwardingGraph, Walk
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.simple import shortest_walks
from topograph.forwarding.walker import Walker
from topograph.systems.contract.names import Held, HeldName, HeldOnce
from topograph.systems.ems.network import links_closed
from topograph.systems.ems.network.doubt import Doubt
from topograph.systems.ems.network.walks import entered_twice, paths_by_server

links_down = links_closed.links_down


def names_held(
    graph: ForwardingGraph, walker: Walker, holder: int, closed: Closed, budget: Budget
) -> Held:
    """What one server holds (R22 read on server-simple paths, ems.md 6.2). One walk on a legal
    network, else one a neighbour, which ends when it has met all servers there are. Raises
    BudgetSpent if not even the first walk can be made."""
    walk = walker.walk([holder], closed)
    if entered_twice(graph, walk):
        return _names_by_neighbour(graph, walker, holder, closed, budget, walk)
    return Held(_held_once(graph, walk))


def _held_once(graph: ForwardingGraph, walk: Walk) -> HeldOnce:
    """The names that come over the points of a walk which enters no server twice. Each level of it
    has the neighbours of the level before. Linear in the walk, sorting aside."""
    servers = graph.point_server[walk.points]
    before = graph.columns.previous[walk.points]
    via = np.full(len(graph.servers), -1, np.int32)
    bounds = np.searchsorted(walk.hops, np.arange(1, int(walk.hops[-1]) + 2))
    for level, (first, end) in enumerate(pairwise(bounds.tolist())):
        at = servers[first:end]
        via[at] = via[before[first:end]] if level else at
    order = np.argsort(servers[1:]) + 1
    owners = servers[order]
    columns = owners, via[owners], walk.hops[order]
    return HeldOnce(int(servers[0]), columns, partial(paths_by_server, graph, walk))


def _names_by_neighbour(
    graph: ForwardingGraph, walker: Walker, holder: int, closed: Closed, budget: Budget, walk: Walk
) -> Held:
    servers, points = graph.servers_of_points, walk.points.tolist()
    onward = walker.onward(points, closed)
    beside = _beside(graph, holder, {servers[point] for point in points})
    names: list[HeldName] = []
    undecided: set[int] = set()
    for point in walk.points[walk.hops == 1].tolist():
        via = servers[point]
        found = shortest_walks(
            (holder, point), onward, servers, beside[via], graph.points_of_server, budget
        )
        undecided |= found.undecided | found.longer
        names.append(HeldName(holder, via, via, (holder, point)))
        names += [
            HeldName(holder, owner, via, path)
            for owner, path in found.found.items()
            if owner not in found.longer
        ]
    return Held(_sorted(names), undecided)


def _beside(graph: ForwardingGraph, holder: int, reached: set[int]) -> dict[int, Set[int]]:
    """Per server that a holder reaches those that links join with it without passing the holder:
    no others are met beyond it.
    """
    others = reached.difference([holder])
    columns = graph.columns
    own = (columns.previous >= 0) & (columns.previous != holder) & (columns.server != holder)
    joined = neighbours_of(
        zip(columns.previous[own].tolist(), columns.server[own].tolist(), strict=True)
    )
    parts = (
        frozenset(part)
        for part in connected(others, {server: joined.get(server, ()) for server in others})
    )
    return {server: part for part in parts for server in part}


def _sorted(names: Iterable[HeldName]) -> list[HeldName]:
    return sorted(names, key=lambda held: (held.owner, held.via))


def known_names(
    graph: ForwardingGraph, servers: Iterable[int], budget: Budget | None = None
) -> Iterator[tuple[str, str, str, int]]:
    """(holder, ``$TMP$.<owner>.>``, via, hops) for each of ``servers``, links that are down or may
    not come up left out. One walk a server on a legal network.

    Names that the budget leaves undecided are not yielded.
    """
    walker = RowWalks(graph)
    closed = links_closed.not_certainly_up(graph)
    budget = budget or Budget()
    for holder in servers:
        for owner, via, hops in names_held(graph, walker, holder, closed, budget).rows():
            names = name_of(graph.servers[owner].name), graph.servers[via].name
            yield graph.servers[holder].name, *names, hops


def names_are_unique(graph: ForwardingGraph) -> bool:
    """Whether no server can hold a name twice (a legal network, R20-R29): then ``known_names``
    is complete and takes one walk a server.
    """
    from topograph.systems.ems.network.legality import cyclic_parts

    return all(part.legal for part in cyclic_parts(graph))


def unknowns(graph: ForwardingGraph, walker: Walker, closed: Closed) -> Doubt:
    """What the loaded files leave open of the names that servers hold."""
    return Doubt(graph, walker, closed)


def name_of(server: str) -> str:
    """The name space of a server's temporary destinations (R21)."""
    return f"$TMP$.{server}.>"
