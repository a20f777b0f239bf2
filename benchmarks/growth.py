"""How every command grows with the estate: seconds of the processor and memory at each size, and
the exponent between sizes, taken against what a command reads and writes (the bytes of the files
and of the answer).

Commands are run as a user runs them, with their default budget, on a snapshot (EMS) or on a folder
that was read before (the others). An answer that the budget cut is marked.
"""

from __future__ import annotations

import math
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from growing import BY_LINE, FILES, KINDS, PAGES, Grown, in_folder
from measurement import TOPOGRAPH, Bench, Row
from processes import MIB, high_water

LINEAR = 1.2
"""The exponent that no command should exceed."""
SECONDS, MEMORY, AT = 2.0, 500 * MIB, 1_000
"""Seconds of the processor and bytes that no command should take at so many servers."""
START = 0.3
"""Seconds that the start of a command takes, about: the rest is what grows."""
NOISE = 0.25
"""Seconds above those of the start from which on an exponent says something."""
LONGEST = 300
"""Seconds after which a command is ended."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one run took: seconds of the processor, the bytes that it had at most, the bytes that it
    wrote, and whether its budget cut the answer (None: it was ended)."""

    seconds: float
    peak: int
    written: int
    cut: bool | None


@dataclass(frozen=True, slots=True)
class Sized:
    """An estate of one size: where it is, the bytes of its files, and the words of each command
    by its title."""

    servers: int
    place: Path
    bytes: int
    commands: Mapping[str, Sequence[str]]


def growth(bench: Bench) -> Iterator[Row]:
    """A row a command and size. ``--hubs`` limits the sizes: ten servers each."""
    for title, (all_sizes, _, writer) in KINDS.items():
        sizes = [one for one in all_sizes if one <= max(10, 10 * bench.hubs)]
        before: dict[str, tuple[int, float]] = {}
        for size in sizes:
            made = _sized(bench, title, size, writer)
            for name, words in made.commands.items():
                taken = run([*words, "-s", str(made.place)], bench.environment)
                yield _row(f"{title}, {name}, {made.servers:,}", made, taken, before, name)


def _row(
    work: str, made: Sized, taken: Taken, before: dict[str, tuple[int, float]], name: str
) -> Row:
    """The line of one run. ``before`` has the bytes and seconds of the size before."""
    size, above = made.bytes + taken.written, taken.seconds - START
    exponent = ""
    met = True
    if name in before and above > NOISE:
        smaller, seconds = before[name]
        grown = math.log(above / max(seconds, NOISE)) / math.log(size / smaller)
        exponent = f"n^{grown:.1f}"
        met = grown <= LINEAR
    before[name] = (size, above)
    cut = {None: f", ended after {LONGEST} s", True: ", cut by the budget", False: ""}[taken.cut]
    met = met and taken.cut is False
    if made.servers <= AT:
        met = met and taken.seconds <= SECONDS and taken.peak <= MEMORY
    ours = f"{taken.seconds:.2f} s, {taken.peak / MIB:,.0f} MB{cut}"
    return Row(work, f"{size / 1e6:,.1f} MB", ours, exponent, f"≤ n^{LINEAR}", met)


def run(words: Sequence[str], environment: dict[str, str]) -> Taken:
    """Run a command once and look at what it took. Raises CalledProcessError if it fails."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [TOPOGRAPH, *words], env=environment, stdout=output, stderr=subprocess.DEVNULL
        )
        ended, peak = False, 0
        while True:
            peak = max(peak, high_water(process.pid))
            number, status, used = os.wait4(process.pid, os.WNOHANG)
            if number:
                break
            if not ended and time.perf_counter() - start > LONGEST:
                process.kill()
                ended = True
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        if not ended and process.returncode not in (0, 1):
            raise subprocess.CalledProcessError(process.returncode, words)
        written = output.tell()
        output.seek(0)
        # Line by line: an answer may have gigabytes.
        cut = None if ended else any(b"(--budget)" in line for line in output)
    return Taken(used.ru_utime + used.ru_stime, peak, written, cut)


def _bytes(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


def _sized(bench: Bench, title: str, size: int, made: Grown) -> Sized:
    folder = bench.folder / f"growth-{title.replace(' ', '-')}-{size}"
    folder.mkdir()
    asked = {name: in_folder(words, folder) for name, words in made(size, folder).items()}
    place = files = folder / FILES
    if title == "EMS":
        place = folder / "snapshot"
        bench.topograph("import", str(files), "-o", str(place), "--neo4j", "none")
    commands = {
        name: (
            [*words, "-o", str(folder / "page.html")]
            if name in PAGES
            else [*words, "--format", "jsonl" if name in BY_LINE else "json"]
        )
        for name, words in asked.items()
    }
    return Sized(size, place, _bytes(files), commands)
