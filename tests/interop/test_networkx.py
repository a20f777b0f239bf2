"""A network as a networkx graph: the paths are those of the question, and files that other tools
read hold the same graph.
"""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import networkx
import pytest
from brute_force.ems_estate import Estate, estates
from draws import draws
from hypothesis import HealthCheck, given, settings

import topograph
from topograph.network import Network

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = ["estate", "mhop-star/with-b-d", "orders", "routers", "two-1hop-zones/with-g-a"]


def paths_in(graph: networkx.DiGraph, start: str, end: str) -> list[tuple[str, ...]]:
    """Every path that passes no server twice, out of the graph alone."""
    server = networkx.get_node_attributes(graph, "server")
    targets = {point for point, name in server.items() if name == end}
    found = networkx.all_simple_paths(graph, f"{start}|origin", targets)
    ways = {tuple(server[point] for point in path) for path in found}
    return sorted(
        (way for way in ways if len(set(way)) == len(way)), key=lambda way: (len(way), way)
    )


def assert_paths_are_equal(network: Network) -> None:
    points = network.to_networkx(points=True)
    for start in network.server_names():
        for end in set(network.server_names()) - {start}:
            answer = network.paths(start, end, maximum=1000)
            assert [path.servers for path in answer.paths] == paths_in(points, start, end)


@settings(
    max_examples=draws(36),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(estates())
def test_the_paths_of_the_question_are_those_that_networkx_finds_over_points(
    estate: Estate,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        assert_paths_are_equal(topograph.read(folder))


@pytest.mark.parametrize(
    "example", ["mhop-star/with-b-d", "two-1hop-zones/with-g-a", "two-1hop-zones/legal"]
)
def test_the_paths_of_the_examples_are_those_that_networkx_finds_over_points(example: str) -> None:
    assert_paths_are_equal(topograph.read(EXAMPLES / example))


def test_a_path_of_routers_is_a_path_over_links_and_costs_what_it_says() -> None:
    network = topograph.read(EXAMPLES / "routers")
    links = network.to_networkx()
    for entry in network.reach("LON").servers:
        assert networkx.is_path(links, list(entry.path))
        assert (
            sum(links.get_edge_data(*pair)[0]["cost"] for pair in pairwise(entry.path))
            == entry.cost
        )


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("example", ALL)
def test_graphml_holds_the_graph_that_was_written(
    example: str, points: bool, tmp_path: Path
) -> None:
    graph = topograph.read(EXAMPLES / example).to_networkx(points=points)
    networkx.write_graphml(graph, tmp_path / "network.graphml")
    read = networkx.read_graphml(
        tmp_path / "network.graphml", force_multigraph=graph.is_multigraph()
    )
    assert dict(read.nodes(data=True)) == dict(graph.nodes(data=True))
    assert sorted(read.edges(data=True), key=repr) == sorted(graph.edges(data=True), key=repr)


def test_a_file_keeps_what_its_servers_are_called(tmp_path: Path) -> None:
    name = '<b>&"\u00e9'
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "tibemsd.conf").write_text(f"server = {name}\nrouting = enabled\n", "utf-8")
    graph = topograph.read(tmp_path / "in").to_networkx()
    networkx.write_graphml(graph, tmp_path / "network.graphml")
    assert list(networkx.read_graphml(tmp_path / "network.graphml").nodes) == list(graph.nodes)
