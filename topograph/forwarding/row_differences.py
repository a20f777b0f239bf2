"""Rows of hops that differ between two graphs of one network, without making the rows that do not.

Points are the same in both graphs where their keys are. Two walks from one server are the same up
to the first point whose open forwards are not; what lies behind the forwards that only one of the
graphs has is walked once, and shared by all rows that get there: on a legal network no walk comes
back to a server, so that a row differs in exactly what lies behind the changed forwards on its way.
The difference of all pairs then takes a step for each point from which a changed forward can be
reached, and a walk for each changed forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph, Walk
from topograph.forwarding.labels import server_labels
from topograph.forwarding.rows import RowWalks, distinct, spans
from topograph.records import record

Longs = NDArray[np.int64]

Graphs = tuple[ForwardingGraph, ForwardingGraph]
"""Before and after."""

NOT_REACHED = -1
"""What a row holds where a server is not certainly reached; below it, where that is not decided."""

KEPT_ENTRIES = 5_000_000
"""Entries of differences that are kept for other rows: about 200 MB."""

Parts = tuple[tuple[int, int, int], ...]
"""What is different behind a node: (side, label of a node, hops to it) of each node that only
one side gets to from there, in order.
"""


@record(slots=False, eq=False)
class RowDifference:
    """Where two rows differ: ``ends`` are numbers of names in ascending order, ``before`` and
    ``after`` the hops to them (see NOT_REACHED).
    """

    ends: Longs
    before: Longs
    after: Longs

    @classmethod
    def of(cls, before: NDArray[np.integer], after: NDArray[np.integer]) -> RowDifference:
        """The difference of two whole rows."""
        ends = np.flatnonzero(before != after)
        return cls(ends, before[ends].astype(np.int64), after[ends].astype(np.int64))

    @cached_property
    def gained(self) -> Longs:
        """The places in ``ends`` where the second row gets and the first does not."""
        return np.flatnonzero((self.before < 0) & (self.after >= 0))

    @cached_property
    def lost(self) -> Longs:
        """Where the first row gets and the second does not."""
        return np.flatnonzero((self.before >= 0) & (self.after < 0))

    @cached_property
    def undecided(self) -> Bools:
        """By place whether one of the two is not decided."""
        found: Bools = np.minimum(self.before, self.after) < NOT_REACHED
        return found

    @cached_property
    def unsettled(self) -> Longs:
        """Where neither row certainly gets, and one of the two is not decided."""
        return np.flatnonzero(self.undecided & (self.before < 0) & (self.after < 0))

    @cached_property
    def longer(self) -> Longs:
        """Where both get, the second over more hops."""
        return np.flatnonzero((self.before >= 0) & (self.after > self.before))

    @cached_property
    def shorter(self) -> Longs:
        """Where both get, the second over fewer hops."""
        return np.flatnonzero((self.after >= 0) & (self.after < self.before))

    @cached_property
    def reach(self) -> tuple[bytes, bytes]:
        """The ends that are gained or lost, and those that are gained: each a set of numbers as
        bits (``numbers_of``).
        """
        gained, lost = self.ends[self.gained], self.ends[self.lost]
        return _bits(np.concatenate((gained, lost))), _bits(gained)

    def without(self, end: int) -> RowDifference:
        """The same without what it says of one server; itself where it says nothing of that."""
        place = int(np.searchsorted(self.ends, end))
        if place == len(self.ends) or self.ends[place] != end:
            return self
        return RowDifference(
            *(np.delete(values, place) for values in (self.ends, self.before, self.after))
        )


def _bits(numbers: Longs) -> bytes:
    flags = np.zeros(1 + int(numbers.max(initial=-1)), np.bool_)
    flags[numbers] = True
    return np.packbits(flags).tobytes()


def numbers_of(bits: bytes) -> Longs:
    """The numbers in a set of them as bits, in ascending order."""
    return np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8)))


RowsOf = Callable[[Sequence[int]], Iterator[NDArray[np.integer]]]
"""A function from some servers of a graph to their rows of hops, in the order in which they are
asked for.
"""

Reach = tuple[tuple[bytes, bytes], Sequence[int]]
"""What is reached from some servers on one side only (``RowDifference.reach``), and the numbers of
those servers.
"""

MOST_TOGETHER = 32
"""Ends of changed forwards up to which a walk back from each takes less than a step a server."""

Difference = tuple[int, RowDifference, int]
"""A server (its number among the names), what is different in its row, and the hops by which it
is farther from all of that than the row says.
"""


class RowDifferences:
    """Two graphs of one network beside each other, under any closed guards. Origins are numbered
    as their servers. Sorts the forwards of both once.
    """

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        called = server_labels(graphs)
        self.names = sorted({name for own in called for name in own})
        self._number = {name: number for number, name in enumerate(self.names)}
        self._servers = [np.array([self._number[name] for name in own], np.int64) for own in called]

    @cached_property
    def comparable(self) -> bool:
        """Whether the points of the two can be set beside each other: no two of a graph have one
        key, and there are no connectors, of which a change moves many."""
        if any(graph.node_count > len(graph.points) for graph in self._graphs):
            return False
        if any(len(set(graph.columns.key)) < len(graph.points) for graph in self._graphs):
            return False
        at = [
            own[graph.point_server] for graph, own in zip(self._graphs, self._servers, strict=True)
        ]
        return all(
            bool((self._server_of[own] == there).all())
            for own, there in zip(self._labels, at, strict=True)
        )

    @cached_property
    def _labels(self) -> tuple[Longs, Longs]:
        """A number for each point of either graph, by its key."""
        first, second = (graph.columns.key for graph in self._graphs)
        if first == second:
            same = np.arange(len(first))
            return same, same
        number = {key: place for place, key in enumerate(first)}
        found = np.fromiter(
            (number.setdefault(key, len(number)) for key in second), np.int64, len(second)
        )
        return np.arange(len(first)), found

    @cached_property
    def _count(self) -> int:
        return 1 + max(int(own.max(initial=-1)) for own in self._labels)

    @cached_property
    def _server_of(self) -> Longs:
        """The server (number among the names) of every label."""
        found = np.empty(self._count, np.int64)
        for graph, labels, servers in zip(self._graphs, self._labels, self._servers, strict=True):
            found[labels] = servers[graph.point_server]
        return found

    @cached_property
    def _points(self) -> tuple[Longs, Longs]:
        """The point of every label in either graph, -1 where it has none."""
        found = []
        for labels in self._labels:
            points = np.full(self._count, -1, np.int64)
            points[labels] = np.arange(len(labels))
            found.append(points)
        return found[0], found[1]

    @cached_property
    def _forwards(self) -> tuple[Longs, Longs, Bools, Bools]:
        """All forwards of both graphs by labels, in order: start, end, whether the first graph
        has it, whether the second has.
        """
        codes = []
        for graph, labels in zip(self._graphs, self._labels, strict=True):
            codes.append(
                np.sort(np.repeat(labels, np.diff(graph.starts)) * self._count + labels[graph.ends])
            )
        every = codes[0] if np.array_equal(codes[0], codes[1]) else np.union1d(*codes)
        has = []
        for own in codes:
            there = np.zeros(len(every), np.bool_)
            there[np.searchsorted(every, own)] = True
            has.append(there)
        return every // self._count, every % self._count, has[0], has[1]

    @cached_property
    def _backward(self) -> tuple[Longs, Longs]:
        """The forwards by their end: where those of each label begin, and their places in
        ``_forwards``.
        """
        _, ends, _, _ = self._forwards
        bounds = np.zeros(self._count + 1, np.int64)
        np.cumsum(np.bincount(ends, minlength=self._count), out=bounds[1:])
        return bounds, np.argsort(ends, kind="stable")

    def _open(self, closed: tuple[Closed, Closed]) -> tuple[Bools, Bools]:
        """Which forwards either graph has open."""
        _, ends, *has = self._forwards
        found = []
        for graph, labels, shut, there in zip(self._graphs, self._labels, closed, has, strict=True):
            is_open = graph.open_points(shut)
            if is_open is None:
                found.append(there)
                continue
            of_labels = np.zeros(self._count, np.bool_)
            of_labels[labels] = is_open
            found.append(there & of_labels[ends])
        return found[0], found[1]

    def _altered(self, is_open: tuple[Bools, Bools]) -> Bools:
        """The labels from which a forward that only one graph has can be reached over those that
        both have. Linear in the forwards.
        """
        starts = self._forwards[0][is_open[0] ^ is_open[1]]
        return self._leading_to(starts, is_open[0] & is_open[1])

    def _leading_to(self, labels: Longs, common: Bools) -> Bools:
        """The labels from which one of some can be reached over ``common`` forwards, themselves
        included. Linear in the forwards."""
        starts, _, _, _ = self._forwards
        bounds, places = self._backward
        found = np.zeros(self._count, np.bool_)
        found[labels] = True
        frontier = np.flatnonzero(found)
        while len(frontier):
            into = places[spans(bounds[frontier], bounds[frontier + 1] - bounds[frontier])]
            before = starts[into[common[into]]]
            before = before[~found[before]]
            found[before] = True
            frontier = distinct(before)
        return found

    def altered(self, closed: tuple[Closed, Closed]) -> Bools:
        """Of which names the rows may differ; True for one that only one graph has. Of no other:
        their walks are the same.
        """
        wanted = np.ones(len(self.names), np.bool_)
        if self.comparable:
            here, there = self._origins
            both = (here >= 0) & (there >= 0)
            wanted[both] = self._altered(self._open(closed))[here[both]]
        return wanted

    @cached_property
    def _origins(self) -> tuple[Longs, Longs]:
        """The label of the origin of every name in either graph, -1 where it has none."""
        found = []
        for graph, labels, servers in zip(self._graphs, self._labels, self._servers, strict=True):
            origins = np.full(len(self.names), -1, np.int64)
            origins[servers] = labels[: len(graph.servers)]
            found.append(origins)
        return found[0], found[1]

    def unique(
        self,
        closed: tuple[Closed, Closed],
        budget: Budget,
        counted: tuple[Bools, Bools] | None = None,
    ) -> Iterator[Difference]:
        """The rows that differ, by name, where no walk of either graph enters a server twice and
        the two are ``comparable``. ``counted``: the servers of each graph whose rows count; those
        of others reach nobody. The row of a server that only one graph has holds the server itself.

        Raises BudgetSpent."""
        is_open = self._open(closed)
        altered = self._altered(is_open)
        following = _Following(self._forwards[:2], is_open, altered)
        origins = self._origins
        rows = [own >= 0 for own in origins]
        for own, servers, which in zip(
            rows, self._servers, counted or (), strict=counted is not None
        ):
            own[servers] &= which
        walkers = [RowWalks(graph) for graph in self._graphs]
        behind: dict[tuple[int, int], tuple[Longs, Longs]] = {}
        known: dict[Parts, RowDifference] = {}
        entries = 0
        both = rows[0] & rows[1]
        wanted = rows[0] ^ rows[1]
        wanted[both] = altered[origins[0][both]]
        for start in np.flatnonzero(wanted).tolist():
            budget.check()
            if both[start]:
                parts = following.parts(int(origins[0][start]))
            else:
                side = 0 if rows[0][start] else 1
                parts = ((side, int(origins[side][start]), 0),)
            if not parts:
                continue
            least = min(hops for _, _, hops in parts)
            key = tuple((side, label, hops - least) for side, label, hops in parts)
            row = known.get(key)
            if row is None:
                for side, label, _ in key:
                    if (side, label) not in behind:
                        walk = walkers[side].walk([int(self._points[side][label])], closed[side])
                        servers = self._servers_of(side, walk)
                        behind[side, label] = servers, walk.hops.astype(np.int64)
                row = self._joined(key, behind)
                entries += len(row.ends)
                if entries <= KEPT_ENTRIES:
                    known[key] = row
            if len(row.ends):
                yield start, row, least

    def reach(self, closed: tuple[Closed, Closed], budget: Budget) -> Iterator[Reach]:
        """What ``unique`` gives for those who ask who is reached, and not over how many hops.
        Servers that get to the same changed forwards are looked at together: a walk back from each
        of those, and one on.

        Raises BudgetSpent."""
        is_open = self._open(closed)
        changed = self._changed(is_open)
        if len(changed) > MOST_TOGETHER:
            yield from ((row.reach, [start]) for start, row, _ in self.unique(closed, budget))
            return
        walkers = [RowWalks(graph) for graph in self._graphs]
        behind: dict[tuple[int, int], Longs] = {}
        for nodes, starts in self._together(changed, is_open[0] & is_open[1]):
            budget.check()
            reached = np.zeros((2, len(self.names)), np.bool_)
            for side, label in nodes:
                if (side, label) not in behind:
                    walk = walkers[side].walk([int(self._points[side][label])], closed[side])
                    behind[side, label] = self._servers_of(side, walk)
                reached[side, behind[side, label]] = True
            was, now = reached
            differs = _bits(np.flatnonzero(was ^ now)), _bits(np.flatnonzero(now & ~was))
            if differs[0]:
                yield differs, starts

    def _together(
        self, changed: Mapping[tuple[int, int], Longs], common: Bools
    ) -> Iterator[tuple[Sequence[tuple[int, int]], Sequence[int]]]:
        """The servers from which the same nodes (side, label) are reached on one side only, with
        those nodes."""
        here, there = self._origins
        both = np.flatnonzero((here >= 0) & (there >= 0))
        leading = np.zeros((len(changed), len(both)), np.bool_)
        for row, labels in zip(leading, changed.values(), strict=True):
            row[:] = self._leading_to(labels, common)[here[both]]
        starts: dict[bytes, list[int]] = {}
        for start, own in zip(both.tolist(), np.packbits(leading, axis=0).T, strict=True):
            starts.setdefault(own.tobytes(), []).append(start)
        nodes = list(changed)
        for bits, those in starts.items():
            yield [nodes[at] for at in numbers_of(bits).tolist()], those
        for side, own, other in ((0, here, there), (1, there, here)):
            for start in np.flatnonzero((own >= 0) & (other < 0)).tolist():
                yield [(side, int(own[start]))], [start]

    def _changed(self, is_open: tuple[Bools, Bools]) -> dict[tuple[int, int], Longs]:
        """By side and end the starts of the forwards that only one graph has open."""
        starts, ends, _, _ = self._forwards
        found = {}
        for side in (0, 1):
            only = is_open[side] & ~is_open[1 - side]
            for end in distinct(ends[only]).tolist():
                found[side, end] = starts[only & (ends == end)]
        return found

    def _servers_of(self, side: int, walk: Walk) -> Longs:
        """The servers that a walk in one graph gets to, in its order."""
        servers: Longs = self._servers[side][self._graphs[side].point_server[walk.points]]
        return servers

    def of_rows(self, wanted: Bools, rows_of: tuple[RowsOf, RowsOf]) -> Iterator[Difference]:
        """The rows of some names that differ, by name, out of the whole rows of both graphs.
        Memory of a row beside what ``rows_of`` keeps.
        """
        numbers = np.flatnonzero(wanted)
        sides = [
            self._named_rows(numbers, *side) for side in zip(self._servers, rows_of, strict=True)
        ]
        for start, before, after in zip(numbers.tolist(), *sides, strict=True):
            if not np.array_equal(before, after):
                yield start, RowDifference.of(before, after), 0

    def _named_rows(
        self, numbers: Longs, servers: Longs, rows_of: RowsOf
    ) -> Iterator[NDArray[np.integer]]:
        """The rows of some names in one graph, an entry a name; where the graph has no such
        server, it reaches nobody and nobody reaches it.
        """
        places = np.full(len(self.names), -1, np.int64)
        places[servers] = np.arange(len(servers))
        there = places >= 0
        as_named = np.array_equal(places, np.arange(len(servers)))
        nothing = np.full(len(self.names), NOT_REACHED, np.int16)
        of_them = places[numbers].tolist()
        rows = rows_of([place for place in of_them if place >= 0])
        for place in of_them:
            if place < 0:
                yield nothing
                continue
            row = own = next(rows)
            if not as_named:
                row = nothing.astype(own.dtype)
                row[there] = own[places[there]]
            yield row

    def _joined(
        self, parts: Parts, behind: Mapping[tuple[int, int], tuple[Longs, Longs]]
    ) -> RowDifference:
        """What lies behind some nodes, of which no two of one side lead to one server."""
        rows = np.full((2, len(self.names)), NOT_REACHED, np.int64)
        for side, label, hops in parts:
            servers, farther = behind[side, label]
            rows[side, servers] = farther + hops
        return RowDifference.of(rows[0], rows[1])


class _Following:
    """What is different behind labels: each is worked out when it is first needed, and kept."""

    def __init__(
        self, forwards: tuple[Longs, Longs], is_open: tuple[Bools, Bools], altered: Bools
    ) -> None:
        starts, ends = forwards
        common = is_open[0] & is_open[1] & altered[starts] & altered[ends]
        self._onward = _rows_of(starts[common].tolist(), ends[common].tolist())
        self._own: dict[int, list[tuple[int, int, int]]] = {}
        for side in (0, 1):
            changed = is_open[side] & ~is_open[1 - side]
            for start, end in zip(starts[changed].tolist(), ends[changed].tolist(), strict=True):
                self._own.setdefault(start, []).append((side, end, 1))
        self._made: dict[int, Parts] = {}

    def parts(self, label: int) -> Parts:
        """What is different behind a label; without recursion, because a path can pass every
        server.
        """
        made, stack = self._made, [label]
        while stack:
            here = stack[-1]
            if here in made:
                stack.pop()
                continue
            onward: Sequence[int] = self._onward.get(here, ())
            missing = [end for end in onward if end not in made]
            if missing:
                stack += missing
                continue
            farther = [(side, end, hops + 1) for one in onward for side, end, hops in made[one]]
            made[here] = tuple(sorted([*self._own.get(here, ()), *farther]))
            stack.pop()
        return made[label]


def _rows_of(starts: Iterable[int], ends: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for start, end in zip(starts, ends, strict=True):
        found.setdefault(start, []).append(end)
    return found
