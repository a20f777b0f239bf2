"""Selectors of the plainest form, read without the grammar: names compared with a number or a text,
joined by AND and OR, without brackets. Most are of this form, and loading the grammar takes longer
than to read them all.
"""

from __future__ import annotations

import re

from topograph.digits import digits
from topograph.selectors.expressions import (
    And,
    Comparison,
    Expression,
    Literal,
    Or,
    Property,
)

KEYWORDS = frozenset(
    {"AND", "OR", "NOT", "BETWEEN", "LIKE", "IN", "IS", "NULL", "ESCAPE", "TRUE", "FALSE"}
)

_LONGEST = 4_000
_BLANK = r"[ \t\f\r\n]"
_END = rf"(?={_BLANK}|\Z)"
_COMPARISON = re.compile(
    rf"{_BLANK}*+([A-Za-z_$][A-Za-z0-9_$]*+){_BLANK}*+(<>|<=|>=|=|<|>){_BLANK}*+"
    rf"(?:'([^']*+)'{_END}|(0|[1-9][0-9]{{0,17}}+){_END})"
)
_JOINED = re.compile(rf"{_BLANK}++(AND|OR){_END}", re.IGNORECASE)


def plain_expression(text: str) -> Expression | None:
    """The expression of a selector of the plainest form; None for any other text, which may be one
    all the same. Never raises; linear.

    >>> plain_expression("a = 'x'"), plain_expression("NOT a = 'x'")
    (Comparison(symbol='=', left=Property(name='a'), right=Literal(constant='x')), None)
    """
    if len(text) > _LONGEST:
        return None
    alternatives: list[Expression] = []
    conditions: list[Expression] = []
    at = 0
    while True:
        found = _COMPARISON.match(text, at)
        condition = _comparison(*found.groups()) if found else None
        if found is None or condition is None:
            return None
        conditions.append(condition)
        joined = _JOINED.match(text, found.end())
        if joined is None:
            break
        if joined[1].upper() == "OR":
            alternatives.append(_all(conditions))
            conditions = []
        at = joined.end()
    if text[found.end() :].strip(" \t\f\r\n"):
        return None
    alternatives.append(_all(conditions))
    return alternatives[0] if len(alternatives) == 1 else Or(tuple(alternatives))


def _comparison(
    name: str, symbol: str, written: str | None, number: str | None
) -> Comparison | None:
    """One comparison; None where there may be something to say about it."""
    if name.upper() in KEYWORDS or name.startswith("JMS"):
        return None
    value = written if number is None else digits(number)
    if value is None or (number is None and symbol not in ("=", "<>")):
        return None
    return Comparison(symbol, Property(name), Literal(value))


def _all(conditions: list[Expression]) -> Expression:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))
