"""Packed columns read back and written again, independently of topograph's own code: for faults that tests put into the data of a page."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence


def unpacked(column: str) -> list[int]:
    """The numbers of ``TYPE:COUNT:BASE64`` or ``=:COUNT:NUMBER``."""
    kind, count, body = column.split(":")
    if kind == "=":
        return [int(body)] * int(count)
    letter = {"u1": "B", "u2": "H", "i4": "i"}[kind]
    return list(struct.unpack(f"<{count}{letter}", base64.b64decode(body)))


def repacked(numbers: Sequence[int]) -> str:
    """The numbers in four bytes each."""
    return f"i4:{len(numbers)}:{base64.b64encode(struct.pack(f'<{len(numbers)}i', *numbers)).decode()}"
