"""Chains of next hops: the one path from a router to each destination (T-4), on the walk that either engine supplied."""

from __future__ import annotations

import numpy as np

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.systems.amq_interconnect.routes.tables import kind_mask


def starts_of(graph: ForwardingGraph, start: int) -> dict[int, int]:
    """Where a walk from a router begins: per destination (server number) the point. Empty for a router without routes."""
    columns = graph.columns
    chosen = np.flatnonzero(kind_mask(columns, "toward") & (columns.server == start) & (columns.target != start))
    return dict(zip(columns.target[chosen].tolist(), chosen.tolist(), strict=True))


def chains_from(graph: ForwardingGraph, walker: Walker, start: int, closed: Closed | None = None) -> dict[int, Path]:
    """Per router (server number) that ``start`` reaches the one path to it (T-4). One walk, then linear in the paths.

    ``closed`` breaks the paths that pass it; it does not make the routers compute other ones.
    """
    points = starts_of(graph, start)
    walked = set(walker.walk(list(points.values()), closed or Closed()).points.tolist()) if points else set()
    return {target: path for target, point in points.items() if (path := chain(graph, point, walked))}


def chain(graph: ForwardingGraph, point: int, walked: set[int]) -> Path:
    """The points from a start to its destination; empty if the walk does not hold them all."""
    columns = graph.columns
    path = [point]
    while columns.server[path[-1]] != columns.target[path[-1]]:
        after = next(graph.successors(path[-1]), -1)
        if after not in walked:
            return ()
        path.append(after)
    return tuple(path)
