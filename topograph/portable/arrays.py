"""Columns of numbers and of repeated texts, packed for JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

_WIDTHS = (("u1", 0, 2**8), ("i1", -(2**7), 2**7), ("u2", 0, 2**16), ("i2", -(2**15), 2**15), ("i4", -(2**31), 2**31))


def packed(numbers: ArrayLike) -> str:
    """Integers of 32 bits as ``TYPE:COUNT:BASE64``, little-endian in the narrowest type that holds them all; with a ``d`` before the type what is packed
    are the differences from one to the next, where those are narrower. Where all are equal ``=:COUNT:NUMBER``. Linear.

    >>> packed([1, 2, 300])
    'u2:3:AQACACwB'
    >>> packed([0, 200, 400])
    'du1:3:AMjI'
    >>> packed([7, 7])
    '=:2:7'
    """
    values = np.asarray(numbers, np.int64)
    if not len(values):
        return "=:0:0"
    low, high = int(values.min()), int(values.max())
    if low == high:
        return f"=:{len(values)}:{low}"
    kind = _narrowest(values)
    steps = np.diff(values, prepend=0)
    between = _narrowest(steps)
    if _size(between) < _size(kind):
        return f"d{_written(steps, between)}"
    return _written(values, kind)


def _narrowest(values: NDArray[np.int64]) -> str:
    low, high = int(values.min()), int(values.max())
    return next(kind for kind, least, bound in _WIDTHS if least <= low and high < bound)


def _size(kind: str) -> int:
    return int(kind[1:])


def _written(values: NDArray[np.int64], kind: str) -> str:
    text = base64.b64encode(values.astype(f"<{kind}").tobytes()).decode("ascii")
    return f"{kind}:{len(values)}:{text}"


class Texts:
    """Every text once, in order of first use: what other sections refer to by number."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.index.setdefault(str(text), len(self.index))

    def column(self, texts: Iterable[str]) -> str:
        """The numbers of some texts, packed."""
        return packed([self(text) for text in texts])
