"""Tables as one run of bytes, for the cache of readings: each column compressed by itself and
unpacked when it is asked for.

::

    8 bytes    the length of the head, big-endian
    head       JSON, compressed: what was given as ``about``, and for each table its keys, the
               number of its rows and its columns: name, kind, and where its bytes lie
    columns    one behind the other

The bytes of a column are compressed with zlib. Numbers are 32 bits, little-endian, the first bytes
of all of them before the second ones, which zlib compresses much better; texts are UTF-8, after
their lengths. Nothing here needs pyarrow.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from topograph.forwarding.points import Ints, Labels
from topograph.forwarding.texts import Texts
from topograph.store.records import Column, Kind, Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

Key = tuple[str, str, str, str]
"""Name of the table, network, system and kind of fact."""

_LENGTH = 8
_LEVEL = 1
"""Of zlib: a higher one saves a tenth of the bytes and takes three times as long."""


def pack(
    about: Mapping[str, Any], tables: Iterable[tuple[Key, Mapping[str, tuple[Kind, Column]]]]
) -> bytes:
    """All tables, and what is kept about them, as bytes. Linear in the values."""
    bodies: list[bytes] = []
    heads = []
    for key, columns in tables:
        described = []
        for name, (kind, values) in columns.items():
            parts = list(_parts(kind, values))
            body = zlib.compress(b"".join(parts), _LEVEL)
            bodies.append(body)
            described.append((name, kind.value, len(body), [len(part) for part in parts]))
        heads.append((key, _rows(next(iter(columns.values()))[1]), described))
    text = json.dumps({"about": about, "tables": heads}, separators=(",", ":"))
    head = zlib.compress(text.encode(), _LEVEL)
    return b"".join((len(head).to_bytes(_LENGTH), head, *bodies))


def unpack(data: memoryview) -> tuple[Any, dict[Key, PackedTable]]:
    """What ``pack`` made: what is kept about the tables, and the tables by their keys. Linear in
    the columns; their values are unpacked later."""
    end = _LENGTH + int.from_bytes(data[:_LENGTH])
    head = json.loads(zlib.decompress(data[_LENGTH:end]))
    tables: dict[Key, PackedTable] = {}
    for (name, network, system, kind), count, described in head["tables"]:
        columns: dict[str, _Packed] = {}
        for column, holds, size, lengths in described:
            columns[column] = _Packed(Kind(holds), data[end : end + size], lengths)
            end += size
        tables[name, network, system, kind] = PackedTable(count, columns)
    return head["about"], tables


class _Packed(NamedTuple):
    """One column: its compressed bytes, and the lengths of the parts that they hold."""

    kind: Kind
    data: memoryview
    lengths: Sequence[int]


class PackedTable:
    """One table of those that ``pack`` put together (``records.Table``)."""

    def __init__(self, count: int, columns: Mapping[str, _Packed]) -> None:
        self._count = count
        self._columns = columns
        self._unpacked: dict[str, Any] = {}

    def __len__(self) -> int:
        return self._count

    def listed(self, name: str) -> list[Any]:
        """See ``Table``."""
        values = self._column(name)
        if isinstance(values, Labels):
            return values.texts()
        if isinstance(values, Lists):
            starts, numbers = values.starts.tolist(), values.values.tolist()
            return [numbers[at:end] for at, end in pairwise(starts)]
        found: list[Any] = values.tolist() if isinstance(values, np.ndarray) else list(values)
        return found

    def texts(self, name: str) -> Texts:
        """See ``Table``."""
        found: Texts = self._column(name)
        return found

    def labels(self, name: str) -> Labels:
        """See ``Table``."""
        values = self._column(name)
        return values if isinstance(values, Labels) else Labels.of(values, len(values))

    def flags(self, name: str) -> NDArray[np.bool_]:
        """See ``Table``."""
        return np.array(self._column(name), np.bool_)

    def numbers(self, name: str) -> Ints:
        """See ``Table``."""
        found: Ints = self._column(name)
        return found

    def lists(self, name: str) -> Lists:
        """See ``Table``."""
        found: Lists = self._column(name)
        return found

    def chosen(self, name: str, rows: NDArray[np.int64]) -> list[Any]:
        """See ``Table``."""
        values = self._column(name)
        if isinstance(values, Labels):
            return list(map(values.values.__getitem__, values.codes[rows].tolist()))
        if isinstance(values, np.ndarray):
            numbers: list[Any] = values[rows].tolist()
            return numbers
        return [values[row] for row in rows.tolist()]

    def _column(self, name: str) -> Any:
        if name not in self._unpacked:
            self._unpacked[name] = _unpacked(self._columns[name])
        return self._unpacked[name]


def _rows(values: Column) -> int:
    return len(values.codes) if isinstance(values, Labels) else len(values)


def _parts(kind: Kind, values: Column) -> Iterator[bytes]:
    """The bytes of a column, in the parts that ``_unpacked`` takes."""
    if isinstance(values, Labels):
        yield _bytes_of(values.codes)
        yield from _parts(Kind.TEXT, values.values)
    elif isinstance(values, Lists):
        yield _bytes_of(np.diff(values.starts))
        yield _bytes_of(values.values[values.starts[0] : values.starts[-1]])
    elif isinstance(values, np.ndarray):
        yield _bytes_of(values)
    elif kind is Kind.FLAG:
        yield bytes(values)  # type: ignore[arg-type]
    else:
        encoded = [text.encode() for text in values]  # type: ignore[union-attr]
        yield _bytes_of(np.fromiter(map(len, encoded), np.int64, len(encoded)))
        yield b"".join(encoded)


def _unpacked(packed: _Packed) -> Column:
    data = zlib.decompress(packed.data)
    ends = [0, *accumulate(packed.lengths)]
    parts = [data[at:end] for at, end in pairwise(ends)]
    if packed.kind is Kind.LABEL:
        return Labels(_ints_of(parts[0]), tuple(_texts_of(*parts[1:])))
    if packed.kind is Kind.NUMBERS:
        return Lists(_from_lengths(parts[0]), _ints_of(parts[1]))
    if packed.kind is Kind.NUMBER:
        return _ints_of(parts[0])
    if packed.kind is Kind.FLAG:
        return [bool(value) for value in parts[0]]
    return _texts_of(*parts)


def _texts_of(lengths: bytes, data: bytes) -> Texts:
    return Texts(_from_lengths(lengths), data)


def _from_lengths(data: bytes) -> NDArray[np.int64]:
    """Where each of some values begins, and the end of the last, from their lengths."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(_ints_of(data), dtype=np.int64)])


def _bytes_of(values: NDArray[Any]) -> bytes:
    """Numbers as bytes: the lowest byte of each, then the next ones. Raises OverflowError for one
    of more than 32 bits."""
    if len(values) and int(values.max()) > np.iinfo(np.int32).max:
        raise OverflowError("a number of more than 32 bits")
    return np.ascontiguousarray(values, "<i4").view(np.uint8).reshape(-1, 4).T.tobytes()


def _ints_of(data: bytes) -> Ints:
    """The numbers that ``_bytes_of`` made bytes of."""
    planes = np.frombuffer(data, np.uint8).reshape(4, -1)
    return np.ascontiguousarray(planes.T).view("<i4").reshape(-1).astype(np.int32, copy=False)
