"""Walks that are made together are those of one search a start."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from topograph.forwarding import walks_together
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.walks_together import WalksTogether
from topograph.systems.ems.changes.new_route import NewLink, with_link
from topograph.systems.ems.network.assemble import BIG_HUB, assemble

ZONES = [("Z", "1hop"), ("Y", "1hop"), ("X", "mhop"), ("W", "mhop")]


def network(links: Sequence[tuple[str, str, str, str]]) -> ForwardingGraph:
    tables = GraphTables("ems", [], [], [])
    for link in links:
        tables = with_link(tables, NewLink(*link))
    return assemble(tables)


def drawn(chance: random.Random) -> ForwardingGraph:
    names = "ABCDEFGHIJK"[: chance.randrange(2, 12)]
    return network(
        [
            (*chance.sample(names, 2), *chance.choice(ZONES))
            for _ in range(chance.randrange(1, 3 * len(names)))
        ]
    )


@pytest.mark.parametrize("seed", range(60))
def test_walks_made_together_are_those_of_one_search_a_start(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    graph = drawn(chance)
    points = range(len(graph.points))
    starts = chance.sample(points, chance.randrange(1, len(points) + 1))
    shut = frozenset(chance.sample(points, chance.randrange(len(points)))) if seed % 3 else ()
    closed = Closed(points=frozenset(shut))
    at_a_time = chance.choice((1, 3, len(starts)))
    monkeypatch.setattr(walks_together, "AT_A_TIME", at_a_time * len(graph.ends))
    alone, together = RowWalks(graph), WalksTogether(graph, starts, closed)
    for start in [*starts, *chance.sample(points, 2), chance.choice(starts)]:
        for under in (closed, Closed()):
            one, other = alone.walk([start], under), together.walk([start], under)
            assert (one.points.tolist(), one.hops.tolist()) == (
                other.points.tolist(),
                other.hops.tolist(),
            )
            assert (one.points.dtype, one.hops.dtype) == (other.points.dtype, other.hops.dtype)


def test_a_graph_with_a_big_hub_is_walked_from_one_start_at_a_time() -> None:
    graph = network([("HUB", f"S{number}", "W", "mhop") for number in range(BIG_HUB + 1)])
    assert graph.node_count > len(graph.points)
    starts = list(range(len(graph.servers)))
    alone, together = RowWalks(graph), WalksTogether(graph, starts, Closed())
    for start in starts[:3]:
        one, other = alone.walk([start], Closed()), together.walk([start], Closed())
        assert one.points.tolist() == other.points.tolist()


def test_walks_end_with_the_budget() -> None:
    graph = network([("A", "B", "X", "mhop")])
    budget = Budget(seconds=-1)
    with pytest.raises(BudgetSpent):
        WalksTogether(graph, [0, 1], Closed(), budget).walk([0], Closed())
