"""Walks from many points of one graph, each alone, made some at a time: a level of all of them
takes the operations that a level of one takes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph, Walk
from topograph.forwarding.rows import RowWalks, spans

Longs = NDArray[np.int64]

AT_A_TIME = 1_000_000
"""Forwards times starts that are walked at a time: some 40 MB."""


class WalksTogether(RowWalks):
    """Walks, of which those from each of ``starts`` alone under ``closed`` are made together, in
    their order. A walk is linear in the forwards that it passes."""

    def __init__(
        self,
        graph: ForwardingGraph,
        starts: Sequence[int],
        closed: Closed,
        budget: Budget | None = None,
    ) -> None:
        super().__init__(graph, budget)
        self._starts, self._closed = list(starts), closed
        connected = graph.node_count > len(graph.points)
        self._place = {} if connected else {start: at for at, start in enumerate(self._starts)}
        self._at_a_time = max(1, AT_A_TIME // max(1, graph.node_count, len(graph.ends)))
        self._made: dict[int, Walk] = {}

    def walk(self, starts: Sequence[int], closed: Closed) -> Walk:
        """See ``Walker.walk``."""
        place = self._place.get(starts[0]) if len(starts) == 1 else None
        if place is None or closed != self._closed:
            return super().walk(starts, closed)
        self._check()
        if starts[0] not in self._made:
            some = self._starts[place : place + self._at_a_time]
            self._made = dict(zip(some, self._walks(np.array(some, np.int64)), strict=True))
        return self._made[starts[0]]

    def _walks(self, starts: Longs) -> list[Walk]:
        """The walk from each start. A point of a walk is its place among the starts, times the
        number of points, and its own number."""
        graph, count = self._graph, self._graph.node_count
        is_open = graph.open_points(self._closed)
        met = np.zeros(len(starts) * count, np.bool_)
        if is_open is not None:
            met.reshape(len(starts), count)[:] = ~is_open
        found = np.arange(len(starts)) * count + starts
        met[found] = True
        levels = [found]
        while len(found):
            nodes = found % count
            low = graph.starts[nodes]
            sizes = graph.starts[nodes + 1] - low
            ends = np.repeat(found - nodes, sizes) + graph.ends[spans(low, sizes)]
            ends = np.sort(ends[~met[ends]])
            found = ends[np.append(True, ends[1:] != ends[:-1])] if len(ends) else ends
            met[found] = True
            levels.append(found)
        hops = np.repeat(np.arange(len(levels), dtype=np.int32), [len(one) for one in levels])
        places, nodes = np.divmod(np.concatenate(levels), count)
        order = np.argsort(places, kind="stable")
        bounds = np.cumsum(np.bincount(places, minlength=len(starts)))[:-1]
        points = np.split(nodes[order].astype(np.int32), bounds)
        return [Walk(*one) for one in zip(points, np.split(hops[order], bounds), strict=True)]
