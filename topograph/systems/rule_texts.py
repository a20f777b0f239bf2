"""The rules of the systems, by system and number: topograph's own and those of other packages. What
a question or a report says of a rule, and of a kind of finding, it finds here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from topograph import extensions
from topograph.rules import FindingKind, Rule
from topograph.systems.registry import system


class RuleText(NamedTuple):
    """What people read about a rule. Both are empty for a rule that has no text."""

    name: str
    sentence: str


NO_TEXT = RuleText("", "")


def rules_of(name: str) -> Mapping[str, Rule]:
    """The rules of one system, by number; none where its package lists none. Loads them when they
    are first asked for. Raises UnknownSystem.
    """
    return _rules(name) if name in extensions.OWN else _by_number(name)


@cache
def _rules(name: str) -> Mapping[str, Rule]:
    return _by_number(name)


def _by_number(name: str) -> Mapping[str, Rule]:
    return {rule.number: rule for rule in system(name).rules()}


def text_of(rule: Rule) -> RuleText:
    """The name and the sentence of a rule, without the marks of code."""
    return RuleText(rule.name.replace("`", ""), rule.sentence.replace("`", ""))


def rule_text(rule: str, systems: Sequence[str] = ()) -> RuleText:
    """The name and sentence of ``rule`` ("TL-20"), ``NO_TEXT`` where there is none.

    Systems number their rules independently, so that A-1 is a rule of two of them: ``systems`` are
    those whose rule it may be, the likeliest first. A rule that none of them has is that of the one
    system which has it, if there is exactly one and the number tells: a check (TL-20) has the same
    number everywhere. O(systems).
    """
    found = rule_of(rule, systems)
    return text_of(found) if found else NO_TEXT


def rule_of(rule: str, systems: Sequence[str] = ()) -> Rule | None:
    """The record of the rule whose text ``rule_text`` gives; None where there is none."""
    for name in systems:
        if rule in (own := rules_of(name)):
            return own[rule]
    if systems and not may_be_check(rule):
        return None
    holders = [rules_of(name)[rule] for name in systems_of(rule)]
    if len(holders) != 1 or (systems and not holders[0].check):
        return None
    return holders[0]


def may_be_check(number: str) -> bool:
    """Whether a lint rule may have a number. Those of topograph's own systems are all alike, as
    TL-20 is; without another system nothing else needs to be looked up."""
    return number[1:].startswith("L-") or extensions.known_from_outside()


def systems_of(rule: str) -> list[str]:
    """The systems that have a rule of this number, by name."""
    return [name for name in _known() if rule in rules_of(name)]


def all_rules(systems: Iterable[str] = ()) -> Mapping[str, Mapping[str, Rule]]:
    """By system and number, all rules of ``systems`` (of every system if none is named). Of a
    number, several systems may each have a rule of their own."""
    return {name: rules_of(name) for name in (list(systems) or _known())}


def finding_kind(kind: str, rule: str = "", systems: Sequence[str] = ()) -> FindingKind | None:
    """The record of a kind of finding: that of the rule it rests on, else of any rule of
    ``systems`` (of every system if none is named), else one that rests on no rule. None where there
    is none. Linear in the rules.
    """
    from topograph.rules.unnumbered import KINDS

    resting = rule_of(rule, systems) if rule else None
    own = (one for name in systems or _known() for one in rules_of(name).values())
    for holder in ([resting] if resting else [], own):
        for one in holder:
            for found in one.kinds:
                if found.kind == kind:
                    return found
    return next((one for one in KINDS if one.kind == kind), None)


def _known() -> list[str]:
    """The systems that this process knows by now, by name: what is installed and was not looked for
    is not searched (``extensions.packages`` does).
    """
    outside = extensions.packages() if extensions.known_from_outside() else ()
    return sorted({*extensions.OWN, *outside})
