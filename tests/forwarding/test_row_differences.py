"""Rows that differ between two networks, put together from what lies behind their differences,
are those of one search a source in each.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables
from topograph.forwarding.row_differences import NOT_REACHED, Difference, RowDifferences, numbers_of
from topograph.forwarding.rows import RowWalks
from topograph.systems.ems.changes.new_route import NewLink, judge_new_link, with_link
from topograph.systems.ems.network.assemble import BIG_HUB, assemble
from topograph.systems.ems.network.legality import is_legal

pytestmark = pytest.mark.slow

Link = tuple[str, str, str, str]
Pairs = dict[tuple[str, str], tuple[int, int]]

NAMES = "ABCDEFGHIJK"
ZONES = [("Z", "1hop"), ("Y", "1hop"), ("X", "mhop"), ("W", "mhop")]


def network(links: Sequence[Link]) -> ForwardingGraph:
    tables = GraphTables("ems", [], [], [])
    for link in links:
        tables = with_link(tables, NewLink(*link))
    return assemble(tables)


def any_links(chance: random.Random, most: int, *, legal: bool) -> list[Link]:
    """Links between different pairs of servers, each a link that a legal network takes, or any."""
    links: dict[frozenset[str], Link] = {}
    tables = GraphTables("ems", [], [], [])
    for _ in range(chance.randrange(1, most)):
        link = (*chance.sample(NAMES, 2), *chance.choice(ZONES))
        if frozenset(link[:2]) in links or (
            legal and judge_new_link(tables, NewLink(*link)).verdict != "accept"
        ):
            continue
        links[frozenset(link[:2])] = link
        tables = with_link(tables, NewLink(*link))
    return list(links.values())


def changed(chance: random.Random, links: Sequence[Link], *, legal: bool) -> list[Link]:
    """The links without some of them, and with others."""
    kept = [link for link in links if chance.random() < 0.8] or list(links[:1])
    ends = {frozenset(link[:2]) for link in kept}
    tables = GraphTables("ems", [], [], [])
    for link in kept:
        tables = with_link(tables, NewLink(*link))
    for link in any_links(chance, 4, legal=False):
        if frozenset(link[:2]) in ends or (
            legal and judge_new_link(tables, NewLink(*link)).verdict != "accept"
        ):
            continue
        kept.append(link)
        ends.add(frozenset(link[:2]))
        tables = with_link(tables, NewLink(*link))
    return kept


def some_closed(chance: random.Random, graph: ForwardingGraph) -> Closed:
    arrivals = range(len(graph.servers), len(graph.points))
    return Closed(
        points=frozenset(chance.sample(arrivals, chance.randrange(0, len(arrivals) // 3 + 1)))
    )


def hops(graph: ForwardingGraph, closed: Closed) -> dict[tuple[str, str], int]:
    """The hops between every two servers by one search a source; -1 is not among them."""
    names, walks = [server.name for server in graph.servers], RowWalks(graph)
    found: dict[tuple[str, str], int] = {}
    for start, name in enumerate(names):
        walk = walks.walk([start], closed)
        for server, far in zip(
            graph.point_server[walk.points].tolist(), walk.hops.tolist(), strict=True
        ):
            found.setdefault((name, names[server]), far)
    return found


def expected(graphs: Sequence[ForwardingGraph], closed: Sequence[Closed]) -> Pairs:
    was, now = (hops(graph, shut) for graph, shut in zip(graphs, closed, strict=True))
    return {
        pair: (was.get(pair, -1), now.get(pair, -1))
        for pair in {*was, *now}
        if was.get(pair, -1) != now.get(pair, -1)
    }


def told(rows: Iterator[Difference], names: Sequence[str]) -> Pairs:
    found: Pairs = {}
    for start, row, farther in rows:
        assert len(row.ends)
        kinds = np.sort(np.concatenate((row.gained, row.lost, row.longer, row.shorter)))
        assert kinds.tolist() == list(range(len(row.ends)))
        assert numbers_of(row.reach[0]).tolist() == sorted(
            row.ends[np.concatenate((row.gained, row.lost))].tolist()
        )
        assert numbers_of(row.reach[1]).tolist() == row.ends[row.gained].tolist()
        for end, before, after in zip(
            row.ends.tolist(), row.before.tolist(), row.after.tolist(), strict=True
        ):
            values = tuple(
                value if value == NOT_REACHED else value + farther for value in (before, after)
            )
            found[names[start], names[end]] = values
    return found


def searched(
    graph: ForwardingGraph, closed: Closed
) -> Callable[[Sequence[int]], Iterator[np.ndarray]]:
    def rows(wanted: Sequence[int]) -> Iterator[np.ndarray]:
        for start in wanted:
            walk = RowWalks(graph).walk([start], closed)
            row = np.full(len(graph.servers), -1, np.int16)
            # The nearest arrival of a server counts: it comes first.
            servers, first = np.unique(graph.point_server[walk.points], return_index=True)
            row[servers] = walk.hops[first]
            yield row

    return rows


@pytest.mark.parametrize("legal", [True, False], ids=["legal networks", "any networks"])
def test_what_is_different_equals_two_searches_a_source(legal: bool) -> None:
    chance = random.Random(7)
    moved = skipped = 0
    for _ in range(250):
        links = any_links(chance, 14, legal=legal)
        graphs = network(links), network(changed(chance, links, legal=legal))
        closed = some_closed(chance, graphs[0]), some_closed(chance, graphs[1])
        beside, wanted = RowDifferences(graphs), expected(graphs, closed)
        assert beside.comparable
        altered = beside.altered(closed)
        assert {start for start, _ in wanted} <= {
            name for name, here in zip(beside.names, altered, strict=True) if here
        }
        skipped += int((~altered).sum())
        moved += sum(-1 not in values for values in wanted.values())
        rows = searched(graphs[0], closed[0]), searched(graphs[1], closed[1])
        assert told(beside.of_rows(altered, rows), beside.names) == wanted
        if legal:
            assert all(map(is_legal, graphs))
            assert told(beside.unique(closed, Budget(None)), beside.names) == wanted
            in_groups = {
                (start, reach)
                for reach, starts in beside.reach(closed, Budget(None))
                for start in starts
            }
            assert in_groups == {
                (start, row.reach)
                for start, row, _ in beside.unique(closed, Budget(None))
                if row.reach[0]
            }
    assert moved > 50
    assert skipped > 100


def test_rows_that_do_not_count_reach_nobody() -> None:
    graphs = network([("A", "B", *ZONES[2])]), network([("A", "B", *ZONES[2])])
    beside = RowDifferences(graphs)
    counted = np.array([False, True]), np.array([True, True])
    rows = beside.unique((Closed(), Closed()), Budget(None), counted)
    assert told(rows, beside.names) == {("A", "A"): (-1, 0), ("A", "B"): (-1, 1)}


def test_networks_with_big_hubs_or_two_links_of_one_name_are_compared_by_whole_rows() -> None:
    star = [("A", f"S{number}", *ZONES[2]) for number in range(BIG_HUB + 1)]
    double = [("A", "B", *ZONES[2]), ("A", "B", *ZONES[3])]
    for links in (star, double):
        beside = RowDifferences((network(links), network(links[:-1])))
        assert not beside.comparable
        assert beside.altered((Closed(), Closed())).all()


def test_equal_networks_differ_in_nothing_and_the_budget_is_kept() -> None:
    links = [("A", "B", *ZONES[2]), ("B", "C", *ZONES[2])]
    closed = Closed(), Closed()
    same = RowDifferences((network(links), network(links)))
    assert not same.altered(closed).any()
    assert list(same.unique(closed, Budget(None))) == []
    other = RowDifferences((network(links), network(links[:1])))
    with pytest.raises(BudgetSpent):
        list(other.unique(closed, Budget(None, 0, clock=iter(range(100)).__next__)))
