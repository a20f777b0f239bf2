"""Lint rules that stand whole in one module: the record, and the check that makes its findings.

The modules of the folder ``lint`` of a system are its lint rules; nothing lists them::

    TL_21 = Rule("TL-21", "Name", "What it says.", (FindingKind("no-topic", WARNING),), check=True)

    @lint(TL_21)
    def no_topic(checked: Checked) -> Iterator[Finding]:
        yield TL_21.at(place, "there is no topic", server="HQ")

What a check is given is the system's (``Checked``, or the configuration of the network).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar

from topograph.findings import Finding
from topograph.records import record
from topograph.rules import Rule

T = TypeVar("T")


@record
class Lint(Generic[T]):
    """A lint rule and its check. ``walks``: the check needs the graph of the network, and runs
    once that is made; what that means is the system's.
    """

    rule: Rule
    find: Callable[[T], Iterable[Finding]]
    walks: bool = False


def lint(
    rule: Rule, *, walks: bool = False
) -> Callable[[Callable[[T], Iterable[Finding]]], Lint[T]]:
    """Make a function the check of a rule. Raises ValueError for a record that is not that of a
    lint rule (``Rule.check``).
    """
    if not rule.check:
        raise ValueError(f"{rule.number} is not the record of a lint rule: check=True is missing.")

    def made(find: Callable[[T], Iterable[Finding]]) -> Lint[T]:
        return Lint(rule, find, walks)

    return made


@cache
def lints(package: str) -> Sequence[Lint[Any]]:
    """The lint rules of all modules of a package, by number. Imports them."""
    folder = import_module(package).__path__
    modules = (import_module(f"{package}.{one.name}") for one in iter_modules(folder))
    found = (one for module in modules for one in vars(module).values() if isinstance(one, Lint))
    return tuple(sorted(found, key=lambda one: one.rule.number))


def with_lints(rules: Iterable[Rule], package: str) -> Sequence[Rule]:
    """The rules of a system: those given, and the lint rules of a package."""
    return (*rules, *(one.rule for one in lints(package)))
