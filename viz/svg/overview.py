"""The overview of a large network as SVG: its zones as discs, what joins them, and what the
answer says of each.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topograph.findings import Severity
from topograph.questions.texts.layout import count, plural_of
from topograph.viz.layout.bends import Bends
from topograph.viz.layout.outlines import Point
from topograph.viz.layout.zone_colours import COLOURS
from topograph.viz.overview import BundleDrawn, CrossingDrawn, DiscDrawn, Overview, SpineDrawn
from topograph.viz.scene.judged import MARK_WORDS
from topograph.viz.scene.records import Mark, Scene
from topograph.viz.svg.links import Box, curve_between, overlap
from topograph.viz.svg.looks import COLOUR_OF
from topograph.viz.svg.pieces import Curve, badge, fixed, markup, markup_lines, spot, stop_sign
from topograph.words.visible import in_xml, shortened

WIDEST = 1400.0
"""Pixels across, at most: discs shrink, their texts do not."""

LEAST_TEXT = 8.5
LARGEST_TEXT = 17.0
CHARACTER = 0.58
"""The width of a character, of the height of the text; on the broad side."""

RING = {"good": "", "path": "", "text": "", "bad": "5 3", "doubt": "2 3", "passed": "9 3"}
"""Dashes of the parts of a ring, by the colour of what they stand for: red and green are not
told apart by colour alone.
"""

SMALL = 12.0
"""Pixels of the radius up to which a disc has a small sign of its worst finding."""

COUNTED = 18.0
"""Pixels of the radius of a disc from which the number of its findings is at their sign."""

NAMED_BESIDE = 60
"""Names of small discs that are beside them, at most."""

AROUND = 10.0
"""Between a path and the rim of a disc that it does not pass."""

TYPE_DASHES = {"1hop": "7 4", "mhop": ""}


@dataclass
class OverviewDrawing:
    """The discs of an overview, scaled so that they are at most WIDEST pixels across; a
    document's drawing, as ``svg_network.NetworkDrawing`` is.
    """

    scene: Scene
    overview: Overview

    def __post_init__(self) -> None:
        discs = self.overview.discs
        left = min((disc.x - disc.radius for disc in discs), default=0.0)
        right = max((disc.x + disc.radius for disc in discs), default=0.0)
        top = min((disc.y - disc.radius for disc in discs), default=0.0)
        bottom = max((disc.y + disc.radius for disc in discs), default=0.0)
        self.scale = min(1.0, WIDEST / max(1.0, right - left))
        edge = 18.0
        self.left, self.top = left * self.scale - edge, top * self.scale - edge
        self.width, self.height = (
            (right - left) * self.scale + 2 * edge,
            (bottom - top) * self.scale + 2 * edge,
        )
        self._bends = Bends(
            {_key(number): (disc.x, disc.y) for number, disc in enumerate(discs)},
            {_key(number): disc.radius + AROUND for number, disc in enumerate(discs)},
        )
        self.on_way = {number for crossing in self.shown for number, _, _ in crossing.discs}

    @property
    def shown(self) -> tuple[CrossingDrawn, ...]:
        """The paths that are drawn."""
        return self.overview.crossings[:3]

    @property
    def _noun(self) -> str:
        """What the groups of the scene are called."""
        return self.scene.group_noun or "zone"

    def _dashes(self, disc: DiscDrawn) -> str:
        """The dashes of the rim of a disc."""
        if disc.zone < 0:
            return "12 5"
        if self.scene.zones[disc.zone].kind != "zone":
            return ""
        return TYPE_DASHES.get(disc.type, "1.5 4")

    def body(self) -> Iterator[str]:
        """The markup: bundles below discs, paths below the discs that they pass, numbers above
        all.
        """
        spanning = {spine.disc for spine in self.overview.spines}
        for bundle in self.overview.bundles:
            if not spanning.intersection(bundle.ends):
                yield from self._bundle(bundle)
            elif bundle.blocked:
                yield self._blocked(bundle)
        for spine in self.overview.spines:
            yield self._spine(spine)
        for crossing in self.shown:
            yield from self._way(crossing)
        for number, disc in enumerate(self.overview.discs):
            yield from self._disc(number, disc)
        yield from self._names_beside()
        for crossing in self.shown:
            yield from self._numbers(crossing)

    def _names_beside(self) -> Iterator[str]:
        """Names of discs in which there is no room for them, with their hubs: those that join most
        others first, up to NAMED_BESIDE, where they cover no disc that joins as many."""
        joined = Counter(end for bundle in self.overview.bundles for end in bundle.ends)
        joined.update(end for spine in self.overview.spines for pair in spine.pairs for end in pair)
        discs = self.overview.discs
        rims = []
        for number in range(len(discs)):
            (x, y), r = self._at(number), self._radius(number)
            rims.append((joined[number], number, (x - r, y - r, x + r, y + r)))
        left = [
            number
            for number, disc in enumerate(discs)
            if not _lines(disc, self._radius(number) * 0.95, self.scene.server_noun)
        ]
        order = sorted(left, key=lambda number: (-joined[number], number))[: 2 * NAMED_BESIDE]
        named: list[Box] = []
        for number in order:
            if len(named) == NAMED_BESIDE:
                break
            disc, (x, y), r = discs[number], self._at(number), self._radius(number)
            hub = disc.hub if disc.hub not in disc.name else ""
            words = shortened(in_xml(f"{disc.name}: {hub}" if hub else disc.name), 32)
            half = CHARACTER * 10 * len(words) / 2 + 2
            least = joined[number] * 0.6
            for dx, dy in ((0, r + 7), (0, -r - 7), (r + 3 + half, 0), (-r - 3 - half, 0)):
                box = (x + dx - half, y + dy - 6, x + dx + half, y + dy + 6)
                covered = any(
                    many > least and other != number and overlap(box, rim)
                    for many, other, rim in rims
                )
                if covered or any(overlap(box, other) for other in named):
                    continue
                named.append(box)
                look = f"name zone{self.scene.zones[disc.zone].colour % COLOURS}"
                yield (
                    f'<text class="{look if disc.zone >= 0 else "label"}" x="{fixed(x + dx)}" '
                    f'y="{fixed(y + dy + 3.5)}" font-size="10">{markup(words)}</text>\n'
                )
                break

    def _at(self, number: int) -> Point:
        disc = self.overview.discs[number]
        return disc.x * self.scale, disc.y * self.scale

    def _radius(self, number: int) -> float:
        return self.overview.discs[number].radius * self.scale

    def _bundle(self, bundle: BundleDrawn) -> Iterator[str]:
        a, b = (self._at(end) for end in bundle.ends)
        width = 1 + math.log2(bundle.links + len(bundle.servers)) * 0.8
        yield f'<g class="bundle"><title>{markup_lines(self._about_bundle(bundle))}</title>'
        yield f'<path d="M{spot(a)}L{spot(b)}" stroke-width="{fixed(width)}"/>'
        middle = self._middle(*bundle.ends)
        if not any(
            math.dist(middle, self._at(n)) < self._radius(n) + 8
            for n in range(len(self.overview.discs))
        ):
            words = []
            if bundle.links:
                words.append(count(bundle.links, self.scene.link_noun))
            if len(bundle.servers) > 1:
                words.append(f"{len(bundle.servers):,} shared")
            if bundle.servers:
                yield (
                    f'<circle class="joint" cx="{fixed(middle[0])}" cy="{fixed(middle[1])}" '
                    'r="3.6"/>'
                )
            if words:
                yield (
                    f'<text class="cost" x="{fixed(middle[0])}" '
                    f'y="{fixed(middle[1] - 6)}">{markup(", ".join(words))}</text>'
                )
        yield "</g>\n"
        if bundle.blocked:
            yield self._blocked(bundle)

    def _blocked(self, bundle: BundleDrawn) -> str:
        return stop_sign(self._middle(*bundle.ends), str(bundle.blocked), certain=True) + "\n"

    def _spine(self, spine: SpineDrawn) -> str:
        """The links of a zone that spans others, between the discs of those, in its colour."""
        zone = self.scene.zones[spine.disc]
        lines = "".join(f"M{spot(self._at(a))}L{spot(self._at(b))}" for a, b in spine.pairs)
        title = markup(f"links of {zone.kind} {zone.name}, which spans others")
        return (
            f'<g class="spine zone{zone.colour % COLOURS}"><title>{title}</title>'
            f'<path d="{lines}"/></g>\n'
        )

    def _middle(self, first: int, second: int) -> Point:
        """Halfway between the rims of two discs."""
        a, b = self._at(first), self._at(second)
        length = math.dist(a, b) or 1.0
        t = (self._radius(first) + length - self._radius(second)) / 2 / length
        return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t

    def _disc(self, number: int, disc: DiscDrawn) -> Iterator[str]:
        (x, y), r = self._at(number), self._radius(number)
        dashes = self._dashes(disc)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        look = (
            f"disc zone{self.scene.zones[disc.zone].colour % COLOURS}"
            if disc.zone >= 0
            else "disc group"
        )
        yield (
            f'<g class="{look}" transform="translate({fixed(x)} '
            f'{fixed(y)})"><title>{markup_lines(self.about(disc))}</title>'
        )
        yield f'<circle class="rim" r="{fixed(r)}"{dashed}/>'
        yield from _ring(disc, r * 0.93)
        if number in self.on_way:
            yield f'<circle class="on-way" r="{fixed(r + 2.5)}"/>'
        for words, size, level, look in _lines(
            disc, r * (0.86 if disc.shares else 0.95), self.scene.server_noun
        ):
            yield (
                f'<text class="{look}" y="{fixed(level)}" '
                f'font-size="{fixed(size)}">{markup(words)}</text>'
            )
        # On the rim, off the name.
        aside = (r + 5) * math.sqrt(0.5)
        if disc.worst in (Severity.ERROR, Severity.WARNING):
            yield badge(disc.worst, (aside, -aside), size=0.4 if r <= SMALL else 0.7)
            if r >= COUNTED and disc.errors + disc.warnings:
                yield (
                    f'<text class="found c-{"bad" if disc.worst is Severity.ERROR else "doubt"}" '
                    f'x="{fixed(aside + 9)}" y="{fixed(4 - aside)}">'
                    f"{disc.errors + disc.warnings:,}</text>"
                )
        if disc.blocked and r > 14:
            yield stop_sign((-aside, -aside), str(disc.blocked), certain=True)
        yield "</g>\n"

    def _way(self, crossing: CrossingDrawn) -> Iterator[str]:
        """A path from disc to disc, around those that it does not pass."""
        numbers = [number for number, _, _ in crossing.discs]
        line = "".join(self.between(*pair).data for pair in itertools.pairwise(numbers))
        if line:
            yield f'<path class="way-rim" d="{line}"/><path class="way" d="{line}"/>\n'

    def between(self, first: int, second: int) -> Curve:
        """The curve of a path from one disc to another."""
        curve = curve_between((_key(first), _key(second)), self._bends)
        start, over, end = (
            (x * self.scale, y * self.scale) for x, y in (curve.start, curve.over, curve.end)
        )
        return Curve(start, over, end)

    def _numbers(self, crossing: CrossingDrawn) -> Iterator[str]:
        for number, first, last in crossing.discs:
            (x, y), r = self._at(number), self._radius(number)
            words = str(first) if first == last else f"{first}\u2013{last}"
            half = 5 + 3.6 * len(words)
            place = f"translate({fixed(x)} {fixed(y + r)})"
            yield (
                f'<g transform="{place}"><rect class="step" x="{fixed(-half)}" y="-9" '
                f'width="{fixed(2 * half)}" height="18" rx="9"/>'
            )
            yield f'<text class="number" y="4">{words}</text></g>\n'

    def about(self, disc: DiscDrawn) -> str:
        """All that is known of a disc, a line each."""
        kind = (
            self.scene.zones[disc.zone].kind
            if disc.zone >= 0
            else f"{count(len(disc.servers), self.scene.server_noun)} in no {self._noun}"
        )
        lines = [
            f"{kind} {disc.name}{f' ({disc.type})' if disc.type not in ('', kind) else ''}",
            (
                f"{count(len(disc.servers), self.scene.server_noun)}, "
                f"{count(disc.links, self.scene.link_noun)}"
            ),
            f"files not loaded: {disc.unloaded:,}" if disc.unloaded else "",
            _findings(disc),
            disc.result,
        ]
        return "\n".join(line for line in lines if line)

    def _about_bundle(self, bundle: BundleDrawn) -> str:
        first, second = (self.overview.discs[end].name for end in bundle.ends)
        shared = ", ".join(bundle.servers[:8]) + (", …" if len(bundle.servers) > 8 else "")
        lines = [
            f"{first} and {second}",
            f"in both: {shared}" if shared else "",
            count(bundle.links, self.scene.link_noun) if bundle.links else "",
            f"blocked: {bundle.blocked:,}" if bundle.blocked else "",
        ]
        return "\n".join(line for line in lines if line)

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """Every disc as a line: those with most to say first."""

        def order(disc: DiscDrawn) -> tuple[int, int, int, str]:
            undetermined = dict(disc.shares).get(Mark.UNDETERMINED, 0)
            return -(disc.worst.rank if disc.worst else -1), -disc.blocked, -undetermined, disc.name

        yield (
            plural_of(self._noun).capitalize(),
            [
                "; ".join([*self.about(disc).split("\n"), *_hub(disc)])
                for disc in sorted(self.overview.discs, key=order)
            ],
        )

    def samples(self) -> Iterator[tuple[str, str]]:
        """What is drawn, each as markup and in words."""
        groups = {
            (self.scene.zones[disc.zone].kind, disc.type, self._dashes(disc))
            for disc in self.overview.discs
            if disc.zone >= 0
        }
        for kind, type_, dashes in sorted(groups):
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            what = f"zone, {type_ or 'of unknown type'}" if kind == "zone" else kind
            words = f"{what}: the larger, the more {plural_of(self.scene.server_noun)}"
            yield f'<g class="disc zone0"><circle class="rim" r="12"{dashed}/></g>', words
        if any(disc.zone < 0 for disc in self.overview.discs):
            sample = (
                '<g class="disc group"><circle class="rim" r="12" stroke-dasharray="12 5"/></g>'
            )
            yield sample, f"{plural_of(self.scene.server_noun)} in no {self._noun}, linked together"
        spanning = {spine.disc for spine in self.overview.spines}
        for number in sorted(spanning):
            zone = self.scene.zones[number]
            yield (
                f'<g class="spine zone{zone.colour % COLOURS}"><path d="M-19 0H19"/></g>',
                f"links of {zone.kind} {zone.name}, which spans others",
            )
        if any(
            bundle.servers and not spanning.intersection(bundle.ends)
            for bundle in self.overview.bundles
        ):
            yield (
                (
                    '<g class="bundle"><path d="M-19 0H19" stroke-width="2"/><circle '
                    'class="joint" r="4.5"/></g>'
                ),
                f"in both {plural_of(self._noun)}",
            )
        if any(bundle.links for bundle in self.overview.bundles):
            yield (
                '<g class="bundle"><path d="M-19 0H19" stroke-width="4"/></g>',
                "links between them, counted",
            )
        found = {mark: COLOUR_OF[mark] for disc in self.overview.discs for mark, _ in disc.shares}
        for mark, words in MARK_WORDS.items():
            if mark in found:
                yield (
                    f'<g class="c-{found[mark]}">{_arc(12, 0.5, 1.0, found[mark])}</g>',
                    f"so many: {words}",
                )
        if any(crossing.discs for crossing in self.shown):
            sample = (
                '<path class="way" d="M-19 0H19"/><rect class="step" x="-13" y="-9" '
                'width="26" height="18" rx="9"/>'
            )
            yield (
                f'{sample}<text class="number" y="4">1\u20133</text>',
                f"path, and its steps in the {self._noun}",
            )
        if any(disc.blocked for disc in self.overview.discs) or any(
            one.blocked for one in self.overview.bundles
        ):
            yield stop_sign((0.0, 0.0), "3", certain=True), "goes no further: so many places"
        for severity in (Severity.ERROR, Severity.WARNING):
            if any(disc.worst is severity for disc in self.overview.discs):
                yield (
                    badge(severity, (0.0, 0.0), size=0.7),
                    f"worst finding: {severity}, and how many warnings and errors",
                )


def _findings(disc: DiscDrawn) -> str:
    """The findings about a disc in words: how many errors and warnings there are."""
    counted = [
        count(number, noun)
        for number, noun in ((disc.errors, "error"), (disc.warnings, "warning"))
        if number
    ]
    if counted:
        return f"findings: {', '.join(counted)}"
    return f"worst finding: {disc.worst}" if disc.worst else ""


def _hub(disc: DiscDrawn) -> list[str]:
    return [f"most neighbours: {disc.hub}"] if disc.hub else []


def _key(number: int) -> str:
    """The number of a disc as a name: names sort as numbers do."""
    return f"{number:06}"


def _lines(disc: DiscDrawn, r: float, noun: str) -> list[tuple[str, float, float, str]]:
    """The texts that fit into a disc, each with its size, level and look: its name (cut if need
    be), how many servers, and what the answer says; in fewer words where there is less room."""
    size = max(LEAST_TEXT, min(LARGEST_TEXT, r * 0.32))
    small = max(LEAST_TEXT, min(13.0, size * 0.8))
    servers = count(len(disc.servers), noun)
    results = [part for part in disc.result.split("; ") if part]
    compact = [part.removeprefix("reached ") for part in results[:1] if part.startswith("reached ")]
    abouts = [
        f"{disc.type} · {servers}" if disc.type else servers,
        servers,
        f"{len(disc.servers):,}",
    ]
    below = [[about, *said] for said in (results, results[:1], compact) if said for about in abouts]
    below += [[about] for about in abouts] if not results else [compact, [abouts[-1]]]
    if disc.hub and disc.hub not in disc.name:
        below = [[*words, in_xml(disc.hub)] for words in below] + below
    for lines in below:
        placed = _placed([(disc.name, size), *((words, small) for words in lines)], r)
        if (
            lines
            and all(len(words) <= room for words, _, _, room in placed[1:])
            and placed[0][3] >= min(4, len(disc.name))
        ):
            break
    else:
        placed = _placed([(disc.name, size)], r)
    (name, one, level, room), *others = placed
    if room < min(3, len(name)):
        return []
    name = in_xml(name)
    shown = name if len(name) <= room else f"{name[: room - 1]}…"
    return [
        (shown, one, level, "disc-name"),
        *((words, one, level, "disc-about") for words, one, level, _ in others),
    ]


def _placed(lines: Sequence[tuple[str, float]], r: float) -> list[tuple[str, float, float, int]]:
    """Lines around the middle of a disc: words, size, level of the base line, and the characters
    that there is room for.
    """
    level = -sum(size * 1.2 for _, size in lines) / 2
    placed = []
    for words, size in lines:
        far = max(abs(level), abs(level + size * 1.2))
        room = int(2 * math.sqrt(max(0.0, r * r - far * far)) / (CHARACTER * size))
        placed.append((words, size, level + size * 0.95, room))
        level += size * 1.2
    return placed


def _ring(disc: DiscDrawn, r: float) -> Iterator[str]:
    """What the answer says of how many of a disc's servers, as parts of a ring from the top on."""
    total = len(disc.servers)
    by_colour: dict[str, int] = {}
    for mark, servers in disc.shares:
        by_colour[COLOUR_OF[mark]] = by_colour.get(COLOUR_OF[mark], 0) + servers
    start = 0
    for colour, servers in by_colour.items():
        yield (
            f'<g class="c-{colour}">{_arc(r, start / total, (start + servers) / total, colour)}</g>'
        )
        start += servers


def _arc(r: float, start: float, end: float, colour: str) -> str:
    """Part of a ring, from ``start`` to ``end`` of a full turn."""
    width = max(2.5, r * 0.1)
    dashes = RING.get(colour, "")
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    if end - start >= 1:
        return f'<circle class="share" r="{fixed(r)}" stroke-width="{fixed(width)}"{dashed}/>'
    a, b = (math.tau * (turn - 0.25) for turn in (start, end))
    large = int(end - start > 0.5)
    d = (
        f"M{spot((r * math.cos(a), r * math.sin(a)))}A{fixed(r)} {fixed(r)} 0 {large} 1 "
        f"{spot((r * math.cos(b), r * math.sin(b)))}"
    )
    return f'<path class="share" d="{d}" stroke-width="{fixed(width)}"{dashed}/>'
