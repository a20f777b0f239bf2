"""What one question may spend: search steps, seconds by the clock, or both. Every loop that can be
long takes a ``Budget`` and honours it.

A loop that the budget ends says what it left out: an answer that was cut is not exact, lists what
is true of what was looked at, and calls the rest undetermined. An import counts steps alone, so
that equal inputs give equal snapshots; a question counts seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

DEFAULT_STEPS = 200_000
"""Search steps where no number is given; each is at most one breadth-first search of what is
left of the network.
"""

DEFAULT_SECONDS = 10.0
"""Seconds that one question may take unless told otherwise."""


DEFAULT_ANSWERS = 400
"""Answers that a report works out beforehand unless told otherwise: a second or two in networks
of some tens of servers.
"""

PICTURE_ANSWERS = 300
"""The same of the page of a picture, which is written more often: about a second in networks
of a hundred routers."""


class BudgetSpent(Exception):
    """A loop ended because its budget was spent. Never leaves a question: the answer says what
    was cut.
    """


@dataclass
class Budget:
    """``steps`` that may be taken (None: any number), and ``seconds`` from now by ``clock``
    (None: any time).
    """

    steps: int | None = DEFAULT_STEPS
    seconds: float | None = None
    clock: Callable[[], float] = time.monotonic
    spent: bool = field(default=False, init=False)
    """Whether it has ended: from then on every ``check`` and ``spend`` raises."""

    def __post_init__(self) -> None:
        self.left = math.inf if self.steps is None else self.steps
        self._end = math.inf if self.seconds is None else self.clock() + self.seconds

    @classmethod
    def of_seconds(cls, seconds: float | None = DEFAULT_SECONDS) -> Budget:
        """Any number of steps within some seconds from now."""
        return cls(None, seconds)

    def spend(self) -> None:
        """Take one step. Raises BudgetSpent when none is left, or the time is over."""
        self.check()
        if self.left <= 0:
            self.spent = True
            raise BudgetSpent
        self.left -= 1

    def check(self) -> None:
        """Raises BudgetSpent if the budget has ended; takes no step."""
        if self.spent or self.clock() > self._end:
            self.spent = True
            raise BudgetSpent

    def goes_on(self) -> bool:
        """Whether the budget has not ended: ``check`` as a question."""
        try:
            self.check()
        except BudgetSpent:
            return False
        return True

    def takes_step(self) -> bool:
        """Whether there was a step left, which is taken: ``spend`` as a question."""
        try:
            self.spend()
        except BudgetSpent:
            return False
        return True

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end, at least a millisecond; None where time is not limited."""
        return None if self._end == math.inf else max(0.001, self._end - self.clock())

    @property
    def ended(self) -> str:
        """What an answer says of a budget that has ended."""
        if self.steps is not None and self.left <= 0:
            return f"the search ended after {self.steps:,} steps"
        return f"the search ended after {self.seconds:g} s"
