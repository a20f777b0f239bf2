"""JSON whose values know where they stand, and of which the readable beginning survives an error.

The standard decoder gives neither: a finding needs a line, and of a file that is cut off everything
before the cut counts. ``parse`` reads a whole text into nodes. ``Cursor`` goes through a text whose
outer levels its caller knows, and hands each value within to the standard decoder, which is many
times faster.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

MAX_DEPTH = 64
"""Nesting that is followed; a tibemsd.json needs five."""

BLANK = re.compile(r"[ \t\r\n]*")
"""What may stand between the parts of a JSON text."""

NOT_JSON = "not JSON"
"""What is said of a value that cannot be read."""

_DECODER = json.JSONDecoder()
_BLANK_OR_MARK = re.compile(r"[ \t\r\n\ufeff]*")
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(slots=True)
class Node:
    """A JSON value at ``offset``. Numbers are kept as written. ``complete`` is False for an
    object or array that an error cut short."""

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
        """A string or number as text, a boolean as ``true`` or ``false``; None for null, objects
        and arrays.
        """
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return self.value if isinstance(self.value, str) else None


@dataclass(slots=True)
class JsonDocument:
    """A parsed text. ``error`` and its offset say why reading stopped, if it did; ``duplicates``
    are keys given twice in one object, with the offset of the later one, which counts."""

    root: Node | None
    error: str = ""
    error_offset: int = 0
    duplicates: list[tuple[str, int]] = field(default_factory=list)


class NotJson(Exception):
    """The text cannot be read on from ``offset``."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class TooDeep(NotJson):
    """The value at ``offset`` is JSON, and nested deeper than ``MAX_DEPTH``."""


def parse(text: str) -> JsonDocument:
    """Parse a JSON text. Never raises; linear."""
    parser = _Parser(text)
    document = parser.document
    try:
        parser.value(0, parser.take_root)
        at = parser.blank()
        if at < len(text):
            document.error, document.error_offset = "text after the end of the JSON value", at
    except NotJson as stop:
        document.error, document.error_offset = stop.message, min(stop.offset, len(text))
    return document


def refusal(text: str) -> NotJson | None:
    """Why the standard decoder refuses a text, at which offset (-1 if it does not say where);
    None if it takes the text. Linear.
    """
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return NotJson(error.msg, min(error.pos, len(text)))
    except (ValueError, RecursionError):
        return NotJson("nested too deeply, or a number too long", -1)
    return None


_BEGUN = re.compile(
    r"-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\\.|[eE][+-]?|[+-]|,|\\?u[0-9a-fA-F]{0,3}|[0-9a-fA-F]{0,3}"
)
"""What can be left, at the place where the decoder stops, of a value that the end cuts short."""


def ends_in_its_middle(text: str, refused: NotJson) -> bool:
    """Whether a text is refused only because it ends: the beginning of a JSON text, such as a copy
    that was cut off. Of nothing at all it is not known. Linear."""
    if refused.offset < 0 or not text.strip():
        return False
    rest = text[refused.offset :].strip()
    return refused.message.startswith("Unterminated string") or bool(_BEGUN.fullmatch(rest))


def is_too_deep(value: object) -> bool:
    """Whether lists and objects stand in each other more than ``MAX_DEPTH`` deep: what walks
    them later on may recurse. Linear.
    """
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child for node in level for child in _children(node) if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def _children(node: object) -> Iterable[object]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


def strings(node: Node) -> Iterator[tuple[str, Node]]:
    """Every scalar below an object, by its dotted name (``ssl.identity``), arrays by their place
    (``listen[0]``).
    """
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


class Cursor:
    """A place ``at`` in a text that goes forward as parts of the text are read."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at = text, at

    def skip(self, pattern: re.Pattern[str] = BLANK) -> int:
        """Go behind what ``pattern`` matches here; the offset there."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    @property
    def next(self) -> str:
        """The next character; empty at the end."""
        return self.text[self.at : self.at + 1]

    def take(self, character: str) -> bool:
        """Go behind ``character`` if it is the next one, and say whether it was."""
        if self.next != character:
            return False
        self.at += 1
        return True

    def decode(self) -> object:
        """Read one value that begins here, as the standard decoder gives it. Linear in the value.

        Raises NotJson, and stays where it is, if none can be read here; TooDeep, and goes behind
        it, if it is nested too deeply.
        """
        try:
            value, end = _DECODER.raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            raise NotJson(NOT_JSON, self.at) from None
        begin, self.at = self.at, end
        if is_too_deep(value):
            raise TooDeep(f"nested deeper than {MAX_DEPTH}", begin)
        return value


class _Parser(Cursor):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.document = JsonDocument(None)

    def take_root(self, node: Node) -> None:
        self.document.root = node

    def blank(self) -> int:
        return self.skip(_BLANK_OR_MARK)

    def value(self, depth: int, attach: Callable[[Node], None]) -> None:
        """Read one value. Containers are attached before they are filled, scalars when they are
        complete.
        """
        begin = self.blank()
        first = self.next
        if first in ("{", "["):
            if depth >= MAX_DEPTH:
                raise NotJson(f"nested deeper than {MAX_DEPTH}", begin)
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
        if self.take(closing):
            return
        while True:
            if isinstance(node.value, dict):
                self._member(node.value, depth)
            elif isinstance(node.value, list):
                self.value(depth + 1, node.value.append)
            at = self.blank()
            if self.take(closing):
                return
            if not self.take(","):
                raise NotJson(f"expected , or {closing}", at)

    def _member(self, members: dict[str, Node], depth: int) -> None:
        at = self.blank()
        if self.next != '"':
            raise NotJson("expected the name of a member", at)
        key = self._string()
        colon = self.blank()
        if not self.take(":"):
            raise NotJson("expected :", colon)
        if key in members:
            self.document.duplicates.append((key, at))
            del members[key]

        def attach(node: Node) -> None:
            members[key] = node

        self.value(depth + 1, attach)

    def _string(self) -> str:
        begin = self.at
        match = _STRING.match(self.text, begin)
        if match is None:
            raise NotJson("a string is not closed", begin)
        self.at = match.end()
        inner = match[1]
        if "\\" not in inner:
            return inner
        try:
            decoded: str = json.loads(match.group(), strict=False)
        except ValueError:
            raise NotJson("a string with an invalid escape", begin) from None
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
        raise NotJson(
            "the text ends here" if begin >= len(self.text) else "expected a value", begin
        )
