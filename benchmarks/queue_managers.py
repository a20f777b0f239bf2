"""A thousand queue managers with fifty queues each: their import, one trace as a command, reach
between all of them, and what every single failure does.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator

from as_commands import ROUNDS
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same, timed
from processes import MIB, clocked, measure
from queue_manager_estates import queue_manager_estate, write_queue_managers

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.message import DestinationName, Message
from topograph.network import Network
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.estate import SteppingEstate
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.endings import SharedEndings
from topograph.tracing.states import Systems

QUEUES = 50

SAMPLE = 1
"""Failures that are worked out anew beside the worst and the least."""


def queue_managers(bench: Bench) -> Iterator[Row]:
    """The import and a trace as commands, the trace in turn with an empty start; the graph's
    size; hops between all, beside those of the tree.
    """
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
    yield swept(topograph.read(files))


def swept(network: Network) -> Row:
    """Every single failure, beside following all messages anew for each: for a sample, of the
    worst, the least and others at random, whose time for all is theirs times as many.
    """
    (part,) = network._model.parts
    estate = part.estate
    assert isinstance(estate, SteppingEstate)
    walker = MemoryEngine(part.graph)
    seconds, found = timed(lambda: estate.failures(part.graph, walker).sweep(Budget(None)), 1)
    if found.not_counted:
        raise AssertionError(f"{len(found.not_counted)} failures were not counted")
    rows = [row for row in found.counted if row.failed.startswith("server:")]
    chosen = [rows[0], rows[-1], *random.Random(1).sample(rows[1:-1], SAMPLE)]
    before = _endings(estate.systems)
    began = time.perf_counter()
    peer = {row.failed: _counted(estate, before, row.failed) for row in chosen}
    whole = (time.perf_counter() - began) / len(chosen) * len(found.counted)
    same("sweep", {row.failed: (row.lost, row.changed) for row in chosen}, peer)
    return Row(
        f"every single failure, {len(found.counted):,}",
        f"all messages followed anew for each, {whole:,.0f} s by {len(chosen)} of them",
        milliseconds(seconds),
        f"{whole / seconds:,.0f}x",
        "≥ 100x",
        whole / seconds >= 100,
    )


def _endings(systems: Systems, table: EndingTable | None = None) -> SharedEndings:
    """How all messages end, followed anew."""
    message = Message(DestinationName("queue", ""))
    found = SharedEndings(systems, message, table or EndingTable())
    begins = [(name, state) for name, own in systems.items() for state in own.entries()]
    found.follow(begins, Budget(None))
    return found


def _counted(estate: SteppingEstate, before: SharedEndings, failed: str) -> tuple[int, int]:
    """The pairs that lose each other and the messages that end otherwise without one server."""
    server = failed.removeprefix("server:")
    failure = Failure(servers=frozenset([server]), system="ibm_mq")
    after = _endings(estate.failed_by(failure).systems, before.table)
    was: dict[str, int] = {}
    now: dict[str, int] = {}
    changed = 0
    for name, own in estate.systems.items():
        for state in {state: None for state in own.entries() if state.server != server}:
            old, new = before.ends((name, state)), after.ends((name, state))
            assert old is not None
            assert new is not None
            changed += not old.same(new)
            was[state.server] = was.get(state.server, 0) | old.taking
            now[state.server] = now.get(state.server, 0) | new.taking
    lost = 0
    for start, taking in was.items():
        gone = {*before.table.taken_by(taking & ~now[start])}
        lost += len(gone - {start, server})
    return lost, changed
