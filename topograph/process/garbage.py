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
