"""On which side of a server there is room."""

from __future__ import annotations

import math
from collections.abc import Sequence

from topograph.viz.layout.outlines import Point


def free_side(here: Point, others: Sequence[Point]) -> float:
    """The middle of the widest angle in which none of the ``others`` lies, in radians."""
    angles = sorted(math.atan2(y - here[1], x - here[0]) for x, y in set(others))
    if not angles:
        return 0.0
    gaps = [
        (after - before, before)
        for before, after in zip(angles, [*angles[1:], angles[0] + 2 * math.pi], strict=True)
    ]
    widest, start = max(gaps, key=lambda gap: (round(gap[0], 6), -gap[1]))
    return start + widest / 2
