"""Walks and whole answers in this process, beside networkx."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from measurement import MESSAGE, Bench, Row, milliseconds, same, timed

from topograph.engines.memory import MemoryEngine
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.graph import Closed
from topograph.systems.ems.destinations.guard_index import GuardIndex, judge


def walk(bench: Bench) -> Iterator[Row]:
    """One source in memory: the walk alone, guards evaluated and walked, the whole answers."""
    graph, engine = bench.graph, MemoryEngine(bench.graph)
    start = graph.server_number[bench.start]

    def servers(points: Any) -> set[str]:
        return {graph.servers[number].name for number in graph.point_server[points].tolist()}

    peer, nodes = timed(lambda: bench.peer.descendants(bench.start))
    ours, found = timed(lambda: engine.walk([start], Closed()), 50)
    same("walk", servers(found.points), bench.peer.servers(nodes) | {bench.start})
    same("walk, points", len(found.points), len(nodes) + 1)
    yield Row(
        f"one-source walk, {bench.size}",
        f"networkx descendants {milliseconds(peer)}",
        milliseconds(ours),
        f"{peer / ours:.1f}x",
        "≥ 5x",
        peer / ours >= 5,
    )

    def guarded() -> Any:
        # Nothing kept from the message before.
        return engine.walk(
            [start], Closed(guards=GuardIndex(graph.guards).judge("orders", MESSAGE).failing)
        )

    closed = Closed(guards=judge(graph, "orders", MESSAGE).failing)
    walked, _ = timed(lambda: engine.walk([start], closed), 50)
    ours, found = timed(guarded)
    peer, nodes = timed(lambda: bench.guarded_peer.descendants(bench.start))
    same("guarded walk", servers(found.points), bench.guarded_peer.servers(nodes) | {bench.start})
    yield Row(
        "the same, guards closed",
        f"networkx, on what is left {milliseconds(peer)}",
        milliseconds(walked),
        f"{peer / walked:.1f}x",
    )
    yield Row(
        f"the same, {len(graph.guards):,} guards evaluated and walked", "", milliseconds(ours)
    )

    lengths = bench.peer.lengths(bench.start)
    ours, answer = timed(lambda: bench.network.reach(bench.start), 3)
    same(
        "reach",
        {entry.server: entry.hops for entry in answer.servers},
        {bench.peer.server_of[node]: hops for node, hops in lengths.items() if hops},
    )
    yield Row("reach, the whole answer with paths and steps", "", milliseconds(ours))
    ours, answer = timed(lambda: bench.network.propagate(bench.start, "topic:orders", MESSAGE), 3)
    same("propagate", set(answer.received), bench.guarded_peer.servers(nodes) - {bench.start})
    yield Row("propagate, the whole answer", "", milliseconds(ours))


def all_pairs(bench: Bench) -> Iterator[Row]:
    """Hops from every server to every server; networkx on a sample of the sources, scaled up."""
    names = bench.network.server_names()
    wanted = set(names[:: max(1, len(names) // bench.sample)])
    began = time.perf_counter()
    expected = {server: bench.peer.lengths(server) for server in wanted}
    peer = (time.perf_counter() - began) * len(names) / len(wanted)

    graph = bench.graph
    row = hop_row(graph, Closed())
    counted = {}
    began = time.perf_counter()
    for number, server in enumerate(graph.servers):
        hops = row(number)
        if server.name in wanted:
            counted[server.name] = hops
    arrays = time.perf_counter() - began
    began = time.perf_counter()
    kept = {
        server: hops for server, hops in bench.network.within(None).hop_rows() if server in wanted
    }
    lists = time.perf_counter() - began

    for server in wanted:
        by_name = {bench.peer.server_of[node]: hops for node, hops in expected[server].items()}
        same(
            f"hops from {server}, counted",
            counted[server].tolist(),
            [by_name.get(s.name, -1) for s in graph.servers],
        )
        same(f"hops from {server}, answered", kept[server], [by_name.get(name) for name in names])
    yield Row(
        f"hops between all pairs, {bench.size}",
        f"networkx {milliseconds(peer)} ({len(wanted)} sources, scaled)",
        milliseconds(arrays),
        f"{peer / arrays:.1f}x",
        "≥ 20x",
        peer / arrays >= 20,
    )
    yield Row("the same, as rows of the answer", "", milliseconds(lists), f"{peer / lists:.1f}x")
