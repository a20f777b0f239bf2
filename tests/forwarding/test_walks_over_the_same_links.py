"""Of walks over the same servers and links one stands for all: the lightest as a whole."""

from __future__ import annotations

import pytest

from topograph.forwarding.budget import Budget
from topograph.forwarding.simple import Links, reverse, simple_paths

SERVER_OF = [0, 1, 1, 2, 2]
ADJACENCY = {0: [1, 2], 1: [3], 2: [4], 3: [], 4: []}


@pytest.mark.parametrize(
    ("weights", "lightest"),
    [
        ([0, 5, 0, 0, 1], (0, 2, 4)),
        ([0, 1, 3, 1, 0], (0, 1, 3)),
        ([0, 1, 1, 1, 1], (0, 1, 3)),
    ],
)
def test_the_points_of_a_walk_are_weighed_together(
    weights: list[int], lightest: tuple[int, ...]
) -> None:
    links = Links(lambda here, there: (SERVER_OF[here], SERVER_OF[there]), weights.__getitem__)
    found = simple_paths(
        (0,), {3, 4}, ADJACENCY, reverse(ADJACENCY), SERVER_OF, Budget(None), range(3), links
    )
    assert list(found) == [lightest]
