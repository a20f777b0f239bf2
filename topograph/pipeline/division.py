"""How the files and bundles of an import are divided among workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from numpy.typing import NDArray

Item = TypeVar("Item")

_CHUNK = 128
"""Files or bundles that one row stands for at most: what one worker takes at a time, so that
members of one archive stay together.
"""

_CHUNK_BYTES = 2**20
"""Bytes of files after which a row ends: large ones are divided among the cores one by one."""

CHUNKS_PER_CORE = 2
"""Rows a core where there is little to do: a task costs more than a hundred small files."""


def chunked(
    items: Sequence[Item],
    size: Callable[[Item], int],
    wanted: int,
    count: Callable[[Item], int] = lambda _: 1,
) -> list[list[Item]]:
    """Items in lists, in their order: about ``wanted`` ones where they are few and small, more
    where one would hold more than ``_CHUNK`` items or go on behind ``_CHUNK_BYTES``; ``count`` says
    how many an item stands for. Linear."""
    found = iter(items)
    ends = divided([*map(size, items)], wanted, [*map(count, items)])
    return [[next(found) for _ in range(length)] for length in ends]


def divided(
    sizes: Sequence[int] | NDArray[Any], wanted: int, counts: Sequence[int] | None = None
) -> list[int]:
    """How many items of these sizes each list has; as ``chunked``."""
    total = len(sizes) if counts is None else sum(counts)
    most = max(1, min(_CHUNK, -(-total // wanted)))
    lengths: list[int] = []
    room, filled = 0, 0
    for at, size in enumerate(sizes):
        if room <= 0 or filled >= _CHUNK_BYTES:
            lengths.append(0)
            room, filled = most, 0
        lengths[-1] += 1
        room -= 1 if counts is None else counts[at]
        filled += int(size)
    return lengths
