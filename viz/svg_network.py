"""The servers, links and zones of a scene as SVG, with its paths and blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from topograph.questions.texts.layout import place
from topograph.viz.outlines import Point, outline
from topograph.viz.scene import BlockDrawn, LinkDrawn, LinkStyle, Mark, PathDrawn, Scene, ServerDrawn, ZoneDrawn
from topograph.viz.svg_looks import BROKEN, COLOUR_OF, DASHES, FILLED, LINK_SIGNS, MARK_WORDS
from topograph.viz.svg_pieces import (
    RADIUS,
    Curve,
    arrow,
    change_sign,
    fixed,
    glyph,
    halfway,
    markup,
    markup_lines,
    sample_link,
    short,
    stop_sign,
)
from topograph.viz.zone_colours import COLOURS

PADDING = 46.0
"""From the middle of a server to the edge of its zone."""

PARALLEL_GAP = 68.0
"""Between the middles of two parallel links."""

PARALLELS = 3
"""Links between two servers that are drawn one by one; more are one line with their number."""


@dataclass
class NetworkDrawing:
    """Every server of a scene in its place: ``left``, ``top``, ``width`` and ``height`` are the field that it takes."""

    scene: Scene

    def __post_init__(self) -> None:
        self.places: dict[str, Point] = {server.name: (server.x, server.y) for server in self.scene.servers}
        self.links = {link.id: link for link in self.scene.links}
        self.shown = [path for path in self.scene.paths if path.shown][:3]
        xs = [x for x, _ in self.places.values()] or [0.0]
        ys = [y for _, y in self.places.values()] or [0.0]
        edge = PADDING + 34
        self.left, self.top = min(xs) - edge, min(ys) - edge
        self.width, self.height = max(xs) + edge - self.left, max(ys) + edge - self.top

    def samples(self) -> Iterator[tuple[str, str]]:
        """What is drawn, each as markup and in words, for the legend."""
        loaded = [server for server in self.scene.servers if server.loaded]
        for kind, shape in sorted({(server.kind, server.shape) for server in loaded}):
            if any(not server.mark for server in loaded) or len({one.shape for one in loaded}) > 1:
                yield glyph(shape, Mark.NONE, loaded=True, filled=not self._answered), kind
        marks = {server.mark for server in loaded}
        for mark, words in MARK_WORDS.items():
            if mark in marks:
                yield glyph("circle", mark, loaded=True, filled=mark in FILLED), words
        if len(loaded) < len(self.scene.servers):
            yield glyph("circle", Mark.NONE, loaded=False, filled=False), "files not loaded"
        roles = {(link.role, link.line, link.style) for link in self.scene.links if link.role}
        for role, line, kind_of in sorted(roles):
            yield sample_link(kind_of, line), role
        words_of = {
            LinkStyle.ACTIVE_ACTIVE: "both ends configure it",
            LinkStyle.ACTIVE_PASSIVE: "configured at the end with the dot",
            LinkStyle.UPLINK: "uplink of an edge router",
            LinkStyle.ONE_WAY: "messages pass along the arrow only",
            LinkStyle.PLAIN: "link",
        }
        styles = {link.style for link in self.scene.links if not link.role}
        yield from ((sample_link(one, "solid"), words) for one, words in words_of.items() if one in styles)
        marks = {link.mark for link in self.scene.links}
        for mark in LINK_SIGNS:
            if mark in marks:
                line = f'<g class="link c-{COLOUR_OF[mark]}"><path d="M-19 0H19"/>{change_sign((0.0, 0.0), mark)}</g>'
                yield line, f"link: {MARK_WORDS[mark]}"
        if self.shown:
            sample = '<path class="way" d="M-19 0H19"/><circle class="step" r="8"/>'
            yield f'{sample}<text class="number" y="4">1</text>', "path and its steps"
        if self.scene.blocks:
            certain = '<path class="stopped" d="M-19 0H3"/>'
            yield f"{certain}{stop_sign((8.0, 0.0), '1', certain=True)}", "goes no further: see below"
        if self.scene.zones:
            yield '<rect class="zone zone0" x="-19" y="-8" width="38" height="16" rx="8"/>', "zone, with its type"

    @property
    def _answered(self) -> bool:
        return self.scene.question != "estate"

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """Nothing: all of it is in the drawing."""
        yield from ()

    def body(self) -> Iterator[str]:
        """The markup, in the units of the scene."""
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
        yield f'<g class="zone zone{zone.colour % COLOURS}"><path d="{d}" stroke-width="{fixed(2 * PADDING)}"/></g>\n'

    def _zone_name(self, zone: ZoneDrawn) -> str:
        members = [self.places[name] for name in zone.servers if name in self.places]
        if not members:
            return ""
        x, y = min(members, key=lambda at: (at[1], at[0]))
        words = short(f"{zone.name} ({zone.type})" if zone.type else zone.name)
        return f'<text class="name zone{zone.colour % COLOURS}" x="{fixed(x)}" y="{fixed(y - PADDING + 14)}">{words}</text>\n'

    def _curve(self, link: LinkDrawn) -> Curve:
        a, b = (self.places[end] for end in link.ends)
        over = halfway(a, b)
        if 1 < link.parallels <= PARALLELS:
            first, second = (a, b) if link.ends[0] < link.ends[1] else (b, a)
            length = math.dist(first, second) or 1.0
            aside = (link.parallel - (link.parallels - 1) / 2) * PARALLEL_GAP
            over = (
                over[0] - (second[1] - first[1]) / length * aside,
                over[1] + (second[0] - first[0]) / length * aside,
            )
        return Curve(a, over, b)

    def _link(self, link: LinkDrawn, *, faded: bool) -> Iterator[str]:
        curve = self._curve(link)
        colour = COLOUR_OF[link.mark] if link.mark and link.mark is not Mark.PATH else "line"
        look = f"link {'faded' if (self._answered and not link.mark) or faded else ''} c-{colour}".replace("  ", " ")
        title = markup(_about(link))
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
            yield arrow(curve, 1 - min(0.45, 30 / (math.dist(curve.start, curve.end) or 1)))
        elif link.configured_by and link.style is LinkStyle.ACTIVE_PASSIVE:
            own = curve if link.configured_by == link.ends[0] else curve.back()
            x, y = own.at(min(0.4, (RADIUS + 7) / (math.dist(own.start, own.end) or 1)))
            yield f'<circle class="end" cx="{fixed(x)}" cy="{fixed(y)}" r="3.6"/>'
        if link.mark in LINK_SIGNS:
            yield change_sign(curve.at(0.5), link.mark)
        words = []
        if link.cost is not None:
            words.append(f"cost {link.cost}")
        if link.parallels > PARALLELS:
            words.append(f"×{link.parallels}")
        if words:
            x, y = curve.at(0.5)
            yield f'<text class="cost" x="{fixed(x)}" y="{fixed(y - 5)}">{markup(", ".join(words))}</text>'
        yield "</g>\n"

    def _between(self, link: str, from_: str, to: str) -> Curve | None:
        """The curve of a link from one of its ends; a straight line where the link is not in the picture."""
        if link in self.links:
            known = self.links[link]
            curve = self._curve(known)
            return curve if known.ends[0] == from_ else curve.back()
        if from_ in self.places and to in self.places:
            a, b = self.places[from_], self.places[to]
            return Curve(a, halfway(a, b), b)
        return None

    def _path(self, path: PathDrawn) -> Iterator[str]:
        curves = [self._between(step.link, step.from_, step.to) for step in path.steps if step.from_ != step.to]
        for curve in filter(None, curves):
            yield f'<path class="way-rim" d="{curve.data}"/><path class="way" d="{curve.data}"/>'
            yield f'<g class="c-path">{arrow(curve, 0.74, 9)}</g>\n'

    def _numbers(self, path: PathDrawn) -> Iterator[str]:
        for step in path.steps:
            curve = self._between(step.link, step.from_, step.to) if step.from_ != step.to else None
            if curve is not None:
                x, y = curve.at(0.5)
                yield f'<g transform="translate({fixed(x)} {fixed(y)})"><circle class="step" r="9"/><text class="number" y="4">{step.number}</text></g>\n'

    def _block(self, number: int, block: BlockDrawn) -> Iterator[str]:
        certain = block.certain
        if block.at == block.to:
            if block.at in self.places:
                x, y = self.places[block.at]
                yield stop_sign((x + 17, y - 17), str(number), certain=certain)
            return
        curve = self._between(block.link, block.at, block.to)
        if curve is not None:
            ends = {block.at, block.to}
            walked = any({step.from_, step.to} == ends for path in self.shown for step in path.steps)
            t = 0.74 if walked else 0.56  # beside the number of the step
            yield f'<path class="{"stopped" if certain else "unsure"}" d="{curve.up_to(t).data}"/>'
            yield stop_sign(curve.at(t), str(number), certain=certain) + "\n"

    def _server(self, server: ServerDrawn) -> str:
        filled = server.mark in FILLED or (not server.mark and not self._answered and server.loaded)
        name = short(server.name)
        about = "\n".join(
            part
            for part in (server.name, server.note, server.incomplete, ", ".join(server.zones), place(server.source))
            if part
        )
        hidden = f'<text class="cost" y="-18">+{server.hidden}</text>' if server.hidden else ""
        return (
            f'<g transform="translate({fixed(server.x)} {fixed(server.y)})"><title>{markup_lines(about)}</title>'
            f"{glyph(server.shape, server.mark, loaded=server.loaded, filled=filled)}{hidden}"
            f'<text class="label{" faded" if self._answered and not server.mark else ""}" y="30">{name}</text></g>\n'
        )


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
