"""Findings and file reports of one network, which all steps of an import add to: packed, since
there may be some for every file."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")

_UNPACKED = 64
"""Rows that stay as they are."""


def squeezed(value: Any) -> bytes:
    """A value as few bytes."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


def unsqueezed(data: bytes) -> Any:
    """What ``squeezed`` was given, by this process or by another of the same import."""
    return pickle.loads(zlib.decompress(data))  # noqa: S301  (of this import, never of a file)


class PackedRows(Generic[Row]):
    """Rows in the order in which they were added."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._packed: list[bytes] = []
        self._last: list[Row] = []
        self.extend(rows)

    def append(self, row: Row) -> None:
        self.extend((row,))

    def extend(self, rows: Iterable[Row]) -> None:
        """Add rows. Linear in them."""
        self._last.extend(rows)
        if len(self._last) > _UNPACKED:
            self._packed.append(squeezed(self._last))
            self._last = []

    def __iter__(self) -> Iterator[Row]:
        for data in self._packed:
            yield from unsqueezed(data)
        yield from self._last

    @property
    def size(self) -> int:
        """How much there is, to divide work by."""
        return sum(map(len, self._packed)) + 100 * len(self._last)

    def replaced(self, change: Callable[[Row], Row]) -> PackedRows[Row]:
        """The rows that ``change`` makes of these."""
        made: PackedRows[Row] = PackedRows()
        for data in self._packed:
            made.extend(map(change, unsqueezed(data)))
        made.extend(map(change, self._last))
        return made
