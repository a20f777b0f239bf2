"""The policies of an audit as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.questions.texts.layout import Cell, Page, Tone, count, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topograph.questions.answers.audit import AuditAnswer, PolicyEvidence, PolicyResult

SHOWN = 5
"""Cases of a policy before the rest is summed up."""

_MARKS = {"pass": Tone.GOOD, "fail": Tone.BAD, "undetermined": Tone.UNSURE}


def policy_verdict(answer: AuditAnswer, refused: int) -> tuple[str, str]:
    """What policies make of a verdict: the sentence that stands in its place where they alone
    decide it (else empty), and one to stand behind it.
    """
    failing, open_ = (
        [one for one in answer.policy if one.result == result and one.blocks]
        for result in ("fail", "undetermined")
    )
    total = count(len(answer.policy), "policy", "policies")
    if failing:
        fail = f"{len(failing)} of {total} {'fails' if len(failing) == 1 else 'fail'}."
        return ("", f" {fail}") if refused else (f"Reject: {fail}", "")
    decided = bool(answer.rejections or answer.left_open)
    decided = decided or any(one.effect != "told" for one in answer.findings)
    if open_ and answer.verdict == "undetermined" and not decided:
        which = "is" if len(open_) == 1 else "are"
        return f"Undetermined: {len(open_)} of {total} {which} not decided by the loaded files.", ""
    return "", ""


def policies_to_look_at(answer: AuditAnswer) -> Iterator[str]:
    """One line for the policies that fail and those that nobody can decide."""
    failing, open_ = (
        [one for one in answer.policy if one.result == result]
        for result in ("fail", "undetermined")
    )
    if not failing and not open_:
        return
    if any(one.blocks for one in (*failing, *open_)):  # what is waived is no matter then
        failing, open_ = (
            [one for one in these if one.blocks or not one.waiver] for these in (failing, open_)
        )
    # What the change breaks stands before what was so already.
    first = min(failing or open_, key=lambda one: (not one.blocks, one.before == one.result))
    others = [
        (f"{len(failing) - 1} more" if len(failing) > 1 else ""),
        f"{len(open_) if failing else len(open_) - 1} {'undetermined' if failing else 'more'}",
    ]
    more = ", ".join(text for text in others if text and not text.startswith("0"))
    shown = first.evidence[0]
    at = f" ({place(shown.source)})" if shown.source.file else ""
    verb = "fails" if failing else "is undetermined"
    behind = noted(first)
    yield (
        f"policy {first.id} {verb}{f' (and {more})' if more else ''}: {shown.text}{at}"
        f"{f' ({behind})' if behind else ''}"
    )


def told(one: PolicyResult) -> str:
    """The result of a policy, and that it does not count, where it does not."""
    if one.result == "pass" or one.blocks:
        return one.result
    return f"{one.result} ({'waived' if one.waiver else 'warning only'})"


def noted(one: PolicyResult) -> str:
    """What else there is to know of a policy that does not pass: how it was before, and who lets
    it be.
    """
    parts = []
    if one.before == "fail":
        parts.append("was failing before")
    elif one.before == "undetermined" and one.result == "undetermined":
        parts.append("was undetermined before")
    if one.severity == "warn":
        parts.append("a warning only")
    if one.waiver and not one.blocks:
        parts.append(f"waived: {one.waiver}")
    elif one.waiver and one.result == "fail":
        parts.append(f"no longer waived: {one.waiver}")
    return "; ".join(parts)


def policy_section(answer: AuditAnswer, page: Page) -> None:
    """Each policy with its result and what decides it."""
    if not answer.policy:
        return
    page.section("Policies")
    page.table(
        [
            (
                place(one.source),
                one.id,
                one.rule,
                Cell(told(one), _MARKS[one.result]),
                *_shown(one.evidence[:1]),
            )
            for one in answer.policy
        ]
    )
    for one in answer.policy:
        _cases(one, page)


def _cases(one: PolicyResult, page: Page) -> None:
    """The cases of a policy that does not hold, where there is more to be said of it."""
    behind = noted(one)
    if one.result == "pass" or (one.evidence_count == 1 and not one.because and not behind):
        return
    page.section(f"{one.id}: {told(one)}", _MARKS[one.result])
    if behind:
        page.line(behind, indent=2)
    if one.because:
        page.line(one.because, indent=2)
    page.table([_shown([case]) for case in one.evidence[:SHOWN]])
    page.more(one.evidence_count - min(SHOWN, len(one.evidence)))


def _shown(cases: Sequence[PolicyEvidence]) -> tuple[Cell | str, ...]:
    return tuple(
        cell
        for case in cases
        for cell in (case.text, Cell(place(case.source) if case.source.file else "", Tone.FAINT))
    )
