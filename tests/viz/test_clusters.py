"""Meshes and what joins them: which servers stand together, which links decide where, and that
one link more hardly moves anybody.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence

import pytest
from drawn.networks import company, hull, inside, overlap

from topograph.forwarding.components import neighbours_of
from topograph.viz.layout.backbone import backbone
from topograph.viz.layout.blocks import GAP
from topograph.viz.layout.meshes import meshes
from topograph.viz.layout.newcomers import place_newcomers
from topograph.viz.layout.placing import ASPECT, place_servers

Links = list[tuple[tuple[str, str], str]]
Spot = tuple[float, float]


def six_meshes() -> tuple[list[str], Links]:
    """60 servers: six meshes of ten, one of which carries the rest."""
    names, links = [], []
    for zone in range(6):
        own = [f"M{zone}S{number}" for number in range(10)]
        names += own
        links += [(pair, f"Z{zone}") for pair in itertools.combinations(own, 2)]
    links += [((f"M0S{zone}", f"M{zone}S0"), "WAN") for zone in range(1, 6)]
    return names, links


def thirteen() -> tuple[list[str], Links]:
    names = [f"S{number:02d}" for number in range(13)]
    pairs = [
        *itertools.combinations(range(6), 2),
        (0, 6),
        (0, 7),
        (6, 7),
        (1, 8),
        (1, 9),
        (9, 10),
        (2, 11),
        (3, 12),
    ]
    return names, [((names[a], names[b]), "MESH" if b < 6 else f"Z{a}") for a, b in pairs]


ESTATES = {13: thirteen(), 60: six_meshes(), 200: company(20), 1000: company(100)}


def changes(
    names: Sequence[str], links: Links, seed: int, times: int
) -> Iterator[tuple[str, list[str], Links]]:
    """One link or server more or less, chosen at random."""
    chance = random.Random(seed)
    for _ in range(times):
        a, b = chance.sample(list(names), 2)
        yield "link added", list(names), [*links, ((a, b), chance.choice(["WAN", "NEW"]))]
        gone = chance.randrange(len(links))
        yield "link removed", list(names), links[:gone] + links[gone + 1 :]
        left = chance.choice(names)
        yield (
            "server removed",
            [n for n in names if n != left],
            [link for link in links if left not in link[0]],
        )
        beside = chance.choice(names)
        yield "server added", sorted([*names, "M0-NEW"]), [*links, (("M0-NEW", beside), "WAN")]


def stayed(before: Mapping[str, Spot], after: Mapping[str, Spot]) -> float:
    """The share of servers that moved less than a gap."""
    both = before.keys() & after.keys()
    return sum(math.dist(before[name], after[name]) < GAP for name in both) / len(both)


@pytest.mark.parametrize("size", [60, 200, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_link_or_server_more_moves_less_than_a_tenth_of_the_servers(size: int):
    names, links = ESTATES[size]
    before = place_servers(names, links)
    found: dict[str, list[float]] = {}
    for kind, others, between in changes(names, links, size, 12 if size < 1000 else 4):
        if kind != "server removed":
            found.setdefault(kind, []).append(stayed(before, place_servers(others, between)))
    # Without the places of before, most changes; with them every one (the next test).
    for kind, shares in found.items():
        assert sorted(shares)[len(shares) // 4] >= 0.9, (kind, shares)


@pytest.mark.parametrize("size", [13, 60, 200, 1000])
def test_beside_the_places_of_before_nobody_moves(size: int):
    names, links = ESTATES[size]
    before = place_servers(names, links)
    for kind, others, between in changes(names, links, size, 4):
        known = {name: before[name] for name in others if name in before}
        after = place_newcomers(
            known, [n for n in others if n not in known], [ends for ends, _ in between]
        )
        assert after.keys() == set(others), kind
        assert stayed(before, after) == 1.0, kind


def test_the_mesh_that_carries_the_rest_is_as_large_as_the_others():
    names, links = six_meshes()
    spots = place_servers(names, links)
    hulls = {zone: hull(spots[f"M{zone}S{number}"] for number in range(10)) for zone in range(6)}
    sizes = {
        zone: max(math.dist(a, b) for a in found for b in found) for zone, found in hulls.items()
    }
    assert max(sizes.values()) <= 1.3 * min(sizes.values())
    assert [
        pair for pair in itertools.combinations(hulls, 2) if overlap(hulls[pair[0]], hulls[pair[1]])
    ] == []
    assert [
        n for n in names for zone in hulls if n[1] != str(zone) and inside(spots[n], hulls[zone])
    ] == []


def on_the_way(spots: Mapping[str, Spot], ends: tuple[str, str], near: float) -> list[str]:
    """The servers on a straight link between two others."""
    (ax, ay), (bx, by) = spots[ends[0]], spots[ends[1]]
    length = math.hypot(bx - ax, by - ay)
    found = []
    for name, (x, y) in spots.items():
        far = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
        beside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
        if name not in ends and 0 < far < length and beside < near:
            found.append(name)
    return found


@pytest.mark.parametrize("size", [60, 200])
def test_no_server_stands_on_a_link_between_meshes(size: int):
    names, links = ESTATES[size]
    spots = place_servers(names, links)
    assert [
        found for ends, zone in links if zone == "WAN" for found in on_the_way(spots, ends, 12)
    ] == []


def test_parts_without_links_fill_the_width():
    names = [f"P{part}{number}" for part in range(10) for number in range(2 + part % 4)]
    links = [((f"P{name[1]}0", name), f"Z{name[1]}") for name in names if name[2] != "0"]
    spots = place_servers(names, links)
    xs, ys = zip(*spots.values(), strict=True)
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    assert ASPECT / 1.6 <= wide / high <= ASPECT * 1.6
    rows: dict[str, tuple[float, float]] = {}
    for part in range(10):
        own = [spots[name] for name in names if name[1] == str(part)]
        rows[str(part)] = min(x for x, _ in own), max(x for x, _ in own)
    assert min(left for left, _ in rows.values()) == min(xs)
    assert sum(right == max(xs) for _, right in rows.values()) >= 2


def test_the_largest_part_stands_where_it_would_alone():
    names, links = company(3)
    alone = place_servers(names, links)
    more = place_servers([*names, "X", "Y", "Z"], [*links, (("X", "Y"), "OTHER")])
    assert {name: more[name] for name in names} == alone


def numbered(
    pairs: Sequence[tuple[int, int]],
) -> tuple[list[int], dict[int, set[int]], dict[tuple[int, int], str]]:
    near = neighbours_of(pairs)
    return sorted(near), near, {(min(a, b), max(a, b)): "" for a, b in pairs}


def test_two_links_between_meshes_of_one_zone_leave_both_what_they_are():
    first, second = list(range(8)), list(range(8, 16))
    pairs = [*itertools.combinations(first, 2), *itertools.combinations(second, 2)]
    assert sorted(meshes(*numbered(pairs))) == [tuple(first), tuple(second)]
    assert sorted(meshes(*numbered([*pairs, (0, 8), (3, 12)]))) == [tuple(first), tuple(second)]


def test_a_ring_and_a_grid_hold_no_mesh():
    ring = [(a, (a + 1) % 9) for a in range(9)]
    grid = [(x * 5 + y, x * 5 + y + 1) for x in range(5) for y in range(4)]
    grid += [(x * 5 + y, x * 5 + y + 5) for x in range(4) for y in range(5)]
    assert meshes(*numbered(ring)) == []
    assert meshes(*numbered(grid)) == []


def bones(clusters: Sequence[Sequence[int]], links: Sequence[tuple[int, int]]):
    return backbone(
        clusters, {server: at for at, own in enumerate(clusters) for server in own}, links
    )


def test_the_links_of_a_ring_all_count():
    found = bones(
        [[n] for n in range(12)], [(min(n, (n + 1) % 12), max(n, (n + 1) % 12)) for n in range(12)]
    )
    assert found.cyclic
    assert len(found.tree) == 11
    assert len(found.closing) == 1


def test_a_link_across_a_tree_of_meshes_does_not_count():
    clusters = [list(range(10 * n, 10 * n + 10)) for n in range(7)]
    tree = [(0, 10), (0, 20), (10, 30), (10, 40), (20, 50), (20, 60)]
    plain, crossed = bones(clusters, tree), bones(clusters, [*tree, (33, 55)])
    assert sorted(crossed.tree) == sorted(plain.tree) == sorted(tree)
    assert (crossed.closing, crossed.order, crossed.parent) == ([], plain.order, plain.parent)


def test_a_small_cycle_of_servers_is_drawn_as_one():
    links = [
        (0, 1),
        (1, 2),
        (2, 3),
        (0, 3),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 8),
        (8, 9),
        (9, 10),
    ]
    found = bones([[n] for n in range(11)], links)
    assert not found.cyclic
    assert len(found.closing) == 1


@pytest.mark.parametrize(("first", "second"), [(9, 10), (5, 5), (12, 20), (30, 30), (40, 39)])
def test_the_area_of_a_mesh_covers_no_server_of_another_that_shares_one(
    first: int, second: int
) -> None:
    meshes_ = [
        ["BRIDGE", *(f"{letter}{number:02d}" for number in range(size))]
        for letter, size in (("N", first), ("S", second))
    ]
    links = [
        (pair, zone)
        for zone, own in zip(("NORTHERN", "SOUTHERN"), meshes_, strict=True)
        for pair in itertools.combinations(own, 2)
    ]
    spots = place_servers([*dict.fromkeys(itertools.chain(*meshes_))], links)
    for own, other in (meshes_, meshes_[::-1]):
        area = hull(spots[name] for name in own)
        assert not [name for name in other[1:] if inside(spots[name], area)]
