"""Points, and many of them as columns: a ``Sequence[Point]`` that keeps numbers in arrays and
builds a ``Point`` only when it is asked for.

A network of 10,000 servers has 102,000 points. As objects they take about 60 MB and half a second
to build; as columns a few milliseconds. Whoever needs all points at once (assembling the forwards,
masking closed points) reads the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.sequences import EqualByEntries

Ints = NDArray[np.int32]


@record
class Point:
    """``kind`` is ``origin`` or ``arrival``, or ``toward``: at ``server``, on the way to
    ``target``.

    ``server``, ``previous`` and ``target`` are server numbers (-1: none), ``link`` is a row of the
    links table (-1: none). ``zone``, ``zone_type`` and ``link`` describe how the message came;
    ``cost`` is the cost of the last step (0 where the system has no costs). ``guards`` stand on
    every forward into this point. ``source`` is the configuration line that permits the last step,
    ``rule`` and ``confidence`` the rule it rests on. ``state`` is what a system that goes step by
    step has to know here, as text of its own.
    """

    key: str
    kind: str
    server: int
    previous: int = -1
    target: int = -1
    link: int = -1
    zone: str = ""
    zone_type: str = ""
    cost: int = 0
    guards: tuple[int, ...] = ()
    rule: str = ""
    confidence: Confidence = Confidence.H
    configured_by: str = ""
    source: Source = Source("")
    state: str = ""


@record(slots=False, eq=False)
class Labels:
    """A column of repeated texts: row i holds ``values[codes[i]]``. ``values`` has no text
    twice.
    """

    codes: Ints
    values: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str], count: int) -> Labels:
        """The column of ``count`` texts, values in the order in which they first occur."""
        numbers: dict[str, int] = {}
        codes = np.fromiter(
            (numbers.setdefault(text, len(numbers)) for text in texts), np.int32, count
        )
        return cls(codes, tuple(numbers))

    def __getitem__(self, row: int) -> str:
        return self.values[int(self.codes[row])]

    def texts(self) -> list[str]:
        """The text of every row."""
        return list(map(self.values.__getitem__, self.codes.tolist()))

    def at(self, rows: NDArray[np.int64]) -> list[str]:
        """The texts of some rows."""
        return list(map(self.values.__getitem__, self.codes[rows].tolist()))


class Entered(NamedTuple):
    """What a point says of every step into it."""

    zone: str
    rule: str
    confidence: Confidence
    guards: tuple[int, ...]
    source: Source
    cost: int


@record(slots=False, eq=False)
class PointColumns(EqualByEntries[Point]):
    """The points of one system in one network. Each field is a column of ``Point``, in point order.

    ``guard_starts`` and ``guard_values`` are the guards in compressed rows: point n has
    ``guard_values[guard_starts[n]:guard_starts[n + 1]]``. Equal to any sequence of equal points.
    """

    key: Sequence[str]
    kind: Labels
    server: Ints
    previous: Ints
    target: Ints
    link: Ints
    zone: Labels
    zone_type: Labels
    cost: Ints
    guard_starts: NDArray[np.int64]
    guard_values: Ints
    rule: Labels
    confidence: Labels
    configured_by: Labels
    file: Labels
    line: Ints
    column: Ints
    state: Labels

    @classmethod
    def of(cls, points: Sequence[Point]) -> PointColumns:
        """The columns of ``points``; the very same object if they are columns already. Linear in
        the points.
        """
        if isinstance(points, PointColumns):
            return points
        count = len(points)

        def numbers(get: Callable[[Point], Any]) -> Ints:
            return np.fromiter(map(get, points), np.int32, count)

        def labels(get: Callable[[Point], Any]) -> Labels:
            return Labels.of(map(get, points), count)

        guard_starts = np.zeros(count + 1, np.int64)
        np.cumsum([len(point.guards) for point in points], out=guard_starts[1:])
        return cls(
            key=[point.key for point in points],
            kind=labels(attrgetter("kind")),
            server=numbers(attrgetter("server")),
            previous=numbers(attrgetter("previous")),
            target=numbers(attrgetter("target")),
            link=numbers(attrgetter("link")),
            zone=labels(attrgetter("zone")),
            zone_type=labels(attrgetter("zone_type")),
            cost=numbers(attrgetter("cost")),
            guard_starts=guard_starts,
            guard_values=np.fromiter(
                (guard for point in points for guard in point.guards), np.int32
            ),
            rule=labels(attrgetter("rule")),
            confidence=labels(lambda point: point.confidence.value),
            configured_by=labels(attrgetter("configured_by")),
            file=labels(attrgetter("source.file")),
            line=numbers(attrgetter("source.line")),
            column=numbers(attrgetter("source.column")),
            state=labels(attrgetter("state")),
        )

    def guards(self, row: int) -> tuple[int, ...]:
        """The guard numbers of one point."""
        return tuple(
            self.guard_values[self.guard_starts[row] : self.guard_starts[row + 1]].tolist()
        )

    def entered(self, rows: NDArray[np.int64]) -> Iterator[Entered]:
        """What some points say of the steps into them. Linear in the rows: nothing is built of the
        other points, of which a large network has ten times as many as one walk enters."""
        values = self.guard_values
        bounds = zip(
            self.guard_starts[rows].tolist(), self.guard_starts[rows + 1].tolist(), strict=True
        )
        files, lines, places = self.file.at(rows), self.line[rows], self.column[rows]
        return map(
            Entered,
            self.zone.at(rows),
            self.rule.at(rows),
            map(Confidence, self.confidence.at(rows)),
            (tuple(values[start:end].tolist()) for start, end in bounds),
            map(Source, files, lines.tolist(), places.tolist()),
            self.cost[rows].tolist(),
        )

    def guard_sets(self) -> tuple[Ints, list[tuple[int, ...]]]:
        """(guard-set number of every point, the distinct guard sets in the order in which they
        first occur).
        """
        bounds = self.guard_starts.tolist()
        values = self.guard_values.tolist()
        sets: dict[tuple[int, ...], int] = {}
        numbers = np.fromiter(
            (
                sets.setdefault(tuple(values[start:end]), len(sets))
                for start, end in pairwise(bounds)
            ),
            np.int32,
            len(self),
        )
        return numbers, list(sets)

    def __len__(self) -> int:
        return len(self.server)

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Point]: ...
    def __getitem__(self, index: int | slice) -> Point | Sequence[Point]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        found = self._built[index]
        if found is None:
            row = range(len(self))[index]
            found = self._built[row] = Point(*self._fields(row))
        return found

    def __iter__(self) -> Iterator[Point]:
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def _built(self) -> list[Point | None]:
        """The points that were asked for: each is built once."""
        return [None] * len(self)

    @cached_property
    def _fields(self) -> Callable[[int], tuple[Any, ...]]:
        """The fields of a point by its number. From lists: they are read three times faster than
        arrays.
        """
        key = self.key
        numbers = [
            column.tolist() for column in (self.server, self.previous, self.target, self.link)
        ]
        cost, line, column, starts = (
            values.tolist() for values in (self.cost, self.line, self.column, self.guard_starts)
        )
        guards = self.guard_values.tolist()
        kind, zone, zone_type, rule, configured_by, file, state = (
            (labels.codes.tolist(), labels.values)
            for labels in (
                self.kind,
                self.zone,
                self.zone_type,
                self.rule,
                self.configured_by,
                self.file,
                self.state,
            )
        )
        confidence = (
            self.confidence.codes.tolist(),
            tuple(map(Confidence, self.confidence.values)),
        )

        def fields(row: int) -> tuple[Any, ...]:
            texts = [
                values[codes[row]]
                for codes, values in (kind, zone, zone_type, rule, configured_by, file, state)
            ]
            return (
                key[row],
                texts[0],
                *[values[row] for values in numbers],
                texts[1],
                texts[2],
                cost[row],
                tuple(guards[starts[row] : starts[row + 1]]),
                texts[3],
                confidence[1][confidence[0][row]],
                texts[4],
                Source(texts[5], line[row], column[row]),
                texts[6],
            )

        return fields


class LatePoints(PointColumns):
    """Points whose columns are read when they are first asked for: a walk needs half of them."""

    _late: Mapping[str, Callable[[], Any]]

    @classmethod
    def reading(cls, late: Mapping[str, Callable[[], Any]]) -> LatePoints:
        """The points of which ``late`` gives every column, by the name of its field."""
        points = cls.__new__(cls)
        object.__setattr__(points, "_late", late)
        return points

    def __getattr__(self, name: str) -> Any:
        """A column that is not there yet."""
        late = self.__dict__.get("_late", {})
        if name not in late:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        found = late[name]()
        object.__setattr__(self, name, found)
        return found

    def __reduce__(self) -> tuple[type[PointColumns], tuple[Any, ...]]:
        """Copies, those in other processes too, have all columns."""
        return PointColumns, tuple(getattr(self, one.name) for one in fields(PointColumns))


@record(slots=False, eq=False)
class PlainForwards:
    """Forwards that the points entered describe, as columns: from point ``start[i]`` to point
    ``end[i]``.
    """

    points: PointColumns
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.start)
