"""JSON in which every value knows where it stands, and of which the readable beginning survives an error.

The standard decoder gives neither: a finding needs a line, and of a file that is cut off everything before the cut counts.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from topograph.importers import lexical

MAX_DEPTH = 64
"""Nesting that is followed; a tibemsd.json needs five."""

_BLANK = re.compile(r"[ \t\r\n\ufeff]*")
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(slots=True)
class Node:
    """A JSON value at ``offset``. Numbers are kept as written. ``complete`` is False for an object or array that an error cut
    short."""

    value: dict[str, Node] | list[Node] | str | bool | None
    offset: int
    complete: bool = True

    @property
    def members(self) -> dict[str, Node]:
        """The members of an object; empty for anything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def items(self) -> list[Node]:
        """The items of an array; empty for anything else."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str | None:
        """A string or number as text, a boolean as ``true`` or ``false``; None for null, objects and arrays."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return self.value if isinstance(self.value, str) else None


@dataclass(slots=True)
class Document:
    """A parsed text. ``error`` and its offset say why reading stopped, if it did; ``duplicates`` are keys given twice in one
    object, with the offset of the later one, which counts."""

    root: Node | None
    error: str = ""
    error_offset: int = 0
    duplicates: list[tuple[str, int]] = field(default_factory=list)


class Places:
    """Lines and columns of offsets in a text. Building it is linear, each look-up logarithmic."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in lexical.LINE_END.finditer(text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at ``offset``, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def parse(text: str) -> Document:
    """Parse a JSON text. Never raises; linear."""
    parser = _Parser(text)
    document = parser.document
    try:
        parser.value(0, parser.take_root)
        at = parser.blank()
        if at < len(text):
            document.error, document.error_offset = "text after the end of the JSON value", at
    except _Stop as stop:
        document.error, document.error_offset = stop.message, min(stop.offset, len(text))
    return document


def strings(node: Node) -> Iterator[tuple[str, Node]]:
    """Every scalar below an object, by its dotted name (``ssl.identity``), arrays by their place (``listen[0]``)."""
    for name, child in node.members.items():
        yield from _below(name, child)


def _below(name: str, node: Node) -> Iterator[tuple[str, Node]]:
    if node.members:
        for key, child in node.members.items():
            yield from _below(f"{name}.{key}", child)
    elif node.items:
        for place, child in enumerate(node.items):
            yield from _below(f"{name}[{place}]", child)
    elif not isinstance(node.value, (dict, list)):
        yield name, node


class _Stop(Exception):
    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.document = text, 0, Document(None)

    def take_root(self, node: Node) -> None:
        self.document.root = node

    def blank(self) -> int:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def value(self, depth: int, attach: Callable[[Node], None]) -> None:
        """Read one value. Containers are attached before they are filled, scalars when they are complete."""
        begin = self.blank()
        first = self.text[begin : begin + 1]
        if first in ("{", "["):
            if depth >= MAX_DEPTH:
                raise _Stop(f"nested deeper than {MAX_DEPTH}", begin)
            self.at += 1
            node = Node({} if first == "{" else [], begin, complete=False)
            attach(node)
            self._fill(node, depth)
            node.complete = True
        elif first == '"':
            attach(Node(self._string(), begin))
        else:
            attach(self._word(begin))

    def _fill(self, node: Node, depth: int) -> None:
        closing = "}" if isinstance(node.value, dict) else "]"
        self.blank()
        if self._is_next(closing):
            return
        while True:
            if isinstance(node.value, dict):
                self._member(node.value, depth)
            elif isinstance(node.value, list):
                self.value(depth + 1, node.value.append)
            at = self.blank()
            if self._is_next(closing):
                return
            if not self._is_next(","):
                raise _Stop(f"expected , or {closing}", at)

    def _member(self, members: dict[str, Node], depth: int) -> None:
        at = self.blank()
        if self.text[at : at + 1] != '"':
            raise _Stop("expected the name of a member", at)
        key = self._string()
        colon = self.blank()
        if not self._is_next(":"):
            raise _Stop("expected :", colon)
        if key in members:
            self.document.duplicates.append((key, at))
            del members[key]

        def attach(node: Node) -> None:
            members[key] = node

        self.value(depth + 1, attach)

    def _is_next(self, character: str) -> bool:
        if self.text[self.at : self.at + 1] != character:
            return False
        self.at += 1
        return True

    def _string(self) -> str:
        begin = self.at
        match = _STRING.match(self.text, begin)
        if match is None:
            raise _Stop("a string is not closed", begin)
        self.at = match.end()
        inner = match[1]
        if "\\" not in inner:
            return inner
        try:
            decoded: str = json.loads(match.group(), strict=False)
        except ValueError:
            raise _Stop("a string with an invalid escape", begin) from None
        # half a surrogate pair cannot be written as UTF-8 later on
        return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _word(self, begin: int) -> Node:
        number = _NUMBER.match(self.text, begin)
        if number is not None:
            self.at = number.end()
            return Node(number.group(), begin)
        for word, value in _WORDS.items():
            if self.text.startswith(word, begin):
                self.at = begin + len(word)
                return Node(value, begin)
        raise _Stop("the text ends here" if begin >= len(self.text) else "expected a value", begin)
