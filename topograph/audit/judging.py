"""The commands of change scripts, one after the other: what each does, whether the servers accept it, and what all of them together change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from topograph import extensions
from topograph.audit.differences import compared, lost_pairs
from topograph.audit.links import links_changed
from topograph.audit.witnesses import deliveries_compared
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UsageError
from topograph.facts.command import Command, Script
from topograph.findings import Finding, Severity
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution, Duplicate, Step
from topograph.questions.audit_answers import AuditAnswer, AuditBefore, AuditStep, Rejection
from topograph.questions.cycles import cycles, duplicates_of
from topograph.questions.model import Model, Part, cut, within_budget
from topograph.questions.steps import PathBook
from topograph.systems import assemble
from topograph.systems.changing import Changes, Refusal, after_both
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.protocol import Change, FactSource
from topograph.tracing.assumptions import network_assumptions


@dataclass(frozen=True)
class Given:
    """A change script: its bytes, the name that its lines are cited by, and the server that it runs on (None: it says so itself)."""

    data: bytes
    name: str
    at: str | None = None


def named(path: Path) -> str:
    """The name that the lines of a script are cited by: its path, from the current folder where it lies below that."""
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


@dataclass
class _Changing:
    """One part of the network while commands change it."""

    part: Part
    changes: Changes
    change: Change = field(default_factory=Change)

    @cached_property
    def before(self) -> FactSource:
        return self.part.facts_of(self.part.system.name)

    @property
    def facts(self) -> FactSource:
        """The facts as they are now."""
        return ChangedFacts(self.before, self.change) if self.change != Change() else self.before

    def graph(self, change: Change) -> ForwardingGraph:
        """The graph of the facts after a change."""
        if change == Change():
            return self.part.graph
        return assemble(self.part.estate.apply(change).compile().tables)


@within_budget
def audit(model: Model, budget: Budget, scripts: Sequence[Given], down: Sequence[str] = ()) -> AuditAnswer:
    """What the commands of ``scripts`` would do, in order; ``down`` are routes (``route:A-B``) that are down at the moment.

    Each command is given to the configuration that those before it left; one that is refused changes nothing. Computed in memory; nothing is written.
    Raises UsageError for a script that does not say which server it runs on, UnknownServer, NotApplicable where no system takes commands."""
    takes = [part for part in model.parts if part.form == "closed" and _module(part, "changes") is not None]
    if not takes:
        present = ", ".join(part.system.title for part in model.parts) or "nothing"
        raise NotApplicable(f"audit takes no commands of {present}, which is what network {model.network} runs.")
    part = takes[0]
    state = _Changing(part, _module(part, "changes"))
    links = [_link(model, part, text) for text in down]
    steps: list[AuditStep] = []
    rejections: list[Rejection] = []
    findings: list[Finding] = []
    graph = part.graph
    for given in scripts:
        script = _read(part, given)
        findings += script.findings
        for command in script.commands:
            server = _server(model, state, given, command)
            step, refused, graph = _judged(state, server, command, links, graph, budget)
            steps.append(step)
            rejections += refused
    if not steps:
        raise UsageError(f"{', '.join(given.name for given in scripts)}: no command that could change anything.")
    before = cycles(model)
    own = tuple(one for one in before.duplicates if one.system == part.system.name)
    differences = compared(state.changes.passing(part.graph), state.changes.passing(graph), budget)
    moved = deliveries_compared(model, part, state.changes, graph, state.facts, state.change, budget)
    verdict = "accept"
    if any(not one.undetermined for one in rejections):
        verdict = "reject"
    elif rejections:
        verdict = "undetermined"
    said = [Caution(one.kind, one.message, one.source) for one in findings if one.severity is not Severity.INFO]
    said += [note for step in steps for note in step.notes]
    return AuditAnswer(
        **model.common(part, "memory"),
        exact=differences.complete and moved.complete and not budget.spent,
        assumptions=network_assumptions([graph]),
        warnings=(*model.warnings, *dict.fromkeys(said), *moved.cautions, *cut(budget, "not all was compared")),
        verdict=verdict,
        before=AuditBefore(before.legal, own),
        steps=tuple(steps),
        rejections=tuple(rejections),
        reach=differences.reach,
        hops=differences.hops,
        deliveries=moved.known,
        would_gain=moved.would_gain,
        would_lose=moved.would_lose,
        links=links_changed(part.graph, graph, state.changes.passing(part.graph), state.changes.passing(graph)),
    )


def _module(part: Part, name: str) -> Any:
    """A module that only systems with change scripts have (``systems.changing``); None where there is none."""
    return extensions.optional_module(part.system.name, name)


def _read(part: Part, given: Given) -> Script:
    read: Callable[[bytes, str], Script] = _module(part, "commands").read_script
    return read(given.data, given.name)


def _link(model: Model, part: Part, text: str) -> tuple[str, str]:
    """The two servers of ``route:A-B``."""
    kind, _, names = text.partition(":")
    servers = set(part.graph.server_number)
    found = [
        (names[:at], names[at + 1 :])
        for at, character in enumerate(names)
        if character == "-" and names[:at] in servers and names[at + 1 :] in servers
    ]
    if kind != "route" or not found:
        raise UsageError(f"--down takes route:A-B with two servers of network {model.network}, not {text!r}.")
    return found[0]


def _server(model: Model, state: _Changing, given: Given, command: Command) -> str:
    """The server that a command is given to. Raises UnknownServer, UsageError."""
    if command.connected:
        found = sorted(state.changes.servers_at(state.facts, command.connected))
        if len(found) == 1:
            return found[0]
        what = f"leads to {' and '.join(found)}" if found else "is where no server of the loaded files listens"
        if given.at is None:
            raise UsageError(
                f"{command.source}: {command.connected} {what}. Say which server the script runs on: SERVER={given.name}."
            )
    if given.at is None:
        raise UsageError(
            f"{command.source}: the script does not say which server it runs on. Say so: --change SERVER={given.name}, or begin it with a "
            "connect line."
        )
    return model.locate(given.at).name


def _judged(
    state: _Changing,
    server: str,
    command: Command,
    links: Sequence[tuple[str, str]],
    graph: ForwardingGraph,
    budget: Budget,
) -> tuple[AuditStep, list[Rejection], ForwardingGraph]:
    """One command: its step, why it is refused if it is, and the graph after it. What is accepted is applied."""
    edit = state.changes.edit(state.facts, server, command)
    refused, when = edit.refused, "now"
    down = Change()
    for one, other in links:
        down = after_both(down, state.changes.without_link(ChangedFacts(state.facts, down), one, other))
    if refused is None and edit.change != Change():
        now = state.graph(after_both(state.change, down)) if links else graph
        refused = state.changes.judge(now, server, command, budget)
        if links and (refused is None or refused.undetermined):
            later = state.changes.judge(graph, server, command, budget)
            if later is not None and not later.undetermined:
                refused, when = (
                    later,
                    f"when {' and '.join(f'{a}-{b}' for a, b in _blamed(state, links, server, command, budget))} comes up",
                )
    result = _result(edit.change, refused, when)
    rejections = [_rejection(state.part, command, refused, when)] if refused is not None else []
    lost: tuple[tuple[str, str], ...] = ()
    count = 0
    if result in ("accepted", "conflict", "undetermined") and edit.change != Change():
        state.change = after_both(state.change, edit.change)
        graph = state.graph(state.change)
        now = state.changes.passing(graph)
        if state.change.removed or now is not graph:  # else there are only more routes, which separate nobody
            lost, count = lost_pairs(state.changes.passing(state.part.graph), now, budget)
    notes = tuple(Caution(note.kind, note.message, note.source) for note in edit.notes)
    step = AuditStep(command.text, command.source, server, result, lost, count, notes, state.part.system.name)
    return step, rejections, graph


def _blamed(
    state: _Changing, links: Sequence[tuple[str, str]], server: str, command: Command, budget: Budget
) -> Sequence[tuple[str, str]]:
    """The first link that is down with which alone a command is refused; all of them where it takes several."""
    for back in links:
        down = Change()
        for one, other in links:
            if (one, other) != back:
                down = after_both(down, state.changes.without_link(ChangedFacts(state.facts, down), one, other))
        found = state.changes.judge(state.graph(after_both(state.change, down)), server, command, budget)
        if found is not None and not found.undetermined:
            return [back]
    return links


def _result(change: Change, refused: Refusal | None, when: str) -> str:
    if refused is None:
        return "accepted" if change != Change() else "no-effect"
    if refused.undetermined:
        return "undetermined"
    return "refused" if when == "now" else "conflict"


def _rejection(part: Part, command: Command, refused: Refusal, when: str) -> Rejection:
    doubled: tuple[Duplicate, ...] = ()
    flows: tuple[tuple[Step, ...], ...] = ()
    paths: tuple[tuple[str, ...], ...] = ()
    if refused.doubled is not None and refused.doubled.names:
        graph, names = refused.doubled.graph, refused.doubled.names
        doubled = tuple(duplicates_of(part.system, graph, names))
        shown = next(n for n, one in enumerate(doubled) if one.server in refused.at)
        book = PathBook(Part(graph, MemoryEngine(graph), part.facts_of, part.side_inputs))
        paths, flows = doubled[shown].paths, tuple(book.steps(path) for path in names[shown].paths)
    return Rejection(
        command.text,
        command.source,
        refused.server,
        refused.rule,
        refused.message,
        refused.at or (refused.server,),
        doubled,
        paths,
        when,
        refused.detected,
        refused.undetermined,
        flows,
    )
