"""The words of one MQSC command: verb, noun, name and attributes, with the line of each (ibm_mq.md
C4).

Commas equal blanks, ``'it''s'`` is a text, unquoted values are in capitals. What is wrong is noted
and passed over; nothing raises, and all is linear in the command.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from topograph.facts.ibm_mq_templates import is_template
from topograph.importers.ibm_mq.schema import NOUNS, SYNONYMS, VERBS
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.ibm_mq_findings import (
    FOREIGN_QUOTES,
    PARENTHESIS_NOT_CLOSED,
    QUOTE_NOT_CLOSED,
    STRAY_TEXT,
    VALUE_NOT_QUOTED,
)

_KEY = re.compile(
    r"[\s,]*+([^\s,()'\";]++)"
    r"(?:\s*+\((?:\s*+'([^']*+(?:''[^']*+)*+)'\s*+\)|\s*+([^'\"(),{}]*+)\)|()))?+"
)
"""A word with its value: in quotes, or a plain one; the last group is there where a parenthesis
opens on anything else."""
_REST = re.compile(r"[\s,]*+")


@dataclass(slots=True)
class CommandText:
    """The lines of one command put together. ``starts`` are the offsets in ``text`` where what
    comes from another line begins, ``lines`` the numbers of those lines; ``column`` is that of
    the first word. ``cut`` says that the file ends in the middle of it."""

    text: str
    starts: list[int]
    lines: list[int]
    column: int = 1
    cut: bool = False
    faults: list[WordFault] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.lines[0]

    def line_at(self, offset: int) -> int:
        """The line of the file that the character at ``offset`` comes from."""
        return self.lines[bisect_right(self.starts, offset) - 1]

    def end_of_line(self, offset: int) -> int:
        """Where what comes from the line of the character at ``offset`` ends."""
        at = bisect_right(self.starts, offset)
        return self.starts[at] if at < len(self.starts) else len(self.text)


@record
class WordFault:
    """Something that MQ would not read as it stands: a kind, what to say, and the line. ``hint``
    marks what is only odd.
    """

    kind: FindingKind
    message: str
    line: int
    hint: bool = False


class MqscWord(NamedTuple):
    """A word of a command with its value: None for one without parentheses."""

    name: str
    value: str | None
    line: int


_word = partial(tuple.__new__, MqscWord)
"""A word of its fields, made without a call of Python's own."""


@dataclass(slots=True)
class Parsed:
    """One command. ``verb`` and ``noun`` are the full words, empty for such that nobody knows;
    ``named`` says whether a name in parentheses stood behind the noun. ``rest`` is where another
    command begins behind a semicolon, 0 if none does."""

    verb: str
    noun: str
    name: str
    named: bool
    line: int
    column: int
    words: list[MqscWord]
    faults: list[WordFault]
    rest: int = 0


def parse(command: CommandText, at: int = 0) -> Parsed:
    """Read the command that begins at offset ``at`` of the text."""
    text = command.text
    found = Parsed(
        "", "", "", False, command.line_at(at), command.column if not at else 0, [], command.faults
    )
    end = len(text)
    number = 0
    only = command.line if len(command.lines) == 1 else 0
    while True:
        match = _KEY.match(text, at)
        if match is None:
            blank = _REST.match(text, at)
            at = blank.end() if blank else at
            if at >= end:
                return found
            if text[at] == ";":
                behind = _REST.match(text, at + 1)
                found.rest = at + 1 if behind is not None and behind.end() < end else 0
                return found
            _stray(command, found, at)
            at += 1
            continue
        word, value, plain, other = match.groups()
        at = match.end()
        if value is not None:
            value = value.replace("''", "'") if "'" in value else value
        elif plain is not None:
            value = plain.rstrip() if is_template(plain) else plain.rstrip().upper()
        elif other is not None:
            value, at = _Value(command, at, found).read()
        line = only or command.line_at(match.start(1))
        number = _take(found, number, word, value, line)


def _take(found: Parsed, number: int, word: str, value: str | None, line: int) -> int:
    """Make a word the verb, the noun or an attribute; returns how many of the first two are
    known by now.
    """
    upper = word.upper()
    if number == 0:
        found.verb = VERBS.get(upper, "")
        return 1
    if number == 1 and (
        upper in NOUNS or value is not None or upper not in ("REPLACE", "NOREPLACE")
    ):
        found.noun = NOUNS.get(upper, "")
        found.named = value is not None
        found.name = (value or "").strip()
        return 2
    found.words.append(_word((SYNONYMS.get(upper, upper), value, line)))
    return number


def _stray(command: CommandText, found: Parsed, at: int) -> None:
    """A character that belongs to no word; several of a line are one fault."""
    line = command.line_at(at)
    last = found.faults[-1] if found.faults else None
    if last is None or (last.kind, last.line) != (STRAY_TEXT, line):
        message = (
            f"A {command.text[at]} is here where an attribute is expected: MQ refuses the command."
        )
        found.faults.append(WordFault(STRAY_TEXT, message, line))


class _Value:
    """A value that is not simple: a list, one with parentheses or quotes in it, or one that does
    not end.
    """

    def __init__(self, command: CommandText, at: int, found: Parsed) -> None:
        self.command, self.at, self.found = command, at, found
        self.items: list[str] = []
        self.item = ""
        self.quoted = False

    def read(self) -> tuple[str, int]:
        text, depth, nested = self.command.text, 0, False
        begun = self.at
        while self.at < len(text):
            character = text[self.at]
            if character == "'" or (character == '"' and not self.item.strip()):
                if not self._quote(character):
                    return self._done(self.at)
                continue
            if character == ")" and not depth:
                if nested and not is_template(self.item):
                    message = (
                        "This value has parentheses and is not in quotes: MQ refuses the command."
                    )
                    self._fault(VALUE_NOT_QUOTED, message, begun)
                return self._done(self.at + 1)
            if character == "," and not depth:
                self._next()
            else:
                depth += (character in "({") - (character in ")}")
                depth = max(depth, 0)
                nested = nested or character == "("
                self.item += character
            self.at += 1
        self._fault(
            PARENTHESIS_NOT_CLOSED,
            "This value does not end: its parenthesis is not closed.",
            begun,
        )
        return self._done(len(text))

    def _quote(self, mark: str) -> bool:
        """Read a text in quotes; False, at the end of its line, where it is not closed."""
        text, begun = self.command.text, self.at
        at, parts = begun + 1, []
        while True:
            close = text.find(mark, at)
            if close < 0:
                break
            parts.append(text[at:close])
            if text.startswith(mark, close + 1) and mark == "'":
                parts.append("'")
                at = close + 2
                continue
            behind = _REST.match(text, close + 1)
            after = behind.end() if behind else close + 1
            if (
                after < len(text)
                and text[after] not in ")"
                and "," not in text[close + 1 : after]
                and not self._list(close + 1, after)
            ):
                break
            if mark == '"':
                message = (
                    "This value is in double quotes, which MQ does not take as quotes: it is read "
                    "as if they were apostrophes."
                )
                self._fault(FOREIGN_QUOTES, message, begun)
            if not self.quoted:
                self.item = self.item.lstrip()
            self.item += "".join(parts)
            self.quoted = True
            self.at = close + 1
            return True
        end = self.command.end_of_line(begun)
        message = (
            "This text does not end: its quote is not closed. It is read to the end of the line."
        )
        self._fault(QUOTE_NOT_CLOSED, message, begun)
        rest = text[begun + 1 : end].rstrip().rstrip(mark)
        outer = rest.count(")") > rest.count("(")
        self.item += rest[:-1] if outer and rest.endswith(")") else rest
        self.quoted = True
        self.at = end
        return False

    def _list(self, close: int, after: int) -> bool:
        """Whether another text in quotes follows behind blanks: items of a list."""
        return close < after and self.command.text[after] == "'"

    def _next(self) -> None:
        item = self.item if self.quoted else self.item.strip()
        if not self.quoted and not is_template(item):
            item = item.upper()
        self.items.append(item)
        self.item, self.quoted = "", False

    def _done(self, at: int) -> tuple[str, int]:
        if self.item or not self.items:
            self._next()
        return ",".join(self.items), at

    def _fault(self, kind: FindingKind, message: str, at: int) -> None:
        self.found.faults.append(WordFault(kind, message, self.command.line_at(at)))
