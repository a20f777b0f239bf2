"""Messages by which selectors can be told apart: values at the selectors' own constants, and
beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import count, islice, product

from topograph.message import Properties, Value
from topograph.selectors.expressions import (
    Expression,
    In,
    Like,
    Literal,
    Property,
    conditions,
    nodes,
)
from topograph.selectors.selector import Selector

MOST = 2_000
"""Messages that are tried for a set of selectors."""


def witnesses(selectors: Iterable[Selector], most: int = MOST) -> Iterator[Properties]:
    """Properties of messages to try, at most ``most``, those with fewest properties first: each
    property is absent, or has a value at a constant that it is compared with, or beside it, or, of
    one compared with text, a text that shares nothing with any constant. Two selectors that differ
    may be alike on all of them."""
    selectors = list(selectors)
    values: dict[str, dict[Value, None]] = {}
    for selector in selectors:
        for condition in conditions(selector.expression):
            tried = [near for constant in _constants(condition) for near in _beside(constant)] or [
                True,
                1,
                "x",
            ]
            for name in _names(condition):
                values.setdefault(name, {}).update(dict.fromkeys(tried))
    other = _other_text(selectors)
    for own in values.values():
        if any(isinstance(value, str) for value in own):
            own[other] = None
    names = sorted(values)
    for chosen in islice(_assignments([list(values[name]) for name in names]), most):
        yield {name: value for name, value in zip(names, chosen, strict=True) if value is not None}


def _other_text(selectors: Iterable[Selector]) -> str:
    """A text that is no constant of selectors and fits no pattern that asks for any character."""
    used = {
        letter
        for selector in selectors
        for condition in conditions(selector.expression)
        for constant in _constants(condition)
        if isinstance(constant, str)
        for letter in constant
    }
    return next(letter for number in count(ord("a")) if (letter := chr(number)) not in used)


def _assignments(choices: list[list[Value]]) -> Iterator[tuple[Value | None, ...]]:
    """Nothing set, then one property, then several: a cut leaves out what is least likely to be
    needed.
    """
    nothing: tuple[Value | None, ...] = tuple(None for _ in choices)
    yield nothing
    for place, own in enumerate(choices):
        for value in own:
            yield (*nothing[:place], value, *nothing[place + 1 :])
    for chosen in product(*([*own, None] for own in choices)):
        if sum(value is not None for value in chosen) > 1:
            yield chosen


def _names(condition: Expression) -> list[str]:
    return sorted({node.name for node in nodes(condition) if isinstance(node, Property)})


def _constants(condition: Expression) -> Iterator[Value]:
    for node in nodes(condition):
        if isinstance(node, Literal):
            yield node.constant
        elif isinstance(node, In):
            yield from sorted(node.members)
        elif isinstance(node, Like):
            for many in ("", "xy"):
                yield "".join(
                    many if one == Like.MANY else "x" if one is Like.ONE else str(one)
                    for one in node.pattern
                )


def _beside(value: Value) -> Iterator[Value]:
    """A value and its neighbours."""
    yield value
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield value + "x"
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif math.isfinite(value):
        yield from (
            math.nextafter(value, math.inf),
            math.nextafter(value, -math.inf),
            value + 1,
            value - 1,
        )
