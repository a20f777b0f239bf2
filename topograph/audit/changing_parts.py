"""The parts of a network while commands change them, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from topograph import extensions
from topograph.audit.behaviour import States
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable
from topograph.facts.command import Script
from topograph.findings import Finding
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.importers.secrets import command_without_secrets
from topograph.questions.model import Model, Part
from topograph.systems import assemble, systems_in
from topograph.systems.contract.changes import (
    Changes,
    ClosedChanges,
    LeavesBehind,
    Scripts,
    ServersOfHosts,
    after_both,
)
from topograph.systems.contract.system import Change, Check, Compiled, Estate, FactSource
from topograph.systems.fact_sources import ChangedFacts, FactsOf, FactsReadOnce


def takes_commands(system: str) -> bool:
    """Whether commands of a system are read and applied."""
    return all(
        extensions.optional_module(system, part) is not None for part in ("changes", "commands")
    )


def changes_of(system: str) -> Changes:
    """What commands do to the configuration of a system that takes them."""
    found: Any = extensions.optional_module(system, "changes")
    changes: Changes = found
    return changes


def scripts_of(system: str) -> Scripts:
    """How scripts of a system that takes them are read."""
    found: Any = extensions.optional_module(system, "commands")
    scripts: Scripts = found
    return scripts


def read_script(system: str, data: bytes, name: str) -> Script:
    """The commands of a script to servers of a system, about things as the facts call them."""
    script = scripts_of(system).read_script(data, name)
    return replace(script, commands=tuple(map(command_without_secrets, script.commands)))


def judging_of(part: Part) -> ClosedChanges | None:
    """What the servers of a part notice of each other's changes; None where messages go step by
    step, and where commands are not known.
    """
    if part.form != "closed":
        return None
    found: ClosedChanges | None = extensions.optional_module(part.system.name, "changes")
    return found


def servers_meant(changing: ChangingPart, system: str, place: str) -> frozenset[str]:
    """The servers that a script means by what it connects to."""
    changes, facts = changes_of(system), changing.facts(system)
    if isinstance(changes, ServersOfHosts):
        return changes.servers_of(facts, place, changing.part.side_inputs)
    return changes.servers_at(facts, place)


def left_behind(changes: ClosedChanges | None, change: Change) -> tuple[Finding, ...]:
    """See ``LeavesBehind``; nothing where a system offers no such thing."""
    return changes.left_behind(change) if isinstance(changes, LeavesBehind) else ()


@dataclass
class ChangingPart:
    """One part of the network, and what was changed of it so far."""

    part: Part
    change: Change = field(default_factory=Change)
    _graph: ForwardingGraph | None = None
    _compiled: tuple[Change, Compiled] | None = None
    """What was compiled last, and after which change."""
    _alone: tuple[Change, bool] | None = None
    """The change of which it was asked last whether it leaves walks alone, and whether it does."""
    _estate: tuple[Change, Estate] | None = None
    """The estate that was asked for last, with what it worked out since, and after which change."""
    _before: dict[str, FactsReadOnce] = field(default_factory=dict)
    """The facts before the change, by system."""

    @property
    def graph(self) -> ForwardingGraph:
        """The graph of the network as it is now, made when it is first asked for."""
        if self._graph is None:
            self._graph = self.graph_after(self.change)
        return self._graph

    @cached_property
    def judging(self) -> ClosedChanges | None:
        """See ``judging_of``."""
        return judging_of(self.part)

    def facts(self, system: str) -> FactSource:
        """The facts of a system as they are now."""
        own = self._of(system, self.change)
        before = self._before.setdefault(system, FactsReadOnce(self.part.facts_of(system)))
        return ChangedFacts(before, own) if own != Change() else before

    def _of(self, system: str, change: Change) -> Change:
        if self.part.form == "closed":
            return change
        removed, added = (
            tuple(fact for fact in facts if fact.system == system)
            for facts in (change.removed, change.added)
        )
        return Change(removed, added)

    def estate_after(self, change: Change) -> Estate:
        """The network after a change; the last one is kept."""
        if self._estate is None or self._estate[0] is not change:
            self._estate = change, self.part.estate.apply(change)
        return self._estate[1]

    def graph_after(self, change: Change) -> ForwardingGraph:
        """The graph of the network after a change."""
        if change == Change():
            return self.part.graph
        compiled = self.compiled_after(change)
        return assemble(compiled.tables) if compiled.graph is None else compiled.graph()

    def compiled_after(self, change: Change) -> Compiled:
        """What the network after a change compiles to; the last one is kept."""
        if self._compiled is None or self._compiled[0] is not change:
            self._compiled = change, self.estate_after(change).compile()
        return self._compiled[1]

    def graph_compared(self, change: Change, budget: Budget) -> ForwardingGraph:
        """A graph that says of servers, their pairs and links what that of the network after a
        change does: the one before where that is known of it (``stepping.same_walks``)."""
        return self.part.graph if self._leaves_walks(change, budget) else self.graph_after(change)

    def _leaves_walks(self, change: Change, budget: Budget) -> bool:
        if self.part.form != "stepping" or change == Change():
            return change == Change()
        if self._alone is None or self._alone[0] is not change:
            from topograph.systems.stepping.estate import SteppingEstate
            from topograph.systems.stepping.same_walks import leaves_walks_as_they_are

            before, after = self.part.estate, self.estate_after(change)
            assert isinstance(before, SteppingEstate)
            assert isinstance(after, SteppingEstate)
            walked = self.part.graph, MemoryEngine(self.part.graph)
            try:
                found = leaves_walks_as_they_are(walked, before, after, budget)
            except BudgetSpent:
                found = False
            self._alone = change, found
        return self._alone[1]

    def apply(self, change: Change) -> None:
        """Let a change stand."""
        self.change = after_both(self.change, change)
        self._graph = None

    def left_behind(self) -> tuple[Finding, ...]:
        """What all changes so far leave behind at the servers."""
        return left_behind(self.judging, self.change)

    def findings_of(
        self, model: Model, budget: Budget
    ) -> tuple[Iterable[Finding], Iterable[Finding]]:
        """The findings of the state before and of the one after, without those of reading files,
        which commands do not change. What the import found before is not looked for again, but
        where its texts are redacted. The budget may end those of the state after.
        """
        if not budget.goes_on():
            return (), ()
        checks: Sequence[Check]
        apart: Sequence[Check] = ()
        if self._leaves_walks(self.change, budget) and self.change != Change():
            estate: Any = self.estate_after(self.change)
            after = [one for own in estate.systems.values() for one in own.findings]
            checks = estate.checks()
        else:
            compiled = self.compiled_after(self.change)
            after, checks, apart = [*compiled.findings], compiled.checks, compiled.apart
        before = [*model.records.findings]
        was = self.part.estate.compile() if model.redaction else None
        if was is not None:
            before = [*was.all_findings()]
        nearby = self._nearby()
        for check in (*checks, *(apart if nearby is None else nearby[1])):
            if not budget.goes_on():
                break
            after += check()
        for check in () if nearby is None else nearby[0]:
            before += check()
        return before, after

    def _nearby(self) -> tuple[Sequence[Check], Sequence[Check]] | None:
        """The checks that need no graph, of the servers that change and those next to them alone,
        before and after; None where the system has none. What they say of a part is the same on
        both sides unless the change makes it so.
        """
        form = self.part.system.closed
        if self.judging is None or form is None or form.apart is None:
            return None
        changed = {fact.server for fact in (*self.change.removed, *self.change.added)}
        servers = set(changed)
        for graph in (self.part.graph, self.graph):
            for link in graph.links:
                ends = {graph.servers[link.a].name, graph.servers[link.b].name}
                if ends & changed:
                    servers |= ends
        name = self.part.system.name
        sides = (self.part.facts_of(name), self.facts(name))
        found = [
            form.apart(form.load(FactsOf(one, frozenset(servers)), self.part.side_inputs))
            for one in sides
        ]
        return found[0], found[1]

    def states(self, budget: Budget) -> States:
        """Before and after all changes so far."""
        after = (
            self.part.facts_of(self.part.system.name)
            if self.judging is None
            else self.facts(self.part.system.name)
        )
        graph = self.graph if self.judging is not None else self.compared(budget)
        return States(
            self.part, self.judging, graph, after, self.estate_after(self.change), self.change
        )

    def compared(self, budget: Budget) -> ForwardingGraph:
        """A graph of the network as it is now to compare with (``graph_compared``)."""
        if self._graph is None and self._leaves_walks(self.change, budget):
            return self.part.graph
        return self.graph

    def now(self) -> Part:
        """The part as it is now."""
        return Part(self.graph, MemoryEngine(self.graph), self.facts, self.part.side_inputs)

    def passing(self, graph: ForwardingGraph) -> ForwardingGraph:
        """A graph without what lets nothing pass at the moment."""
        return graph if self.judging is None else self.judging.passing(graph)


@dataclass
class ChangingNetwork:
    """All parts of a network that take commands of some system."""

    model: Model

    @cached_property
    def parts(self) -> dict[str, ChangingPart]:
        """By system the part that its commands change. Raises NotApplicable where no system
        takes commands.
        """
        found: dict[str, ChangingPart] = {}
        for part in self.model.parts:
            changing = ChangingPart(part)
            for system in systems_in(part.graph):
                if takes_commands(system):
                    found.setdefault(system, changing)
        if not found:
            present = ", ".join(part.system.title for part in self.model.parts) or "nothing"
            raise NotApplicable(
                f"audit takes no commands of {present}, which is what network "
                f"{self.model.network} runs."
            )
        return found

    def after(self) -> Model:
        """The network as it is now, as a network of its own."""
        changing = {id(one.part): one for one in self.changed()}
        return replace(
            self.model,
            parts=[
                changing[id(part)].now() if id(part) in changing else part
                for part in self.model.parts
            ],
        )

    def changed(self) -> list[ChangingPart]:
        """The parts that are not as before."""
        return [one for one in self.distinct() if one.change != Change()]

    def distinct(self) -> list[ChangingPart]:
        """Each part once."""
        return list({id(one): one for one in self.parts.values()}.values())

    def closed(self) -> list[ChangingPart]:
        """The parts with a graph of one system."""
        return [one for one in self.distinct() if one.judging is not None]
