"""Budgets that end after so many looks at the clock, instead of after seconds: at any point of a
search, the same one each time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from unittest import mock

from topograph.forwarding.budget import Budget

FOR_EVER = 1e12


class Clock:
    """A clock that goes on by one second each time it is looked at."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


@contextlib.contextmanager
def ending_after(looks: float) -> Iterator[list[Clock]]:
    """Every budget that begins in the block ends once its clock has been looked at so often."""
    clocks: list[Clock] = []

    def ticking(cls: type[Budget], seconds: float | None = None) -> Budget:
        clocks.append(Clock())
        return cls(None, looks, clocks[-1])

    with mock.patch.object(Budget, "of_seconds", classmethod(ticking)):
        yield clocks
