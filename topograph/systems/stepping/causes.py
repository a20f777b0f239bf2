"""Which line of a change a message ends otherwise for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.records import record
from topograph.systems.contract.system import Change
from topograph.tracing.ending_nodes import Content, Line
from topograph.tracing.trace import Trace, TracedStep


@record(slots=False)
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
        for steps, lines in ((new, self.lines[1]), (gone, self.lines[0])):
            for step in steps:
                if step.source.line and (step.source.file, step.source.line) in lines:
                    return step.source
        for step in (*new, *gone, *after.steps, *before.steps):
            if (step.system, step.at) in self.servers:
                return self.about(step.system, step.at, step.object)
        return self.otherwise

    def about(self, system: str, server: str, name: str) -> Source:
        """The line that changed of one of ``servers``, for a step there that is about something:
        the one with that name; the first one where none has it."""
        own, names = self._facts[system, server], name.split("@")
        return next((one for one in own if one.label.rpartition("/")[2] in names), own[0]).source

    @property
    def servers(self) -> Collection[tuple[str, str]]:
        """The servers that the change is about, each after its system."""
        return self._facts.keys()

    @property
    def otherwise(self) -> Source:
        """The line where no step is at a server of the change."""
        return next((own[0].source for own in self._facts.values()), Source(""))

    @cached_property
    def _facts(self) -> Mapping[tuple[str, str], Sequence[Fact]]:
        """By server what changed: what only a file as a whole says has no line."""
        every = (*self.change.added, *self.change.removed)
        found: dict[tuple[str, str], list[Fact]] = {}
        for one in [one for one in every if one.source.line] or every:
            found.setdefault((one.system, one.server), []).append(one)
        return found

    @cached_property
    def lines(self) -> Sequence[frozenset[Line]]:
        """The lines that the change takes away, and those that it brings."""
        return [
            frozenset((fact.source.file, fact.source.line) for fact in facts)
            for facts in (self.change.removed, self.change.added)
        ]


def _content(step: TracedStep) -> Content:
    return step.system, step.at, step.object, step.text
