"""A selector: its text, the properties it names, and what it says of a message.

>>> selector = parse("country = 'Canada' AND qty > 5")
>>> selector.evaluate({"country": "Canada", "qty": 7}).value
'TRUE'
>>> selector.evaluate({"country": "Canada"}).value
'UNKNOWN'
>>> sorted(selector.identifiers)
['country', 'qty']
>>> parse("JMSTimestamp > 0").judge({}).undecided
('JMSTimestamp',)
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache

from topograph.header_fields import DEFAULTS, set_on_the_way
from topograph.message import Properties
from topograph.outcomes import Truth
from topograph.records import record
from topograph.selectors.expressions import And, Expression, Literal, Not, Or, Property
from topograph.selectors.plain import plain_expression
from topograph.selectors.possible import possible_truths
from topograph.selectors.values import negate


@record
class Judgement:
    """What a selector says of a message of which a question sets some properties. ``truth`` is
    UNKNOWN and ``undecided`` names the header fields it hangs on where their values, which nobody
    knows, decide whether it is TRUE. ``defaults`` are the header fields that it takes at their
    default.
    """

    truth: Truth
    undecided: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()


@record
class Selector:
    """A valid selector. Equal texts are equal selectors."""

    text: str
    expression: Expression = field(compare=False, repr=False)
    identifiers: frozenset[str] = field(compare=False, repr=False)
    """Every property and header field that the text names."""
    header_fields: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Those of them, by name, that a message has although a question does not set them
    (``topograph.header_fields``).
    """

    def evaluate(self, properties: Properties) -> Truth:
        """What the selector says of a message with exactly these properties and header fields; one
        that is absent is NULL. Only TRUE matches (R69).

        Never raises. Linear in the expression, for LIKE times the length of the string.
        """
        return self.expression.truth(properties)

    def judge(self, properties: Properties) -> Judgement:
        """What the selector says of a message for which a question sets ``properties``: header
        fields have a value all the same (``topograph.header_fields``). Never raises. Linear like
        ``evaluate``."""
        if not self.header_fields:
            return Judgement(self.evaluate(properties))
        unset = [name for name in self.header_fields if name not in properties]
        defaults = tuple(name for name in unset if name in DEFAULTS)
        open_names = tuple(name for name in unset if set_on_the_way(name))
        given = (
            {**{name: DEFAULTS[name] for name in defaults}, **properties}
            if defaults
            else properties
        )
        truths = (
            possible_truths(self.expression, given, open_names)
            if open_names
            else {self.evaluate(given)}
        )
        if Truth.TRUE in truths and len(truths) > 1:
            return Judgement(Truth.UNKNOWN, open_names, defaults)
        return Judgement(min(truths, key=_PREFERRED.index), (), defaults)

    def constant(self) -> Truth | None:
        """The truth for every message where the text alone shows it (``1 = 2``, ``x = 1 OR TRUE``),
        else None.

        None does not say that it varies: ``x = 1 OR NOT (x = 1)`` is for a satisfiability search.
        """
        return _constant(self.expression)


_PREFERRED = (Truth.TRUE, Truth.UNKNOWN, Truth.FALSE)
"""Of two truths that both do not match the one to show."""


@lru_cache(maxsize=65_536)
def parse(text: str) -> Selector:
    """The selector of a text; a blank text is no selector and always TRUE. Cached.

    Raises InvalidSelector, with column and the place marked, for a text that is none. Nothing else
    is raised.
    """
    if not text.strip(" \t\f\r\n"):
        return Selector(text, Literal(True), frozenset())
    expression = plain_expression(text) or _by_grammar(text)
    identifiers = _identifiers(expression)
    header_fields = sorted(name for name in identifiers if name in DEFAULTS or set_on_the_way(name))
    return Selector(text, expression, identifiers, tuple(header_fields))


def _by_grammar(text: str) -> Expression:
    from topograph.selectors.parser import expression_of

    return expression_of(text)


def _identifiers(expression: Expression) -> frozenset[str]:
    names: set[str] = set()
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Property):
            names.add(node.name)
        waiting.extend(node.parts)
    return frozenset(names)


def _constant(node: Expression) -> Truth | None:
    """AND with a FALSE, and OR with a TRUE, are decided whatever the rest; otherwise every part
    has to be constant.
    """
    if isinstance(node, Not):
        inner = _constant(node.operand)
        return None if inner is None else negate(inner)
    if isinstance(node, (And, Or)):
        deciding = Truth.FALSE if isinstance(node, And) else Truth.TRUE
        parts = {_constant(part) for part in node.operands}
        if deciding in parts:
            return deciding
        if None in parts:
            return None
        return Truth.UNKNOWN if Truth.UNKNOWN in parts else negate(deciding)
    return None if _identifiers(node) else node.truth({})
