"""The network as a networkx graph: reachability over points is reach, and attributes name the
file and line.
"""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest

import topograph

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("example", ["orders", "two-1hop-zones/legal", "mhop-star/legal"])
def test_reachability_over_points_is_reach(example: str) -> None:
    network = topograph.read(EXAMPLES / example)
    points = network.to_networkx(points=True)
    for name in network.server_names():
        reached = {
            points.nodes[point]["server"]
            for point in networkx.descendants(points, f"{name}|origin")
        }
        assert reached == {entry.server for entry in network.reach(name).servers}


def test_servers_and_links_keep_their_place_in_the_files() -> None:
    graph = topograph.read(EXAMPLES / "two-1hop-zones" / "legal").to_networkx()
    assert sorted(graph.nodes) == list("ABCDEFG")
    assert graph.number_of_edges() == 12
    (link,) = graph.get_edge_data("A", "D").values()
    assert link == {
        "zone": "Z1",
        "zone_type": "1hop",
        "configured_by": "A",
        "file": "a/routes.conf",
        "line": 3,
    }
    assert graph.get_edge_data("D", "A") == graph.get_edge_data("A", "D")


def test_router_links_have_costs() -> None:
    graph = topograph.read(EXAMPLES / "routers").to_networkx()
    costs = {frozenset((a, b)): data["cost"] for a, b, data in graph.edges(data=True)}
    assert costs[frozenset(("LON", "FRA"))] == 25
