"""States that messages get to while a graph is made (``closure``), their ways, and what is said of
the forwards that these become.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from topograph.forwarding.lazy_rows import Described
from topograph.records import record
from topograph.tracing.states import Passage, State, Way
from topograph.tracing.told_steps import Steps, StepTexts, ToldStep
from topograph.tracing.trace import Kind

Place = int
"""What of a state decides what comes next, by number: the system, and the loop key."""


class Met:
    """A state that messages get to, its server by number, and its ways once they were looked at:
    many messages share states, and each is stepped once. That of a ``passage`` is made when it is
    asked for."""

    __slots__ = ("_passage", "_state", "place", "server", "system", "ways")

    def __init__(
        self,
        system: str,
        place: Place,
        server: int,
        state: State | None = None,
        passage: Passage | None = None,
    ) -> None:
        self.system, self.place, self.server = system, place, server
        self._state, self._passage = state, passage
        self.ways: Sequence[Onward] | None = None

    @property
    def state(self) -> State:
        if self._state is None:
            assert self._passage is not None
            self._state, self._passage = self._passage.state(), None
        return self._state


class Onward(NamedTuple):
    """Where a way leads that is neither an ending nor another reading."""

    to: Met
    guards: frozenset[int]
    branch: Kind
    way: Way
    told: ToldStep


@record(eq=False)
class Before:
    """The step taken last, and those before it."""

    told: ToldStep
    earlier: Before | None


class Exit(NamedTuple):
    """A way out of a server: where to, under which guards, with the way taken last and the steps
    before it.
    """

    to: Met
    guards: frozenset[int]
    branch: Kind
    way: Way
    before: Steps | None


class Said(NamedTuple):
    """What describes a forward."""

    way: Way
    branch: Kind
    before: Steps | None

    def described(self, texts: StepTexts) -> Described:
        way, steps = self.way, texts.together(self.before) if self.before else ""
        cost = way.cost or 0
        return Described(way.rule, way.confidence, way.source, cost, str(self.branch), steps)


def descriptions_of(said: Iterable[Said]) -> list[Described]:
    """Descriptions of forwards; steps that read alike are one text."""
    texts = StepTexts()
    return [one.described(texts) for one in said]
