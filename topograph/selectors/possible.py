"""What a selector can come to where the values of some properties are not known.

Sound, not complete: every truth that some value gives is among those returned, but ``x = 1 OR NOT
(x = 1)`` with ``x`` not known may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import product

from topograph.message import Properties
from topograph.outcomes import Truth
from topograph.selectors.expressions import And, Expression, IsNull, Not, Or, Property
from topograph.selectors.values import negate

_ANY = frozenset(Truth)
_NEVER_UNKNOWN = frozenset({Truth.TRUE, Truth.FALSE})

Truths = frozenset[Truth]


def possible_truths(
    node: Expression, properties: Properties, open_names: Collection[str]
) -> Truths:
    """The truths that a condition can have if each of ``open_names`` is absent or has any value.
    Linear in the expression.
    """
    if isinstance(node, Not):
        return frozenset(
            negate(truth) for truth in possible_truths(node.operand, properties, open_names)
        )
    if isinstance(node, (And, Or)):
        combined = _either if isinstance(node, Or) else _both
        found = possible_truths(node.operands[0], properties, open_names)
        for operand in node.operands[1:]:
            found = _all(combined, found, possible_truths(operand, properties, open_names))
        return found
    if not _names_one(node, open_names):
        return frozenset({node.truth(properties)})
    return _NEVER_UNKNOWN if isinstance(node, IsNull) else _ANY


def _names_one(node: Expression, names: Collection[str]) -> bool:
    if isinstance(node, Property):
        return node.name in names
    return any(_names_one(part, names) for part in node.parts)


def _all(combined: Callable[[Truth, Truth], Truth], left: Truths, right: Truths) -> Truths:
    return frozenset(combined(*pair) for pair in product(left, right))


def _both(left: Truth, right: Truth) -> Truth:
    return negate(_either(negate(left), negate(right)))


def _either(left: Truth, right: Truth) -> Truth:
    if Truth.TRUE in (left, right):
        return Truth.TRUE
    return Truth.UNKNOWN if Truth.UNKNOWN in (left, right) else Truth.FALSE
