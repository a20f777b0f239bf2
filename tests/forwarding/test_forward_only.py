"""Hops that are worked out for all servers together are those of a walk from each."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topograph.engines.memory import MemoryEngine
from topograph.findings import Source
from topograph.forwarding import forward_only
from topograph.forwarding.forward_only import hops_of_all
from topograph.forwarding.graph import Closed, ForwardingGraph, Guard, Server
from topograph.forwarding.paths import hop_row, shortest_per_server
from topograph.forwarding.points import Point


@st.composite
def graphs(draw: st.DrawFn, *, back: bool) -> ForwardingGraph:
    """Origins, and arrivals with a guard or none; forwards to later points, or ``back`` too."""
    servers = draw(st.integers(1, 6))
    arrivals = draw(st.lists(st.integers(0, servers - 1), max_size=10))
    points = [Point(f"s{at}", "origin", at) for at in range(servers)]
    points += [
        Point(f"s{at}/{place}", "arrival", at, guards=draw(st.sampled_from([(), (0,), (1,)])))
        for place, at in enumerate(arrivals)
    ]
    rows = [
        sorted(
            draw(
                st.sets(
                    st.integers(servers if back else max(servers, at + 1), len(points) - 1),
                    max_size=3,
                )
            )
            if len(points) > (servers if back else max(servers, at + 1))
            else ()
        )
        for at in range(len(points))
    ]
    starts = np.zeros(len(points) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    ends = np.array([end for row in rows for end in row], np.int32)
    return ForwardingGraph(
        "stepping",
        [Server(f"s{at}", "crane", True, Source("")) for at in range(servers)],
        points,
        [Guard("a", "selector", "a"), Guard("b", "selector", "b")],
        starts,
        ends,
        len(ends),
    )


def walked(graph: ForwardingGraph, closed: Closed) -> list[list[int]]:
    walker, size = MemoryEngine(graph), len(graph.servers)
    return [
        hop_row(size, start, shortest_per_server(graph, walker, start, closed)).tolist()
        for start in range(size)
    ]


CLOSED = st.sampled_from([Closed(), Closed(frozenset([0])), Closed(frozenset([0, 1]))])


@given(graphs(back=False), CLOSED)
def test_where_no_walk_comes_back(graph: ForwardingGraph, closed: Closed) -> None:
    found = hops_of_all(graph, closed, lambda: None)
    assert found is not None
    assert found.tolist() == walked(graph, closed)


@given(graphs(back=True), CLOSED)
def test_where_walks_may_come_back(graph: ForwardingGraph, closed: Closed) -> None:
    found = hops_of_all(graph, closed, lambda: None)
    assert found is None or found.tolist() == walked(graph, closed)


@given(graphs(back=False))
def test_servers_by_turns(graph: ForwardingGraph) -> None:
    before = forward_only.COLUMNS
    forward_only.COLUMNS = 2
    try:
        found = hops_of_all(graph, Closed(), lambda: None)
    finally:
        forward_only.COLUMNS = before
    assert found is not None
    assert found.tolist() == walked(graph, Closed())
