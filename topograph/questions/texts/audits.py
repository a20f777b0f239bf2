"""A judged change as text: the verdict, at most three things to look at, then everything by
group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from topograph.credentials import shown_command
from topograph.questions.lasting import NOT_LASTING
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, listed, place
from topograph.questions.texts.outcomes import moved_outcome
from topograph.questions.texts.policies import policies_to_look_at, policy_section, policy_verdict

if TYPE_CHECKING:
    from topograph.questions.answers.audit import (
        AuditAnswer,
        DeliveryMoved,
        EntryMoved,
        HopsMoved,
        Pair,
        Rejection,
    )
    from topograph.questions.answers.base import Caution
    from topograph.questions.answers.impact import OutcomeChanged

SHOWN = 20
"""Entries of a group before the rest is summed up."""

NO_POLICY = "No policy was checked; say with --policy what must be kept."
"""What stands below a verdict that is about the servers alone."""

LOOK_AT = 3
"""Things named right below the verdict."""

TAKEN = ("DELIVERED", "DEPOSITED")
"""Outcomes of messages that somebody takes, or can take."""


class Heading(StrEnum):
    """What the groups of differences are called."""

    LOST = "No longer reach each other"
    GAINED = "Reach each other now"
    OPEN = "Left open"
    FARTHER = "Farther from each other"
    NEARER = "Nearer to each other"
    ELSEWHERE = "Messages end elsewhere"
    LOSE = "Subscribers lose messages"
    GET = "Subscribers get more messages"
    TWICE = "Subscribers get messages more than once"
    WOULD_LOSE = "Subscribers would lose messages, if there are any"
    WOULD_GET = "Subscribers would get more messages, if there are any"
    SINGLE_POINTS = "Links that become the only way between some servers"
    NO_SINGLE_POINTS = "Links that there is another way around now"
    NAMES = "Names from another neighbour than before"


NOTHING_CHANGES = (
    "Nobody reaches more, fewer or other servers, and no message that was tried goes elsewhere."
)
"""What stands below the verdict where there is nothing to look at."""

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
            "Undetermined: it cannot be said whether a server holds a name over more routes "
            "than before{but}."
        ),
        Tone.UNSURE,
    ),
}
"""The verdicts where two states are compared, whatever the commands were."""

LEFT_BEHIND = (
    "bridge-written-twice",
    "zone-type-changed",
    "name-url-mismatch",
    "pending-messages",
    "property-removed",
)
"""Kinds of what a script leaves behind, worst first."""

_MARKS = {"refused": Tone.BAD, "conflict": Tone.BAD, "undetermined": Tone.UNSURE}


def audit(answer: AuditAnswer, page: Page) -> None:
    """The verdict of a change, and what it changes."""
    sentence, mark = (_TITLES if answer.steps else _COMPARED)[answer.verdict]
    refused = sum(not one.undetermined for one in answer.rejections)
    if answer.verdict == "accept" and answer.steps and answer.before.legal is False:
        sentence = (
            "Accept: the servers would take {commands}, but the network is illegal as it stands "
            "(topograph cycles){and_}."
        )
    said = (
        refused if answer.steps else f"{count(refused, 'name')} {'is' if refused == 1 else 'are'}"
    )
    if answer.verdict == "accept" and not answer.steps and not answer.before.judged:
        sentence = "Accept: no server here has a rule that the difference could break{but}."
    if answer.replayed:
        sentence, mark = _replayed(answer)
    instead, behind = policy_verdict(answer, refused)
    losses = listed(losing(answer))
    undecided = sum(step.result == "undetermined" for step in answer.steps)
    text = sentence.format(
        commands=count(len(answer.steps), "command"),
        refused=said,
        open=f", {undecided} cannot be decided" if undecided else "",
        but=f", but {losses}" if losses else "",
        and_=f", and {losses}" if losses else "",
    )
    page.title(instead or text + behind, mark)
    if any(state.revision for state in answer.compared):
        before, after = (
            state.revision or f"snapshot {state.snapshot}" for state in answer.compared
        )
        page.line(f"{after}, compared with {before}", indent=2)
    told = list(to_look_at(answer))
    for text in told[:LOOK_AT]:
        page.line(f"* {text}", indent=2)
    if not told and not answer.missing and not answer.besides:
        page.line(NOTHING_CHANGES, indent=2)
    if len(told) > LOOK_AT:
        page.line(
            Cell(f"and {count(len(told) - LOOK_AT, 'thing')} more, below", Tone.FAINT), indent=2
        )
    if answer.verdict == "accept" and answer.steps and not answer.policy:
        page.line(Cell(NO_POLICY, Tone.FAINT), indent=2)
    _entries(page, "Part of the change, but missing", answer.missing, "not ")
    _entries(page, "Changed, but not part of the change", answer.besides)
    if answer.steps:
        page.section("Commands")
        page.table([_step(answer, number) for number in range(len(answer.steps))])
    else:
        _doubled(answer.rejections, page)
    for one in answer.rejections if answer.steps else ():
        _rejection(one, page)
    policy_section(answer, page)
    _pairs(page, Heading.LOST, answer.reach.lost, answer.reach.lost_count, Tone.BAD)
    _pairs(page, Heading.GAINED, answer.reach.gained, answer.reach.gained_count)
    _pairs(
        page, Heading.OPEN, answer.reach.undetermined, answer.reach.undetermined_count, Tone.UNSURE
    )
    _hops(page, Heading.FARTHER, answer.hops.longer, answer.hops.longer_count)
    _hops(page, Heading.NEARER, answer.hops.shorter, answer.hops.shorter_count)
    _single_points(page, answer)
    _interest(page, answer)
    if answer.outcomes:
        page.section(Heading.ELSEWHERE, Tone.BAD)
        page.table([moved_outcome(one) for one in answer.outcomes[:SHOWN]])
        page.more(len(answer.outcomes) - SHOWN)
    deliveries = answer.deliveries
    _deliveries(page, Heading.LOSE, deliveries.lost, Tone.BAD)
    _deliveries(page, Heading.GET, deliveries.gained)
    _deliveries(page, Heading.TWICE, deliveries.duplicated, Tone.BAD)
    _deliveries(page, Heading.WOULD_LOSE, answer.would_lose, Tone.BAD)
    _deliveries(page, Heading.WOULD_GET, answer.would_gain)


def losing(answer: AuditAnswer) -> list[str]:
    """What is worse afterwards though the servers take the commands, a clause each: what nobody
    may miss who reads the verdict alone.
    """
    found = []
    if answer.reach.lost_count:
        found.append(_apart(answer.reach.lost_count))
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


def _apart(number: int) -> str:
    """How many pairs of servers no longer reach each other."""
    if number == 1:
        return "1 pair no longer reaches each other"
    return f"{number:,} ordered pairs of servers no longer reach each other"


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
                [f"{count(len(answer.besides), 'entry', 'entries')} changed besides"]
                if answer.besides
                else []
            ),
        ]
        return f"Not what the change was to give: {', '.join(parts)}.", Tone.BAD
    return (
        "As the change was to give it: nothing of it is missing, and nothing else was changed.",
        Tone.GOOD,
    )


def _entries(page: Page, title: str, entries: Sequence[EntryMoved], lead: str = "") -> None:
    if entries:
        page.section(title, Tone.BAD)
        rows = [
            [one.server, one.kind, one.name, f"{lead}{one.change}", place(one.source)]
            for one in entries[:SHOWN]
        ]
        page.table(rows)
        page.more(len(entries) - SHOWN)


def to_look_at(answer: AuditAnswer) -> Iterator[str]:
    """What matters most, worst first, a sentence each."""
    for one in sorted(answer.rejections, key=lambda one: one.undetermined)[:1]:
        more = f" (and {len(answer.rejections) - 1} more)" if len(answer.rejections) > 1 else ""
        yield (
            f"{one.source.file}:{one.source.line}: {why(one)}{more}"
            if answer.steps
            else f"{one.message}{more}"
        )
    yield from policies_to_look_at(answer)
    said = dict.fromkeys(
        (*answer.warnings, *(note for step in answer.steps for note in step.notes))
    )
    lasting = [note for kind in NOT_LASTING for note in said if note.rule == kind]
    for note in lasting[:1]:
        yield _noted(note) + (f" (and {len(lasting) - 1} more like it)" if len(lasting) > 1 else "")
    if answer.reach.lost_count:
        yield f"{_apart(answer.reach.lost_count)}: {_first(answer.reach.lost)}"
    for rows, what in (
        (answer.deliveries.lost, "subscribers lose messages"),
        (answer.would_lose, "subscribers would lose messages, if there are any"),
    ):
        yield from _moved(rows, what)
    if answer.outcomes:
        first = min(
            answer.outcomes,
            key=lambda one: (not no_longer_taken(one), one.destination.startswith("any ")),
        )
        was, becomes = (", ".join(side) or "nothing" for side in (first.before, first.after))
        yield (
            f"messages to {count(len(answer.outcomes), 'destination')} end "
            f"differently, such as {first.destination} at {first.server}: "
            f"{was} becomes {becomes}{f' ({place(first.source)})' if first.source.file else ''}"
        )
    worst = max((step.reach_lost_count for step in answer.steps[:-1]), default=0)
    if worst > answer.reach.lost_count:
        yield f"between two commands {count(worst, 'pair')} of servers cannot reach each other"
    if answer.single_points.new:
        are = "becomes" if len(answer.single_points.new) == 1 else "become"
        yield f"{listed(answer.single_points.new)} {are} the only way between some servers"
    yield from _moved(answer.deliveries.duplicated, "subscribers get messages more than once")
    yield from (_noted(note) for kind in LEFT_BEHIND for note in said if note.rule == kind)
    if answer.reach.gained_count:
        are = "pair reaches" if answer.reach.gained_count == 1 else "ordered pairs of servers reach"
        yield f"{answer.reach.gained_count:,} {are} each other now: {_first(answer.reach.gained)}"
    for rows, what in (
        (answer.deliveries.gained, "subscribers get more messages"),
        (answer.would_gain, "subscribers would get more messages, if there are any"),
    ):
        yield from _moved(rows, what)


def _noted(note: Caution) -> str:
    return f"{note.message} ({place(note.source)})" if note.source else note.message


def _moved(rows: Sequence[DeliveryMoved], what: str) -> Iterator[str]:
    """Who gets other messages than before, in a line."""
    if rows:
        servers = listed(sorted({row.server for row in rows}))
        yield f"at {servers} {what}, such as {message_of(rows[0])} ({place(rows[0].source)})"


def no_longer_taken(one: OutcomeChanged) -> bool:
    """Whether somebody took such messages before, and nobody does afterwards."""
    before, after = (
        any(text.startswith(TAKEN) for text in side) for side in (one.before, one.after)
    )
    return before and not after


def _first(pairs: Sequence[Pair]) -> str:
    start, end = pairs[0]
    return f"{start} and {end}{', ...' if len(pairs) > 1 else ''}"


def why(one: Rejection) -> str:
    """Why a command is refused, when, and what servers would hold twice."""
    if one.duplicates:
        known = {
            at: [entry.paths[0][0] for entry in one.duplicates if entry.server == at]
            for at in one.at
        }
        which = "; ".join(
            f"{at} would know {listed(names)} over two routes"
            for at, names in known.items()
            if names
        )
        later = "" if one.when == "now" else f" {one.when}"
        return f"refused{later} with {one.message}: {which}"
    return f"{'cannot be decided' if one.undetermined else 'refused'}: {one.message}"


def _step(answer: AuditAnswer, number: int) -> Row:
    step = answer.steps[number]
    lost = f"{count(step.reach_lost_count, 'pair')} apart" if step.reach_lost_count else ""
    return (
        f"{step.source.file}:{step.source.line}",
        step.server,
        Cell(step.result, _MARKS.get(step.result, Tone.PLAIN)),
        shown_command(step.command),
        Cell(lost, Tone.UNSURE),
    )


def _rejection(one: Rejection, page: Page) -> None:
    page.section(
        f"{one.source.file}:{one.source.line}  {shown_command(one.command)}",
        Tone.UNSURE if one.undetermined else Tone.BAD,
    )
    said = why(one)
    rule = f"specification {one.rule}" if one.rule[:1].isdigit() else one.rule
    page.line(said if f"({rule})" in said else f"{said} ({rule})", indent=2)
    if not one.duplicates:
        return
    where = (
        "an end of the new route notices it"
        if one.detected == "endpoint"
        else "a server behind the new route notices it"
    )
    page.line(Cell(where, Tone.FAINT), indent=2)
    rows: list[Row] = [
        (
            entry.server,
            entry.name,
            f"  {page.style.separator.strip()}  ".join(
                page.style.path(path) for path in entry.paths
            ),
        )
        for entry in one.duplicates[:SHOWN]
    ]
    page.table(rows)
    page.more(len(one.duplicates) - SHOWN)


def _doubled(rejections: Sequence[Rejection], page: Page) -> None:
    """The names that are held over more routes than before."""
    if rejections:
        page.section("Held over more routes than before", Tone.BAD)
        rows = [
            (entry.server, entry.name, *(page.style.path(path) for path in entry.paths[:2]))
            for one in rejections[:SHOWN]
            for entry in one.duplicates
        ]
        page.table(rows)
        page.more(len(rejections) - SHOWN)


def _pairs(
    page: Page, heading: str, pairs: Sequence[Pair], number: int, mark: Tone = Tone.TITLE
) -> None:
    """Ordered pairs, those of one first server in a line."""
    if not pairs:
        return
    page.section(f"{heading} ({count(number, 'ordered pair')})", mark)
    by_start: dict[str, list[str]] = {}
    for start, end in pairs:
        by_start.setdefault(start, []).append(end)
    page.table(
        [
            (start, page.style.arrow, listed(ends, 8))
            for start, ends in list(by_start.items())[:SHOWN]
        ]
    )
    page.more(len(by_start) - SHOWN)


def _single_points(page: Page, answer: AuditAnswer) -> None:
    """The links that there is no other way around any more, and those that there is one around
    now.
    """
    points = answer.single_points
    if points.new:
        page.section(Heading.SINGLE_POINTS, Tone.BAD)
        page.line(listed(points.new, SHOWN), indent=2)
    if points.gone:
        page.section(Heading.NO_SINGLE_POINTS)
        page.line(listed(points.gone, SHOWN), indent=2)


def _interest(page: Page, answer: AuditAnswer) -> None:
    """The names that a server learns from another neighbour; those that it learns no longer, or
    now, are the pairs of ``reach``.
    """
    before: dict[tuple[str, str], list[str]] = {}
    after: dict[tuple[str, str], list[str]] = {}
    for found, moved in ((before, answer.interest.lost), (after, answer.interest.gained)):
        for one in moved:
            found.setdefault((one.server, one.name), []).append(one.via)
    rows = [
        (server, name, f"from {listed(before[server, name])}", f"now from {listed(via)}")
        for (server, name), via in after.items()
        if (server, name) in before
    ]
    if rows:
        page.section(f"{Heading.NAMES} ({count(len(rows), 'name')})")
        page.table(rows[:SHOWN])
        page.more(len(rows) - SHOWN)


def _hops(page: Page, heading: str, moved: Sequence[HopsMoved], number: int) -> None:
    if not moved:
        return
    page.section(f"{heading} ({count(number, 'ordered pair')})")
    page.table(
        [
            (page.style.path((one.from_, one.to)), count(one.before, "hop"), f"now {one.after}")
            for one in moved[:SHOWN]
        ]
    )
    page.more(number - SHOWN)


def _deliveries(
    page: Page, heading: str, rows: Sequence[DeliveryMoved], mark: Tone = Tone.TITLE
) -> None:
    if not rows:
        return
    page.section(heading, mark)
    page.table(
        [
            (
                one.server,
                one.destination,
                f"such as {message_of(one)}",
                f"for example from {one.from_} ({count(one.publishers, 'server')} in all)"
                if one.publishers > 1
                else f"from {one.from_}",
                one.subscriber,
                Cell(place(one.source), Tone.FAINT),
            )
            for one in rows[:SHOWN]
        ]
    )
    page.more(len(rows) - SHOWN)


def message_of(one: DeliveryMoved) -> str:
    """A message for people: its properties as selectors write them."""
    if not one.witness:
        return f"one to {one.destination}"
    values = [f"{name} = {_literal(value)}" for name, value in sorted(one.witness.items())]
    return f"one to {one.destination} with {', '.join(values)}"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return f"'{value}'" if isinstance(value, str) else str(value)
