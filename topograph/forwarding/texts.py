"""A column of texts that are decoded one at a time, and searched without being decoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


class Texts(Sequence[str]):
    """Texts in UTF-8 one behind the other: text n is ``data[ends[n]:ends[n + 1]]``."""

    def __init__(self, ends: NDArray[np.integer[Any]], data: bytes | memoryview) -> None:
        self._ends = ends
        self._data = data

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        return str(self._data[self._ends[row] : self._ends[row + 1]], "utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed())

    def listed(self) -> list[str]:
        """All of them. Linear, and a fraction of what it takes to ask for one after the other."""
        first, last = (int(self._ends[0]), int(self._ends[-1])) if len(self._ends) else (0, 0)
        data = bytes(self._data[first:last])
        ends = (self._ends - first).tolist()
        if data.isascii():
            text = data.decode()
            return [text[at:end] for at, end in pairwise(ends)]
        return [data[at:end].decode() for at, end in pairwise(ends)]

    def filled(self) -> NDArray[np.int64]:
        """The rows of the texts that are not empty. Linear, without a step each."""
        return np.flatnonzero(np.diff(self._ends))

    def rows_of(self, text: str) -> list[int]:
        """The rows of a text, in order. Linear, without a step each: of the rows of that length,
        those are kept that have one byte after the other of it."""
        wanted = text.encode("utf-8", "surrogatepass")
        starts = self._ends[:-1].astype(np.int64)
        rows = np.flatnonzero(np.diff(self._ends) == len(wanted))
        data = np.frombuffer(self._data, np.uint8)
        # From the last byte on: names that are numbered differ at their ends.
        for place in range(len(wanted) - 1, -1, -1):
            rows = rows[data[starts[rows] + place] == wanted[place]]
            if not len(rows):
                break
        found: list[int] = rows.tolist()
        return found
