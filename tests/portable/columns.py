"""Packed columns read back and written again, independently of topograph's own code: for faults that tests put into the data of a page."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from itertools import accumulate


def unpacked(column: str) -> list[int]:
    """The numbers of ``TYPE:COUNT:BASE64``, ``dTYPE:COUNT:BASE64`` (differences) or ``=:COUNT:NUMBER``."""
    kind, count, body = column.split(":")
    if kind == "=":
        return [int(body)] * int(count)
    letter = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "i4": "i"}[kind.removeprefix("d")]
    numbers = struct.unpack(f"<{count}{letter}", base64.b64decode(body))
    return list(accumulate(numbers)) if kind.startswith("d") else list(numbers)


def repacked(numbers: Sequence[int]) -> str:
    """The numbers in four bytes each."""
    return f"i4:{len(numbers)}:{base64.b64encode(struct.pack(f'<{len(numbers)}i', *numbers)).decode()}"
