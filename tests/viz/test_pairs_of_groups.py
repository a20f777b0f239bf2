"""Pairs that are kept as groups are drawn as the same pairs one by one."""

from __future__ import annotations

import random
from itertools import product

import pytest

from topograph.systems.contract.separated import Group, SeparatedPairs
from topograph.viz.scene.pairs import ROWS, PairsDrawn, apart_from, pair_rows, pairs_group
from topograph.viz.scene.parts import separation
from topograph.viz.scene.records import Mark


def drawn_groups(seed: int) -> SeparatedPairs:
    """Parts of some servers that lose each other, some of them in one order only."""
    chance = random.Random(seed)
    names = [f"S{number}" for number in range(chance.randrange(2, 14))]
    chance.shuffle(names)
    cuts = sorted(chance.sample(range(len(names) + 1), 2))
    parts = [names[: cuts[0]], names[cuts[0] : cuts[1]], names[cuts[1] :]]
    groups = [
        Group(tuple(sorted(parts[one])), tuple(sorted(parts[other])), f"outcome {one % 2}")
        for one, other in product(range(3), repeat=2)
        if one != other and chance.random() < 0.8
    ]
    return SeparatedPairs(groups)


@pytest.mark.parametrize("seed", range(60))
def test_groups_are_drawn_as_their_pairs(seed: int) -> None:
    groups = drawn_groups(seed)
    by_groups = PairsDrawn.of_groups(groups)
    by_pairs = PairsDrawn.of((one.start, one.end) for one in groups)
    assert by_groups.count == by_pairs.count
    assert separation(by_groups) == separation(by_pairs)
    assert apart_from(by_groups, "loses", "lost by") == apart_from(by_pairs, "loses", "lost by")
    assert pair_rows(by_groups, ROWS) == pair_rows(by_pairs, ROWS)
    number = by_pairs.count
    assert pairs_group("Lost", Mark.CUT_OFF, by_groups, number) == pairs_group(
        "Lost", Mark.CUT_OFF, by_pairs, number
    )


def test_turned_round_each_pair_has_its_servers_in_the_other_order() -> None:
    groups = drawn_groups(7)
    turned = {(one.end, one.start, one.outcome) for one in groups.turned_round()}
    assert turned == {(one.start, one.end, one.outcome) for one in groups}
