"""What the readers of text configuration files share: decoding, lines, quote hazards, and excerpts
without secrets.

Pure functions on bytes and text; nothing here raises on any input. Columns and line numbers count
from 1.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache, partial
from itertools import count, repeat
from typing import NamedTuple

from topograph.credentials import (
    OBFUSCATED,
    SENSITIVE_NAME,
    SET,
    without_arguments,
    without_user_info,
)
from topograph.records import record

MAX_LINE = 256_000
"""Characters a line may have (ems.md 3.1); a longer one is not read."""

BLANK = " \t\f\v"
"""What separates words. U+00A0 is not among them: it is a hazard, see ``HAZARDS``."""

HAZARDS = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u00a0": " ",
    "\u2013": "-",
    "\u2014": "-",
}
"""Typographic characters that word processors and manuals put where ASCII is meant (ems.md 3.1),
with that ASCII.
"""

_HAZARD = re.compile("[" + "".join(HAZARDS) + "]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
LINE_END = re.compile(r"\r\n|\n|\r")
"""What ends a line."""
_PIECE = 2**20
"""Characters that are split into lines at a time: all lines of a large text together take
several times its size.
"""

_EXCERPT = 160

_WORD_BEFORE_TEXT = re.compile(
    r"(?<![\w.$-])([\w.$-]++)[\"'\u2018-\u201d]?+(?:\s*+[=:]\s*+|\s++(?![=:]))(?=\S)", re.IGNORECASE
)
_WORD_BEFORE_VALUE = re.compile(r"(?<![\w.$-])([\w.$-]++)[ \t]*+[=:][ \t]*+(?=\S)", re.IGNORECASE)
"""A name and what separates it from its value. The look behind begins each word once: a search
stays linear.
"""
_CONNECT = re.compile(r"(\bconnect[ \t]++\S++[ \t]++)\S.*", re.IGNORECASE | re.DOTALL)
_KEY_OF_VALUE = re.compile(
    r"(?<![\w.$-])([\w.$-]++)[\"'\u2018-\u201d]?+[ \t]*+(?:=|:(?=[ \t\"']))[ \t]*+(?=\S)"
)
"""A key and what separates it from its value; ``tcp://`` is none."""
_VALUE_END = re.compile(r"[\s,]|\Z")
_NUMBER = re.compile(r"[+-]?\d[\d.]*+(?:[KMGTkmgt]?[Bb]|[A-Za-z]?sec|min|hour|day)?\Z")
TRUTH_VALUES = frozenset(
    {"true", "false", "yes", "no", "on", "off", "enable", "enabled", "disable", "disabled", "none"}
)
"""Words for a truth value in lower case, in the files of any system."""


@record
class Decoded:
    """The text of a file. ``encoding`` is ``utf-8``, ``utf-16``, ``cp1252`` or ``latin-1``; for
    the last two ``line`` and ``column`` are the place of the first byte that is not UTF-8, else
    0."""

    text: str
    encoding: str = "utf-8"
    line: int = 0
    column: int = 0

    @property
    def guessed(self) -> bool:
        """Whether the encoding is a fallback, so that characters beyond ASCII may be wrong."""
        return self.encoding in ("cp1252", "latin-1")


class Line(NamedTuple):
    """A line of a file without its line end. ``number`` counts from 1; ``last`` says that no
    line end follows it.
    """

    number: int
    text: str
    last: bool = False


_LINE = partial(tuple.__new__, Line)
"""A line of its three fields, made without a call of Python's own."""


def decode(data: bytes) -> Decoded | None:
    """The text of ``data``, or None if it is binary: it holds a NUL, or is not UTF-8 and holds
    control characters.

    A byte order mark is dropped. What is not UTF-8 is read as CP1252, or as Latin-1 where a byte
    has no meaning in CP1252.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError:
            return None
        return None if "\0" in text else Decoded(text, "utf-16")
    if b"\0" in data:
        return None
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if _CONTROL.search(data):
            return None
        before = data[: error.start].decode("utf-8")
    *_, last = lines(before) if before else (Line(1, ""),)
    try:
        text, encoding = data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    at_line_start = before.endswith(("\n", "\r"))
    line, column = (last.number + 1, 1) if at_line_start else (last.number, len(last.text) + 1)
    return Decoded(text, encoding, line, column)


def lines(text: str) -> Iterator[Line]:
    """The lines of a text; ``\\r\\n``, ``\\n`` and a lone ``\\r`` end a line, nothing else does
    (``str.splitlines`` also splits at form feeds and U+2028, which would shift the numbers that
    editors show)."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, number = 0, 1
    end_of_all = text.rfind("\n") + 1
    while start < end_of_all:
        end = text.find("\n", min(start + _PIECE, end_of_all - 1))
        piece = text[start:end].split("\n")
        yield from map(_LINE, zip(count(number), piece, repeat(False), strict=False))
        start, number = end + 1, number + len(piece)
    if start < len(text):
        yield Line(number, text[start:], last=True)


def contents(text: str) -> Iterator[str]:
    """The lines of a text that are neither blank nor comments. Linear."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for line in text.split("\n"):
        shown = line.strip(BLANK + "\u00a0")
        if shown and shown[0] not in "#;":
            yield line


def is_blank(text: str) -> bool:
    """Whether a line holds nothing but blanks (U+00A0 included: a line of them says nothing)."""
    return not text.strip(BLANK + "\u00a0")


def is_comment(text: str, marks: str = "#;") -> bool:
    """Whether a line's first visible character is one of ``marks``."""
    return text.lstrip(BLANK + "\u00a0")[:1] in tuple(marks)


def is_quoted(text: str) -> bool:
    """Whether a text stands in double quotes.

    >>> [is_quoted(one) for one in ('"a b"', '""', '"', '"a', 'a"', "a")]
    [True, True, False, False, False, False]
    """
    return len(text) > 1 and text[0] == text[-1] == '"'


def hazards(text: str, quotes: str = "") -> tuple[int, ...]:
    """Offsets of the characters of ``HAZARDS`` in ``text``, except inside literals correctly quoted
    with one of the ASCII ``quotes``. Where those quotes do not pair up, none is correct and every
    hazard counts. Linear.

    >>> hazards("country=\u2019Canada\u2019", "'"), hazards("name='it\u2019s'", "'")
    ((8, 15), ())
    """
    if not _HAZARD.search(text):
        return ()
    found: list[int] = []
    quote = ""
    for offset, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in HAZARDS:
            found.append(offset)
        elif character in quotes:
            quote = character
    if quote:
        return tuple(match.start() for match in _HAZARD.finditer(text))
    return tuple(found)


def to_ascii(text: str, offsets: tuple[int, ...]) -> str:
    """``text`` with the hazards at ``offsets`` replaced by the ASCII that was meant."""
    if not offsets:
        return text
    characters = list(text)
    for offset in offsets:
        characters[offset] = HAZARDS[characters[offset]]
    return "".join(characters)


@lru_cache(maxsize=4096)  # a large file has the same few names many times
def is_secret(name: str) -> bool:
    """Whether a parameter of this name holds a secret: passwords, keys, tokens, credentials. Errs
    on the safe side.

    >>> is_secret("ssl_password"), is_secret("ssl_server_key"), is_secret("zone_name")
    (True, True, False)
    """
    return SENSITIVE_NAME.search(name) is not None


def is_harmless(value: str) -> bool:
    """Whether a value cannot be a secret worth the name: a number, a size, a duration or a truth
    value.

    >>> [is_harmless(value) for value in ("7222", "10MB", "enabled", "tiger", "7x")]
    [True, True, True, False, False]
    """
    return not value or value.lower() in TRUTH_VALUES or _NUMBER.match(value) is not None


def kept_unknown(name: str, value: str) -> str:
    """The value of a parameter that nobody knows as it may be kept: itself if it is harmless,
    else ``"(set)"``.
    """
    return SET if is_secret(name) or not is_harmless(value) else value


def before_unknown(text: str, known: Container[str]) -> str | None:
    """``text`` up to the first value of a key that is not ``known`` (in lower case) and not
    harmless; None if there is none. A value in double quotes of a known key is passed over whole.
    Linear.

    >>> before_unknown('url=tcp://a:1 selector="c=1" zome=tiger', {"url", "selector"})
    'url=tcp://a:1 selector="c=1" zome='
    """
    at = 0
    while (found := _KEY_OF_VALUE.search(text, at)) is not None:
        at = found.end()
        if found[1].lower() in known:
            close = text.find('"', at + 1) if text[at] == '"' else at
            at = len(text) if close < 0 else close + (text[at] == '"')
        else:
            end = _VALUE_END.search(text, at)
            if not is_harmless(text[at : end.start()] if end else text[at:]):
                return text[:at]
    return None


def shown_word(text: str, offset: int, word: str, known: Container[str] | None = None) -> str:
    """``word``, which stands at ``offset`` of the line ``text``, for a message; ``"(set)"``
    after the name of a secret, after a key that is not ``known``, because it may then be the rest
    of a value with blanks, and where it is what an option of a command line is given."""
    before = text[:offset]
    hidden = SENSITIVE_NAME.search(before) or (
        known is not None and before_unknown(f"{before}x", known) is not None
    )
    hidden = hidden or not without_arguments(before + word).endswith(word)
    return SET if hidden else excerpt(word)


def before_secret(text: str, sensitive: re.Pattern[str] = SENSITIVE_NAME) -> str | None:
    """``text`` up to the value of the first name in it that is ``sensitive`` (``name=value``,
    ``name: value``); None if there is none. Linear.

    >>> before_secret("blue, apiKey: tiger")
    'blue, apiKey: '
    """
    return _before_secret(_WORD_BEFORE_VALUE, text, sensitive)


def _before_secret(words: re.Pattern[str], text: str, sensitive: re.Pattern[str]) -> str | None:
    return next(
        (text[: found.end()] for found in words.finditer(text) if sensitive.search(found[1])), None
    )


def kept(name: str, value: str) -> str:
    """The value of parameter ``name`` as it may be kept: ``"(set)"`` for a secret, else without
    credentials in URLs and in options.

    >>> (kept("url", "tcp://u:p/w@a:1,tcp://b:2"),
    ...  kept("jre_option", "-Dx.trustStorePassword=tiger -Da=b"))
    ('tcp://(set)@a:1,tcp://b:2', '-Dx.trustStorePassword=(set)')
    """
    if is_secret(name) or "$man" in value:
        return SET
    if "=" in value or ":" in value:
        before = before_secret(value)
        value = value if before is None else before + SET
    return without_arguments(without_user_info(value))


def excerpt(text: str, known: Container[str] | None = None) -> str:
    """The text of a line for a finding: no secrets, at most 160 characters.

    Whatever follows the name of a secret, or a key that is not ``known`` (if those are said), is
    dropped to the end of the line, because a password may hold any character.

    >>> excerpt("  url=ssl://b:7243 ssl_password=a b zone_name=Z")
    'url=ssl://b:7243 ssl_password=(set)'
    """
    shown = text[: 4 * _EXCERPT].strip(BLANK)
    before = _before_secret(_WORD_BEFORE_TEXT, shown, SENSITIVE_NAME)
    shown = shown if before is None else before + SET
    unknown = before_unknown(shown, known) if known is not None else None
    shown = shown if unknown is None else unknown + SET
    shown = _CONNECT.sub(rf"\1{SET}", shown)
    shown = OBFUSCATED.sub(SET, shown)
    shown = without_arguments(without_user_info(shown))
    return shown if len(shown) <= _EXCERPT else shown[: _EXCERPT - 1] + "\u2026"
