"""What policies are judged on: a state of the network by the labels of its servers, and the cases
that speak for and against one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from topograph.audit.changing_parts import judging_of
from topograph.engines.memory import MemoryEngine
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.inexact import Cause
from topograph.questions.answers import Answer, ImpactAnswer, ReachedServer
from topograph.questions.answers.audit import PolicyEvidence
from topograph.questions.impact import impact
from topograph.questions.model import Model, Part
from topograph.questions.reach import hop_rows, reach
from topograph.records import record

MANY = 100
"""Servers from which reach is asked one by one; of more, the rows of the hop matrix settle what
they can first.
"""

A = TypeVar("A", bound=Answer)

Pairs = Sequence[tuple[str, str]]
"""Ordered pairs of servers by label."""

Key = tuple[str, ...]
"""What a case is about: a pair of servers, or other names; empty where it is about everything."""


@record
class Case:
    """One case of a policy: what it is about, what is so, and how bad it is, for comparing."""

    about: Key
    evidence: PolicyEvidence
    harm: int = 0


@dataclass
class Cases:
    """What speaks against a policy, what nobody can say, and what it rests on where neither is
    there.
    """

    failing: list[Case] = field(default_factory=list)
    open: list[Case] = field(default_factory=list)
    holding: list[PolicyEvidence] = field(default_factory=list)

    def fail(self, evidence: PolicyEvidence, *about: str, harm: int = 0) -> None:
        """Add what speaks against it."""
        self.failing.append(Case(about, evidence, harm))

    def leave_open(self, evidence: PolicyEvidence, *about: str) -> None:
        """Add what nobody can say."""
        self.open.append(Case(about, evidence))

    def hold(self, evidence: PolicyEvidence) -> None:
        """Add what it rests on."""
        self.holding.append(evidence)


@record(slots=False)
class Reached:
    """What one server reaches, by label; ``open`` are those of which nobody can say."""

    servers: dict[str, ReachedServer]
    open: dict[str, PolicyEvidence]


class State:
    """One state of the network that policies are judged on, and ``before``, the one before it, by
    the labels of its servers.
    """

    def __init__(self, before: Model, after: Model, budget: Budget) -> None:
        self.after, self.before, self.budget = after, before, budget
        self.there = frozenset(after.server_names())
        self._labels = {
            (place.system, place.name): after.label(place.server) for place in after.places()
        }
        self._reached: dict[str, Reached] = {}
        self._failing: dict[str, ImpactAnswer] = {}

    def label(self, system: str, name: str) -> str:
        """What a server of an answer is called in this network."""
        return self._labels.get((system, name), name)

    @cached_property
    def not_loaded(self) -> frozenset[str]:
        """The names of servers whose files are not loaded."""
        return frozenset(place.name for place in self.after.places() if not place.server.loaded)

    def over_unknown(self, path: Sequence[str]) -> str:
        """Why it is not certain that messages take a path: a server on it whose files are not
        loaded. Empty where all are."""
        found = next((name for name in path if name in self.not_loaded), "")
        return f"this rests on {found}, whose files are not loaded" if found else ""

    def told(self, answer: A) -> A:
        """The answer to another question, which has a budget of its own. If that ended, so has the
        one of all policies, which began before it: what the answer left out is left out here."""
        if any(one.cause is Cause.BUDGET for one in answer.inexact_because):
            self.budget.spent = True
        return answer

    def reached(self, start: str) -> Reached:
        """What a server reaches, asked once."""
        if start not in self._reached:
            answer = self.told(reach(self.passing, start))
            servers = {self.label(one.system, one.server): one for one in answer.servers}
            open_ = {
                self.label(one.system, one.server): PolicyEvidence(one.because, source=one.source)
                for one in answer.undetermined
            }
            for label, one in servers.items():
                if not one.certain:
                    text = (
                        "messages wait on the way and get there later"
                        if one.later
                        else "whether a message gets there is decided at run time"
                    )
                    open_[label] = PolicyEvidence(text, one.path, last_source(one))
            self._reached[start] = Reached(servers, open_)
        return self._reached[start]

    def quick_hops(self, starts: Sequence[str]) -> dict[str, dict[str, int]]:
        """Hops to the servers that are certainly reached, by start, of many starts: the rows of
        the hop matrix. Empty for few.
        """
        if len(starts) <= MANY:
            return {}
        wanted, names = frozenset(starts), self.after.server_names()
        return {
            start: {
                end: number
                for end, number in zip(names, row, strict=True)
                if isinstance(number, int) and end not in row.later
            }
            for start, row in hop_rows(self.passing)
            if start in wanted
        }

    @cached_property
    def passing(self) -> Model:
        """The network without what lets nothing pass at the moment: a suspended route reaches
        nobody.
        """
        return passing(self.after)

    @cached_property
    def swept(self) -> ImpactAnswer:
        """What each single failure does, counted. Raises NotApplicable, UsageError."""
        return self.told(impact(self.passing, sweep=True))

    def failing(self, what: str) -> ImpactAnswer:
        """What one failure does, asked once."""
        if what not in self._failing:
            self._failing[what] = self.told(impact(self.passing, [what]))
        return self._failing[what]

    @cached_property
    def unread(self) -> PolicyEvidence | None:
        """That main files could not be read: nothing is known of their servers."""
        if not self.after.unreadable:
            return None
        first = self.after.unreadable[0]
        return PolicyEvidence(
            f"{first} could not be read: nothing is known of its server", source=Source(first)
        )


def passing(model: Model) -> Model:
    """A network without what lets nothing pass at the moment."""
    parts = []
    for part in model.parts:
        judging = judging_of(part)
        graph = part.graph if judging is None else judging.passing(part.graph)
        same = graph is part.graph
        parts.append(
            part if same else Part(graph, MemoryEngine(graph), part.facts_of, part.side_inputs)
        )
    return replace(model, parts=parts)


def last_source(one: ReachedServer) -> Source:
    """The line of the last link of a path."""
    return one.steps[-1].source if one.steps else Source("")


def by_start(pairs: Pairs) -> Iterator[tuple[str, list[str]]]:
    """The last servers of pairs by the first one."""
    found: dict[str, list[str]] = {}
    for start, end in pairs:
        found.setdefault(start, []).append(end)
    yield from found.items()


def cut(budget: Budget) -> PolicyEvidence:
    """That the budget ended first."""
    return PolicyEvidence(f"{budget.ended} (--budget), before all was looked at")


def none_of(pairs: Pairs, verb: str) -> str:
    """That no first server of pairs does something to the second one."""
    if len(pairs) == 1:
        return f"{pairs[0][0]} does not {verb} {pairs[0][1]}"
    return f"in none of {len(pairs):,} ordered pairs does the first server {verb} the second"


def hops(number: int) -> str:
    """A number of hops in words."""
    return count(number, "hop")


def count(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
