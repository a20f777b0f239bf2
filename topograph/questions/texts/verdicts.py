"""The verdict on a change in a sentence, which is never more than the answer says; and what is new
or not known, a line each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.judgement import Polarity
from topograph.questions.texts.layout import Cell, Page, Tone, count, listed, place
from topograph.questions.texts.lost_pairs import pairs_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topograph.questions.answers.audit import (
        AuditAnswer,
        DeliveryMoved,
        FindingBrought,
        LeftOpen,
        Pair,
    )
    from topograph.questions.answers.impact import OutcomeChanged

TAKEN = ("DELIVERED", "DEPOSITED")
"""Outcomes of messages that somebody takes, or can take."""

SHOWN = 20
"""Entries of a group before the rest is summed up."""

_TITLES = {
    "accept": ("Accept: the servers would take {commands}{but}.", Tone.GOOD),
    "reject": ("Reject: {refused} of {commands} would be refused{open}.", Tone.BAD),
    "undetermined": (
        (
            "Undetermined: the loaded files do not say whether the servers would take "
            "{commands}{but}."
        ),
        Tone.UNSURE,
    ),
}

_COMPARED = {
    "accept": ("Accept: no server holds a name over more routes than before{but}.", Tone.GOOD),
    "reject": (
        "Reject: {refused} afterwards held over more routes than before: a route would be refused.",
        Tone.BAD,
    ),
    "undetermined": (
        (
            "Undetermined: it is unknown whether a server holds a name over more routes "
            "than before{but}."
        ),
        Tone.UNSURE,
    ),
}
"""The verdicts where two states are compared, whatever the commands were."""

UNCHANGED = "Accept: the two states have the same configuration."


def verdict(answer: AuditAnswer) -> tuple[str, Tone]:
    """The sentence of a verdict that commands, names held twice, findings or what is not known
    decide: policies have their own.
    """
    if answer.replayed:
        return _replayed(answer)
    instead = _gate(answer)
    if instead is not None:
        return instead
    sentence, mark = (_TITLES if answer.steps else _COMPARED)[answer.verdict]
    if answer.verdict == "accept" and answer.steps and answer.before.legal is False:
        sentence = (
            "Accept: the servers would take {commands}, but the network is already illegal "
            "(topograph cycles){and_}."
        )
    if answer.verdict == "accept" and not answer.steps and not answer.before.judged:
        sentence = "Accept: no server here has a rule that the difference could break{but}."
    if answer.unchanged and answer.verdict == "accept":
        sentence = UNCHANGED
    refused = sum(not one.undetermined for one in answer.rejections)
    said = (
        refused if answer.steps else f"{count(refused, 'name')} {'is' if refused == 1 else 'are'}"
    )
    undecided = sum(step.result == "undetermined" for step in answer.steps)
    worse = listed([*_new(answer.findings), *losing(answer)])
    text = sentence.format(
        commands=count(len(answer.steps), "command"),
        refused=said,
        open=f", {undecided} cannot be decided" if undecided else "",
        but=f", but {worse}" if worse else "",
        and_=f", and {worse}" if worse else "",
    )
    return text, mark


def _gate(answer: AuditAnswer) -> tuple[str, Tone] | None:
    """The sentence where a finding, or what is not known or was not looked at, decides the
    verdict; None where commands or names held twice do.
    """
    if answer.verdict == "reject":
        stops = [one for one in answer.findings if one.effect == "rejects"]
        if not stops or any(not one.undetermined for one in answer.rejections):
            return None
        keep = "keeps" if len(stops) == 1 else "keep"
        return f"Reject: {listed([*_new(stops)])} that {keep} something from working.", Tone.BAD
    if answer.verdict != "undetermined":
        return None
    left = [one for one in answer.left_open if one.polarity == Polarity.NOT_LOOKED_AT]
    if left:
        remedy = f"; {left[0].remedy}" if left[0].remedy else ""
        return f"Undetermined: {left[0].because}{remedy}.", Tone.UNSURE
    if answer.rejections:
        return None
    bad = [one for one in answer.findings if one.effect == "undetermined"]
    if bad:
        return f"Undetermined: {listed([*_new(bad)])}.", Tone.UNSURE
    if answer.left_open:
        return f"Undetermined: {answer.left_open[0].because}.", Tone.UNSURE
    return None


def _new(findings: Sequence[FindingBrought]) -> Iterator[str]:
    """How many findings a change brings, by severity."""
    for severity in ("error", "warning"):
        number = sum(one.severity == severity for one in findings)
        if number:
            yield f"the change brings {count(number, severity)}"


def _replayed(answer: AuditAnswer) -> tuple[str, Tone]:
    """The verdict on a saved change beside what is there."""
    if answer.missing or answer.besides:
        parts = [
            *(
                [f"{count(len(answer.missing), 'entry', 'entries')} of it missing"]
                if answer.missing
                else []
            ),
            *(
                [f"{count(len(answer.besides), 'entry', 'entries')} changed as well"]
                if answer.besides
                else []
            ),
        ]
        return f"Not what the change was to give: {', '.join(parts)}.", Tone.BAD
    if answer.left_open:
        return f"Undetermined: {answer.left_open[0].because}.", Tone.UNSURE
    return (
        "As the change was to give it: nothing of it is missing, and nothing else was changed.",
        Tone.GOOD,
    )


def findings_to_look_at(answer: AuditAnswer) -> Iterator[str]:
    """One line for the findings that a change brings, the worst of them first."""
    if not answer.findings:
        return
    rank = {"rejects": 0, "undetermined": 1, "told": 2}
    first = min(answer.findings, key=lambda one: rank[one.effect])
    others = len(answer.findings) - 1
    at = f" ({place(first.source)})" if first.source.file else ""
    more = f" (and {others:,} more)" if others else ""
    yield f"new {first.severity}{more}: {first.message.rstrip('.')}{at}"


def gate_sections(answer: AuditAnswer, page: Page) -> None:
    """What is new in the findings, and what nobody can say, each with its place."""
    if answer.left_open:
        page.section("Not known", Tone.UNSURE)
        page.table([_open(one) for one in answer.left_open[:SHOWN]])
        page.more(len(answer.left_open) - SHOWN)
    if answer.findings:
        page.section("New findings", Tone.BAD)
        page.table(
            [
                (
                    Cell(one.severity, Tone.BAD if one.severity == "error" else Tone.UNSURE),
                    one.rule,
                    one.server,
                    one.message,
                    place(one.source) if one.source.file else "",
                )
                for one in answer.findings[:SHOWN]
            ]
        )
        page.more(len(answer.findings) - SHOWN)


def _open(one: LeftOpen) -> tuple[str, str]:
    remedy = f" ({one.remedy})" if one.remedy else ""
    return f"{one.because}{remedy}", place(one.source) if one.source.file else ""


def losing(answer: AuditAnswer) -> list[str]:
    """What is worse afterwards though the servers take the commands, a clause each: what nobody
    may miss who reads the verdict alone.
    """
    found = []
    if answer.reach.lost_count:
        found.append(apart(answer.reach.lost_count, answer.reach.lost))
    if answer.deliveries.lost:
        found.append(f"{_at(answer.deliveries.lost)} lose messages")
    elif answer.would_lose:
        found.append(f"{_at(answer.would_lose)} would lose messages, if there are any")
    lost = sum(map(no_longer_taken, answer.outcomes))
    if lost:
        found.append(f"messages to {count(lost, 'destination')} no longer arrive")
    return found


def _at(rows: Sequence[DeliveryMoved]) -> str:
    return f"subscribers at {listed(sorted({row.server for row in rows}))}"


def apart(number: int, lost: Sequence[Pair] = ()) -> str:
    """How many pairs of servers no longer reach each other, and which, if all are given and are
    few."""
    which = pairs_in_words(lost) if len(lost) == number else ""
    behind = f" ({which})" if which else ""
    if number == 1:
        return f"1 pair no longer reaches each other{behind}"
    return f"{number:,} ordered pairs of servers no longer reach each other{behind}"


def ends_better(one: OutcomeChanged) -> bool:
    """Whether such messages only gain: everybody who took them before still does, they end in no
    new way in which nobody takes them, and it is known how they end.

    >>> from topograph.findings import Source
    >>> from topograph.questions.answers.impact import OutcomeChanged
    >>> dead, taken = ("DLQ(DEAD) at A",), ("DELIVERED(Q@B) at B",)
    >>> [ends_better(OutcomeChanged("A", "Q", *sides, "", Source("")))
    ...  for sides in ((dead, taken), (taken, dead), (taken, ()), (dead, ("DISCARDED at A",)))]
    [True, False, False, False]
    """
    if one.goes_otherwise or one.service:
        return False
    before, after = set(one.before), set(one.after)
    taken = {text for text in before if text.startswith(TAKEN)}
    return taken <= after and all(text.startswith(TAKEN) for text in after - before)


def no_longer_taken(one: OutcomeChanged) -> bool:
    """Whether somebody took such messages before, and nobody does afterwards."""
    before, after = (
        any(text.startswith(TAKEN) for text in side) for side in (one.before, one.after)
    )
    return before and not after
