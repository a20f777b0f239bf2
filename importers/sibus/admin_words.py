"""Options of wsadmin commands as data: ``[-bus B -name Q]`` in one text, or a list of words.

What a script computes and the text does not show is a hole: the character ``HOLE`` stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = "str | list[Value]"
"""A word, or a list of words and lists."""

HOLE = "\0"
"""Stands in a text for what is not known."""

MAX_DEPTH = 32
"""Brackets in brackets that are followed."""

_BLANK = " \t\r\n"
_PAIRS = {"[": "]", "{": "}"}


@dataclass(slots=True)
class CallOptions:
    """The options of one call, without their hyphen; one without a value has the empty text.
    ``unclear`` says that there may be more.
    """

    values: dict[str, Value] = field(default_factory=dict)
    unclear: bool = False

    def text(self, name: str) -> str:
        """A value that is one word; empty if it is not stated, a hole within it if it is not
        known.
        """
        value = self.values.get(name, "")
        return value if isinstance(value, str) else " ".join(each for each in words_of(value))


def has_hole(value: Value | None) -> bool:
    """Whether some of a value is not known."""
    if value is None or isinstance(value, str):
        return HOLE in (value or "")
    return any(map(has_hole, value))


def words_of(value: Value) -> Iterator[str]:
    """The words in a value, whatever lists they are in."""
    if isinstance(value, str):
        yield value
    else:
        for each in value:
            yield from words_of(each)


def split(text: str, depth: int = 0) -> list[Value]:
    """The words of a text: blanks separate them, quotes and brackets hold them together. Linear;
    what is not closed ends with the text.
    """
    return _Words(text).items(depth, "")


class _Words:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def items(self, depth: int, closing: str) -> list[Value]:
        found: list[Value] = []
        text = self.text
        while self.at < len(text):
            character = text[self.at]
            if character in _BLANK:
                self.at += 1
            elif character == closing:
                self.at += 1
                return found
            elif character in _PAIRS and depth >= MAX_DEPTH:
                self._skip()
                found.append(HOLE)
            elif character in _PAIRS:
                self.at += 1
                found.append(self.items(depth + 1, _PAIRS[character]))
            elif character in "\"'":
                found.append(self._quoted(character))
            else:
                found.append(self._bare(closing))
        return found

    def _skip(self) -> None:
        """Go behind the bracket that closes the one here."""
        depth = 0
        while self.at < len(self.text):
            character = self.text[self.at]
            depth += (character in "[{") - (character in "]}")
            self.at += 1
            if depth == 0:
                return

    def _quoted(self, quote: str) -> str:
        begin = self.at + 1
        end = self.text.find(quote, begin)
        end = len(self.text) if end < 0 else end
        self.at = end + 1
        return self.text[begin:end]

    def _bare(self, closing: str) -> str:
        begin = self.at
        while (
            self.at < len(self.text)
            and self.text[self.at] not in _BLANK
            and self.text[self.at] != (closing or " ")
        ):
            self.at += 1
        return self.text[begin : self.at]


def options(value: Value) -> CallOptions:
    """The options that an argument of a command states."""
    words = split(value) if isinstance(value, str) else _flat(value)
    while len(words) == 1 and isinstance(words[0], list):
        words = words[0]
    found = CallOptions()
    name = ""
    for word in words:
        if isinstance(word, str) and _is_name(word):
            name = word[1:]
            found.values[name] = ""
        elif name and found.values[name] == "":
            found.values[name] = word
            name = name if word == "" else ""
        else:
            found.unclear = True
    return found


def _flat(value: Sequence[Value]) -> list[Value]:
    """A list of words, of which one may be an option together with its value (``-bus B``)."""
    found: list[Value] = []
    for word in value:
        both = isinstance(word, str) and word.startswith("-") and " " in word
        found.extend(split(word) if both and isinstance(word, str) else [word])
    return found


def _is_name(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and word[1].isalpha()


def rows(value: Value) -> list[list[str]] | None:
    """A table as rows of words: ``[[B D2] [B D3]]``, or one row alone; None if it is nothing of
    that.
    """
    if isinstance(value, str):
        value = split(value)
        if len(value) == 1 and isinstance(value[0], list):
            value = value[0]
    if value and all(isinstance(each, str) for each in value):
        value = [value]
    found = []
    for row in value:
        cells = split(row) if isinstance(row, str) else row
        if not all(isinstance(cell, str) for cell in cells):
            return None
        found.append([cell for cell in cells if isinstance(cell, str)])
    return found
