"""How much is drawn: estates, changes, messages and texts that tests make up by chance.

Every run draws others, so what one run has few of many runs have many of. ``TOPOGRAPH_DRAWS`` says
how many times as many a run draws, for one that may take longer.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_TIMES = float(os.environ.get("TOPOGRAPH_DRAWS") or 1)


def draws(usual: int) -> int:
    """How many a test draws, where ``usual`` is what a run of all tests has time for."""
    return max(1, round(usual * _TIMES))


def some(values: Sequence[T], usual: int) -> list[T]:
    """So many of some values (``draws``), by chance, in their order; all where there are fewer."""
    chosen = random.sample(range(len(values)), min(len(values), draws(usual)))
    return [values[at] for at in sorted(chosen)]
