"""Route computation (rules T-4 to T-8)."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.systems.amq_interconnect.routes.trees import (
    LeastCostRoute,
    RouteTable,
    adjacency,
    compute_routes,
    equal_paths,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "amq_interconnect"

ROUTERS = ("A", "B", "C", "D", "E")
LINKS = st.lists(
    st.tuples(st.sampled_from(ROUTERS), st.sampled_from(ROUTERS), st.integers(1, 4)).filter(
        lambda link: link[0] != link[1]
    ),
    max_size=10,
    unique_by=lambda link: frozenset(link[:2]),
)


def simple_paths(links, start, end):
    """Every path that passes no router twice, with its cost, by trying all orders of routers."""
    cost = {frozenset(link[:2]): link[2] for link in links}
    others = [router for router in ROUTERS if router not in (start, end)]
    for length in range(len(others) + 1):
        for middle in permutations(others, length):
            path = (start, *middle, end)
            steps = [frozenset(path[n : n + 2]) for n in range(len(path) - 1)]
            if all(step in cost for step in steps):
                yield sum(cost[step] for step in steps), path


@settings(max_examples=draws(100), deadline=None)
@given(LINKS, st.sampled_from(ROUTERS), st.sampled_from(ROUTERS), st.integers(1, 3))
def test_the_paths_of_equal_cost_are_all_the_cheapest_simple_ones(links, start, end, maximum):
    paths = sorted(simple_paths(links, start, end)) if start != end else [(0, (start,))]
    cheapest = sorted(path for cost, path in paths if cost == paths[0][0])
    assert equal_paths(adjacency(links), start, end, maximum) == (
        (len(cheapest), tuple(cheapest[:maximum])) if start == end or paths else (0, ())
    )


@settings(max_examples=draws(100), deadline=None)
@given(LINKS, st.sampled_from(ROUTERS))
def test_every_route_has_the_least_cost_of_all_simple_paths(links, at):
    table = compute_routes(links, at)
    best = {
        end: min(found)[0]
        for end in ROUTERS
        if end != at and (found := list(simple_paths(links, at, end)))
    }
    assert {end: route.cost for end, route in table.routes.items()} == best
    for end, route in table.routes.items():
        assert (route.cost, route.path) in simple_paths(links, at, end)
        assert route.next_hop == route.path[1]
    assert table.radius == max((len(route.path) - 1 for route in table.routes.values()), default=0)


def tree_path(links, start, end):
    """T-4 read backwards: of the predecessors on least-cost paths, the first by (cost, id)."""
    cost = {
        end_: min(found)[0]
        for end_ in ROUTERS
        if end_ != start and (found := list(simple_paths(links, start, end_)))
    }
    cost[start] = 0
    path = [end]
    while path[-1] != start:
        ends = [
            (next(r for r in link[:2] if r != path[-1]), link[2])
            for link in links
            if path[-1] in link[:2]
        ]
        path.append(min((cost[r], r) for r, step in ends if cost[r] + step == cost[path[-1]])[1])
    return tuple(reversed(path))


@settings(max_examples=draws(100), deadline=None)
@given(LINKS, st.sampled_from(ROUTERS))
def test_ties_are_broken_by_the_predecessor_of_least_cost_then_id(links, at):
    for end, route in compute_routes(links, at).routes.items():
        assert route.path == tree_path(links, at, end)


@settings(max_examples=draws(100), deadline=None)
@given(LINKS, st.sampled_from(ROUTERS))
def test_the_next_hop_continues_on_the_same_path(links, at):
    for end, route in compute_routes(links, at).routes.items():
        if route.next_hop != end:
            assert compute_routes(links, route.next_hop).routes[end].path == route.path[1:]


@settings(max_examples=draws(100), deadline=None)
@given(LINKS, st.sampled_from(ROUTERS))
def test_valid_origins_are_the_routers_whose_own_path_passes_here(links, at):
    tables = {router: compute_routes(links, router) for router in ROUTERS}
    for end, route in tables[at].routes.items():
        passing = [
            origin
            for origin in ROUTERS
            if origin not in (at, end)
            and end in tables[origin].routes
            and at in tables[origin].routes[end].path
        ]
        assert route.valid_origins == tuple(passing)


def test_the_order_of_links_does_not_matter():
    links = [("A", "B", 1), ("B", "C", 1), ("C", "D", 1), ("D", "A", 1)]
    assert compute_routes(links, "A") == compute_routes(
        [(b, a, cost) for a, b, cost in reversed(links)], "A"
    )


def test_a_direct_neighbour_is_reached_by_a_cheaper_chain():
    routes = compute_routes([("A", "B", 10), ("A", "C", 1), ("C", "B", 1)], "A").routes
    assert routes["B"] == LeastCostRoute(2, "C", ("A", "C", "B"), ())


def test_ids_are_compared_as_strings():
    links = [("s", "r10", 1), ("s", "r9", 1), ("r10", "d", 1), ("r9", "d", 1)]
    assert compute_routes(links, "s").routes["d"].next_hop == "r10"


def test_a_router_without_links_has_no_routes():
    assert compute_routes([("A", "B", 1), ("C", "C", 1)], "C") == RouteTable({}, 0)


def recorded():
    for file in sorted(GOLDEN.glob("*/observed.json")):
        observed = json.loads(file.read_text())
        if observed["case"].startswith("p16"):
            continue
        for step in observed["steps"]:
            if step["op"] == "routes":
                yield pytest.param(
                    observed["case"], step["routes"], id=f"{observed['case'][:3]}-{step['step']}"
                )


@pytest.mark.parametrize(("case", "tables"), list(recorded()))
def test_the_recorded_tables_follow_from_the_recorded_links(case, tables):
    """Link costs are those of the configuration files (they are in no table); rows of dead
    routers are stale (T-9).
    """
    cost = COSTS.get(case, {})
    links = {
        (here, there, cost.get(f"{min(here, there)}-{max(here, there)}", 1))
        for here, rows in tables.items()
        for row in rows
        if row["nextHop"] == "(self)"
        for there in row["linkState"]
    }
    for at, rows in tables.items():
        routes = compute_routes(sorted(links), at).routes
        assert {
            end: (route.cost, route.next_hop, list(route.valid_origins))
            for end, route in routes.items()
        } == {
            row["id"]: (row["cost"], row["nextHop"] or row["id"], sorted(row["validOrigins"]))
            for row in rows
            if row["id"] in tables and row["id"] != at
        }


COSTS = {
    "p02_ring5_costs": {"R1-R2": 10},
    "p03_cost_max_of_both_ends": {"A-B": 7, "B-C": 4},
    "p09_router_failure_reroute": {"R1-R4": 5},
}
