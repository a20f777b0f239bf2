"""Servers change places in pairs only where that makes a picture better."""

from __future__ import annotations

import math
import random

import pytest
from drawn.shapes import SHAPES

from topograph.viz.layout.placing import place_servers
from topograph.viz.layout.trees import LANE, cross
from topograph.viz.layout.untangled import FEW_LINKS, LARGEST, untangled

Spots = dict[int, tuple[float, float]]


def tangle(spots: Spots, links: list[tuple[int, int]]) -> int:
    """Crossings, and how often a link passes over a server."""
    found = 0
    for number, (a, b) in enumerate(links):
        for c, d in links[:number]:
            found += len({a, b, c, d}) == 4 and cross(spots[a], spots[b], spots[c], spots[d])
        (ax, ay), (bx, by) = spots[a], spots[b]
        length = math.dist(spots[a], spots[b])
        for one, (x, y) in spots.items():
            along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
            beside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
            found += one not in (a, b) and 0 < along < length and beside < LANE
    return found


def tangled(seed: int, size: int) -> tuple[Spots, list[tuple[int, int]]]:
    """Servers on a grid in any order, with links at random."""
    chance = random.Random(seed)
    cells = [(110.0 * x, 110.0 * y) for x in range(8) for y in range(1 + size // 8)]
    spots = dict(enumerate(chance.sample(cells, size)))
    links = {(chance.randrange(one), one) for one in range(1, size)}
    links |= {tuple(sorted(chance.sample(range(size), 2))) for _ in range(size // 3)}
    return spots, sorted(links)


@pytest.mark.parametrize("seed", range(8))
def test_exchanges_make_pictures_better_and_keep_the_places(seed: int) -> None:
    spots, links = tangled(seed, 16 + 4 * seed)
    near = {one: {a + b - one for a, b in links if one in (a, b)} for one in spots}
    zones = {link: "ZONE" if seed % 2 else f"Z{link[0] % 2}" for link in links}
    found = untangled(spots, near, zones)
    assert sorted(found.values()) == sorted(spots.values())
    assert tangle(found, links) < tangle(spots, links)
    assert untangled(spots, near, zones) == found
    of = {one: {zones[link] for link in links if one in link} for one in spots}
    had = {at: one for one, at in spots.items()}
    assert all(of[had[found[one]]] == of[one] for one in spots)


def test_where_there_are_too_many_servers_or_links_nothing_changes() -> None:
    spots, links = tangled(1, 30)
    near = {one: {other for other in spots if other != one} for one in spots}
    assert sum(map(len, near.values())) / 2 > FEW_LINKS * len(spots)
    assert untangled(spots, near, {}) == spots
    many, links = tangled(1, LARGEST + 1)
    near = {one: {a + b - one for a, b in links if one in (a, b)} for one in many}
    assert untangled(many, near, dict.fromkeys(links, "")) == many


def test_routers_without_a_shape_have_fewer_crossings() -> None:
    scene = SHAPES["routers128"].network.scene()
    names = sorted(server.name for server in scene.servers)
    number = {name: at for at, name in enumerate(names)}
    placed = place_servers(names, [(link.ends, link.zone) for link in scene.links])
    pairs = {
        (min(a, b), max(a, b))
        for a, b in ((number[x], number[y]) for x, y in (link.ends for link in scene.links))
        if a != b
    }
    spots = {number[name]: spot for name, spot in placed.items()}
    assert tangle(spots, sorted(pairs)) <= 180
