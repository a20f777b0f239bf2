"""Servers of an SVG drawing as boxes with their names in them, where there is room for all of them.
The rule is that of ``viz/page/script/boxfit.js``; the servers of a drawing are moved apart for it,
by at most twice.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from topograph.records import record
from topograph.viz.layout.bends import CLEAR, Bends
from topograph.viz.layout.outlines import Point
from topograph.viz.scene.records import HOST, Mark, Scene, ServerDrawn
from topograph.viz.svg.links import Box, curve_of, lines_of, overlap
from topograph.viz.svg.looks import BROKEN, COLOUR_OF, FILLED
from topograph.viz.svg.pieces import RADIUS, SPANS, Curve, fixed, glyph
from topograph.words.visible import in_xml, readable

MOST = 40
"""More servers than this have shapes."""

LONGEST = 124.0
"""The width of a name that is in a box, at most, in pixels."""

SCALES = (1.4, 1.7, 2.0)
"""By how much the servers are moved apart: the first at which there is room."""

GLYPH = 8.5
"""The radius of the shape in a box."""

HALF = 15.0
"""Half the height of a box."""

APART, FROM_LINES, SEEN = 8.0, 4.0, 40.0
"""What is free between two boxes, between a box and the line of others, and how much of a line is
seen between its boxes: room for a sign."""

_BEFORE, _BETWEEN, _FOR_LETTER, _AFTER = 6.0, 5.0, 6.0, 8.0
_DRUM = 11.0
_CORNER = 7.0
_SIZE = 12.0

Line = tuple[frozenset[str], list[Point]]
"""The servers at its ends, and what it is made of."""


@record
class ServerBox:
    """Half the width and height of a box, and where the middles of its shape and name are, from
    that of the box."""

    wide: float
    high: float
    sign: float
    middle: float


def boxed(scene: Scene) -> tuple[Scene, float, dict[str, ServerBox]]:
    """The scene as it is drawn, with its servers moved apart by a factor, and their boxes; the
    scene as it is, 1 and no boxes where there is no room. Servers times lines, at most 40 servers.
    """
    servers = scene.servers
    if not 0 < len(servers) <= MOST or any(one.stack for one in servers):
        return scene, 1.0, {}
    lettered = {name for part in scene.parts for name in part.servers}
    named = [server for server in servers if server.shape != HOST]
    if not named or any(_width(server.name) > LONGEST for server in named):
        return scene, 1.0, {}
    boxes = {one.name: _box(one, lettered=one.name in lettered) for one in named}
    for scale in SCALES:
        moved = _moved(scene, scale)
        if _fits(moved, scale, boxes):
            return moved, scale, boxes
    return scene, 1.0, {}


def bends_at(places: Mapping[str, Point], scale: float) -> Bends:
    """The bends of links between servers that are moved apart by a factor: of the shapes that they
    have without that."""
    return Bends(places, dict.fromkeys(places, CLEAR * scale) if scale != 1 else None)


def half_of(server: str, boxes: Mapping[str, ServerBox]) -> tuple[float, float]:
    """Half the width and height of a server as it is drawn."""
    box = boxes.get(server)
    return (box.wide, box.high) if box else (RADIUS, RADIUS)


def reach(half: tuple[float, float], angle: float) -> float:
    """How far the outline of a box is from its middle, in a direction in radians."""
    return min(half[0] / max(0.01, abs(math.cos(angle))), half[1] / max(0.01, abs(math.sin(angle))))


def between_boxes(
    curve: Curve, ends: tuple[str, str], boxes: Mapping[str, ServerBox], t: float
) -> float:
    """Where a part ``t`` of a curve is: of what is seen between the boxes of its ends, if they are
    boxes."""
    length = curve.length
    if curve.loop or not length:
        return t
    first, last = (
        reach(half_of(name, boxes), math.radians(curve.angle(at))) / length
        if name in boxes
        else 0.0
        for name, at in zip(ends, (0.0, 1.0), strict=True)
    )
    return first + t * (1 - last - first) if first + last < 1 else t


def boxed_server(server: ServerDrawn, box: ServerBox, *, filled: bool, part: str) -> str:
    """A server as a box: its shape with the sign is at the left in it."""
    rest = part and server.mark is Mark.APART
    colour = "muted" if rest else COLOUR_OF[server.mark]
    dashes = ' stroke-dasharray="4 3"' if not server.loaded or server.mark in BROKEN else ""
    found = f"{_outline(box)}{dashes}/>"
    if server.mark in (Mark.ASKED, Mark.TARGET):
        look = "ring asked" if server.here else "ring"
        found = f'{_outline(box, 4.0)} class="{look}"/>{found}'
    shown = server.here or server.mark
    sign = glyph(
        server.shape,
        shown,
        loaded=server.loaded,
        filled=shown in FILLED if server.here else filled,
        part=part,
        ringed=False,
    )
    size = f"{GLYPH / RADIUS:.3f}"
    return (
        f'<g class="server c-{colour}">{found}</g>'
        f'<g transform="translate({fixed(box.sign)} 0) scale({size})">{sign}</g>'
    )


def _outline(box: ServerBox, away: float = 0.0) -> str:
    wide, high = box.wide + away, box.high + away
    return (
        f'<rect x="{fixed(-wide)}" y="{fixed(-high)}" width="{fixed(2 * wide)}" '
        f'height="{fixed(2 * high)}" rx="{fixed(_CORNER + away)}"'
    )


def _width(name: str) -> float:
    """The width of a name, on the broad side."""
    return sum(map(_letter, readable(in_xml(name)))) * _SIZE


def _letter(character: str) -> float:
    """The width of a bold character, of its height."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if character in "MWmw@%":
        return 1.02
    if character in "ijlIt.,:;'|!()[]fr -_/":
        return 0.48
    return 0.8 if character.isupper() else 0.7


def _box(server: ServerDrawn, *, lettered: bool) -> ServerBox:
    width = _width(server.name)
    across = SPANS.get(server.shape, (1.0, 1.0))[0] * GLYPH
    between = _BETWEEN + (_FOR_LETTER if lettered else 0.0)
    wide = (_BEFORE + 2 * across + between + width + _AFTER) / 2
    return ServerBox(wide, HALF, _BEFORE + across - wide, wide - _AFTER - width / 2)


def _moved(scene: Scene, scale: float) -> Scene:
    """A scene whose servers are farther apart."""
    if scale == 1:
        return scene
    return replace(
        scene,
        servers=tuple(replace(one, x=one.x * scale, y=one.y * scale) for one in scene.servers),
        attached=tuple(replace(one, x=one.x * scale, y=one.y * scale) for one in scene.attached),
    )


def _fits(scene: Scene, scale: float, boxes: Mapping[str, ServerBox]) -> bool:
    places = {server.name: (server.x, server.y) for server in scene.servers}
    drums = [(one, _beside(places[one.servers[0]], (one.x, one.y))) for one in scene.attached]
    own = {name: _around(at, half_of(name, boxes), APART / 2) for name, at in places.items()}
    others = [_around(at, (_DRUM, _DRUM), 0.0) for _, at in drums]
    if any(overlap(one, other) for one, other in itertools.combinations(own.values(), 2)):
        return False
    if any(overlap(one, other) for one in own.values() for other in others):
        return False
    lines = [
        *_links(scene, bends_at(places, scale)),
        *((frozenset((name,)), [places[name], at]) for one, at in drums for name in one.servers),
    ]
    wider = FROM_LINES - APART / 2
    around = {name: _around_box(box, wider) for name, box in own.items()}
    return all(
        _seen(ends, places, boxes) >= SEEN
        and not any(_crossed(box, points) for name, box in around.items() if name not in ends)
        for ends, points in lines
    )


def _links(scene: Scene, bends: Bends) -> Iterator[Line]:
    for link, _ in lines_of(scene.links):
        if link.ends[0] != link.ends[1]:
            pieces = curve_of(link, bends).pieces
            yield frozenset(link.ends), [pieces[0][0], *(end for _, end in pieces)]


def _seen(
    ends: Iterable[str], places: Mapping[str, Point], boxes: Mapping[str, ServerBox]
) -> float:
    """How much of a line between two servers is seen."""
    names = sorted(ends)
    if len(names) == 1:
        return math.inf
    (x1, y1), (x2, y2) = (places[name] for name in names)
    angle = math.atan2(y2 - y1, x2 - x1)
    covered = sum(reach(half_of(name, boxes), angle) for name in names)
    return math.hypot(x2 - x1, y2 - y1) - covered


def _beside(at: Point, away: Point) -> Point:
    return at[0] + away[0], at[1] + away[1]


def _around(at: Point, half: tuple[float, float], away: float) -> Box:
    wide, high = half[0] + away, half[1] + away
    return at[0] - wide, at[1] - high, at[0] + wide, at[1] + high


def _around_box(box: Box, away: float) -> Box:
    return box[0] - away, box[1] - away, box[2] + away, box[3] + away


def _crossed(box: Box, points: Sequence[Point]) -> bool:
    return any(_passes(box, *piece) for piece in itertools.pairwise(points))


def _passes(box: Box, start: Point, end: Point) -> bool:
    """Whether a straight line between two places passes through a box."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        step = end[axis] - start[axis]
        least, most = box[axis] - start[axis], box[axis + 2] - start[axis]
        if step == 0:
            if least > 0 or most < 0:
                return False
            continue
        low, high = sorted((least / step, most / step))
        first, last = max(first, low), min(last, high)
    return first <= last
