"""One hub and 2,000 spokes in one zone: 4 million ways to pass a message on, which memory keeps
unwritten.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from estates import star, write
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same, timed
from peers import Peer
from processes import MIB, measure

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.graph import Closed


def one_star(bench: Bench) -> Iterator[Row]:
    """The import, a walk from a spoke and all pairs, beside networkx on the written forwards."""
    estate = star(2 * bench.spokes)
    files, place = bench.folder / "big-star", bench.folder / "big-star.snapshot"
    write(estate, files)
    done = measure(
        [TOPOGRAPH, "import", str(files), "-o", str(place), "--neo4j", "none"], bench.environment
    )
    title = f"star of {2 * bench.spokes:,} spokes"
    yield Row(f"import, {title}", "", f"{milliseconds(done.seconds)}, {done.peak / MIB:,.0f} MB")

    peer = Peer(estate)
    spoke = estate.servers[1]
    began = time.perf_counter()
    network = topograph.open(place, engine="memory")
    opened = time.perf_counter() - began
    graph = network._model.parts[0].graph
    same("forwards of the star", graph.forward_count, peer.graph.number_of_edges())
    yield Row(
        f"open and assemble, {title}, {graph.forward_count:,} forwards", "", milliseconds(opened)
    )

    engine, start = MemoryEngine(graph), graph.server_number[spoke]
    theirs, nodes = timed(lambda: peer.lengths(spoke))
    ours, walk = timed(lambda: engine.walk([start], Closed()), 50)
    found = {graph.servers[n].name for n in graph.point_server[walk.points].tolist()}
    same("walk over the star", found, peer.servers(nodes))
    yield Row(
        f"one-source walk from a spoke, {title}",
        f"networkx {milliseconds(theirs)}",
        milliseconds(ours),
        f"{theirs / ours:.1f}x",
    )

    began = time.perf_counter()
    lengths = {
        server: peer.lengths(server)
        for server in estate.servers[:: max(1, len(estate.servers) // bench.sample)]
    }
    theirs = (time.perf_counter() - began) * len(estate.servers) / len(lengths)
    began = time.perf_counter()
    row = hop_row(graph, Closed())
    rows = [row(number) for number in range(len(graph.servers))]
    ours = time.perf_counter() - began
    for server, far in lengths.items():
        by_name = {peer.server_of[node]: hops for node, hops in far.items()}
        hops = rows[graph.server_number[server]]
        same(
            f"hops from {server}",
            hops.tolist(),
            [by_name.get(entry.name, -1) for entry in graph.servers],
        )
    yield Row(
        f"hops between all pairs, {title}",
        f"networkx {milliseconds(theirs)} ({len(lengths)} sources, scaled)",
        milliseconds(ours),
        f"{theirs / ours:.1f}x",
    )
