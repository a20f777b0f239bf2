"""The Neo4j engine walks as the memory engine does, on a real server, for the snapshot it was
asked for and no other.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from topograph import cypher
from topograph.engines import Engine
from topograph.engines.memory import MemoryEngine
from topograph.engines.neo4j import SINGLE_WALKS, Neo4jEngine
from topograph.errors import SnapshotNotPublished
from topograph.findings import Source
from topograph.forwarding.graph import STEPPING, Closed, ForwardingGraph, GraphTables, Guard, Server
from topograph.forwarding.points import Point
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database
from topograph.store.publication import delete_snapshot, publish_snapshot
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.systems import assemble

pytestmark = pytest.mark.neo4j

STAR = Path(__file__).parents[2] / "examples" / "mhop-star"


def random_graph(chance: random.Random) -> ForwardingGraph:
    """Any directed graph of points, cycles included, with guards on the points."""
    servers = [
        Server(f"S{number}", "mqe", True, Source("a.conf", 1))
        for number in range(chance.randint(1, 6))
    ]
    guards = [
        Guard(f"g{number}", "selector", f"x = {number}") for number in range(chance.randint(0, 4))
    ]
    points = [
        Point(
            key=f"p{number}",
            kind=chance.choice(("origin", "arrival")),
            server=chance.randrange(len(servers)),
            previous=chance.randrange(len(servers)),
            zone="Z",
            zone_type="mhop",
            guards=tuple(
                sorted(chance.sample(range(len(guards)), chance.randint(0, min(2, len(guards)))))
            ),
            source=Source("a.conf", number + 1),
        )
        for number in range(chance.randint(2, 14))
    ]
    ends = [
        sorted(chance.sample(range(len(points)), chance.randint(0, min(4, len(points)))))
        for _ in points
    ]
    starts = np.cumsum([0, *(len(row) for row in ends)], dtype=np.int64)
    flat = np.asarray([end for row in ends for end in row], np.int32)
    return ForwardingGraph(STEPPING, servers, points, guards, starts, flat, len(flat))


def random_closed(chance: random.Random, graph: ForwardingGraph) -> Closed:
    def some(count: int, share: float) -> frozenset[int]:
        return frozenset(number for number in range(count) if chance.random() < share)

    return Closed(
        some(len(graph.guards), chance.choice((0.0, 0.3, 0.9))),
        some(len(graph.servers), chance.choice((0.0, 0.2))),
        some(len(graph.points), chance.choice((0.0, 0.2))),
    )


def published(database: Database, graph: ForwardingGraph, network: str) -> Neo4jEngine:
    tables = GraphTables(graph.system, graph.servers, graph.points, graph.guards)
    snapshot = MemorySnapshot(f"id-{network}", "test", {network: NetworkData([tables], [], [], [])})
    publish_snapshot(database, snapshot, lambda _: graph)
    return Neo4jEngine(database, snapshot.id, network, graph)


def answers(engine: Engine, points: Sequence[int], closed: Closed) -> dict[str, object]:
    forward, back = engine.walk(points, closed), engine.walk_back(points, closed)
    return {
        "walk": list(zip(forward.points.tolist(), forward.hops.tolist(), strict=True)),
        "walk_back": list(zip(back.points.tolist(), back.hops.tolist(), strict=True)),
        "adjacency": {
            point: list(ends) for point, ends in engine.adjacency(points, closed).items()
        },
    }


@pytest.mark.parametrize("seed", range(8))
def test_both_engines_walk_alike_on_any_graph(
    database: Database, network_name: str, seed: int
) -> None:
    """From one start, from a few, and from many; with guards, servers and points closed, starts
    and targets among them.
    """
    chance = random.Random(seed)
    graph = random_graph(chance)
    neo4j, memory = published(database, graph, network_name), MemoryEngine(graph)
    numbers = range(len(graph.points))
    for count in (1, 2, SINGLE_WALKS + 1, len(numbers)):
        for _ in range(3):
            points = chance.sample(numbers, min(count, len(numbers)))
            closed = random_closed(chance, graph)
            assert answers(neo4j, points, closed) == answers(memory, points, closed), (
                points,
                closed,
            )


@pytest.mark.parametrize("seed", range(4))
def test_walks_that_are_fetched_ahead_are_those_that_are_made_one_by_one(
    database: Database, network_name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(100 + seed)
    graph = random_graph(chance)
    neo4j, memory = published(database, graph, network_name), MemoryEngine(graph)
    monkeypatch.setattr("topograph.engines.neo4j.AHEAD_STARTS", 3)
    closed, points = random_closed(chance, graph), list(range(len(graph.points)))
    ahead = neo4j.ahead(points, closed)
    assert ahead is not None
    for point in points:
        found, wanted = ahead.walk([point], closed), memory.walk([point], closed)
        assert (found.points.tolist(), found.hops.tolist()) == (
            wanted.points.tolist(),
            wanted.hops.tolist(),
        )
        assert list(ahead.walk([point], Closed()).points) == list(
            memory.walk([point], Closed()).points
        )
    for some in (points, points[::2]):
        assert {
            n: list(ends) for n, ends in ahead.adjacency(some, closed).items()
        } == memory.adjacency(some, closed)


def test_above_a_number_of_servers_memory_answers_what_needs_a_walk_from_each_and_says_so(
    database: Database, network_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(STAR / "with-b-d", tmp_path / network_name)
    snapshot = read_snapshot(tmp_path / network_name)
    publish_snapshot(database, snapshot, assemble)
    walked = network_of(
        snapshot,
        network_name,
        lambda graph: Neo4jEngine(database, snapshot.id, network_name, graph),
    )
    for ask in (Network.cycles, Network.interests, Network.hops_matrix):
        assert ask(walked).engine == "neo4j"
    monkeypatch.setattr("topograph.engines.neo4j.AHEAD_SERVERS", 3)
    for ask in (Network.cycles, Network.interests, Network.hops_matrix):
        answer = ask(walked)
        assert answer.engine == "memory"
        assert "answered in memory: a walk from each of 4 servers" in answer.warnings[0].message
    assert walked.interests("A").engine == "neo4j"


def test_a_hub_whose_forwards_memory_keeps_implicit_is_written_out(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    shutil.copytree(STAR, tmp_path / network_name)
    snapshot = read_snapshot(tmp_path / network_name)
    publish_snapshot(database, snapshot, assemble)
    graph = assemble(snapshot.graph_tables(network_name)[0])
    neo4j, memory = Neo4jEngine(database, snapshot.id, network_name, graph), MemoryEngine(graph)
    everything = list(range(len(graph.points)))
    for closed in (
        Closed(),
        Closed(servers=frozenset({1})),
        Closed(points=frozenset({len(everything) - 1})),
    ):
        assert answers(neo4j, everything, closed) == answers(memory, everything, closed)
        assert answers(neo4j, [0], closed) == answers(memory, [0], closed)


def test_two_snapshots_of_one_network_answer_each_for_itself(
    database: Database, network_name: str
) -> None:
    graphs = [random_graph(random.Random(seed)) for seed in (21, 22)]
    engines = []
    for number, graph in enumerate(graphs):
        tables = GraphTables(graph.system, graph.servers, graph.points, graph.guards)
        data = {network_name: NetworkData([tables], [], [], [])}
        snapshot = MemorySnapshot(f"id-{network_name}-{number}", "test", data)
        publish_snapshot(database, snapshot, lambda _, graph=graph: graph)
        engines.append(Neo4jEngine(database, snapshot.id, network_name, graph))
    for engine, graph in zip(engines, graphs, strict=True):
        assert answers(engine, [0], Closed()) == answers(MemoryEngine(graph), [0], Closed())


def test_a_snapshot_that_is_deleted_is_not_answered_for(
    database: Database, network_name: str
) -> None:
    graph = random_graph(random.Random(3))
    engine = published(database, graph, network_name)
    delete_snapshot(database, f"id-{network_name}")
    for ask in (
        lambda: engine.walk([0], Closed()),
        lambda: engine.walk_back([0], Closed()),
        lambda: engine.adjacency([0], Closed()),
    ):
        with pytest.raises(SnapshotNotPublished, match=f"id-{network_name}"):
            ask()
    with pytest.raises(SnapshotNotPublished, match=f"id-{network_name}"):
        Neo4jEngine(database, f"id-{network_name}", network_name, graph)


@pytest.mark.parametrize("statement", ["walk", "walk_back", "walks"])
def test_a_walk_is_a_pruned_breadth_first_search(database: Database, statement: str) -> None:
    """Any other plan enumerates walks and does not end on a large network."""
    database.ensure_schema()
    parameters = {
        "publish": "",
        "start": "",
        "starts": [],
        "guards": [],
        "holding": False,
        "servers": [],
        "points": [],
    }
    plan = database.reading(
        lambda transaction: (
            transaction.run(f"EXPLAIN {cypher.load(statement)}", parameters).consume().plan
        )
    )
    assert "VarLengthExpand(Pruning,BFS,All)@neo4j" in str(plan)
    assert "NodeUniqueIndexSeek@neo4j" in str(plan)
