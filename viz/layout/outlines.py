"""The outlines of zones: what is filled, and drawn around with a broad line, so that every
server of a zone lies well inside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]


def outline(
    members: Sequence[Point],
    links: Sequence[tuple[Point, Point]],
    others: Sequence[Point],
    padding: float,
    *,
    along: bool,
) -> str:
    """The path of an SVG outline. A closed one, which ends with Z, is the smooth outline of the
    members' convex hull with its padding; any other is to be drawn with a line of twice the
    padding: it follows their links, where it is to go ``along`` them or the hull would cover one
    of the ``others``. O(members log members + others * corners)."""
    corners = convex_hull(members)
    small = len(members) <= 3
    if (
        corners
        and (small or not along)
        and not any(_near(corners, other, padding) for other in others)
    ):
        return rounded_hull(corners, padding)
    dots = "".join(f"M{_at(one)}h0" for one in members)
    return "".join(f"M{_at(a)}L{_at(b)}" for a, b in links) + dots


_LEAST = 0.72
"""Of the padding: what a smooth outline keeps from a corner of the hull."""

_SHARP = math.radians(140)
"""From this turn on a corner is an arc around its server. ``page/script/zones.js`` has the same."""


def rounded_hull(corners: Sequence[Point], padding: float) -> str:
    """The path of a smooth curve around the corners of a convex hull (``convex_hull``), about
    ``padding`` outside of it: flat corners are wide curves, sharp ones arcs. Linear."""
    if len(corners) == 1:
        (x, y), d = corners[0], f"{padding:.1f}"
        arc = f"a{d} {d} 0 1 1"
        return f"M{_at((x - padding, y))}{arc} {2 * padding:.1f} 0{arc} {-2 * padding:.1f} 0Z"
    parts = []
    for number, here in enumerate(corners):
        before, after = corners[number - 1], corners[(number + 1) % len(corners)]
        long_u, long_v = math.dist(before, here), math.dist(here, after)
        u = (here[0] - before[0]) / long_u, (here[1] - before[1]) / long_u
        v = (after[0] - here[0]) / long_v, (after[1] - here[1]) / long_v
        turn = math.atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1])
        if turn <= 0 or turn >= _SHARP:
            start = here[0] + padding * u[1], here[1] - padding * u[0]
            end = here[0] + padding * v[1], here[1] - padding * v[0]
            parts.append(f"{_at(start)}A{padding:.1f} {padding:.1f} 0 0 1 {_at(end)}")
            continue
        half = turn / 2
        out = padding / math.cos(half)
        tip = _beside(here, (u[1] + v[1], -u[0] - v[0]), out)
        reach = min(
            padding * math.tan(half) + min(long_u, long_v) / 2,
            2 * (out - _LEAST * padding) / math.sin(half),
        )
        start, end = _beside(tip, u, -reach), _beside(tip, v, reach)
        parts.append(f"{_at(start)}Q{_at(tip)} {_at(end)}")
    return f"M{'L'.join(parts)}Z"


def _beside(point: Point, direction: Point, length: float) -> Point:
    """What lies so far from a point in a direction of any length."""
    own = math.hypot(*direction)
    return point[0] + direction[0] / own * length, point[1] + direction[1] / own * length


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, counter-clockwise from the leftmost; of points on one line
    its two ends. O(n log n).
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(ordered: Sequence[Point]) -> list[Point]:
        found: list[Point] = []
        for point in ordered:
            while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0:
                found.pop()
            found.append(point)
        return found[:-1]

    return half(ordered) + half(ordered[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _near(corners: Sequence[Point], point: Point, padding: float) -> bool:
    """Whether a point lies in the hull, or nearer to it than the padding."""
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    if len(corners) > 2 and all(_turn(a, b, point) >= 0 for a, b in edges):
        return True
    return any(_distance(a, b, point) < padding for a, b in edges)


def _distance(a: Point, b: Point, point: Point) -> float:
    """From a point to a line between two points."""
    across, down = b[0] - a[0], b[1] - a[1]
    length = across * across + down * down
    t = (
        0.0
        if not length
        else max(0.0, min(1.0, ((point[0] - a[0]) * across + (point[1] - a[1]) * down) / length))
    )
    x, y = a[0] + t * across - point[0], a[1] + t * down - point[1]
    return float((x * x + y * y) ** 0.5)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
