"""Rows of stored tables that are read, or built, only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, overload

from topograph.findings import Source
from topograph.forwarding.graph import Forward
from topograph.forwarding.points import Ints, PointColumns
from topograph.outcomes import Confidence
from topograph.sequences import EqualByEntries

R = TypeVar("R")


class LazyRows(EqualByEntries[R]):
    """Rows of a table that are read when they are first asked for: most questions need neither
    links nor forwards.
    """

    def __init__(self, read: Callable[[], Sequence[R]]) -> None:
        self._read = read

    @cached_property
    def rows(self) -> Sequence[R]:
        """The rows, as they were read."""
        return self._read()

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...
    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        return self.rows[index]

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)


def as_read(rows: Sequence[R]) -> Sequence[R]:
    """The rows themselves, read now if they were not."""
    return rows.rows if isinstance(rows, LazyRows) else rows


class ForwardRows(EqualByEntries[Forward]):
    """The rows of a table of forwards. ``start`` and ``end`` are point numbers by row;
    ``build(n)`` builds row n.
    """

    def __init__(self, start: Ints, end: Ints, build: Callable[[int], Forward]) -> None:
        self.start, self.end, self._build = start, end, build

    def __len__(self) -> int:
        return len(self.start)

    @overload
    def __getitem__(self, index: int) -> Forward: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Forward]: ...
    def __getitem__(self, index: int | slice) -> Forward | Sequence[Forward]:
        if isinstance(index, slice):
            return list(self)[index]
        return self._build(range(len(self))[index])

    def __iter__(self) -> Iterator[Forward]:
        return map(self._build, range(len(self)))


class Described(NamedTuple):
    """What a forward has beside its ends."""

    rule: str
    confidence: Confidence
    source: Source
    cost: int
    branch: str
    steps: str


class DescribedForwards(ForwardRows):
    """Forwards of which many have their description in common: that of row n is
    ``descriptions[described[n]]``, its guards are those of the point that it enters."""

    def __init__(
        self,
        points: PointColumns,
        ends: tuple[Ints, Ints],
        described: Ints,
        describe: Callable[[], Sequence[Described]],
    ) -> None:
        super().__init__(*ends, self._forward)
        self.points, self.described, self._describe = points, described, describe

    @cached_property
    def descriptions(self) -> Sequence[Described]:
        """Made when they are first asked for."""
        return self._describe()

    def _forward(self, row: int) -> Forward:
        points, start, end = self.points, int(self.start[row]), int(self.end[row])
        rule, confidence, source, cost, branch, steps = self.descriptions[self.described[row]]
        return Forward(
            key=f"{points.key[start]}>{points.key[end]}",
            start=start,
            end=end,
            guards=points.guards(end),
            rule=rule,
            confidence=confidence,
            source=source,
            cost=cost,
            branch=branch,
            steps=steps,
        )
