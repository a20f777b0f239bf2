"""What ``check`` finds in the files of a network, as the head of a picture counts it and its panel
lists it: by rule, with nothing left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topograph.findings import Finding, Severity, distinct
from topograph.questions.texts.layout import count, listed
from topograph.systems.rule_texts import rule_text
from topograph.viz.scene.records import RuleFound

FIRST = 3
"""Findings of a rule that the markup has; scripts list those of the picture, ``check`` all."""


def by_rule(findings: Iterable[Finding], systems: Sequence[str]) -> tuple[RuleFound, ...]:
    """The findings by severity and rule (or kind, of those that rest on no rule), the worst and
    most first; each finding once. n log n."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for one in distinct(findings):
        groups.setdefault((one.severity, one.rule or one.kind), []).append(one)
    found = []
    for (severity, label), own in groups.items():
        first = sorted(own, key=lambda one: (one.source, one.message))[:FIRST]
        found.append(
            RuleFound(
                label,
                rule_text(label, systems).name,
                severity,
                len(own),
                tuple((one.message, one.source) for one in first),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.severity.rank, -one.total, one.label)))


def counted(rules: Sequence[RuleFound]) -> str:
    """How many errors and warnings there are, or what there is of less.

    >>> counted(())
    'No errors or warnings'
    """
    totals = dict.fromkeys((Severity.ERROR, Severity.WARNING, Severity.INFO), 0)
    for one in rules:
        totals[one.severity] += one.total
    parts = [
        count(totals[severity], str(severity))
        for severity in (Severity.ERROR, Severity.WARNING)
        if totals[severity]
    ]
    if not parts and totals[Severity.INFO]:
        return count(totals[Severity.INFO], "finding of severity info", "findings of severity info")
    return listed(parts) or "No errors or warnings"


def line(rules: Sequence[RuleFound] | None) -> str:
    """The line of the head: the numbers, and the worst rule; "" where nobody looked (None)."""
    if rules is None:
        return ""
    total = f"{counted(rules)} in the files"
    if not rules:
        return f"{total}."
    worst = rules[0]
    name = f"{worst.label} {worst.name}".strip()
    return f"{total}: {name}" if len(rules) == 1 else f"{total}; worst: {worst.total:,} × {name}"
