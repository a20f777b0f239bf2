"""The text of a message that is followed course by course (``propagate`` on routers), and of
``trace``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from topograph.judgement import Condition, Told
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.texts.fates import AT_RUN_TIME, NOBODY, Fate, clauses, in_words
from topograph.questions.texts.layout import (
    STEPS_SHOWN,
    Cell,
    Page,
    Row,
    Tone,
    count,
    listed,
    place,
    steps_section,
    weak,
)
from topograph.questions.texts.walks import NO_VALUE, undetermined, unsure

if TYPE_CHECKING:
    from topograph.questions.answers import (
        Delivery,
        PropagateAnswer,
        TraceAnswer,
        TraceStep,
    )

TAKEN = (Outcome.DELIVERED, Outcome.DEPOSITED)
"""Outcomes in which somebody has the message."""

BLOCKED = (Outcome.NO_CREDIT, Outcome.REFUSED)


def followed(answer: PropagateAnswer, page: Page) -> None:
    """What the sender sees and who gets the message; then the choices, the steps, and what each
    router decided.
    """
    destination = str(answer.message.get("destination", "the message"))
    page.title(_sentence(answer, destination), Tone.TITLE if answer.deliveries else Tone.BAD)
    sender = answer.sender
    if sender is not None and sender.outcome in (*BLOCKED, Outcome.UNDETERMINED):
        said = f"{sender.outcome}: {sender.condition} {sender.description}".replace(":  ", ": ")
        page.line(
            Cell(said, Tone.BAD if sender.outcome in BLOCKED else Tone.UNSURE),
            f"  {sender.rule}",
            Cell(f"  {place(sender.source)}", Tone.FAINT),
            indent=2,
        )
    elif sender is not None:
        why = f" ({sender.description})" if sender.description else ""
        where = Cell(f"  {place(sender.source)}", Tone.FAINT) if why else ""
        page.line(
            f"The sender sees: {sender.outcome}{why}",
            f"  {sender.rule}" if sender.rule else "",
            where,
            indent=2,
        )
    known = [one for one in answer.deliveries if one.subscriber != "assumed"]
    assumed = [one for one in answer.deliveries if one.subscriber == "assumed"]
    if known:
        ends = {one.outcome for one in known}
        heading = (
            "Delivered"
            if Outcome.DEPOSITED not in ends
            else "Stored"
            if len(ends) == 1
            else "Stored and delivered"
        )
        page.section(heading, Tone.GOOD)
        page.table([_row(one, page) for one in known], right=(2,))
    if assumed:
        page.section("A receiver attached there alone would get it", Tone.GOOD)
        page.table([_row(one, page) for one in assumed], right=(2,))
    if answer.alternatives:
        page.section("Exactly one of these happens; which one is decided at run time", Tone.UNSURE)
        page.table(
            [
                (
                    f"{number}.",
                    ", ".join(
                        f"{name}: {count(copies, 'copy', 'copies')}"
                        for name, copies in one.received.items()
                    ),
                    ", ".join(f"{name}: stored" for name in one.deposited),
                    one.outcome,
                )
                for number, one in enumerate(answer.alternatives, 1)
            ]
        )
    undetermined(page, answer.undetermined, answer.system)
    steps = (step for one in answer.deliveries for step in one.steps)
    steps_section(page, steps, "Steps to where it is delivered")
    decisions = list(dict.fromkeys(decision for one in known for decision in one.decisions))
    if decisions:
        page.section("Decisions")
        page.table(
            [
                (one.at, one.text, one.rule, Cell(place(one.source), Tone.FAINT))
                for one in decisions[:STEPS_SHOWN]
            ]
        )
        page.more(len(decisions) - STEPS_SHOWN)


def _sent(answer: PropagateAnswer | TraceAnswer) -> str:
    """What was sent: a message, or several."""
    number = answer.message.get("count", 1)
    return "A message" if number == 1 else f"A series of {number:,} messages"


def _sentence(answer: PropagateAnswer, destination: str) -> str:
    what = f"{_sent(answer)} to {destination} sent at {answer.from_}"
    known = [one for one in answer.deliveries if Condition.IF not in one.conditions]
    doubts = unsure(answer, (), answer.ends)
    if answer.sender is not None and answer.sender.outcome in BLOCKED and not answer.deliveries:
        return f"{what} is not sent: {_seen(answer)}{doubts}."
    if (
        answer.sender is not None
        and answer.sender.outcome == Outcome.UNDETERMINED
        and not answer.deliveries
    ):
        return f"Whether {what[0].lower()}{what[1:]} gets anywhere is not known."
    if not known and answer.deliveries:
        servers = list(dict.fromkeys(one.server for one in answer.deliveries))
        seen = f": {_seen(answer)}" if _seen(answer) else ""
        return f"{what} would reach a receiver at {listed(servers)}; none is known{seen}{doubts}."
    if not known and answer.undetermined:
        return f"Whether {what[0].lower()}{what[1:]} gets anywhere is not known."
    if not known:
        return (
            f"{what} is delivered nowhere{f': {_seen(answer)}' if _seen(answer) else ''}{doubts}."
        )
    whence = [one for one in known if Condition.ONE_OF in one.conditions]
    always = [_place(one) for one in known if Condition.ONE_OF not in one.conditions]
    one_of = [*dict.fromkeys(map(_place, whence))]
    back = [
        *dict.fromkeys(
            one.outcome
            for one in answer.ends
            if Condition.ONE_OF in one.conditions and one.outcome != Outcome.UNDETERMINED
        )
    ]
    parts = []
    if always:
        parts.append(f"to {listed([*dict.fromkeys(always)])}")
    if one_of:
        parts.append(f"to {listed(one_of, joined='or')}")
    goes = "may go" if one_of and not always and len([*one_of, *back]) == 1 else "goes"
    otherwise = f" or {' or '.join(map(in_words, back))}" if back else ""
    chosen = AT_RUN_TIME if one_of or back else ""
    return f"{what} {goes} {' and '.join(parts)}{otherwise}{chosen}{doubts}."


def _seen(answer: PropagateAnswer) -> str:
    """What the sender sees; empty where that is not known."""
    seen = answer.sender.outcome if answer.sender is not None else ""
    if seen in ("", Outcome.UNDETERMINED):
        return ""
    blocked = {Outcome.REFUSED: "is refused", Outcome.NO_CREDIT: "gets no credit"}
    return f"the sender {blocked.get(Outcome(seen)) if seen in BLOCKED else f'sees {seen}'}"


def _place(one: Delivery) -> str:
    if one.outcome == Outcome.DEPOSITED:
        return f"the container {one.receiver}"
    return (
        one.receiver
        if one.receiver.endswith(f"at {one.server}")
        else f"{one.receiver} at {one.server}"
    )


def _row(one: Delivery, page: Page) -> Row:
    stored = one.outcome == Outcome.DEPOSITED
    return (
        one.server,
        f"stored by {one.receiver} as {one.destination.partition(':')[2]}"
        if stored
        else one.receiver,
        count(one.hops, "hop"),
        page.style.path(one.path),
        Cell(f"{one.copies} copies", Tone.UNSURE) if one.copies != 1 else "",
        Cell(one.choice.replace("_", " "), Tone.UNSURE) if one.choice != "always" else "",
        one.subscriber if not stored else "",
    )


def trace(answer: TraceAnswer, page: Page) -> None:
    """How the message ends, then everything that happens to it; where courses differ, each."""
    destination = str(answer.message.get("destination", "the message"))
    ends = _ends(answer)
    courses = [answer.branches[number] for number in answer.alternatives]
    if courses and all(branch.kind == "later" for branch in courses):
        ends = f"{ends}; each receiver is followed alone"
    elif courses:
        when = "" if AT_RUN_TIME in ends else ", decided at run time"
        ends = f"{ends}; it takes one of {len(courses)} courses{when}"
    mark = Tone.TITLE if answer.outcomes else Tone.BAD
    page.title(
        f"{_sent(answer)} to {destination} sent at {answer.from_} {ends}{unsure(answer)}.", mark
    )
    for number, branch in enumerate(courses, 1):
        heading = f"Course {number}" + (f", {branch.condition}" if branch.condition else "")
        steps, endings = _course(answer, branch.id)
        _steps(page, steps, heading)
        if [step.outcome for step in steps[-1:]] != endings:
            page.line(f"ends in {' and '.join(endings) or branch.sender or 'nothing'}", indent=2)
    if not courses:
        readings = _readings(answer)
        _steps(page, [step for step in answer.steps if step.branch not in readings], "Steps")
        for top in sorted(set(readings.values())):
            steps = [step for step in answer.steps if readings.get(step.branch) == top]
            _steps(page, steps, f"Otherwise, if {answer.branches[top].condition}")
        told = {step.outcome for step in answer.steps[:STEPS_SHOWN]}
        if len(answer.outcomes) > 1 and not told.issuperset(answer.outcomes):
            page.section("Ends")
            page.names(answer.outcomes)
        later = [branch for branch in answer.branches if branch.kind == "later"]
        if later:
            page.section("Later")
            page.table(
                [
                    (branch.condition, " and ".join(_course(answer, branch.id)[1]))
                    for branch in later
                ]
            )
    eliminated = list(
        dict.fromkeys(branch.eliminated for branch in answer.branches if branch.eliminated)
    )
    if eliminated:
        page.section("Other instances, and the step of the choice that eliminated each")
        page.names(eliminated)
    destinations = Counter(reply.destination for reply in answer.replies)
    for reply in answer.replies:
        where = reply.destination or reply.server
        if destinations[reply.destination] > 1 and reply.destination:
            where = f"{where} at {reply.server}"
        if not reply.outcome:
            page.section(f"The message taken at {where} asks for no reply")
            continue
        _steps(page, reply.steps, f"Reply from {where}: {' and '.join(reply.outcomes)}")
        undetermined(page, reply.undetermined, answer.system)
    undetermined(page, answer.undetermined, answer.system)


def _ends(answer: TraceAnswer) -> str:
    """How the message ends, and at which servers: of each outcome where it has it. Linear in the
    trace.
    """
    aside = _within(answer, "reading") | _deferred(answer)
    kinds = answer.outcome.split(" and ")
    if Outcome.ONE_OF in kinds:
        kinds = [*dict.fromkeys(one.partition("(")[0] for one in answer.outcomes)]
    fates = []
    for branch in answer.branches:
        kind = branch.ending.partition("(")[0]
        shown = branch.ending in answer.outcomes and kind in kinds and branch.last >= 0
        if shown and branch.id not in aside:
            at = branch.server or answer.steps[branch.last].at
            # The word says itself that nothing is known.
            known = branch.judgement and kind != Outcome.UNDETERMINED
            told = branch.judgement if known else Told.YES
            fates.append(Fate(kind, at, told, branch.conditions))
    if not fates:
        return " and ".join(map(in_words, kinds))
    last = {branch.last for branch in answer.branches if branch.ending}
    passed = [
        *dict.fromkeys(
            step.outcome
            for step in answer.steps
            if step.outcome and not step.to and step.id not in last
        )
    ]
    address = str(answer.message.get("destination", "")).startswith("address:")
    nobody = "no receiver is known" if address else NOBODY
    return "; ".join(clauses(fates, nobody=nobody)) + (
        f"; on its way it {listed([*map(in_words, passed)])}" if passed else ""
    )


def _deferred(answer: TraceAnswer) -> set[int]:
    """The branches that are taken later, and those that leave them, but for receivers that are
    supposed to be there: these decide what the message ends in."""
    return {
        one
        for one in _within(answer, "later")
        if Condition.LATER in answer.branches[one].conditions or not answer.branches[one].ending
    }


def _within(answer: TraceAnswer, kind: str) -> set[int]:
    """The branches of a kind, and those that leave them. Linear in the branches."""
    found: set[int] = set()
    for one in answer.branches:
        if one.kind == kind or one.of in found:
            found.add(one.id)
    return found


def _readings(answer: TraceAnswer) -> dict[int, int]:
    """The branches that another reading of the documents takes, each with the branch that begins
    it. Linear in the branches.
    """
    found: dict[int, int] = {}
    for one in answer.branches:
        if one.of in found:
            found[one.id] = found[one.of]
        elif one.kind == "reading":
            found[one.id] = one.id
    return found


def _course(answer: TraceAnswer, branch: int) -> tuple[list[TraceStep], list[str]]:
    """The steps of a branch and of those that leave it, in order, and how they end. Linear in
    the trace.
    """
    own = {branch}
    wanted: set[int] = set()
    endings: dict[str, None] = {}
    for one in answer.branches:
        if one.id == branch or one.of in own:
            own.add(one.id)
            if one.ending:
                endings[one.ending] = None
            step = one.last
            while step >= 0 and step not in wanted:
                wanted.add(step)
                step = answer.steps[step].after
    return [step for step in answer.steps if step.id in wanted], list(endings)


def _steps(page: Page, steps: Sequence[TraceStep], heading: str) -> None:
    page.section(heading)
    folded, again = _folded(steps)
    rows: list[Row] = []
    for step in _chosen(folded):
        rows.append(
            (
                step.at,
                step.text,
                step.outcome,
                step.rule,
                Cell(weak(step.confidence), Tone.UNSURE),
                Cell(place(step.source), Tone.FAINT),
            )
        )
        if step.id in again:
            length, times = again[step.id]
            these = "this step comes" if length == 1 else f"these {length} steps come"
            rows.append(
                ("", Cell(f"{these} {count(times, 'more time')}", Tone.FAINT), "", "", "", "")
            )
    page.table(rows)
    page.more(len(folded) - STEPS_SHOWN)
    if any(
        step.condition == NotForwarded.SELECTOR and step.value == Truth.UNKNOWN for step in folded
    ):
        page.line(Cell(f"UNKNOWN: a property in the selector has {NO_VALUE}", Tone.FAINT), indent=2)


LONGEST_ROUND = 12
"""Steps that one round of a loop may have to be told once."""


def _folded(steps: Sequence[TraceStep]) -> tuple[list[TraceStep], dict[int, tuple[int, int]]]:
    """The steps, of a round that comes three times or more in a row the first one only; and by
    the last step of such a round how many steps it has and how often they come again. Linear in
    the steps."""
    keys = [(step.at, step.text, step.rule, step.outcome, step.source) for step in steps]
    shown: list[TraceStep] = []
    again: dict[int, tuple[int, int]] = {}
    place = 0
    while place < len(steps):
        for length in range(1, LONGEST_ROUND + 1):
            one, times = keys[place : place + length], 1
            while keys[place + times * length : place + (times + 1) * length] == one:
                times += 1
            if times > 2:
                shown += steps[place : place + length]
                again[shown[-1].id] = length, times - 1
                place += length * times
                break
        else:
            shown.append(steps[place])
            place += 1
    return shown, again


def _chosen(steps: Sequence[TraceStep]) -> list[TraceStep]:
    """The steps to show where there are too many: first of all those at which the message, or a
    copy of it, does not get on.
    """
    going_on = (Outcome.FORWARDED, *TAKEN)
    ends = [step.id for step in steps if step.outcome and not step.outcome.startswith(going_on)]
    first = dict.fromkeys([*ends, *(step.id for step in steps)])
    shown = set(list(first)[:STEPS_SHOWN])
    return [step for step in steps if step.id in shown]
