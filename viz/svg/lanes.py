"""What the message of a trace passes inside the servers of a path, as a drawing: a column a server,
below its name the objects that have the message, in order. The page shows the same
(``script/inside.js``).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from topograph.records import record
from topograph.viz.scene.inside import Column, Fork, Place, columns, forks
from topograph.viz.scene.judged import MARK_WORDS
from topograph.viz.scene.records import Mark, PathDrawn, StepDrawn
from topograph.viz.svg.looks import COLOUR_OF, FILLED
from topograph.viz.svg.pieces import fixed, glyph, markup, short, stop_sign
from topograph.words.visible import in_xml

BOX = 178.0
"""The width of a box."""

GAP, ROW_GAP, BETWEEN = 92.0, 24.0, 16.0
"""Between two columns, between the boxes of a single server, which stand in a row, and between a
box and the one below it."""

LINE = 15.0
"""The height of a line of 12 pixels."""

LETTERS = 18
"""Characters of a line in a box."""

ABREAST = 4
"""Columns beside each other, before the next ones go below."""

DOUBTS: Mapping[Mark, str] = {
    Mark.ONE_OF: "one of several ways",
    Mark.LATER: "later",
    Mark.UNDETERMINED: "not certain",
}
"""How certain it is that the message gets to an object, in the words of its box."""

MOVED_WORDS: Mapping[Mark, str] = {
    Mark.GOES: "only before",
    Mark.COMES: "only after",
    Mark.ALTERED: "acts differently",
}
"""What of a way before a change, and after it, the other one does not have."""

FORK_WORDS: Mapping[Mark, str] = {
    Mark.ONE_OF: "or",
    Mark.MAY_END: "or",
    Mark.LATER: "later",
    Mark.UNDETERMINED: "perhaps",
}
"""How a path that leaves another one stands to it; ``also`` where both are taken."""


@record
class _Box:
    """A box with its lines, each a style class and markup; ``below`` are lines under it."""

    lines: tuple[tuple[str, str], ...]
    below: tuple[str, ...] = ()
    look: str = "lane-box"
    end: Mark = Mark.NONE
    moved: Mark = Mark.NONE

    @property
    def height(self) -> float:
        """Its height."""
        return LINE * len(self.lines) + 10

    @property
    def room(self) -> float:
        """Its height with what stands below it."""
        return self.height + (LINE * len(self.below) + 4 if self.below else 0)


class Lanes:
    """The drawing of a path, at most ``width`` wide: ``markup`` from the corner (0, 0), empty for a
    path without stations, and its ``height``. Linear in the stations of all paths."""

    def __init__(self, paths: Sequence[PathDrawn], chosen: int, width: float) -> None:
        self.width, self.height = width, 0.0
        self._found: list[str] = []
        self._paths = paths
        path = paths[chosen]
        lanes = columns(path)
        if not lanes:
            return
        at = {fork.at: fork for fork in forks(paths, chosen)}
        stacks = [list(stack) for stack in self._stacks(lanes, at)]
        if path.end:
            stacks[-1].append(_end(path))
        if len(lanes) == 1:
            self._row(lanes[0].server, stacks[0])
        else:
            self._columns(lanes, stacks)

    @property
    def markup(self) -> str:
        """The drawing."""
        return "".join(self._found)

    def _stacks(self, lanes: Sequence[Column], at: Mapping[int, Fork]) -> Iterator[Iterator[_Box]]:
        before = Mark.NONE
        for lane in lanes:
            stack = []
            for place in lane.places:
                stack.append(_station(place, before, self._forked(at.get(place.number))))
                before = place.station.mark
            yield iter(stack)

    def _forked(self, fork: Fork | None) -> tuple[str, ...]:
        if fork is None:
            return ()
        found = []
        for number in fork.paths:
            other = self._paths[number]
            words = FORK_WORDS.get(other.end, "also")
            found.append(f"{words} {other.servers[-1]}: {MARK_WORDS.get(other.end, other.title)}")
        return (*found, *([f"and {fork.others} more"] if fork.others else []))

    def _row(self, server: str, boxes: Sequence[_Box]) -> None:
        """One server: its boxes in a row, in as many rows as there is room for."""
        self._text("lane-name", 0, 14, short(server, LETTERS))
        x, y, deep = 0.0, 26.0, 0.0
        for number, box in enumerate(boxes):
            middle = y + boxes[0].height / 2 if number else 0.0
            if number and x + 2 * BOX + ROW_GAP > self.width:
                x, y, deep = ROW_GAP, y + deep + BETWEEN, 0.0
                self._arrow(((0, y + 14), (x, y + 14)))
            elif number:
                x += BOX + ROW_GAP
                self._arrow(((x - ROW_GAP, middle), (x, middle)))
            self._box(box, x, y)
            deep = max(deep, box.room)
        self.height = y + deep

    def _columns(self, lanes: Sequence[Column], stacks: Sequence[Sequence[_Box]]) -> None:
        """Several servers: a column each, in as many rows of columns as there is room for."""
        each = max(1, int((self.width + GAP) // (BOX + GAP)))
        y = 0.0
        for first in range(0, len(lanes), each):
            group = range(first, min(first + each, len(lanes)))
            head = (
                y
                + 4
                + LINE * max(len(_label(lanes[n - 1].leaves)) for n in group if n or first == 0)
            )
            if first:
                head += LINE + 4
            top, low = head + 10, head + 10
            for number in group:
                x = (number - first) * (BOX + GAP)
                self._text("lane-name", x, head, short(lanes[number].server, LETTERS))
                if number:
                    self._hop(lanes[number - 1].leaves, x, head, first=number == first)
                low = max(low, self._stack(stacks[number], x, top))
            for number in group[:-1]:
                self._across(stacks[number], stacks[number + 1], number - first, top)
            y = low + 24
        self.height = y - 24

    def _hop(self, leaves: StepDrawn | None, x: float, y: float, *, first: bool) -> None:
        """The number and the words of the link by which the message gets to a column; in a row of
        columns to the first, before its name."""
        if leaves is None:
            self._text("lane-over", x + 14 if first else x - GAP / 2, y - LINE - 6, "back")
            return
        number, *lines = _label(leaves)
        middle = x + 9 if first else x - GAP / 2
        down = y - LINE - 6 if first else y - LINE * len(lines) - 4
        self._found.append(
            f'<circle class="step" cx="{fixed(middle)}" cy="{fixed(down - 4)}" r="9"/>'
            f'<text class="number" x="{fixed(middle)}" y="{fixed(down)}">{number}</text>\n'
        )
        if first:
            words = short(leaves.over, 2 * LETTERS)
            self._text(
                "lane-kind", middle + 15, down, f"{words} from {markup(leaves.from_)}".strip()
            )
            return
        for line, text in enumerate(lines, 1):
            self._text("lane-over", middle, down + LINE * line, markup(text))

    def _stack(self, boxes: Sequence[_Box], x: float, top: float) -> float:
        """The boxes of a column one below the other; where they end."""
        y = top
        for number, box in enumerate(boxes):
            if number:
                start = y + boxes[number - 1].height
                y += boxes[number - 1].room + BETWEEN
                self._arrow(((x + 20, start), (x + 20, y)))
            self._box(box, x, y)
        return y + (boxes[-1].room if boxes else 0)

    def _across(self, boxes: Sequence[_Box], next_: Sequence[_Box], at: int, top: float) -> None:
        """The arrow from the last box of a column to the first of the next."""
        x = at * (BOX + GAP) + BOX
        y = top + sum(box.room + BETWEEN for box in boxes[:-1])
        start = y + boxes[-1].height / 2 if boxes else top + 12
        end = top + next_[0].height / 2 if next_ else top + 12
        turn = x + 12
        self._arrow(((x, start), (turn, start), (turn, end), (x + GAP, end)))

    def _box(self, box: _Box, x: float, y: float) -> None:
        if box.end:
            sign = (
                stop_sign((0.0, 0.0), "", certain=True)
                if box.end is Mark.BLOCKED
                else glyph("circle", box.end, loaded=True, filled=box.end in FILLED)
            )
            spot = f"translate({fixed(x + 20)} {fixed(y + box.height / 2)}) scale(.75)"
            self._found.append(f'<g transform="{spot}">{sign}</g>')
        else:
            self._found.append(
                f'<rect class="{box.look}" x="{fixed(x)}" y="{fixed(y)}" width="{fixed(BOX)}" '
                f'height="{fixed(box.height)}" rx="5"/>'
            )
        if box.moved:
            self._found.append(
                f'<rect class="lane-moved c-{COLOUR_OF[box.moved]}" x="{fixed(x)}" '
                f'y="{fixed(y)}" width="6" height="{fixed(box.height)}" rx="3"/>'
            )
        left = x + 38 if box.end else x + 13 if box.moved else x + 9
        for line, (look, text) in enumerate(box.lines, 1):
            self._text(look, left, y + LINE * line, text)
        for line, words in enumerate(box.below, 1):
            self._text("lane-kind", x + 30, y + box.height + LINE * line, _cut(words))

    def _text(self, look: str, x: float, y: float, text: str) -> None:
        self._found.append(f'<text class="{look}" x="{fixed(x)}" y="{fixed(y)}">{text}</text>\n')

    def _arrow(self, corners: Sequence[tuple[float, float]]) -> None:
        """A line over these corners, with a head at its end."""
        (before, last) = corners[-2:]
        turned = 90 if before[0] == last[0] else 0
        line = "L".join(f"{fixed(x)} {fixed(y)}" for x, y in corners)
        self._found.append(
            f'<path class="lane-line" d="M{line}"/><path class="lane-head" '
            f'transform="translate({fixed(last[0])} {fixed(last[1])}) rotate({turned})" '
            'd="M0 0L-8-4.5V4.5Z"/>\n'
        )


def width_of(path: PathDrawn) -> float:
    """The width that the drawing of a path would like to have."""
    count = min(ABREAST, len(columns(path)))
    return count * BOX + (count - 1) * GAP if count else 0.0


def _cut(words: str) -> str:
    """A line below a box: its beginning says where another path leads."""
    text = in_xml(words)
    return markup(text if len(text) <= LETTERS + 3 else f"{text[: LETTERS + 2]}…")


def _label(leaves: StepDrawn | None) -> list[str]:
    """The number of a step and what it goes over, in lines of the gap between two columns."""
    if leaves is None:
        return ["back"]
    return [str(leaves.number), *textwrap.wrap(in_xml(leaves.over), 13)[:3]]


def _station(place: Place, before: Mark, below: tuple[str, ...]) -> _Box:
    """``before`` is the mark of the station before it: what is said there is not said again."""
    station = place.station
    name = in_xml(station.name or station.server or place.step.from_)
    lines = [("lane-kind", markup(station.kind))] if station.kind else []
    lines += [("lane-name", markup(line)) for line in textwrap.wrap(name, LETTERS)[:3] or [""]]
    if station.moved:
        colour = COLOUR_OF[station.moved]
        lines.append((f"lane-change c-{colour}", MOVED_WORDS[station.moved]))
    doubt = "" if station.mark is before else DOUBTS.get(station.mark, "")
    lines += [("lane-doubt", markup(words)) for words in (doubt, station.sure) if words]
    unsure = bool(station.mark or station.sure)
    look = "lane-box lane-broken" if unsure else "lane-box"
    return _Box(tuple(lines), below, look, moved=station.moved)


def _end(path: PathDrawn) -> _Box:
    lines = textwrap.wrap(in_xml(path.ending), LETTERS)[:4] or [""]
    return _Box(tuple(("lane-name", markup(line)) for line in lines), end=path.end)
