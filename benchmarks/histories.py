"""The history of 1,000 commits of 100 EMS servers, and the commit that broke a delivery, which was
planted: both as commands, with what they say compared with what was planted.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

from measurement import Bench, Row, same

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from drawn.histories import planted

COMMITS, SERVERS = 1_000, 100
GOAL_HISTORY, GOAL_BISECT = 300.0, 10.0
"""Seconds."""


def histories(bench: Bench, commits: int = COMMITS, servers: int = SERVERS) -> Iterator[Row]:
    """The repository is written once; every commit in which the delivery is lost was planted."""
    folder = bench.folder / "history"
    made = planted(folder, commits, servers, 1)
    place, page = str(folder / "conf"), bench.folder / "history.html"
    asked = ("--most", str(commits), "-o", str(page), "--format", "json")
    seconds, said = _taken(bench, "history", place, *asked)
    told = json.loads(said)["commits"]
    names = [one["commit"]["commit"] for one in told]
    same("the commits", names, [one for one in made.commits if one in {*names}])
    (bad,) = (one for one in told if one["commit"]["commit"] == made.first_bad)
    same("what the planted commit does", bad["result"], "changed")
    size = page.stat().st_size / 1_000_000
    what = f"topograph history, {commits:,} commits of {servers:,} servers, drawn ({size:.1f} MB)"
    yield Row(what, "", f"{seconds:.0f} s", "", f"≤ {GOAL_HISTORY:.0f} s", seconds <= GOAL_HISTORY)
    ends = ("--good", made.commits[0], "--bad", "main", "--expect", made.expect)
    seconds, said = _taken(bench, "bisect", place, *ends, "--format", "json")
    found = json.loads(said)
    same("the commit", found["first_bad"]["commit"], made.first_bad)
    same("the files", {one["source"]["file"] for one in found["culprits"]}, {made.file})
    what = f"topograph bisect over the same, {len(found['tested'])} commits judged"
    yield Row(what, "", f"{seconds:.1f} s", "", f"≤ {GOAL_BISECT:.0f} s", seconds <= GOAL_BISECT)


def _taken(bench: Bench, *words: str) -> tuple[float, str]:
    """Seconds of the processor that a command takes with what it starts, and what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = bench.topograph(*words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said
