"""Selectors as trees of plain lists, for engines that do not read selector texts:
``viz/page/engine/selectors.js`` evaluates them.

A tree is a list that begins with the kind of its node. Exact numbers are decimal text, because JSON
readers turn them into doubles; the characters of a LIKE pattern are strings of one code point each,
with null for ``_`` and 0 for ``%``, as in ``topograph.selectors.expressions.Like``.

>>> from topograph.selectors import parse
>>> tree_of(parse("qty > 5").expression)
['compare', '>', ['property', 'qty'], ['long', '5']]
>>> selector_table(["qty > 5", "qty >"])["qty > 5"]["header"]
[]
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from topograph.errors import InvalidSelector
from topograph.header_fields import DEFAULTS
from topograph.selectors import parse
from topograph.selectors.expressions import (
    And,
    Arithmetic,
    Between,
    Comparison,
    Expression,
    In,
    IsNull,
    Like,
    Literal,
    Not,
    Or,
    Property,
    Signed,
)

Tree = list[Any]
"""A node: its kind, then what belongs to it. JSON."""


def tree_of(node: Expression) -> Tree:
    """The tree of an expression. Raises TypeError for a node of a kind that has no tree. Linear
    in the expression; as deep as it is nested.
    """
    if isinstance(node, Literal):
        return _literal(node.constant)
    if isinstance(node, Property):
        return ["property", node.name]
    if isinstance(node, Arithmetic):
        return [
            "calculate",
            tree_of(node.first),
            *(one for symbol, part in node.rest for one in (symbol, tree_of(part))),
        ]
    if isinstance(node, Signed):
        return ["signed", node.sign, tree_of(node.operand)]
    if isinstance(node, Comparison):
        return ["compare", node.symbol, tree_of(node.left), tree_of(node.right)]
    if isinstance(node, Between):
        return ["between", node.inverted, *(tree_of(part) for part in node.parts)]
    if isinstance(node, In):
        return ["in", node.inverted, node.operand.name, sorted(node.members)]
    if isinstance(node, Like):
        return ["like", node.inverted, node.operand.name, list(node.pattern)]
    if isinstance(node, IsNull):
        return ["null", node.inverted, node.operand.name]
    if isinstance(node, Not):
        return ["not", tree_of(node.operand)]
    if isinstance(node, (And, Or)):
        return [
            "and" if isinstance(node, And) else "or",
            *(tree_of(part) for part in node.operands),
        ]
    raise TypeError(f"an expression without a tree: {type(node).__name__}")


def _literal(constant: object) -> Tree:
    if isinstance(constant, bool):
        return ["boolean", constant]
    if isinstance(constant, int):
        return ["long", str(constant)]
    if isinstance(constant, float):
        if not math.isfinite(constant):
            raise TypeError("a literal that is not finite")  # the parser refuses them
        return ["double", constant]
    return ["string", constant]


def selector_table(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """By text, each selector once: ``tree`` and ``header`` (the header fields it names that a
    message has although a question does not set them), or ``fault``, why it is not a selector.
    Linear in the texts."""
    entries = SelectorEntries()
    return {text: entries.of(text) for text in sorted(set(texts))}


def selector_entry(text: str) -> dict[str, Any]:
    """The entry of one selector in ``selector_table``."""
    try:
        selector = parse(text)
    except InvalidSelector as error:
        return {"fault": error.in_one_line}
    return {"tree": tree_of(selector.expression), "header": list(selector.header_fields)}


_NUMBER = re.compile(r"(?<![\w.$])(?:0|[1-9][0-9]{0,17})(?![\w.$])")
"""A decimal whole number that fits 64 bits: nothing in its place would be read otherwise."""


class SelectorEntries:
    """The entries of many selectors. Those that differ in whole numbers only are parsed once: a
    network has thousands of them, which take a third of the time of its data.

    >>> entries = SelectorEntries()
    >>> [entries.of(text)["tree"][3] for text in ("qty > 5", "qty > 17")]
    [['long', '5'], ['long', '17']]
    """

    def __init__(self) -> None:
        self._forms: dict[str, dict[str, Any] | None] = {}

    def of(self, text: str) -> dict[str, Any]:
        """What ``selector_entry`` gives. Linear in the text."""
        if "'" in text or not text.isascii() or len(text) > _MOST:
            return selector_entry(text)
        numbers = _NUMBER.findall(text)
        form = _NUMBER.sub("0", text)
        if form in self._forms:
            known = self._forms[form]
            return selector_entry(text) if known is None else _numbered(known, numbers)
        found = selector_entry(text)
        # A fault says its place in the text, which numbers move.
        whole = "tree" in found and list(_numbers(found["tree"])) == numbers
        self._forms[form] = found if whole else None
        return found


_MOST = 10_000
"""Characters of a selector whose form is kept."""


def _numbered(entry: dict[str, Any], numbers: Iterable[str]) -> dict[str, Any]:
    """An entry with other numbers in their places."""
    return {"tree": _with(entry["tree"], iter(numbers)), "header": list(entry["header"])}


def _with(tree: Tree, numbers: Iterator[str]) -> Tree:
    if tree[0] == "long":
        return ["long", next(numbers)]
    return [_with(part, numbers) if isinstance(part, list) else part for part in tree]


def _numbers(tree: Tree) -> Iterator[str]:
    """The numbers of a tree without strings, in the order of the text."""
    if tree[0] == "long":
        yield tree[1]
        return
    for part in tree:
        if isinstance(part, list):
            yield from _numbers(part)


def header_defaults() -> dict[str, Tree]:
    """The header fields that have a value unless the sender sets another, with that value as a
    literal.
    """
    return {name: _literal(value) for name, value in DEFAULTS.items()}
