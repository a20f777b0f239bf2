"""Erlang terms in text: atoms, numbers, strings, binaries, lists, tuples and maps, each with its
place, as ``file:consult`` of Erlang takes them. Nothing of a program: no variables, no functions,
no strings in several pieces, no sizes within binaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from topograph.digits import based, digits, double

MAX_DEPTH = 64
"""Nesting that is followed; a static shovel needs nine."""

MAX_NUMBER = 10**15
"""Greater whole numbers count as this one."""

_TOKEN = re.compile(
    r"""
    (?P<blank>(?:[\s\u00a0]++|%[^\n\r]*+)++)
    |(?P<atom>[a-z\u00df-\u00f6\u00f8-\u00ff][\w@]*+|'(?:[^'\\]++|\\.)*+')
    |(?P<text>"(?:[^"\\]++|\\.)*+")
    |(?P<number>-?\d(?:[\d_]*+)(?:\#[0-9A-Za-z]++|\.\d++(?:[eE][-+]?\d++)?)?)
    |(?P<character>\$(?:\\.|[^\\]))
    |(?P<mark><<|>>|\#\{|=>|[][{},/.])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(x\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|\^.|.)", re.DOTALL)
_MEANS = {
    "n": "\n", "t": "\t", "r": "\r", "s": " ", "b": "\b", "d": "\x7f", "e": "\x1b", "f": "\f",
    "v": "\v",
}  # fmt: skip
_CLOSING = {"[": "]", "{": "}", "#{": "}", "<<": ">>"}
_KINDS = {"[": "list", "{": "tuple", "#{": "map", "<<": "binary"}


class NotTerms(Exception):
    """Where a text ends to be Erlang terms, and why."""

    def __init__(self, why: str, offset: int) -> None:
        super().__init__(why)
        self.offset = offset


class Term(NamedTuple):
    """One term. ``kind`` is ``atom``, ``number``, ``text`` (a string), ``binary``, ``list``,
    ``tuple`` or ``map``; the value of the last three is a tuple of terms, of a map keys and values
    in turn."""

    kind: str
    value: object
    offset: int

    @property
    def parts(self) -> tuple[Term, ...]:
        """The terms within; none of what has none."""
        return self.value if isinstance(self.value, tuple) else ()


class _Open:
    """A list, tuple, map or binary that is not closed yet."""

    __slots__ = ("mark", "offset", "parts", "wants")

    def __init__(self, mark: str, offset: int) -> None:
        self.mark, self.offset = mark, offset
        self.parts: list[Term] = []
        self.wants = "term or end"


def terms(text: str) -> Iterator[Term]:
    """The terms of a file, each up to its full stop. Raises NotTerms where a text is none; what
    comes before is yielded. Linear.

    >>> [one.kind for one in terms('[{a, "b"}]. % the end')]
    ['list']
    """
    open_: list[_Open] = []
    ready: Term | None = None
    for name, word, at in _tokens(text):
        if name == "mark" and word == "." and not open_:
            if ready is None:
                raise NotTerms("a full stop without a term", at)
            yield ready
            ready = None
        elif ready is not None:
            raise NotTerms("a full stop is missing", at)
        elif name == "mark" and word in _KINDS:
            if len(open_) >= MAX_DEPTH:
                raise NotTerms(f"terms are nested more than {MAX_DEPTH} deep", at)
            _expect(open_, at)
            open_.append(_Open(word, at))
        elif name == "mark":
            closed = _mark(open_, word, at)
            if closed is not None:
                ready = _add(open_, closed)
        else:
            ready = _value(open_, name, word, at)
    if open_:
        raise NotTerms(f"{open_[-1].mark} is not closed", open_[-1].offset)
    if ready is not None:
        raise NotTerms("the full stop at the end is missing", ready.offset)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotTerms("this is not an Erlang term", at)
        name = found.lastgroup or ""
        if name != "blank":
            yield name, found[0], at
        at = found.end()


def _expect(open_: list[_Open], at: int) -> None:
    """That a term may begin here. Raises NotTerms."""
    if open_ and not open_[-1].wants.startswith("term"):
        raise NotTerms("expected , or the end of what is open", at)


def _value(open_: list[_Open], name: str, word: str, at: int) -> Term | None:
    """A term of one word, added to what is open; returned where nothing is. Raises NotTerms."""
    _expect(open_, at)
    return _add(open_, Term(*_read(name, word), at))


def _read(name: str, word: str) -> tuple[str, object]:
    if name == "atom":
        return "atom", _unquoted(word) if word.startswith("'") else word
    if name == "text":
        return "text", _unquoted(word)
    if name == "character":
        return "number", ord(_ESCAPE.sub(_meaning, word[1:])[:1] or " ")
    return "number", _number(word)


def _number(word: str) -> int | float:
    sign, plain = (-1, word[1:]) if word.startswith("-") else (1, word)
    plain = plain.replace("_", "")
    if "#" in plain:
        base, _, written = plain.partition("#")
        radix = digits(base, 0)
        found = based(written, radix) if 2 <= radix <= 36 else None
        return sign * min(MAX_NUMBER if found is None else found, MAX_NUMBER)
    if "." in plain:
        read = double(plain)
        return sign * (MAX_NUMBER if read is None else read)
    return sign * digits(plain, MAX_NUMBER)


def _add(open_: list[_Open], term: Term) -> Term | None:
    if not open_:
        return term
    open_[-1].parts.append(term)
    open_[-1].wants = "comma or end"
    return None


def _mark(open_: list[_Open], word: str, at: int) -> Term | None:
    """What a mark does: the term that it closes; None where it closes none. Raises NotTerms."""
    if not open_:
        raise NotTerms("this is not an Erlang term", at)
    own = open_[-1]
    if word == _CLOSING[own.mark] and own.wants != "term":
        open_.pop()
        return Term(_KINDS[own.mark], _content(own), own.offset)
    separating = {"#{": (",", "=>"), "<<": (",", "/")}.get(own.mark, (",",))
    if word in separating and own.wants == "comma or end":
        own.wants = "term"
        return None
    raise NotTerms(f"{word} is not expected here", at)


def _content(own: _Open) -> object:
    """The value of what is closed: of a binary its text, without the types of its parts."""
    if own.mark != "<<":
        return tuple(own.parts)
    pieces = []
    for one in own.parts:
        if isinstance(one.value, int):
            pieces.append(chr(one.value % 256))
        elif one.kind == "text":
            pieces.append(str(one.value))
    return "".join(pieces)


def _unquoted(word: str) -> str:
    return _ESCAPE.sub(_meaning, word[1:-1])


def _meaning(found: re.Match[str]) -> str:
    said = found[1]
    if said[0] == "x":
        number = based(said[1:].strip("{}"), 16) if len(said) > 1 else ord("x")
    elif said[0] in "01234567":
        number = based(said, 8)
    elif said[0] == "^":
        number = ord(said[1]) % 32
    else:
        return _MEANS.get(said, said)
    if number is None or number >= 0x110000 or 0xD800 <= number < 0xE000:
        return "\ufffd"
    return chr(number)
