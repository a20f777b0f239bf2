"""The networks of routers to measure on: redundant, connected, and readable without an error."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import networkx
import pytest

import topograph

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def estates() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "benchmark_router_estates", ROOT / "benchmarks" / "router_estates.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_interior_routers_are_joined_by_more_links_than_a_tree_and_every_address_is_received(
    estates,
):
    estate = estates.router_estate(100, 1_000)
    graph = networkx.Graph([(a, b) for a, b, _ in estate.links])
    assert (len(set(estate.routers)), len(estate.interior), len(estate.links)) == (100, 90, 120)
    assert networkx.is_connected(graph)
    assert set(graph) == set(estate.interior)
    assert {name for _, name in estate.receivers} == set(estate.addresses)
    assert len(estate.waypoints) == 100
    assert estate == estates.router_estate(100, 1_000)


def test_what_is_written_reads_without_an_error_and_answers(estates, tmp_path):
    estate = estates.router_estate(10, 20)
    estates.write_routers(estate, tmp_path / "routers")
    network = topograph.read(tmp_path / "routers")
    assert [row for row in network.check().findings if row["severity"] == "error"] == []
    assert set(network.server_names()) == set(estate.routers)
    multicast = estate.addresses[3]
    answer = network.propagate("R001", f"address:{multicast}")
    assert {one.server for one in answer.deliveries} == {
        router for router, name in estate.receivers if name == multicast
    }
