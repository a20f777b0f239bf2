"""Would a new route be refused? One verdict beside all interests worked out anew."""

from __future__ import annotations

import time
from collections.abc import Iterator

from measurement import Bench, Row, milliseconds, same, timed

from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables
from topograph.forwarding.rows import RowWalks
from topograph.systems import assemble
from topograph.systems.ems.changes.new_route import NewLink, judge_on, with_link


def new_route(bench: Bench) -> Iterator[Row]:
    """Legal and illegal new links, with the last route of the tree taken away so that there is
    something to join.

    The peer is topograph's own fastest way to all interests: which names each server holds, and
    over how many hops, is one row a server; a server that would hold a name twice has none. The
    network with the link is given to it, assembled.
    """
    whole, last = bench.graph, f"HUB{bench.hubs - 1:04d}"
    cut = next(p.link for p in whole.points if p.zone == "WAN" and last in (p.key.split("|")))
    points = [point for point in whole.points if point.link != cut]
    tables = GraphTables(whole.system, whole.servers, points, whole.guards)
    graph = assemble(tables)
    walks = RowWalks(graph)
    links = {
        "joins two networks": NewLink("HUB0000", last, "WAN", "mhop"),
        "joins two networks, 1hop": NewLink("S00001", f"S{bench.hubs - 1:04d}1", "NEAR", "1hop"),
        "a new server": NewLink("HUB0000", "NEW", "WAN", "mhop"),
        "closes a cycle": NewLink("S00001", f"S{bench.hubs // 2:04d}1", "WAN", "mhop"),
    }
    for title, link in links.items():
        ours, verdict = timed(lambda link=link: judge_on(graph, walks, link), 20)
        widened = assemble(with_link(tables, link))
        began = time.perf_counter()
        legal = all_interests(widened)
        peer = time.perf_counter() - began
        same(f"new route that {title}", verdict.verdict, "accept" if legal else "reject")
        yield Row(
            f"a new route, {bench.size}: {title}, {verdict.verdict}ed",
            f"all interests recomputed {milliseconds(peer)}",
            milliseconds(ours),
            f"{peer / ours:,.0f}x",
            "≥ 100x",
            peer / ours >= 100,
        )


def all_interests(graph: ForwardingGraph) -> bool:
    """Work out every row; whether each server holds each name once."""
    row = hop_row(graph, Closed())
    return not sum(row(server) is None for server in range(len(graph.servers)))
