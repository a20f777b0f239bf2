"""Which line of a change a message ends otherwise for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.systems.contract.system import Change
from topograph.tracing.trace import Trace, TracedStep

Line = tuple[str, int]


@dataclass(frozen=True)
class Causes:
    """The lines of a change, to be found by the steps of messages."""

    change: Change

    def of(self, before: Trace, after: Trace) -> Source:
        """The line behind what a message does otherwise: that of the first step that is there only
        afterwards, or only before, and stands on a line which the change brings or takes away.

        Where a step rests on none, such as that a queue is not there, it is an entry of the server
        where the first such step is taken, if one changed the one with the name that it is about.
        Empty where nothing changed. Linear in the steps and in the change."""
        was, now = ({_content(step) for step in trace.steps} for trace in (before, after))
        new = [step for step in after.steps if _content(step) not in was]
        gone = [step for step in before.steps if _content(step) not in now]
        for steps, lines in ((new, self._lines[1]), (gone, self._lines[0])):
            for step in steps:
                if step.source.line and (step.source.file, step.source.line) in lines:
                    return step.source
        every = (*self.change.added, *self.change.removed)
        # what only a file as a whole says has no line
        facts = [one for one in every if one.source.line] or every
        for step in (*new, *gone, *after.steps, *before.steps):
            if own := [one for one in facts if (one.system, one.server) == (step.system, step.at)]:
                return _about(step, own).source
        return facts[0].source if facts else Source("")

    @cached_property
    def _lines(self) -> Sequence[frozenset[Line]]:
        return [
            frozenset((fact.source.file, fact.source.line) for fact in facts)
            for facts in (self.change.removed, self.change.added)
        ]


def _about(step: TracedStep, facts: Sequence[Fact]) -> Fact:
    """The fact with the name that a step is about; the first one where none has it."""
    names = step.object.split("@")
    return next((one for one in facts if one.label.rpartition("/")[2] in names), facts[0])


def _content(step: TracedStep) -> tuple[str, str, str, str]:
    return step.system, step.at, step.object, step.text
