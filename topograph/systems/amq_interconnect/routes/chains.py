"""Chains of next hops: the one path from a router to each destination (T-4), on the walk that
either engine supplied.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.records import record
from topograph.systems.amq_interconnect.routes.tables import kind_mask


def starts_of(graph: ForwardingGraph, start: int) -> dict[int, int]:
    """Where a walk from a router begins: per destination (server number) the point. Empty for a
    router without routes.
    """
    columns = graph.columns
    chosen = np.flatnonzero(
        kind_mask(columns, "toward") & (columns.server == start) & (columns.target != start)
    )
    return dict(zip(columns.target[chosen].tolist(), chosen.tolist(), strict=True))


@record(slots=False)
class Chains:
    """The chains of one graph; its columns are made plain lists once for all of them."""

    graph: ForwardingGraph

    @cached_property
    def server(self) -> list[int]:
        """Per point its server."""
        listed: list[int] = self.graph.columns.server.tolist()
        return listed

    @cached_property
    def cost(self) -> list[int]:
        """Per point the cost of the forward that leaves it."""
        listed: list[int] = self.graph.columns.cost.tolist()
        return listed

    @cached_property
    def _target(self) -> list[int]:
        listed: list[int] = self.graph.columns.target.tolist()
        return listed

    @cached_property
    def _after(self) -> list[int]:
        """Per point the one that follows, -1 for none: a point leads to one next hop."""
        starts = self.graph.starts
        after = np.full(len(starts) - 1, -1, np.int64)
        leads = starts[1:] > starts[:-1]
        after[leads] = self.graph.ends[starts[:-1][leads]]
        listed: list[int] = after.tolist()
        return listed

    def from_(self, walker: Walker, start: int, closed: Closed | None = None) -> dict[int, Path]:
        """Per router (server number) that ``start`` reaches the one path to it (T-4). One walk,
        then linear in the paths.

        ``closed`` breaks the paths that pass it; it does not make the routers compute other ones.
        """
        points = starts_of(self.graph, start)
        walked = (
            set(walker.walk(list(points.values()), closed or Closed()).points.tolist())
            if points
            else set()
        )
        return {
            target: path for target, point in points.items() if (path := self.chain(point, walked))
        }

    def chain(self, point: int, walked: set[int]) -> Path:
        """The points from a start to its destination; empty if the walk does not hold them all."""
        server, target, onward = self.server, self._target, self._after
        path = [point]
        while server[point] != target[point]:
            point = onward[point]
            if point not in walked:
                return ()
            path.append(point)
        return tuple(path)


def chains_from(
    graph: ForwardingGraph, walker: Walker, start: int, closed: Closed | None = None
) -> dict[int, Path]:
    """See ``Chains.from_``, which is for more than one start."""
    return Chains(graph).from_(walker, start, closed)
