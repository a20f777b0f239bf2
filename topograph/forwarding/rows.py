"""Breadth-first walks over the compressed rows of a forwarding graph, level by level in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph, Walk
from topograph.forwarding.points import Ints

_Integer = TypeVar("_Integer", bound=np.integer)


class RowWalks:
    """Walks in this process, with the contract of ``Walker``. A walk is linear in the forwards it
    passes; connectors cost no hop.

    Level by level, because hop counts are wanted and levels are few (20 at 10,000 servers); it also
    needs no library beyond numpy, whose import the command line pays for anyway.
    """

    def __init__(self, graph: ForwardingGraph, budget: Budget | None = None) -> None:
        self._graph = graph
        self._rows: tuple[Closed, _OpenRows] | None = None
        self.budget = budget
        """What ends these walks with BudgetSpent, if anything does."""

    @cached_property
    def _points(self) -> int:
        return len(self._graph.points)

    def walk(self, starts: Sequence[int], closed: Closed) -> Walk:
        """See ``Walker.walk``."""
        self._check()
        is_open = self._graph.open_points(closed)
        return self._levels(self._graph.starts, self._graph.ends, starts, is_open)

    def walk_back(self, targets: Sequence[int], closed: Closed) -> Walk:
        """See ``Walker.walk_back``. A connector stands for steps into the points behind it, so
        only points can be closed.
        """
        self._check()
        is_open = self._graph.open_points(closed)
        starts, ends = self._backward
        if is_open is None:
            return self._levels(starts, ends, targets, None)
        # A step back out of a closed point is a forward into it: it is not taken.
        shut = np.flatnonzero(~is_open)
        kept = [target for target in targets if is_open[target]]
        blocked_targets = [target for target in targets if not is_open[target]]
        entry = np.ones(self._points, np.bool_)
        entry[shut] = False
        walk = self._levels(starts, ends, kept, entry)
        if not blocked_targets:
            return walk
        extra = np.asarray(sorted(set(blocked_targets) - set(walk.points.tolist())), np.int32)
        return _ordered(
            np.concatenate((walk.points, extra)),
            np.concatenate((walk.hops, np.zeros(len(extra), np.int32))),
        )

    def adjacency(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """See ``Walker.adjacency``."""
        wanted, rows = set(points), self.onward(points, closed)
        return {point: [end for end in rows[point] if end in wanted] for point in points}

    def onward(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:  # noqa: ARG002
        """See ``Walker.onward``. The rows of the last ``closed`` are kept: a question walks
        under few.
        """
        if self._rows is None or self._rows[0] != closed:
            self._rows = (closed, _OpenRows(self._graph, self._graph.open_points(closed)))
        return self._rows[1]

    def _check(self) -> None:
        if self.budget is not None:
            self.budget.check()

    def ahead(self, starts: Sequence[int], closed: Closed) -> None:
        """See ``Walker.ahead``: the graph is here."""

    @cached_property
    def _backward(self) -> tuple[NDArray[np.int64], Ints]:
        """The rows turned round."""
        graph = self._graph
        count = graph.node_count
        order = np.argsort(graph.ends, kind="stable")
        origins = np.repeat(np.arange(count, dtype=np.int32), np.diff(graph.starts))
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(graph.ends, minlength=count), out=starts[1:])
        return starts, origins[order]

    def _levels(
        self,
        row_starts: NDArray[np.int64],
        row_ends: Ints,
        starts: Sequence[int],
        is_open: Bools | None,
    ) -> Walk:
        count = len(row_starts) - 1
        blocked = np.zeros(count, np.bool_)
        if is_open is not None:
            blocked[: self._points] = ~is_open
        first = distinct(np.asarray(starts, np.int32))
        blocked[first] = True
        place = np.empty(count, np.int32)
        levels = [first]
        frontier = first
        while len(frontier):
            ends = successors(row_starts, row_ends, frontier)
            ends = ends[~blocked[ends]]
            place[ends] = np.arange(len(ends), dtype=np.int32)
            ends = ends[place[ends] == np.arange(len(ends), dtype=np.int32)]
            blocked[ends] = True
            if count > self._points:
                ends = self._through_connectors(row_starts, row_ends, ends, blocked)
            frontier = ends
            levels.append(np.sort(frontier))
        hops = np.repeat(np.arange(len(levels), dtype=np.int32), [len(level) for level in levels])
        return Walk(np.concatenate(levels), hops)

    def _through_connectors(
        self, row_starts: NDArray[np.int64], row_ends: Ints, ends: Ints, blocked: Bools
    ) -> Ints:
        """The points of one level: what is entered, and what lies behind connectors entered, at
        no further hop.
        """
        found = []
        while len(ends):
            found.append(ends[ends < self._points])
            behind = distinct(successors(row_starts, row_ends, ends[ends >= self._points]))
            ends = behind[~blocked[behind]]
            blocked[ends] = True
        return np.concatenate(found) if found else ends


class _OpenRows(dict[int, list[int]]):
    """The open successors of points, in order; a row is made when it is first read."""

    def __init__(self, graph: ForwardingGraph, is_open: Bools | None) -> None:
        super().__init__()
        self._graph, self._open = graph, is_open
        # One object a number: a hub of 2,000 spokes has 4 million successors in its rows.
        self._numbers = np.arange(len(graph.points)).astype(object)
        self._connected = graph.node_count > len(graph.points)

    def __missing__(self, point: int) -> list[int]:
        graph = self._graph
        ends = graph.ends[graph.starts[point] : graph.starts[point + 1]]
        if self._connected and len(ends) and int(ends.max()) >= len(graph.points):
            ends = np.fromiter(graph.successors(point), np.int32)
        if self._open is not None:
            ends = ends[self._open[ends]]
        row: list[int] = self._numbers[np.sort(ends)].tolist()
        self[point] = row
        return row


def distinct(numbers: NDArray[_Integer]) -> NDArray[_Integer]:
    """The numbers in ascending order, each once: ``numpy.unique``, which would load ``numpy.ma``
    (0.05 s of a command).
    """
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    found: NDArray[_Integer] = ordered[first]
    return found


def spans(begins: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of all spans, one span after another: span n holds ``begins[n]`` and the
    ``sizes[n] - 1`` numbers behind it.
    """
    behind = np.cumsum(sizes)
    total = int(behind[-1]) if len(behind) else 0
    numbers: NDArray[np.int64] = np.repeat(begins - behind + sizes, sizes) + np.arange(total)
    return numbers


def successors(row_starts: NDArray[np.int64], row_ends: Ints, nodes: Ints) -> Ints:
    """The concatenated rows of ``nodes``."""
    low = row_starts[nodes]
    found: Ints = row_ends[spans(low, row_starts[nodes + 1] - low)]
    return found


def _ordered(points: Ints, hops: Ints) -> Walk:
    order = np.lexsort((points, hops))
    return Walk(points[order], hops[order])
