"""Two drawings of a tree without crossings: in layers, and around its root."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from topograph.records import record
from topograph.viz.layout.blocks import GAP, Neighbours, Spot
from topograph.viz.layout.bubbles import Key
from topograph.viz.layout.fields import WIDE

LANE = 31.0
"""What a link keeps from the middles of servers that it passes: just above what links are bent
for (``bends.CLEAR``)."""

_LAYER = 1.3 * GAP
_CIRCLE = 1.1 * GAP

_TURNS = 1_440
"""Directions by which the length of an ellipse is measured."""


@record
class _Rooted:
    """A tree from its root on: ``order`` has each server before those below it."""

    order: Sequence[int]
    below: Mapping[int, Sequence[int]]
    depth: Mapping[int, int]
    ends: Mapping[int, int]


def _rooted(root: int, neighbours: Neighbours, key: Key) -> _Rooted:
    order, below, depth = [root], {}, {root: 0}
    for server in order:
        below[server] = sorted(
            (other for other in neighbours[server] if other not in depth),
            key=lambda other: key(server, (other,)),
        )
        for other in below[server]:
            depth[other] = depth[server] + 1
        order += below[server]
    ends: dict[int, int] = {}
    for server in reversed(order):
        ends[server] = sum(ends[other] for other in below[server]) or 1
    return _Rooted(order, below, depth, ends)


def place_layers(root: int, neighbours: Neighbours, wide: float, key: Key) -> dict[int, Spot]:
    """From top to bottom: servers of one distance from the root in a row, each above the middle
    of those below it, which are GAP times ``wide`` apart. Rows are as far apart as keeps links
    off the servers beside them. O(servers log servers).
    """
    tree = _rooted(root, neighbours, key)
    left: dict[int, int] = {root: 0}
    for server in tree.order:
        at = left[server]
        for other in tree.below[server]:
            left[other] = at
            at += tree.ends[other]
    across: dict[int, float] = {}
    for server in reversed(tree.order):
        own = tree.below[server]
        across[server] = (
            (across[own[0]] + across[own[-1]]) / 2 if own else GAP * wide * left[server]
        )
    heights = [0.0] * (max(tree.depth.values()) + 1)
    for server in tree.order:
        own = tree.below[server]
        need = _LAYER
        for one, other in pairwise(own):
            far = max(abs(across[one] - across[server]), abs(across[other] - across[server]))
            need = max(need, LANE * far / math.sqrt((across[other] - across[one]) ** 2 - LANE**2))
        if own:
            heights[tree.depth[server] + 1] = max(heights[tree.depth[server] + 1], need)
    down = [sum(heights[: depth + 1]) for depth in range(len(heights))]
    return {server: (across[server], down[tree.depth[server]]) for server in tree.order}


def place_radial(root: int, neighbours: Neighbours, wide: float, key: Key) -> dict[int, Spot]:
    """Around the root: servers of one distance from it on one ellipse, as wide as the field, each
    in a sector as long as what hangs on it has ends. Empty if links would cross so or pass over
    servers. Quadratic.
    """
    tree = _rooted(root, neighbours, key)
    oval = max(1.0, WIDE / wide)
    direction = directions(oval)
    share: dict[int, tuple[float, float]] = {root: (0.0, 1.0)}
    for server in tree.order:
        low, high = share[server]
        step = (high - low) / tree.ends[server]
        for other in tree.below[server]:
            share[other] = low, low + step * tree.ends[other]
            low = share[other][1]
    angle = {server: direction((low + high) / 2) for server, (low, high) in share.items()}
    circles: list[list[int]] = [[] for _ in range(max(tree.depth.values()) + 1)]
    for server in tree.order:
        circles[tree.depth[server]].append(server)
    radius = 0.0
    spots: dict[int, Spot] = {root: (0.0, 0.0)}
    for servers in circles[1:]:
        radius += _CIRCLE
        unit = [(oval * math.cos(angle[one]), math.sin(angle[one])) for one in servers]
        for a, b in pairwise([*unit, unit[0]]):
            if a != b:
                radius = max(radius, GAP / math.dist(a, b))
        spots |= {one: (radius * x, radius * y) for one, (x, y) in zip(servers, unit, strict=True)}
    if not _clear(spots, [(one, other) for one in tree.order for other in tree.below[one]]):
        return {}
    return {server: (x * wide, y) for server, (x, y) in spots.items()}


def directions(oval: float) -> Callable[[float], float]:
    """From a share of the length of an ellipse (clockwise from its top) to the direction there,
    in radians as for a circle."""
    angles = [-math.pi / 2 + 2 * math.pi * turn / _TURNS for turn in range(_TURNS + 1)]
    points = [(oval * math.cos(angle), math.sin(angle)) for angle in angles]
    lengths = [0.0]
    for a, b in pairwise(points):
        lengths.append(lengths[-1] + math.dist(a, b))

    def direction(share: float) -> float:
        wanted = share * lengths[-1]
        at = max(1, bisect_left(lengths, wanted))
        part = (wanted - lengths[at - 1]) / (lengths[at] - lengths[at - 1])
        return angles[at - 1] + part * (angles[at] - angles[at - 1])

    return direction


def _clear(spots: Mapping[int, Spot], links: Sequence[tuple[int, int]]) -> bool:
    """Whether no links cross and none comes nearer than LANE to a server that is not its end."""
    for number, (a, b) in enumerate(links):
        (ax, ay), (bx, by) = spots[a], spots[b]
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        for one, (x, y) in spots.items():
            along = (x - ax) * dx + (y - ay) * dy
            beside = abs((x - ax) * dy - (y - ay) * dx)
            if one not in (a, b) and 0 < along < length and beside < LANE * math.sqrt(length):
                return False
        for c, d in links[:number]:
            if len({a, b, c, d}) == 4 and cross(spots[a], spots[b], spots[c], spots[d]):
                return False
    return True


def cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether a straight line from ``a`` to ``b`` crosses one from ``c`` to ``d``."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
