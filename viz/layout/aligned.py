"""Servers of a small network that are nearly at one height, or nearly one above the other, come
exactly there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from topograph.viz.layout.blocks import GAP, Neighbours, Spot
from topograph.viz.layout.trees import LANE, cross

NEAR = 0.2 * GAP
"""How far apart the first and the last of those may be that come to one height."""

_LEAST = 0.95 * GAP
"""How near to each other two servers may come for it."""


def aligned(spots: Mapping[int, Spot], neighbours: Neighbours) -> dict[int, Spot]:
    """The places with rows and columns made of what is nearly in one, as far as no two servers
    come too near to each other, no more links cross and none comes to lie over a server. Of the
    order of the servers' links times rows and columns."""
    found = dict(spots)
    links = [(a, b) for a in sorted(spots) for b in sorted(neighbours[a]) if a < b]
    for axis in (1, 0):
        for row in _rows(found, axis):
            middle = sum(found[server][axis] for server in row) / len(row)
            moved = dict(found)
            for server in row:
                x, y = found[server]
                moved[server] = (x, middle) if axis else (middle, y)
            if not _worse(found, moved, links):
                found = moved
    return found


def _rows(spots: Mapping[int, Spot], axis: int) -> list[list[int]]:
    """Servers within NEAR of each other along an axis, two or more."""
    rows: list[list[int]] = []
    for server in sorted(spots, key=lambda one: (spots[one][axis], one)):
        if rows and spots[server][axis] - spots[rows[-1][0]][axis] <= NEAR:
            rows[-1].append(server)
        else:
            rows.append([server])
    return [row for row in rows if len(row) > 1]


def _worse(
    before: Mapping[int, Spot], after: Mapping[int, Spot], links: Sequence[tuple[int, int]]
) -> bool:
    """Whether two servers come too near to each other, a link comes to lie over a server or to
    cross another, which were not before or less so.
    """
    for a, b in combinations(sorted(before), 2):
        if math.dist(after[a], after[b]) < min(_LEAST, math.dist(before[a], before[b])):
            return True
    for number, (a, b) in enumerate(links):
        for one in before:
            if one not in (a, b):
                now = _beside(after[a], after[b], after[one])
                if now < LANE and now < _beside(before[a], before[b], before[one]):
                    return True
        for c, d in links[:number]:
            apart = len({a, b, c, d}) == 4
            if apart and _cross(after, a, b, c, d) and not _cross(before, a, b, c, d):
                return True
    return False


def _cross(spots: Mapping[int, Spot], a: int, b: int, c: int, d: int) -> bool:
    return cross(spots[a], spots[b], spots[c], spots[d])


def _beside(a: Spot, b: Spot, at: Spot) -> float:
    """From a place to the line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / length)) if length else 0.0
    return math.hypot(a[0] + t * dx - at[0], a[1] + t * dy - at[1])
