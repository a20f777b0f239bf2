"""Showing less of the same estate never turns a number of hops, the paths between two servers,
what a failure does, or the judgement of a network into another certain one.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn

from certainty.claims import OPEN
from certainty.hops_and_paths import PathClaims, contradictions
from certainty.test_showing_less import ESTATES, parts, read


@pytest.mark.slow
@pytest.mark.parametrize("number", range(max(ESTATES // 2, 1)))
@pytest.mark.parametrize("system", DRAWN)
def test_paths_that_are_certain_in_a_part_are_so_in_the_whole(
    system: str, number: int, tmp_path: Path
) -> None:
    estate = drawn(system, "one", number)
    network = read(tmp_path / "whole", estate.files)
    named = [one for one in estate.servers if one in network.server_names()]
    pairs = [*itertools.permutations(named, 2)]
    whole = PathClaims(network, pairs)
    at = random.Random(f"{system} {number}")
    found = {}
    for title, part, names, gone in parts(tmp_path, estate, network, at):
        asked = [pair for pair in pairs if {*pair} <= {*names}]
        if wrong := contradictions(whole, PathClaims(part, asked), gone):
            found[title] = wrong
    assert found == {}


@pytest.mark.parametrize("system", DRAWN)
def test_whether_servers_reach_each_other_is_certain_in_what_is_shown_whole(
    system: str, tmp_path: Path
) -> None:
    """Else "unknown" everywhere would be right everywhere."""
    open_ = all_ = 0
    for number in range(8):
        estate = drawn(system, "one", number)
        network = read(tmp_path / str(number), estate.files)
        named = [one for one in estate.servers if one in network.server_names()]
        said = PathClaims(network, [*itertools.permutations(named, 2)]).said
        open_ += sum(one == OPEN for one in said.values())
        all_ += len(said)
    assert open_ < 3 * all_ / 4, f"{open_} of {all_} are open"
