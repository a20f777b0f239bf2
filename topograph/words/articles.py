"""The article that goes before a name in a text."""

from __future__ import annotations

import re

_SPELLED = re.compile(r"(?:[FLMNRSX][BCDFGJKMNPQRSTVXZ]|H[A-Z]?[BCDFGJKLMNPQRSTVWXZ])[A-Z0-9]*")
"""Words in capitals that are said letter by letter, and whose first letter is said with a vowel."""

_AS_WORDS = re.compile(r"(?:S[CKLMNPQTW]|F[LR])[A-Z]*[AEIOUY][A-Z]*")
"""Those among them that are said as words."""

_VOWEL = re.compile(r"[AEIO]|U(?!NI|SE)", re.IGNORECASE)


def with_article(name: str, *, begins: bool = False) -> str:
    """A name behind ``a`` or ``an``, as it is said; it ``begins`` a sentence.

    >>> [with_article(one) for one in ("SDR channel", "CLUSSDR", "QLOCAL", "AUTHINFO", "user")]
    ['an SDR channel', 'a CLUSSDR', 'a QLOCAL', 'an AUTHINFO', 'a user']
    >>> [with_article(one) for one in ("STGCLASS", "SUB", "RCVR", "SVRCONN", "address", "link")]
    ['a STGCLASS', 'a SUB', 'an RCVR', 'an SVRCONN', 'an address', 'a link']
    """
    first = name.partition(" ")[0]
    spelled = _SPELLED.fullmatch(first) and not _AS_WORDS.fullmatch(first)
    article = "an" if spelled or _VOWEL.match(first) else "a"
    return f"{article.capitalize() if begins else article} {name}"
