"""Arrow columns out of Python and numpy values, built from their buffers.

``pyarrow.array`` would do the same, and imports pandas first, where that is installed: half a
second, longer than most questions take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa

from topograph.forwarding.points import Ints

LABEL = pa.dictionary(pa.int32(), pa.string())
"""Texts that repeat: each once, and its number in every row."""


def column(values: Sequence[object], type_: pa.DataType) -> pa.Array:
    """A column without nulls of texts, bytes, labels, flags, 32-bit numbers or lists of those.
    Linear.

    Raises UnicodeEncodeError for a text with lone surrogates, OverflowError for a number that is
    too large, TypeError for another type."""
    if type_ == LABEL:
        numbers: dict[object, int] = {}
        codes = np.fromiter(
            (numbers.setdefault(value, len(numbers)) for value in values), np.int32, len(values)
        )
        return labels(codes, list(numbers))
    if type_ in (pa.string(), pa.binary()):
        return _texts(values, type_)  # type: ignore[arg-type]
    if type_ == pa.bool_():
        bits = np.packbits(np.fromiter(values, np.bool_, len(values)), bitorder="little")
        return pa.Array.from_buffers(type_, len(values), [None, pa.py_buffer(bits)])
    if type_ == pa.int32():
        return integers(np.fromiter(values, np.int32, len(values)))
    if type_ == pa.list_(pa.int32()):
        return lists(_offsets(values), np.fromiter(chain.from_iterable(values), np.int32))  # type: ignore[arg-type]
    raise TypeError(f"no columns of {type_} are made here")


def integers(values: Ints) -> pa.Array:
    """An int32 column of numpy values, not copied where they are int32 in a row."""
    return pa.Array.from_buffers(
        pa.int32(), len(values), [None, pa.py_buffer(np.ascontiguousarray(values, np.int32))]
    )


def labels(codes: Ints, values: Sequence[object]) -> pa.Array:
    """A column of texts that repeat: the number of each row's text among ``values``."""
    return pa.DictionaryArray.from_arrays(integers(codes), _texts(values, pa.string()))  # type: ignore[arg-type]


def lists(starts: Ints, values: Ints) -> pa.Array:
    """A column of lists of numbers: row i holds ``values`` from ``starts[i]`` to ``starts[i +
    1]``.
    """
    return pa.ListArray.from_arrays(integers(starts), integers(values))


def _texts(values: Sequence[str] | Sequence[bytes], type_: pa.DataType) -> pa.Array:
    encoded: list[bytes] = [value.encode() if isinstance(value, str) else value for value in values]
    buffers = [None, pa.py_buffer(_offsets(encoded)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(type_, len(encoded), buffers)


def _offsets(values: Iterable[Sequence[object]]) -> Ints:
    """Where each value begins if they lie one behind the other, and the end of the last. Raises
    OverflowError beyond 2 GB.
    """
    ends = np.cumsum(np.fromiter(map(len, values), np.int64))
    if len(ends) and ends[-1] > np.iinfo(np.int32).max:
        raise OverflowError("more than 2 GB in one column")
    return np.concatenate([np.zeros(1, np.int32), ends.astype(np.int32)])
