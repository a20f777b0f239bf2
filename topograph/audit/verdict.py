"""The verdict on a change: what speaks against it, what nobody can say of it, and what was not
looked at. A gate fails closed: it accepts only what was looked at and is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.inexact import Cause, LeftOut
from topograph.judgement import NO, YES, Judgement, Polarity
from topograph.questions.answers.audit import AuditAnswer, LeftOpen, PolicyResult

LONGER = "give it more time: --budget SECONDS"
"""How to look at what the search left out."""

ACCEPT, REJECT, UNDETERMINED = "accept", "reject", "undetermined"


def left_out(what: str) -> LeftOpen:
    """That something was not looked at, because the search ended first."""
    return LeftOpen(str(Polarity.NOT_LOOKED_AT), what, remedy=LONGER)


_NOWHERE = Source("")


def unknown(because: str, source: Source = _NOWHERE) -> LeftOpen:
    """That the loaded files do not say something which the change touches."""
    return LeftOpen(str(Polarity.UNKNOWN), because, source)


def with_verdict(answer: AuditAnswer) -> AuditAnswer:
    """The answer with the verdict that its claims give: ``reject`` if one speaks against the
    change, else ``undetermined`` if one is not decided or was not looked at, else ``accept``. Of a
    search that ended early it says that first. Linear in the claims.
    """
    cut = any(one.cause is Cause.BUDGET for one in answer.inexact_because)
    if cut and all(one.polarity != Polarity.NOT_LOOKED_AT for one in answer.left_open):
        because = next(one.message for one in answer.inexact_because if one.cause is Cause.BUDGET)
        said = next((one.message for one in answer.warnings if one.rule == "budget"), because)
        answer = replace(answer, left_open=(left_out(said), *answer.left_open))
    answer = _of_one_estate(answer)
    return replace(answer, verdict=_of({one.polarity for one in claims(answer)}))


def _of_one_estate(answer: AuditAnswer) -> AuditAnswer:
    """The answer which leaves open of which estate it is, where what was read is of several. Two
    states of equal facts do not differ, whichever counts; what holds of each, is open all the same.
    """
    found = [one for one in answer.inexact_because if one.cause is Cause.SEVERAL_ESTATES]
    if not found or (answer.unchanged and not answer.policy):
        return answer
    source = next(one.source for one in answer.warnings if one.rule == Cause.SEVERAL_ESTATES)
    said = unknown(found[0].message, source or _NOWHERE)
    return replace(answer, left_open=(said, *answer.left_open))


def of_replay(answer: AuditAnswer) -> AuditAnswer:
    """The same of a change that went in: whether what is there is what the change was to give."""
    answer = _of_one_estate(answer)
    found = {Polarity.NO} if answer.missing or answer.besides else set()
    return replace(
        answer, verdict=_of({*found, *(Polarity(one.polarity) for one in answer.left_open)})
    )


def _of(polarities: set[Polarity]) -> str:
    if Polarity.NO in polarities:
        return REJECT
    return ACCEPT if polarities <= {Polarity.YES} else UNDETERMINED


def claims(answer: AuditAnswer) -> Iterator[Judgement]:
    """Each thing that the verdict rests on, judged: a yes is for the change."""
    for one in answer.rejections:
        yield Judgement(Polarity.UNKNOWN, why=one.message) if one.undetermined else NO
    for _ in (*answer.missing, *answer.besides):
        yield NO
    for found in answer.findings:
        yield {"rejects": NO, "told": YES}.get(
            found.effect, Judgement(Polarity.UNKNOWN, why=found.message, source=found.source)
        )
    for each in answer.left_open:
        yield Judgement(Polarity(each.polarity), why=each.because, source=each.source)
    for policy in answer.policy:
        yield of_policy(policy)


def of_policy(policy: PolicyResult) -> Judgement:
    """What a policy says of a change: nothing against it where it does not block."""
    if not policy.blocks:
        return YES
    return NO if policy.result == "fail" else Judgement(Polarity.UNKNOWN, why=policy.id)


def not_compared(budget: Budget, what: str) -> LeftOpen:
    """That the budget, or the most that is looked at, ended a part of the comparison: of the
    latter more time changes nothing."""
    if budget.spent:
        return left_out(f"{budget.ended}: {what}")
    return LeftOpen(str(Polarity.NOT_LOOKED_AT), what)


def too_many(left: LeftOut) -> LeftOpen:
    """That messages were not looked at because there are too many: more time changes nothing."""
    return LeftOpen(str(Polarity.NOT_LOOKED_AT), left.message)
