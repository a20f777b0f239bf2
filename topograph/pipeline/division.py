"""How the files and bundles of an import are divided among workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_CHUNK = 128
"""Files or bundles that one row stands for at most: what one worker takes at a time, so that
members of one archive stay together.
"""

_CHUNK_BYTES = 2**20
"""Bytes of files after which a row ends: large ones are divided among the cores one by one."""

CHUNKS_PER_CORE = 2
"""Rows a core where there is little to do: a task costs more than a hundred small files."""


def chunked(items: Sequence[Item], size: Callable[[Item], int], wanted: int) -> list[list[Item]]:
    """Items in lists, in their order: about ``wanted`` ones where they are few and small, more
    where one would hold more than ``_CHUNK`` items or go on behind ``_CHUNK_BYTES``. Linear."""
    most = max(1, min(_CHUNK, -(-len(items) // wanted)))
    lists: list[list[Item]] = []
    room, filled = 0, 0
    for item in items:
        if room == 0 or filled >= _CHUNK_BYTES:
            lists.append([])
            room, filled = most, 0
        lists[-1].append(item)
        room -= 1
        filled += size(item)
    return lists
