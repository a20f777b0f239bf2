"""Rows put together from shared parts are those of one search a source."""

from __future__ import annotations

import random

import numpy as np
import pytest

from topograph.findings import Source
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables, Server
from topograph.forwarding.points import Point
from topograph.forwarding.rows import RowWalks
from topograph.systems.ems.changes.new_route import NewLink, with_link
from topograph.systems.ems.network.assemble import BIG_HUB, assemble

Links = list[tuple[str, str, str, str]]


def network(links: Links) -> ForwardingGraph:
    tables = GraphTables("ems", [], [], [])
    for link in links:
        tables = with_link(tables, NewLink(*link))
    return assemble(tables)


def searched(graph: ForwardingGraph, start: int, closed: Closed) -> list[int] | None:
    """The hops to every server by one walk; None if a server is entered twice."""
    walk = RowWalks(graph).walk([start], closed)
    servers = graph.point_server[walk.points].tolist()
    hops = dict(zip(servers, walk.hops.tolist(), strict=True))
    return (
        None
        if len(hops) < len(servers)
        else [hops.get(server, -1) for server in range(len(graph.servers))]
    )


def rows(graph: ForwardingGraph, closed: Closed, **limit: int) -> list[list[int] | None]:
    row = hop_row(graph, closed, **limit)
    found = map(row, range(len(graph.servers)))
    return [None if hops is None else hops.tolist() for hops in found]


def expected(graph: ForwardingGraph, closed: Closed) -> list[list[int] | None]:
    return [searched(graph, start, closed) for start in range(len(graph.servers))]


def any_links(chance: random.Random) -> Links:
    """Up to 13 links between up to 11 servers: legal or not, with cycles and parallel links."""
    names = "ABCDEFGHIJK"[: chance.randrange(2, 12)]
    zones = [("Z", "1hop"), ("Y", "1hop"), ("X", "mhop"), ("W", "mhop")]
    return [
        (*chance.sample(names, 2), *chance.choice(zones)) for _ in range(chance.randrange(1, 14))
    ]


@pytest.mark.parametrize(
    "kept", [10**6, 20, 0], ids=["everything kept", "some parts kept", "nothing kept"]
)
def test_the_rows_of_any_network_are_those_of_one_search_a_source(kept: int) -> None:
    chance = random.Random(kept)
    doubled = 0
    for _ in range(150):
        graph = network(any_links(chance))
        arrivals = range(len(graph.servers), len(graph.points))
        some = frozenset(chance.sample(arrivals, len(arrivals) // 4))
        for closed in (Closed(), Closed(points=some), Closed(servers=frozenset({0}))):
            by_search = expected(graph, closed)
            assert rows(graph, closed, kept=kept) == by_search
            doubled += by_search.count(None)
    assert doubled > 100  # illegal networks were among them


def test_the_rows_of_a_tree_of_meshes_and_big_hubs_are_those_of_one_search_a_source() -> None:
    hubs = [f"H{number}" for number in range(4)]
    links: Links = [(hub, hubs[0], "WAN", "mhop") for hub in hubs[1:]]
    for hub in hubs:
        mesh = [hub, *(f"{hub}M{number}" for number in range(4))]
        links += [
            (a, b, f"C{hub}", "1hop") for place, a in enumerate(mesh) for b in mesh[place + 1 :]
        ]
    links += [(hubs[1], f"SPOKE{number}", "FAR", "mhop") for number in range(BIG_HUB + 3)]
    graph = network(links)
    assert graph.node_count > len(graph.points)  # the hub has connectors
    assert rows(graph, Closed()) == expected(graph, Closed())


def test_a_row_is_an_array_of_its_own() -> None:
    row = hop_row(network([("A", "B", "X", "mhop"), ("B", "C", "X", "mhop")]), Closed())
    first = row(0)
    assert first is not None
    first[:] = 99
    again = row(0)
    assert again is not None
    assert again.dtype == np.int16
    assert again.tolist() == [0, 1, 2]


def test_a_chain_of_thousands_of_servers_needs_no_deep_recursion() -> None:
    # Written as points: adding thousands of links one by one is quadratic.
    names = [f"S{number:04}" for number in range(3_000)]
    points = [Point(f"{name}|origin", "origin", number) for number, name in enumerate(names)]
    for link in range(len(names) - 1):
        for start, end in ((link, link + 1), (link + 1, link)):
            points.append(
                Point(
                    f"{end}|{start}", "arrival", end, start, link=link, zone="X", zone_type="mhop"
                )
            )
    servers = [Server(name, "ems", True, Source("")) for name in names]
    row = hop_row(assemble(GraphTables("ems", servers, points, [])), Closed())(0)
    assert row is not None
    assert row.tolist() == list(range(3_000))
