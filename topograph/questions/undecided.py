"""What an answer leaves open, in one list: its fields say it where they say the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from topograph.inexact import Inexact
from topograph.judgement import Told
from topograph.outcomes import Outcome
from topograph.questions.answers.base import Answer, Doubt, Step, Undetermined
from topograph.questions.answers.paths import HopsAnswer, HopsMatrixAnswer, PathFound, ReachedServer
from topograph.questions.answers.propagate import Delivery, End
from topograph.questions.answers.services import ServiceListener, ServiceReached
from topograph.questions.answers.trace import TraceAnswer, TraceReply
from topograph.tracing.trace import NOWHERE

_CHOSEN = {
    str(Told.ONE_OF): "it gets the message only if it is chosen at run time",
    str(Told.UNKNOWN): "code that no file shows decides whether it gets the message",
}

_DECIDED = (str(Told.YES), str(Told.NO))

_CONNECTED = "whether connections get there is decided at run time"


def undecided(answer: Answer) -> tuple[Doubt, ...]:
    """See ``Answer.undecided``. Linear in the answer."""
    found = dict.fromkeys(_doubts(answer))
    if isinstance(answer, HopsMatrixAnswer):
        because = "its files are not loaded"
        found |= dict.fromkeys(Doubt(name, because) for name in answer.undetermined)
    return tuple(found)


def _doubts(value: Any) -> Iterator[Doubt]:
    if (own := _of_entry(value)) is not None:
        yield own
    elif isinstance(value, tuple):
        for one in value:
            yield from _doubts(one)
    elif dataclasses.is_dataclass(value) and not isinstance(value, _ENTRIES):
        if isinstance(value, TraceAnswer | TraceReply):
            yield from _endings(value)
        if isinstance(value, HopsAnswer) and value.later:
            yield _not_certain(value.to, value.steps)
        if isinstance(value, ServiceListener) and value.judgement not in _DECIDED:
            yield Doubt(value.server, value.because or _CONNECTED, value.source)
        for field in dataclasses.fields(value):
            yield from _doubts(getattr(value, field.name))


_ENTRIES = (Undetermined, Inexact, ReachedServer, PathFound, Delivery, End, ServiceReached)
"""Entries of answers that leave one thing open, or none."""


def _of_entry(value: Any) -> Doubt | None:
    """What an entry leaves open."""
    match value:
        case Undetermined():
            return Doubt(value.server, value.because, value.source)
        case Inexact():
            return Doubt("", value.message)
        case ReachedServer() | PathFound() if not value.certain:
            last = value.server if isinstance(value, ReachedServer) else value.servers[-1]
            return _not_certain(last, value.steps)
        case Delivery() if value.judgement in _CHOSEN:
            return Doubt(value.server, _CHOSEN[value.judgement], value.source)
        case End() if value.outcome == Outcome.UNDETERMINED:
            return Doubt(value.server, value.because, value.source)
        case ServiceReached() if value.judgement not in _DECIDED:
            return Doubt(value.server, value.because or _CONNECTED, value.source)
    return None


def _not_certain(server: str, steps: Sequence[Step]) -> Doubt:
    place = steps[-1].source if steps else NOWHERE
    return Doubt(server, "a message does not get there for certain", place)


def _endings(answer: TraceAnswer | TraceReply) -> Iterator[Doubt]:
    """The parts of a message's way whose end is not known."""
    for branch in answer.branches:
        if branch.ending.startswith(Outcome.UNDETERMINED) and branch.last >= 0:
            step = answer.steps[branch.last]
            yield Doubt(step.at, step.text, step.source)
