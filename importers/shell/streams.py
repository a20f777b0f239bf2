"""What flows between the commands of a script, with the lines that it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """A line of text. ``number`` is the line of the script that it stands in."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """Lines that stand in the script."""

    lines: tuple[Line, ...]

    @property
    def line(self) -> int:
        return self.lines[0].number if self.lines else 0


@dataclass(frozen=True, slots=True)
class File:
    """What is in a file that the script does not write. The name may be a pattern (``*.mqsc``),
    and may hold variables of which nobody knows the value.
    """

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """What only a run could tell: the output of ``command``."""

    command: str
    line: int


Part = Said | File | Unseen
Stream = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
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


def word(text: str, number: int, *, opaque: bool = False, unset: bool = False) -> Word:
    """A text that stands in the script from a line on: where it goes on, the next line does."""
    lines = (Line(number + n, part) for n, part in enumerate(text.split("\n")))
    return Word(tuple(lines), opaque, unset)


def joined(words: Sequence[Word], between: str = "") -> Word:
    """The words as one. Linear."""
    lines: list[Line] = []
    number, parts = 0, list[str]()
    for place, one in enumerate(words):
        if place:
            parts.append(between)
        for further, line in enumerate(one.lines):
            if further:
                lines.append(Line(number, "".join(parts)))
                number, parts = 0, []
            number = number or (line.number if line.text or one is words[-1] else 0)
            parts.append(line.text)
    lines.append(Line(number, "".join(parts)))
    unset = len(words) == 1 and words[0].unset
    return Word(tuple(lines), any(one.opaque for one in words), unset)


def printed(one: Word, *, escapes: bool) -> Said:
    r"""What a program prints for a word; with ``escapes``, ``\n`` and the like are what they stand
    for, on the line that they stand in.
    """
    if not escapes:
        return Said(one.lines)
    return Said(
        tuple(
            Line(line.number, part)
            for line in one.lines
            for part in line.text.replace("\\r", "").replace("\\t", "\t").split("\\n")
        )
    )


def lines_of(stream: Iterable[Part]) -> tuple[Line, ...] | None:
    """The lines of a stream; None where not all of it stands in the script."""
    parts = list(stream)
    if not all(isinstance(part, Said) for part in parts):
        return None
    return tuple(line for part in parts if isinstance(part, Said) for line in part.lines)
