"""Where signs, numbers and names are in an SVG drawing: signs on their own lines, as far as can be
from every other line, from servers and from what is attached to them. The rule is that of
``viz/page/script/signplaces.js``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from topograph.records import record
from topograph.viz.layout.outlines import Point
from topograph.viz.svg.links import Box, overlap
from topograph.viz.svg.pieces import Curve

APART = 14.0
"""What a sign keeps from what is not its own, in pixels."""

NEARLY = 0.85
"""Of places that are nearly as far from everything as the farthest, the one nearest to the wanted
part of the line is taken."""

FAR = 320.0
"""Farther than this nothing is looked at."""

PARTS = 48
"""Parts of a line between which its places are."""

SQUARE = 64.0
DIRECTIONS = 16

Piece = tuple[Point, Point]


@record
class Place:
    """A place on a line at ``t``, and how far it is from what does not belong to the line."""

    t: float
    at: Point
    clear: float


class Surroundings:
    """The lines, each with whose it is, and the boxes that signs keep off, by the squares in
    which they are."""

    def __init__(self, lines: Iterable[tuple[object, Iterable[Piece]]], boxes: Iterable[Box]):
        self._pieces: dict[tuple[int, int], list[tuple[object, Piece]]] = {}
        self._boxes: dict[tuple[int, int], list[Box]] = {}
        for own, pieces in lines:
            for piece in pieces:
                for square in _along(*piece):
                    self._pieces.setdefault(square, []).append((own, piece))
        for box in boxes:
            for square in _covered(box):
                self._boxes.setdefault(square, []).append(box)

    def places(self, own: object, curve: Curve, wanted: float) -> list[Place]:
        """The places on a curve, those that a sign is to take before others first. Linear in what
        is near."""
        found = []
        for part in range(3, PARTS - 2):
            at = curve.at(part / PARTS)
            found.append(Place(part / PARTS, at, self.clear(at, own)))
        most = max(place.clear for place in found)

        def order(place: Place) -> tuple[bool, float]:
            near = place.clear >= NEARLY * most
            return not near, abs(place.t - wanted) if near else -place.clear

        return sorted(found, key=order)

    def clear(self, at: Point, own: object = None, *, boxes: bool = True) -> float:
        """How far a place is from every line but ``own``, and from the boxes; at most FAR."""
        column, row = _square(at)
        best, ring = FAR, 0
        while (ring - 1) * SQUARE < best:
            for square in _ring(column, row, ring):
                for whose, piece in self._pieces.get(square, ()):
                    if whose != own:
                        best = min(best, distance(at, piece))
                if boxes:
                    for box in self._boxes.get(square, ()):
                        best = min(best, _from_box(at, box))
            ring += 1
        return best


class Room:
    """The boxes of what is drawn, by the squares in which they are."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self.boxes: list[Box] = []
        self._squares: dict[tuple[int, int], list[Box]] = {}
        for box in boxes:
            self.take(box)

    def take(self, box: Box) -> None:
        """Put a box there."""
        self.boxes.append(box)
        for square in _covered(box):
            self._squares.setdefault(square, []).append(box)

    def covered(self, box: Box) -> int:
        """How many boxes a box would cover a part of. Linear in those near it."""
        near = {other for square in _covered(box) for other in self._squares.get(square, ())}
        return sum(overlap(box, other) for other in near)


def free_place(
    places: Iterable[Place], size: float, taken: Room, apart: float = APART
) -> Place | None:
    """The first place that is ``apart`` from what is not its own, and where a sign of a size covers
    nothing that is taken."""
    return next(
        (
            place
            for place in places
            if place.clear >= apart and not taken.covered(square_at(place.at, size))
        ),
        None,
    )


def beside(
    server: Point, size: float, around: Surroundings, taken: Room, half: tuple[float, float]
) -> Point:
    """The place next to a server where a sign is farthest from lines and covers nothing that is
    taken, or covers least. ``half`` is half the width and height of the server."""
    wide, high = half[0] + size + 3, half[1] + size + 3
    spots = []
    for turn in range(DIRECTIONS):
        angle = -math.pi / 2 + turn * 2 * math.pi / DIRECTIONS
        spots.append((server[0] + math.cos(angle) * wide, server[1] + math.sin(angle) * high))
    return max(
        spots,
        key=lambda at: (
            -taken.covered(square_at(at, size)),
            round(around.clear(at, boxes=False)),
        ),
    )


def square_at(at: Point, size: float) -> Box:
    """The box around a sign of a size."""
    return at[0] - size, at[1] - size, at[0] + size, at[1] + size


def distance(at: Point, piece: Piece) -> float:
    """From a place to a straight line between two others."""
    (x, y), ((x1, y1), (x2, y2)) = at, piece
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / length)) if length else 0.0
    return math.hypot(x - x1 - t * dx, y - y1 - t * dy)


def _from_box(at: Point, box: Box) -> float:
    return math.hypot(
        max(box[0] - at[0], 0.0, at[0] - box[2]), max(box[1] - at[1], 0.0, at[1] - box[3])
    )


def _square(at: Point) -> tuple[int, int]:
    return math.floor(at[0] / SQUARE), math.floor(at[1] / SQUARE)


def _along(a: Point, b: Point) -> Iterator[tuple[int, int]]:
    """The squares that a straight line may touch: those around places on it that are half a square
    apart."""
    count = max(1, math.ceil(math.dist(a, b) / (SQUARE / 2)))
    walked = [
        _square((a[0] + (b[0] - a[0]) * part / count, a[1] + (b[1] - a[1]) * part / count))
        for part in range(count + 1)
    ]
    found = set(walked)
    for one, other in itertools.pairwise(walked):
        if one[0] != other[0] and one[1] != other[1]:
            found.update(((one[0], other[1]), (other[0], one[1])))
    yield from found


def _covered(box: Box) -> Iterator[tuple[int, int]]:
    (left, top), (right, bottom) = _square(box[:2]), _square(box[2:])
    return itertools.product(range(left, right + 1), range(top, bottom + 1))


def _ring(column: int, row: int, ring: int) -> Iterator[tuple[int, int]]:
    """The squares around one, ``ring`` away."""
    if not ring:
        yield column, row
        return
    for across in range(-ring, ring + 1):
        yield column + across, row - ring
        yield column + across, row + ring
    for down in range(-ring + 1, ring):
        yield column - ring, row + down
        yield column + ring, row + down
