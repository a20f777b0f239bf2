"""Rows of stored tables that are read, or built, only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar, overload

from topograph.forwarding.graph import Forward
from topograph.forwarding.points import Ints
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
