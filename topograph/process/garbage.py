"""Python's search for cyclic garbage, which looks through every object again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for cyclic garbage meanwhile: records and answers hold no cycles, and a search
    goes through all of them, which takes up to a third of the time.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


COLLECT_AFTER = (500_000, 50, 100)
"""Thresholds of the garbage collector for one command: looking through a large model for cycles
again and again takes a third of the time of an answer, and the process ends soon anyway."""


def for_one_command() -> None:
    """Have this process, which ends with one command, look for cyclic garbage seldom."""
    gc.set_threshold(*COLLECT_AFTER)


@contextmanager
def lasting() -> Iterator[None]:
    """No search meanwhile; and in a process of one command, what was made by then is never looked
    through: it stays until the process ends."""
    with collector_paused():
        try:
            yield
        finally:
            if gc.get_threshold() == COLLECT_AFTER:
                gc.freeze()
