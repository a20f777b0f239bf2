"""Where a text stands in a file: on its own, or as a block within a YAML file, whose lines its
own lines are counted to.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.positions.yaml_text import place
from topograph.records import record

if TYPE_CHECKING:
    from yaml.nodes import Node


@record
class Placing:
    """Where the lines of a text are: ``lines`` lines and ``columns`` columns into ``file``. With
    ``whole`` set its lines are not lines of the file (an escaped string): everything in it is at
    that place."""

    file: str
    lines: int = 0
    columns: int = 0
    whole: tuple[int, int] | None = None

    def at(self, line: int, column: int) -> Source:
        """The place of a line and column of the text, both from 1; 0 for a whole line or text."""
        if self.whole is not None:
            return Source(self.file, *self.whole)
        if not line:
            return Source(self.file, self.lines)
        return Source(self.file, line + self.lines, column + self.columns if column else 0)

    def line(self, line: int) -> int:
        """The line of the file that a line of the text is."""
        return self.whole[0] if self.whole is not None else line + self.lines


_ALONE = Placing("")


class Places:
    """The places of the characters of a text. Building it is linear, each look-up logarithmic."""

    def __init__(self, text: str, placing: Placing = _ALONE) -> None:
        self.placing = placing
        self._starts = _starts(text)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column in the text of the character at ``offset``, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def source(self, offset: int) -> Source:
        """Where the character at ``offset`` stands in the file."""
        return self.placing.at(*self.line_and_column(offset))

    def at_offset(self, offset: int, _: int) -> Source:
        """The same, as one asks for a line and column."""
        return self.source(offset)


def _starts(text: str) -> list[int]:
    """The offsets at which the lines of a text begin. Linear."""
    if "\r" in text:
        return [0, *(match.end() for match in lexical.LINE_END.finditer(text))]
    lengths = map((1).__add__, map(len, text.split("\n")))
    starts = list(accumulate(lengths, initial=0))
    return starts[:-1]


class BlockLines:
    """The lines of a YAML text, for the places of the texts that stand in it. They are split
    when the first is asked for.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> list[str]:
        return [line.text for line in lexical.lines(self._text)]

    def placing(self, file: str, node: Node, text: str) -> Placing:
        """Where the lines of ``text``, the value of ``node``, are. A block keeps its lines; its
        content begins in the line below the mark, indented as its first line that is not blank."""
        if getattr(node, "style", None) != "|":
            return Placing(file, whole=place(node))
        first = node.start_mark.line + 1
        for offset, line in enumerate(text.split("\n")):
            if line.strip() and first + offset < len(self._lines):
                raw = self._lines[first + offset]
                indent = (len(raw) - len(raw.lstrip(" "))) - (len(line) - len(line.lstrip(" ")))
                return Placing(file, first, max(indent, 0))
        return Placing(file, first)
