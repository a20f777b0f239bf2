"""The short name of a rule and what it says, in one plain sentence. ``rules.json`` is made of
``docs/rules.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple


class RuleText(NamedTuple):
    """What people read about a rule. Both are empty for a rule that has no text."""

    name: str
    sentence: str


NO_TEXT = RuleText("", "")


@cache
def _texts() -> Mapping[str, Mapping[str, RuleText]]:
    text = resources.files("topograph").joinpath("rules.json").read_text(encoding="utf-8")
    return {
        system: {rule: RuleText(*two) for rule, two in rules.items()}
        for system, rules in json.loads(text).items()
    }


def rule_text(rule: str, systems: Sequence[str] = ()) -> RuleText:
    """The name and sentence of ``rule`` ("TL-20"), ``NO_TEXT`` where there is none.

    Systems number their rules independently, so that A-1 is a rule of two of them: ``systems`` are
    those whose rule it may be, the likeliest first. A rule that none of them has is that of the one
    system which has it, if there is exactly one and the number tells: a check (TL-20) has the same
    number everywhere. O(systems).
    """
    texts = _texts()
    for system in systems:
        if rule in (own := texts.get(system, {})):
            return own[rule]
    if systems and not is_check(rule):
        return NO_TEXT
    holders = systems_of(rule)
    return texts[holders[0]][rule] if len(holders) == 1 else NO_TEXT


def systems_of(rule: str) -> list[str]:
    """The systems that have a rule of this number, by name."""
    return sorted(system for system, rules in _texts().items() if rule in rules)


def is_check(rule: str) -> bool:
    """Whether this is the number of a check, which no two systems share: TL-01, EL-01, ML-01,
    SL-01.
    """
    return rule[:3] in {"TL-", "EL-", "ML-", "SL-"}


def all_rules(systems: Iterable[str] = ()) -> Mapping[str, Mapping[str, RuleText]]:
    """By system and number, all rules of ``systems`` (of every system if none is named)."""
    texts = _texts()
    return {system: texts[system] for system in (list(systems) or sorted(texts)) if system in texts}
