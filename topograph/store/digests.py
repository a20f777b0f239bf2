"""The digest of a table's rows: what a manifest holds of each file, and a reader checks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

BLOCK = 16_384
"""Rows of a row group, and of a step of a digest."""


class Digest:
    """SHA-256 over the rows of a table in their order, independent of chunks, dictionaries and
    compression.

    Fed with blocks of BLOCK rows (the last one may be shorter). Within a block column after column:
    name and row count, then for texts and lists all lengths followed by all contents, for numbers
    and flags their values as little-endian integers. Linear in the data, without a Python object
    per row.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self._total = hashlib.sha256("\0".join(columns).encode())
        self._columns = columns
        self.rows = 0

    def update(self, block: pa.Table) -> None:
        """Take the next rows. Raises ValueError for a block that does not begin at a multiple of
        BLOCK rows or is longer.
        """
        if self.rows % BLOCK or block.num_rows > BLOCK:
            raise ValueError(f"blocks hold {BLOCK} rows, only the last one fewer")
        for name in self._columns:
            self._total.update(f"{name}\0{block.num_rows}\0".encode())
            for part in _bytes(block.column(name)):
                self._total.update(part)
        self.rows += block.num_rows

    def hexdigest(self) -> str:
        """The digest of all rows so far."""
        return self._total.hexdigest()


def digest(table: pa.Table) -> str:
    """The ``Digest`` of a whole table."""
    total = Digest(table.column_names)
    for at in range(0, table.num_rows, BLOCK):
        total.update(table.slice(at, BLOCK))
    return total.hexdigest()


def combined(digests: Mapping[tuple[str, str, str], str]) -> str:
    """The digest of a table that is kept in parts: over (part, digest) in the order of the
    parts' names.
    """
    lines = "\n".join("\0".join((*part, digests[part])) for part in sorted(digests))
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()


def _bytes(column: pa.ChunkedArray) -> Iterator[Any]:
    """The values of a column as a digest takes them: from the buffers, since ``to_numpy`` would
    import pandas, which takes longer than a small import needs to write its tables."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type):
        for chunk in column.chunks:
            yield np.diff(_offsets(chunk)).astype("<i4").tobytes()
        for chunk in column.chunks:
            if len(chunk):
                offsets = _offsets(chunk)
                yield memoryview(chunk.buffers()[2] or b"")[offsets[0] : offsets[-1]]
    elif pa.types.is_list(column.type):
        for chunk in column.chunks:
            yield np.diff(_offsets(chunk)).astype("<i4").tobytes()
        yield from _bytes(
            pa.chunked_array([chunk.flatten() for chunk in column.chunks], column.type.value_type)
        )
    else:
        for chunk in column.chunks:
            yield _values(chunk).astype("<i8").tobytes()


def _offsets(chunk: pa.Array) -> NDArray[np.int32]:
    """Where each text (or list) of an array begins, and the end of the last."""
    if not len(chunk):
        return np.zeros(1, np.int32)
    return np.frombuffer(chunk.buffers()[1], np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]


def _values(chunk: pa.Array) -> NDArray[Any]:
    """The numbers (or flags, as 0 and 1) of an array without nulls."""
    buffer = chunk.buffers()[1]
    if not len(chunk) or buffer is None:
        return np.zeros(0, np.int64)
    end = chunk.offset + len(chunk)
    if pa.types.is_boolean(chunk.type):
        bits = np.unpackbits(np.frombuffer(buffer, np.uint8), count=end, bitorder="little")
        return bits[chunk.offset :]
    return np.frombuffer(buffer, np.dtype(str(chunk.type)))[chunk.offset : end]
