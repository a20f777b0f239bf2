"""The text of ``impact``: what failures take away, what they move, and what waits until they are
over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from topograph.questions.answers.impact import separated
from topograph.questions.texts.extent import as_far
from topograph.questions.texts.layout import (
    Cell,
    Page,
    Row,
    Tone,
    count,
    listed,
    place,
    plural_of,
)
from topograph.questions.texts.lost_pairs import MOST_IN_WORDS, pairs_in_words
from topograph.questions.texts.outcomes import moved_outcome
from topograph.systems.registry import server_noun
from topograph.words.articles import with_article

if TYPE_CHECKING:
    from topograph.questions.answers import (
        FailureCounted,
        ImpactAnswer,
        Interruption,
        Lost,
        Rerouted,
        Retained,
    )

PAIRS_SHOWN = 40
"""Pairs of servers listed before the rest is counted."""


def impact(answer: ImpactAnswer, page: Page) -> None:
    """What a failure takes away, then what it moves; or one line a failure."""
    if not answer.failed and not answer.failures and answer.left_out:
        page.title("What each single failure does cannot be decided.", Tone.UNSURE)
        return
    if not answer.failures and not answer.failed:
        page.title("Nothing runs here that could fail.")
        return
    noun = server_noun(answer.systems)
    if answer.failures:
        page.title(_worst_failure(answer, noun))
        page.section("Failures, worst first")
        _failures(answer.failures, page)
        return
    lost = _taken_away(answer, noun)
    told = f"{', and '.join(lost)}{as_far(answer)}" if lost else _nothing(answer, noun)
    sentence = f"If {events_of(answer.failed)}, {told}."
    page.title(sentence, Tone.BAD if lost else Tone.TITLE)
    if answer.own:
        page.line(f"Not counted: {_own(answer.own, answer.failed)}.", indent=2)
    if answer.transient:
        page.line(
            f"For at most {answer.transient['max_seconds']} s: {answer.transient['outcome']}",
            indent=2,
        )
    if answer.lost:
        page.section("No longer reached", Tone.BAD)
        _lost(answer.lost, page)
    _changed(answer, page)
    if answer.gaps:
        page.section("Missed meanwhile", Tone.BAD)
        page.table([_interrupted(one) for one in answer.gaps[:PAIRS_SHOWN]])
        page.more(len(answer.gaps) - PAIRS_SHOWN)
    if answer.retained:
        _retained(answer, page)
    if answer.containers:
        _containers(answer, page)
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


def _changed(answer: ImpactAnswer, page: Page) -> None:
    """Services that are lost, then other messages that end in another way."""
    for heading, service in (("Services lost", True), ("What becomes of messages", False)):
        own = [one for one in answer.changed if one.service is service]
        if own:
            page.section(heading, Tone.BAD)
            page.table([moved_outcome(one) for one in own[:PAIRS_SHOWN]])
            page.more(len(own) - PAIRS_SHOWN)


def _worst_failure(answer: ImpactAnswer, noun: str) -> str:
    """How many failures were looked at, and what the worst of them takes away."""
    worst = answer.failures[0]
    nouns = plural_of(noun)
    failures = f"{count(len(answer.failures), 'single failure')}{_of_all(answer)}"
    if not any(one.lost or one.containers for one in answer.failures):
        # of equal ones the first
        most = max(answer.failures, key=lambda one: (one.services, one.changed))
        return (
            f"{failures}; none separates {nouns} from each other{_at_worst(most)}{as_far(answer)}."
        )
    itself = worst.failed.partition(":")[2]
    lost = [f"{count(worst.lost, 'ordered pair')} of {nouns}"] if worst.lost else []
    if worst.own:
        lost.append(
            f"{worst.own:,} with {itself} itself"
            if lost
            else f"{count(worst.own, 'ordered pair')} of {nouns}, all with {itself} itself,"
        )
    ways = worst.containers + worst.own_containers
    if ways:
        lost.append(f"{count(ways, 'way')} from {with_article(noun)} to a broker")
    changed = f"; {listed(_counted_changes(worst))}" if worst.changed else ""
    return f"{failures}; the worst is {worst.failed}: {listed(lost)} lost{changed}{as_far(answer)}."


def _counted_changes(one: FailureCounted) -> list[str]:
    """How many services a failure takes away, and how many other messages end in another way."""
    found = [f"clients of {count(one.services, 'listener')} are served nowhere"] * bool(
        one.services
    )
    others = one.changed - one.services
    found += [f"messages to {count(others, 'destination')} end differently"] * bool(others)
    return found


def _taken_away(answer: ImpactAnswer, noun: str) -> list[str]:
    """What no longer works, as clauses of a sentence; empty if all of it does."""
    nouns = plural_of(noun)
    lost = [apart(answer.lost, nouns)] if answer.lost else []
    if answer.containers:
        servers = len({server for one in answer.containers for server in one.servers})
        are = "is" if len(answer.containers) == 1 else "are"
        names = listed([one.container for one in answer.containers])
        lost.append(f"{names} {are} out of reach of {count(servers, noun)}")
    if (answer.gaps or answer.retained) and not lost:
        missed = [f"messages are missed at {_where(answer.gaps)}"] if answer.gaps else []
        stored = [f"stored at {_where(answer.retained)}"] if answer.retained else []
        lost = [" and ".join(missed + stored) if missed else f"messages are {stored[0]}"]
    services = [one for one in answer.changed if one.service]
    if services:
        names = listed([*dict.fromkeys(one.destination for one in services)])
        which = f"{count(len(services), 'listener')} of {names}"
        lost.append(f"clients of {which} are served nowhere")
    if answer.changed and not lost:
        lost = [f"messages to {count(len(answer.changed), 'destination')} end differently"]
    if lost and not answer.lost:
        lost.append(no_pair(answer, nouns))
    return [clause for clause in lost if clause]


def no_pair(answer: ImpactAnswer, nouns: str) -> str:
    """That no pair of servers is lost, as far as that was looked at; "" where there was none that
    could be."""
    if answer.left_out:
        return f"no pair of {nouns} was found that is lost"
    if not answer.reached_before:
        return ""
    return f"no pair of {'other ' if answer.own else ''}{nouns} is lost"


def _nothing(answer: ImpactAnswer, noun: str) -> str:
    """That nothing is taken away, as far as that was looked at."""
    nouns = plural_of(noun)
    if answer.left_out:
        return f"no pair of {nouns} was found that no longer reaches each other"
    far = as_far(answer)
    if answer.pairs == 0:
        return f"there are no two other {nouns} that could lose each other{far}"
    if answer.reached_before == 0:
        return f"nothing is lost: no other pair of {nouns} reached each other before{far}"
    if answer.reached_before == answer.pairs:
        return f"every other pair of {nouns} still reaches each other{far}"
    return f"every other pair of {nouns} that reached each other before still does{far}"


def _own(own: int, failed: Sequence[str]) -> str:
    """The pairs that what fails is itself an end of."""
    names = [text.partition(":")[2] for text in failed if text.startswith(("server:", "member:"))]
    return f"{count(own, 'ordered pair')} with {listed(names) or 'what fails'} itself"


def _retained(answer: ImpactAnswer, page: Page) -> None:
    """What is stored until the failure is over, apart from what a failed server itself holds."""
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


def _containers(answer: ImpactAnswer, page: Page) -> None:
    page.section("Brokers out of reach", Tone.BAD)
    page.table(
        [
            (
                one.container,
                f"of {listed(one.servers)}",
                f"stores {listed(one.addresses)}",
                one.outcome,
                Cell(place(one.source), Tone.FAINT),
            )
            for one in answer.containers[:PAIRS_SHOWN]
        ]
    )
    page.more(len(answer.containers) - PAIRS_SHOWN)


def _where(interrupted: Sequence[Interruption]) -> str:
    """The servers at which messages stop."""
    return listed([*dict.fromkeys(one.at for one in interrupted)])


_COUNTED: Final[Sequence[tuple[str, str, Tone]]] = (
    ("lost", "lost", Tone.BAD),
    ("own", "own", Tone.PLAIN),
    ("rerouted", "rerouted", Tone.PLAIN),
    ("brokers", "containers", Tone.BAD),
    ("own brokers", "own_containers", Tone.PLAIN),
    ("services", "services", Tone.BAD),
    ("own services", "own_services", Tone.PLAIN),
    ("changed", "changed", Tone.PLAIN),
    ("missed", "gaps", Tone.BAD),
    ("stored", "retained", Tone.PLAIN),
    ("waiting", "queues", Tone.PLAIN),
)
"""What a sweep counts: the heading, which the help of ``impact`` explains, the field of the answer,
and how a number above 0 is marked.
"""


def _failures(failures: Sequence[FailureCounted], page: Page) -> None:
    """A row for each failure under headings; numbers that are 0 throughout have no column."""
    counted = [
        (heading, field, mark)
        for heading, field, mark in _COUNTED
        if field == "lost" or any(_number(one, field) for one in failures[:PAIRS_SHOWN])
    ]
    rows: list[Row] = [
        tuple(
            Cell(heading, Tone.FAINT)
            for heading in ("failure", *(heading for heading, _, _ in counted), "configured at")
        )
    ]
    for one in failures[:PAIRS_SHOWN]:
        numbers = [(_number(one, field), mark) for _, field, mark in counted]
        rows.append(
            (
                one.failed,
                *(Cell(f"{number:,}", mark if number else Tone.PLAIN) for number, mark in numbers),
                Cell(place(one.source), Tone.FAINT),
            )
        )
    page.table(rows, right=range(1, len(counted) + 1))
    page.more(len(failures) - PAIRS_SHOWN)
    page.blank()
    page.line(
        Cell("What the columns count, and the order: topograph impact --help", Tone.FAINT), indent=2
    )


def _number(one: FailureCounted, field: str) -> int:
    """A number of a sweep; services that are lost have a column of their own."""
    number: int = getattr(one, field)
    return number - one.services if field == "changed" else number


def apart(lost: Sequence[Lost], nouns: str = "servers") -> str:
    """How many ordered pairs of servers no longer reach each other: what is listed, and what
    sweeps and comparisons count.
    """
    if len(lost) == 1:
        return f"{lost[0].from_} no longer reaches {lost[0].to}"
    few = len(lost) <= MOST_IN_WORDS
    which = pairs_in_words([(one.from_, one.to) for one in lost]) if few else ""
    behind = f" ({which})" if which else ""
    return f"{count(len(lost), 'ordered pair')} of {nouns} no longer reach each other{behind}"


NAMES_IN_A_GROUP = 12
"""Servers that a group of lost pairs names before the rest is counted."""


def _lost(lost: Sequence[Lost], page: Page) -> None:
    """Each outcome once, with the pairs it is about: servers that lose the same ones in one line.
    Linear in the pairs, but for sorting.
    """
    by_outcome: dict[str, dict[str, Sequence[str]]] = {}
    for start, losing in separated(lost).by_start():
        for outcome, own in losing.items():
            by_outcome.setdefault(outcome, {})[start] = own
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
    return f"; if {worst.failed} fails, {listed(_counted_changes(worst))}"


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
        Cell(" ".join(filter(None, (one.rule, place(one.source)))), Tone.FAINT),
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
