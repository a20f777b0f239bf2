"""Policies about what a change does: who loses messages, who gets them twice, and what is wrong
in the configuration that was not before.
"""

from __future__ import annotations

from topograph.audit.findings_brought import ROUND
from topograph.audit.policy import Policy
from topograph.audit.policy_cases import Cases
from topograph.findings import Severity, Source
from topograph.judgement import Polarity
from topograph.outcomes import Outcome
from topograph.questions.answers.audit import AuditAnswer, DeliveryMoved, PolicyEvidence
from topograph.questions.texts.outcomes import changed_outcome
from topograph.tracing.outcomes import TAKEN


def judge_no_loss(policy: Policy, answer: AuditAnswer, cases: Cases, *, complete: bool) -> None:
    """``no_loss``: what the comparison of before and after found."""
    for start, end in () if policy.known_only else answer.reach.lost:
        cases.fail(PolicyEvidence(f"{start} no longer reaches {end}"), start, end)
    lost = [(row, "no longer gets") for row in answer.deliveries.lost]
    if not policy.known_only:
        lost += [
            (row, "would no longer get, if a subscriber is there,") for row in answer.would_lose
        ]
    for row, what in lost:
        cases.fail(_of_delivery(row, what), row.from_, row.server)
    for moved in answer.outcomes:
        if moved.goes_otherwise:
            continue
        text = f"{moved.destination} at {moved.server}: {changed_outcome(moved)}"
        if any(one.startswith(tuple(TAKEN)) for one in moved.before):
            open_ = any(
                one.startswith((Outcome.UNDETERMINED, Outcome.OPAQUE)) for one in moved.after
            )
            told = cases.leave_open if open_ else cases.fail
            told(PolicyEvidence(text, source=moved.source), moved.server, moved.destination)
    for start, end in answer.reach.undetermined:
        text = f"{start} to {end}: the loaded files leave it open"
        cases.leave_open(PolicyEvidence(text), start, end)
    for said in answer.warnings:
        if said.rule in ("undecided", "not-compared"):
            cases.leave_open(PolicyEvidence(said.message, source=said.source or Source("")))
    if not complete:
        cases.leave_open(PolicyEvidence("not all of before and after was compared"))
    cases.hold(PolicyEvidence("nothing that was compared is lost"))


def judge_no_duplicates(
    policy: Policy, answer: AuditAnswer, cases: Cases, *, complete: bool
) -> None:
    """``no_duplicates``: nobody gets a message more often than before, and none goes round."""
    rows = [(row, "gets more than once") for row in answer.deliveries.duplicated]
    if not policy.known_only:
        what = "would get more than once, if a subscriber is there,"
        rows += [(row, what) for row in answer.would_duplicate]
    for row, said in rows:
        cases.fail(_of_delivery(row, said), row.from_, row.server)
    for one in answer.rejections:
        if one.duplicates:
            cases.fail(PolicyEvidence(one.message, source=one.source), one.server)
    for moved in answer.outcomes:
        new = [
            one
            for one in moved.after
            if one.startswith((Outcome.DUPLICATE, Outcome.LOOP)) and one not in moved.before
        ]
        if new:
            text = f"{moved.destination} at {moved.server}: {new[0]}"
            cases.fail(PolicyEvidence(text, source=moved.source), moved.server, moved.destination)
    for found in answer.findings:
        if found.kind in ROUND:
            cases.fail(PolicyEvidence(found.message, source=found.source), found.server)
    _left_out(answer, cases, complete=complete)
    cases.hold(PolicyEvidence("nothing that was compared comes more often than before"))


def judge_no_new_findings(
    policy: Policy, answer: AuditAnswer, cases: Cases, *, complete: bool
) -> None:
    """``no_new_findings``: the configuration has nothing wrong that it did not have before."""
    for one in answer.findings:
        if Severity(one.severity).rank >= policy.least.rank:
            text = f"new {one.severity} {one.rule}: {one.message}"
            cases.fail(PolicyEvidence(text, source=one.source), one.server)
    _left_out(answer, cases, complete=complete)
    what = "error" if policy.least is Severity.ERROR else "error or warning"
    cases.hold(PolicyEvidence(f"the change brings no {what}"))


def _left_out(answer: AuditAnswer, cases: Cases, *, complete: bool) -> None:
    """What was not looked at, so that nobody can say that there is nothing."""
    left = [one for one in answer.left_open if one.polarity == Polarity.NOT_LOOKED_AT]
    for one in left:
        cases.leave_open(PolicyEvidence(one.because, source=one.source))
    if not complete and not left:
        cases.leave_open(PolicyEvidence("not all of before and after was compared"))


def _of_delivery(row: DeliveryMoved, what: str) -> PolicyEvidence:
    text = f"{row.server} {what} {row.message} from {row.from_}"
    return PolicyEvidence(text, source=row.source)
