"""How much is drawn: estates, changes, messages and texts that tests make up by chance.

Every run draws others, so what one run has few of many runs have many of. ``TOPOGRAPH_DRAWS`` says
how many times as many a run draws, for one that may take longer.
"""

from __future__ import annotations

import os

_TIMES = float(os.environ.get("TOPOGRAPH_DRAWS") or 1)


def draws(usual: int) -> int:
    """How many a test draws, where ``usual`` is what a run of all tests has time for."""
    return max(1, round(usual * _TIMES))
