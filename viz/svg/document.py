"""A scene as one SVG file: a drawing that needs no script, for mail, Markdown pages, wikis and
print.

The places are those of the scene, as the page has them; what the answer says of a server is a sign
in it as well as a colour. Reasons and steps stand below the drawing as numbered lines, so that no
text lies over another and none is cut. A large network is drawn as its zones (``overview``). Light
and dark follow the reader's setting. Equal scenes give equal text; every name is escaped, and
nothing in the file is loaded or run.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from topograph.findings import Severity
from topograph.questions.texts.layout import count, listed, place, plural_of
from topograph.viz.overview import overview
from topograph.viz.scene.basis import KINDS, Basis, grouped
from topograph.viz.scene.checked import line as found_line
from topograph.viz.scene.folding import folded, folding_of
from topograph.viz.scene.records import BlockDrawn, PathDrawn, RowDrawn, RuleFound, Scene
from topograph.viz.scene.stops import causes_of
from topograph.viz.svg.lanes import Lanes, width_of
from topograph.viz.svg.looks import style
from topograph.viz.svg.network import NetworkDrawing
from topograph.viz.svg.overview import OverviewDrawing
from topograph.viz.svg.pieces import fixed, markup
from topograph.words.visible import in_xml, shortened

EACH_SERVER = 300
"""Servers up to which each is drawn; more are drawn as the overview of their zones."""

LINES = 40
"""Reasons, and steps, that stand below the drawing before the rest is counted."""

LONGEST_WORD, CUT_WORD = 48, 30
"""Characters of a word, a name mostly, that a headline shows, and those it shows of a longer
one; ``title`` and ``desc`` have the whole of it.
"""

TOLD = 3
"""Things to look at that stand above the drawing; the others stand below it."""

LEAST_WIDTH = 720.0
MARGIN = 24.0
LINE_HEIGHT = 18.0
_TITLE = re.compile("<title>[^<]*</title>")

LETTER = 7.3
"""The width of a character of 13 pixels, on the broad side."""


def svg(scene: Scene, *, whole: bool = False) -> str:
    """The scene as an SVG document: each server, equal leaves as one (``scene.folding``), or for
    more than EACH_SERVER the overview of the zones; with ``whole`` each server in any case. About
    linear in the scene, beside the outlines of its zones."""
    return _Document(scene, _drawn(scene, None, whole=whole)).text()


def element(
    scene: Scene,
    name: str,
    worst: Mapping[str, Severity] | None = None,
    *,
    titled: bool = True,
) -> str:
    """The same as a part of a page, without the sentences around it: an ``svg`` element of the
    class ``name``. ``worst`` is the severest finding about each server that has any, for the
    overview; without ``titled`` the parts of the drawing have no titles of their own. The page's
    style has ``element_style`` nested in that class; ``name`` begins the element's ids."""
    return _Document(scene, _drawn(scene, worst, ids=f"{name}-")).element(name, titled=titled)


def standing_element(scene: Scene, drawing: Drawing, name: str) -> str:
    """``element`` of a drawing that is made already."""
    return _Document(scene, drawing).element(name, titled=True)


def element_style() -> str:
    """The style of ``element``, to be nested in a rule."""
    return style().replace("svg{", "&{")


def _drawn(
    scene: Scene, worst: Mapping[str, Severity] | None, *, whole: bool = False, ids: str = ""
) -> Drawing:
    if whole:
        return NetworkDrawing(scene, ids)
    drawn = folded(scene, folding_of(scene))
    if len(drawn.servers) <= EACH_SERVER:
        return NetworkDrawing(drawn, ids)
    return OverviewDrawing(scene, overview(scene, worst))


class Drawing(Protocol):
    """What stands in the middle of a document: the field that it takes in its own units, its
    markup, its part of the legend, and lists below it.
    """

    left: float
    top: float
    width: float
    height: float

    def body(self) -> Iterator[str]:
        """The markup."""

    def samples(self) -> Iterator[tuple[str, str]]:
        """What is drawn, each as markup and in words."""

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """What stands below the drawing, as text: titles and lines."""


class _Document:
    """One document while it is written."""

    def __init__(self, scene: Scene, drawing: Drawing) -> None:
        self.scene = scene
        self.drawing = drawing
        self.shown = [path for path in scene.paths if path.shown][:3]
        inside = max(map(width_of, self.shown), default=0.0)
        self.width = max(LEAST_WIDTH, drawing.width, inside) + 2 * MARGIN

    def text(self) -> str:
        header = [*self._wrapped(self.scene.title, 15), *self._wrapped(self.scene.verdict, 20)]
        told = self.scene.told[:TOLD]
        found = found_line(self.scene.checked) if self.scene.checked else ""
        more = " ".join(filter(None, (self.scene.legality, f"{found}." if found else "")))
        header += self._wrapped(more, 14) if more else []
        header += [line for one in told for line in self._wrapped(f"* {one}", 14)]
        heading, top = self._lines(header, ("muted", "verdict"), MARGIN, MARGIN + 16)
        below = top + self.drawing.height + 16
        across = MARGIN + (self.width - 2 * MARGIN - self.drawing.width) / 2 - self.drawing.left
        body = list(self.drawing.body())
        legend, below = self._legend(below)
        lanes, below = self._lanes(below)
        notes, below = self._notes(below)
        title = markup(self.scene.title)
        return "".join(
            (
                (
                    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 '
                    f'{fixed(self.width)} {fixed(below + MARGIN)}" '
                ),
                (
                    f'width="{fixed(self.width)}" height="{fixed(below + MARGIN)}" '
                    'role="img" aria-labelledby="title verdict">\n'
                ),
                (
                    f'<title id="title">{title}</title>\n<desc '
                    f'id="verdict">{markup(self.scene.verdict)}</desc>\n'
                ),
                f"<style>{style()}</style>\n",
                (
                    f'<rect class="ground" width="{fixed(self.width)}" '
                    f'height="{fixed(below + MARGIN)}"/>\n'
                ),
                *heading,
                f'<g transform="translate({fixed(across)} {fixed(top - self.drawing.top)})">\n',
                *body,
                "</g>\n",
                *legend,
                *lanes,
                *notes,
                "</svg>\n",
            )
        )

    def element(self, name: str, *, titled: bool) -> str:
        """The drawing with its legend, as an element of a page."""
        across = MARGIN + (self.width - 2 * MARGIN - self.drawing.width) / 2 - self.drawing.left
        body = "".join(self.drawing.body())
        body = body if titled else _TITLE.sub("", body)
        legend, below = self._legend(self.drawing.height + MARGIN)
        lanes, below = self._lanes(below)
        size = (
            f'viewBox="0 0 {fixed(self.width)} {fixed(below)}" width="{fixed(self.width)}" '
            f'height="{fixed(below)}"'
        )
        return "".join(
            (
                (
                    f'<svg class="{name}" {size} role="img" aria-labelledby="{name}-title '
                    f'{name}-words">\n'
                ),
                f'<title id="{name}-title">{markup(self.scene.title)}</title>\n',
                f'<desc id="{name}-words">{markup(self.scene.verdict)}</desc>\n',
                f'<g transform="translate({fixed(across)} {fixed(-self.drawing.top)})">\n',
                body,
                "</g>\n",
                *legend,
                *lanes,
                "</svg>\n",
            )
        )

    def _wrapped(self, text: str, size: int) -> list[tuple[str, int]]:
        most = max(40, int((self.width - 2 * MARGIN) / (LETTER * size / 13)))
        brief = " ".join(
            shortened(word, CUT_WORD) if len(word) > LONGEST_WORD else word
            for word in in_xml(text).split(" ")
        )
        return [(line, size) for line in textwrap.wrap(brief, most) or [""]]

    def _lines(
        self, lines: Sequence[tuple[str, int]], looks: tuple[str, str], x: float, y: float
    ) -> tuple[list[str], float]:
        found = []
        for line, size in lines:
            look = {15: looks[0], 20: looks[1]}.get(size, "")
            found.append(
                f'<text class="{look}" x="{fixed(x)}" y="{fixed(y)}" '
                f'font-size="{size}">{markup(line)}</text>\n'
            )
            y += size * 1.35 + (6 if look == looks[0] else 0)
        return found, y

    def _legend(self, y: float) -> tuple[list[str], float]:
        """What is in the drawing and nothing else, in rows."""
        found: list[str] = []
        x = MARGIN
        for sample, words in self.drawing.samples():
            room = 52 + LETTER * len(words) + 18
            if x > MARGIN and x + room > self.width - MARGIN:
                x, y = MARGIN, y + 26
            found.append(
                f'<g transform="translate({fixed(x + 22)} {fixed(y)}) scale(.7)">{sample}</g>'
            )
            found.append(
                f'<text class="small" x="{fixed(x + 50)}" '
                f'y="{fixed(y + 4.5)}">{markup(words)}</text>\n'
            )
            x += room
        return found, y + 30

    def _lanes(self, y: float) -> tuple[list[str], float]:
        """What the message passes inside the servers of the paths that are shown."""
        found: list[str] = []
        for path in self.shown:
            number = self.scene.paths.index(path)
            lanes = Lanes(self.scene.paths, number, self.width - 2 * MARGIN)
            if not lanes.markup:
                continue
            state = f", {path.state} the change" if path.state else ""
            words = markup(f"Inside the {plural_of(self.scene.server_noun)}{state}")
            found += [
                f'<text class="heading" x="{fixed(MARGIN)}" y="{fixed(y + 10)}">{words}</text>\n',
                f'<g class="drawn-lanes" transform="translate({fixed(MARGIN)} {fixed(y + 26)})">\n',
                f'<g class="second-lanes">{lanes.markup}</g>'
                if path.state == "after"
                else lanes.markup,
                "</g>\n",
            ]
            y += lanes.height + 52
        return found, y

    def _notes(self, y: float) -> tuple[list[str], float]:
        """The reasons and the steps, a line each, and what to know of the answer."""
        found: list[str] = []
        groups: list[tuple[str, list[str]]] = []
        groups.append((_stopped(self.scene), list(_blocks(self.scene))))
        commands = [
            f"{one.number}  {one.server}: {one.result}: {one.text} ({one.source})"
            for one in self.scene.commands
        ]
        groups.append(("Commands", commands))
        groups += self.drawing.lists()
        for group in self.scene.groups:
            groups.append((group.title, [_row(row) for row in group.rows]))
        groups += [
            (path.title or "Path", [_step(path, number) for number in range(len(path.steps))])
            for path in self.shown
        ]
        serious = [one for one in self.scene.checked or () if one.severity is not Severity.INFO]
        groups.append(("Findings", [_found(one) for one in serious]))
        groups.append(("Also", list(self.scene.told[TOLD:])))
        groups.append(("To know", [_known(one) for one in grouped(self.scene.facts)]))
        if self.scene.hidden:
            groups.append(
                (
                    "",
                    [
                        (
                            f"{count(self.scene.hidden, self.scene.server_noun)} more are "
                            "not in this picture"
                        )
                    ],
                )
            )
        for heading, lines in groups:
            if not lines:
                continue
            if heading:
                y += 10
                found.append(
                    f'<text class="heading" x="{fixed(MARGIN)}" '
                    f'y="{fixed(y)}">{markup(heading)}</text>\n'
                )
                y += LINE_HEIGHT + 2
            most = int((self.width - 2 * MARGIN) / LETTER)
            for line in lines[:LINES]:
                for wrapped in textwrap.wrap(in_xml(line), most, subsequent_indent="    ") or [""]:
                    found.append(
                        f'<text class="small" x="{fixed(MARGIN)}" y="{fixed(y)}" '
                        f'xml:space="preserve">{markup(wrapped)}</text>\n'
                    )
                    y += LINE_HEIGHT
            if len(lines) > LINES:
                found.append(
                    f'<text class="small" x="{fixed(MARGIN)}" y="{fixed(y)}">and '
                    f"{len(lines) - LINES:,} more</text>\n"
                )
                y += LINE_HEIGHT
        return found, y


def _stopped(scene: Scene) -> str:
    """The heading of the reasons of signs."""
    if scene.commands:
        return "Refused"
    waits = bool(scene.blocks) and all(block.waits for block in scene.blocks)
    return "Waits" if waits else "Goes no further"


def _blocks(scene: Scene) -> Iterator[str]:
    """Each cause under the number of its sign with the way that leads there, and below it what
    only repeats it.
    """
    for number, (block, repeated) in enumerate(causes_of(scene.blocks), 1):
        yield f"{number}  {_reason(block)}"
        if block.way:
            yield (
                "    the way there: "
                f"{' to '.join((block.way[0].from_, *(step.to for step in block.way)))}"
            )
        if repeated:
            ends = [one.at if one.at == one.to else f"{one.at} to {one.to}" for one in repeated]
            yield f"    and {len(repeated):,} that only repeat it: {listed(ends, 8)}"


def _found(one: RuleFound) -> str:
    message, source = one.first[0]
    words = f"{one.label} {one.name}".strip()
    such = "such as: " if one.total > 1 else ""
    return f"{one.severity}: {one.total:,} × {words}: {such}{message} ({source})"


def _known(one: Basis) -> str:
    times = f"{len(one.texts):,} × " if len(one.texts) > 1 else ""
    return f"{KINDS.get(one.kind, one.kind)}: {times}{one.words}"


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
