"""Values of selectors: NULL, booleans, strings, exact and approximate numbers, and the three-valued
logic over them.

NULL is ``None``. An exact number is a Python ``int`` in the range of a Java ``long``, an
approximate one a ``float``; both follow the arithmetic of Java (Jakarta Messaging 3.8.1.2 refers to
it). Where that specification is silent, these are the positions taken:

* every exact number is a ``long``: sums, differences and products wrap at 64 bits;
* exact division truncates toward zero; by zero it has no value (Java throws), so it is NULL and
  what is built on it UNKNOWN;
* approximate arithmetic is IEEE 754: division by zero gives an infinity or NaN, and NaN equals
  nothing, itself included;
* an exact number beside an approximate one is converted to double first, in arithmetic and in
  comparisons;
* arithmetic on a string or a boolean has no value (NULL);
* an ordering (``<``, ``BETWEEN``) of two strings or two booleans, or of unlike types, is FALSE,
  like ``=`` and ``<>`` of unlike types (A21).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from topograph.message import Value
from topograph.outcomes import Truth

LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1

Number = int | float

_NEGATIONS = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNKNOWN: Truth.UNKNOWN}

_ORDERINGS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def negate(truth: Truth) -> Truth:
    """NOT: UNKNOWN stays UNKNOWN."""
    return _NEGATIONS[truth]


def truth_of(value: Value | None) -> Truth:
    """A value that stands as a condition: NULL is UNKNOWN, anything but ``True`` is FALSE
    (unlike types, A21).
    """
    if value is None:
        return Truth.UNKNOWN
    return Truth.TRUE if value is True else Truth.FALSE


def is_number(value: Value) -> bool:
    """Whether the value is an exact or approximate number; booleans are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def compare(symbol: str, left: Value | None, right: Value | None) -> Truth:
    """``left symbol right`` for ``= <> < <= > >=``. NULL on either side is UNKNOWN; unlike types
    are FALSE, ``<>`` included (A21).
    """
    if left is None or right is None:
        return Truth.UNKNOWN
    if is_number(left) and is_number(right):
        if isinstance(left, float) or isinstance(right, float):
            left, right = double(left), double(right)
    elif type(left) is not type(right) or symbol in _ORDERINGS:
        return Truth.FALSE
    if symbol == "=":
        holds = left == right
    elif symbol == "<>":
        holds = left != right
    else:
        holds = _ORDERINGS[symbol](left, right)  # type: ignore[arg-type]
    return Truth.TRUE if holds else Truth.FALSE


def calculate(symbol: str, left: Value | None, right: Value | None) -> Number | None:
    """``left symbol right`` for ``+ - * /``; None where there is no value."""
    if left is None or right is None or not is_number(left) or not is_number(right):
        return None
    if isinstance(left, float) or isinstance(right, float):
        return _approximate(symbol, double(left), double(right))
    assert isinstance(left, int)
    assert isinstance(right, int)
    return _exact(symbol, left, right)


def opposite(value: Value | None) -> Number | None:
    """``-value``; None where there is no value."""
    if isinstance(value, float):
        return -value
    return _wrapped(-value) if isinstance(value, int) and is_number(value) else None


def number_or_null(value: Value | None) -> Number | None:
    """``+value``: the number itself; None where there is none."""
    return value if value is not None and is_number(value) else None  # type: ignore[return-value]


def _wrapped(value: int) -> int:
    """The low 64 bits in two's complement, as a Java ``long`` keeps them."""
    return (value - LONG_MIN) % 2**64 + LONG_MIN


def _exact(symbol: str, left: int, right: int) -> int | None:
    if symbol == "+":
        return _wrapped(left + right)
    if symbol == "-":
        return _wrapped(left - right)
    if symbol == "*":
        return _wrapped(left * right)
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    return _wrapped(quotient if (left < 0) == (right < 0) else -quotient)


def _approximate(symbol: str, left: float, right: float) -> float:
    if symbol == "+":
        return left + right
    if symbol == "-":
        return left - right
    if symbol == "*":
        return left * right
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.inf * math.copysign(1, left) * math.copysign(1, right)


def double(value: Value) -> float:
    """The nearest double. A property outside 64 bits is no JMS value; it must still not stop an
    evaluation.
    """
    assert not isinstance(value, str)
    try:
        return float(value)
    except OverflowError:
        return math.inf if isinstance(value, int) and value > 0 else -math.inf
