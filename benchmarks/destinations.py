"""A thousand EMS servers with 200 topics and 50 queues each: their import, questions about
topics and queues, and every single failure.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from as_commands import ROUNDS
from destination_estates import (
    BRIDGED,
    COPIED_TO,
    DestinationEstate,
    destination_estate,
    home_queue,
    name,
    write_destinations,
)
from failures import HUBS, swept
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same, timed
from peers import Peer
from processes import MIB, clocked, measure


def destinations(bench: Bench) -> Iterator[Row]:
    """Answers are compared with those of networkx on the links that the written files let a
    message take.
    """
    import topograph
    from topograph.systems import assemble

    estate = destination_estate(min(HUBS, bench.hubs))
    files, place = bench.folder / "destinations", bench.folder / "destinations.snapshot"
    written = write_destinations(estate, files)
    title = f"{len(estate.base.servers):,} servers with {written:,} topics and queues"
    done = measure(
        [TOPOGRAPH, "import", str(files), "-o", str(place), "--neo4j", "none"], bench.environment
    )
    count = 6 * len(estate.base.servers)
    yield Row(
        f"import, {title}", "", f"{milliseconds(done.seconds)}, {count / done.seconds:,.0f} files/s"
    )
    yield Row("the same, peak memory of all its processes", "", f"{done.peak / MIB:,.0f} MB")

    def opened() -> Any:
        from topograph.store.parquet import open_snapshot

        kept = open_snapshot(str(place))
        return assemble(kept.graph_tables(kept.networks[0])[0])

    seconds, _ = timed(opened, 3)
    yield Row("open and assemble", "", milliseconds(seconds))

    start, owner = estate.base.servers[1], estate.base.servers[0]
    topic, queue = f"topic:{name(BRIDGED)}", f"queue:{home_queue(owner, 0)}"
    network = topograph.open(place, engine="memory")
    for what, ask in (
        (
            "propagate, a topic with durables and bridges",
            lambda: deliveries(network.propagate(start, topic)),
        ),
        ("trace, a routed queue", lambda: network.trace(start, queue).outcomes),
    ):
        seconds, found = timed(ask, 3)
        same(
            what,
            found,
            expected(estate, start) if "propagate" in what else (f"DELIVERED({queue})",),
        )
        yield Row(what, "", milliseconds(seconds))

    yield from _commands(
        bench, place, {"reach": (), "propagate": (topic,), "trace": (queue,)}, start
    )
    yield swept(network, f"{written:,} topics and queues")
    command = [
        TOPOGRAPH,
        "impact",
        "--sweep",
        "-s",
        str(place),
        "--engine",
        "memory",
        "--format",
        "json",
    ]
    done = measure(command, bench.environment, every=0.01)
    yield Row(
        "topograph impact --sweep as a command",
        "",
        f"{milliseconds(done.seconds)}, {done.own_peak / MIB:,.0f} MB",
    )


def _commands(
    bench: Bench, place: Path, asked: dict[str, tuple[str, ...]], start: str
) -> Iterator[Row]:
    """Questions as commands, in turn with an empty start."""
    peer = [sys.executable, "-c", "import click, pyarrow"]
    words = {
        what: [
            TOPOGRAPH,
            what,
            start,
            *(f"--destination={one}" for one in named),
            "-s",
            str(place),
            "--engine",
            "memory",
        ]
        for what, named in asked.items()
    }
    for command in words.values():
        subprocess.run(command, env=bench.environment, capture_output=True, check=True)
    runs = [
        {what: clocked(command, bench.environment) for what, command in {"": peer, **words}.items()}
        for _ in range(ROUNDS)
    ]
    bare, bare_used = (min(run[""][which] for run in runs) for which in (0, 1))
    for what, command in words.items():
        seconds, used = (min(run[what][which] for run in runs) for which in (0, 1))
        goal = ("≤ 3x", seconds <= 3 * bare) if what == "reach" else ("", None)
        yield Row(
            f"topograph {what} as a command",
            f"python -c 'import click, pyarrow' {milliseconds(bare)}",
            milliseconds(seconds),
            f"{seconds / bare:.1f}x the time, {used / bare_used:.1f}x the processor's",
            *goal,
        )
        peak = measure(command, bench.environment, every=0.01).own_peak
        yield Row(
            "the same, peak memory", "", f"{peak / MIB:,.0f} MB", "", "≤ 400 MB", peak <= 400 * MIB
        )


def deliveries(answer: Any) -> set[tuple[str, str]]:
    """The servers and destinations that a message is delivered at."""
    return {(one.server, str(one.destination)) for one in answer.deliveries}


def expected(estate: DestinationEstate, start: str) -> set[tuple[str, str]]:
    """The servers that networkx finds behind links whose ends both have the topic as a global
    one, each with a subscriber (no client is known), and the queue that bridges copy to."""
    peer = Peer(estate.carries(BRIDGED))
    reached = peer.servers(peer.descendants(start)) | {start}
    copies = {(server, COPIED_TO) for server in reached if estate.bridges(server)}
    return {(server, f"topic:{name(BRIDGED)}") for server in reached} | copies
