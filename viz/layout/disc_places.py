"""Where the discs of an overview stand: near where they want to be, and none over another."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from topograph.records import record

GAP = 30.0
"""Between the rims of two discs, at least."""

FILLED = 0.6
"""Share of the field that the discs cover at most: places wanted nearer together are moved
apart.
"""

ASPECT = 1.5
"""Width by height of the field, if it takes no more than WIDER to come there."""

WIDER = 1.6

_DIRECTIONS = 32
_STEP = 0.25
"""Of the radius of a disc: how far from each other the circles are on which it looks for room."""


@record
class Disc:
    """The middle and the radius of a disc."""

    x: float
    y: float
    radius: float


def place_discs(wanted: Sequence[Disc]) -> list[Disc]:
    """The discs in their order, at whole numbers, none nearer to another than about GAP: the
    larger first, each at the free place that is nearest to the one it wants in a field of their
    size. Equal input gives equal places. Quadratic in the discs."""
    targets = _spread(wanted)
    order = sorted(range(len(wanted)), key=lambda at: (-wanted[at].radius, at))
    xs, ys, radii = np.empty(len(wanted)), np.empty(len(wanted)), np.empty(len(wanted))
    angles = np.arange(_DIRECTIONS) * (2 * math.pi / _DIRECTIONS)
    across, down = np.cos(angles), np.sin(angles)
    placed: dict[int, Disc] = {}
    for count, at in enumerate(order):
        (x, y), radius = targets[at], wanted[at].radius
        away = 0.0
        while True:
            # Whole numbers move a disc by less than one unit.
            ring_x, ring_y = np.round(x + across * away), np.round(y + down * away)
            room = (
                np.hypot(ring_x[:, None] - xs[:count], ring_y[:, None] - ys[:count]) - radii[:count]
            )
            clear = np.flatnonzero((room >= radius + GAP).all(axis=1))
            if clear.size:
                break
            away += max(radius * _STEP, 1.0)
        first = int(clear[0])
        xs[count], ys[count], radii[count] = ring_x[first], ring_y[first], radius
        placed[at] = Disc(float(ring_x[first]), float(ring_y[first]), radius)
    return [placed[at] for at in range(len(wanted))]


def _spread(wanted: Sequence[Disc]) -> list[tuple[float, float]]:
    """The places wanted, moved apart around their middle until the discs fill no more than
    FILLED of a field that is wider than high.
    """
    if not wanted:
        return []
    left, right = min(disc.x for disc in wanted), max(disc.x for disc in wanted)
    top, bottom = min(disc.y for disc in wanted), max(disc.y for disc in wanted)
    # Wider than high, as screens and paper are.
    wide = min(WIDER, max(1.0, ASPECT * (bottom - top) / max(right - left, 1.0)))
    need = sum(math.pi * (disc.radius + GAP / 2) ** 2 for disc in wanted) / FILLED
    middle = (left + right) / 2, (top + bottom) / 2
    area = (right - left) * wide * (bottom - top)
    factor = max(1.0, math.sqrt(need / area)) if area > 0 else 1.0
    return [
        (
            middle[0] + (disc.x - middle[0]) * factor * wide,
            middle[1] + (disc.y - middle[1]) * factor,
        )
        for disc in wanted
    ]
