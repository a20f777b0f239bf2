"""The tables of a snapshot in Arrow, as Parquet, Spark and a database take them: their schemas, and
rows to Arrow and back without loss (``store.records`` says what the columns are).

Texts that repeat are dictionary encoded, in memory and in Parquet. ``pyarrow.compute``, which takes
as long to load as all of topograph, is loaded where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from topograph.forwarding.points import Ints, Labels, PlainForwards
from topograph.forwarding.texts import Texts
from topograph.store.columns import LABEL, column, integers, labels, lists
from topograph.store.records import (
    COLUMNS,
    KEYS,
    SORTED_BY,
    Column,
    Kind,
    Lists,
    columns_of,
    rows_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXT = pa.string()
_TYPES = {
    Kind.TEXT: _TEXT,
    Kind.LABEL: LABEL,
    Kind.NUMBER: pa.int32(),
    Kind.NUMBERS: pa.list_(pa.int32()),
    Kind.FLAG: pa.bool_(),
}


@cache
def schema(name: str) -> pa.Schema:
    """The Arrow schema of a table. Raises KeyError for an unknown name."""
    types = {"network": LABEL, "system": LABEL, "n": pa.int32()}
    keys = [pa.field(key, types[key], nullable=False) for key in KEYS[name]]
    return pa.schema(
        keys + [pa.field(column, _TYPES[kind], nullable=False) for column, kind, _ in COLUMNS[name]]
    )


def empty(name: str) -> pa.Table:
    """The table without rows. (``Schema.empty_table`` would import pandas.)"""
    fields = schema(name)
    return pa.Table.from_arrays([column((), field.type) for field in fields], schema=fields)


def to_arrow(
    name: str,
    rows: Iterable[Any] | PlainForwards,
    *,
    network: str,
    system: str = "",
    first: int = 0,
) -> pa.Table:
    """The rows of a table as Arrow, in the order given: what ``columns_of`` takes.

    ``system`` counts for the graph tables and interests only, ``first`` is the number of the first
    row. Linear in the rows.
    """
    columns = {own: _arrow(kind, values) for own, (kind, values) in columns_of(name, rows).items()}
    count = len(next(iter(columns.values())))
    for key in KEYS[name]:
        columns[key] = (
            integers(np.arange(first, first + count, dtype=np.int32))
            if key == "n"
            else labels(np.zeros(count, np.int32), [network if key == "network" else system])
        )
    fields = schema(name)
    return pa.table([columns[field.name] for field in fields], schema=fields)


def _arrow(kind: Kind, values: Column) -> pa.Array:
    if isinstance(values, Labels):
        return labels(values.codes, values.values)
    if isinstance(values, Lists):
        return lists(values.starts.astype(np.int32), values.values)
    if isinstance(values, np.ndarray):
        return integers(values)
    return column(list(values), _TYPES[kind])


def from_arrow(name: str, table: pa.Table) -> Sequence[Any]:
    """The rows of a table that ``to_arrow`` (or a file of a snapshot) holds, in its order;
    points come as ``PointColumns``.
    """
    return rows_of(name, ArrowTable(table))


class ArrowTable:
    """The columns of an Arrow table (``records.Table``), shared with it where they can be.

    Columns of texts should come as dictionaries (``read_dictionary``) where a few facts are chosen
    by them; else they are encoded first."""

    def __init__(
        self, table: pa.Table, later: Callable[[str], pa.ChunkedArray] | None = None
    ) -> None:
        """``later`` reads a column that ``table`` does not have, when it is asked for."""
        self._table = table
        self._later = later

    def _column(self, name: str) -> pa.ChunkedArray:
        if self._later is not None and name not in self._table.column_names:
            return self._later(name)
        return self._table.column(name)

    def __len__(self) -> int:
        return len(self._table)

    def listed(self, name: str) -> list[Any]:
        """See ``Table``; texts of a dictionary column are shared objects."""
        values = self._column(name)
        if pa.types.is_dictionary(values.type):
            return self.labels(name).texts()
        listed: list[Any] = values.to_pylist()
        return listed

    def texts(self, name: str) -> Texts:
        """See ``Table``; not copied where the column is one array."""
        return _texts(self._column(name).chunks)

    def flags(self, name: str) -> NDArray[np.bool_]:
        """See ``Table``."""
        return np.concatenate([np.zeros(0, np.bool_), *map(_flags, self._column(name).chunks)])

    def labels(self, name: str) -> Labels:
        """See ``Table``."""
        array = _encoded_texts(self._column(name))
        return Labels(_numbers(array.indices), tuple(array.dictionary.to_pylist()))

    def numbers(self, name: str) -> Ints:
        """See ``Table``."""
        chunks = [_numbers(chunk) for chunk in self._column(name).chunks]
        return chunks[0] if len(chunks) == 1 else np.concatenate([np.zeros(0, np.int32), *chunks])

    def lists(self, name: str) -> Lists:
        """See ``Table``."""
        chunks = self._column(name).chunks
        rows = pa.concat_arrays(chunks) if chunks else column((), _TYPES[Kind.NUMBERS])
        return Lists(_numbers(rows.offsets).astype(np.int64), _numbers(rows.values))

    def chosen(self, name: str, rows: NDArray[np.int64]) -> list[Any]:
        """See ``Table``. (``take`` would import ``pyarrow.compute``, which takes longer than a
        question.)"""
        values = self._column(name)
        if not pa.types.is_dictionary(values.type) and not pa.types.is_string(values.type):
            numbers: list[Any] = self.numbers(name)[rows].tolist()
            return numbers
        array = _encoded_texts(values)
        codes = _numbers(array.indices)[rows].tolist()
        texts = {code: array.dictionary[code].as_py() for code in set(codes)}
        return [texts[code] for code in codes]


def in_order(name: str, table: pa.Table) -> pa.Table:
    """The table in its own order (``SORTED_BY``). Texts are compared by code point."""
    import pyarrow.compute as pc

    plain = {column: _plain(table.column(column)) for column in SORTED_BY[name]}
    order = pc.sort_indices(pa.table(plain), [(column, "ascending") for column in plain])
    return table.take(order)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(_TEXT) if pa.types.is_dictionary(column.type) else column


def _encoded_texts(values: pa.ChunkedArray) -> pa.DictionaryArray:
    """A dictionary (or text) column as one array with one dictionary."""
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    if not values.num_chunks:
        return column((), LABEL)
    if values.num_chunks == 1:
        return values.chunk(0)
    array = values.unify_dictionaries().combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def _numbers(array: pa.Array) -> Ints:
    """The values of an int32 array without nulls, not copied. (``to_numpy`` would import pandas,
    which takes longer than a question.)
    """
    buffer = array.buffers()[1]
    if buffer is None:
        return np.zeros(0, np.int32)
    return np.frombuffer(buffer, np.int32)[array.offset : array.offset + len(array)]


def _texts(chunks: Sequence[pa.Array]) -> Texts:
    """The texts of a column without nulls."""
    array = chunks[0] if len(chunks) == 1 else pa.concat_arrays([column((), _TEXT), *chunks])
    offsets, data = array.buffers()[1:]
    if offsets is None:
        return Texts(np.zeros(1, np.int32), b"")
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    return Texts(ends, b"" if data is None else memoryview(data))


def _flags(array: pa.Array) -> NDArray[np.bool_]:
    """The values of an array of flags without nulls."""
    buffer = array.buffers()[1]
    if buffer is None:
        return np.zeros(0, np.bool_)
    bits = np.unpackbits(np.frombuffer(buffer, np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.bool_)
