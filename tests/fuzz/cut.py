"""A budget that ends at any point of any question about any estate: the answer is the whole one
wherever it says that it is exact, and else says that it was cut; a gate that was cut is not open.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ending_budgets import FOR_EVER, ending_after


def cut(ask: Callable[[], Any], at: random.Random) -> int:
    """Ask with a budget without an end and with some that end; how many of the answers were cut.
    Raises AssertionError for one that claims too much."""
    with ending_after(FOR_EVER) as clocks:
        answer = ask()
    whole, violation = answer.to_dict(), answer.violation
    looks = max((clock.looks for clock in clocks), default=0)
    many = 0
    for _ in range(2):
        ends = at.choice((0.5, 1, 2, at.uniform(0, looks), looks - 1))
        with ending_after(ends):
            other = ask()
        told = other.to_dict()
        causes = {one["cause"] for one in told.get("inexact_because", ())}
        if told["exact"] or "budget" not in causes:
            assert told == whole, f"cut after {ends:g} of {looks} looks, and not marked"
            continue
        many += 1
        assert violation <= other.violation, f"a gate is open after {ends:g} of {looks} looks"
    with ending_after(FOR_EVER):
        assert ask().to_dict() == whole, "a cut answer changed the next one"
    return many
