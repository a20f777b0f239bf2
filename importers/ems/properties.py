"""Properties on a line: ``key=value key="a value"`` separated by blanks (routes, factories, bridges) or commas (destinations,
durables), with the hazards of ems.md 3.1.

Structure is found first (where a value begins and ends), then hazards are replaced inside it, so that a typographic quote
never moves the end of a value.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from topograph.importers import lexical
from topograph.importers.ems.file_reading import Problem

_SPACE = lexical.BLANK + "\u00a0"
_OPEN = '"\u201c\u201d'
_SHOWN = {"\u00a0": "a no-break space", "\u2013": "an en dash", "\u2014": "an em dash"}


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a line. ``value`` is None for a flag. ``problems`` are those of this property alone."""

    key: str
    value: str | None
    column: int
    value_column: int = 0
    quoted: bool = False
    problems: tuple[Problem, ...] = ()


def hazard(text: str, start: int, quotes: str = "", rule: str = "3.1") -> tuple[str, tuple[Problem, ...]]:
    """``text``, which begins at offset ``start`` of its line, in ASCII, and the problem that it was not, at its first hazard."""
    offsets = lexical.hazards(text, quotes)
    if not offsets:
        return text, ()
    first = text[offsets[0]]
    what = _SHOWN.get(first, "a typographic quote")
    message = f"{what} (U+{ord(first):04X}) stands where ASCII {lexical.HAZARDS[first]!r} is meant"
    if len(offsets) > 1:
        message += f", and {len(offsets) - 1} more in this value"
    problem = Problem("non-ascii-quote", message, start + offsets[0] + 1, repaired=True, rule=rule)
    return lexical.to_ascii(text, offsets), (problem,)


def comment_start(text: str, start: int = 0) -> int:
    """The offset of a trailing comment, a ``#`` after a blank and outside double quotes, at or after ``start``; else -1."""
    quoted = False
    for offset in range(start, len(text)):
        character = text[offset]
        if character == '"':
            quoted = not quoted
        elif character == "#" and not quoted and offset and text[offset - 1] in _SPACE:
            return offset
    return -1


def without_comment(text: str) -> tuple[str, tuple[Problem, ...]]:
    """A line without its trailing comment, which only lenient mode takes for one (``#`` is legal in names)."""
    at = comment_start(text, len(text) - len(text.lstrip(_SPACE)) + 1)
    if at < 0:
        return text, ()
    message = "a comment after an entry is not known to be accepted by the server"
    return text[:at], (Problem("trailing-comment", message, at + 1, repaired=True, quiet=True),)


def scan(text: str, start: int, known: Collection[str], *, commas: bool = False) -> list[Property]:
    """The properties of a line from offset ``start`` on. ``known`` are the keys (lower case) after which a missing ``=`` can be
    recognised. With ``commas`` a comma ends a bare value and separates properties. Linear in the line; never raises."""
    return list(_Scanner(text, start, known, commas).properties())


class _Scanner:
    def __init__(self, text: str, start: int, known: Collection[str], commas: bool) -> None:
        self.text, self.at, self.known, self.commas = text, start, known, commas
        self.problems: list[Problem] = []

    def properties(self) -> list[Property]:
        found: list[Property] = []
        while self._skip_separators(bool(found)):
            found.append(self._property())
            self.problems = []
        if self.problems and found:  # blanks at the end of the line
            found[-1] = replace(found[-1], problems=(*found[-1].problems, *self.problems))
        return found

    def _skip_separators(self, after_one: bool) -> bool:
        """Move to the next property; False at the end of the line."""
        begin, seen_comma = self.at, False
        while self.at < len(self.text) and (
            self.text[self.at] in _SPACE or (self.commas and self.text[self.at] == ",")
        ):
            seen_comma = seen_comma or self.text[self.at] == ","
            self.at += 1
        self._blanks(begin, self.at)
        more = self.at < len(self.text)
        if more and after_one and self.commas and not seen_comma:
            self.problems.append(
                Problem("missing-comma", "properties are separated by commas here", self.at + 1, repaired=True)
            )
        return more

    def _blanks(self, begin: int, end: int) -> None:
        _, problems = hazard(self.text[begin:end], begin)
        self.problems.extend(problems)

    def _skip_blanks(self) -> None:
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] in _SPACE:
            self.at += 1
        if self.at < len(self.text):
            self._blanks(begin, self.at)

    def _property(self) -> Property:
        text, begin = self.text, self.at
        stop = _SPACE + '="' + ("," if self.commas else "")
        while self.at < len(text) and text[self.at] not in stop:
            self.at += 1
        if self.at == begin:  # a stray quote or equals sign
            self.at += 1
        key, problems = hazard(text[begin : self.at], begin)
        self.problems.extend(problems)
        key_end = self.at
        self._skip_blanks()
        if self.at < len(text) and text[self.at] == "=":
            self.at += 1
            self._skip_blanks()
        elif self.at < len(text) and key.lower() in self.known and not (self.commas and text[self.at] == ","):
            message = f"'=' is missing after {key.lower()}"
            self.problems.append(Problem("missing-equals", message, self.at + 1, repaired=True))
        else:
            self.at = key_end
            return Property(key, None, begin + 1, problems=tuple(self.problems))
        value_at = self.at
        selector = key.lower() == "selector"
        if value_at < len(text) and text[value_at] in _OPEN:
            value, value_at = self._quoted(selector), value_at + 1
            quoted = True
        else:
            value, quoted = self._bare(selector), False
        return Property(key, value, begin + 1, value_at + 1, quoted, tuple(self.problems))

    def _quoted(self, selector: bool) -> str:
        text, begin = self.text, self.at + 1
        opener = text[self.at]
        ends = '"' if opener == '"' else '"\u201c\u201d'
        end = next((at for at in range(begin, len(text)) if text[at] in ends), -1)
        if end < 0 and opener == '"':
            end = next((at for at in range(begin, len(text)) if text[at] in "\u201c\u201d"), -1)
        rule = "TL-08" if selector else "3.1"
        marks = [at for at in (self.at, end) if at >= 0 and text[at] != '"']
        if marks:
            self.problems.extend(hazard(text[marks[0]], marks[0], rule=rule)[1])
        if end < 0:
            self.problems.append(Problem("unterminated-quote", "the closing quote is missing", self.at + 1))
            self.at = len(text)
            return text[begin:]
        self.at = end + 1
        value = text[begin:end]
        if selector:
            value, problems = hazard(value, begin, "'", rule)
            self.problems.extend(problems)
        after = self.at < len(text) and text[self.at] not in _SPACE + ("," if self.commas else "")
        if after:
            self.problems.append(
                Problem("text-after-quote", "something other than a blank follows the closing quote", self.at + 1)
            )
        return value

    def _bare(self, selector: bool) -> str:
        text, begin = self.text, self.at
        stop = _SPACE + ("," if self.commas else "")
        end = self._word_end(begin, stop)
        if selector and self._is_selector_text(end):
            end = len(text.rstrip(_SPACE))
            message = "a selector with blanks must stand in double quotes"
            self.problems.append(Problem("unquoted-selector", message, begin + 1, repaired=True))
        self.at = end
        value, problems = hazard(text[begin:end], begin, "'" if selector else "", "TL-08" if selector else "3.1")
        self.problems.extend(problems)
        return value

    def _word_end(self, begin: int, stop: str) -> int:
        at = begin
        while at < len(self.text) and self.text[at] not in stop:
            at += 1
        return at

    def _is_selector_text(self, end: int) -> bool:
        """Whether what follows a bare selector value belongs to the selector: it is not ``key=`` of a known key."""
        rest = self.text[end:].strip(_SPACE)
        if not rest or (self.commas and rest.startswith(",")):
            return False
        word = rest.split("=")[0].strip(_SPACE + ",").lower()
        return word not in self.known
