"""A judged change as text: the verdict, at most three things to look at, then everything by
group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from topograph.credentials import shown_command
from topograph.digits import is_digits
from topograph.judgement import Polarity
from topograph.outcomes import Outcome
from topograph.questions.lasting import NOT_LASTING
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, listed, place
from topograph.questions.texts.outcomes import changed_outcome, moved_outcome
from topograph.questions.texts.policies import policies_to_look_at, policy_section, policy_verdict
from topograph.questions.texts.verdicts import (
    apart,
    ends_better,
    findings_to_look_at,
    gate_sections,
    no_longer_taken,
    verdict,
)
from topograph.records import record

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


class Heading(StrEnum):
    """What the groups of differences are called."""

    LOST = "No longer reach each other"
    GAINED = "Reach each other now"
    OPEN = "Left open"
    FARTHER = "Farther from each other"
    NEARER = "Nearer to each other"
    ELSEWHERE = "Messages end elsewhere"
    BETTER = "Messages end better"
    OTHER_WAY = "Messages end as before and go another way"
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
"""What stands below the verdict where all was compared and there is nothing to look at."""

SAME = "Nobody reaches more, fewer or other servers, and no message goes elsewhere."
"""The same where the two states that are compared say the same."""

NOTHING_UNTIL_THEN = "The part compared until then is unchanged."
"""The same where not all was compared."""

LEFT_BEHIND = (
    "bridge-written-twice",
    "zone-type-changed",
    "name-url-mismatch",
    "pending-messages",
    "property-removed",
    "queue-manager-suspended",
    "server-stops",
)
"""Kinds of what a script leaves behind, worst first."""

_MARKS = {"refused": Tone.BAD, "conflict": Tone.BAD, "undetermined": Tone.UNSURE}


def compared(answer: AuditAnswer) -> str:
    """Which two states are compared, where one of them is a revision; empty otherwise."""
    if not any(state.revision for state in answer.compared):
        return ""
    before, after = (state.revision or f"snapshot {state.snapshot}" for state in answer.compared)
    return f"{after}, compared with {before}"


def audit(answer: AuditAnswer, page: Page) -> None:
    """The verdict of a change, and what it changes."""
    sentence, mark = first_sentence(answer)
    page.title(sentence, mark)
    if states := compared(answer):
        page.line(states, indent=2)
    told = list(to_look_at(answer))
    for text in told[:LOOK_AT]:
        page.line(f"* {text}", indent=2)
    if not told and not answer.missing and not answer.besides:
        page.line(nothing_to_tell(answer), indent=2)
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
    gate_sections(answer, page)
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
    ended = Ended.of(answer.outcomes)
    for heading, mark, rows in (
        (Heading.ELSEWHERE, Tone.BAD, ended.elsewhere),
        (Heading.BETTER, Tone.GOOD, ended.better),
        (Heading.OTHER_WAY, Tone.UNSURE, ended.other_way),
    ):
        if rows:
            page.section(heading, mark)
            page.table([moved_outcome(one) for one in rows[:SHOWN]])
            page.more(len(rows) - SHOWN)
    deliveries = answer.deliveries
    _deliveries(page, Heading.LOSE, deliveries.lost, Tone.BAD)
    _deliveries(page, Heading.GET, deliveries.gained)
    _deliveries(page, Heading.TWICE, deliveries.duplicated, Tone.BAD)
    _deliveries(page, Heading.WOULD_LOSE, answer.would_lose, Tone.BAD)
    _deliveries(page, Heading.WOULD_GET, answer.would_gain)


def first_sentence(answer: AuditAnswer) -> tuple[str, Tone]:
    """The verdict in a sentence, with what policies make of it."""
    refused = sum(not one.undetermined for one in answer.rejections)
    sentence, mark = verdict(answer)
    instead, behind = policy_verdict(answer, refused)
    return instead or sentence + behind, mark


def lead(answer: AuditAnswer, apart: Sequence[str], caveats: Sequence[str]) -> Sequence[str]:
    """The lines that an answer begins with: that it is of no one estate, the verdict, and what
    keeps it from being certain.
    """
    return (*apart, first_sentence(answer)[0], *caveats)


def nothing_to_tell(answer: AuditAnswer) -> str:
    """What is said where nothing that was compared differs."""
    if answer.unchanged:
        return SAME
    left = any(one.polarity == Polarity.NOT_LOOKED_AT for one in answer.left_open)
    return NOTHING_UNTIL_THEN if left or answer.cut else NOTHING_CHANGES


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
    refused = any(not one.undetermined for one in answer.rejections)
    if not refused:
        yield from findings_to_look_at(answer)
    for one in sorted(answer.rejections, key=lambda one: one.undetermined)[:1]:
        more = f" (and {len(answer.rejections) - 1} more)" if len(answer.rejections) > 1 else ""
        yield (
            f"{one.source.file}:{one.source.line}: {why(one)}{more}"
            if answer.steps
            else f"{one.message}{more}"
        )
    if refused:
        yield from findings_to_look_at(answer)
    yield from policies_to_look_at(answer)
    said = dict.fromkeys(
        (*answer.warnings, *(note for step in answer.steps for note in step.notes))
    )
    lasting = [note for kind in NOT_LASTING for note in said if note.rule == kind]
    for note in lasting[:1]:
        yield _noted(note) + (f" (and {len(lasting) - 1} more like it)" if len(lasting) > 1 else "")
    yield from _unloaded(answer)
    if answer.reach.lost_count:
        yield f"{apart(answer.reach.lost_count)}: {_first(answer.reach.lost)}"
    for rows, what in (
        (answer.deliveries.lost, "subscribers lose messages"),
        (answer.would_lose, "subscribers would lose messages, if there are any"),
    ):
        yield from _moved(rows, what)
    yield from _outcomes(answer)
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


def _unloaded(answer: AuditAnswer) -> Iterator[str]:
    """Servers whose configuration the change takes away: those first that others still lead to."""
    gone = sorted(
        one.server for one in answer.servers.removed if one.loaded and not one.still_named
    )
    rows = [one for one in answer.servers.removed if one.still_named]
    if rows:
        names = listed(sorted(one.server for one in rows))
        are, them = ("is", "it") if len(rows) == 1 else ("are", "them")
        yield (
            f"the configuration of {names} {are} gone, and other servers still lead to {them}: "
            f"what reaches {them} cannot be decided ({place(rows[0].source)})"
        )
    if gone:
        source = next(one.source for one in answer.servers.removed if one.server == gone[0])
        are, them = ("is", "it") if len(gone) == 1 else ("are", "them")
        yield (
            f"the configuration of {listed(gone)} {are} gone, and no other server leads to {them} "
            f"any longer ({place(source)})"
        )


@record
class Ended:
    """Messages that a change concerns, by what it does to them."""

    elsewhere: Sequence[OutcomeChanged]
    """They end in another way, which is worse or not known to be better."""
    better: Sequence[OutcomeChanged]
    """They only gain (``ends_better``)."""
    other_way: Sequence[OutcomeChanged]
    """They end as before."""

    @classmethod
    def of(cls, outcomes: Sequence[OutcomeChanged]) -> Ended:
        """Each in the first group that it belongs to. Linear in the outcomes."""
        ways = [one for one in outcomes if one.goes_otherwise]
        better = [one for one in outcomes if ends_better(one)]
        others = [one for one in outcomes if not one.goes_otherwise and not ends_better(one)]
        return cls(others, better, ways)


def _outcomes(answer: AuditAnswer) -> Iterator[str]:
    """Messages that end elsewhere, those first that nobody takes any longer, then those that end
    better, and messages that only go another way.
    """
    ended = Ended.of(answer.outcomes)
    for rows, what in (
        (ended.elsewhere, "end differently"),
        (ended.better, "end better"),
        (ended.other_way, "go another way"),
    ):
        if not rows:
            continue
        first = min(rows, key=worst_first)
        behind = first.cause if first.cause.file else first.source
        line = f" ({place(behind)})" if behind.file else ""
        yield (
            f"messages to {count(len(rows), 'destination')} {what}, such as "
            f"{first.destination} at {first.server}: {changed_outcome(first)}{line}"
        )


def worst_first(one: OutcomeChanged) -> tuple[bool, ...]:
    """The order of messages that end otherwise: those that go round first, then those that nobody
    takes any longer; those that only go another way last; of each kind those to single names
    first, at their own server."""
    stands_for_many = one.destination.startswith(("any ", "a queue that "))
    return (
        not circulates(one),
        not no_longer_taken(one),
        one.goes_otherwise,
        stands_for_many,
        "@" in one.destination,
    )


def _noted(note: Caution) -> str:
    return f"{note.message} ({place(note.source)})" if note.source else note.message


def _moved(rows: Sequence[DeliveryMoved], what: str) -> Iterator[str]:
    """Who gets other messages than before, in a line."""
    if rows:
        servers = listed(sorted({row.server for row in rows}))
        yield f"at {servers} {what}, such as {message_of(rows[0])} ({place(rows[0].source)})"


def circulates(one: OutcomeChanged) -> bool:
    """Whether such messages go round for ever afterwards."""
    return any(text.startswith(Outcome.LOOP) for text in one.after)


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
    rule = f"specification {one.rule}" if is_digits(one.rule[:1]) else one.rule
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
    values = [f"{name} = {_literal(value)}" for name, value in sorted(one.witness.items())]
    like = f" with {', '.join(values)}" if values else ""
    copied = f", copied to {one.destination}" if one.published else ""
    return f"one to {one.published or one.destination}{like}{copied}"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return f"'{value}'" if isinstance(value, str) else str(value)
