"""What a message passes inside the servers of its way: the objects that have it, in order, and
where its way forks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from topograph.judgement import Told
from topograph.questions.answers import TraceStep
from topograph.questions.texts.layout import weak
from topograph.records import record
from topograph.viz.scene.judged import Branched, told_on
from topograph.viz.scene.records import Mark, PassedDrawn, PathDrawn, StationDrawn, StepDrawn

_SURE = {
    Told.YES: Mark.NONE,
    Told.ONE_OF: Mark.ONE_OF,
    Told.LATER: Mark.LATER,
}
"""The sign of a station by how certain it is that the message gets there; a question mark for all
else."""

FORKS_SHOWN = 3
"""Other paths that a fork names before it counts them."""


class Stations:
    """The stations of one answer, whose branches are judged once each."""

    def __init__(self, answer: Branched, label: Callable[[str, str], str]) -> None:
        self.answer, self.label = answer, label
        self._marks: dict[int, Mark] = {}

    def of(self, steps: Sequence[TraceStep], here: str) -> tuple[StationDrawn, ...]:
        """The stations of successive steps up to the next hop, ``here`` being the server that the
        last one led to. Steps that one object takes one after another, equally certain, are one
        station. Linear."""
        found: list[StationDrawn] = []
        for step in steps:
            mark = self._mark(step.branch)
            passed = PassedDrawn(step.text, step.rule, str(step.confidence), step.source)
            name = step.name or step.object
            sure = weak(str(step.confidence))
            at = self.label(step.system, step.at)
            server = "" if at == here else at
            made = StationDrawn(step.kind, name, (passed,), mark, sure, server)
            last = found[-1] if found else None
            if last is not None and _object(last) == _object(made):
                found[-1] = replace(last, passed=(*last.passed, passed), sure=last.sure or sure)
            else:
                found.append(made)
        return tuple(found)

    def _mark(self, number: int) -> Mark:
        if number not in self._marks:
            told = told_on(self.answer, self.answer.branches[number])
            self._marks[number] = _SURE.get(told, Mark.UNDETERMINED)
        return self._marks[number]


def _object(station: StationDrawn) -> tuple[str, ...]:
    return station.server, station.kind, station.name, station.mark


def over(step: TraceStep, zone: str) -> str:
    """What a hop goes over, in words: the kind of link and its name, or its zone."""
    named = f"{step.role} {step.link}".strip() if step.link else ""
    return named or (f"zone {zone}" if zone else step.role)


@record
class Place:
    """A station of a path: the step that it is in, and its place among the path's stations."""

    step: StepDrawn
    station: StationDrawn
    number: int


@record
class Column:
    """A server that a path passes, with its stations in order. ``leaves`` is the step by which the
    message goes on to the next one; None where it ends, or is at the one before again."""

    server: str
    places: tuple[Place, ...]
    leaves: StepDrawn | None


def columns(path: PathDrawn) -> list[Column]:
    """The servers of a path in order, each as often as the message gets there; none for a path
    without stations. Linear."""
    found: list[Column] = []
    number = 0
    for step in path.steps:
        places: list[Place] = []
        server = step.from_
        for station in step.inside:
            at = station.server or step.from_
            if at != server:
                if places or found:
                    found.append(Column(server, tuple(places), None))
                server, places = at, []
            places.append(Place(step, station, number))
            number += 1
        if not places and not found:
            continue
        leaves = step if step.to != step.from_ else None
        found.append(Column(server, tuple(places), leaves))
    if found and found[-1].leaves is not None:
        found.append(Column(found[-1].leaves.to, (), None))
    return found if number else []


@record
class Fork:
    """Where other paths leave a path: the first station that they do not share with it (its place
    in the path), and the paths by number. ``others`` counts those that are not named."""

    at: int
    mark: Mark
    paths: tuple[int, ...]
    others: int


def forks(paths: Sequence[PathDrawn], chosen: int) -> list[Fork]:
    """Where the way of a path forks, in order; replies and paths that begin elsewhere are no forks
    of it. Linear in the stations of all paths."""
    own = _stations(paths[chosen])
    found: dict[int, dict[object, int]] = {}
    for number, path in enumerate(paths):
        other = _stations(path)
        if number == chosen or not alike(path, paths[chosen]) or not (own and other):
            continue
        at = _shared(own, other)
        if at == 0 and own[0][:3] != other[0][:3]:
            continue
        if at < len(own):
            key = other[at] if at < len(other) else None
            found.setdefault(at, {}).setdefault(key, number)
    marks = [place.station.mark for place in _places(paths[chosen])]
    return [
        Fork(
            at,
            marks[at],
            tuple(ways.values())[:FORKS_SHOWN],
            max(0, len(ways) - FORKS_SHOWN),
        )
        for at, ways in sorted(found.items())
    ]


def alike(path: PathDrawn, other: PathDrawn) -> bool:
    """Whether two paths are ways of one message, in one state of the network."""
    return (path.reply, path.state, path.together) == (other.reply, other.state, other.together)


def _places(path: PathDrawn) -> Iterator[Place]:
    for column in columns(path):
        yield from column.places


def _stations(path: PathDrawn) -> list[tuple[object, ...]]:
    """What tells the stations of a path apart from those of others."""
    return [
        (place.step.from_, place.station.kind, place.station.name, place.step.number, place.station)
        for place in _places(path)
    ]


def _shared(own: Sequence[object], other: Sequence[object]) -> int:
    for number, (one, two) in enumerate(zip(own, other, strict=False)):
        if one != two:
            return number
    return min(len(own), len(other))
