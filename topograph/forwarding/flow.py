"""Counts along the forwards of a graph without circles: how much comes to each node from before it,
and how much lies behind it.

Where no walk comes back to a server, as on every legal network, the part behind a point does not
depend on where a walk came from. One pass over the forwards then gives for all points what a walk
from each of them would count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.rows import spans
from topograph.records import record

Counts = NDArray[np.int64]
"""Numbers by node and by what is counted: two dimensions."""


@record(slots=False)
class _Level:
    """Nodes that are counted together: the neighbours of each, one node after another, and where
    each node's begin and end.
    """

    nodes: NDArray[Any]
    neighbours: NDArray[Any]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]


@record(slots=False)
class Flow:
    """The nodes of a graph in an order in which every forward leads onward."""

    points: int
    nodes: int
    onward: tuple[_Level, ...]
    backward: tuple[_Level, ...]

    @classmethod
    def of(cls, graph: ForwardingGraph) -> Flow | None:
        """The flow of a graph; None if its forwards run in a circle. Linear in the forwards,
        connectors not expanded.
        """
        starts, ends = graph.starts, graph.ends.astype(np.int64)
        count = graph.node_count
        origins = np.repeat(np.arange(count, dtype=np.int64), np.diff(starts))
        order = np.argsort(ends, kind="stable")
        back_starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(ends, minlength=count), out=back_starts[1:])
        waiting = np.diff(back_starts)
        levels = []
        level = np.flatnonzero(waiting == 0)
        placed = 0
        while len(level):
            levels.append(level)
            placed += len(level)
            reached = ends[spans(starts[level], np.diff(starts)[level])]
            entered, times = np.unique(reached, return_counts=True)
            waiting[entered] -= times
            level = entered[waiting[entered] == 0]
        if placed < count:
            return None
        return cls(
            len(graph.points),
            count,
            tuple(_level(nodes, starts, ends) for nodes in reversed(levels)),
            tuple(_level(nodes, back_starts, origins[order]) for nodes in levels),
        )

    def behind(self, at_points: Counts, is_open: NDArray[np.bool_]) -> Counts:
        """Per point what lies at it and behind it: the sum of ``at_points`` over the open points
        that a walk from it enters, itself included; 0 at a closed point. Each column is counted
        for itself. Linear in the forwards."""
        return self._counted(self.onward, at_points, is_open)

    def before(self, at_points: Counts, is_open: NDArray[np.bool_]) -> Counts:
        """Per point what comes to it: the sum of ``at_points`` over the open points that lead to
        it over open points, itself included.
        """
        return self._counted(self.backward, at_points, is_open)

    def _counted(
        self, levels: tuple[_Level, ...], at_points: Counts, is_open: NDArray[np.bool_]
    ) -> Counts:
        columns = at_points.shape[1]
        found = np.zeros((self.nodes, columns), np.int64)
        found[: self.points] = at_points
        passing = np.ones((self.nodes, columns), np.bool_)
        passing[: self.points] = is_open
        for level in levels:
            if len(level.neighbours):
                running = np.zeros((len(level.neighbours) + 1, columns), np.int64)
                np.cumsum(found[level.neighbours], axis=0, out=running[1:])
                found[level.nodes] += running[level.ends] - running[level.begins]
            found[level.nodes] *= passing[level.nodes]
        counted: Counts = found[: self.points]
        return counted


def _level(nodes: NDArray[Any], starts: NDArray[np.int64], neighbours: NDArray[Any]) -> _Level:
    sizes = np.diff(starts)[nodes]
    ends = np.cumsum(sizes)
    return _Level(nodes, neighbours[spans(starts[nodes], sizes)], ends - sizes, ends)
