"""Rings of links: a single one in order, and how many there are where they share links, as
networkx counts them.
"""

from __future__ import annotations

import time
from itertools import pairwise

import networkx
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.forwarding.rings import RINGS_COUNTED, around, count_rings, pair


@st.composite
def components(draw: st.DrawFn) -> list[tuple[int, int]]:
    """A biconnected component with more than one link: a ring, to which paths are added one
    after another (its ears).
    """
    ring = list(range(draw(st.integers(3, 8))))
    edges = {pair(a, b) for a, b in zip(ring, [*ring[1:], 0], strict=True)}
    servers = len(ring)
    for inner in draw(st.lists(st.integers(0, 3), max_size=4)):
        first, last = draw(
            st.lists(st.integers(0, servers - 1), min_size=2, max_size=2, unique=True)
        )
        path = [first, *range(servers, servers + inner), last]
        edges |= {pair(a, b) for a, b in pairwise(path)}
        servers += inner
    return draw(st.permutations(sorted(edges)))


@settings(max_examples=draws(100), deadline=None)
@given(components())
def test_as_many_rings_are_counted_as_networkx_finds(edges: list[tuple[int, int]]) -> None:
    graph = networkx.Graph(edges)
    found = [ring for ring in networkx.simple_cycles(graph) if len(ring) > 2]
    assert count_rings(edges) == len(found)
    ring = around(edges)
    assert (ring is not None) is (len(found) == 1)
    if ring is not None:
        assert {pair(a, b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)} == set(edges)
        assert ring[0] == 0
        assert ring[1] < ring[-1]


def test_the_number_of_servers_between_two_forks_does_not_matter() -> None:
    """Three paths of a hundred thousand servers between two forks are three rings, counted in a
    moment.
    """
    length = 100_000
    ends = (0, 3 * length + 1)
    edges = []
    for first in (1, length + 1, 2 * length + 1):
        path = [ends[0], *range(first, first + length), ends[1]]
        edges += [pair(a, b) for a, b in pairwise(path)]
    started = time.process_time()
    assert count_rings(edges) == 3
    assert time.process_time() - started < 20


def test_more_rings_than_are_counted_are_not_searched() -> None:
    complete = [(a, b) for a in range(60) for b in range(a + 1, 60)]
    assert count_rings(complete) is None
    diamonds = [
        (3 * at + a, 3 * at + b) for at in range(12) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))
    ] + [(0, 36)]
    assert RINGS_COUNTED < 12 + 2**12
    assert count_rings(diamonds) is None
    fewer = [edge for edge in diamonds if edge[1] <= 24 and edge != (0, 36)] + [(0, 24)]
    assert count_rings(fewer) == 8 + 2**8
