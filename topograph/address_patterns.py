"""How the router stores a prefix or pattern: tokens, and which entries are duplicates (rules A-1 to A-5)."""

from __future__ import annotations

import re

_SEPARATORS = "./"
_SPLIT = re.compile("[./]")


def trimmed(text: str) -> str:
    """A configured prefix or pattern without leading and trailing separators (A-4).

    >>> trimmed("/lead/x/"), trimmed("lr."), trimmed("./")
    ('lead/x', 'lr', '')
    """
    return text.strip(_SEPARATORS)


def stored_tokens(text: str, *, is_prefix: bool) -> tuple[str, ...]:
    """The tokens of the stored pattern (A-1 to A-5); empty if nothing is left, which is invalid (A-4).

    A prefix is the pattern ``prefix/#`` (A-3). In every run of wildcards the ``*`` come first and the ``#`` become one (A-5).

    >>> stored_tokens("#.*.#.*.#.#.*", is_prefix=False), stored_tokens("orders/", is_prefix=True)
    (('*', '*', '*', '#'), ('orders', '#'))
    """
    text = trimmed(text)
    if not text:
        return ()
    tokens = _SPLIT.split(text) + (["#"] if is_prefix else [])
    stored: list[str] = []
    position = 0
    while position < len(tokens):
        end = position
        while end < len(tokens) and tokens[end] in ("*", "#"):
            end += 1
        run = tokens[position:end]
        stored += ["*"] * run.count("*") + ["#"] * ("#" in run)
        if end < len(tokens):
            stored.append(tokens[end])
            end += 1
        position = end
    return tuple(stored)
