"""The field that a drawing is shown on, and how well it fits there."""

from __future__ import annotations

import math
from collections.abc import Mapping

from topograph.viz.layout.blocks import GAP, Spot

WIDE = 1.6
"""Width by height of the field that a page and a sheet of paper have for a picture."""

NARROW = 1.4
"""Width by height of a narrow one: that of a window with a list next to the picture and the legend
below."""

LEAST_WIDE = 1.12
"""Width by height from which a small network fills enough of the field. Stretching it to the
whole width was tried: every change then moves servers farther."""

MOST = 1.5
"""How much a small network is stretched across for that, at most."""

FILLED = 1.4
"""How much a tree is stretched one way at most."""

MARGIN = 0.75 * GAP
"""Around the servers, for names and outlines."""


_LONGER = 0.2
"""How much longer one way than the other a picture is that is turned: of its spread, 0 is a
circle and 1 a line.
"""

_EIGHTH = math.pi / 4

_SQUEEZED = 1.15
"""How much a field of clusters is stretched across and pressed together downwards at most: more
would show wide windows a little more, and phones fewer names (decision 037)."""


def fit(spots: Mapping[int, Spot]) -> float:
    """How large servers are shown on a field of WIDE by 1: the scale at which all fit, one or
    more of them. Linear.
    """
    width, height = extent(spots)
    return min(WIDE / (width + 2 * MARGIN), 1 / (height + 2 * MARGIN))


def extent(spots: Mapping[int, Spot]) -> Spot:
    """Width and height from middle to middle, in layout units. Linear."""
    xs, ys = [x for x, _ in spots.values()], [y for _, y in spots.values()]
    return max(xs) - min(xs), max(ys) - min(ys)


def widened(spots: Mapping[int, Spot], least: float) -> dict[int, Spot]:
    """Stretched across by ``least``, and by as much more, up to MOST, as makes it LEAST_WIDE as
    wide as high with its margin. Linear."""
    width, height = extent(spots)
    need = (LEAST_WIDE * (height + 2 * MARGIN) - 2 * MARGIN) / width if width else 1.0
    factor = max(least, min(MOST, need))
    return {server: (x * factor, y) for server, (x, y) in spots.items()}


def filled(spots: Mapping[int, Spot], most: float = FILLED) -> dict[int, Spot]:
    """Stretched one way, by up to ``most``, as far as any field from NARROW to WIDE has room.
    Nothing comes nearer to anything, and there all is shown as large as before. Linear."""
    width, height = extent(spots)
    across = NARROW * (height + 2 * MARGIN) - 2 * MARGIN
    down = (width + 2 * MARGIN) / WIDE - 2 * MARGIN
    wide = min(most, max(1.0, across / width)) if width else 1.0
    high = min(most, max(1.0, down / height)) if height else 1.0
    return {server: (x * wide, y * high) for server, (x, y) in spots.items()}


def mirrored(spots: Mapping[int, Spot], wide: float) -> dict[int, Spot]:
    """From top to bottom becomes from left to right, ``wide`` times as wide. Linear."""
    return {server: (y * wide, x) for server, (x, y) in spots.items()}


def turned_flat(spots: Mapping[int, Spot]) -> dict[int, Spot]:
    """Turned, by an eighth of a circle or two, so that the picture is wider than high if it is
    clearly longer one way than the other. Linear.
    """
    x = sum(spot[0] for spot in spots.values()) / len(spots)
    y = sum(spot[1] for spot in spots.values()) / len(spots)
    all_ = sum((spot[0] - x) ** 2 + (spot[1] - y) ** 2 for spot in spots.values())
    wide = sum((spot[0] - x) ** 2 - (spot[1] - y) ** 2 for spot in spots.values())
    across = 2 * sum((spot[0] - x) * (spot[1] - y) for spot in spots.values())
    if math.hypot(wide, across) < _LONGER * all_:
        return dict(spots)
    angle = round(math.atan2(across, wide) / 2 / _EIGHTH) * _EIGHTH
    cosine, sine = math.cos(angle), math.sin(angle)
    return {
        server: (x * cosine + y * sine, y * cosine - x * sine) for server, (x, y) in spots.items()
    }


def squeezed(spots: Mapping[int, Spot]) -> dict[int, Spot]:
    """Stretched across and pressed together downwards by one factor, until as wide as the field
    for its height. Linear."""
    width, height = extent(spots)
    if not width or not height:
        return dict(spots)
    factor = max(1.0, min(_SQUEEZED, math.sqrt(WIDE * height / width)))
    return {server: (x * factor, y / factor) for server, (x, y) in spots.items()}
