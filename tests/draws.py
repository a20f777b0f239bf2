"""How much is drawn: estates, changes, messages and texts that tests make up by chance.

Every run draws others, so what one run has few of many runs have many of. ``TOPOGRAPH_DRAWS`` says
how many times as many a run draws, for one that may take longer.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID")
"""What all processes of a run call it; None in a run of one process."""

_TIMES = float(os.environ.get("TOPOGRAPH_DRAWS") or 1)


def draws(usual: int) -> int:
    """How many a test draws, where ``usual`` is what a run of all tests has time for."""
    return max(1, round(usual * _TIMES))


def some(values: Sequence[T], usual: int) -> list[T]:
    """So many of some values (``draws``), by chance, in their order; all where there are fewer."""
    chosen = random.sample(range(len(values)), min(len(values), draws(usual)))
    return [values[at] for at in sorted(chosen)]


def share(values: Iterable[T], of: int) -> list[T]:
    """One in ``of`` of the cases of a test, by chance, in their order: in a run in several
    processes, as that of all tests, which agree on them. All in any other run, where each can be
    asked for by its name."""
    cases = list(values)
    if _RUN is None or of <= _TIMES:
        return cases
    chosen = random.Random(f"{_RUN} {len(cases)} {of}").sample(
        range(len(cases)), math.ceil(len(cases) * _TIMES / of)
    )
    return [cases[at] for at in sorted(chosen)]
