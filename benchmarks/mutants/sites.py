"""Where code can be changed, and how: the operators, constants and conditions of a file.

The changes are Cosmic Ray's. Annotations and imports for them, decorators, the marks between
parameters, the ``strict`` of ``zip`` and the ``repr`` of a field are left out, and so is ``==`` for
``is``: such changes do nothing, or nothing to an answer.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import parso
from cosmic_ray import plugins
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

_KINDS = re.compile(
    r"core/(Replace(Binary|Comparison|Unary)Operator_.*|NumberReplacer|AddNot"
    r"|Replace(TrueWithFalse|FalseWithTrue|AndWithOr|OrWithAnd))"
)
_SAME = re.compile(r".*_(Eq_Is|Is_Eq|NotEq_IsNot|IsNot_NotEq)")
_TYPES = frozenset(
    {"comparison", "factor", "not_test", "keyword", "number", "operator"}
    | {"if_stmt", "while_stmt", "assert_stmt", "test", "ternary"}
)
"""Types of the nodes that any of the operators changes."""


@dataclass(frozen=True)
class Change:
    """One change: the ``occurrence``-th place in a file (from 0) where an operator applies."""

    operator: str
    occurrence: int
    line: int
    """From 1."""

    def made(self, source: str) -> str | None:
        """The changed source; None if that is no Python, or such that Python warns of it."""
        changed = mutate_code(source, plugins.get_operator(self.operator)(), self.occurrence)
        try:
            with warnings.catch_warnings(action="error", category=SyntaxWarning):
                compile(changed, "changed", "exec", dont_inherit=True)
        except (SyntaxError, SyntaxWarning):
            return None
        return changed


def operators() -> dict[str, Operator]:
    """By name."""
    names = (name for name in plugins.operator_names() if _KINDS.fullmatch(name))
    return {name: plugins.get_operator(name)() for name in names if not _SAME.fullmatch(name)}


def places(source: str, known: dict[str, Operator]) -> list[list[Change]]:
    """The places of a file in their order, each with the changes that can be made there.
    Linear in the source, times the number of operators.
    """
    found: dict[tuple[tuple[int, int], tuple[int, int]], list[Change]] = {}
    seen: Counter[str] = Counter()
    for node, counts in _nodes(get_ast(source), True):
        for name, operator in known.items():
            for position in operator.mutation_positions(node):
                if counts:
                    change = Change(name, seen[name], position[0][0])
                    found.setdefault(position, []).append(change)
                seen[name] += 1
    return list(found.values())


def modules(folders: list[Path]) -> list[Path]:
    """The modules in some folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def _nodes(
    node: parso.tree.NodeOrLeaf, counts: bool
) -> Iterator[tuple[parso.tree.NodeOrLeaf, bool]]:
    """The nodes that can be changed, in the order in which Cosmic Ray counts them, and whether a
    change of them counts.
    """
    if node.type in _TYPES:
        yield node, counts
    for child in getattr(node, "children", ()):
        yield from _nodes(child, counts and not _left_out(node, child))


def _left_out(node: parso.tree.NodeOrLeaf, child: parso.tree.NodeOrLeaf) -> bool:
    if node.type in {"decorator", "annassign"}:
        return child is node.children[1]
    if node.type == "funcdef":
        return child is node.annotation
    if node.type == "parameters":
        return child.type == "operator"
    if node.type == "argument":
        code = node.get_code(include_prefix=False)
        return child is node.children[-1] and code.startswith(("strict=", "repr="))
    if child.type == "if_stmt":
        return child.children[1].get_code(include_prefix=False) == "TYPE_CHECKING"
    return node.type == "tfpdef" and child is node.children[-1]
