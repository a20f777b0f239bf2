"""The progress of an import: one line per stage, with counts and seconds."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

Progress = Callable[[str], None]


class Watch:
    """Says what is going on: one line per stage, with counts and seconds."""

    def __init__(self, progress: Progress, begun: Progress) -> None:
        self._progress = progress
        self._begun = begun
        self.seconds: dict[str, float] = {}

    def tell(self, line: str) -> None:
        """Say something that is no stage."""
        self._progress(line)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[Callable[[str], None]]:
        """A stage, which is over at the end; the function that is given takes what to say of it."""
        began = time.monotonic()
        self._begun(name)
        said: list[str] = []
        yield said.append
        took = time.monotonic() - began
        self.seconds[name] = round(took, 3)
        self._progress(f"{name}: {', '.join([*said, f'{took:.1f} s'])}")


def count(number: int, noun: str) -> str:
    """A number of things, in words.

    >>> count(1, "server"), count(1200, "server")
    ('1 server', '1,200 servers')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
