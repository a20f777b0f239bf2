"""The text of the messages that come back to where they were, of an answer to ``cycles``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.questions.texts.extent import as_far
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, listed, place

if TYPE_CHECKING:
    from topograph.questions.answers import CircleOfMessages, CircleWay, CyclesAnswer, TwoWays

CIRCLES_SHOWN = 20
"""Circles of one kind that are listed before the rest is counted."""

_HEADINGS = {
    "endless": "Messages go round for ever",
    "rejected": "Messages go round as often as consumers reject them",
    "bounded": "Messages come back until they came over as many links as are allowed",
    "dropped": "Messages come back and end there",
}


def title(answer: CyclesAnswer) -> tuple[str, Tone]:
    """What the circles come to, in a sentence."""
    endless = [one for one in answer.circles if one.certain]
    if endless:
        servers = sorted({server for one in endless for server in one.servers})
        return f"Illegal: messages go round for ever at {listed(servers)}.", Tone.BAD
    if answer.legal == "unknown":
        return "Whether messages go round for ever cannot be decided.", Tone.UNSURE
    return f"No message goes round for ever by itself{as_far(answer)}.", Tone.GOOD


def circles(answer: CyclesAnswer, page: Page) -> None:
    """The circles of each kind, then what arrives twice."""
    for kind, usual in _HEADINGS.items():
        found = [one for one in answer.circles if one.kind == kind]
        if not found:
            continue
        tone = Tone.BAD if any(one.certain for one in found) else Tone.TITLE
        by_itself = kind != "endless" or any(one.certain for one in found)
        heading = usual if by_itself else "Messages may go round for ever"
        page.section(f"{heading}: {count(len(found), 'circle')}", tone)
        shown = found if page.full else found[:CIRCLES_SHOWN]
        for one in shown:
            _circle(one, page)
        page.more(len(found) - len(shown), indent=2)
    if answer.twice:
        page.section(f"Messages arrive twice: {count(len(answer.twice), 'pair')} of ways")
        listed_here = answer.twice if page.full else answer.twice[:CIRCLES_SHOWN]
        for both in listed_here:
            _twice(both, page)
        page.more(len(answer.twice) - len(listed_here), indent=2)


def _circle(one: CircleOfMessages, page: Page) -> None:
    sent = _sent(one.destination, one.server, one.message)
    page.line(f"{one.text[0].upper()}{one.text[1:]}; for example, {sent}.", indent=2)
    _ways(one.ways, page)
    page.blank()


def _twice(both: TwoWays, page: Page) -> None:
    sent = _sent(both.destination, both.server, both.message)
    to = listed(both.receivers, 8)
    page.line(f"{to} at {both.at}: {sent}, arrives over two ways.", indent=2)
    for number, way in enumerate(both.ways, 1):
        page.line(f"way {number}{'' if way else ': without a link'}", indent=4)
        _ways(way, page)
    page.blank()


def _sent(destination: str, server: str, message: Mapping[str, str]) -> str:
    said = [f"the {name} {value or '(empty)'}" for name, value in message.items()]
    return f"a message to {destination} at {server}{f' with {listed(said)}' if said else ''}"


def _ways(ways: Sequence[CircleWay], page: Page) -> None:
    rows: list[Row] = [
        (
            way.from_,
            way.text,
            f"when {way.condition}" if way.condition else "one of several" if way.chosen else "",
            way.rule,
            Cell(place(way.source), Tone.FAINT),
        )
        for way in ways
    ]
    page.table(rows, indent=6)
