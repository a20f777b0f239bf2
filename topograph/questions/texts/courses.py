"""The text of a message that is followed course by course (``propagate`` on routers), of
``trace`` and of ``impact``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.texts.layout import (
    STEPS_SHOWN,
    Cell,
    Mark,
    Page,
    Row,
    count,
    listed,
    place,
    plural_of,
    steps_section,
    weak,
)
from topograph.questions.texts.outcomes import moved_outcome
from topograph.questions.texts.walks import NO_VALUE, undetermined, unsure
from topograph.systems.registry import server_noun
from topograph.words.articles import with_article

if TYPE_CHECKING:
    from topograph.questions.answers import (
        Delivery,
        FailureCounted,
        ImpactAnswer,
        Interruption,
        Lost,
        PropagateAnswer,
        Rerouted,
        Retained,
        TraceAnswer,
        TraceBranch,
        TraceStep,
    )

TAKEN = (Outcome.DELIVERED, Outcome.DEPOSITED)
"""Outcomes in which somebody has the message."""

BLOCKED = (Outcome.NO_CREDIT, Outcome.REFUSED)
PAIRS_SHOWN = 40
"""Pairs of servers listed before the rest is counted."""


def followed(answer: PropagateAnswer, page: Page) -> None:
    """What the sender sees and who gets the message; then the choices, the steps, and what each
    router decided.
    """
    destination = str(answer.message.get("destination", "the message"))
    page.title(_sentence(answer, destination), Mark.TITLE if answer.deliveries else Mark.BAD)
    sender = answer.sender
    if sender is not None and sender.outcome in (*BLOCKED, Outcome.UNDETERMINED):
        said = f"{sender.outcome}: {sender.condition} {sender.description}".replace(":  ", ": ")
        page.line(
            Cell(said, Mark.BAD if sender.outcome in BLOCKED else Mark.UNSURE),
            f"  {sender.rule}",
            Cell(f"  {place(sender.source)}", Mark.FAINT),
            indent=2,
        )
    elif sender is not None:
        why = f" ({sender.description})" if sender.description else ""
        where = Cell(f"  {place(sender.source)}", Mark.FAINT) if why else ""
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
        page.section(heading, Mark.GOOD)
        page.table([_row(one, page) for one in known], right=(2,))
    if assumed:
        page.section("A receiver attached there alone would get it", Mark.GOOD)
        page.table([_row(one, page) for one in assumed], right=(2,))
    if answer.alternatives:
        page.section("Exactly one of these happens; which one is decided at run time", Mark.UNSURE)
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
                (one.at, one.text, one.rule, Cell(place(one.source), Mark.FAINT))
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
    known = [one for one in answer.deliveries if one.subscriber != "assumed"]
    if answer.sender is not None and answer.sender.outcome in BLOCKED and not answer.deliveries:
        refused = answer.sender.outcome == Outcome.REFUSED
        return f"{what} is not sent: the sender {'is refused' if refused else 'gets no credit'}."
    if (
        answer.sender is not None
        and answer.sender.outcome == Outcome.UNDETERMINED
        and not answer.deliveries
    ):
        return f"Whether {what[0].lower()}{what[1:]} gets anywhere is not known."
    if not known and answer.deliveries:
        servers = list(dict.fromkeys(one.server for one in answer.deliveries))
        return f"{what} would reach a receiver at {listed(servers)}; none is known."
    if not known and answer.undetermined:
        return f"Whether {what[0].lower()}{what[1:]} gets anywhere is not known."
    if not known:
        return f"{what} is delivered nowhere."
    one_of = [_place(one) for one in known if one.choice != "always"]
    always = [_place(one) for one in known if one.choice == "always"]
    parts = []
    if always:
        parts.append(listed(list(dict.fromkeys(always))))
    if one_of:
        names = list(dict.fromkeys(one_of))
        parts.append(
            names[0]
            if len(names) == 1
            else " or ".join((listed(names[:-1]).replace(" and ", ", "), names[-1]))
        )
    return f"{what} goes to {' and to '.join(parts)}."


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
        Cell(f"{one.copies} copies", Mark.UNSURE) if one.copies != 1 else "",
        Cell(one.choice.replace("_", " "), Mark.UNSURE) if one.choice != "always" else "",
        one.subscriber if not stored else "",
    )


def trace(answer: TraceAnswer, page: Page) -> None:
    """How the message ends, then everything that happens to it; where courses differ, each."""
    destination = str(answer.message.get("destination", "the message"))
    ends = _ends(answer)
    courses = [answer.branches[number] for number in answer.alternatives]
    if courses and all(branch.kind == "later" for branch in courses):
        ends = (
            f"has no known receiver; it would reach one at {listed(_at(answer, courses))}, each "
            "of which is followed alone"
        )
    elif courses:
        ends = f"takes one of {len(courses)} courses; which one is decided at run time"
    elif answer.outcome == Outcome.ONE_OF and len(answer.outcomes) == 1:
        ends = f"ends in {answer.outcomes[0]}; where is decided at run time"
    elif answer.outcome == Outcome.ONE_OF:
        ends = f"ends in one of {len(answer.outcomes)} ways; which one is decided at run time"
    mark = Mark.TITLE if answer.outcomes else Mark.BAD
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
    later = _within(answer, "reading") | _within(answer, "later")
    places: dict[str, dict[str, None]] = {}
    for branch in answer.branches:
        if branch.ending in answer.outcomes and branch.id not in later and branch.last >= 0:
            kind = branch.ending.partition("(")[0]
            places.setdefault(kind, {})[answer.steps[branch.last].at] = None
    kinds = answer.outcome.split(" and ")
    said = [f"{kind} at {listed([*places[kind]])}" if kind in places else kind for kind in kinds]
    return f"ends in {' and in '.join(said)}"


def _within(answer: TraceAnswer, kind: str) -> set[int]:
    """The branches of a kind, and those that leave them. Linear in the branches."""
    found: set[int] = set()
    for one in answer.branches:
        if one.kind == kind or one.of in found:
            found.add(one.id)
    return found


def _at(answer: TraceAnswer, courses: Sequence[TraceBranch]) -> list[str]:
    """The servers at which courses end."""
    own = [_course(answer, branch.id)[0] for branch in courses]
    return [*dict.fromkeys(steps[-1].at for steps in own if steps)]


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
                Cell(weak(step.confidence), Mark.UNSURE),
                Cell(place(step.source), Mark.FAINT),
            )
        )
        if step.id in again:
            length, times = again[step.id]
            these = "this step comes" if length == 1 else f"these {length} steps come"
            rows.append(
                ("", Cell(f"{these} {count(times, 'more time')}", Mark.FAINT), "", "", "", "")
            )
    page.table(rows)
    page.more(len(folded) - STEPS_SHOWN)
    if any(
        step.condition == NotForwarded.SELECTOR and step.value == Truth.UNKNOWN for step in folded
    ):
        page.line(Cell(f"UNKNOWN: a property in the selector has {NO_VALUE}", Mark.FAINT), indent=2)


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


def impact(answer: ImpactAnswer, page: Page) -> None:
    """What a failure takes away, then what it moves; or one line a failure."""
    if not answer.failed and not answer.failures and answer.left_out:
        page.title("What each single failure does cannot be decided.", Mark.UNSURE)
        return
    if not answer.failures and not answer.failed:
        page.title("Nothing runs here that could fail.")
        return
    noun = server_noun(answer.systems)
    nouns = plural_of(noun)
    if answer.failures:
        worst = answer.failures[0]
        lost = [f"{count(worst.lost, 'pair')} of {nouns}"] if worst.lost else []
        lost += (
            [f"{count(worst.containers, 'way')} from {with_article(noun)} to a broker"]
            if worst.containers
            else []
        )
        changed = (
            f"; messages to {count(worst.changed, 'destination')} end differently"
            if worst.changed
            else ""
        )
        page.title(
            (
                f"{count(len(answer.failures), 'single failure')}{_of_all(answer)}; the "
                f"worst is {worst.failed}: {' and '.join(lost)} lost{changed}."
            )
            if lost
            else (
                f"{count(len(answer.failures), 'single failure')}{_of_all(answer)}; none "
                f"separates {nouns} from each other{_at_worst(worst)}."
            )
        )
        page.section("Failures, worst first")
        _failures(answer.failures, page)
        return
    fails = f"If {events_of(answer.failed)}"
    lost = _apart(answer.lost, nouns)
    if answer.containers:
        servers = len({server for one in answer.containers for server in one.servers})
        are = "is" if len(answer.containers) == 1 else "are"
        names = listed([one.container for one in answer.containers])
        lost.append(f"{names} {are} out of reach of {count(servers, noun)}")
    if (answer.gaps or answer.retained) and not lost:
        missed = [f"messages are missed at {_where(answer.gaps)}"] if answer.gaps else []
        stored = [f"stored at {_where(answer.retained)}"] if answer.retained else []
        lost = [" and ".join(missed + stored) if missed else f"messages are {stored[0]}"]
    if answer.changed and not lost:
        lost = [f"messages to {count(len(answer.changed), 'destination')} end differently"]
    far = "" if answer.exact else ", as far as the loaded files show"
    none = f"every other pair of {nouns} still reaches each other{far}"
    if answer.left_out:
        none = f"no pair of {nouns} was found that no longer reaches each other"
    page.title(f"{fails}, {', and '.join(lost) or none}.", Mark.BAD if lost else Mark.TITLE)
    if answer.transient:
        page.line(
            f"For at most {answer.transient['max_seconds']} s: {answer.transient['outcome']}",
            indent=2,
        )
    if answer.lost:
        page.section("No longer reached", Mark.BAD)
        _lost(answer.lost, page)
    if answer.changed:
        page.section("What becomes of messages", Mark.BAD)
        page.table([moved_outcome(one) for one in answer.changed[:PAIRS_SHOWN]])
        page.more(len(answer.changed) - PAIRS_SHOWN)
    if answer.gaps:
        page.section("Missed meanwhile", Mark.BAD)
        page.table([_interrupted(one) for one in answer.gaps[:PAIRS_SHOWN]])
        page.more(len(answer.gaps) - PAIRS_SHOWN)
    if answer.retained:
        failed = {name.partition(":")[2] for name in answer.failed if name.startswith("server:")}
        for title, own in (
            ("Stored meanwhile", [one for one in answer.retained if one.at not in failed]),
            (
                "In the store of a server that fails, until it is back",
                [one for one in answer.retained if one.at in failed],
            ),
        ):
            if own:
                page.section(title)
                page.table([_interrupted(one, stored_of(one)) for one in own[:PAIRS_SHOWN]])
                page.more(len(own) - PAIRS_SHOWN)
        if all(":" in one.destination for one in answer.retained):  # else they are not all named
            page.line(_limits(answer.retained), indent=2)
    if answer.containers:
        page.section("Brokers out of reach", Mark.BAD)
        rows_ = [
            (
                one.container,
                f"of {listed(one.servers)}",
                f"stores {listed(one.addresses)}",
                one.outcome,
                Cell(place(one.source), Mark.FAINT),
            )
            for one in answer.containers[:PAIRS_SHOWN]
        ]
        page.table(rows_)
        page.more(len(answer.containers) - PAIRS_SHOWN)
    if answer.taken_over:
        page.section("What takes over")
        page.table(
            [
                (one["edge"], page.style.path((one["before"], one["after"])))
                for one in answer.taken_over
            ]
        )
    if answer.rerouted:
        page.section("Rerouted")
        page.table([_rerouted(one, page) for one in answer.rerouted[:PAIRS_SHOWN]])
        page.more(len(answer.rerouted) - PAIRS_SHOWN)


def _where(interrupted: Sequence[Interruption]) -> str:
    """The servers at which messages stop."""
    return listed([*dict.fromkeys(one.at for one in interrupted)])


_COUNTED: Final[Sequence[tuple[str, str, Mark]]] = (
    ("lost", "lost", Mark.BAD),
    ("rerouted", "rerouted", Mark.PLAIN),
    ("brokers", "containers", Mark.BAD),
    ("changed", "changed", Mark.PLAIN),
    ("missed", "gaps", Mark.BAD),
    ("stored", "retained", Mark.PLAIN),
    ("waiting", "queues", Mark.PLAIN),
)
"""What a sweep counts: the heading, which the help of ``impact`` explains, the field of the answer,
and how a number above 0 is marked.
"""


def _failures(failures: Sequence[FailureCounted], page: Page) -> None:
    """A row for each failure under headings; numbers that are 0 throughout have no column."""
    counted = [
        (heading, field, mark)
        for heading, field, mark in _COUNTED
        if field == "lost" or any(getattr(one, field) for one in failures[:PAIRS_SHOWN])
    ]
    rows: list[Row] = [
        tuple(
            Cell(heading, Mark.FAINT)
            for heading in ("failure", *(heading for heading, _, _ in counted), "configured at")
        )
    ]
    for one in failures[:PAIRS_SHOWN]:
        numbers = [(getattr(one, field), mark) for _, field, mark in counted]
        rows.append(
            (
                one.failed,
                *(Cell(f"{number:,}", mark if number else Mark.PLAIN) for number, mark in numbers),
                Cell(place(one.source), Mark.FAINT),
            )
        )
    page.table(rows, right=range(1, len(counted) + 1))
    page.more(len(failures) - PAIRS_SHOWN)
    page.blank()
    page.line(
        Cell("What the columns count, and the order: topograph impact --help", Mark.FAINT), indent=2
    )


def _apart(lost: Sequence[Lost], nouns: str = "servers") -> list[str]:
    """How many pairs of servers no longer reach each other, and in how many only one server no
    longer reaches the other. Linear in the pairs, which are ordered.
    """
    ordered = {(one.from_, one.to) for one in lost}
    both = sum((to, from_) in ordered for from_, to in ordered) // 2
    alone = len(ordered) - 2 * both
    said = []
    if both:
        said.append(
            f"{count(both, 'pair')} of {nouns} no longer reach each other in either direction"
        )
    if alone:
        said.append(f"in {count(alone, 'pair')} of {nouns} one no longer reaches the other")
    return said


NAMES_IN_A_GROUP = 12
"""Servers that a group of lost pairs names before the rest is counted."""


def _lost(lost: Sequence[Lost], page: Page) -> None:
    """Each outcome once, with the pairs it is about: servers that lose the same ones in one line.
    Linear in the pairs, but for sorting.
    """
    by_outcome: dict[str, dict[str, list[str]]] = {}
    for one in lost:
        by_outcome.setdefault(one.outcome, {}).setdefault(one.from_, []).append(one.to)
    for outcome, found in list(by_outcome.items())[:PAIRS_SHOWN]:
        page.line(outcome, indent=2)
        alike: dict[tuple[str, ...], list[str]] = {}
        for from_, ends in found.items():
            alike.setdefault(tuple(ends), []).append(from_)
        for to, starts in list(alike.items())[:PAIRS_SHOWN]:
            said = f"from {listed(starts, NAMES_IN_A_GROUP)} to {listed(to, NAMES_IN_A_GROUP)}"
            page.line(said, indent=6)
        page.more(len(alike) - PAIRS_SHOWN, indent=6)
    page.more(len(by_outcome) - PAIRS_SHOWN)


def events_of(failed: Sequence[str]) -> str:
    """What happens, in words: parts fail, and routes are suspended."""
    suspended = [
        text.partition(":")[2].rpartition(":") for text in failed if text.startswith("suspended:")
    ]
    others = [text for text in failed if not text.startswith("suspended:")]
    events = [f"{listed(others)} {'fails' if len(others) == 1 else 'fail'}"] if others else []
    events += [
        f"{server} suspends its route to {other}"
        if server
        else f"the route to {other} is suspended"
        for server, _, other in suspended
    ]
    return " and ".join(events)


def _at_worst(worst: FailureCounted) -> str:
    """What the worst failure does where nobody loses anybody."""
    if not worst.changed:
        return ""
    return (
        f"; if {worst.failed} fails, messages to {count(worst.changed, 'destination')} end "
        "differently"
    )


def _interrupted(one: Interruption, stored: str = "") -> Row:
    """Where messages stop, of whom, and why."""
    what = one.destination or "whatever goes that way"
    who = listed(one.subscribers) if one.subscribers else "nobody known"
    whom = "consumers" if one.destination.startswith("queue:") else "subscribers"
    assumed = f" ({one.assumed} assumed)" if one.assumed else ""
    return (
        f"{one.at} for {one.neighbour}" if one.neighbour else f"client at {one.at}",
        what,
        f"{whom} at {who}{assumed}"
        if one.subscribers or whom == "subscribers"
        else "no consumer known",
        stored,
        one.reason + copies_along(one),
        Cell(" ".join(filter(None, (one.rule, place(one.source)))), Mark.FAINT),
    )


def copies_along(one: Interruption) -> str:
    """The copies that are made of the messages farther on."""
    if not one.copies:
        return ""
    copies = [
        f"{copy.destination} at {copy.server}"
        + (f" (consumed at {listed(copy.taken_at)})" if copy.taken_at else "")
        for copy in one.copies
    ]
    return f"; the same goes for their copies on {listed(copies)}"


def stored_of(one: Retained) -> str:
    """How much is stored, and what it does beyond."""
    twice = ["consumers may get duplicates"] if one.duplicates else []
    limits = [f"{one.max_bytes:,} bytes"] if one.max_bytes is not None else []
    limits += [f"{one.max_messages:,} messages"] if one.max_messages is not None else []
    if limits:
        hours = f", reached in {one.hours:,.1f} h" if one.hours is not None else ""
        return "; ".join([f"up to {' or '.join(limits)}{hours}, then {one.when_full}", *twice])
    return "; ".join([*([one.when_full] if one.when_full else []), *twice])


def _limits(stored: Sequence[Retained]) -> str:
    """How many destinations messages are stored for, and of how many not without limit."""
    destinations = {one.destination for one in stored}
    limited = {
        one.destination
        for one in stored
        if one.max_bytes is not None or one.max_messages is not None
    }
    said = f"Messages to {count(len(destinations), 'destination')} are stored"
    if not limited:
        return f"{said}."
    those = "1 has a limit" if len(limited) == 1 else f"{len(limited):,} have a limit"
    return f"{said}; {those}: when it is reached, messages are dropped or refused."


def _of_all(answer: ImpactAnswer) -> str:
    """How many failures there are, where the budget left some out."""
    return f" of {len(answer.failures) + len(answer.left_out):,}" if answer.left_out else ""


def _rerouted(one: Rerouted, page: Page) -> Row:
    return (
        page.style.path((one.from_, one.to)),
        f"{page.style.path(one.before)} (cost {one.cost_before})",
        f"becomes {page.style.path(one.after)} (cost {one.cost_after})",
    )
