"""Expressions of selectors: small frozen nodes, each with ``value`` (NULL is None) or ``truth``
over given properties.

A chain of equals (``a OR b OR c``, ``a + b - c``) is one node, so that the depth of an expression
is the depth of its nesting, not its length. The meaning of values is in
``topograph.selectors.values``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from topograph.message import Properties, Value
from topograph.outcomes import Truth
from topograph.records import record
from topograph.selectors.values import (
    calculate,
    compare,
    negate,
    number_or_null,
    opposite,
    truth_of,
)

CONDITION, NUMBER, STRING, ANY = "condition", "number", "string", "any"
"""What an expression is known to yield before any message is seen; a property may yield
anything.
"""


@record
class Expression:
    """Base of all nodes."""

    yields: ClassVar[str] = ANY

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The nodes directly below, in the order of the text."""
        return ()

    def value(self, properties: Properties) -> Value | None:
        """The value for a message; None is NULL."""
        raise NotImplementedError

    def truth(self, properties: Properties) -> Truth:
        """The value as a condition."""
        return truth_of(self.value(properties))


@record
class Literal(Expression):
    """A string, a number, TRUE or FALSE."""

    constant: Value

    @property
    def yields(self) -> str:  # type: ignore[override]
        if isinstance(self.constant, bool):
            return CONDITION
        return STRING if isinstance(self.constant, str) else NUMBER

    def value(self, properties: Properties) -> Value | None:  # noqa: ARG002
        return self.constant


@record
class Property(Expression):
    """A property or header field by name; NULL where the message has none."""

    name: str

    def value(self, properties: Properties) -> Value | None:
        return properties.get(self.name)


@record
class Arithmetic(Expression):
    """``first op second op third ...`` from left to right, all of one precedence: ``+ -`` or ``*
    /``.
    """

    yields: ClassVar[str] = NUMBER
    first: Expression
    rest: tuple[tuple[str, Expression], ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.first, *(part for _, part in self.rest))

    def value(self, properties: Properties) -> Value | None:
        result = self.first.value(properties)
        for symbol, part in self.rest:
            result = calculate(symbol, result, part.value(properties))
        return result


@record
class Signed(Expression):
    """``+operand`` or ``-operand``."""

    yields: ClassVar[str] = NUMBER
    sign: str
    operand: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand,)

    def value(self, properties: Properties) -> Value | None:
        operand = self.operand.value(properties)
        return opposite(operand) if self.sign == "-" else number_or_null(operand)


@record
class Condition(Expression):
    """Base of the nodes that are true, false or unknown; as a value, unknown is NULL."""

    yields: ClassVar[str] = CONDITION

    def value(self, properties: Properties) -> Value | None:
        truth = self.truth(properties)
        return None if truth is Truth.UNKNOWN else truth is Truth.TRUE

    def truth(self, properties: Properties) -> Truth:
        raise NotImplementedError


@record
class Comparison(Condition):
    """``left symbol right``."""

    symbol: str
    left: Expression
    right: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.left, self.right)

    def truth(self, properties: Properties) -> Truth:
        return compare(self.symbol, self.left.value(properties), self.right.value(properties))


@record
class Between(Condition):
    """``x BETWEEN a AND b`` is ``x >= a AND x <= b``; with NOT it is ``x < a OR x > b`` (so a
    string ``x`` is FALSE in both).
    """

    operand: Expression
    low: Expression
    high: Expression
    inverted: bool

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand, self.low, self.high)

    def truth(self, properties: Properties) -> Truth:
        operand, low, high = (
            self.operand.value(properties),
            self.low.value(properties),
            self.high.value(properties),
        )
        if self.inverted:
            return _any_of(compare("<", operand, low), compare(">", operand, high))
        return negate(
            _any_of(negate(compare(">=", operand, low)), negate(compare("<=", operand, high)))
        )


@record
class In(Condition):
    """``name [NOT] IN ('a', 'b')`` is ``[NOT] (name = 'a' OR name = 'b')``: FALSE for a value
    that is no string, hence TRUE with NOT.
    """

    operand: Property
    members: frozenset[str]
    inverted: bool

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand,)

    def truth(self, properties: Properties) -> Truth:
        value = self.operand.value(properties)
        if value is None:
            return Truth.UNKNOWN
        found = isinstance(value, str) and value in self.members
        return Truth.TRUE if found is not self.inverted else Truth.FALSE


@record
class Like(Condition):
    """``name [NOT] LIKE pattern``: the whole string, case-sensitive. FALSE for a value that is no
    string, hence TRUE with NOT.

    ``pattern`` holds the literal characters, with ``ONE`` for ``_`` and ``MANY`` for ``%``.
    """

    ONE: ClassVar[None] = None
    MANY: ClassVar[int] = 0

    operand: Property
    pattern: tuple[str | int | None, ...]
    inverted: bool

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand,)

    def truth(self, properties: Properties) -> Truth:
        value = self.operand.value(properties)
        if value is None:
            return Truth.UNKNOWN
        found = isinstance(value, str) and self._matches(value)
        return Truth.TRUE if found is not self.inverted else Truth.FALSE

    def _matches(self, text: str) -> bool:
        """Greedy, going back to the last ``%`` only: at worst length of text times length of
        pattern, however many ``%`` there are.
        """
        pattern = self.pattern
        at = place = 0
        restart, resumed = -1, 0
        while at < len(text):
            wanted = pattern[place] if place < len(pattern) else ""
            if wanted == self.MANY:
                restart, resumed = place + 1, at
                place += 1
            elif wanted is self.ONE or wanted == text[at]:
                place += 1
                at += 1
            elif restart >= 0:
                resumed += 1
                place, at = restart, resumed
            else:
                return False
        return all(item == self.MANY for item in pattern[place:])


@record
class IsNull(Condition):
    """``name IS [NOT] NULL``: never UNKNOWN."""

    operand: Property
    inverted: bool

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand,)

    def truth(self, properties: Properties) -> Truth:
        missing = self.operand.value(properties) is None
        return Truth.TRUE if missing is not self.inverted else Truth.FALSE


@record
class Not(Condition):
    """``NOT operand``."""

    operand: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.operand,)

    def truth(self, properties: Properties) -> Truth:
        return negate(self.operand.truth(properties))


@record
class Chain(Condition):
    """Conditions joined by one operator: the first operand that ``decides`` is the truth of all;
    without one they are UNKNOWN if any is, else the opposite.
    """

    decides: ClassVar[Truth]
    operands: tuple[Expression, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.operands

    def truth(self, properties: Properties) -> Truth:
        result = negate(self.decides)
        for operand in self.operands:
            truth = operand.truth(properties)
            if truth is self.decides:
                return truth
            if truth is Truth.UNKNOWN:
                result = truth
        return result


@record
class And(Chain):
    """All of ``operands``: FALSE if any is, else UNKNOWN if any is, else TRUE."""

    decides: ClassVar[Truth] = Truth.FALSE


@record
class Or(Chain):
    """Any of ``operands``: TRUE if any is, else UNKNOWN if any is, else FALSE."""

    decides: ClassVar[Truth] = Truth.TRUE


def conditions(node: Expression) -> Iterator[Expression]:
    """The conditions that AND, OR and NOT join, in the order of the text."""
    if isinstance(node, (And, Or, Not)):
        for part in node.parts:
            yield from conditions(part)
    else:
        yield node


def nodes(node: Expression) -> Iterator[Expression]:
    """A node and all below it."""
    yield node
    for part in node.parts:
        yield from nodes(part)


def _any_of(left: Truth, right: Truth) -> Truth:
    if Truth.TRUE in (left, right):
        return Truth.TRUE
    return Truth.UNKNOWN if Truth.UNKNOWN in (left, right) else Truth.FALSE
