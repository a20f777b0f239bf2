"""Commands as a user runs them: imports of growing estates, and a question in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from estates import Estate, company, write
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same
from peers import Peer
from processes import MIB, clocked, measure

ROUNDS = 7
"""Times that commands are run in turn; the best of each counts, because a busy machine only
adds.
"""


FIXED_SECONDS = 8.0
FILES_A_SECOND = 3_000


def importing(bench: Bench) -> Iterator[Row]:
    """The import as a command: seconds and, in another run, memory of the driver, its Java and its
    workers together, as files grow tenfold; files a second beyond the smallest, which takes little
    more than Spark needs to start. To watch the memory takes a tenth of the time of an import."""
    before: list[tuple[int, float, int]] = []
    for hubs in sorted({max(1, bench.hubs // 100), max(1, bench.hubs // 10), bench.hubs}):
        files, place = bench.folder / f"growing-{hubs}", bench.folder / f"growing-{hubs}.snapshot"
        if hubs == bench.hubs:
            files, place = bench.files, bench.folder / "company.snapshot"
        else:
            write(company(hubs), files)
        command = [TOPOGRAPH, "import", str(files), "-o", str(place), "--neo4j", "none", "-q"]
        seconds, _ = clocked(command, bench.environment)
        peak = measure(command, bench.environment).peak
        count = 40 * hubs
        title = f"import, {count:,} files"
        fixed = (f"≤ {FIXED_SECONDS:.0f} s", seconds <= FIXED_SECONDS) if not before else ("", None)
        yield Row(
            title,
            "",
            f"{milliseconds(seconds)}, {seconds / count * 1000:,.1f} ms a file",
            "",
            *fixed,
        )
        goal = ("≤ 3,072 MB", peak <= 3072 * MIB) if hubs == bench.hubs else ("", None)
        yield Row(
            f"{title}, peak memory of all its processes",
            "",
            f"{peak / MIB:,.0f} MB",
            "",
            *goal,
        )
        if before and hubs == bench.hubs:
            (least, start, _), (fewer, tenth, tenth_peak) = before[0], before[-1]
            slower = seconds / count / (tenth / fewer)
            larger = peak / tenth_peak
            rate = (count - least) / max(seconds - start, 0.001)
            yield Row(
                "files a second behind the fixed part",
                "",
                f"{rate:,.0f}",
                "",
                f"≥ {FILES_A_SECOND:,}",
                rate >= FILES_A_SECOND,
            )
            yield Row(
                "the time a file",
                f"with {fewer:,} files",
                "",
                f"{slower:.2f}x",
                "≤ 1x",
                slower <= 1,
            )
            yield Row(
                "the peak memory",
                f"with {fewer:,} files",
                "",
                f"{larger:.2f}x",
                "≤ 1.5x",
                larger <= 1.5,
            )
        before.append((count, seconds, peak))


def commands(bench: Bench) -> Iterator[Row]:
    """A question as a command, in memory, in both forms; it takes turns with its peer."""
    peer = [sys.executable, "-c", "import click, pyarrow"]
    for place, estate, goal in (
        (bench.tenth_snapshot, bench.tenth, 3.0),
        (bench.snapshot, bench.estate, None),
    ):
        start, title = (
            estate.servers[1],
            f"topograph reach as a command, {len(estate.servers):,} servers",
        )
        words = {form: _reach(start, place, form) for form in ("text", "json")}
        _same_servers(bench, estate, start, words["json"])
        runs = [
            {
                form: clocked(command, bench.environment)
                for form, command in {"peer": peer, **words}.items()
            }
            for _ in range(ROUNDS if goal else 3)
        ]
        bare, bare_used = (min(run["peer"][which] for run in runs) for which in (0, 1))
        for form in words:
            seconds, used = (min(run[form][which] for run in runs) for which in (0, 1))
            ratio = seconds / bare
            yield Row(
                f"{title}, --format {form}",
                f"python -c 'import click, pyarrow' {milliseconds(bare)}",
                milliseconds(seconds),
                f"{ratio:.1f}x the time, {used / bare_used:.1f}x the processor's",
                f"≤ {goal:.0f}x" if goal else "",
                ratio <= goal if goal else None,
            )
        peak = measure(words["json"], bench.environment, every=0.01).own_peak
        yield Row(
            f"{title}, peak memory", "", f"{peak / MIB:,.0f} MB", "", "≤ 400 MB", peak <= 400 * MIB
        )


def without_import(bench: Bench) -> Iterator[Row]:
    """A question as a command on a folder that was not imported: the first time, and again out
    of the cache beside a snapshot.
    """
    few = company(_SMALL_HUBS)
    small, small_snapshot = bench.folder / "few", bench.folder / "few.snapshot"
    write(few, small)
    bench.topograph("import", str(small), "-o", str(small_snapshot), "--neo4j", "none")
    for estate, files, snapshot, goal in (
        (few, small, small_snapshot, 1.0),
        (bench.tenth, bench.tenth_files, bench.tenth_snapshot, 2.0),
    ):
        start, title = (
            estate.servers[1],
            f"topograph reach on a folder of {4 * len(estate.servers):,} files",
        )
        asked, of_snapshot = _reach(start, files, "text"), _reach(start, snapshot, "text")
        _same_servers(bench, estate, start, _reach(start, files, "json"))
        runs = []
        for number in range(ROUNDS):
            own = {
                **bench.environment,
                "XDG_CACHE_HOME": str(bench.folder / f"cache-{len(estate.servers)}-{number}"),
            }
            runs.append([clocked(asked, own), clocked(asked, own), clocked(of_snapshot, own)])
        (first, again, peer), used = (
            [min(each[which] for each in run) for run in zip(*runs, strict=True)]
            for which in (0, 1)
        )
        ours = f"{milliseconds(first)}, {milliseconds(used[0])} of the processor"
        yield Row(f"{title}, not read before", "", ours, "", f"≤ {goal:.0f} s", first <= goal)
        yield Row(
            f"{title}, again",
            f"on its snapshot {milliseconds(peer)}",
            milliseconds(again),
            f"{again / peer:.2f}x the time, {used[1] / used[2]:.2f}x the processor's",
            "≤ 1.5x",
            again <= 1.5 * peer,
        )


_SMALL_HUBS = 3
"""30 servers in 120 files."""


def _reach(start: str, snapshot: Path, form: str) -> list[str]:
    return [TOPOGRAPH, "reach", start, "-s", str(snapshot), "--engine", "memory", "--format", form]


def _same_servers(bench: Bench, estate: Estate, start: str, command: list[str]) -> None:
    """Compare the answer with the peer's; this also leaves everything compiled and read once."""
    done = subprocess.run(
        command, env=bench.environment, capture_output=True, text=True, check=True
    )
    hops = {entry["server"]: entry["hops"] for entry in json.loads(done.stdout)["servers"]}
    peer = Peer(estate)
    same(
        "reach as a command",
        hops,
        {peer.server_of[node]: far for node, far in peer.lengths(start).items() if far},
    )
