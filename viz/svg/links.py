"""Links of an SVG drawing: their curves, their lines by style, the texts beside them, and short
lines for those that leave the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from topograph.questions.texts.layout import place
from topograph.viz.layout.bends import Bends
from topograph.viz.layout.outlines import Point
from topograph.viz.scene.records import LinkDrawn, LinkStyle, Mark
from topograph.viz.svg.looks import BROKEN, COLOUR_OF, DASHES
from topograph.viz.svg.pieces import Curve, arrow, fixed, halfway, spot

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge."""

PARALLEL_GAP = 68.0
"""Between the middles of two parallel links."""

PARALLELS = 3
"""Links between two servers that are drawn one by one; more are one line with their number."""

STUB = 20.0
"""The length of a short line of a link that leaves the picture."""

LETTER = 6.4
"""The width of a character of 11 pixels, on the broad side."""

_STYLE_DASHES = {LinkStyle.UPLINK: "8 5", LinkStyle.STANDBY: "2 5", LinkStyle.IDLE: "2 5"}


def curve_of(link: LinkDrawn, bends: Bends) -> Curve:
    """The curve of a link between its two ends: straight, bent around servers and apart from its
    few parallels, or a loop.
    """
    if link.ends[0] == link.ends[1]:
        a = bends.places[link.ends[0]]
        return Curve(a, a, a, 14.0 + 6.5 * (link.parallel if link.parallels <= PARALLELS else 0))
    few = link.parallels if link.parallels <= PARALLELS else 1
    apart = [(number - (few - 1) / 2) * PARALLEL_GAP for number in range(few)]
    return _aside(link.ends, bends, apart, apart[link.parallel if few > 1 else 0])


def curve_between(ends: tuple[str, str], bends: Bends) -> Curve:
    """The curve from one server to another between which no link is drawn, bent around others."""
    return _aside(ends, bends, (0.0,), 0.0)


def _aside(ends: tuple[str, str], bends: Bends, apart: Sequence[float], own: float) -> Curve:
    first, second = sorted(ends)
    aside = own + bends.aside(first, second, apart)
    a, b = bends.places[first], bends.places[second]
    over = halfway(a, b)
    if aside:
        length = math.dist(a, b) or 1.0
        over = over[0] - (b[1] - a[1]) / length * aside, over[1] + (b[0] - a[0]) / length * aside
    curve = Curve(a, over, b)
    return curve if ends[0] == first else curve.back()


def lines_of(links: Iterable[LinkDrawn]) -> list[tuple[LinkDrawn, Sequence[LinkDrawn]]]:
    """The lines that are drawn, each with the links that share it: of many parallel links one
    line, looking like the first of which the answer says something."""
    found: dict[object, list[LinkDrawn]] = {}
    for link in links:
        own: object = link.id if link.parallels <= PARALLELS else frozenset(link.ends)
        found.setdefault(own, []).append(link)
    return [(next((one for one in group if one.mark), group[0]), group) for group in found.values()]


def link_colour(link: LinkDrawn, *, answered: bool) -> str:
    """The name of the colour of a link."""
    if link.mark and link.mark is not Mark.PATH:
        return COLOUR_OF[link.mark]
    return "doubt" if link.style is LinkStyle.UNRESOLVED and not answered else "line"


def drawn_link(
    link: LinkDrawn, curve: Curve, starts: Callable[[str, float], float], *, heads: bool = True
) -> str:
    """The line of a link with what its style says; ``starts`` is how far from the middle of a
    server what is drawn on a line begins, in a direction in degrees; ``heads``: a one-way link has
    an arrow head."""
    if link.style is LinkStyle.UNRESOLVED and not link.mark:
        return _broken(curve) + _configured(link, curve, starts)
    if not heads and link.ends[0] > link.ends[1]:
        curve = curve.back()  # dashes of both directions are one line
    line = "broken" if link.mark in BROKEN else link.line
    found = _line(
        link.style, line, curve, double=link.style is LinkStyle.ACTIVE_ACTIVE and not link.role
    )
    if link.style is LinkStyle.ONE_WAY and not heads:
        return found
    if link.style is LinkStyle.ONE_WAY:
        away = starts(link.ends[1], curve.angle(1.0)) + 10
        return found + arrow(curve, 1 - min(0.45, away / (curve.length or 1)))
    return found + _configured(link, curve, starts)


def _line(style: LinkStyle, line: str, curve: Curve, *, double: bool) -> str:
    dashes = "3 5" if line == "broken" else _STYLE_DASHES.get(style) or DASHES.get(line, "")
    shown = f' stroke-dasharray="{dashes}"' if dashes else ""
    if double:
        return (
            f'<path d="{curve.data}"{shown} class="both"/><path class="ground-line" '
            f'd="{curve.data}"/>'
        )
    return f'<path d="{curve.data}"{shown}/>'


def _configured(link: LinkDrawn, curve: Curve, starts: Callable[[str, float], float]) -> str:
    """A dot at the end that configures the link."""
    if not link.configured_by or link.style is LinkStyle.ONE_WAY:
        return ""
    own = curve if link.configured_by == link.ends[0] else curve.back()
    away = starts(link.configured_by, own.angle(0.0))
    x, y = own.at(min(0.45, away / (own.length or 1)))
    return f'<circle class="end" cx="{fixed(x)}" cy="{fixed(y)}" r="3.6"/>'


def _broken(curve: Curve) -> str:
    """A line with a gap in its middle, between two strokes across."""
    half = min(0.2, 6 / (curve.length or 1))
    strokes = []
    for t in (0.5 - half, 0.5 + half):
        (x, y), angle = curve.at(t), math.radians(curve.angle(t)) + math.pi / 3
        across, down = 6 * math.cos(angle), 6 * math.sin(angle)
        strokes.append(f"M{spot((x - across, y - down))}L{spot((x + across, y + down))}")
    if curve.loop:
        return f'<path d="{curve.data}{"".join(strokes)}"/>'
    return (
        "<path d="
        f'"{curve.up_to(0.5 - half).data}{curve.back().up_to(0.5 - half).data}{"".join(strokes)}"/'
        ">"
    )


def sample_link(style: LinkStyle, line: str) -> str:
    """A link of a style as the legend shows it."""
    curve = Curve((-19.0, 0.0), (0.0, 0.0), (19.0, 0.0))
    if style is LinkStyle.UNRESOLVED:
        return f'<g class="link c-doubt">{_broken(curve)}</g>'
    found = _line(style, line, curve, double=style is LinkStyle.ACTIVE_ACTIVE)
    if style in (LinkStyle.ACTIVE_PASSIVE, LinkStyle.UPLINK, LinkStyle.STANDBY, LinkStyle.IDLE):
        found += '<circle class="end" cx="-14" cy="0" r="3.6"/>'
    if style is LinkStyle.ONE_WAY:
        found += arrow(curve, 0.8)
    return f'<g class="link c-line">{found}</g>'


def texts_beside(
    said: Iterable[tuple[Curve, str]], taken: Iterable[Box]
) -> Iterator[tuple[Point, str]]:
    """Where a text stands beside its curve: at its middle, or along it, so that it covers
    neither what is ``taken`` nor a text before it. Where there is no room, at the middle.
    Quadratic in texts and boxes."""
    boxes = list(taken)
    for curve, text in said:
        wide, high = LETTER * len(text) / 2 + 2, 7.0
        places = []
        for t in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
            (x, y), angle = curve.at(t), math.radians(curve.angle(t))
            for side in (-1, 1):
                across, down = (
                    math.cos(angle + side * math.pi / 2),
                    math.sin(angle + side * math.pi / 2),
                )
                away = abs(across) * wide + abs(down) * high + 3
                places.append((x + across * away, y + down * away))
        box_of = {at: (at[0] - wide, at[1] - high, at[0] + wide, at[1] + high) for at in places}
        free = (at for at in places if not any(overlap(box_of[at], other) for other in boxes))
        at = next(free, places[0])
        boxes.append(box_of[at])
        yield (at[0], at[1] + 4), text


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share any of their inside."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def stubs(here: Point, angle: float, number: int, radius: float) -> str:
    """Up to three short lines away from a server."""
    found = []
    shown = min(number, 3)
    for index in range(shown):
        turned = angle + (index - (shown - 1) / 2) * 0.35
        across, down = math.cos(turned), math.sin(turned)
        start = (here[0] + across * radius, here[1] + down * radius)
        end = (here[0] + across * (radius + STUB), here[1] + down * (radius + STUB))
        found.append(f"M{spot(start)}L{spot(end)}")
    return "".join(found)


def about_link(link: LinkDrawn) -> str:
    """What is known of a link, in one line."""
    parts = (
        " - ".join(link.ends),
        link.name,
        f"zone {link.zone}" if link.zone else "",
        link.role or link.style.value,
        link.because,
        f"cost {link.cost}" if link.cost is not None else "",
        link.note,
        place(link.source),
    )
    return "; ".join(part for part in parts if part)
