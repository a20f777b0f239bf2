"""A thousand queue managers with fifty queues each: their import, one trace as a command, and
reach between all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from as_commands import ROUNDS
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same, timed
from processes import MIB, clocked, measure
from queue_manager_estates import queue_manager_estate, write_queue_managers

QUEUES = 50


def queue_managers(bench: Bench) -> Iterator[Row]:
    """The import and a trace as commands, the trace in turn with an empty start; the graph's
    size; hops between all, beside those of the tree.
    """
    import topograph

    number = bench.hubs
    estate = queue_manager_estate(number, QUEUES)
    files, place = bench.folder / "queue-managers", bench.folder / "queue-managers.snapshot"
    write_queue_managers(estate, files)
    objects = sum(file.read_text().count("DEFINE") for file in files.iterdir())
    title = f"{number:,} queue managers with {objects:,} objects"
    done = measure(
        [TOPOGRAPH, "import", str(files), "-o", str(place), "--neo4j", "none"], bench.environment
    )
    yield Row(f"import, {title}", "", milliseconds(done.seconds))
    yield Row("the same, peak memory of all its processes", "", f"{done.peak / MIB:,.0f} MB")

    network = topograph.open(place, engine="memory")
    points = len(network._model.parts[0].graph.points)
    yield Row(
        "the graph's points an object",
        "",
        f"{points / objects:.1f}",
        "",
        "≤ 10",
        points <= 10 * objects,
    )

    here, queue, target = max(estate.remote, key=lambda one: estate.hops(one[0], one[2]))
    command = [
        TOPOGRAPH,
        "trace",
        estate.names[here],
        "--destination",
        f"queue:{queue}",
        "-s",
        str(place),
    ]
    command += ["--engine", "memory", "--format", "json"]
    answer = json.loads(
        subprocess.run(
            command, env=bench.environment, capture_output=True, text=True, check=True
        ).stdout
    )
    way = [step["to"] for step in answer["steps"] if step["to"]]
    same("trace, where it ends", (answer["outcome"], way[-1]), ("DELIVERED", estate.names[target]))
    same("trace, hops", len(way), estate.hops(here, target))
    peer = [sys.executable, "-c", "import click, pyarrow"]
    runs = [
        (clocked(peer, bench.environment)[0], clocked(command, bench.environment)[0])
        for _ in range(ROUNDS)
    ]
    bare, ours = (min(run[which] for run in runs) for which in (0, 1))
    yield Row(
        f"topograph trace as a command, {number:,} queue managers, {len(way)} hops",
        f"python -c 'import click, pyarrow' {milliseconds(bare)}",
        milliseconds(ours),
        f"{ours / bare:.1f}x the time",
        "≤ 3x",
        ours <= 3 * bare,
    )
    peak = measure(command, bench.environment, every=0.01).own_peak
    yield Row("the same, peak memory", "", f"{peak / MIB:,.0f} MB")

    seconds, rows = timed(lambda: dict(network.within(None).hop_rows()), 1)
    place_of = {name: column for column, name in enumerate(network.server_names())}
    sampled = range(0, number, max(1, number // 50))
    for start in sampled:
        wanted = {name: estate.hops(start, end) for end, name in enumerate(estate.names)}
        found = rows[estate.names[start]]
        same("hops between all", {name: found[place_of[name]] for name in estate.names}, wanted)
    yield Row(f"hops between all {number:,} queue managers", "", milliseconds(seconds))
