"""The picture of ``services``: listeners, the connectors that their clients get to, and the paths
between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from topograph.judgement import Told
from topograph.questions.answers import Service, ServiceListener, ServiceReached, ServicesAnswer
from topograph.questions.texts.layout import place
from topograph.questions.texts.services import TOLD_OF
from topograph.viz.scene.judged import FIRST, Claim, mark_of
from topograph.viz.scene.marking import Marking
from topograph.viz.scene.records import Mark

PATHS_SHOWN = 12
"""Paths up to which all are shown with their steps; of more, each is looked at alone."""

_REACHED = (Told.YES, Told.IF, Told.LATER, Told.ONE_OF)


def served(answer: ServicesAnswer, marking: Marking) -> None:
    """What the answer says of servers and links. Linear in listeners times connectors."""
    said = marking.said
    which = f" of {answer.services[0].destination}" if answer.address and answer.services else ""
    said.title = f"Which listener{which} reaches which connector?"
    ways = list(_ways(answer))
    # The farthest first: its path has most of the steps.
    for service, listener, one in sorted(ways, key=lambda way: (-(way[2].hops or 0), way[2].path)):
        cost = f", cost {one.cost}" if one.cost is not None else ""
        title = (
            f"{service.destination} from {listener.server} to {one.name} at {one.server}{cost}: "
            f"{TOLD_OF[one.judgement]}"
        )
        marking.path(title, one.path, one.steps, shown=len(ways) <= PATHS_SHOWN)
    notes: dict[str, list[tuple[Mark, str]]] = {}
    for server, state, note in _notes(answer):
        notes.setdefault(server, []).append((state, note))
    for server, own in notes.items():
        state = min((state for state, _ in own), key=_place)
        marking.server(server, state, "; ".join(note for _, note in own))
    for listener in answer.listeners:
        _, note = marking.said.servers[listener.server]
        if said.servers[listener.server][0] is not Mark.ASKED:
            marking.asked(listener.server, note)
    marking.passed()
    said.named = tuple(dict.fromkeys((*notes, *(name for way in ways for name in way[2].path))))


def _ways(answer: ServicesAnswer) -> Iterator[tuple[Service, ServiceListener, ServiceReached]]:
    for service in answer.services:
        for listener in service.listeners:
            for one in listener.connectors:
                if one.steps and one.judgement in _REACHED:
                    yield service, listener, one


def _notes(answer: ServicesAnswer) -> Iterator[tuple[str, Mark, str]]:
    """What is said of servers, each thing with its mark."""
    for service in answer.services:
        address = service.destination
        for listener in service.listeners:
            where = f"listener {listener.name} of {address} ({place(listener.source)})"
            yield listener.server, *_listens(listener, where)
            for one in listener.connectors:
                told = Told(one.judgement)
                state = Mark.NONE if told is Told.NO else mark_of(Claim.TAKEN, told)
                because = f": {one.because}" if one.because else ""
                words = f"{one.kind} {one.name} of {address}, from {listener.server}"
                yield one.server, state, f"{words}: {TOLD_OF[told]}{because}"
        for alone in service.connectors if not service.listeners else ():
            words = f"{alone.kind} {alone.name} of {address}: no loaded listener"
            yield alone.server, Mark.NONE, words


def _listens(listener: ServiceListener, where: str) -> tuple[Mark, str]:
    if listener.judgement in _REACHED:
        return Mark.NONE, where
    if listener.judgement == Told.NO:
        return mark_of(Claim.ENDS), f"{where}: not served: {listener.because}"
    return Mark.UNDETERMINED, f"{where}: cannot be decided: {listener.because}"


def _place(state: Mark) -> int:
    return FIRST.index(state) if state in FIRST else len(FIRST)
