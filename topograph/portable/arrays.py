"""Columns of numbers and of repeated texts, packed for JSON."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from topograph.digits import digits

_WIDTHS = (("u1", 0, 2**8), ("u2", 0, 2**16), ("i4", -(2**31), 2**31))


def packed(numbers: ArrayLike) -> str:
    """Integers of 32 bits as ``TYPE:COUNT:HEX`` in the narrowest of u1, u2 and i4 that holds them
    all; where all are equal as ``=:COUNT:NUMBER``. Linear.

    What stands there is how much each is larger than the one before, modulo the width: of all of
    them the lowest byte, then of all the next one. Columns of a graph are nearly sorted, so that
    these are nearly all zeros: zlib makes two fifths of them of what it makes of the numbers as
    base64.

    >>> packed([1, 2, 300])
    'u2:3:01012a000001'
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
    steps = np.diff(values, prepend=0).astype("<i8")
    planes = steps.view(np.uint8).reshape(len(values), 8)[:, : digits(kind[1], 8)].T
    return f"{kind}:{len(values)}:{planes.tobytes().hex()}"


class Texts:
    """Every text once, in order of first use: what other sections refer to by number."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.index.setdefault(str(text), len(self.index))

    def column(self, texts: Iterable[str]) -> str:
        """The numbers of some texts, packed."""
        return packed([self(text) for text in texts])
