"""Hop counts from every server to every server: what lies behind a point is worked out once and
shared by all rows that lead over it.

On a legal network no walk comes back to a server, so what lies behind a point is a tree, and the
trees behind its successors are disjoint: the row of a point is the rows of its successors, one hop
farther. The members of a mesh share all that lies behind its other members, a branch of a tree is
shared by everything outside it, and a row is a few additions over arrays (about 0.03 ms at 10,000
servers). A source from which a server is entered twice, and
whatever does not fit into memory, is searched instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.points import Ints
from topograph.forwarding.rows import RowWalks, successors

Row = NDArray[np.int16]
RowOf = Callable[[int], Row | None]

KEPT_ENTRIES = 60_000_000
"""Entries of rows that are kept to be shared: at most about 120 MB. The estate of 10,000 servers
in docs/benchmarks.md keeps 20 million.
"""

_FAR = -30_000
"""Not reached: so far below zero that hops added to it do not reach zero."""

_MOST_SERVERS = -_FAR - 1


def hop_row(graph: ForwardingGraph, closed: Closed, kept: int = KEPT_ENTRIES) -> RowOf:
    """A function from a start point (an origin, numbered as its server) to the hops to every
    server, -1 where not reached; None if a server is entered twice, so that the shortest walk
    may not be server-simple. At most ``kept`` entries of shared rows are kept."""
    starts, ends = _open_rows(graph, closed)
    search = _Search(graph, closed, starts, ends)
    if len(graph.servers) > _MOST_SERVERS:
        return search.row
    shared = _SharedRows(graph, starts, ends, kept)

    def row(start: int) -> Row | None:
        found = shared.row(start)
        return search.row(start) if found is None else found

    return row


def _open_rows(graph: ForwardingGraph, closed: Closed) -> tuple[NDArray[np.int64], Ints]:
    """The compressed rows without forwards into closed points."""
    is_open = graph.open_points(closed)
    if is_open is None:
        return graph.starts, graph.ends
    kept = np.ones(graph.node_count, np.bool_)
    kept[: len(is_open)] = is_open
    kept = kept[graph.ends]
    return np.concatenate(([0], np.cumsum(kept)))[graph.starts], graph.ends[kept]


class _Behind(NamedTuple):
    """What lies behind a node. ``hops`` to the servers listed in ``servers``, or to every server
    (far below zero where not reached) if that is None; ``size`` is the number of servers
    reached, each counted once for every way to it."""

    servers: Ints | None
    hops: Row
    size: int


class _SharedRows:
    """Rows put together from what lies behind the successors. A node is worked out when it is first
    needed, and kept if several lead to it.

    A row takes one addition over arrays for each successor that leads on. Where a walk comes back,
    where servers are reached over several ways, and where no more can be kept, there is no row.
    """

    def __init__(
        self, graph: ForwardingGraph, starts: NDArray[np.int64], ends: Ints, kept: int
    ) -> None:
        self._servers = len(graph.servers)
        self._points = len(graph.points)
        self._server = graph.point_server
        self._starts = starts
        self._left = kept
        alike = _alike(graph, starts, ends)
        self._ends = alike[ends]
        sizes = np.diff(starts)
        self._ending = sizes == 0
        self._ending[self._points :] = False
        leading = np.repeat(alike == np.arange(len(alike)), sizes)
        self._shared = np.bincount(self._ends[leading], minlength=len(alike)) > 1
        self._made: dict[int, _Behind | None] = {}

    def row(self, start: int) -> Row | None:
        """The hops from the origin ``start``, or None where only a search can tell."""
        self._make(start)
        made = self._made.pop(start)
        if made is None:
            return None
        hops = made.hops
        if made.servers is not None:
            hops = np.full(self._servers, -1, np.int16)
            hops[made.servers] = made.hops
        np.maximum(hops, -1, out=hops)
        # A server with two ways to it was counted twice.
        return hops if np.count_nonzero(hops >= 0) == made.size else None

    def _make(self, start: int) -> None:
        """Work out a node after all that lies behind it; without recursion, because a path can
        pass every server.
        """
        made = self._made
        stack = [(start, iter(self._leading(start)))]
        entered = {start}
        while stack:
            node, successors = stack[-1]
            below = next((successor for successor in successors if successor not in made), None)
            if below is None:
                stack.pop()
                entered.discard(node)
                made[node] = None if node in made else self._joined(node)
            elif below in entered:
                made[below] = None  # a walk comes back to it
            else:
                entered.add(below)
                stack.append((below, iter(self._leading(below))))

    def _successors(self, node: int) -> Ints:
        return self._ends[self._starts[node] : self._starts[node + 1]]

    def _leading(self, node: int) -> list[int]:
        """The successors at which walks do not end."""
        ends = self._successors(node)
        found: list[int] = ends[~self._ending[ends]].tolist()
        return found

    def _joined(self, node: int) -> _Behind | None:
        """What lies behind a node: itself, the servers at which walks end, and one hop farther
        what lies behind its other successors.
        """
        ends = self._successors(node)
        last = self._server[ends[self._ending[ends]]]
        own = self._server[node : node + 1] if node < self._points else last[:0]
        parts: list[tuple[_Behind, int]] = []
        for successor in self._leading(node):
            part = self._made[successor] if self._shared[successor] else self._made.pop(successor)
            if part is None:
                return None
            parts.append((part, int(successor < self._points)))
        size = len(own) + len(last) + sum(part.size for part, _ in parts)
        if size > self._servers:
            return None
        joined = self._listed if size * 3 < self._servers else self._spread
        servers, hops = joined(own, last, parts)
        behind = _Behind(servers, hops, size)
        if self._shared[node]:
            self._left -= behind.hops.size * (1 if behind.servers is None else 3)
        return behind if self._left >= 0 else None

    def _listed(self, own: Ints, last: Ints, parts: list[tuple[_Behind, int]]) -> tuple[Ints, Row]:
        """Few servers: their numbers and hops."""
        near = np.repeat(np.array([0, 1], np.int16), (len(own), len(last)))
        servers = [part.servers for part, _ in parts if part.servers is not None]
        return np.concatenate([own, last, *servers]), np.concatenate(
            [near, *(part.hops + hop for part, hop in parts)]
        )

    def _spread(self, own: Ints, last: Ints, parts: list[tuple[_Behind, int]]) -> tuple[None, Row]:
        """Many servers: the hops to every server."""
        row: Row | None = None
        for part, hop in parts:
            if part.servers is None:
                row = part.hops + hop if row is None else np.maximum(row, part.hops + hop, out=row)
        if row is None:
            row = np.full(self._servers, _FAR, np.int16)
        for part, hop in parts:
            if part.servers is not None:
                row[part.servers] = part.hops + hop
        row[last] = 1
        row[own] = 0
        return None, row


def _alike(graph: ForwardingGraph, starts: NDArray[np.int64], ends: Ints) -> Ints:
    """For every node the first one that has the same server and the same successors: all
    arrivals over one 1hop zone, for one. An origin is like no other."""
    alike = np.arange(len(starts) - 1, dtype=np.int32)
    first: dict[tuple[int, bytes], int] = {}
    origins, points = len(graph.servers), len(graph.points)
    servers, bounds = graph.point_server.tolist(), starts.tolist()
    for node in (np.flatnonzero(np.diff(starts[origins : points + 1])) + origins).tolist():
        row = ends[bounds[node] : bounds[node + 1]].tobytes()
        alike[node] = first.setdefault((servers[node], row), node)
    return alike


class _Search:
    """Rows by breadth-first search, level by level. One ends as soon as a server is entered again;
    until then it has entered no more points than there are servers. About 1 ms a source at 1,000
    servers.
    """

    def __init__(
        self, graph: ForwardingGraph, closed: Closed, starts: NDArray[np.int64], ends: Ints
    ) -> None:
        self._graph, self._closed, self._starts, self._ends = graph, closed, starts, ends
        self._place = np.empty(graph.node_count, np.int32)

    def row(self, start: int) -> Row | None:
        """The hops from ``start``; None if a server is entered twice."""
        if self._graph.node_count > len(self._graph.points):
            return self._over_connectors(start)
        server, place = self._graph.point_server, self._place
        entered = np.zeros(self._graph.node_count, np.bool_)
        entered[start] = True
        result = np.full(len(self._graph.servers), -1, np.int16)
        level, depth, count = np.array([start], np.int32), 0, 0
        while len(level):
            at = server[level]
            if result[at].max() >= 0:
                return None
            result[at] = depth
            depth, count = depth + 1, count + len(level)
            ends = successors(self._starts, self._ends, level)
            ends = ends[~entered[ends]]
            entered[ends] = True
            numbers = np.arange(len(ends), dtype=np.int32)
            place[ends] = numbers
            level = ends[place[ends] == numbers]
        return result if np.count_nonzero(result >= 0) == count else None

    @cached_property
    def _walker(self) -> RowWalks:
        return RowWalks(self._graph)

    def _over_connectors(self, start: int) -> Row | None:
        """Where there are connectors, depth is not hops."""
        walk = self._walker.walk([start], self._closed)
        result = np.full(len(self._graph.servers), -1, np.int16)
        result[self._graph.point_server[walk.points]] = walk.hops.astype(np.int16)
        return result if np.count_nonzero(result >= 0) == len(walk.points) else None
