"""``check``: the lint findings of a network (outcomes.md section 4); and the names of what ``show`` shows are in ``show``."""

from __future__ import annotations

from topograph.findings import Finding, count_by_severity, distinct
from topograph.questions.answers import CheckAnswer
from topograph.questions.model import Model


def check(model: Model) -> CheckAnswer:
    """Every finding of the import and of the lint rules, worst first, then by file and line. Linear in the findings."""
    findings = sorted(distinct(model.records.findings), key=_order)
    return CheckAnswer(
        **model.common(),
        warnings=model.warnings,
        findings=tuple(finding.to_dict() for finding in findings),
        counts=count_by_severity(findings),
    )


def _order(finding: Finding) -> tuple[object, ...]:
    return (-finding.severity.rank, finding.source, finding.rule, finding.kind, finding.message)
