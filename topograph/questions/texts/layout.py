"""How text answers are laid out: marked words, aligned columns, paths, places in files.

Names come out of configuration files that anyone may have written, so no character that a terminal
would act on (escape sequences, direction overrides, line breaks) reaches the page: it is shown as
``\\x1b``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from operator import and_
from typing import Any

from topograph.findings import Source
from topograph.questions.answers.base import Answer, Step, ZoneHops
from topograph.records import record
from topograph.words.visible import clean

STEPS_SHOWN = 40
"""Steps listed before the rest is summed up; servers are always listed in full."""

GUARD_SHOWN = 100
"""Characters of a guard's text."""

ALIGNED = 80
"""Columns of a cell up to which the cells behind it are aligned."""

NAMES_WIDTH = 100
"""Columns after which a list of names goes on in the next line."""


class Tone(Enum):
    """What a piece of text is; the value is its colour on a terminal (an ANSI code)."""

    PLAIN = ""
    TITLE = "1"
    GOOD = "32"
    BAD = "31"
    UNSURE = "33"
    FAINT = "2"


@record
class Cell:
    """A piece of text and what it is."""

    text: str
    mark: Tone = Tone.PLAIN


@record
class Style:
    """What the output can show: ``colour`` a terminal's colours, ``symbols`` characters beyond
    ASCII; ``width`` the columns of the terminal, at which lines are wrapped, None where lines
    may be of any length."""

    colour: bool = False
    symbols: bool = True
    width: int | None = None

    @property
    def arrow(self) -> str:
        return "→" if self.symbols else "->"

    @property
    def ellipsis(self) -> str:
        return "…" if self.symbols else "..."

    @property
    def separator(self) -> str:
        return " · " if self.symbols else " | "

    def path(self, servers: Iterable[str]) -> str:
        """``A → M → B``."""
        return f" {self.arrow} ".join(servers)


PLAIN = Style()


def _columns(text: str) -> int:
    """How many terminal columns ``text`` takes: wide East Asian characters take two, combining
    ones none.
    """
    if text.isascii():
        return len(text)
    # A text has few different characters beyond ASCII: each is looked up once.
    beyond = {character: _extra(character) for character in set(text) if character > "\x7f"}
    return len(text) + sum(
        text.count(character) * extra for character, extra in beyond.items() if extra
    )


@cache
def _extra(character: str) -> int:
    """The columns that a character takes more than one."""
    if unicodedata.combining(character):
        return -1
    return 1 if unicodedata.east_asian_width(character) in "WF" else 0


Piece = str | Cell
Row = Sequence[Piece]

HANGING = 24
"""The most columns by which the further lines of a row that is wrapped are indented."""


class Page:
    """Lines of text as they are put together; ``text()`` is the whole page. ``caveats`` stand
    right below the title; ``full`` lists what is otherwise counted."""

    def __init__(
        self, style: Style = PLAIN, caveats: Sequence[str] = (), *, full: bool = False
    ) -> None:
        self.style = style
        self.full = full
        self._caveats = caveats
        self._lines: list[str] = []

    def line(self, *pieces: Piece, indent: int = 0) -> None:
        """One line of the pieces as they come."""
        cells = [piece if isinstance(piece, Cell) else Cell(piece) for piece in pieces]
        self._put([(Cell(clean(cell.text), cell.mark), 0) for cell in cells], indent, indent + 2)

    def blank(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def title(self, sentence: str, mark: Tone = Tone.TITLE) -> None:
        """The first line: the answer in a sentence."""
        self.line(Cell(sentence, mark))
        for caveat in self._caveats:
            self.line(Cell(caveat, Tone.UNSURE))

    def section(self, heading: str, mark: Tone = Tone.TITLE) -> None:
        """A heading with an empty line before it."""
        self.blank()
        self.line(Cell(heading, mark))

    def table(self, rows: Sequence[Row], *, indent: int = 2, right: Sequence[int] = ()) -> None:
        """Rows in aligned columns (those in ``right`` to the right); columns that are empty
        throughout are left out. A cell that is wider than ALIGNED is followed at once by what
        stands behind it in its row. A row that is wider than the terminal goes on in further
        lines."""
        if rows:
            self._columns([*zip(*rows, strict=True)], len(rows), indent, right)

    def columns(
        self, columns: Sequence[Sequence[Piece]], *, indent: int = 2, right: Sequence[int] = ()
    ) -> None:
        """A table that is given column by column."""
        if columns and columns[0]:
            self._columns(columns, len(columns[0]), indent, right)

    def _columns(
        self, given: Sequence[Sequence[Piece]], count: int, indent: int, right: Sequence[int]
    ) -> None:
        columns = [_clean_column(pieces) for pieces in given]
        most = ALIGNED if self.style.width is None else min(ALIGNED, self.style.width // 3)
        widths = [_aligned(sizes, most) for _, sizes in columns]
        kept = [number for number, (_, sizes) in enumerate(columns) if any(sizes)]
        hanging = indent + min(widths[kept[0]] + 2, HANGING) if kept else indent
        spans = [(widths[number], number in right) for number in kept]
        if self.style.width is None and not self.style.colour:
            lines = [" " * indent] * count
            shown_columns = [columns[number] for number in kept]
            self._lines += [line.rstrip() for line in _joined(lines, shown_columns, spans)]
            return
        empty: list[tuple[Any, ...]] = [()] * count
        rows = [*zip(*(given[number] for number in kept), strict=True)] or empty
        texts = [*zip(*(columns[number][0] for number in kept), strict=True)] or empty
        sizes = [*zip(*(columns[number][1] for number in kept), strict=True)] or empty
        for row, shown, taken in zip(rows, texts, sizes, strict=True):
            pieces = [(shown[place], row[place], gap) for place, gap in _placed(taken, spans)]
            self._put(
                [
                    (Cell(text, piece.mark if isinstance(piece, Cell) else Tone.PLAIN), gap)
                    for text, piece, gap in pieces
                ],
                indent,
                hanging,
            )

    def names(self, names: Sequence[str], *, indent: int = 2) -> None:
        """Names, comma-separated, over as many lines as they need."""
        width = NAMES_WIDTH if self.style.width is None else self.style.width
        lines = wrapped([clean(name) for name in names], width - indent)
        self._lines.extend(" " * indent + text for text in lines)

    def verbatim(self, text: str, *, indent: int = 0) -> None:
        """One line that is never wrapped: a command to be pasted."""
        self._lines.append(" " * indent + clean(text))

    def more(self, left: int, *, indent: int = 2) -> None:
        """Say that ``left`` entries are not listed."""
        if left > 0:
            said = f"{self.style.ellipsis} and {left:,} more (use --format json)"
            self.line(Cell(said, Tone.FAINT), indent=indent)

    def text(self) -> str:
        return "\n".join(self._lines).rstrip("\n") + "\n"

    def _put(self, cells: Sequence[tuple[Cell, int]], indent: int, hanging: int) -> None:
        """A line of clean cells, each with the spaces before it; of a line that is wider than
        the terminal as many as it takes, the further ones behind ``hanging`` columns. Words are
        never broken."""
        width = self.style.width
        taken = indent + sum(gap + _columns(cell.text) for cell, gap in cells)
        if width is None or taken <= width:
            line = "".join(" " * gap + self._marked(cell.text, cell.mark) for cell, gap in cells)
            self._lines.append((" " * indent + line).rstrip())
            return
        line, column, empty = " " * indent, indent, True
        for cell, gap in cells:
            said = ""
            # A cell that fits into a line of its own is not divided.
            room = width - _columns(cell.text) if _columns(cell.text) <= width - hanging else width
            for number, word in enumerate(cell.text.split(" ")):
                space = gap if number == 0 else 1
                whole = room if number == 0 else width - _columns(word)
                if not empty and column + space > min(whole, width - _columns(word)):
                    self._lines.append((line + self._marked(said, cell.mark)).rstrip())
                    line, column, said, empty = " " * hanging, hanging, "", True
                if empty and column == hanging:
                    space = 0
                if said:
                    said += " " * space + word
                else:
                    line += " " * space
                    said = word
                column += space + _columns(word)
                empty = empty and not word
            line += self._marked(said, cell.mark)
        self._lines.append(line.rstrip())

    def _marked(self, shown: str, mark: Tone) -> str:
        """A clean text in the colour of its mark, where there are colours."""
        return (
            f"\x1b[{mark.value}m{shown}\x1b[0m"
            if self.style.colour and mark.value and shown
            else shown
        )


_OF_ONE_COLUMN = "→…·"
"""Characters beyond ASCII that tables are full of; each takes one column of a terminal."""


def _clean_column(pieces: Sequence[Piece]) -> tuple[list[str], list[int]]:
    """The clean texts of a column of a table, and how many terminal columns each takes. They are
    looked at together first: few of them hold anything that has to be looked at one by one."""
    texts = [piece.text if isinstance(piece, Cell) else piece for piece in pieces]
    together = "".join(texts)
    if not together.isprintable():
        texts = list(map(clean, texts))
        together = "".join(texts)
    for character in _OF_ONE_COLUMN:
        together = together.replace(character, "")
    if together.isascii():
        return texts, list(map(len, texts))
    sizes = list(map(_columns, texts))
    return [text if size else "" for text, size in zip(texts, sizes, strict=True)], sizes


def _placed(sizes: Sequence[int], spans: Sequence[tuple[int, bool]]) -> list[tuple[int, int]]:
    """For each cell of a row that shows something its place, and the spaces before it. ``spans``
    are the width of each column, and whether its cells stand to the right; behind a cell that is
    wider than its column nothing is aligned."""
    found: list[tuple[int, int]] = []
    before = 0
    aligned = True
    for place, (size, (width, right)) in enumerate(zip(sizes, spans, strict=True)):
        if not (aligned or size):
            continue
        aligned = aligned and size <= width
        gap = width - size if aligned else 0
        left, behind = (gap, 0) if right else (0, gap)
        if size:
            found.append((place, before + left))
            before = behind + 2
        else:
            before += gap + 2
    return found


def _joined(
    lines: list[str],
    columns: Sequence[tuple[Sequence[str], Sequence[int]]],
    spans: Sequence[tuple[int, bool]],
) -> list[str]:
    """Lines with the cells of ``columns`` (texts, and how many terminal columns each takes) behind
    them, placed as ``_placed`` places those of one row; what is empty at the end of a line may be
    there as spaces. Linear, a column at a time."""
    fits: list[bool] = []  # of each line whether it is aligned so far; empty where all are
    for number, ((texts, sizes), (width, right)) in enumerate(zip(columns, spans, strict=True)):
        between = "  " if number else ""
        spaces = [between + " " * gap for gap in range(width + 1)] if right else []
        behind = [] if right else [" " * gap for gap in range(width + 1)]
        cells = zip(lines, texts, sizes, strict=True)
        if fits or max(sizes) > width:
            fit = [size <= width for size in sizes]
            fits = [*map(and_, fits, fit)] if fits else fit
            lines = [
                (f"{line}{between}{text}" if text else line)
                if not aligned
                else f"{line}{spaces[width - size]}{text}"
                if right
                else f"{line}{between}{text}{behind[width - size]}"
                for (line, text, size), aligned in zip(cells, fits, strict=True)
            ]
        elif right:
            lines = [f"{line}{spaces[width - size]}{text}" for line, text, size in cells]
        else:
            lines = [f"{line}{between}{text}{behind[width - size]}" for line, text, size in cells]
    return lines


def _aligned(columns: Sequence[int], most: int) -> int:
    """The width of a column whose cells have these widths, of which those wider than ``most`` do
    not count.
    """
    return max((width for width in columns if width <= most), default=most)


def wrapped(names: Iterable[str], width: int) -> Iterator[str]:
    """Comma-separated names in lines of at most ``width`` columns; a name is never broken."""
    line = ""
    for name in names:
        joined = f"{line}, {name}" if line else name
        if line and _columns(joined) > width:
            yield f"{line},"
            line = name
        else:
            line = joined
    if line:
        yield line


def count(number: int, noun: str, plural: str = "") -> str:
    """A number and its noun.

    >>> count(1, "server"), count(12000, "server"), count(0, "copy", "copies"), count(2, "bus")
    ('1 server', '12,000 servers', '0 copies', '2 buses')
    """
    return f"{number:,} {noun if number == 1 else plural or plural_of(noun)}"


def plural_of(noun: str) -> str:
    """The plural of a noun that makes it with ``s`` or ``es``."""
    return f"{noun}{'es' if noun.endswith('s') else 's'}"


def listed(names: Sequence[str], most: int = 4, joined: str = "and") -> str:
    """Names as they stand in a sentence; more than ``most`` are counted.

    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"]), listed(list("ABCDEF"))
    ('A', 'A and B', 'A, B and C', 'A, B, C and 3 others')
    >>> listed(["A", "B"], joined="or")
    'A or B'
    """
    if len(names) > most:
        left = len(names) - (most - 1)
        return f"{', '.join(names[: most - 1])} {joined} {left:,} others"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joined} {names[-1]}"


def zones(zone_hops: Sequence[ZoneHops]) -> str:
    """Hops by zone: ``WAN 2, C1 1``. Empty where the system has no zones."""
    return ", ".join(f"{entry.zone} {entry.hops}" for entry in zone_hops if entry.zone)


def place(source: Source | None) -> str:
    """``file:line``, with the column where one is known."""
    return str(source) if source is not None and source.file else ""


def short(text: str, style: Style, most: int = GUARD_SHOWN) -> str:
    """``text``, cut if it is longer than ``most`` characters: the guards of a link can name
    hundreds of topics.
    """
    return text if len(text) <= most else f"{text[:most]}{style.ellipsis}"


def weak(confidence: str) -> str:
    """How sure a rule is, said only where it is not (L and I)."""
    return {"L": "low confidence", "I": "inferred"}.get(confidence, "")


def step_rows(
    steps: Iterable[Step], style: Style, hold: Collection[Step] = frozenset()
) -> list[Row]:
    """A row a step: the link, its name, zone, rule, cost and place, and what a message must pass;
    of the steps in ``hold`` a message is known to pass it.
    """
    return [
        (
            style.path((step.from_, step.to)),
            f"over {step.link}" if step.link else "",
            f"zone {step.zone}" if step.zone else "",
            step.rule,
            "" if step.cost is None else f"cost {step.cost}",
            Cell(weak(step.confidence), Tone.UNSURE),
            Cell(place(step.source), Tone.FAINT),
            conditions([short(guard, style) for guard in step.guards], hold=step in hold),
        )
        for step in steps
    ]


def conditions(guards: Sequence[str], *, hold: bool = False) -> str:
    """What a step asks of messages, or (``hold``) what is known to hold of one, in a row.

    >>> conditions(["for any topic", "for orders only if a = 1"]), conditions([])
    ('for any topic; for orders only if a = 1', '')
    >>> conditions(["a = 1", "b = 2"]), conditions(["a = 1 is TRUE", "b = 2 is TRUE"], hold=True)
    ('if a = 1; and b = 2', 'a = 1 is TRUE; b = 2 is TRUE')
    >>> conditions(["for orders only if a = 1", "for orders only if b = 2"])
    'for orders only if a = 1, and only if b = 2'
    """
    if hold:
        return "; ".join(guards)
    if all(guard.startswith("for ") for guard in guards):
        return "; ".join(of_same_messages(guards))
    return f"if {'; and '.join(guards)}"


def of_same_messages(guards: Iterable[str]) -> list[str]:
    """Conditions on the same messages as one, because all of them must hold."""
    found: dict[str, str] = {}
    for guard in guards:
        whom, only_if, condition = guard.partition(" only if ")
        if only_if and whom in found:
            found[whom] += f", and only if {condition}"
        else:
            found[whom if only_if else guard] = guard
    return list(found.values())


def steps_section(
    page: Page,
    steps: Iterable[Step],
    heading: str = "Steps",
    hold: Collection[Step] = frozenset(),
) -> None:
    """Every step once, in the order in which they come up, up to STEPS_SHOWN; of those in
    ``hold`` what they ask of the message is known to hold.
    """
    # The ways of an answer share their steps: few of them are different objects.
    distinct = list(dict.fromkeys({id(step): step for step in steps}.values()))
    if distinct:
        page.section(heading)
        page.table(step_rows(distinct[:STEPS_SHOWN], page.style, hold))
        page.more(len(distinct) - STEPS_SHOWN)


def _cited(rule: str, text: str) -> str:
    return f"{rule}  {text}" if rule else text


def closing(page: Page, answer: Answer) -> None:
    """What the answer rests on, what to know about it, and what it is about."""
    if answer.assumptions:
        page.section("Assumptions", Tone.UNSURE)
        for assumption in answer.assumptions:
            sure = weak(assumption.confidence)
            said = Cell(f"  ({sure})" if sure else "", Tone.UNSURE)
            page.line(_cited(assumption.rule, assumption.text), said, indent=2)
            if assumption.alternative:
                page.line(f"otherwise: {assumption.alternative}", indent=6)
    if answer.warnings:
        page.section("Warnings", Tone.UNSURE)
        for caution in answer.warnings:
            where = place(caution.source)
            said = Cell(f"  {where}" if where else "", Tone.FAINT)
            page.line(_cited(caution.rule, caution.message), said, indent=2)
    if not answer.snapshot:
        return
    page.blank()
    about = [f"snapshot {answer.snapshot}", f"network {answer.network}", f"engine {answer.engine}"]
    if answer.redaction:
        about.append(f"redacted with key {answer.redaction}")
    page.line(Cell(page.style.separator.join(about), Tone.FAINT))
