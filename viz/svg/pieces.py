"""What SVG drawings are put together from: servers, links, signs, numbers and texts, each as
markup.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from html import escape

from topograph.findings import Severity
from topograph.records import record
from topograph.viz.layout.outlines import Point
from topograph.viz.scene.records import HOST, Mark
from topograph.viz.svg.looks import (
    BROKEN,
    COLOUR_OF,
    FILLED,
    HALF_FILLED,
    LETTERED,
    LETTERS,
    LINK_SIGNS,
    SIGNS,
)
from topograph.words.visible import in_xml, readable, shortened

RADIUS = 13.0
"""Half the width of a server, in the units of the scene."""

CHARACTERS = 24
"""Of a server's name that are drawn; the whole of it stands in its title."""

HOST_CHARACTERS = 44
"""Of the name of a host: names of hosts differ anywhere in them."""


SPANS = {
    "box": (1.25, 0.85),
    "bar": (1.9, 0.72),
    "device": (0.72, 1.2),
    "hexagon": (1.12, 1.0),
    HOST: (0.62, 0.62),
}
"""Half the width and height of shapes, for a radius of 1."""


@record
class Curve:
    """A link as drawn: from its first end, over a control point, to its last; with ``loop`` a
    circle of this radius above its only end.
    """

    start: Point
    over: Point
    end: Point
    loop: float = 0.0

    @property
    def data(self) -> str:
        """What a path's ``d`` says."""
        if self.loop:
            size = fixed(self.loop)
            return f"M{spot(self.start)}a{size} {size} 0 1 1 .1 0"
        if self.over == halfway(self.start, self.end):
            return f"M{spot(self.start)}L{spot(self.end)}"
        return f"M{spot(self.start)}Q{spot(self.over)} {spot(self.end)}"

    def at(self, t: float) -> Point:
        """The point at ``t``: 0 is the start, 1 the end."""
        if self.loop:
            angle = math.pi / 2 + 2 * math.pi * t
            across, down = self.loop * math.cos(angle), self.loop * math.sin(angle)
            return self.start[0] + across, self.start[1] - self.loop + down
        u = 1 - t
        return (
            u * u * self.start[0] + 2 * u * t * self.over[0] + t * t * self.end[0],
            u * u * self.start[1] + 2 * u * t * self.over[1] + t * t * self.end[1],
        )

    def angle(self, t: float) -> float:
        """The direction at ``t``, in degrees."""
        if self.loop:
            return 180 + 360 * t
        across = (1 - t) * (self.over[0] - self.start[0]) + t * (self.end[0] - self.over[0])
        down = (1 - t) * (self.over[1] - self.start[1]) + t * (self.end[1] - self.over[1])
        return math.degrees(math.atan2(down, across))

    @property
    def pieces(self) -> list[tuple[Point, Point]]:
        """Straight lines that it is made of, nearly."""
        count = 1 if self.over == halfway(self.start, self.end) else 12
        spots = [self.at(number / count) for number in range(count + 1)]
        return list(itertools.pairwise(spots))

    def up_to(self, t: float) -> Curve:
        """The part from the start to ``t``."""
        over = (
            self.start[0] + (self.over[0] - self.start[0]) * t,
            self.start[1] + (self.over[1] - self.start[1]) * t,
        )
        return Curve(self.start, over, self.at(t), self.loop)

    def back(self) -> Curve:
        """The same from its end."""
        return Curve(self.end, self.over, self.start, self.loop)

    @property
    def length(self) -> float:
        """That of the straight line between its ends; of a loop the way around it."""
        return 2 * math.pi * self.loop if self.loop else math.dist(self.start, self.end)


def glyph(
    shape: str,
    mark: Mark,
    *,
    loaded: bool,
    filled: bool,
    here: Mark = Mark.NONE,
    part: str = "",
    ringed: bool = True,
) -> str:
    """A server at the middle of its own coordinates. ``here`` is drawn inside the ring of one that
    is asked from; ``part`` is its letter, next to a sign that says something else. One that is
    not ``ringed`` has its ring elsewhere.
    """
    if here:
        ring = f'<circle class="ring asked" r="{fixed(RADIUS * 1.15 + 4)}"/>'
        inside = glyph(shape, here, loaded=loaded, filled=here in FILLED)
        return f'<g class="server c-{COLOUR_OF[mark]}">{ring}</g>{inside}'
    # The rest of a network that parts are cut off from is not what a reader looks for.
    colour = "muted" if part and mark is Mark.APART else COLOUR_OF[mark]
    ringed = ringed and mark in (Mark.ASKED, Mark.TARGET)
    r = RADIUS * (1.15 if ringed else 1.0)
    wide, high = SPANS.get(shape, (1.0, 1.0))
    if shape == "hexagon":
        corners = " ".join(
            (
                f"{fixed(r * wide * math.cos(k * math.pi / 3))},"
                f"{fixed(r * wide * math.sin(k * math.pi / 3))}"
            )
            for k in range(6)
        )
        outline_ = f'<polygon points="{corners}"'
    elif shape == "house":
        turns = ((0, -1), (1, -0.2), (1, 0.8), (-1, 0.8), (-1, -0.2))
        points = " ".join(
            f"{fixed(r * 1.05 * across)},{fixed(r * 1.1 * down)}" for across, down in turns
        )
        outline_ = f'<polygon points="{points}"'
    elif shape in ("box", "bar", "device", HOST) or not loaded:
        corner = f'x="{fixed(-r * wide)}" y="{fixed(-r * high)}"'
        size = f'width="{fixed(2 * r * wide)}" height="{fixed(2 * r * high)}"'
        outline_ = f'<rect {corner} {size} rx="{3 if loaded else 0}"'
    elif mark is Mark.UNDETERMINED:
        outline_ = (
            f'<polygon points="0,{fixed(-r * 1.2)} {fixed(r * 1.2)},0 0,{fixed(r * 1.2)} '
            f'{fixed(-r * 1.2)},0"'
        )
    else:
        outline_ = f'<circle r="{fixed(r)}"'
    dashes = ' stroke-dasharray="4 3"' if not loaded or mark in BROKEN else ""
    found = f'<g class="server c-{colour}{" filled" if filled else ""}">{outline_}{dashes}/>'
    if ringed:
        found += f'<circle class="ring" r="{fixed(r + 4)}"/>'
    if mark in HALF_FILLED:
        found += _lower_half(shape, r, r * wide, r * high, loaded=loaded)
        found += f'<path class="rim" d="{SIGNS[mark]}"/>'
    if part and mark in LETTERED:
        return f'{found}<text class="letter" y="5">{part}</text></g>'
    if part:
        found += f'<circle class="tag" cx="{fixed(r)}" cy="{fixed(r)}" r="8"/>'
        found += f'<text class="tagged" x="{fixed(r)}" y="{fixed(r + 4)}">{part}</text>'
    if mark in SIGNS:
        found += f'<path class="sign" d="{SIGNS[mark]}"/>'
    elif mark in LETTERS:
        found += f'<text class="letter" y="5">{LETTERS[mark]}</text>'
    return found + "</g>"


def _lower_half(shape: str, r: float, wide: float, high: float, *, loaded: bool) -> str:
    """What is filled of a server that is marked as one of several."""
    if shape == "hexagon":
        corner, low = wide / 2, wide * math.sin(math.pi / 3)
        d = f"M{fixed(-wide)} 0L{fixed(-corner)} {fixed(low)}H{fixed(corner)}L{fixed(wide)} 0Z"
    elif shape == "house":
        d = f"M{fixed(-1.05 * r)} 0V{fixed(0.88 * r)}H{fixed(1.05 * r)}V0Z"
    elif shape in ("box", "bar", "device", HOST) or not loaded:
        d = f"M{fixed(-wide)} 0V{fixed(high)}H{fixed(wide)}V0Z"
    else:
        d = f"M{fixed(-r)} 0A{fixed(r)} {fixed(r)} 0 0 0 {fixed(r)} 0Z"
    return f'<path class="half" d="{d}"/>'


def arrow(curve: Curve, t: float, size: float = 8.0) -> str:
    """An arrow head at ``t``."""
    x, y = curve.at(t)
    return (
        f'<path class="arrow" transform="translate({fixed(x)} {fixed(y)}) '
        f'rotate({fixed(curve.angle(t))})" '
        f'd="M{fixed(size)} 0L{fixed(-0.7 * size)} '
        f"{fixed(0.75 * size)}L{fixed(-0.35 * size)} 0L{fixed(-0.7 * size)} "
        f'{fixed(-0.75 * size)}Z"/>'
    )


def drum(at: Point, mark: Mark = Mark.NONE) -> str:
    """A broker or container: what servers connect to without its being one."""
    body = "M-11-6.3V6.3A11 4.2 0 0 0 11 6.3V-6.3A11 4.2 0 0 0-11-6.3A11 4.2 0 0 0 11-6.3"
    sign = f'<path class="sign" d="{SIGNS[mark]}"/>' if mark in SIGNS else ""
    if mark in LETTERS:
        sign = f'<text class="letter" y="6">{LETTERS[mark]}</text>'
    return (
        f'<g class="server c-{COLOUR_OF[mark]}" transform="translate({spot(at)})">'
        f'<path d="{body}"/>{sign}</g>'
    )


_HANDS = SIGNS[Mark.LATER].index("M0-3.2")
"""Where the hands of the clock begin, after its rim."""


def stop_sign(
    at: Point,
    number: str,
    *,
    certain: bool,
    waits: bool = False,
    times: int = 1,
    others: Sequence[int] = (),
) -> str:
    """The message goes no further here; with a question mark where that is not certain, counted
    where several are one sign. ``others`` are the numbers of more that have the same sign. Where
    the message only ``waits`` there is a clock, with the number next to it.
    """
    more = f"+ {', '.join(map(str, others))}" if others else f"×{times}"
    counted = f'<text class="cost" x="{12 + 3 * len(more)}" y="-6">{more}</text>'
    counted = counted if times > 1 else ""
    if waits:
        clock = f'<circle r="9"/><path class="sign" d="{SIGNS[Mark.LATER][_HANDS:]}"/>'
        return (
            f'<g transform="translate({fixed(at[0])} {fixed(at[1])})">'
            f'<g class="server filled c-doubt">{clock}</g>'
            f'<text class="number" x="14" y="14">{number}</text>{counted}</g>'
        )
    look = "stop" if certain else "stop unsure-sign"
    return (
        f'<g transform="translate({fixed(at[0])} {fixed(at[1])})"><path class="{look}" '
        'd="M-4-9H4L9-4V4L4 9H-4L-9 4V-4Z"/>'
        f'<text class="number" y="4">{number if certain else f"{number}?"}</text>{counted}</g>'
    )


def change_sign(at: Point, mark: Mark) -> str:
    """What a change does to a link, as a sign on it."""
    sign = f'<circle r="9"/><path class="sign" d="{LINK_SIGNS[mark]}"/>'
    return f'<g class="server c-{COLOUR_OF[mark]}" transform="translate({spot(at)})">{sign}</g>'


def badge(severity: Severity, at: Point, text: str = "", size: float = 1.0) -> str:
    """A dot for a warning, a square on its corner for an error, each with its letter, or with a
    text of at most three characters; where its ``size`` is less than 1, without.
    """
    error = severity is Severity.ERROR
    shape = "M0-10L10 0L0 10L-10 0Z" if error else "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z"
    letter = f'<text class="letter" y="4">{text or ("E" if error else "W")}</text>'
    if size != 1:
        letter = ""
    scaled = "" if size == 1 else f" scale({fixed(size)})"
    return (
        f'<g class="badge c-{"bad" if error else "doubt"}" '
        f'transform="translate({spot(at)}){scaled}"><path d="{shape}"/>{letter}</g>'
    )


def markup_lines(text: str) -> str:
    """A text of several lines as markup shows it."""
    return "\n".join(map(markup, text.split("\n")))


def markup(text: str) -> str:
    """A text as markup shows it."""
    return escape(readable(in_xml(text)), quote=False)


def short(text: str, most: int = CHARACTERS) -> str:
    """A name in as many characters as there is room for, as markup shows it."""
    return escape(readable(shortened(in_xml(text), most)), quote=False)


def halfway(a: Point, b: Point) -> Point:
    """The point between two."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def spot(point: Point) -> str:
    """A point as a path has it."""
    return f"{fixed(point[0])} {fixed(point[1])}"


def fixed(number: float) -> str:
    """A number with one digit behind the point at most."""
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
