"""Columns of numbers and of repeated texts, packed for JSON."""

from __future__ import annotations

import base64
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

_WIDTHS = (("u1", 0, 2**8), ("u2", 0, 2**16), ("i4", -(2**31), 2**31))


def packed(numbers: ArrayLike) -> str:
    """Integers as ``TYPE:COUNT:BASE64``, little-endian in the narrowest of u1, u2 and i4 that holds them all; where all are equal as
    ``=:COUNT:NUMBER``. Linear.

    >>> packed([1, 2, 300])
    'u2:3:AQACACwB'
    >>> packed([7, 7])
    '=:2:7'
    """
    values = np.asarray(numbers, np.int64)
    if not len(values):
        return "=:0:0"
    low, high = int(values.min()), int(values.max())
    if low == high:
        return f"=:{len(values)}:{low}"
    kind = next(kind for kind, least, bound in _WIDTHS if least <= low and high < bound)
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
