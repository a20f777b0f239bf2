"""The servers, links and zones of a scene as SVG, with its paths and blocks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topograph.findings import Severity
from topograph.questions.texts.layout import place
from topograph.viz.layout.free_sides import free_side
from topograph.viz.layout.outlines import Point, outline
from topograph.viz.layout.zone_colours import COLOURS
from topograph.viz.scene.judged import MARK_WORDS, PART_WORDS
from topograph.viz.scene.records import (
    HOST,
    AttachedDrawn,
    BlockDrawn,
    FindingDrawn,
    FindingsCounted,
    LinkDrawn,
    LinkStyle,
    Mark,
    PathDrawn,
    Scene,
    ServerDrawn,
    StepDrawn,
    ZoneDrawn,
)
from topograph.viz.scene.stops import causes_of, steps_to_blocks
from topograph.viz.svg.boxes import bends_at, between_boxes, boxed, boxed_server, half_of, reach
from topograph.viz.svg.links import (
    LETTER,
    PARALLELS,
    STUB,
    Box,
    about_link,
    curve_between,
    curve_of,
    drawn_link,
    lines_of,
    link_colour,
    overlap,
    sample_link,
    stubs,
    texts_beside,
)
from topograph.viz.svg.looks import COLOUR_OF, FILLED, LETTERED, LINK_SIGNS, zone_fill
from topograph.viz.svg.pairs import PATH_WORDS, SECOND_STEP, paired, second_of
from topograph.viz.svg.pieces import (
    RADIUS,
    Curve,
    arrow,
    badge,
    change_sign,
    drum,
    fixed,
    glyph,
    markup,
    markup_lines,
    short,
    spot,
    stop_sign,
)
from topograph.viz.svg.signs import Drawn, placed_signs

MANY_BLOCKS = 12
"""Blocks up to which the steps of the ways to all of them have their numbers."""

PADDING = 46.0
"""From the middle of a server to the edge of its zone."""


@dataclass
class NetworkDrawing:
    """Every server of a scene in its place: ``left``, ``top``, ``width`` and ``height`` are the
    field that it takes.
    """

    scene: Scene
    ids: str = ""
    """What its ids begin with, so that several drawings have room in one page."""
    boxes_wanted: bool = True
    """Whether servers are boxes with their names where there is room; they are moved apart then."""

    def __post_init__(self) -> None:
        self.scene, self.scale, self.boxes = (
            boxed(self.scene) if self.boxes_wanted else (self.scene, 1.0, {})
        )
        self.places: dict[str, Point] = {
            server.name: (server.x, server.y) for server in self.scene.servers
        }
        self.links = {link.id: link for link in self.scene.links}
        self.bends = bends_at(self.places, self.scale)
        self.curves = {link.id: curve_of(link, self.bends) for link in self.scene.links}
        self.shown = [path for path in self.scene.paths if path.shown][:3]
        self.paired = paired(self.shown)
        self.second = second_of(self.shown)
        self.named_roles = self.scene.named_roles
        self.meshed = {one for zone in self.scene.zones if zone.mesh for one in zone.links}
        self.letters = {name: part.letter for part in self.scene.parts for name in part.servers}
        self.causes = causes_of(self.scene.blocks)
        self.to_blocks = steps_to_blocks(self.scene.blocks, self.shown)
        numbered = [step for path in self.shown for step in path.steps]
        if len(self.causes) <= MANY_BLOCKS:
            numbered += self.to_blocks
        self.signs = placed_signs(
            Drawn(
                self.scene,
                self.places,
                [block for block, _ in self.causes],
                numbered,
                [link for link, _ in lines_of(self.scene.links)],
                self.curves,
                self._between,
                {one.name: self._beside(one) for one in self.scene.attached},
                self.boxes,
            )
        )
        spots = [*self.places.values(), *map(self._beside, self.scene.attached)]
        xs = [x for x, _ in spots] or [0.0]
        ys = [y for _, y in spots] or [0.0]
        self.padding = PADDING * self.scale
        edge = self.padding + 34
        self.left, self.top = min(xs) - edge, min(ys) - edge
        self.width, self.height = max(xs) + edge - self.left, max(ys) + edge - self.top

    def samples(self) -> Iterator[tuple[str, str]]:
        """What is drawn, each as markup and in words, for the legend."""
        yield from self._server_samples()
        yield from self._link_samples()
        if any(server.hidden for server in self.scene.servers):
            words = "links to 3 servers that are not in this picture, 17 with all behind them"
            yield '<text class="cost" y="5">+3 → 17</text>', words
        for kind in sorted({thing.kind for thing in self.scene.attached}):
            yield drum((0.0, 0.0)), kind
        for mark in sorted({thing.mark for thing in self.scene.attached if thing.mark}):
            yield drum((0.0, 0.0), mark), MARK_WORDS[mark]
        for severity in (Severity.ERROR, Severity.WARNING):
            if not self._answered and any(one.severity is severity for one in self.scene.findings):
                yield (
                    badge(severity, (0.0, 0.0), "3"),
                    f"worst finding: {severity}, and how many warnings and errors",
                )
        yield from self._changed_link_samples()
        if any(link.mark is Mark.DUPLICATE for link in self.scene.links):
            colour = COLOUR_OF[Mark.DUPLICATE]
            line = f'<g class="link c-{colour}"><path d="M-19 0H19"/></g>'
            yield line, f"link: {MARK_WORDS[Mark.DUPLICATE]}"
        yield from self._way_samples()
        if self.scene.zones:
            for kind in sorted({zone.kind for zone in self.scene.zones}):
                first = next(zone for zone in self.scene.zones if zone.kind == kind)
                look = f'class="zone zone{first.colour % COLOURS}" fill="url(#{self._fill(first)})"'
                words = "zone, with its type" if kind == "zone" else kind
                yield f'<rect {look} x="-19" y="-8" width="38" height="16" rx="8"/>', words

    def _server_samples(self) -> Iterator[tuple[str, str]]:
        loaded = [server for server in self.scene.servers if server.loaded]
        for kind, shape in sorted({(server.kind, server.shape) for server in loaded}):
            if any(not server.mark for server in loaded) or len({one.shape for one in loaded}) > 1:
                yield glyph(shape, Mark.NONE, loaded=True, filled=not self._answered), kind
        if self.letters:
            yield glyph("circle", Mark.CUT_OFF, loaded=True, filled=True, part="A"), PART_WORDS
        if any(server.stack for server in self.scene.servers):
            behind = glyph("circle", Mark.NONE, loaded=True, filled=False)
            yield f'<g transform="translate(6 -6)">{behind}</g>{behind}', "servers that are alike"
        marks = {mark for server in loaded for mark in self._signs(server)}
        for mark, words in MARK_WORDS.items():
            if mark in marks:
                yield glyph("circle", mark, loaded=True, filled=mark in FILLED), words
        others = {server.shape: server.kind for server in self.scene.servers if not server.loaded}
        if HOST in others:
            yield glyph(HOST, Mark.NONE, loaded=False, filled=False), others.pop(HOST)
        if others:
            yield glyph("circle", Mark.NONE, loaded=False, filled=False), "files not loaded"

    def _signs(self, server: ServerDrawn) -> Iterator[Mark]:
        """The signs of a server that are not its letter."""
        lettered = server.name in self.letters
        return (mark for mark in server.marks if not (lettered and mark in LETTERED))

    def _link_samples(self) -> Iterator[tuple[str, str]]:
        roles = {(link.role, link.line, link.style) for link in self.scene.links if link.role}
        heads = {link.role for link in self.scene.links if self._heads(link)}
        kinds = {one: zone.kind for zone in self.scene.zones if zone.mesh for one in zone.links}
        without = {link.role: kinds[link.id] for link in self.scene.links if not self._heads(link)}
        for role, line, kind_of in sorted(roles):
            if role in heads:
                yield sample_link(kind_of, line), role
            if role in without and kind_of is LinkStyle.ONE_WAY:
                bare = f"{role} without arrow heads" if role in heads else role
                words = f"{bare}: all in the {without[role]} are linked, both ways"
                yield sample_link(LinkStyle.PLAIN, line), words
        words_of = {
            LinkStyle.ACTIVE_ACTIVE: "both ends configure it",
            LinkStyle.ACTIVE_PASSIVE: "configured at the end with the dot",
            LinkStyle.UPLINK: "uplink of an edge router",
            LinkStyle.ONE_WAY: "messages pass along the arrow only",
            LinkStyle.PLAIN: "link",
            LinkStyle.STANDBY: "standby: carries nothing while another link works",
            LinkStyle.IDLE: "idle: configured, and no message of the loaded files takes it",
            LinkStyle.UNRESOLVED: "unresolved: not known where it leads, or what passes it",
        }
        styles = {link.style for link in self.scene.links if not link.role}
        yield from (
            (sample_link(one, "solid"), words) for one, words in words_of.items() if one in styles
        )
        if any(link.parallels > PARALLELS for link in self.scene.links):
            yield '<text class="cost" y="5">×50</text>', "so many parallel links, drawn as one"

    def _changed_link_samples(self) -> Iterator[tuple[str, str]]:
        marks = {link.mark for link in self.scene.links}
        for mark in LINK_SIGNS:
            if mark in marks:
                line = (
                    f'<g class="link c-{COLOUR_OF[mark]}"><path d="M-19 '
                    f'0H19"/>{change_sign((0.0, 0.0), mark)}</g>'
                )
                yield line, f"link: {MARK_WORDS[mark]}"

    def _way_samples(self) -> Iterator[tuple[str, str]]:
        if self.shown:
            sample = '<path class="way" d="M-19 0H19"/><circle class="step" r="8"/>'
            first, second = PATH_WORDS[bool(self.shown[0].state)]
            words = first if self.paired else "path and its steps"
            yield f'{sample}<text class="number" y="4">1</text>', words
            if self.paired:
                sample = f'<path class="way second" d="M-19 0H19"/>{SECOND_STEP}'
                yield f'{sample}<text class="number" y="4">1</text>', second
        for unsure in (False, True):
            if any(self._unsure(step) is unsure for step in self.to_blocks):
                look, words = "way to-block", "way to a block and its steps"
                if unsure:
                    look, words = "unsure", "steps that are not certain"
                sample = (
                    f'<path class="{look}" d="M-19 0H19"/><circle '
                    f'class="step{" doubt" if unsure else ""}" r="8"/>'
                )
                yield f'{sample}<text class="number" y="4">1</text>', words
        if any(block.waits for block in self.scene.blocks):
            yield stop_sign((0.0, 0.0), "1", certain=True, waits=True), "waits here: see below"
        if not all(block.waits for block in self.scene.blocks):
            certain = '<path class="stopped" d="M-19 0H3"/>'
            yield (
                f"{certain}{stop_sign((8.0, 0.0), '1', certain=True)}",
                "goes no further: see below",
            )

    @property
    def _answered(self) -> bool:
        return self.scene.question != "estate"

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """Nothing: all of it is in the drawing."""
        yield from ()

    def body(self) -> Iterator[str]:
        """The markup, in the units of the scene."""
        if self.scene.zones:
            fills = {zone.colour: self._fill(zone) for zone in self.scene.zones}
            yield f"<defs>{''.join(zone_fill(n, fills[n]) for n in sorted(fills))}</defs>\n"
        for zone in self.scene.zones:
            yield from self._zone(zone)
        stopped = {block.link for block in self.scene.blocks}
        lines = lines_of(self.scene.links)
        for link, _ in lines:
            yield from self._link(link, faded=link.id in stopped)
        yield from self._leaving()
        yield from self._attached()
        for step in self.to_blocks:
            yield from self._step_to_block(step)
        for number, path in enumerate(self.shown):
            yield from self._path(path, second=self.paired and number == 1)
        for number, (block, repeated) in enumerate(self.causes, 1):
            for one in repeated:
                yield from self._repeated(one)
            yield from self._block(number, block, 1 + len(repeated))
        for server in self.scene.servers:
            yield self._server(server)
        yield from self._counted()
        taken = list(self.signs.taken.boxes)
        for zone in self.scene.zones:
            yield self._zone_name(zone, taken)
        yield from self._numbers()
        yield from self._badges(taken)
        words = [
            (self._curve(link), said) for link, group in lines if (said := self._said_of(group))
        ]
        for (x, y), said in texts_beside(words, taken):
            yield f'<text class="cost" x="{fixed(x)}" y="{fixed(y)}">{markup(said)}</text>\n'

    def _said_of(self, group: Sequence[LinkDrawn]) -> str:
        """The number of links that share a line, where they are many, what kind they are, where
        that is named, and their costs, where costs are shown.
        """
        said = [f"×{len(group)}"] if group[0].parallels > PARALLELS else []
        if group[0].role in self.named_roles:
            said.append(group[0].role)
        costs = (
            [link.cost for link in group if link.cost is not None] if self.scene.shows_costs else []
        )
        if costs:
            least, most = min(costs), max(costs)
            said.append(f"cost {least}" if least == most else f"cost {least} to {most}")
        return ", ".join(said)

    def _leaving(self) -> Iterator[str]:
        """The links that leave the picture: short lines with their number, and how many servers
        lie behind.
        """
        for server in self.scene.servers:
            if not server.hidden:
                continue
            here = (server.x, server.y)
            others = [
                self.places[end]
                for link in self.scene.links
                if server.name in link.ends
                for end in link.ends
            ]
            angle = free_side(here, [at for at in others if at != here])
            edge = RADIUS
            if server.name in self.boxes:
                edge = reach(half_of(server.name, self.boxes), angle)
            yield f'<path class="leaving" d="{stubs(here, angle, server.hidden, edge)}"/>'
            away = edge + STUB + 4 + abs(math.cos(angle)) * 14
            x, y = server.x + away * math.cos(angle), server.y + away * math.sin(angle) + 4
            said = (
                f"+{server.hidden} → {server.behind}"
                if server.behind > server.hidden
                else f"+{server.hidden}"
            )
            yield f'<text class="cost" x="{fixed(x)}" y="{fixed(y)}">{markup(said)}</text>\n'

    def _beside(self, thing: AttachedDrawn) -> Point:
        x, y = self.places[thing.servers[0]]
        return x + thing.x, y + thing.y

    def _attached(self) -> Iterator[str]:
        """Brokers and containers beside the first server that connects to them."""
        for one in self.scene.attached:
            at = self._beside(one)
            lines = "".join(f"M{spot(self.places[name])}L{spot(at)}" for name in one.servers)
            about = (f"{one.name}: {one.kind}", one.note, place(one.source))
            title = markup_lines("\n".join(filter(None, about)))
            yield f'<g><title>{title}</title><path class="attaching" d="{lines}"/>'
            yield drum(at, one.mark)
            characters, (x, y) = self.signs.names[one.name]
            name = short(one.name, characters)
            yield f'<text class="label" x="{fixed(x)}" y="{fixed(y + 5)}">{name}</text></g>\n'

    def _badges(self, taken: list[Box]) -> Iterator[str]:
        """The worst finding of a server or link with the number of its errors and warnings, on a
        link where nothing is ``taken``; beside an answer, which has signs of its own, none."""
        found: dict[tuple[str, str], list[FindingDrawn]] = {}
        for one in self.scene.findings if not self._answered else ():
            if one.severity is not Severity.INFO:
                found.setdefault((one.server, one.link), []).append(one)
        more = {
            (one.server, one.link): one
            for one in self.scene.more_findings
            if not self._answered and one.errors + one.warnings
        }
        for server, link in dict.fromkeys((*found, *more)):
            if link:
                curve = self._curve(self.links[link])
                ends = self.links[link].ends
                # Off the dot of the end that configures the link.
                off = self.links[link].configured_by == ends[0]
                places = [
                    curve.at(between_boxes(curve, ends, self.boxes, 1 - t if off else t))
                    for t in (0.3, 0.4, 0.22, 0.6, 0.7, 0.5)
                ]
            else:
                (x, y), (wide, high) = self.places[server], half_of(server, self.boxes)
                aside = (-4, 2) if server in self.boxes else (3, -1)
                places = [(x + wide + aside[0], y - high + aside[1])]
            at = next(
                (one for one in places if not any(overlap(_around(one), other) for other in taken)),
                places[0],
            )
            taken.append(_around(at))
            own = found.get((server, link), [])
            yield f"<g>{_badge(own, more.get((server, link)), at)}</g>\n"

    def _zone(self, zone: ZoneDrawn) -> Iterator[str]:
        members = [self.places[name] for name in zone.servers if name in self.places]
        if not members:
            return
        lines = [
            piece for one in zone.links if one in self.links for piece in self.curves[one].pieces
        ]
        others = [at for name, at in self.places.items() if name not in set(zone.servers)]
        d = outline(members, lines, others, self.padding, along=self._is_chain(zone))
        # A broad line around it in one group: where it meets itself it stays as light.
        fill = f"url(#{self._fill(zone)})"
        broad = (
            "" if d.endswith("Z") else f' stroke="{fill}" stroke-width="{fixed(2 * self.padding)}"'
        )
        yield (
            f'<g class="zone zone{zone.colour % COLOURS}"><path d="{d}" '
            f'fill="{fill}"{broad}/></g>\n'
        )

    def _is_chain(self, zone: ZoneDrawn) -> bool:
        """Whether a zone is a chain, which is shown as the way that it is."""
        ends = Counter(
            end for one in zone.links if one in self.links for end in self.links[one].ends
        )
        return zone.tree and max(ends.values(), default=0) <= 2

    def _fill(self, zone: ZoneDrawn) -> str:
        """The id of what a zone is filled with."""
        return f"{self.ids}fill-{zone.colour}"

    def _zone_name(self, zone: ZoneDrawn, taken: list[Box]) -> str:
        """The name of a zone above its uppermost server, or below its lowest one where nothing is
        ``taken`` there.
        """
        members = [self.places[name] for name in zone.servers if name in self.places]
        if not members:
            return ""
        words = short(zone.title)
        across = LETTER * len(words) / 2
        top, bottom = (pick(members, key=lambda at: (at[1], at[0])) for pick in (min, max))
        places = [(top[0], top[1] - self.padding + 14), (bottom[0], bottom[1] + self.padding + 2)]
        boxes = [(x - across, y - 12, x + across, y + 4) for x, y in places]
        # Of two places that are equally free the upper one.
        best = min(boxes, key=lambda box: sum(overlap(box, other) for other in taken))
        taken.append(best)
        x, y = places[boxes.index(best)]
        return (
            f'<text class="name zone{zone.colour % COLOURS}" x="{fixed(x)}" '
            f'y="{fixed(y)}">{words}</text>\n'
        )

    def _curve(self, link: LinkDrawn) -> Curve:
        return self.curves[link.id]

    def _link(self, link: LinkDrawn, *, faded: bool) -> Iterator[str]:
        faded = faded or (self._answered and not link.mark)
        look = f"link {'faded ' if faded else ''}c-{link_colour(link, answered=self._answered)}"
        yield (
            f'<g class="{look}"><title>{markup(about_link(link))}</'
            f"title>{drawn_link(link, self._curve(link), self._starts, heads=self._heads(link))}"
        )
        if link.id in self.signs.changed:
            yield change_sign(self.signs.changed[link.id], link.mark)
        yield "</g>\n"

    def _heads(self, link: LinkDrawn) -> bool:
        """Whether a one-way link has an arrow head: not in a mesh, where all lead both ways."""
        return bool(link.mark) or link.id not in self.meshed

    def _starts(self, server: str, angle: float) -> float:
        """How far from the middle of a server what is drawn on a line begins."""
        if server not in self.boxes:
            return 20.0
        return reach(half_of(server, self.boxes), math.radians(angle)) + 8

    def _between(self, link: str, from_: str, to: str) -> Curve | None:
        """The curve of a link from one of its ends, or of what joins two servers where the link
        is not in the picture.
        """
        if link in self.links:
            known = self.links[link]
            curve = self._curve(known)
            return curve if known.ends[0] == from_ else curve.back()
        if from_ in self.places and to in self.places:
            return curve_between((from_, to), self.bends)
        return None

    def _path(self, path: PathDrawn, *, second: bool) -> Iterator[str]:
        """The second of two paths that are looked at together is a broken line on the first."""
        for step in path.steps:
            curve = self._between(step.link, step.from_, step.to)
            if step.from_ == step.to or curve is None:
                continue
            if second:
                yield f'<path class="way second" d="{curve.data}"/>'
            else:
                yield f'<path class="way-rim" d="{curve.data}"/>'
                yield f'<path class="way" d="{curve.data}"/>'
            colour = "twice" if second else "path"
            yield f'<g class="c-{colour}">{self._arrow(step, curve)}</g>\n'

    def _arrow(self, step: StepDrawn, curve: Curve) -> str:
        return arrow(curve, between_boxes(curve, (step.from_, step.to), self.boxes, 0.74), 9)

    def _numbers(self) -> Iterator[str]:
        for step, (x, y) in self.signs.numbers:
            look = "step doubt" if self._unsure(step) else "step"
            sign = SECOND_STEP if step in self.second else f'<circle class="{look}" r="9"/>'
            number = f'{sign}<text class="number" y="4">{step.number}</text>'
            yield f'<g transform="translate({fixed(x)} {fixed(y)})">{number}</g>\n'

    def _unsure(self, step: StepDrawn) -> bool:
        """Whether a message gets over a step is left open."""
        return step.link in self.links and self.links[step.link].mark is Mark.UNDETERMINED

    def _step_to_block(self, step: StepDrawn) -> Iterator[str]:
        """A step that leads to a block, slimmer than those of a path."""
        curve = self._between(step.link, step.from_, step.to)
        if curve is not None:
            look, colour = ("unsure", "doubt") if self._unsure(step) else ("way to-block", "path")
            yield f'<path class="way-rim" d="{curve.data}"/><path class="{look}" d="{curve.data}"/>'
            yield f'<g class="c-{colour}">{self._arrow(step, curve)}</g>\n'

    def _repeated(self, block: BlockDrawn) -> Iterator[str]:
        """The link of a block that only repeats another: dots and no sign, unless something else
        is said of it.
        """
        stopped = (Mark.BLOCKED, Mark.UNDETERMINED)
        if block.link in self.links and self.links[block.link].mark in stopped:
            yield f'<path class="beyond" d="{self._curve(self.links[block.link]).data}"/>\n'

    def _block(self, number: int, block: BlockDrawn, times: int) -> Iterator[str]:
        """The line up to a sign, and the sign; without it where the server counts it."""
        curve = self._between(block.link, block.at, block.to) if block.at != block.to else None
        if curve is None:
            return
        certain = block.certain
        t, at = self.signs.on_links.get(number, (0.56, None))
        yield f'<path class="{"stopped" if certain else "unsure"}" d="{curve.up_to(t).data}"/>'
        if at is not None:
            yield stop_sign(at, str(number), certain=certain, times=times) + "\n"

    def _counted(self) -> Iterator[str]:
        """Signs next to servers: of what ends there, and of links without room for one."""
        for at, numbers in self.signs.at_servers.values():
            own = [self.causes[number - 1] for number in numbers]
            yield (
                stop_sign(
                    at,
                    str(numbers[0]),
                    certain=any(block.certain and not block.waits for block, _ in own),
                    waits=all(block.waits for block, _ in own),
                    times=sum(1 + len(repeated) for _, repeated in own),
                    others=numbers[1:],
                )
                + "\n"
            )
        for mark, at, number in self.signs.counted:
            yield change_sign(at, mark)
            x, y = fixed(at[0] + 17), fixed(at[1] - 4)
            yield f'<text class="cost" x="{x}" y="{y}">×{number}</text>\n'

    def _server(self, server: ServerDrawn) -> str:
        filled = server.mark in FILLED or (not server.mark and not self._answered and server.loaded)
        characters, (x, y) = self.signs.names[server.name]
        name = short(server.name, characters)
        about = "\n".join(
            part
            for part in (
                server.name,
                server.note,
                server.incomplete,
                ", ".join(server.zones),
                place(server.source),
            )
            if part
        )
        part = self.letters.get(server.name, "")
        box = self.boxes.get(server.name)
        if box:
            sign = boxed_server(server, box, filled=filled, part=part)
        else:
            sign = glyph(
                server.shape,
                server.mark,
                loaded=server.loaded,
                filled=filled,
                here=server.here,
                part=part,
            )
        if server.stack:
            behind = glyph(server.shape, Mark.NONE, loaded=server.loaded, filled=False)
            for away in (5, 10):
                sign = f'<g transform="translate({away} {-away})">{behind}</g>{sign}'
        return (
            f'<g transform="translate({fixed(server.x)} '
            f'{fixed(server.y)})"><title>{markup_lines(about)}</title>'
            f"{sign}"
            "<text class="
            f'"label{" boxed" if box else ""}'
            f'{" faded" if self._answered and not server.mark else ""}" '
            f'x="{fixed(x - server.x)}" y="{fixed(y - server.y + 5)}">{name}</text></g>\n'
        )


def _badge(own: Sequence[FindingDrawn], more: FindingsCounted | None, at: Point) -> str:
    """The badge of a server or link with its title: the listed findings, worst first, and how many
    more there are.
    """
    errors, warnings = (more.errors, more.warnings) if more else (0, 0)
    lines = [f"{one.severity}: {one.rule} {one.message} ({place(one.source)})" for one in own]
    lines += [f"{errors + warnings:,} more"] if more else []
    number = len(own) + errors + warnings
    worst = own[0].severity if own else Severity.ERROR if errors else Severity.WARNING
    sign = badge(worst, at, str(number) if number < 100 else "99+")
    return f"<title>{markup_lines(chr(10).join(lines))}</title>{sign}"


def _around(at: Point) -> Box:
    """Where a badge is."""
    return at[0] - 11, at[1] - 11, at[0] + 11, at[1] + 11
