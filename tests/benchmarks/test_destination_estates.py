"""The EMS estates with many topics and queues to measure on: a small one has the answers that
its files are written for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import topograph

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module", autouse=True)
def benchmarks():
    """The modules of the benchmarks, which import each other by their names."""
    before = dict(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))
    for name in sys.modules.keys() - before.keys():
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture(scope="module")
def written(tmp_path_factory, benchmarks):
    from destination_estates import destination_estate, write_destinations

    estate, folder = destination_estate(3), tmp_path_factory.mktemp("estate") / "destinations"
    assert write_destinations(estate, folder) == 30 * 250
    return estate, topograph.read(folder)


def test_every_server_has_as_many_topics_and_queues_as_are_stated(written):
    from destination_estates import QUEUES, TOPICS, destination_estate

    estate, network = written
    rows = network.show("destinations").rows
    for server in estate.base.servers:
        own = [row["type"] for row in rows if row["server"] == server]
        assert (own.count("topic"), own.count("queue")) == (TOPICS, QUEUES)
    assert {row["type"] for row in rows} == {"topic", "queue", "bridge", "durable"}
    assert not any(row["severity"] == "error" for row in network.check().findings)
    assert estate.base == destination_estate(3).base


def test_messages_get_where_networkx_finds_them(written):
    from destination_estates import BRIDGED, home_queue, name
    from destinations import deliveries, expected

    estate, network = written
    for start in estate.base.servers[::4]:
        assert deliveries(network.propagate(start, f"topic:{name(BRIDGED)}")) == expected(
            estate, start
        )
    for start in estate.base.servers[::4]:
        for queue, home in estate.routed(start):
            trace = network.trace(start, f"queue:{queue}")
            assert f"DELIVERED(queue:{queue})" in trace.outcomes
            assert home in {
                step.at for step in trace.steps if step.outcome == f"DELIVERED(queue:{queue})"
            }
    start, other = estate.base.servers[1], estate.base.servers[-1]
    assert "DELIVERED" not in str(network.trace(start, f"queue:{home_queue(other, 0)}").outcomes)


def test_the_sweep_counts_what_is_lost_without_each_server_or_route(written):
    from failures import swept

    _, network = written
    assert "every single failure of 30 servers" in swept(network, "").work
