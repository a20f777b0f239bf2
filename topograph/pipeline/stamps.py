"""What tells whether a file may have changed since it was listed, without reading it: size, times
of change of content and of entry, and the number in the file system, as git does. Of a store that
sets the time itself whenever an object is written, size and time say it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from topograph.pipeline.file_columns import numbers, whole_numbers
from topograph.store.listing import InputFile

_SETTLED = 2_000_000_000
"""Nanoseconds: a file that changed so shortly before it was listed may change again without another
time in the file system."""

_SETTLED_IN_STORE = 15 * 60 * 1_000_000_000
"""The same of a store, whose times are of a second and of another clock."""

_TIMED_BY_STORE = frozenset({"gs", "s3", "s3a"})
"""Schemes of object stores where every object has the time at which the store wrote it: nobody can
set it, and renaming copies. In Hadoop's other file systems a file may get any time, or keep its own
under another name."""

_NAMES = ("size", "modified", "changed", "number")
_LARGEST = 2**63 - 1


def is_timed_by_store(scheme: str | None) -> bool:
    """Whether the time of an object of a scheme says that it was not written since."""
    return scheme in _TIMED_BY_STORE


class Stamps:
    """A row of four numbers for each of some files: zeros for one that may be changing still."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    @classmethod
    def of(cls, table: pa.Table) -> Stamps:
        """The stamps in a table that ``added_to`` made."""
        return cls(np.stack([numbers(table, name) for name in _NAMES], axis=1))

    def chosen(self, rows: NDArray[Any]) -> Stamps:
        """Those of some of the files."""
        return Stamps(self.values[rows])

    def added_to(self, table: pa.Table) -> pa.Table:
        """A table of the same files with columns of their stamps."""
        for at, name in enumerate(_NAMES):
            table = table.append_column(name, whole_numbers(self.values[:, at]))
        return table

    def same(self, other: Stamps) -> NDArray[np.bool_]:
        """Of which files both have the same stamp, row by row."""
        equal: NDArray[np.bool_] = (self.values == other.values).all(axis=1)
        return equal & self.values.any(axis=1)


def stamps_of(files: Sequence[InputFile]) -> Stamps:
    """The stamps of listed files of this machine, taken before any of them is read. Linear."""
    latest = time.time_ns() - _SETTLED
    rows = _stamped(files, latest)
    return Stamps(np.fromiter(rows, np.dtype((np.int64, 4)), len(files)))


def _stamped(files: Iterable[InputFile], latest: int) -> Iterable[tuple[int, int, int, int]]:
    for file in files:
        try:
            status = os.lstat(file.absolute)
        except OSError:  # gone: the stage that recognises files says so
            yield 0, 0, 0, 0
            continue
        if max(status.st_mtime_ns, status.st_ctime_ns) >= latest:
            yield 0, 0, 0, 0
        else:
            number = status.st_ino & _LARGEST
            yield status.st_size, status.st_mtime_ns, status.st_ctime_ns, number


def stored_stamps(files: Sequence[InputFile], modified: Mapping[str, int]) -> Stamps:
    """The stamps of files listed in a store that ``is_timed_by_store``, of the times of their
    listing in milliseconds. Linear."""
    latest = time.time_ns() - _SETTLED_IN_STORE
    times = ((file.size, modified[file.path] * 1_000_000) for file in files)
    rows = ((size, at, 0, 0) if 0 < at < latest else (0, 0, 0, 0) for size, at in times)
    return Stamps(np.fromiter(rows, np.dtype((np.int64, 4)), len(files)))
