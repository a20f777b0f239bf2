"""``./dev fuzz``: random inputs for a given time, in one process: files for every reader, and whole
estates that are read, asked, changed, drawn and followed through a history. At the end stands what
was done, and what went wrong by cause; a failing input is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import itertools
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from fuzz.estates import Estate, written
from fuzz.inputs import changed, pumped
from fuzz.targets import TARGETS, run
from fuzz.whole import Counts, Tried, cause_of
from hypothesis import HealthCheck, given, seed, settings

KEPT = Path(__file__).resolve().parents[2] / "build" / "fuzz"
BATCH = 50
PUMPED = 3
READERS = 0.25
"""The share of the time that files of one reader get."""


class Fuzz:
    """A run: its counts, and what it keeps."""

    def __init__(self, seconds: float, first: int) -> None:
        self._ends = time.monotonic() + seconds
        self._first = first
        self.files: Counter[str] = Counter()
        self.estates = Counts()
        self.stopped = False

    def run(self) -> None:
        """Readers and estates in turn until the time is up, or Ctrl-C."""
        of_readers = of_estates = 0.0
        batches = (
            (number, name) for number in itertools.count(self._first) for name in sorted(TARGETS)
        )
        numbers = itertools.count(self._first)
        while time.monotonic() < self._ends and not self.stopped:
            began = time.monotonic()
            if of_readers <= READERS * (of_readers + of_estates):
                self._batch(*next(batches))
                of_readers += time.monotonic() - began
            else:
                Tried(next(numbers), self.estates, self._keep).run()
                of_estates += time.monotonic() - began

    def _batch(self, number: int, name: str) -> None:
        failing = b""

        def target(data: bytes) -> None:
            nonlocal failing
            self.files[name] += 1
            try:
                run(name, data)
            except BaseException:
                failing = data
                raise

        search = settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        try:
            # what hypothesis says of a failure is in the report of it
            with contextlib.redirect_stdout(io.StringIO()):
                seed(number)(search(given(changed(name))(target)))()
            at = random.Random(f"{name} {number}")
            for _ in range(PUMPED):
                target(pumped(name, at))
        except Exception as error:
            self.estates.causes[f"{name}: {cause_of(error)}"] += 1
            self._keep(name, Estate({name: failing}), error)

    def _keep(self, what: str, estate: Estate, error: BaseException) -> None:
        """Keep the files of a failure, the first of each cause."""
        cause = f"{what.partition(' ')[0]}: {cause_of(error)}"
        place = KEPT / hashlib.sha256(cause.encode()).hexdigest()[:12]
        if place.exists():
            return
        place.mkdir(parents=True)
        with contextlib.suppress(OSError, ValueError):
            written(estate.files, place / "files")
        told = "".join(traceback.format_exception(error))
        (place / "why.txt").write_text(f"{what}\n\n{cause}\n\n{told}", "utf-8", "backslashreplace")

    def said(self) -> str:
        """What was done and what went wrong."""
        counts = self.estates
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        lines = [
            f"{sum(self.files.values())} files for {len(self.files)} readers",
            f"{counts.inputs} estates, {counts.questions} questions and changes; "
            f"{counts.refused} were refused with what to do",
            "done: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.done.items())),
            f"the longest took {counts.slowest[0]:.1f} s of processor time: "
            f"{counts.slowest[1][:200]}",
            f"most memory: {memory} MiB",
            f"{sum(counts.causes.values())} failures of {len(counts.causes)} causes",
            *(f"  {n:6}  {cause}" for cause, n in counts.causes.most_common()),
        ]
        if counts.causes:
            lines.append(f"An input of each is below {KEPT}.")
        return "\n".join(lines)


def main(words: list[str] | None = None) -> int:
    """Run for the time that is asked for; 1 where anything went wrong."""
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=600.0)
    parser.add_argument("--minutes", type=float, help="the time in minutes instead of seconds")
    parser.add_argument("--first", type=int, default=1, help="the number of the first estate")
    asked = parser.parse_args(words)
    fuzz = Fuzz(asked.seconds if asked.minutes is None else 60 * asked.minutes, asked.first)
    # so that what was counted is told
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: setattr(fuzz, "stopped", True))
    os.environ["TOPOGRAPH_HOME"] = str(KEPT / "home")
    fuzz.run()
    print(fuzz.said())
    return 1 if fuzz.estates.causes else 0


if __name__ == "__main__":
    sys.exit(main())
