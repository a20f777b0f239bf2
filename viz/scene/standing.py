"""How an answer stands: the sign and the colour before its first sentence.

``page/script/standing.js`` decides the same of answers that the page gives itself.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from topograph.questions.answers import Answer, AuditAnswer, CyclesAnswer, ImpactAnswer
from topograph.viz.scene.records import Mark


class Standing(StrEnum):
    """What the first sentence comes to; the names are those of a report's verdict."""

    NONE = ""
    """It is a description, neither good nor bad."""
    GOOD = "good"
    """Accepted, legal, reached, or delivered to all whom it gets to."""
    BAD = "bad"
    """Rejected, illegal, not reached, not delivered, or something is lost."""
    WARNING = "warning"
    """Both: accepted with a loss, delivered here and refused there, or only by a choice."""
    UNSURE = "unsure"
    """The files do not decide it."""


_GOT = frozenset({Mark.DELIVERED, Mark.STORED, Mark.ONE_OF})
_ENDED = frozenset({Mark.REJECTED, Mark.ASIDE, Mark.CIRCULATES})
_WORSE = frozenset(
    {Mark.CUT_OFF, Mark.APART, Mark.LOSES, Mark.ELSEWHERE, Mark.CIRCULATES, Mark.DUPLICATE}
)


def standing(
    answer: Answer | None, legality: CyclesAnswer | None, marks: Collection[Mark]
) -> Standing:
    """How an answer stands, or where there is none the network, by ``legality``. ``marks`` are
    those of all servers, shown or not. Constant time beside the marks."""
    if answer is None:
        return Standing.BAD if legality is not None and legality.legal is False else Standing.NONE
    if isinstance(answer, AuditAnswer):
        return _of_audit(answer, marks)
    if isinstance(answer, CyclesAnswer):
        if not answer.judged:
            return Standing.NONE
        if isinstance(answer.legal, str):
            return Standing.UNSURE
        return Standing.GOOD if answer.legal else Standing.BAD
    if isinstance(answer, ImpactAnswer):
        return _of_impact(answer, marks)
    return of_marks(answer.question, marks, exact=answer.exact)


def of_marks(question: str, marks: Collection[Mark], *, exact: bool) -> Standing:
    """How an answer to ``reach``, ``hops``, ``paths``, ``propagate`` or ``trace`` stands, by what
    it says of servers; NONE of any other question."""
    if question in ("propagate", "trace"):
        return _of_message(question, marks, exact=exact)
    if question not in ("reach", "hops", "paths"):
        return Standing.NONE
    if Mark.TARGET in marks:
        return Standing.GOOD
    if question == "reach" and Mark.REACHED in marks:
        return Standing.NONE
    told = {
        Mark.UNDETERMINED: Standing.UNSURE,
        Mark.ONE_OF: Standing.WARNING,
        Mark.LATER: Standing.WARNING,
        Mark.UNREACHABLE: Standing.BAD,
    }
    return next((found for mark, found in told.items() if mark in marks), Standing.NONE)


def _of_message(question: str, marks: Collection[Mark], *, exact: bool) -> Standing:
    ended = not _ENDED.isdisjoint(marks)
    if not _GOT.isdisjoint(marks):
        if ended or Mark.MAY_END in marks:
            return Standing.WARNING
        return Standing.UNSURE if Mark.UNDETERMINED in marks else Standing.GOOD
    if Mark.UNDETERMINED in marks or Mark.WOULD_DELIVER in marks:
        return Standing.UNSURE
    if Mark.LATER in marks or Mark.HELD in marks:
        return Standing.WARNING
    nobody = question == "propagate" and exact
    return Standing.BAD if ended or nobody else Standing.NONE


def _of_audit(answer: AuditAnswer, marks: Collection[Mark]) -> Standing:
    if answer.verdict == "accept":
        worse = bool(answer.findings) or not _WORSE.isdisjoint(marks)
        return Standing.WARNING if worse else Standing.GOOD
    return Standing.BAD if answer.verdict == "reject" else Standing.UNSURE


def _of_impact(answer: ImpactAnswer, marks: Collection[Mark]) -> Standing:
    if answer.lost or answer.own or answer.containers or answer.gaps:
        return Standing.BAD
    if not _WORSE.isdisjoint(marks):
        return Standing.BAD
    if Mark.CRITICAL in marks or Mark.WOULD_LOSE in marks or answer.held:
        return Standing.WARNING
    sure = answer.exact and not answer.left_out and Mark.UNDETERMINED not in marks
    return Standing.GOOD if sure else Standing.UNSURE
