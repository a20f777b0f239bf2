"""The text of ``services``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from topograph.judgement import Told
from topograph.questions.texts.extent import as_far
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, listed, place

if TYPE_CHECKING:
    from topograph.questions.answers import (
        Service,
        ServiceListener,
        ServiceReached,
        ServicesAnswer,
    )

TOLD_OF = {
    str(Told.YES): "yes",
    str(Told.NO): "no",
    str(Told.UNKNOWN): "unknown",
    str(Told.NOT_LOOKED_AT): "not looked at",
    str(Told.ONE_OF): "at run time",
    str(Told.LATER): "later",
    str(Told.IF): "assumed",
}
"""Whether connections get to a connector, in a word or two."""

_TONES = {str(Told.YES): Tone.GOOD, str(Told.NO): Tone.BAD}


def services(answer: ServicesAnswer, page: Page) -> None:
    """The services by address: each listener with its connectors, then connectors without a
    listener."""
    page.title(_headline(answer), _tone(answer))
    for one in answer.services:
        page.section(one.destination)
        for listener in one.listeners:
            _listener(listener, page)
        _alone(one, page)


def _headline(answer: ServicesAnswer) -> str:
    where = f" at {answer.server}" if answer.server else ""
    if not answer.services:
        return f"No services{where}: no loaded file has a listener or a connector of one."
    what = count(len(answer.services), "service")
    if answer.address:
        what = answer.services[0].destination
    told = Counter(one.judgement for one in answer.listeners)
    all_ = len(answer.listeners)
    served = all_ - told[Told.NO] - told[Told.UNKNOWN] - told[Told.NOT_LOOKED_AT]
    unsure = served - told[Told.YES]
    is_ = "is" if 1 in (served, all_) else "are"
    parts = [f"{served:,} of {count(all_, 'listener')} {is_} served"]
    if unsure:
        parts[0] += f", {unsure:,} of them not for certain"
    parts[0] += as_far(answer)
    if open_ := told[Told.UNKNOWN] + told[Told.NOT_LOOKED_AT]:
        parts.append(f"{open_:,} cannot be decided")
    alone = sum(len(one.connectors) for one in answer.services if not one.listeners)
    if alone:
        parts.append(f"{count(alone, 'connector')} without a listener")
    return f"{what}{where}: {'; '.join(parts)}."


def _tone(answer: ServicesAnswer) -> Tone:
    told = {one.judgement for one in answer.listeners}
    if str(Told.NO) in told:
        return Tone.BAD
    return Tone.TITLE if told <= {str(Told.YES)} and answer.exact else Tone.UNSURE


def _listener(one: ServiceListener, page: Page) -> None:
    outside = f" {one.outside}" if one.outside else ""
    where = Cell(f"  {place(one.source)}", Tone.FAINT)
    of = f" of {one.listener} ({one.chosen})" if one.listener else ""
    what = f"  {one.kind} {one.name}{of}{outside}"
    page.line(Cell(one.server, Tone.TITLE), what, where, indent=2)
    if one.judgement in (Told.NO, Told.UNKNOWN, Told.NOT_LOOKED_AT):
        verb = "cannot be decided" if one.judgement != Told.NO else "not served"
        why = f": {one.because}" if one.because else ""
        rule = f"  {one.rule}" if one.rule else ""
        tone = Tone.BAD if one.judgement == Told.NO else Tone.UNSURE
        page.line(Cell(f"{verb}{why}", tone), rule, indent=6)
    elif one.because:
        page.line(Cell(one.because, Tone.UNSURE), f"  {one.rule}", indent=6)
    page.table([_reached(each, page, one.because) for each in one.connectors], indent=6)
    if one.needs:
        page.line(f"needs {listed(one.needs)}", indent=6)


def _reached(one: ServiceReached, page: Page, said: str) -> Row:
    """``said`` is what has been told of the listener already."""
    what = f"{one.kind} {one.name}" if one.outside else f"{one.kind}: {one.name}"
    return (
        one.server,
        f"{what} to {one.outside}" if one.outside else what,
        Cell(TOLD_OF[one.judgement], _TONES.get(one.judgement, Tone.UNSURE)),
        page.style.path(one.path),
        "" if one.cost is None else f"cost {one.cost}",
        Cell(place(one.source), Tone.FAINT),
        one.because if one.because != said else "",
        one.rule if one.because != said else "",
    )


def _alone(one: Service, page: Page) -> None:
    """The connectors of an address without a listener."""
    if one.listeners:
        return
    page.line(Cell("no loaded listener", Tone.UNSURE), indent=2)
    page.table(
        [
            (
                each.server,
                f"{each.kind} {each.name} to {each.outside}",
                Cell(place(each.source), Tone.FAINT),
            )
            for each in one.connectors
        ],
        indent=2,
    )
