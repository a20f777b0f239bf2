"""The patterns of policies and permissions (RQ-17, RQ-25): Perl-compatible regular expressions, of
which the part is read that is understood exactly.

A broker searches a name for the pattern. Here a pattern is read into a tree, and the tree goes over
a name with the set of all places that it can be at: no pattern, however it is written, takes more
than its length times the square of that of the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from topograph.digits import based, digits

Places = frozenset[int]
Step = Callable[[str, Places], Places]
"""Where a part of a pattern ends, of the places where it begins."""

Test = Callable[[str], bool]
"""Whether a character is one of some."""

MOST_REPEATS = 1_000
MOST_DEPTH = 50
_SETS: dict[str, Test] = {
    "d": lambda c: c in "0123456789",
    "w": lambda c: (c.isascii() and c.isalnum()) or c == "_",
    "s": lambda c: c in " \t\n\v\f\r",
    "h": lambda c: c in " \t",
}
_POSIX: dict[str, Test] = {
    "alnum": lambda c: c.isascii() and c.isalnum(),
    "alpha": lambda c: c.isascii() and c.isalpha(),
    "digit": _SETS["d"],
    "lower": lambda c: c.isascii() and c.islower(),
    "upper": lambda c: c.isascii() and c.isupper(),
    "space": _SETS["s"],
    "word": _SETS["w"],
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "punct": lambda c: c.isascii() and c.isprintable() and not c.isalnum() and c != " ",
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "e": "\x1b", "a": "\a"}


class NotUnderstood(Exception):
    """The pattern has something that is not followed here, or is none."""


class _Flags(NamedTuple):
    ignore_case: bool = False
    dot_all: bool = False
    lines: bool = False
    extended: bool = False


@lru_cache(maxsize=4_096)
def _compiled(pattern: str) -> Step | str:
    try:
        return _Reader(pattern).read()
    except NotUnderstood as error:
        return str(error)


def fault(pattern: str) -> str:
    """Why a pattern is not understood; empty if it is."""
    found = _compiled(_as_bytes(pattern))
    return found if isinstance(found, str) else ""


def matches(pattern: str, name: str) -> bool | None:
    """Whether the pattern is found in a name; None where it is not understood. O(length of the
    pattern times the square of that of the name)."""
    plain = _plain(pattern)
    if plain is not None and "\n" not in name:
        begins, text, ends = plain
        if begins:
            return name == text if ends else name.startswith(text)
        return name.endswith(text) if ends else text in name
    found = _compiled(_as_bytes(pattern))
    if isinstance(found, str):
        return None
    name = _as_bytes(name)
    return bool(found(name, frozenset(range(len(name) + 1))))


def _as_bytes(text: str) -> str:
    """A text with a character for each byte of it, as brokers compare them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


_SPECIAL = frozenset("\\^$.[]|()?*+{}\n")


@lru_cache(maxsize=4_096)
def _plain(pattern: str) -> tuple[bool, str, bool] | None:
    """(begins there, text, ends there) of a pattern without operators, which most are; a ``.*`` at
    an open end says nothing."""
    text = pattern.removeprefix("^")
    begins = len(text) < len(pattern)
    for end in (".*", ".*$"):
        if begins and text.endswith(end) and "\n" not in text:
            text = text.removesuffix(end)
            if not _SPECIAL.intersection(text):
                return (True, text, False)
            return None
    ends = text.endswith("$")
    text = text.removesuffix("$")
    if _SPECIAL.intersection(text) or ends:
        return None
    return (begins, text, ends)


class _Reader:
    """Reads one pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.text, self.at, self.depth = pattern, 0, 0
        self.flags = _Flags()

    def read(self) -> Step:
        found = self._alternatives()
        if self.at < len(self.text):
            raise NotUnderstood(f"an unopened ) at character {self.at + 1}")
        return found

    @property
    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, text: str) -> bool:
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def _alternatives(self) -> Step:
        flags = self.flags
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotUnderstood("groups that are nested too deeply")
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        self.depth -= 1
        self.flags = flags
        return parts[0] if len(parts) == 1 else _either(parts)

    def _sequence(self) -> Step:
        parts: list[Step] = []
        while self._next and self._next not in "|)":
            if self.flags.extended and (self._next.isspace() or self._next == "#"):
                self._pass_comment()
                continue
            part = self._atom()
            if part is not None:
                parts.append(self._repeated(part))
        return _in_turn(parts)

    def _pass_comment(self) -> None:
        if self._next == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        self.at += 1

    def _repeated(self, part: Step) -> Step:
        counts = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        while True:
            found = counts.get(self._next)
            if found is not None:
                self.at += 1
            else:
                found = self._braces()
                if found is None:
                    return part
            if self._take("+"):
                raise NotUnderstood("a possessive quantifier")
            self._take("?")  # a lazy one matches the same names
            part = _times(part, *found)

    def _braces(self) -> tuple[int, int | None] | None:
        """The counts of ``{n}``, ``{n,}`` and ``{n,m}``; None of a brace that is only itself."""
        end = self.text.find("}", self.at)
        if self._next != "{" or end < 0:
            return None
        first, comma, last = self.text[self.at + 1 : end].partition(",")
        low, high = digits(first, most=5), digits(last, most=5)
        if low is None or (last and high is None):
            return None
        self.at = end + 1
        most = high if comma else low
        if max(low, most or 0) > MOST_REPEATS or (most is not None and most < low):
            raise NotUnderstood("a quantifier out of range")
        return low, most

    def _atom(self) -> Step | None:
        character = self._next
        self.at += 1
        if character == "(":
            return self._group()
        if character == "[":
            return _one(self._set())
        if character == "\\":
            return self._escape()
        if character == ".":
            return _one((lambda _: True) if self.flags.dot_all else (lambda c: c != "\n"))
        if character == "^":
            return _line_begins if self.flags.lines else _begins
        if character == "$":
            return _line_ends if self.flags.lines else _ends
        if character in "*+?":
            raise NotUnderstood(f"nothing to repeat at character {self.at}")
        return _one(self._same(character))

    def _same(self, character: str) -> Test:
        if self.flags.ignore_case:
            return lambda c: c.lower() == character.lower()
        return lambda c: c == character

    def _group(self) -> Step | None:
        begun = self.at
        if not self._take("?"):
            if self._take("*"):
                raise NotUnderstood("a verb")
            return self._closed(self._alternatives(), begun)
        for mark, wrap in _LOOKING.items():
            if self._take(mark):
                return wrap(self._closed(self._alternatives(), begun))
        if self._take(":"):
            return self._closed(self._alternatives(), begun)
        if self._take("#"):
            end = self.text.find(")", self.at)
            self.at = (len(self.text) if end < 0 else end) + 1
            return None
        return self._flagged(begun)

    def _flagged(self, begun: int) -> Step | None:
        """``(?i)`` to the end of the group, or ``(?i:...)``."""
        end = self.at
        while self.text[end : end + 1] in tuple("imsx-"):
            end += 1
        stated, closing = self.text[self.at : end], self.text[end : end + 1]
        if closing not in tuple(":)") or not closing or stated.count("-") > 1:
            raise NotUnderstood(f"a group that begins with (?{self.text[self.at : self.at + 1]}")
        on, _, off = stated.partition("-")
        names = {"i": "ignore_case", "m": "lines", "s": "dot_all", "x": "extended"}
        changed = self.flags._replace(
            **{names[one]: True for one in on}, **{names[one]: False for one in off}
        )
        self.at = end + 1
        before, self.flags = self.flags, changed
        if closing == ")":
            return None
        found = self._closed(self._alternatives(), begun)
        self.flags = before
        return found

    def _closed(self, inside: Step, begun: int) -> Step:
        if not self._take(")"):
            raise NotUnderstood(f"a ( that is not closed, at character {begun}")
        return inside

    def _escape(self) -> Step:
        character = self._next
        self.at += 1
        anchors = {"A": _begins, "z": _very_end, "Z": _ends, "b": _at_word, "B": _not_at_word}
        if character in anchors:
            return anchors[character]
        if character in ("Q", "E"):
            return self._quoted() if character == "Q" else _in_turn([])
        test = self._class(character)
        if test is not None:
            return _one(test)
        return _one(self._same(self._character(character)))

    def _quoted(self) -> Step:
        end = self.text.find("\\E", self.at)
        text = self.text[self.at : end if end >= 0 else None]
        self.at = len(self.text) if end < 0 else end + 2
        return _in_turn([_one(self._same(character)) for character in text])

    @staticmethod
    def _class(character: str) -> Test | None:
        if character.lower() not in _SETS:
            return None
        test: Test = _SETS[character.lower()]
        return test if character.islower() else (lambda c: not test(c))

    def _character(self, character: str) -> str:
        """The character that an escape stands for."""
        if not character:
            raise NotUnderstood("a \\ at the end")
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "x":
            return self._hexadecimal()
        if character.isascii() and character.isalnum():
            raise NotUnderstood(f"\\{character}")
        return character

    def _hexadecimal(self) -> str:
        if self._take("{"):
            end = self.text.find("}", self.at)
            written, self.at = self.text[self.at : max(end, self.at)], end + 1
        else:
            written = self.text[self.at : self.at + 2]
            self.at += 2
        number = based(written, 16)
        if number is None or number > 255:
            raise NotUnderstood("\\x without a number of a byte")
        return chr(number)

    def _set(self) -> Test:
        """The inside of ``[...]``."""
        turned = self._take("^")
        tests: list[Test] = []
        first = True
        while first or self._next != "]":
            if not self._next:
                raise NotUnderstood("a [ that is not closed")
            tests.append(self._member())
            first = False
        self.at += 1
        if turned:
            return lambda c: not any(test(c) for test in tests)
        return lambda c: any(test(c) for test in tests)

    def _member(self) -> Test:
        if self._take("[:"):
            end = self.text.find(":]", self.at)
            name, self.at = self.text[self.at : max(end, self.at)], end + 2
            if end < 0 or name.removeprefix("^") not in _POSIX:
                raise NotUnderstood("a class of characters that is not known")
            test: Test = _POSIX[name.removeprefix("^")]
            return (lambda c: not test(c)) if name.startswith("^") else test
        low = self._single()
        if not isinstance(low, str):
            return low
        if self._next != "-" or self.text[self.at + 1 : self.at + 2] in ("]", ""):
            return self._same(low)
        self.at += 1
        high = self._single()
        if not isinstance(high, str) or high < low:
            raise NotUnderstood("a range of characters that is none")
        if self.flags.ignore_case:
            return lambda c: low <= c.lower() <= high or low <= c.upper() <= high
        return lambda c: low <= c <= high

    def _single(self) -> str | Test:
        character = self._next
        self.at += 1
        if character != "\\":
            return character
        escaped = self._next
        self.at += 1
        if escaped == "b":
            return "\b"
        return self._class(escaped) or self._character(escaped)


def _one(test: Test) -> Step:
    def step(name: str, places: Places) -> Places:
        return frozenset(at + 1 for at in places if at < len(name) and test(name[at]))

    return step


def _in_turn(parts: list[Step]) -> Step:
    def step(name: str, places: Places) -> Places:
        for part in parts:
            if not places:
                break
            places = part(name, places)
        return places

    return step


def _either(parts: list[Step]) -> Step:
    def step(name: str, places: Places) -> Places:
        return frozenset().union(*(part(name, places) for part in parts))

    return step


def _times(part: Step, low: int, high: int | None) -> Step:
    def step(name: str, places: Places) -> Places:
        for _ in range(low):
            places = part(name, places)
        found, latest = places, places
        rounds = len(name) + 1 if high is None else high - low
        for _ in range(rounds):
            latest = part(name, latest) - found
            if not latest:
                break
            found |= latest
        return found

    return step


def _where(holds: Callable[[str, int], bool]) -> Step:
    return lambda name, places: frozenset(at for at in places if holds(name, at))


def _ahead(part: Step) -> Step:
    return _where(lambda name, at: bool(part(name, frozenset((at,)))))


def _not_ahead(part: Step) -> Step:
    return _where(lambda name, at: not part(name, frozenset((at,))))


def _behind(part: Step) -> Step:
    return _where(lambda name, at: any(at in part(name, frozenset((one,))) for one in _to(at)))


def _not_behind(part: Step) -> Step:
    return _where(lambda name, at: not any(at in part(name, frozenset((one,))) for one in _to(at)))


def _to(at: int) -> Iterable[int]:
    return range(at + 1)


def _is_word(name: str, at: int) -> bool:
    return 0 <= at < len(name) and _SETS["w"](name[at])


_begins = _where(lambda _, at: at == 0)
_very_end = _where(lambda name, at: at == len(name))
_ends = _where(lambda name, at: at == len(name) or (at == len(name) - 1 and name[at] == "\n"))
_line_begins = _where(lambda name, at: at == 0 or (name[at - 1] == "\n" and at < len(name)))
_line_ends = _where(lambda name, at: at == len(name) or name[at] == "\n")
_at_word = _where(lambda name, at: _is_word(name, at - 1) != _is_word(name, at))
_not_at_word = _where(lambda name, at: _is_word(name, at - 1) == _is_word(name, at))
_LOOKING = {"=": _ahead, "!": _not_ahead, "<=": _behind, "<!": _not_behind}
