"""topograph's EMS answers equal those of a brute force that enumerates all paths, on random
estates written as files.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import networkx
import pytest
from brute_force.ems_estate import (
    TOPICS,
    Estate,
    estates,
    link_between,
    passes,
    properties,
    simple_paths,
)
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.network import Network

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@contextmanager
def read(estate: Estate) -> Iterator[Network]:
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        yield topograph.read(folder)


def zone_hops(estate: Estate, path: tuple[str, ...]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for left, right in pairwise(path):
        zone = link_between(estate, left, right).zone
        if found and found[-1][0] == zone:
            found[-1] = (zone, found[-1][1] + 1)
        else:
            found.append((zone, 1))
    return found


@MANY
@given(estates())
def test_reach_and_hops_are_the_shortest_permitted_paths(estate: Estate) -> None:
    with read(estate) as network:
        for start in estate.servers:
            paths = simple_paths(estate, start)
            shortest = {p[-1]: min(len(q) for q in paths if q[-1] == p[-1]) - 1 for p in paths}
            answer = network.reach(start)
            assert {entry.server: entry.hops for entry in answer.servers} == shortest
            assert set(answer.unreachable) == set(estate.servers) - shortest.keys() - {start}
            assert answer.undetermined == ()
            assert answer.exact
            for entry in answer.servers:
                assert entry.path in paths
                assert [(z.zone, z.hops) for z in entry.zone_hops] == zone_hops(estate, entry.path)
            for end in estate.servers:
                hops = network.hops(start, end)
                assert hops.route_hops == (0 if end == start else shortest.get(end))
                assert hops.reachable == (end == start or end in shortest)
        matrix = network.hops_matrix()
        for row, start in enumerate(matrix.servers):
            shortest = {}
            for path in simple_paths(estate, start):
                shortest[path[-1]] = min(len(path) - 1, shortest.get(path[-1], 99))
            assert list(matrix.hops[row]) == [
                0 if s == start else shortest.get(s) for s in matrix.servers
            ]


@MANY
@given(estates(most_servers=5))
def test_paths_are_all_permitted_paths_shortest_first(estate: Estate) -> None:
    with read(estate) as network:
        for start in estate.servers:
            for end in estate.servers:
                if start != end:
                    wanted = sorted(
                        (p for p in simple_paths(estate, start) if p[-1] == end),
                        key=lambda p: (len(p), p),
                    )
                    answer = network.paths(start, end, maximum=500)
                    assert [found.servers for found in answer.paths] == wanted
                    assert not answer.truncated


@MANY
@given(estates())
def test_cycles_are_the_names_that_arrive_over_two_neighbours(estate: Estate) -> None:
    wanted: dict[tuple[str, str], set[str]] = defaultdict(set)
    for owner in estate.servers:
        for path in simple_paths(estate, owner):
            wanted[path[-1], f"$TMP$.{owner}.>"].add(path[-2])
    doubled = {key: via for key, via in wanted.items() if len(via) > 1}
    with read(estate) as network:
        answer = network.cycles()
        assert {(d.server, d.name): set(d.via) for d in answer.duplicates} == doubled
        assert answer.legal == (not doubled)
        assert answer.exact
        for entry in answer.duplicates:
            owner = entry.name.split(".")[1]
            permitted = simple_paths(estate, owner)
            assert all(path in permitted for path in entry.paths)
            assert {path[-2] for path in entry.paths} == set(entry.via)


@MANY
@given(estates())
def test_rings_are_the_cycles_of_the_routes_and_share_out_the_names(estate: Estate) -> None:
    """Compared with networkx: a ring is a biconnected component with more than one route that is
    not wholly inside one 1hop zone.
    """
    routes = networkx.Graph()
    for link in estate.links:
        routes.add_edge(*link.ends, zone=link.zone)
    wanted = {}
    for edges in networkx.biconnected_component_edges(routes):
        component = routes.edge_subgraph(edges)
        zones = {zone for _, _, zone in component.edges(data="zone")}
        if component.number_of_edges() > 1 and not (
            len(zones) == 1 and estate.zones[next(iter(zones))] == "1hop"
        ):
            wanted[frozenset(component)] = component
    with read(estate) as network:
        answer = network.cycles()
    assert {frozenset(ring.servers) for ring in answer.rings} == wanted.keys()
    for ring in answer.rings:
        component = wanted[frozenset(ring.servers)]
        assert {frozenset((one.from_, one.to)) for one in ring.routes} == {
            frozenset(edge) for edge in component.edges
        }
        assert ring.cycles == sum(
            1 for cycle in networkx.simple_cycles(component) if len(cycle) > 2
        )
        own = [one for one in answer.duplicates if {one.server, *one.via} <= set(ring.servers)]
        assert ring.pairs == len(own)
        assert ring.legal == (not own)
        named = {name for one in own for name in one.routes}
        assert {f"{one.from_}-{one.to}" for one in ring.routes if one.refusable} == named & {
            f"{one.from_}-{one.to}" for one in ring.routes
        }
    assert sum(ring.pairs for ring in answer.rings) == len(answer.duplicates)


@MANY
@given(estates())
def test_interests_are_the_names_learned_over_permitted_paths(estate: Estate) -> None:
    wanted: dict[str, dict[tuple[str, str], int]] = {server: {} for server in estate.servers}
    for owner in estate.servers:
        for path in simple_paths(estate, owner):
            key = (f"$TMP$.{owner}.>", path[-2])
            wanted[path[-1]][key] = min(len(path) - 1, wanted[path[-1]].get(key, 99))
    with read(estate) as network:
        answer = network.interests()
        got = {
            server: {(e.name, e.via): e.hops for e in entries}
            for server, entries in answer.servers.items()
        }
        assert got == wanted


@MANY
@given(estates(), st.sampled_from(TOPICS), properties, st.data())
def test_propagation_follows_the_paths_whose_guards_all_hold(
    estate: Estate, topic: str, values: Mapping[str, object], data: st.DataObject
) -> None:
    start = data.draw(st.sampled_from(estate.servers))
    having = data.draw(st.one_of(st.none(), st.sets(st.sampled_from(estate.servers))))
    subscribers = set(estate.servers) if having is None else having
    open_paths = [
        path
        for path in simple_paths(estate, start)
        if all(passes(estate, left, right, topic, values) for left, right in pairwise(path))
    ]
    wanted = {
        p[-1]: min(len(q) for q in open_paths if q[-1] == p[-1]) - 1
        for p in open_paths
        if p[-1] in subscribers
    }
    if start in subscribers:
        wanted[start] = 0
    with read(estate) as network:
        answer = network.propagate(
            start,
            f"topic:{topic}",
            values,  # type: ignore[arg-type]
            subscribers=[f"{server}:topic:{topic}" for server in sorted(having or ())],
            assume=having is None,
        )
        assert {delivery.server: delivery.hops for delivery in answer.deliveries} == wanted
        assert all(
            delivery.path == (start,) or delivery.path in open_paths
            for delivery in answer.deliveries
        )
        assert answer.undetermined == ()


@pytest.mark.parametrize("extra", [(), ("B", "D")])
def test_a_star_with_one_more_route_is_legal_only_without_it(extra: tuple[str, ...]) -> None:
    from brute_force.ems_estate import Link

    links = [Link(("A", other), "M", ("A",)) for other in "BCD"] + (
        [Link(extra, "M", ("B",))] if extra else []
    )  # type: ignore[arg-type]
    with read(Estate({"M": "mhop"}, tuple("ABCD"), tuple(links))) as network:
        assert network.cycles().legal == (not extra)
