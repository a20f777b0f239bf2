"""The outlines of zones: what is filled, and drawn around with a broad line, so that every
server of a zone lies well inside.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]


def outline(
    members: Sequence[Point],
    links: Sequence[tuple[Point, Point]],
    others: Sequence[Point],
    padding: float,
    *,
    tree: bool,
) -> str:
    """The path of an SVG outline, to be drawn with a line of twice the padding: the convex hull
    of the members; their links instead, where these make a tree or the hull would cover one of
    the ``others``. O(members log members + others * corners)."""
    corners = convex_hull(members)
    small = len(members) <= 3
    if (
        corners
        and (small or not tree)
        and not any(_near(corners, other, padding) for other in others)
    ):
        return f"M{'L'.join(map(_at, corners))}Z"
    dots = "".join(f"M{_at(one)}h0" for one in members)
    return "".join(f"M{_at(a)}L{_at(b)}" for a, b in links) + dots


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
