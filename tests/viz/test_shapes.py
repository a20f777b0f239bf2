"""Networks of plain shapes are drawn as what they are, whatever their servers are called."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence

import pytest
from drawn.networks import hull, nearest, overlap
from drawn.shapes import (
    REGIONS,
    Link,
    chain,
    mesh_zones,
    renamed,
    ring,
    ring_of_rings,
    star,
    tree,
)

from topograph.viz.layout.aligned import aligned
from topograph.viz.layout.blocks import GAP
from topograph.viz.layout.fields import NARROW, WIDE
from topograph.viz.layout.placing import place_servers
from topograph.viz.layout.shapes import EVEN_OVAL, ONE_CIRCLE, ONE_ROW, RING_OVAL
from topograph.viz.layout.trees import LANE

Spot = tuple[float, float]
Spots = Mapping[str, Spot]

TIMES = 20
"""Networks of each shape, each with other names in another order."""


def placed(links: Sequence[Link]) -> dict[str, Spot]:
    names = sorted({end for link in links for end in link[:2]})
    return place_servers(names, [((a, b), zone) for a, b, zone, _ in links])


def drawn(
    links: Sequence[Link], times: int = TIMES
) -> list[tuple[Sequence[Link], dict[str, Spot]]]:
    """A network and others like it with other names, in other orders."""
    others = [renamed(links, number) for number in range(times)]
    return [(some, placed(some)) for some in (links, *others)]


def neighbours(links: Sequence[Link]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for a, b, _, _ in links:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return found


def cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    def side(p: Spot, q: Spot, r: Spot) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def crossings(links: Sequence[Link], spots: Spots) -> list[tuple[Link, Link]]:
    return [
        (one, other)
        for one, other in itertools.combinations(links, 2)
        if len({*one[:2], *other[:2]}) == 4
        and cross(spots[one[0]], spots[one[1]], spots[other[0]], spots[other[1]])
    ]


def passed(links: Sequence[Link], spots: Spots) -> list[tuple[str, str, str]]:
    """The servers that a straight link would have to be bent around."""
    found = []
    for a, b, _, _ in links:
        (ax, ay), (bx, by) = spots[a], spots[b]
        length = math.hypot(bx - ax, by - ay)
        for name, (x, y) in spots.items():
            along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
            beside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
            if name not in (a, b) and 0 < along < length and beside < LANE - 1:
                found.append((a, b, name))
    return found


SHAPED: dict[str, list[Link]] = {
    "chain of 5": chain(5),
    "chain of 13": chain(13),
    "chain of 30": chain(30),
    "ring of 5": ring(5),
    "ring of 12": ring(12),
    "ring of 24": ring(24),
    "ring of 60": ring(60),
    "star of 3": star(3),
    "star of 12": star(12),
    "star of 29": star(29),
    "star of 50": star(50),
    "tree of 13": tree(13),
    "tree of 25, by two": tree(25, 2),
    "tree of 60": tree(60),
    "tree of 60, by two": tree(60, 2),
    "rings of ten": ring_of_rings(6, 10),
    "rings of eight": ring_of_rings(3, 8),
}


@pytest.mark.parametrize("links", SHAPED.values(), ids=SHAPED)
def test_nothing_crosses_and_no_link_passes_over_a_server(links: list[Link]) -> None:
    for some, spots in drawn(links):
        assert crossings(some, spots) == []
        assert passed(some, spots) == []
        assert nearest(spots) >= 0.95 * GAP


def test_a_star_of_300_has_no_link_over_a_leaf() -> None:
    links = star(300)
    spots = placed(links)
    assert passed(links, spots) == []
    assert nearest(spots) >= 0.95 * GAP


def from_an_oval(spots: Sequence[Spot], oval: float) -> float:
    """By how much the servers of a ring are off an oval, so much wider than high, around their
    middle."""
    x, y = sum(spot[0] for spot in spots) / len(spots), sum(spot[1] for spot in spots) / len(spots)
    radii = [math.dist((x / oval, y), (spot[0] / oval, spot[1])) for spot in spots]
    return max(radii) / min(radii) - 1


@pytest.mark.parametrize("size", [4, 7, 8, 9, 12, 24, 25, 60, 100])
def test_a_ring_is_an_even_oval(size: int) -> None:
    for links, spots in drawn(ring(size)):
        assert from_an_oval(list(spots.values()), RING_OVAL if size >= EVEN_OVAL else 1.0) <= 0.05
        sides = [math.dist(spots[a], spots[b]) for a, b, _, _ in links]
        assert max(sides) <= 1.05 * min(sides)


def test_an_oval_is_seen_as_a_ring_and_fills_a_field() -> None:
    assert 1.0 < RING_OVAL <= 1.3
    for size in range(EVEN_OVAL, 31):
        spots = placed(ring(size))
        assert share(spots) >= 0.62
        assert share(spots, NARROW) >= 0.62


@pytest.mark.parametrize("leaves", [3, 12, ONE_CIRCLE, ONE_CIRCLE + 1, 50, 128, 300])
def test_the_leaves_of_a_star_are_on_circles_around_its_hub(leaves: int) -> None:
    for links, spots in drawn(star(leaves), times=TIMES if leaves < 100 else 2):
        (hub,) = (name for name, others in neighbours(links).items() if len(others) == leaves)
        radii = sorted(math.dist(spots[hub], spot) for name, spot in spots.items() if name != hub)
        circles = [radii[0]]
        for radius in radii:
            if radius > circles[-1] + GAP / 2:
                circles.append(radius)
            assert radius - circles[-1] <= 2
        assert (len(circles) == 1) is (leaves <= ONE_CIRCLE)
        angles = {
            round(math.atan2(y - spots[hub][1], x - spots[hub][0]), 3)
            for name, (x, y) in spots.items()
            if name != hub
        }
        assert len(angles) == leaves


@pytest.mark.parametrize("size", [2, ONE_ROW, 13, 30, 200])
def test_a_chain_goes_to_and_fro_in_rows(size: int) -> None:
    for links, spots in drawn(chain(size)):
        near = neighbours(links)
        order = [min(name for name, others in near.items() if len(others) == 1)]
        while len(order) < size:
            order.append(next(one for one in near[order[-1]] if one not in order[-2:]))
        if spots[order[0]][1] > spots[order[-1]][1]:
            order.reverse()
        rows = [
            [spots[name][0] for name in row]
            for _, row in itertools.groupby(order, key=lambda name: spots[name][1])
        ]
        assert sorted(spots[name][1] for name in order) == [spots[name][1] for name in order]
        assert len(rows) == 1 or size > ONE_ROW
        for number, row in enumerate(rows):
            assert row == sorted(row, reverse=number % 2 == 1)
            assert len(row) == len(rows[0]) or number == len(rows) - 1
        # From one row to the next straight down.
        assert all(before[-1] == after[0] for before, after in itertools.pairwise(rows))


def share(spots: Spots, width: float = WIDE, height: float = 1.0, margin: float = 0.75) -> float:
    """Of a field, what a drawing takes that is as large as fits, names included."""
    xs, ys = zip(*spots.values(), strict=True)
    wide = max(xs) - min(xs) + 2 * margin * GAP
    high = max(ys) - min(ys) + 2 * margin * GAP
    scale = min(width / wide, height / high)
    return wide * scale * high * scale / width / height


@pytest.mark.parametrize(
    "links",
    [tree(13), tree(25, 2), tree(30), tree(60), tree(60, 2), chain(13), chain(30)],
    ids=str,
)
def test_trees_and_chains_fill_the_field(links: list[Link]) -> None:
    for _, spots in drawn(links):
        assert share(spots) >= 0.6


@pytest.mark.parametrize("make", [chain, ring, star, tree], ids=["chain", "ring", "star", "tree"])
def test_the_shape_does_not_depend_on_names(make: Callable[[int], list[Link]]) -> None:
    """Distances between linked servers are the same, however these are called."""
    lengths = set()
    for links, spots in drawn(make(13)):
        found = sorted(math.dist(spots[a], spots[b]) for a, b, _, _ in links)
        lengths.add(tuple(round(length / 5) for length in found))
    assert len(lengths) <= 2


@pytest.mark.parametrize(("regions", "each"), [(2, 6), (2, 8), (3, 7), (3, 8), (4, 6), (2, 12)])
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "with another part"])
def test_meshes_of_a_small_network_are_apart(regions: int, each: int, beside: bool) -> None:
    links = mesh_zones(REGIONS[:regions], each)
    spots = placed([*links, ("PAIR-A", "PAIR-B", "PAIR", "mhop")] if beside else links)
    hulls = [
        hull(spots[name] for name in spots if name.startswith(region))
        for region in REGIONS[:regions]
    ]
    assert not any(overlap(a, b) for a, b in itertools.combinations(hulls, 2))
    if not beside:
        assert share(spots) >= 0.6


@pytest.mark.parametrize("sizes", [(8, 8, 8), (12, 6), (9, 9, 9, 9), (40, 12, 9, 5), (5,) * 12])
def test_parts_of_a_network_fill_the_field(sizes: tuple[int, ...]) -> None:
    links = [
        (f"P{number}{a}", f"P{number}{b}", f"Z{number}", kind)
        for number, size in enumerate(sizes)
        for a, b, _, kind in ring(size)
    ]
    spots = placed(links)
    xs, ys = zip(*spots.values(), strict=True)
    wide, high = max(xs) - min(xs) + 1.5 * GAP, max(ys) - min(ys) + 1.5 * GAP
    area = sum(
        (max(spots[one][0] for one in own) - min(spots[one][0] for one in own) + GAP)
        * (max(spots[one][1] for one in own) - min(spots[one][1] for one in own) + GAP)
        for number in range(len(sizes))
        for own in [[name for name in spots if name.startswith(f"P{number}")]]
        if own
    )
    # As large as whole rows of them can be shown: two of three rings are one row, for example.
    assert 1.0 <= wide / high <= 2.2
    assert area >= 0.45 * wide * high


def test_parts_of_different_shapes_each_keep_theirs() -> None:
    links = [*ring(9), *(("X" + a, "X" + b, "S", kind) for a, b, _, kind in star(6))]
    spots = placed(links)
    assert from_an_oval([spots[name] for name in neighbours(ring(9))], RING_OVAL) <= 0.05
    assert crossings(links, spots) == []


def test_a_ring_of_which_one_server_has_a_leaf_is_still_round() -> None:
    links = [*ring(12), ("AMMAN", "ZULU", "RING", "mhop")]
    spots = placed(links)
    own = [spots[name] for name in neighbours(ring(12))]
    x, y = sum(spot[0] for spot in own) / 12, sum(spot[1] for spot in own) / 12
    radii = [math.dist((x, y), spot) for spot in own]
    assert max(radii) <= 1.05 * min(radii)


def test_what_is_nearly_in_a_row_comes_into_one() -> None:
    spots = {0: (0.0, 0.0), 1: (150.0, 12.0), 2: (300.0, -5.0), 3: (150.0, 160.0)}
    links = {0: {1}, 1: {0, 2, 3}, 2: {1}, 3: {1}}
    found = aligned(spots, links)
    assert len({found[one][1] for one in (0, 1, 2)}) == 1
    assert found[1][0] == found[3][0]


def test_no_row_is_made_where_a_link_would_lie_over_a_server() -> None:
    beside = {0: (0.0, 0.0), 1: (150.0, -18.0 - LANE), 2: (300.0, -35.0)}
    linked = {0: {2}, 1: set[int](), 2: {0}}
    assert aligned(beside, linked)[1] == beside[1]


@pytest.mark.parametrize("number", range(40))
def test_alignment_makes_nothing_worse(number: int) -> None:
    chance = random.Random(number)
    size = chance.randint(4, 20)
    spots = {
        one: (chance.uniform(0, 120) + 110 * (one % 5), chance.uniform(0, 30) + 120 * (one // 5))
        for one in range(size)
    }
    near: dict[int, set[int]] = {one: set() for one in spots}
    for one in range(1, size):
        other = chance.randrange(one)
        near[one].add(other)
        near[other].add(one)
    found = aligned(spots, near)
    links = [(str(a), str(b), "", "") for a in near for b in near[a] if a < b]
    before, after = ({str(one): at for one, at in some.items()} for some in (spots, found))
    assert len(crossings(links, after)) <= len(crossings(links, before))
    assert set(passed(links, after)) <= set(passed(links, before))
    assert nearest(after) >= min(nearest(before), 0.95 * GAP) - 1e-9
    assert all(math.dist(before[one], after[one]) <= 0.3 * GAP for one in before)
