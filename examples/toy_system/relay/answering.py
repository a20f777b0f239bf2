"""What questions ask of relays. The engine walks, in memory or in Neo4j; what the walk means is said here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from topograph.errors import NotApplicable
from topograph.findings import Source
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.reached import PathList, Reached, Stop
from topograph.forwarding.simple import Budget, BudgetSpent, Path, reverse, simple_paths
from topograph.forwarding.walker import Walker


def reach_from(graph: ForwardingGraph, walker: Walker, start: int, budget: Budget) -> Reached:
    """The shortest path to every relay that ``start`` reaches, filters left aside. One walk.

    What a message may do at a relay does not depend on how it came there, so a shortest walk never passes one twice (RL-4).
    """
    if not graph.servers[start].loaded:
        return Reached(start, {}, dict.fromkeys(_others(graph, {start}), _not_known(graph, start)))
    paths: dict[int, Path] = {start: (start,)}
    for number in walker.walk([start], Closed()).points.tolist()[1:]:
        point = graph.points[number]
        if point.server not in paths:
            paths[point.server] = (*paths[point.previous], number)
    del paths[start]
    reached = Reached(start, paths)
    silent = next((server for server in sorted(paths) if graph.servers[server].open_ended), None)
    if silent is not None:
        reached.undetermined = dict.fromkeys(_others(graph, {start, *paths}), _not_known(graph, silent))
    return reached


def all_paths(graph: ForwardingGraph, walker: Walker, start: int, end: int, maximum: int, budget: Budget) -> PathList:
    """Every way a message can take, shortest first; none passes a relay twice (RL-4)."""
    targets = set(graph.points_of_server[end])
    between = np.intersect1d(
        walker.walk([start], Closed()).points, walker.walk_back(sorted(targets), Closed()).points
    ).tolist()
    adjacency = walker.adjacency(between, Closed())
    found = PathList([])
    try:
        # One length beyond the maximum is read to its end, so that the order by names is right.
        for path in simple_paths(start, targets, adjacency, reverse(adjacency), graph.point_server.tolist(), budget):
            if len(found.paths) > maximum and len(path) > len(found.paths[maximum]):
                break
            found.paths.append(path)
    except BudgetSpent:
        found.exact = False
    found.paths.sort(key=lambda path: (len(path), [graph.servers[graph.points[p].server].name for p in path]))
    found.truncated = len(found.paths) > maximum or not found.exact
    del found.paths[maximum:]
    return found


def hop_rows(graph: ForwardingGraph, walker: Walker, budget: Budget) -> Iterator[NDArray[np.int32]]:
    """Hops from every relay to every relay: one walk each."""
    for start in range(len(graph.servers)):
        row = np.full(len(graph.servers), -1, np.int32)
        for server, path in reach_from(graph, walker, start, budget).paths.items():
            row[server] = len(path) - 1
        row[start] = 0
        yield row


def turned(graph: ForwardingGraph, path: Path) -> Path:
    """There is no way back along a path: links are one-way (RL-3)."""
    raise NotApplicable("Relays forward one way (RL-3): ask reach from the other end.")


def stops(graph: ForwardingGraph, walker: Walker, reached: Reached) -> list[Stop]:
    """Nothing stops a message by rule: a relay has no zones, and filters are asked with a message."""
    return []


def _others(graph: ForwardingGraph, known: set[int]) -> list[int]:
    return [server for server in range(len(graph.servers)) if server not in known]


def _not_known(graph: ForwardingGraph, server: int) -> tuple[str, Source]:
    found = graph.servers[server]
    return f"the file of {found.name} is not loaded: what it passes on is not known", found.source
