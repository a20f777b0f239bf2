"""A scene as one SVG file: a drawing that needs no script, for mail, Markdown pages, wikis and print.

The places are those of the scene, as the page has them; what the answer says of a server is a sign in it as well as a colour. Reasons and steps stand
below the drawing as numbered lines, so that no text lies over another and none is cut. Light and dark follow the reader's setting. Equal scenes give
equal text; every name is escaped, and nothing in the file is loaded or run.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from topograph.questions.texts.layout import count, place
from topograph.visible import in_xml
from topograph.viz.outlines import Point, outline
from topograph.viz.scene import (
    BlockDrawn,
    LinkDrawn,
    LinkStyle,
    Mark,
    PathDrawn,
    RowDrawn,
    Scene,
    ServerDrawn,
    ZoneDrawn,
)
from topograph.viz.svg_looks import BROKEN, COLOUR_OF, DASHES, FILLED, LETTERS, LINK_SIGNS, MARK_WORDS, SIGNS, style
from topograph.viz.zone_colours import COLOURS

RADIUS = 13.0
"""Half the width of a server, in the units of the scene."""

PADDING = 46.0
"""From the middle of a server to the edge of its zone."""

PARALLEL_GAP = 68.0
"""Between the middles of two parallel links."""

PARALLELS = 3
"""Links between two servers that are drawn one by one; more are one line with their number."""

CHARACTERS = 24
"""Of a server's name that are drawn; the whole of it stands in its title."""

LINES = 40
"""Reasons, and steps, that stand below the drawing before the rest is counted."""

LEAST_WIDTH = 720.0
MARGIN = 24.0
LINE_HEIGHT = 18.0
LETTER = 7.3
"""The width of a character of 13 pixels, on the broad side."""


def svg(scene: Scene) -> str:
    """The scene as an SVG document. Linear in the scene, beside the outlines of its zones."""
    return _Drawing(scene).text()


@dataclass(frozen=True, slots=True)
class _Curve:
    """A link as drawn: from its first end, over a control point, to its last."""

    start: Point
    over: Point
    end: Point

    @property
    def data(self) -> str:
        if self.over == _middle(self.start, self.end):
            return f"M{_at(self.start)}L{_at(self.end)}"
        return f"M{_at(self.start)}Q{_at(self.over)} {_at(self.end)}"

    def at(self, t: float) -> Point:
        u = 1 - t
        return (
            u * u * self.start[0] + 2 * u * t * self.over[0] + t * t * self.end[0],
            u * u * self.start[1] + 2 * u * t * self.over[1] + t * t * self.end[1],
        )

    def angle(self, t: float) -> float:
        """The direction at ``t``, in degrees."""
        across = (1 - t) * (self.over[0] - self.start[0]) + t * (self.end[0] - self.over[0])
        down = (1 - t) * (self.over[1] - self.start[1]) + t * (self.end[1] - self.over[1])
        return math.degrees(math.atan2(down, across))

    def up_to(self, t: float) -> _Curve:
        over = (
            self.start[0] + (self.over[0] - self.start[0]) * t,
            self.start[1] + (self.over[1] - self.start[1]) * t,
        )
        return _Curve(self.start, over, self.at(t))

    def back(self) -> _Curve:
        return _Curve(self.end, self.over, self.start)


@dataclass
class _Drawing:
    """One document while it is written."""

    scene: Scene
    parts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.servers = {server.name: server for server in self.scene.servers}
        self.places: dict[str, Point] = {server.name: (server.x, server.y) for server in self.scene.servers}
        self.links = {link.id: link for link in self.scene.links}
        self.shown = [path for path in self.scene.paths if path.shown][:3]
        xs = [x for x, _ in self.places.values()] or [0.0]
        ys = [y for _, y in self.places.values()] or [0.0]
        edge = PADDING + 34
        self.left, self.top = min(xs) - edge, min(ys) - edge
        self.drawn_width, self.drawn_height = max(xs) + edge - self.left, max(ys) + edge - self.top
        self.width = max(LEAST_WIDTH, self.drawn_width) + 2 * MARGIN

    def text(self) -> str:
        header = [*self._wrapped(self.scene.title, 15), *self._wrapped(self.scene.verdict, 20)]
        header += [line for told in self.scene.told for line in self._wrapped(f"* {told}", 14)]
        heading, top = self._lines(header, ("muted", "verdict"), MARGIN, MARGIN + 16)
        below = top + self.drawn_height + 16
        across = MARGIN + (self.width - 2 * MARGIN - self.drawn_width) / 2 - self.left
        body = list(self._body())
        legend, below = self._legend(below)
        notes, below = self._notes(below)
        title = _text(self.scene.title)
        return "".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(self.width)} {_n(below + MARGIN)}" ',
                f'width="{_n(self.width)}" height="{_n(below + MARGIN)}" role="img" aria-labelledby="title verdict">\n',
                f'<title id="title">{title}</title>\n<desc id="verdict">{_text(self.scene.verdict)}</desc>\n',
                f"<style>{style()}</style>\n",
                f'<rect class="ground" width="{_n(self.width)}" height="{_n(below + MARGIN)}"/>\n',
                *heading,
                f'<g transform="translate({_n(across)} {_n(top - self.top)})">\n',
                *body,
                "</g>\n",
                *legend,
                *notes,
                "</svg>\n",
            )
        )

    # --- texts around the drawing ---

    def _wrapped(self, text: str, size: int) -> list[tuple[str, int]]:
        most = max(40, int((self.width - 2 * MARGIN) / (LETTER * size / 13)))
        return [(line, size) for line in textwrap.wrap(in_xml(text), most) or [""]]

    def _lines(
        self, lines: Sequence[tuple[str, int]], looks: tuple[str, str], x: float, y: float
    ) -> tuple[list[str], float]:
        found = []
        for line, size in lines:
            look = {15: looks[0], 20: looks[1]}.get(size, "")
            found.append(f'<text class="{look}" x="{_n(x)}" y="{_n(y)}" font-size="{size}">{escape(line)}</text>\n')
            y += size * 1.35 + (6 if look == looks[0] else 0)
        return found, y

    def _legend(self, y: float) -> tuple[list[str], float]:
        """What is in the drawing and nothing else, in rows."""
        found: list[str] = []
        x = MARGIN
        for sample, words in self._samples():
            room = 52 + LETTER * len(words) + 18
            if x > MARGIN and x + room > self.width - MARGIN:
                x, y = MARGIN, y + 26
            found.append(f'<g transform="translate({_n(x + 22)} {_n(y)}) scale(.7)">{sample}</g>')
            found.append(f'<text class="small" x="{_n(x + 50)}" y="{_n(y + 4.5)}">{_text(words)}</text>\n')
            x += room
        return found, y + 30

    def _samples(self) -> Iterator[tuple[str, str]]:
        loaded = [server for server in self.scene.servers if server.loaded]
        for kind, shape in sorted({(server.kind, server.shape) for server in loaded}):
            if any(not server.mark for server in loaded) or len({one.shape for one in loaded}) > 1:
                yield _glyph(shape, Mark.NONE, loaded=True, filled=not self._answered), kind
        marks = {server.mark for server in loaded}
        for mark, words in MARK_WORDS.items():
            if mark in marks:
                yield _glyph("circle", mark, loaded=True, filled=mark in FILLED), words
        if len(loaded) < len(self.scene.servers):
            yield _glyph("circle", Mark.NONE, loaded=False, filled=False), "files not loaded"
        roles = {(link.role, link.line, link.style) for link in self.scene.links if link.role}
        for role, line, kind_of in sorted(roles):
            yield _sample_link(kind_of, line), role
        words_of = {
            LinkStyle.ACTIVE_ACTIVE: "both ends configure it",
            LinkStyle.ACTIVE_PASSIVE: "configured at the end with the dot",
            LinkStyle.UPLINK: "uplink of an edge router",
            LinkStyle.ONE_WAY: "messages pass along the arrow only",
            LinkStyle.PLAIN: "link",
        }
        styles = {link.style for link in self.scene.links if not link.role}
        yield from ((_sample_link(one, "solid"), words) for one, words in words_of.items() if one in styles)
        marks = {link.mark for link in self.scene.links}
        for mark in LINK_SIGNS:
            if mark in marks:
                line = f'<g class="link c-{COLOUR_OF[mark]}"><path d="M-19 0H19"/>{_sign((0.0, 0.0), mark)}</g>'
                yield line, f"link: {MARK_WORDS[mark]}"
        if self.shown:
            sample = '<path class="way" d="M-19 0H19"/><circle class="step" r="8"/>'
            yield f'{sample}<text class="number" y="4">1</text>', "path and its steps"
        if self.scene.blocks:
            certain = '<path class="stopped" d="M-19 0H3"/>'
            yield f"{certain}{_stop((8.0, 0.0), '1', certain=True)}", "goes no further: see below"
        if self.scene.zones:
            yield '<rect class="zone zone0" x="-19" y="-8" width="38" height="16" rx="8"/>', "zone, with its type"

    def _notes(self, y: float) -> tuple[list[str], float]:
        """The reasons and the steps, a line each, and what to know of the answer."""
        found: list[str] = []
        groups: list[tuple[str, list[str]]] = []
        blocks = [f"{number}  {_reason(block)}" for number, block in enumerate(self.scene.blocks, 1)]
        groups.append(("Refused" if self.scene.commands else "Goes no further", blocks))
        commands = [
            f"{one.number}  {one.server}: {one.result}: {one.text} ({one.source})" for one in self.scene.commands
        ]
        groups.append(("Commands", commands))
        for group in self.scene.groups:
            groups.append((group.title, [_row(row) for row in group.rows]))
        groups += [
            (path.title or "Path", [_step(path, number) for number in range(len(path.steps))]) for path in self.shown
        ]
        groups.append(("To know", [f"{kind}: {text}" for kind, text in self.scene.facts]))
        if self.scene.hidden:
            groups.append(("", [f"{count(self.scene.hidden, self.scene.server_noun)} more are not in this picture"]))
        for heading, lines in groups:
            if not lines:
                continue
            if heading:
                y += 10
                found.append(f'<text class="heading" x="{_n(MARGIN)}" y="{_n(y)}">{_text(heading)}</text>\n')
                y += LINE_HEIGHT + 2
            most = int((self.width - 2 * MARGIN) / LETTER)
            for line in lines[:LINES]:
                for wrapped in textwrap.wrap(in_xml(line), most, subsequent_indent="    ") or [""]:
                    found.append(
                        f'<text class="small" x="{_n(MARGIN)}" y="{_n(y)}" xml:space="preserve">{escape(wrapped)}</text>\n'
                    )
                    y += LINE_HEIGHT
            if len(lines) > LINES:
                found.append(
                    f'<text class="small" x="{_n(MARGIN)}" y="{_n(y)}">and {len(lines) - LINES:,} more</text>\n'
                )
                y += LINE_HEIGHT
        return found, y

    # --- the drawing ---

    @property
    def _answered(self) -> bool:
        return self.scene.question != "estate"

    def _body(self) -> Iterator[str]:
        for zone in self.scene.zones:
            yield from self._zone(zone)
        stopped = {block.link for block in self.scene.blocks}
        for link in self.scene.links:
            if link.parallels <= PARALLELS or link.parallel == 0:
                yield from self._link(link, faded=link.id in stopped)
        for path in self.shown:
            yield from self._path(path)
        for number, block in enumerate(self.scene.blocks, 1):
            yield from self._block(number, block)
        for server in self.scene.servers:
            yield self._server(server)
        for zone in self.scene.zones:
            yield self._zone_name(zone)
        for path in self.shown:
            yield from self._numbers(path)

    def _zone(self, zone: ZoneDrawn) -> Iterator[str]:
        members = [self.places[name] for name in zone.servers if name in self.places]
        if not members:
            return
        lines = [
            (self.places[link.ends[0]], self.places[link.ends[1]])
            for link in (self.links[one] for one in zone.links if one in self.links)
        ]
        others = [at for name, at in self.places.items() if name not in set(zone.servers)]
        d = outline(members, lines, others, PADDING, tree=zone.tree)
        # A broad line around it in one group: where it meets itself it stays as light.
        yield f'<g class="zone zone{zone.colour % COLOURS}"><path d="{d}" stroke-width="{_n(2 * PADDING)}"/></g>\n'

    def _zone_name(self, zone: ZoneDrawn) -> str:
        members = [self.places[name] for name in zone.servers if name in self.places]
        if not members:
            return ""
        x, y = min(members, key=lambda at: (at[1], at[0]))
        words = _cut(f"{zone.name} ({zone.type})" if zone.type else zone.name)
        return f'<text class="name zone{zone.colour % COLOURS}" x="{_n(x)}" y="{_n(y - PADDING + 14)}">{words}</text>\n'

    def _curve(self, link: LinkDrawn) -> _Curve:
        a, b = (self.places[end] for end in link.ends)
        over = _middle(a, b)
        if 1 < link.parallels <= PARALLELS:
            first, second = (a, b) if link.ends[0] < link.ends[1] else (b, a)
            length = math.dist(first, second) or 1.0
            aside = (link.parallel - (link.parallels - 1) / 2) * PARALLEL_GAP
            over = (
                over[0] - (second[1] - first[1]) / length * aside,
                over[1] + (second[0] - first[0]) / length * aside,
            )
        return _Curve(a, over, b)

    def _link(self, link: LinkDrawn, *, faded: bool) -> Iterator[str]:
        curve = self._curve(link)
        colour = COLOUR_OF[link.mark] if link.mark and link.mark is not Mark.PATH else "line"
        look = f"link {'faded' if (self._answered and not link.mark) or faded else ''} c-{colour}".replace("  ", " ")
        title = _text(_about(link))
        dashes = f' stroke-dasharray="{DASHES[link.line]}"' if link.line in DASHES else ""
        if link.style is LinkStyle.UPLINK:
            dashes = ' stroke-dasharray="8 5"'
        if link.mark in BROKEN:
            dashes = ' stroke-dasharray="3 5"'
        yield f'<g class="{look}"><title>{title}</title><path d="{curve.data}"{dashes}'
        if link.style is LinkStyle.ACTIVE_ACTIVE and not link.role:
            yield f' class="both"/><path class="ground-line" d="{curve.data}"/>'
        else:
            yield "/>"
        if link.style is LinkStyle.ONE_WAY:
            yield _arrow(curve, 1 - min(0.45, 30 / (math.dist(curve.start, curve.end) or 1)))
        elif link.configured_by and link.style is LinkStyle.ACTIVE_PASSIVE:
            own = curve if link.configured_by == link.ends[0] else curve.back()
            x, y = own.at(min(0.4, (RADIUS + 7) / (math.dist(own.start, own.end) or 1)))
            yield f'<circle class="end" cx="{_n(x)}" cy="{_n(y)}" r="3.6"/>'
        if link.mark in LINK_SIGNS:
            yield _sign(curve.at(0.5), link.mark)
        words = []
        if link.cost is not None:
            words.append(f"cost {link.cost}")
        if link.parallels > PARALLELS:
            words.append(f"×{link.parallels}")
        if words:
            x, y = curve.at(0.5)
            yield f'<text class="cost" x="{_n(x)}" y="{_n(y - 5)}">{_text(", ".join(words))}</text>'
        yield "</g>\n"

    def _between(self, link: str, from_: str, to: str) -> _Curve | None:
        """The curve of a link from one of its ends; a straight line where the link is not in the picture."""
        if link in self.links:
            known = self.links[link]
            curve = self._curve(known)
            return curve if known.ends[0] == from_ else curve.back()
        if from_ in self.places and to in self.places:
            a, b = self.places[from_], self.places[to]
            return _Curve(a, _middle(a, b), b)
        return None

    def _path(self, path: PathDrawn) -> Iterator[str]:
        curves = [self._between(step.link, step.from_, step.to) for step in path.steps if step.from_ != step.to]
        for curve in filter(None, curves):
            yield f'<path class="way-rim" d="{curve.data}"/><path class="way" d="{curve.data}"/>'
            yield f'<g class="c-path">{_arrow(curve, 0.74, 9)}</g>\n'

    def _numbers(self, path: PathDrawn) -> Iterator[str]:
        for step in path.steps:
            curve = self._between(step.link, step.from_, step.to) if step.from_ != step.to else None
            if curve is not None:
                x, y = curve.at(0.5)
                yield f'<g transform="translate({_n(x)} {_n(y)})"><circle class="step" r="9"/><text class="number" y="4">{step.number}</text></g>\n'

    def _block(self, number: int, block: BlockDrawn) -> Iterator[str]:
        certain = block.certain
        if block.at == block.to:
            if block.at in self.places:
                x, y = self.places[block.at]
                yield _stop((x + 17, y - 17), str(number), certain=certain)
            return
        curve = self._between(block.link, block.at, block.to)
        if curve is not None:
            ends = {block.at, block.to}
            walked = any({step.from_, step.to} == ends for path in self.shown for step in path.steps)
            t = 0.74 if walked else 0.56  # beside the number of the step
            yield f'<path class="{"stopped" if certain else "unsure"}" d="{curve.up_to(t).data}"/>'
            yield _stop(curve.at(t), str(number), certain=certain) + "\n"

    def _server(self, server: ServerDrawn) -> str:
        filled = server.mark in FILLED or (not server.mark and not self._answered and server.loaded)
        name = _cut(server.name)
        about = "\n".join(
            part
            for part in (server.name, server.note, server.incomplete, ", ".join(server.zones), place(server.source))
            if part
        )
        hidden = f'<text class="cost" y="-18">+{server.hidden}</text>' if server.hidden else ""
        return (
            f'<g transform="translate({_n(server.x)} {_n(server.y)})"><title>{_lines_of(about)}</title>'
            f"{_glyph(server.shape, server.mark, loaded=server.loaded, filled=filled)}{hidden}"
            f'<text class="label{" faded" if self._answered and not server.mark else ""}" y="30">{name}</text></g>\n'
        )


# --- pieces --------------------------------------------------------------------------------------------------------------


def _glyph(shape: str, mark: Mark, *, loaded: bool, filled: bool) -> str:
    """A server at the middle of its own coordinates."""
    colour = COLOUR_OF[mark]
    r = RADIUS * (1.15 if mark in (Mark.ASKED, Mark.TARGET) else 1.0)
    wide, high = {"box": (1.25, 0.85), "bar": (1.9, 0.72), "device": (0.72, 1.2), "hexagon": (1.12, 1.0)}.get(
        shape, (1.0, 1.0)
    )
    if shape == "hexagon":
        corners = " ".join(
            f"{_n(r * wide * math.cos(k * math.pi / 3))},{_n(r * wide * math.sin(k * math.pi / 3))}" for k in range(6)
        )
        outline_ = f'<polygon points="{corners}"'
    elif shape in ("box", "bar", "device") or not loaded:
        outline_ = f'<rect x="{_n(-r * wide)}" y="{_n(-r * high)}" width="{_n(2 * r * wide)}" height="{_n(2 * r * high)}" rx="{3 if loaded else 0}"'
    elif mark is Mark.UNDETERMINED:
        outline_ = f'<polygon points="0,{_n(-r * 1.2)} {_n(r * 1.2)},0 0,{_n(r * 1.2)} {_n(-r * 1.2)},0"'
    else:
        outline_ = f'<circle r="{_n(r)}"'
    dashes = ' stroke-dasharray="4 3"' if not loaded or mark in BROKEN else ""
    found = f'<g class="server c-{colour}{" filled" if filled else ""}">{outline_}{dashes}/>'
    if mark in (Mark.ASKED, Mark.TARGET):
        found += f'<circle class="ring" r="{_n(r + 4)}"/>'
    if mark in SIGNS:
        found += f'<path class="sign" d="{SIGNS[mark]}"/>'
    elif mark in LETTERS:
        found += f'<text class="letter" y="5">{LETTERS[mark]}</text>'
    return found + "</g>"


def _sample_link(style: LinkStyle, line: str) -> str:
    dashes = f' stroke-dasharray="{DASHES[line]}"' if line in DASHES else ""
    if style is LinkStyle.UPLINK:
        dashes = ' stroke-dasharray="8 5"'
    curve = _Curve((-19.0, 0.0), (0.0, 0.0), (19.0, 0.0))
    found = f'<g class="link c-line"><path d="{curve.data}"{dashes}'
    if style is LinkStyle.ACTIVE_ACTIVE:
        return f'{found} class="both"/><path class="ground-line" d="{curve.data}"/></g>'
    found += "/>"
    if style is LinkStyle.ACTIVE_PASSIVE:
        found += '<circle class="end" cx="-14" cy="0" r="3.6"/>'
    if style is LinkStyle.ONE_WAY:
        found += _arrow(curve, 0.8)
    return found + "</g>"


def _arrow(curve: _Curve, t: float, size: float = 8.0) -> str:
    x, y = curve.at(t)
    return (
        f'<path class="arrow" transform="translate({_n(x)} {_n(y)}) rotate({_n(curve.angle(t))})" '
        f'd="M{_n(size)} 0L{_n(-0.7 * size)} {_n(0.75 * size)}L{_n(-0.35 * size)} 0L{_n(-0.7 * size)} {_n(-0.75 * size)}Z"/>'
    )


def _stop(at: Point, number: str, *, certain: bool) -> str:
    look = "stop" if certain else "stop unsure-sign"
    return (
        f'<g transform="translate({_n(at[0])} {_n(at[1])})"><path class="{look}" d="M-4-9H4L9-4V4L4 9H-4L-9 4V-4Z"/>'
        f'<text class="number" y="4">{number if certain else f"{number}?"}</text></g>'
    )


def _sign(at: Point, mark: Mark) -> str:
    """What a change does to a link, as a sign on it."""
    sign = f'<circle r="9"/><path class="sign" d="{LINK_SIGNS[mark]}"/>'
    return f'<g class="server c-{COLOUR_OF[mark]}" transform="translate({_at(at)})">{sign}</g>'


def _reason(block: BlockDrawn) -> str:
    where = block.at if block.at == block.to else f"{block.at} to {block.to}"
    guard = f": {block.guard}" if block.guard and block.guard != block.reason else ""
    source = f" ({block.source})" if block.source.file else ""
    return f"{where}: {block.reason}{guard}{source}"


def _step(path: PathDrawn, number: int) -> str:
    step = path.steps[number]
    where = f"{step.from_} to {step.to}" if step.from_ != step.to else step.from_
    parts = (f"zone {step.zone}" if step.zone else "", *step.guards, step.rule, place(step.source))
    return f"{step.number}  {where}  {'; '.join(part for part in parts if part)}"


def _row(row: RowDrawn) -> str:
    parts = (row.text, *row.details, place(row.source))
    return f"{f' {row.joint} '.join(row.servers)}  {'; '.join(part for part in parts if part)}"


def _about(link: LinkDrawn) -> str:
    parts = (
        " - ".join(link.ends),
        link.name,
        f"zone {link.zone}" if link.zone else "",
        link.role or link.style.value,
        f"cost {link.cost}" if link.cost is not None else "",
        link.note,
        place(link.source),
    )
    return "; ".join(part for part in parts if part)


def _lines_of(text: str) -> str:
    return "\n".join(map(_text, text.split("\n")))


def _text(text: str) -> str:
    """A text as markup shows it."""
    return escape(in_xml(text))


def _cut(text: str) -> str:
    """A name in as many characters as there is room for, as markup shows it."""
    shown = in_xml(text)
    return escape(shown if len(shown) <= CHARACTERS else f"{shown[: CHARACTERS // 2]}…{shown[-CHARACTERS // 2 + 1 :]}")


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _at(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(number: float) -> str:
    """A number with one digit behind the point at most."""
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
