"""Commands as a user runs them: the import, and a question in memory."""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator

from estates import company, write
from measuring import TOPOGRAPH, Bench, Row, milliseconds, same
from processes import MIB, measure


def importing(bench: Bench) -> Iterator[Row]:
    """The import as a command: seconds and memory of the driver, its Java and its workers together."""
    place = bench.folder / "company.snapshot"
    words = [TOPOGRAPH, "import", str(bench.files), "-o", str(place), "--neo4j", "none"]
    done = measure(words, bench.environment)
    count = 4 * len(bench.estate.servers)
    yield Row(f"import, {count:,} files", "", milliseconds(done.seconds))
    yield Row(
        "import, peak memory of all its processes",
        "",
        f"{done.peak / MIB:,.0f} MB",
        "",
        "≤ 3,072 MB",
        done.peak <= 3072 * MIB,
    )


def commands(bench: Bench) -> Iterator[Row]:
    """A question as a command, in memory."""
    bare = statistics.median(
        measure([sys.executable, "-c", "import click, pyarrow"], every=0.01).seconds for _ in range(5)
    )
    small = bench.folder / "small.snapshot"
    folder = bench.folder / "small"
    write(company(100), folder)
    bench.topograph("import", str(folder), "-o", str(small), "--neo4j", "none")
    for title, place, start, goal in (
        ("1,000 servers", small, bench.start, 3.0),
        (bench.size, bench.snapshot, bench.start, None),
    ):
        words = [TOPOGRAPH, "reach", start, "-s", str(place), "--engine", "memory", "--format", "json"]
        runs = [measure(words, bench.environment, every=0.01) for _ in range(3)]
        seconds = statistics.median(run.seconds for run in runs)
        reached = len(json.loads(runs[0].output)["servers"])
        same("reach as a command", reached, (1000 if place == small else len(bench.estate.servers)) - 1)
        yield Row(
            f"topograph reach as a command, {title}",
            f"python -c 'import click, pyarrow' {milliseconds(bare)}",
            milliseconds(seconds),
            f"{seconds / bare:.1f}x the time",
            f"≤ {goal:.0f}x" if goal else "",
            seconds / bare <= goal if goal else None,
        )
        peak = max(run.own_peak for run in runs)
        yield Row(f"the same, peak memory, {title}", "", f"{peak / MIB:,.0f} MB", "", "≤ 400 MB", peak <= 400 * MIB)
