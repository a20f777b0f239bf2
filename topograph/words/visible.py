"""Text of unknown origin, made fit for a terminal.

Names come out of configuration files that anyone may have written, so no character that a terminal
would act on (escape sequences, direction overrides, line breaks) reaches it: it is shown as
``\\x1b``. Needs nothing but the standard library.
"""

from __future__ import annotations

import unicodedata

_DIRECTION = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
)

_PUNCTUATION = ",.:;!?()[]{}<>'\"/"
_START, _END = "\u2068", "\u2069"


def clean(text: str) -> str:
    """``text`` with control characters, direction overrides and undecodable bytes made visible.

    >>> print(clean("a\\x1b[31m\\nb"))
    a\\x1b[31m\\nb
    """
    if (
        text.isprintable()
    ):  # no control character, surrogate, direction override or line separator is
        return text
    return "".join(map(_visible, text))


def readable(text: str) -> str:
    """``clean`` text in which whatever runs from right to left stands apart (U+2068 .. U+2069), so
    that it moves neither the numbers nor the punctuation beside it. Words that follow each other
    with a space only stay together.

    >>> readable("to \u05d0\u05d1 \u05d2, 3 hops") == "to \u2068\u05d0\u05d1 \u05d2\u2069, 3 hops"
    True
    """
    shown = clean(text)
    if shown.isascii() or not any(map(_from_right, shown)):
        return shown
    found: list[str] = []
    apart = False
    for number, word in enumerate(shown.split(" ")):
        core = word.strip(_PUNCTUATION)
        turned = any(map(_from_right, core))
        before, _, after = word.partition(core) if turned else ("", "", "")
        follows = apart and turned and not before
        if apart and not follows:
            found.append(_END)
        if number:
            found.append(" ")
        if turned:
            found += [core] if follows else [before, _START, core]
            found += [_END, after] if after else []
        else:
            found.append(word)
        apart = turned and not after
    return "".join(found) + (_END if apart else "")


def _from_right(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("R", "AL", "AN")


def shortened(text: str, most: int) -> str:
    """``text`` in at most so many characters, without its middle where it has more: names differ at
    either end.

    >>> shortened("ABCDEFGHIJ", 5)
    'AB…IJ'
    """
    if len(text) <= most:
        return text
    behind = (most - 1) // 2
    return f"{text[: most - 1 - behind]}…{text[len(text) - behind :]}"


def in_xml(text: str) -> str:
    """``clean`` text in characters that XML 1.0 has.

    >>> in_xml("a\\ufffeb")
    'a\ufffdb'
    """
    return "".join(
        "\ufffd" if unicodedata.category(c) == "Cn" and ord(c) & 0xFFFE == 0xFFFE else c
        for c in clean(text)
    )


def _visible(character: str) -> str:
    if character in _DIRECTION or unicodedata.category(character) in ("Cc", "Cs"):
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
