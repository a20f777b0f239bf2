"""Whether selectors match the same messages, whatever the properties of these are."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise, product

from topograph.message import Properties, Value
from topograph.outcomes import Truth
from topograph.selectors.expressions import (
    And,
    Between,
    Comparison,
    Expression,
    In,
    IsNull,
    Literal,
    Not,
    Or,
    Property,
    conditions,
    nodes,
)
from topograph.selectors.selector import Selector
from topograph.selectors.values import negate

MOST = 20_000
"""Messages at which selectors are compared; where they need more, nothing is proven."""

_EXACT = 2**53
"""Whole numbers up to here are doubles too."""

_Taken = Mapping[int, Truth]
"""What conditions are taken to be, by their identity."""


def match_alike(one: Collection[Selector], other: Collection[Selector]) -> bool:
    """Whether each message that matches all selectors of one collection matches all of the other,
    and the other way round. True is a proof; False says only that there is none.

    A condition that compares one property with constants says the same of all values of a type
    between two neighbouring constants: one value for each constant and each gap, and none at all,
    stand for all. Any other condition (arithmetic, LIKE, two properties) is taken to be true,
    false or unknown by itself. Linear in the combinations, at most MOST, times the conditions.
    """
    constants: dict[str, dict[tuple[type, Value], None]] = {}
    # By all that stands in them: 2 equals 2.0, and dividing by them does not come to the same.
    free: dict[int, str] = {}
    for selector in (*one, *other):
        for condition in conditions(selector.expression):
            if not _is_plain(condition):
                free[id(condition)] = repr(condition)
                continue
            for node in nodes(condition):
                if isinstance(node, Property):
                    known = constants.setdefault(node.name, {})
                    known |= {(type(value), value): None for value in _constants(condition)}
    choices = [_values([value for _, value in own]) for own in constants.values()]
    texts = list(dict.fromkeys(free.values()))
    if math.prod(map(len, choices)) * len(Truth) ** len(texts) > MOST:
        return False
    for chosen in product(*choices):
        properties = dict(zip(constants, chosen, strict=True))
        for truths in product(Truth, repeat=len(texts)):
            by_text = dict(zip(texts, truths, strict=True))
            taken = {number: by_text[text] for number, text in free.items()}
            if _match(one, properties, taken) != _match(other, properties, taken):
                return False
    return True


def _match(selectors: Iterable[Selector], properties: Properties, taken: _Taken) -> bool:
    return all(_truth(one.expression, properties, taken) is Truth.TRUE for one in selectors)


def _truth(node: Expression, properties: Properties, taken: _Taken) -> Truth:
    if isinstance(node, Not):
        return negate(_truth(node.operand, properties, taken))
    if isinstance(node, (And, Or)):
        truths = [_truth(one, properties, taken) for one in node.operands]
        if node.decides in truths:
            return node.decides
        return Truth.UNKNOWN if Truth.UNKNOWN in truths else negate(node.decides)
    return taken[id(node)] if id(node) in taken else node.truth(properties)


def _is_plain(condition: Expression) -> bool:
    """Whether a condition compares at most one property, with constants."""
    if not isinstance(condition, (Property, Literal, Comparison, Between, In, IsNull)):
        return False
    parts = [one for one in condition.parts if not isinstance(one, Property)]
    named = {one.name for one in condition.parts if isinstance(one, Property)}
    return (
        len(named) <= 1
        and not any(isinstance(node, Property) for part in parts for node in nodes(part))
        and not any(
            isinstance(value, (int, float)) and not abs(value) <= _EXACT
            for value in _constants(condition)
        )
    )


def _constants(condition: Expression) -> Iterator[Value]:
    """What a plain condition compares a property with."""
    if isinstance(condition, In):
        yield from condition.members
    for part in condition.parts:
        if not isinstance(part, Property) and (value := part.value({})) is not None:
            yield value


def _values(constants: Iterable[Value]) -> list[Value | None]:
    """A property's values that stand for all: none, booleans, strings (which have no order),
    numbers at and between the constants, and NaN, which equals nothing."""
    strings = {one for one in constants if isinstance(one, str)}
    numbers = sorted({one for one in constants if not isinstance(one, (str, bool))})
    other = max(strings, default="") + "x"
    found: list[Value | None] = [None, True, False, *sorted(strings), other, math.nan]
    edges = [-math.inf, *numbers, math.inf]
    for low, high in pairwise(edges):
        between = math.nextafter(low, math.inf)
        whole = math.floor(low) + 1 if math.isfinite(low) else -(2**62)
        found += [one for one in (between, whole) if low < one < high]
    # A constant as a whole number and as a double: some comparisons know one type only.
    found += [float(one) for one in numbers]
    found += [int(one) for one in numbers if one == int(one)]
    return [*found, -math.inf, math.inf]
