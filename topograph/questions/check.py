"""``check``: the lint findings of a network (outcomes.md section 4); and the names of what ``show`` shows are in ``show``."""

from __future__ import annotations

from collections import Counter

from topograph.findings import Finding, Severity
from topograph.questions.answers import CheckAnswer
from topograph.questions.model import Model


def check(model: Model) -> CheckAnswer:
    """Every finding of the import and of the lint rules, worst first, then by file and line. Linear in the findings."""
    findings = sorted(set(model.records.findings), key=_order)
    counts = Counter(str(finding.severity) for finding in findings)
    return CheckAnswer(
        **model.common(),
        warnings=model.warnings,
        findings=tuple(finding.to_dict() for finding in findings),
        counts={
            str(severity): counts.get(str(severity), 0)
            for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
        },
    )


def _order(finding: Finding) -> tuple[object, ...]:
    return (-finding.severity.rank, finding.source, finding.rule, finding.kind, finding.message)
