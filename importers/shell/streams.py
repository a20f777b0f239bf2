"""What flows between the commands of a script, with the lines that it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from topograph.records import record


class Line(NamedTuple):
    """A line of text. ``number`` is the line of the script that it stands in, ``column`` what
    stands before it there. ``unknown`` is the first part of it of which nobody knows the value, as
    the script writes it.
    """

    number: int
    text: str
    column: int = 0
    unknown: str = ""


@record
class Said:
    """Lines that stand in the script."""

    lines: tuple[Line, ...]

    @property
    def line(self) -> int:
        return self.lines[0].number if self.lines else 0


@record
class File:
    """What is in a file that the script does not write. The name may be a pattern (``*.txt``),
    and may hold variables of which nobody knows the value.
    """

    name: str
    line: int


@record
class Unseen:
    """What only a run could tell: the output of ``command``."""

    command: str
    line: int


Part = Said | File | Unseen
Stream = tuple[Part, ...]


@record
class Word:
    """A word as the shell puts it together: its lines, of which the first and last may be parts of
    one. ``opaque`` says that a part of it is what a command prints that nobody knows.
    """

    lines: tuple[Line, ...]
    opaque: bool = False
    unset: bool = False
    """It is a variable alone of which nobody knows the value."""

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def line(self) -> int:
        return self.lines[0].number


def word(text: str, number: int, column: int = 0) -> Word:
    """A text that stands in the script from a place on: where it goes on, the next line does."""
    parts = enumerate(text.split("\n"))
    return Word(tuple(Line(number + n, part, 0 if n else column) for n, part in parts))


def not_known(text: str, number: int, *, opaque: bool = False, unset: bool = False) -> Word:
    """A text of which nobody knows what it stands for."""
    return Word((Line(number, text, unknown=text),), opaque, unset)


def joined(words: Sequence[Word], between: str = "") -> Word:
    """The words as one. Linear."""
    lines: list[Line] = []
    parts: list[Line] = []
    for place, one in enumerate(words):
        if place:
            parts.append(Line(0, between))
        for further, line in enumerate(one.lines):
            if further:
                lines.append(_one(parts))
                parts = []
            parts.append(line)
    lines.append(_one(parts))
    unset = len(words) == 1 and words[0].unset
    return Word(tuple(lines), any(one.opaque for one in words), unset)


def _one(parts: Sequence[Line]) -> Line:
    """The parts as one line, which stands where the first of them does that has a text."""
    places = [one for one in parts if one.number]
    at = next((one for one in places if one.text), places[-1] if places else Line(0, ""))
    unknown = next((one.unknown for one in parts if one.unknown), "")
    return Line(at.number, "".join([one.text for one in parts]), at.column, unknown)


def printed(one: Word, *, escapes: bool) -> Said:
    r"""What a program prints for a word; with ``escapes``, ``\n`` and the like are what they stand
    for, on the line that they stand in.
    """
    if not escapes:
        return Said(one.lines)
    lines: list[Line] = []
    for line in one.lines:
        column = line.column
        for part in line.text.replace("\\r", "").replace("\\t", "\t").split("\\n"):
            unknown = line.unknown if line.unknown in part else ""
            lines.append(Line(line.number, part, column, unknown))
            column += len(part) + 2
    return Said(tuple(lines))


def lines_of(stream: Iterable[Part]) -> tuple[Line, ...] | None:
    """The lines of a stream; None where not all of it stands in the script."""
    parts = list(stream)
    if not all(isinstance(part, Said) for part in parts):
        return None
    return tuple(line for part in parts if isinstance(part, Said) for line in part.lines)
