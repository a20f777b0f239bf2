"""Many selectors asked about one message at once.

Selectors of one shape (the same AND, OR and NOT over conditions) are evaluated together, and
comparisons of a property with numbers as arrays: thousands of selectors that differ in their
constants alone take a few operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topograph.message import Properties, Value
from topograph.outcomes import Truth
from topograph.selectors.expressions import (
    And,
    Comparison,
    Expression,
    Literal,
    Not,
    Or,
    Property,
    conditions,
)
from topograph.selectors.selector import Selector
from topograph.selectors.values import LONG_MAX, LONG_MIN, compare, double

Truths = NDArray[np.int8]
"""Truths as numbers: the places in ``BY_NUMBER``, so that AND is the least, OR the greatest."""

BY_NUMBER = (Truth.FALSE, Truth.UNKNOWN, Truth.TRUE)
_FALSE, _UNKNOWN, _TRUE = range(3)
_NUMBER = {truth: number for number, truth in enumerate(BY_NUMBER)}

_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

FEWEST = 8
"""Selectors of one shape from which on they are evaluated together."""


class _Against(NamedTuple):
    """Comparisons of one property with numbers by one symbol; ``exact`` numbers are integers."""

    name: str
    symbol: str
    exact: bool


class SelectorBank:
    """Some selectors, in order. Linear in their texts."""

    def __init__(self, selectors: Sequence[Selector]) -> None:
        self._count = len(selectors)
        self._numbers: dict[_Against, list[int | float]] = {}
        self._others: dict[str, tuple[int, Expression]] = {}
        shapes: dict[str, list[int]] = {}
        for place, one in enumerate(selectors):
            shapes.setdefault(_shape(one.expression), []).append(place)
        alike = [own for own in shapes.values() if len(own) >= FEWEST]
        self._apart = [
            (place, selectors[place].expression)
            for own in shapes.values()
            if len(own) < FEWEST
            for place in own
        ]
        found = [
            (own, [[*map(self._leaf, conditions(selectors[one].expression))] for one in own])
            for own in alike
        ]
        begins = self._begins()
        self._together = [
            (
                np.array(own),
                np.array([[begins[kind] + at for kind, at in row] for row in rows]),
                selectors[own[0]].expression,
            )
            for own, rows in found
        ]
        self._constants = {
            key: np.array(own, np.int64 if key.exact else np.float64)
            for key, own in self._numbers.items()
        }

    def _leaf(self, condition: Expression) -> tuple[_Against | None, int]:
        """Where the truth of a condition is: its place among those of its kind; None is the kind of
        all that are no comparison with a number."""
        against = _against(condition)
        if against is not None:
            own = self._numbers.setdefault(against[0], [])
            own.append(against[1])
            return against[0], len(own) - 1
        # A text tells 1, 1.0 and TRUE apart, which are equal as keys.
        return None, self._others.setdefault(repr(condition), (len(self._others), condition))[0]

    def _begins(self) -> dict[_Against | None, int]:
        """Where the truths of each kind begin in the array of all."""
        begins: dict[_Against | None, int] = {}
        at = 0
        for key, own in self._numbers.items():
            begins[key] = at
            at += len(own)
        begins[None] = at
        return begins

    def truths(self, properties: Properties) -> Truths:
        """What each selector says of a message with exactly these properties and header fields.
        Linear in the selectors."""
        leaves = np.concatenate(
            (
                *(
                    _compared(key, own, properties.get(key.name))
                    for key, own in self._constants.items()
                ),
                np.array(
                    [_NUMBER[one.truth(properties)] for _, one in self._others.values()], np.int8
                ),
            )
        )
        found = np.empty(self._count, np.int8)
        for places, own, expression in self._together:
            found[places] = _joined(expression, iter(leaves[own].T))
        for place, expression in self._apart:
            found[place] = _NUMBER[expression.truth(properties)]
        return found


def _shape(node: Expression) -> str:
    """How AND, OR and NOT join the conditions of an expression."""
    if isinstance(node, (And, Or, Not)):
        return f"{type(node).__name__}({','.join(map(_shape, node.parts))})"
    return ""


def _joined(node: Expression, leaves: Iterator[Truths]) -> Truths:
    """The truths of an expression by those of its conditions, in the order of the text."""
    if isinstance(node, Not):
        opposite: Truths = _TRUE - _joined(node.operand, leaves)
        return opposite
    if isinstance(node, (And, Or)):
        parts = [_joined(part, leaves) for part in node.operands]
        join = np.minimum if isinstance(node, And) else np.maximum
        joined: Truths = join.reduce(parts)
        return joined
    return next(leaves)


def _against(condition: Expression) -> tuple[_Against, int | float] | None:
    """The property and the number that a condition compares, if it does."""
    if not isinstance(condition, Comparison):
        return None
    left, right = condition.left, condition.right
    if not (isinstance(left, Property) and isinstance(right, Literal)):
        return None
    number = right.constant
    if isinstance(number, float):
        return _Against(left.name, condition.symbol, exact=False), number
    if isinstance(number, (str, bool)) or not LONG_MIN <= number <= LONG_MAX:
        return None
    return _Against(left.name, condition.symbol, exact=True), number


def _compared(key: _Against, constants: NDArray[Any], value: Value | None) -> Truths:
    """``compare`` of one value with many numbers."""
    if value is None or isinstance(value, (str, bool)):
        return np.full(len(constants), _UNKNOWN if value is None else _FALSE, np.int8)
    if isinstance(value, float) or not key.exact:
        holds = _COMPARED[key.symbol](double(value), constants.astype(np.float64))
    elif LONG_MIN <= value <= LONG_MAX:
        holds = _COMPARED[key.symbol](value, constants)
    else:
        own = constants.tolist()
        return np.array([_NUMBER[compare(key.symbol, value, one)] for one in own], np.int8)
    return np.where(holds, _TRUE, _FALSE).astype(np.int8)
