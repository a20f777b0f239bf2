"""How links are bent: none passes over a server that is not one of its ends, as long as there is a
way around.

A link is a parabola over the straight line between its ends, so that one number says all of it: how
far its control point lies beside the line. Each server near the link forbids an interval of that
number; the one taken is the nearest to 0 outside of all intervals. ``page/script/bends.js`` is the
same rule for servers that are dragged.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from topograph.viz.layout.outlines import Point

CLEAR = 30.0
"""What a link keeps from the middle of a server that is not its end, in layout units: neighbours
are about 100 apart, servers 26 wide.
"""

STEEPEST = 0.8
"""Of the length of a link: how far its control point may lie beside the line."""

FARTHEST = 1_000.0
"""How far it may lie there at most."""

_SQUARE = 200.0
"""The width of the squares in which servers near a link are looked for."""


class Bends:
    """The bends of the links between servers at ``places``, those that are drawn; or between
    larger things, of which ``clear`` says what links keep from their middles."""

    def __init__(
        self, places: Mapping[str, Point], clear: Mapping[str, float] | None = None
    ) -> None:
        self.places = places
        self._clear = clear or {}
        self._widest = max([CLEAR, *self._clear.values()])
        self._squares: dict[tuple[int, int], list[str]] = {}
        for name, (x, y) in places.items():
            self._squares.setdefault((math.floor(x / _SQUARE), math.floor(y / _SQUARE)), []).append(
                name
            )

    def aside(self, first: str, second: str, apart: Sequence[float] = (0.0,)) -> float:
        """How far the control points of the links between two servers are moved, to the left as
        seen from ``first`` where the y axis points upwards; ``apart`` is where those of parallel
        links lie without that. About linear in the servers near the link."""
        a, b = self.places[first], self.places[second]
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = math.sqrt(dx * dx + dy * dy)
        if not length:
            return 0.0
        widest = max(map(abs, apart))
        # Most links are free as they are, which only the servers beside them decide.
        if not any(
            low < 0 < high
            for low, high in self._forbidden(
                first, second, length, apart, widest / 2 + 2 * self._widest
            )
        ):
            return 0.0
        most = min(STEEPEST * length, FARTHEST)
        found = list(
            self._forbidden(first, second, length, apart, (most + widest) / 2 + 2 * self._widest)
        )
        lows, highs = sorted(low for low, _ in found), sorted(high for _, high in found)

        def worth(aside: float) -> tuple[int, float, bool]:
            over = bisect_left(lows, aside) - bisect_right(highs, aside)
            return over, round(abs(aside), 6), aside < 0

        return min([0.0, *(one for one in (*lows, *highs) if abs(one) <= most)], key=worth)

    def _forbidden(
        self, first: str, second: str, length: float, apart: Sequence[float], reach: float
    ) -> Iterator[tuple[float, float]]:
        """The open intervals in which a control point would lead a link over a server, of the
        servers no farther than ``reach`` from the line.
        """
        (ax, ay), (bx, by) = self.places[first], self.places[second]
        across, down = (bx - ax) / length, (by - ay) / length
        for name in self.near((ax, ay), (bx, by), reach):
            if name in (first, second):
                continue
            x, y = self.places[name]
            t = ((x - ax) * across + (y - ay) * down) / length
            beside = (y - ay) * across - (x - ax) * down
            if not 0 < t < 1 or abs(beside) > reach:
                continue
            rise = 2 * t * (1 - t)
            middle = beside / rise
            # A steep curve is nearer than it is seen across.
            steep = (2 - 4 * t) * max(-STEEPEST, min(STEEPEST, middle / length))
            half = self._clear.get(name, CLEAR) * math.sqrt(1 + steep * steep) / rise
            for one in apart:
                yield middle - half - one, middle + half - one

    def near(self, a: Point, b: Point, reach: float) -> Iterator[str]:
        """The servers in squares that come as near as ``reach`` to the line from ``a`` to ``b``."""
        top, bottom = sorted((a, b), key=lambda point: point[1])
        rise = bottom[1] - top[1]
        for row in range(
            math.floor((top[1] - reach) / _SQUARE), math.floor((bottom[1] + reach) / _SQUARE) + 1
        ):
            # What of the line is no farther than ``reach`` above or below the row.
            start = max(0.0, min(1.0, (row * _SQUARE - reach - top[1]) / rise)) if rise else 0.0
            end = max(0.0, min(1.0, ((row + 1) * _SQUARE + reach - top[1]) / rise)) if rise else 1.0
            ends = (top[0] + (bottom[0] - top[0]) * start, top[0] + (bottom[0] - top[0]) * end)
            left, right = (
                math.floor((min(ends) - reach) / _SQUARE),
                math.floor((max(ends) + reach) / _SQUARE),
            )
            for column in range(left, right + 1):
                yield from self._squares.get((column, row), ())
