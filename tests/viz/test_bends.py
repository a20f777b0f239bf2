"""Links go around servers that are not their ends."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from drawn.networks import Spot, company, estate_of, example, route

from topograph.viz.layout.bends import CLEAR, STEEPEST, Bends
from topograph.viz.layout.placing import place_servers
from topograph.viz.scene.picture import draw
from topograph.viz.svg.links import PARALLEL_GAP, curve_between, curve_of
from topograph.viz.svg.pieces import Curve


def along(curve: Curve) -> list[Spot]:
    parts = max(40, int(math.dist(curve.start, curve.end) / 5))
    return [curve.at(number / parts) for number in range(parts + 1)]


def passes(curve: Curve, server: Spot) -> float:
    """How near a curve comes to a server."""
    return min(math.dist(spot, server) for spot in along(curve))


def test_a_link_that_no_server_is_near_is_straight() -> None:
    bends = Bends({"A": (0, 0), "B": (300, 0), "C": (150, CLEAR), "D": (150, -90)})
    assert bends.aside("A", "B") == 0


@pytest.mark.parametrize("where", [(150, 0), (150, 10), (150, -10), (95, 0), (200, -29)])
def test_a_link_goes_around_a_server_on_its_shorter_side(where: Spot) -> None:
    bends = Bends({"A": (0, 0), "B": (300, 0), "C": where})
    curve = curve_between(("A", "B"), bends)
    assert CLEAR * 0.98 <= passes(curve, where) <= CLEAR * 1.1
    assert (curve.over[1] > where[1]) == (where[1] <= 0)
    assert curve_between(("B", "A"), bends) == curve.back()


def test_of_two_ways_around_the_one_without_another_server_is_taken() -> None:
    spots = {"A": (0, 0), "B": (300, 0), "C": (150, 0), "D": (150, 50)}
    curve = curve_between(("A", "B"), Bends(spots))
    assert curve.over[1] < 0
    assert min(passes(curve, spots["C"]), passes(curve, spots["D"])) >= CLEAR * 0.98


def test_where_there_is_no_way_around_a_link_passes_over_as_few_servers_as_possible() -> None:
    wall = {f"W{number}": (150.0, number * 50.0 - 500.0) for number in range(21)}
    gap = {name: spot for name, spot in wall.items() if spot[1] != 100}
    found = Bends({"A": (0, 0), "B": (300, 0), **gap}).aside("A", "B")
    assert 0 < abs(found) <= STEEPEST * 300
    assert abs(Bends({"A": (0, 0), "B": (300, 0), **wall}).aside("A", "B")) <= STEEPEST * 300


def test_parallel_links_go_around_a_server_together() -> None:
    scene = draw(
        estate_of(["A", "B", "C"], [route("A", "B"), route("B", "A"), route("B", "C", "Z")])
    )
    pair = [link for link in scene.links if set(link.ends) == {"A", "B"}]
    spots = {"A": (0.0, 0.0), "B": (400.0, 0.0), "C": (200.0, PARALLEL_GAP / 4)}
    one, other = (curve_of(link, Bends(spots)) for link in pair)
    assert min(passes(one, spots["C"]), passes(other, spots["C"])) >= CLEAR * 0.98
    assert abs(one.over[1] - other.over[1]) == pytest.approx(PARALLEL_GAP)


@pytest.mark.parametrize("hubs", [6, 20, 100])
def test_no_link_of_a_company_passes_over_a_server(hubs: int) -> None:
    names, links = company(hubs)
    spots = place_servers(names, links)
    bends = Bends(spots)
    over = []
    for first, second in sorted({(min(ends), max(ends)) for ends, _ in links}):
        curve = curve_between((first, second), bends)
        near = {name for piece in curve.pieces for name in bends.near(*piece, CLEAR)} - {
            first,
            second,
        }
        over += [(first, second, name) for name in near if passes(curve, spots[name]) < 0.9 * CLEAR]
    assert over == []


@pytest.mark.parametrize("seed", range(10))
def test_no_curve_is_steeper_than_allowed(seed: int) -> None:
    chance = random.Random(seed)
    spots = {
        f"N{number}": (chance.uniform(0, 2_000), chance.uniform(0, 2_000)) for number in range(200)
    }
    bends = Bends(spots)
    for first, second in itertools.combinations(sorted(spots)[:20], 2):
        assert abs(bends.aside(first, second)) <= STEEPEST * math.dist(spots[first], spots[second])


@pytest.mark.parametrize(
    "name", ["estate", "orders", "routers", "mixed", "queue_managers", "retail"]
)
def test_no_link_of_an_example_passes_over_a_server(name: str) -> None:
    scene = example(name).scene()
    spots = {server.name: (server.x, server.y) for server in scene.servers}
    bends = Bends(spots)
    over = [
        (link.id, other)
        for link in scene.links
        for other, spot in spots.items()
        if other not in link.ends and passes(curve_of(link, bends), spot) < 0.9 * CLEAR
    ]
    assert over == []
