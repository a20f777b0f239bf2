"""Paths over a graph, for every system that has nothing of its own to say about them: shortest
ones, all simple ones, rows of hops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.points import Ints
from topograph.forwarding.reached import PathList
from topograph.forwarding.simple import Adjacency, Links, Path, reverse, simple_paths
from topograph.forwarding.walker import Walker


def shortest_per_server(
    graph: ForwardingGraph, walker: Walker, start: int, closed: Closed
) -> dict[int, Path]:
    """Server number to a shortest path there from point ``start``, its own server left out; of
    equally short ones the one that is first by point numbers step by step from its end. One
    walk; linear in the forwards between its points, and in the paths."""
    walk = walker.walk([start], closed)
    before = _breadth_first(start, walker.onward(walk.points.tolist(), closed))
    paths: dict[int, Path] = {start: (start,)}
    found: dict[int, Path] = {}
    own = int(graph.point_server[start])
    for point in before:
        if point != start:
            paths[point] = (*paths[before[point]], point)
        server = int(graph.point_server[point])
        if server != own:
            found.setdefault(server, paths[point])
    return found


def _breadth_first(start: int, adjacency: Adjacency) -> dict[int, int]:
    """Every reachable point with its predecessor on a shortest walk, in breadth-first order; the
    start is its own predecessor.
    """
    before = {start: start}
    queue = deque([start])
    while queue:
        point = queue.popleft()
        for end in adjacency[point]:
            if end not in before:
                before[end] = point
                queue.append(end)
    return before


def all_simple_paths(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    targets: Collection[int],
    closed: Closed,
    maximum: int,
    budget: Budget,
    *,
    links: Links | None = None,
) -> PathList:
    """All paths from point ``start`` to the points ``targets`` that enter no server twice: shortest
    first, then by server names; at most ``maximum``. With ``links`` the same servers over the same
    links are one path.

    Two walks find what lies between; the search there takes a few steps for each path that it
    finds, and is exponential in the worst case, cut by ``budget``: the paths found by then are the
    first ones.
    """
    found: list[Path] = []
    result = PathList(found)
    servers = graph.servers_of_points
    rank = _places([server.name for server in graph.servers])
    try:
        forward = walker.walk([start], closed)
        backward = walker.walk_back(sorted(targets), closed)
        between = np.intersect1d(forward.points, backward.points).tolist()
        adjacency = walker.adjacency(between, closed)
        ends = set(targets).intersection(between)
        for path in simple_paths(
            (start,), ends, adjacency, reverse(adjacency), servers, budget, rank, links
        ):
            if len(found) == maximum:
                result.truncated = True
                break
            found.append(path)
    except BudgetSpent:
        result.exact = False
        result.truncated = True
    return result


def _places(names: Sequence[str]) -> list[int]:
    """The place of every server by name; of those with one name by number."""
    places = [0] * len(names)
    for place, number in enumerate(sorted(range(len(names)), key=names.__getitem__)):
        places[number] = place
    return places


def hop_row(servers: int, start: int, paths: Mapping[int, Path]) -> Ints:
    """Hops from ``start`` to every server: -1 where there is no path, 0 to itself."""
    row = np.full(servers, -1, np.int32)
    for server, path in paths.items():
        row[server] = len(path) - 1
    row[start] = 0
    return row


def anywhere(
    graph: ForwardingGraph,
    met: Iterable[int],
    known: Collection[int],
    where: str = "where it sends messages is not known",
) -> dict[int, tuple[str, Source]]:
    """An open-ended server may lead anywhere: if one of ``met`` is, every server not ``known``
    is undetermined, with why and where.
    """
    silent = next((server for server in sorted(met) if graph.servers[server].open_ended), None)
    if silent is None:
        return {}
    found = graph.servers[silent]
    because = (
        f"{found.name}: "
        f"{found.incomplete or 'it may have links that the loaded files do not show'}: "
        f"{where}"
    )
    return {
        server: (because, found.source)
        for server in range(len(graph.servers))
        if server not in known
    }
