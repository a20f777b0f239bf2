"""Walks from one server of an EMS network: which servers are reached, over which server-simple
path (ems.md 6.2, R13, R15, R16).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph, Walk
from topograph.forwarding.path_tree import PathTree
from topograph.forwarding.simple import Path, ServerWalks, SimpleWalks, shortest_walks, simple_walks
from topograph.forwarding.walker import Walker


def walks_from(
    graph: ForwardingGraph, walker: Walker, start: int, closed: Closed, budget: Budget
) -> SimpleWalks:
    """The shortest server-simple walk from point ``start`` to every arrival that one reaches.

    Where no server is reached twice (always on a legal network) this is linear: every arrival names
    the server it came from, and that server has one reached point. Else see ``simple_walks``.
    Raises BudgetSpent if not even the shortest walks can be made.
    """
    walk = walker.walk([start], closed)
    if entered_twice(graph, walk):
        adjacency = walker.onward(walk.points.tolist(), closed)
        return simple_walks(start, adjacency, graph.servers_of_points, budget)
    return SimpleWalks(_only_paths(graph, walk), unique=True)


def shortest_from(
    graph: ForwardingGraph, walker: Walker, start: int, closed: Closed, budget: Budget
) -> ServerWalks:
    """The shortest server-simple walk from point ``start`` to every server that one reaches.
    Linear where no server is reached twice, else see ``shortest_walks``: it stops as soon as
    every server is found. Raises BudgetSpent if not even the first walk can be made."""
    walk = walker.walk([start], closed)
    if entered_twice(graph, walk):
        servers, points = graph.servers_of_points, walk.points.tolist()
        wanted = {servers[point] for point in points}
        return shortest_walks(
            (start,), walker.onward(points, closed), servers, wanted, graph.points_of_server, budget
        )
    return ServerWalks(paths_by_server(graph, walk), unique=True)


def entered_twice(graph: ForwardingGraph, walk: Walk) -> bool:
    """Whether a walk reaches several points of a server."""
    return int(np.bincount(graph.point_server[walk.points]).max()) > 1


def paths_by_server(graph: ForwardingGraph, walk: Walk) -> PathTree:
    """The one path to every server of a walk that enters none twice, its first aside. Linear in
    the walk and the servers, without a step each."""
    columns, points = graph.columns, walk.points
    return PathTree(walk, columns.server[points], columns.previous[points], len(graph.servers))


def _only_paths(graph: ForwardingGraph, walk: Walk) -> dict[int, Path]:
    """The one path to every point of a walk that enters no server twice. Linear in the lengths of
    the paths."""
    start = int(walk.points[0])
    paths = paths_by_server(graph, walk).values()
    return {start: (start,), **{path[-1]: path for path in paths}}


def is_arrival(graph: ForwardingGraph) -> Bools:
    """Which points are arrivals."""
    kinds = graph.columns.kind
    return np.array([kind == "arrival" for kind in kinds.values], bool)[kinds.codes]


def best_per_server(graph: ForwardingGraph, walks: SimpleWalks) -> dict[int, Path]:
    """Server number to the shortest path there (then first by point numbers), the start's server
    left out.
    """
    best: dict[int, Path] = {}
    start = next(iter(walks.found))
    servers = graph.point_server[np.fromiter(walks.found, np.int32, len(walks.found))].tolist()
    for server, path in zip(servers, walks.found.values(), strict=True):
        known = best.get(server)
        if known is None or (len(path), path) < (len(known), known):
            best[server] = path
    best.pop(int(graph.point_server[start]), None)
    return best


def undecided_servers(
    graph: ForwardingGraph, walks: SimpleWalks, best: dict[int, Path]
) -> set[int]:
    """Servers of which the budget left open whether they are reached, or by which path: a shorter
    walk to them was not decided.

    A server with a path found but a shorter arrival undecided is not listed: it is reached, and
    ``exact`` tells of the budget."""
    return {graph.points[point].server for point in walks.undecided} - best.keys()


def servers_on(graph: ForwardingGraph, path: Path) -> tuple[str, ...]:
    """The names of the servers along a path, first to last."""
    return tuple(graph.servers[graph.points[point].server].name for point in path)


def zone_hops(graph: ForwardingGraph, path: Path) -> list[tuple[str, int]]:
    """(zone, hops inside it) along a path: the count starts anew where the zone changes (R12,
    R15).
    """
    zones = (graph.points[point].zone for point in path[1:])
    return [(zone, len(list(run))) for zone, run in groupby(zones)]


def points_at(graph: ForwardingGraph, servers: Iterable[int]) -> list[int]:
    """All points at the given servers."""
    table = graph.points_of_server
    return sorted(point for server in servers for point in table.get(server, ()))
