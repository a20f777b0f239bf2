"""The checks of MQe: lint rules, and what is described more than once (B1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from topograph.facts import Fact
from topograph.facts.mqe import MqeAlias, MqeConnection, MqeQueue
from topograph.findings import Finding, Severity, Source
from topograph.rules import FindingKind
from topograph.rules.mqe_findings import (
    DESCRIBED_TWICE,
    OBJECT_TWICE,
    SECTION_B1,
)
from topograph.systems.contract.lint import lints
from topograph.systems.mqe.configuration import OBJECTS, MqeConfiguration, MqeManager


def checks(configuration: MqeConfiguration) -> Sequence[Callable[[], Iterable[Finding]]]:
    """Each check of a network, to be run when it is compiled."""
    rules = (one.find for one in lints("topograph.systems.mqe.lint"))
    return [partial(check, configuration) for check in (*rules, described_twice)]


def described_twice(configuration: MqeConfiguration) -> Iterator[Finding]:
    """A queue manager, or an object of one, that stands at several places: the first counts,
    objects are taken together.
    """
    for here in configuration.all():
        for again in here.stated[1:]:
            text = (
                f"{here.name} is described here and at {here.source}: its objects are taken "
                "together, and the first counts for all else."
            )
            yield _twice(DESCRIBED_TWICE, Severity.ERROR, text, again.source, here)
        seen: dict[tuple[str, str], Fact] = {}
        facts = configuration.source.facts(OBJECTS, here.name)
        for fact in sorted(facts, key=lambda one: one.source):
            key = _identity(here, fact)
            first = seen.setdefault(key, fact)
            if first is not fact:
                text = (
                    f"The {key[0]} {key[1]} of {here.name} is also at {first.source}: "
                    "the first counts."
                )
                yield _twice(OBJECT_TWICE, Severity.ERROR, text, fact.source, here)


def _identity(here: MqeManager, fact: Fact) -> tuple[str, str]:
    if isinstance(fact, MqeQueue):
        manager = fact.home_server if fact.type == "home" else here.manager_of(fact)
        return "queue", f"{fact.name}@{manager}"
    return (
        ("connection", fact.name)
        if isinstance(fact, (MqeAlias, MqeConnection))
        else (fact.kind, fact.label)
    )


def _twice(
    kind: FindingKind, severity: Severity, text: str, source: Source, here: MqeManager
) -> Finding:
    return kind.at(source, text, rule=SECTION_B1, severity=severity, server=here.name)
