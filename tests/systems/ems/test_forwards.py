"""Which arrivals a message may go on to, by the letter of R13, on small servers and on hubs that
have connectors.
"""

from __future__ import annotations

import random

import pytest

from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.systems.ems.changes.new_route import NewLink, with_link
from topograph.systems.ems.network.assemble import BIG_HUB, assemble

ZONES = {"NEAR": "1hop", "SIDE": "1hop", "WAN": "mhop", "FAR": "mhop"}


def network(links: list[tuple[str, str, str]]) -> ForwardingGraph:
    tables = GraphTables("ems", [], [], [])
    for u, v, zone in links:
        tables = with_link(tables, NewLink(u, v, zone, ZONES[zone]))
    return assemble(tables)


def by_the_rule(graph: ForwardingGraph, number: int) -> list[int]:
    """A published message takes every link; one that arrived takes every other link, unless both
    are of one 1hop zone (R13).
    """
    came = graph.points[number]
    found = []
    for end, point in enumerate(graph.points):
        leaves = point.kind == "arrival" and point.previous == came.server
        back = came.kind == "arrival" and point.link == came.link
        inside = came.kind == "arrival" and came.zone_type == "1hop" and point.zone == came.zone
        if leaves and not back and not inside:
            found.append(end)
    return found


def hub(spokes: int) -> list[tuple[str, str, str]]:
    """A hub with its spokes spread over all zones, in no order."""
    chance = random.Random(spokes)
    return [("HUB", f"S{number}", chance.choice(list(ZONES))) for number in range(spokes)]


@pytest.mark.parametrize(
    "links",
    [
        [("A", "B", "WAN")],
        [
            ("A", "B", "NEAR"),
            ("B", "C", "NEAR"),
            ("A", "C", "NEAR"),
            ("C", "D", "WAN"),
            ("D", "E", "FAR"),
        ],
        [("A", "B", "WAN"), ("A", "B", "FAR"), ("B", "C", "SIDE")],
        hub(BIG_HUB),
        hub(BIG_HUB + 1),
        [*hub(BIG_HUB + 40), ("S1", "S2", "NEAR"), ("S2", "X", "WAN")],
    ],
    ids=[
        "one link",
        "a mesh and a chain",
        "two links side by side",
        "a hub",
        "a big hub",
        "a big hub and more",
    ],
)
def test_every_point_goes_on_to_what_the_rule_lets_it(links: list[tuple[str, str, str]]) -> None:
    graph = network(links)
    expected = [by_the_rule(graph, number) for number in range(len(graph.points))]
    assert [sorted(graph.successors(number)) for number in range(len(graph.points))] == expected
    assert graph.forward_count == sum(map(len, expected))


@pytest.mark.slow
def test_a_big_hub_has_far_fewer_entries_than_forwards() -> None:
    graph = network([("HUB", f"S{number}", "WAN") for number in range(400)])
    assert graph.forward_count == 400 * 399 + 400 + 400
    assert len(graph.ends) < 400 * 30


def test_servers_without_links_have_no_forwards() -> None:
    graph = assemble(GraphTables("ems", [], [], []))
    assert (graph.forward_count, graph.node_count) == (0, 0)
