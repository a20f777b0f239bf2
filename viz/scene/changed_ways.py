"""What messages that a change lets end otherwise pass inside the servers, before and after it: the
worst ones of an audit, each as the paths of two traces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from topograph.judgement import Told
from topograph.questions.answers import (
    AuditAnswer,
    MessageFollowed,
    OutcomeChanged,
    TraceBranch,
    TraceStep,
)
from topograph.questions.texts.audits import worst_first
from topograph.questions.texts.layout import count
from topograph.records import record
from topograph.viz.scene.inside import Stations
from topograph.viz.scene.judged import Branched, mark_of, of_branch
from topograph.viz.scene.marking import Marking
from topograph.viz.scene.records import Mark, PathDrawn, StationDrawn, StepDrawn
from topograph.viz.scene.traced import (
    condition_of,
    drawn_way,
    ends_of,
    note_of,
    stored_ways,
    way_of,
)
from topograph.words.visible import clean

CASES = 12
"""Destinations whose messages are followed; the others are listed alone."""

WAYS = 4
"""Ways of one message in one state that end otherwise, at most, that can be looked at."""

STATES = ("before", "after")

_Passed = Mapping[tuple[str, str, str], frozenset[str]]
"""What each object does with a message, in words, by its server, kind and name."""


def changed_ways(answer: AuditAnswer, marking: Marking, *, shown: bool) -> None:
    """Paths for the messages that end otherwise, worst first: of each the ways before that are no
    more, and those after in their place. ``shown``: the first one is shown. The cost of two traces
    for each of CASES messages."""
    if answer.follow is None or not answer.outcomes:
        return
    drawn = 0
    for row in sorted(answer.outcomes, key=worst_first):
        if drawn == CASES:
            break
        both = answer.follow(row)
        paths = [] if both is None else list(_case(row, both, marking, shown=shown and not drawn))
        if both is not None and paths:
            marking.said.paths += paths
            drawn += 1
    if drawn and drawn < len(answer.outcomes):
        text = (
            f"What messages pass inside servers before and after is drawn for {drawn:,} of "
            f"{len(answer.outcomes):,} destinations, the worst first."
        )
        marking.said.facts.append(("note", text))


@record(slots=False)
class _Way:
    """A way of a message to an end, as it is drawn."""

    branch: TraceBranch
    told: Told
    servers: tuple[str, ...]
    steps: tuple[StepDrawn, ...]

    @property
    def end(self) -> tuple[str, str, Told]:
        """What the end of a way is compared by."""
        return self.branch.ending, self.servers[-1], self.told

    @property
    def outcome(self) -> str:
        """The end as an audit lists it."""
        return f"{self.branch.ending} at {self.branch.server}"

    @property
    def objects(self) -> list[tuple[object, ...]]:
        """The objects of the way, in order."""
        return [one[:3] for one in self.passed]

    @property
    def passed(self) -> list[tuple[object, ...]]:
        """The objects of the way, in order, with what they do."""
        return [
            (step.from_, one.kind, one.name, tuple(done.text for done in one.passed))
            for step in self.steps
            for one in step.inside
        ]


def _case(
    row: OutcomeChanged,
    both: tuple[MessageFollowed, MessageFollowed],
    marking: Marking,
    *,
    shown: bool,
) -> Iterator[PathDrawn]:
    start = marking.label(row.system, row.server)
    before, after = (list(_ways(one, start, marking)) for one in both)
    if not before or not after:
        return
    chosen = _differing(before, after, row.before), _differing(after, before, row.after)
    if not chosen[0]:
        chosen = [_nearest(before, chosen[1][0])] if chosen[1] else before[:1], chosen[1]
    if not chosen[1]:
        chosen = chosen[0], [_nearest(after, chosen[0][0])]
    title = clean(f"{row.destination} at {start}")
    passed = [_passed(one, marking.label) for one in both]
    for number, (state, ways, told) in enumerate(zip(STATES, chosen, both, strict=True)):
        gone = Mark.COMES if number else Mark.GOES
        for place, way in enumerate(ways[:WAYS]):
            steps = tuple(
                marking.one(_compared(step, passed[number], passed[1 - number], gone))
                for step in way.steps
            )
            yield replace(
                _path(told, way, steps, state),
                shown=shown and not place,
                together=title,
                state=state,
            )


def _ways(told: MessageFollowed, start: str, marking: Marking) -> Iterator[_Way]:
    stations = Stations(told, marking.label)
    ends = ends_of(told)
    stored = stored_ways(told, ends)
    for branch in ends:
        way = way_of(told, branch.last)
        if way and marking.label(way[0].system, way[0].at) != start:
            way = [*stored.get(way[0].at, ()), *way]
        if way:
            certain = of_branch(told, branch)[1]
            yield _Way(branch, certain, *drawn_way(way, start, marking, stations))


def _differing(ways: Sequence[_Way], others: Sequence[_Way], listed: Sequence[str]) -> list[_Way]:
    """The ways whose end the other state does not have, or not as certainly, those that the audit
    lists first; where it has all, those that lead there otherwise."""
    ends = {one.end for one in others}
    objects, passed = [one.objects for one in others], [one.passed for one in others]
    differing = (
        [one for one in ways if one.end not in ends]
        or [one for one in ways if one.objects not in objects]
        or [one for one in ways if one.passed not in passed]
    )
    return sorted(differing, key=lambda one: one.outcome not in listed)


def _nearest(ways: Sequence[_Way], to: _Way) -> _Way:
    """The way that shares most of its beginning with another."""

    def shared(way: _Way) -> int:
        pairs = zip(way.passed, to.passed, strict=False)
        return next(
            (number for number, (one, other) in enumerate(pairs) if one != other),
            min(len(way.passed), len(to.passed)),
        )

    return max(ways, key=shared)


def _path(told: Branched, way: _Way, steps: tuple[StepDrawn, ...], state: str) -> PathDrawn:
    claim, certain = of_branch(told, way.branch)
    condition = condition_of(told, way.branch)
    note = note_of(way.branch, certain, condition)
    title = f"{state}: {way.branch.ending}, {count(len(way.servers) - 1, 'hop')}"
    title += f": {condition}" if condition else ""
    return PathDrawn(title, way.servers, steps, end=mark_of(claim, certain), ending=note)


def _passed(told: MessageFollowed, label: Callable[[str, str], str]) -> _Passed:
    found: dict[tuple[str, str, str], set[str]] = {}
    for step in told.steps:
        found.setdefault(_object(step, label), set()).add(step.text)
    return {key: frozenset(texts) for key, texts in found.items()}


def _object(step: TraceStep, label: Callable[[str, str], str]) -> tuple[str, str, str]:
    return label(step.system, step.at), step.kind, step.name or step.object


def _compared(step: StepDrawn, own: _Passed, other: _Passed, gone: Mark) -> StepDrawn:
    """A step whose stations say what of them the other state does not have."""
    stations = (
        replace(one, moved=_moved(one, one.server or step.from_, own, other, gone))
        for one in step.inside
    )
    return replace(step, inside=tuple(stations))


def _moved(station: StationDrawn, server: str, own: _Passed, other: _Passed, gone: Mark) -> Mark:
    """An object that is of another kind in the other state is the same one, and acts otherwise."""
    known = other.get((server, station.kind, station.name))
    if known is not None:
        return Mark.NONE if all(one.text in known for one in station.passed) else Mark.ALTERED
    named = {key[1] for key in other if (key[0], key[2]) == (server, station.name)}
    of_other_kind = {kind for kind in named if (server, kind, station.name) not in own}
    return Mark.ALTERED if of_other_kind else gone
