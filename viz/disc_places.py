"""Where the discs of an overview stand: near where they want to be, and none over another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GAP = 30.0
"""Between the rims of two discs, at least."""

FILLED = 0.6
"""Share of the field that the discs cover: what is wanted nearer together is moved apart."""

_DIRECTIONS = 32
_STEP = 0.25
"""Of the radius of a disc: how far from each other the circles are on which it looks for room."""


@dataclass(frozen=True, slots=True)
class Disc:
    """The middle and the radius of a disc."""

    x: float
    y: float
    radius: float


def place_discs(wanted: Sequence[Disc]) -> list[Disc]:
    """The discs in their order, at whole numbers, none nearer to another than about GAP: the larger first, each at the free place that is nearest to the one
    it wants. Equal input gives equal places. Quadratic in the discs."""
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
            room = np.hypot(ring_x[:, None] - xs[:count], ring_y[:, None] - ys[:count]) - radii[:count]
            clear = np.flatnonzero((room >= radius + GAP).all(axis=1))
            if clear.size:
                break
            away += max(radius * _STEP, 1.0)
        first = int(clear[0])
        xs[count], ys[count], radii[count] = ring_x[first], ring_y[first], radius
        placed[at] = Disc(float(ring_x[first]), float(ring_y[first]), radius)
    return [placed[at] for at in range(len(wanted))]


def _spread(wanted: Sequence[Disc]) -> list[tuple[float, float]]:
    """The places wanted, stretched around their middle until the discs fill FILLED of the field, if they are nearer together."""
    if not wanted:
        return []
    left, right = min(disc.x for disc in wanted), max(disc.x for disc in wanted)
    top, bottom = min(disc.y for disc in wanted), max(disc.y for disc in wanted)
    need = sum(math.pi * (disc.radius + GAP / 2) ** 2 for disc in wanted) / FILLED
    middle = (left + right) / 2, (top + bottom) / 2
    area = (right - left) * (bottom - top)
    factor = max(1.0, math.sqrt(need / area)) if area > 0 else 1.0
    return [(middle[0] + (disc.x - middle[0]) * factor, middle[1] + (disc.y - middle[1]) * factor) for disc in wanted]
