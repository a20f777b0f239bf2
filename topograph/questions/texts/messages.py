"""The text of ``propagate``: who gets a message, and where it stops and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from topograph.judgement import Told
from topograph.outcomes import NotForwarded, Outcome
from topograph.questions.texts.courses import followed
from topograph.questions.texts.fates import clauses, fates_of, in_words
from topograph.questions.texts.layout import (
    Cell,
    Page,
    Row,
    Tone,
    count,
    listed,
    place,
    steps_section,
)
from topograph.questions.texts.needed import could_change
from topograph.questions.texts.walks import (
    AS_SHOWN,
    is_open,
    is_unknown,
    stopped_section,
    undetermined,
    unsure,
)

if TYPE_CHECKING:
    from topograph.questions.answers import Delivery, End, PropagateAnswer

SUBSCRIBERS: Mapping[str, str] = {
    "configured": "configured subscriber",
    "observed": "observed subscriber",
    "declared": "declared subscriber",
    "assumed": "assumed subscriber",
}

CONSUMERS: Mapping[str, str] = {"observed": "observed consumer", "declared": "declared consumer"}


def is_published(destination: str) -> bool:
    """Whether messages to a destination are for subscribers; else the destination takes them."""
    return destination.startswith(("topic:", "address:"))


def who(delivery: Delivery, destination: str) -> str:
    """What kind of subscriber a delivery is for, or that a bridge puts it on a queue; empty
    where the destination takes the message, or nothing is known of a consumer.
    """
    if delivery.destination.startswith("queue:") and is_published(destination):
        return CONSUMERS.get(delivery.subscriber, "queue behind a bridge")
    if is_published(destination) or is_published(delivery.destination):
        return SUBSCRIBERS.get(delivery.subscriber, delivery.subscriber)
    return CONSUMERS.get(delivery.subscriber, "")


def propagate(answer: PropagateAnswer, page: Page) -> None:
    """Who gets the message first, then where it stops; the steps of the deliveries last."""
    if answer.sender is not None:
        followed(answer, page)
        return
    destination = str(answer.message.get("destination", "the message"))
    looks = Tone.TITLE if answer.deliveries else Tone.UNSURE if left_open(answer) else Tone.BAD
    page.title(_sentence(answer, destination), looks)
    page.blank()
    page.table(_message_rows(answer.message))
    if answer.deliveries:
        supposed = all(one.conditions == ("if",) for one in answer.deliveries)
        page.section("Would be delivered" if supposed else "Delivered", Tone.GOOD)
        rows = [
            row
            for delivery in answer.deliveries
            for row in _delivery_rows(delivery, destination, page)
        ]
        page.table(rows, right=(2,))
        if any(delivery.subscriber == "assumed" for delivery in answer.deliveries):
            page.line(
                Cell(
                    (
                        "assumed subscriber: no client is known there, so the server counts "
                        "as having one"
                    ),
                    Tone.FAINT,
                ),
                indent=2,
            )
    ends_section(page, answer)
    stopped_section(page, answer.stopped)
    passed = sorted(set(answer.received) - {delivery.server for delivery in answer.deliveries})
    if passed:
        page.section(
            "Received, but delivered to nobody there"
            if is_published(destination)
            else "Passed through"
        )
        page.names(passed)
    undetermined(page, answer.undetermined, answer.system)
    steps = (step for delivery in answer.deliveries for step in delivery.steps)
    certain = [one for one in answer.deliveries if one.choice == "always"]
    hold = frozenset(step for delivery in certain for step in delivery.steps)
    steps_section(page, steps, "Steps to where it is delivered", hold)


def left_open(answer: PropagateAnswer) -> bool:
    """Whether the loaded files leave open that somebody gets the message. A selector that is
    UNKNOWN of a message certainly does not select it.
    """
    return any(entry.decided_if is None for entry in answer.undetermined) or _stops_open(answer)


def _stops_open(answer: PropagateAnswer) -> bool:
    """Whether it is left open of a link, or of a subscriber, that it takes the message, or how a
    copy ends."""
    return any(map(is_open, answer.stopped)) or any(map(is_unknown, answer.ends))


def _sentence(answer: PropagateAnswer, destination: str) -> str:
    what = f"message to {destination} {_sent(destination)} at {answer.from_}"
    told = clauses(
        fates_of(answer.deliveries, answer.ends),
        exhaustive=not (answer.stopped or answer.undetermined or any(map(is_unknown, answer.ends))),
    )
    asked = _asked_for(answer)
    if not told and left_open(answer):
        open_ = [entry for entry in answer.undetermined if entry.decided_if is None]
        change = "" if _stops_open(answer) else could_change(*open_)
        if change:
            return f"{AS_SHOWN}, a {what} is delivered nowhere{change}{asked}."
        return f"Whether a {what} is delivered anywhere cannot be decided{asked}."
    passed = [*dict.fromkeys(end.ending for end in answer.ends if end.goes_on)]
    put_aside = f"; on its way it {listed([*map(in_words, passed)])}" if passed else ""
    doubts = unsure(answer, answer.stopped, answer.ends)
    becomes = "; ".join(told) or f"is delivered nowhere{_refusal(answer)}"
    if told and not answer.deliveries and all(map(_keeps_nothing, answer.ends)):
        becomes = f"is delivered nowhere and {becomes}"
    return f"A {what} {becomes}{put_aside}{doubts}{asked}."


def _keeps_nothing(end: End) -> bool:
    """Whether it is certain that nobody has the message at an end, now or later."""
    return end.outcome in KEPT_NOWHERE and end.judgement == Told.YES


def _refusal(answer: PropagateAnswer) -> str:
    """Why its own server refuses a message, where that is all that becomes of it."""
    only = answer.stopped[0] if len(answer.stopped) == 1 else None
    if only is None or only.reason == NotForwarded.SELECTOR or only.to != only.at:
        return ""
    return f": {only.guard}" if only.at == answer.from_ and only.guard else ""


KEPT_NOWHERE = (Outcome.REFUSED, Outcome.REJECTED, Outcome.DISCARDED)
"""Ends at which the message is nowhere."""


def _sent(destination: str) -> str:
    return "published" if is_published(destination) else "sent"


def _asked_for(answer: PropagateAnswer) -> str:
    """The properties that selectors ask for and the message lacks."""
    asking = [one for one in answer.stopped if one.lacking]
    if not asking:
        return ""
    names = sorted({name for one in asking for name in one.lacking})
    who_asks = {(one.at, one.to, one.guard) for one in asking}
    selectors = "a selector asks" if len(who_asks) == 1 else f"{len(who_asks):,} selectors ask"
    return f"; {selectors} for {listed(names)}, which the message lacks (use --set)"


def ends_section(page: Page, answer: PropagateAnswer) -> None:
    """What else becomes of the message, each with why and where."""
    open_ = {(entry.server, entry.because) for entry in answer.undetermined}
    shown = [one for one in answer.ends if (one.server, one.because) not in open_]
    if not shown:
        return
    page.section("Ends" if not answer.deliveries else "Other ends", Tone.UNSURE)
    page.table(
        [
            (
                one.server,
                Cell(one.ending, Tone.UNSURE),
                Cell(one.choice.replace("_", " "), Tone.UNSURE) if one.choice != "always" else "",
                "and goes on" if one.goes_on else "",
                one.rule,
                Cell(place(one.source), Tone.FAINT),
                one.because,
            )
            for one in shown
        ]
    )


def _message_rows(message: Mapping[str, object]) -> list[Row]:
    """The properties with their types: a selector tells ``7`` and ``'7'`` apart."""
    rows: list[Row] = []
    properties = message.get("properties")
    if isinstance(properties, Mapping):
        for name, entry in properties.items():
            rows.append((str(name), _value(entry["value"]), str(entry["type"])))
    if message.get("user"):
        rows.append(("published by", str(message["user"]), "user"))
    further = message.get("further")
    if isinstance(further, Mapping):
        rows += ((str(name), _value(value), "option") for name, value in further.items())
    return rows


def _value(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


TAKERS_SHOWN = 10
"""Subscribers of one server that are listed before the rest is counted."""


def _delivery_rows(delivery: Delivery, destination: str, page: Page) -> Iterator[Row]:
    """A row for the first that gets it, with its line, and one for each other."""
    first, *others = delivery.delivered_to or (None,)
    yield (
        delivery.server,
        delivery.destination if delivery.destination != destination else "",
        count(delivery.hops, "hop"),
        page.style.path(delivery.path),
        "" if delivery.outcome == Outcome.DELIVERED else delivery.outcome,
        Cell(f"{delivery.copies} copies", Tone.UNSURE) if delivery.copies != 1 else "",
        Cell(delivery.choice.replace("_", " "), Tone.UNSURE) if delivery.choice != "always" else "",
        who(delivery, destination),
        first.name if first else "",
        Cell(place(first.source if first else delivery.source), Tone.FAINT),
    )
    empty = ("",) * 7
    for one in others[: TAKERS_SHOWN - 1]:
        yield (
            *empty,
            SUBSCRIBERS.get(one.subscriber, one.subscriber),
            one.name,
            Cell(place(one.source), Tone.FAINT),
        )
    if more := others[TAKERS_SHOWN - 1 :]:
        yield (*empty, Cell(f"{page.style.ellipsis} and {len(more):,} more", Tone.FAINT), "", "")
