"""Properties on a line: ``key=value key="a value"`` separated by blanks (routes, factories,
bridges) or commas (destinations, durables), with the hazards of ems.md 3.1.

Structure is found first (where a value begins and ends), then hazards are replaced inside it, so
that a typographic quote never moves the end of a value.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from topograph.importers import lexical
from topograph.importers.ems.file_reading import Problem
from topograph.rules import Rule
from topograph.rules.ems_findings import (
    MISSING_COMMA,
    MISSING_EQUALS,
    NON_ASCII_QUOTE,
    SECTION_3_1,
    TEXT_AFTER_QUOTE,
    TL_08,
    TOO_MANY_PROPERTIES,
    TRAILING_COMMENT,
    UNQUOTED_SELECTOR,
    UNTERMINATED_QUOTE,
)

_SPACE = lexical.BLANK + "\u00a0"
_BLANKS = re.compile(f"[{_SPACE}]*")
_SEPARATORS = re.compile(f"[{_SPACE},]*")
_KEY = re.compile(f'[^{_SPACE}="]+')
_KEY_BEFORE_COMMA = re.compile(f'[^{_SPACE}=",]+')
_WORD = re.compile(f"[^{_SPACE}]*")
_WORD_BEFORE_COMMA = re.compile(f"[^{_SPACE},]*")
_TYPOGRAPHIC_END = re.compile("[\u201c\u201d]")
_ANY_END = re.compile('["\u201c\u201d]')
_OPEN = '"\u201c\u201d'
_SHOWN = {"\u00a0": "a no-break space", "\u2013": "an en dash", "\u2014": "an em dash"}

_PLAIN_PROPERTY = re.compile(r'([^\s="#,]++)(?:=([^\s",]*+))?')
_PLAIN = re.compile(rf"[ \t]*+(?:{_PLAIN_PROPERTY.pattern}(?:,[ \t]*+|\Z))*+")
"""Properties between commas, without quotes and without blanks within: nearly all lines of large
files, read without a scanner.
"""

_SPACED_PROPERTY = re.compile(r'(?<!\S)([^\s="]++)[ \t]*+=[ \t]*+(?:"([^"]*+)"|([^\s"]++))')
_SPACED = re.compile(rf"[ \t]*+(?:{_SPACED_PROPERTY.pattern}(?:[ \t]++|\Z))++")
"""Properties between blanks, each with a value that is one word or stands in quotes."""

MAX_PROPERTIES = 1000
"""Properties that are read of one line; real lines have a dozen."""


class LineProperty(NamedTuple):
    """One property of a line. ``value`` is None for a flag. ``problems`` are those of this
    property alone.
    """

    key: str
    value: str | None
    column: int
    value_column: int = 0
    quoted: bool = False
    problems: tuple[Problem, ...] = ()


_property = partial(tuple.__new__, LineProperty)
"""A property of its fields, made without a call of Python's own."""


def hazard(
    text: str, start: int, quotes: str = "", rule: Rule = SECTION_3_1
) -> tuple[str, tuple[Problem, ...]]:
    """``text``, which begins at offset ``start`` of its line, in ASCII, and the problem that it
    was not, at its first hazard.
    """
    offsets = () if text.isascii() else lexical.hazards(text, quotes)
    if not offsets:
        return text, ()
    first = text[offsets[0]]
    what = _SHOWN.get(first, "a typographic quote")
    message = f"{what} (U+{ord(first):04X}) is used where ASCII {lexical.HAZARDS[first]!r} is meant"
    if len(offsets) > 1:
        message += f", and {len(offsets) - 1} more in this value"
    problem = Problem(NON_ASCII_QUOTE, message, start + offsets[0] + 1, repaired=True, rule=rule)
    return lexical.to_ascii(text, offsets), (problem,)


def comment_start(text: str, start: int) -> int:
    """The offset of a trailing comment, a ``#`` after a blank and outside double quotes, at or
    after ``start``; else -1.
    """
    if "#" not in text:
        return -1
    quoted = False
    for offset in range(start, len(text)):
        character = text[offset]
        if character == '"':
            quoted = not quoted
        elif character == "#" and not quoted and offset and text[offset - 1] in _SPACE:
            return offset
    return -1


def without_comment(text: str) -> tuple[str, tuple[Problem, ...]]:
    """A line without its trailing comment, which only lenient mode takes for one (``#`` is legal
    in names).
    """
    at = comment_start(text, len(text) - len(text.lstrip(_SPACE)) + 1)
    if at < 0:
        return text, ()
    message = "a comment after an entry is not known to be accepted by the server"
    return text[:at], (Problem(TRAILING_COMMENT, message, at + 1, repaired=True, quiet=True),)


def scan(
    text: str, start: int, known: Collection[str], *, commas: bool = False
) -> list[LineProperty]:
    """The properties of a line from offset ``start`` on. ``known`` are the keys (lower case)
    after which a missing ``=`` can be recognised. With ``commas`` a comma ends a bare value and
    separates properties. Linear in the line; never raises."""
    if commas and text.isascii() and _PLAIN.fullmatch(text, start):
        found = [_plain(match) for match in _PLAIN_PROPERTY.finditer(text, start)]
        if len(found) <= MAX_PROPERTIES:
            return found
    if not commas and text.isascii() and _SPACED.fullmatch(text, start):
        found = [_spaced(match) for match in _SPACED_PROPERTY.finditer(text, start)]
        if len(found) <= MAX_PROPERTIES and not any(map(_may_go_on, found)):
            return found
    return list(_Scanner(text, start, known, commas).properties())


def _plain(match: re.Match[str]) -> LineProperty:
    """A property of a line on which there is nothing to be doubtful about."""
    key, value = match.groups()
    column = 0 if value is None else match.start(2) + 1
    return _property((key, value, match.start() + 1, column, False, ()))


def _spaced(match: re.Match[str]) -> LineProperty:
    """The same between blanks."""
    key, quoted, bare = match.groups()
    if quoted is None:
        return _property((key, bare, match.start() + 1, match.start(3) + 1, False, ()))
    return _property((key, quoted, match.start() + 1, match.start(2) + 1, True, ()))


def _may_go_on(prop: LineProperty) -> bool:
    """Whether it may have a value of several words without quotes: only a selector has."""
    return not prop.quoted and prop.key.lower() == "selector"


class _Scanner:
    def __init__(self, text: str, start: int, known: Collection[str], commas: bool) -> None:
        self.text, self.at, self.known, self.commas = text, start, known, commas
        self.ascii = text.isascii()
        self.problems: list[Problem] = []

    def properties(self) -> list[LineProperty]:
        found: list[LineProperty] = []
        while self._skip_separators(bool(found)):
            if len(found) == MAX_PROPERTIES:
                message = f"more than {MAX_PROPERTIES} properties on a line; the rest is not read"
                self.problems.append(Problem(TOO_MANY_PROPERTIES, message, self.at + 1))
                break
            found.append(self._property())
            self.problems = []
        if self.problems and found:  # about what follows the last property
            found[-1] = found[-1]._replace(problems=(*found[-1].problems, *self.problems))
        return found

    def _past(self, pattern: re.Pattern[str]) -> int:
        """Where the match of a pattern that matches at least the empty string ends."""
        match = pattern.match(self.text, self.at)
        return match.end() if match else self.at

    def _next_is(self, character: str) -> bool:
        return self.text.startswith(character, self.at)

    def _skip_separators(self, after_one: bool) -> bool:
        """Move to the next property; False at the end of the line."""
        begin = self.at
        self.at = self._past(_SEPARATORS if self.commas else _BLANKS)
        self._check_blanks(begin)
        more = self.at < len(self.text)
        if more and after_one and self.commas and "," not in self.text[begin : self.at]:
            message = "properties are separated by commas here"
            self.problems.append(Problem(MISSING_COMMA, message, self.at + 1, repaired=True))
        return more

    def _skip_blanks(self) -> None:
        begin = self.at
        self.at = self._past(_BLANKS)
        if self.at < len(self.text):
            self._check_blanks(begin)

    def _check_blanks(self, begin: int) -> None:
        if not self.ascii:
            self.problems += hazard(self.text[begin : self.at], begin)[1]

    def _property(self) -> LineProperty:
        begin = self.at
        key_match = (_KEY_BEFORE_COMMA if self.commas else _KEY).match(self.text, begin)
        self.at = key_match.end() if key_match else begin + 1  # else a stray quote or equals sign
        key_end = self.at
        key, problems = hazard(self.text[begin:key_end], begin)
        self.problems += problems
        self._skip_blanks()
        if self._next_is("="):
            self.at += 1
            self._skip_blanks()
        elif (
            self.at < len(self.text)
            and key.lower() in self.known
            and not (self.commas and self._next_is(","))
        ):
            message = f"'=' is missing after {key.lower()}"
            self.problems.append(Problem(MISSING_EQUALS, message, self.at + 1, repaired=True))
        else:
            self.at = key_end
            return LineProperty(key, None, begin + 1, problems=tuple(self.problems))
        selector = key.lower() == "selector"
        value_at = self.at
        quoted = self.text[value_at : value_at + 1] in _OPEN if value_at < len(self.text) else False
        value = self._quoted(selector) if quoted else self._bare(selector)
        return LineProperty(
            key, value, begin + 1, value_at + 1 + quoted, quoted, tuple(self.problems)
        )

    def _quoted(self, selector: bool) -> str:
        """A value in double quotes. One that opens with a typographic quote ends with any double
        quote; one that opens with an ASCII quote ends with a typographic one only where no ASCII
        quote follows."""
        text, begin = self.text, self.at + 1
        opener = text[self.at]
        end_match = None
        if opener == '"':
            end = text.find('"', begin)
            if end < 0:
                end_match = _TYPOGRAPHIC_END.search(text, begin)
        else:
            end, end_match = -1, _ANY_END.search(text, begin)
        end = end_match.start() if end_match else end
        rule = TL_08 if selector else SECTION_3_1
        marks = [at for at in (self.at, end) if at >= 0 and text[at] != '"']
        if marks:
            self.problems += hazard(text[marks[0]], marks[0], rule=rule)[1]
        if end < 0:
            self.problems.append(
                Problem(UNTERMINATED_QUOTE, "the closing quote is missing", self.at + 1)
            )
            self.at = len(text)
            return text[begin:]
        self.at = end + 1
        value = text[begin:end]
        if selector:
            value, problems = hazard(value, begin, "'", rule)
            self.problems += problems
        if self.at < len(text) and text[self.at] not in (_SPACE + "," if self.commas else _SPACE):
            message = "something other than a blank follows the closing quote"
            self.problems.append(Problem(TEXT_AFTER_QUOTE, message, self.at + 1))
        return value

    def _bare(self, selector: bool) -> str:
        begin = self.at
        end = self._past(_WORD_BEFORE_COMMA if self.commas else _WORD)
        if selector and self._continues(end):
            end = len(self.text.rstrip(_SPACE))
            message = "a selector with blanks must be in double quotes"
            self.problems.append(Problem(UNQUOTED_SELECTOR, message, begin + 1, repaired=True))
        self.at = end
        value, problems = hazard(
            self.text[begin:end], begin, "'" if selector else "", TL_08 if selector else SECTION_3_1
        )
        self.problems += problems
        return value

    def _continues(self, end: int) -> bool:
        """Whether what follows a bare selector value belongs to the selector: it is not ``key=``
        of a known key.
        """
        rest = self.text[end:].strip(_SPACE)
        if not rest or (self.commas and rest.startswith(",")):
            return False
        return rest.split("=")[0].strip(_SPACE + ",").lower() not in self.known
