"""Text of unknown origin, made fit for a terminal.

Names come out of configuration files that anyone may have written, so no character that a terminal would act on (escape
sequences, direction overrides, line breaks) reaches it: it is shown as ``\\x1b``. Needs nothing but the standard library.
"""

from __future__ import annotations

import unicodedata

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def clean(text: str) -> str:
    """``text`` with control characters, direction overrides and undecodable bytes made visible.

    >>> print(clean("a\\x1b[31m\\nb"))
    a\\x1b[31m\\nb
    """
    if text.isprintable():  # no control character, surrogate, direction override or line separator is
        return text
    return "".join(map(_visible, text))


def in_xml(text: str) -> str:
    """``clean`` text in characters that XML 1.0 has.

    >>> in_xml("a\\ufffeb")
    'a\ufffdb'
    """
    return "".join(
        "\ufffd" if unicodedata.category(c) == "Cn" and ord(c) & 0xFFFE == 0xFFFE else c for c in clean(text)
    )


def _visible(character: str) -> str:
    if character in _DIRECTION or unicodedata.category(character) in ("Cc", "Cs"):
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
