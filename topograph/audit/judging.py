"""The commands of change scripts, one after the other: what each does, whether the servers
accept it, and what all of them together change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from topograph.audit.behaviour import differences, merged
from topograph.audit.changing_parts import (
    ChangingNetwork,
    ChangingPart,
    changes_of,
    read_script,
    scripts_of,
    servers_meant,
)
from topograph.audit.differences import lost_pairs
from topograph.audit.findings_brought import brought, cautions_of, links_left_open
from topograph.audit.judging_policies import with_policies
from topograph.audit.policy import Policy
from topograph.audit.verdict import not_compared, with_verdict
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UsageError
from topograph.facts.command import Command
from topograph.findings import Finding, Severity
from topograph.forwarding.budget import Budget
from topograph.importers.secrets import without_secrets
from topograph.inexact import Cause, Inexact
from topograph.questions.answers import Caution, CyclesAnswer, Duplicate, Step
from topograph.questions.answers.audit import (
    AuditAnswer,
    AuditBefore,
    AuditStep,
    FindingBrought,
    LeftOpen,
    Rejection,
)
from topograph.questions.cycles import duplicates_of, legal_routes
from topograph.questions.model import Model, Part, cut, ended, within_budget
from topograph.questions.offers import systems_asked
from topograph.questions.records.changes import AUDIT
from topograph.questions.steps import PathBook
from topograph.records import record
from topograph.systems import systems_in
from topograph.systems.contract.changes import ClosedChanges, Refusal, after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.registry import title
from topograph.tracing.assumptions import network_assumptions
from topograph.words.several import several


@record(slots=False)
class GivenScript:
    """A change script: its bytes, the name that its lines are cited by, and the server that it
    runs on (None: it says so itself).
    """

    data: bytes
    name: str
    at: str | None = None


def named(path: Path) -> str:
    """The name that the lines of a script are cited by: its path, from the current folder where
    it lies below that.
    """
    return (
        path.relative_to(Path.cwd()).as_posix()
        if path.is_relative_to(Path.cwd())
        else path.as_posix()
    )


@record(slots=False)
class LinkDown:
    """A link between two servers, by name, that is down at the moment."""

    changing: ChangingPart
    one: str
    other: str


@dataclass
class _Run:
    """What came of commands that were given one after the other. ``changes`` are those of the
    part of each step so far.
    """

    network: ChangingNetwork
    steps: list[AuditStep] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def _run(
    model: Model, scripts: Sequence[GivenScript], down: str | Sequence[str], budget: Budget
) -> _Run:
    """The commands of ``scripts``, given in order; see ``audit``."""
    run = _Run(ChangingNetwork(model))
    links = [_link(run.network, text) for text in several(down)]
    for given in scripts:
        system = language_of(run.network, given)
        script = read_script(system, given.data, given.name)
        run.findings += script.findings
        for command in script.commands:
            server = _server(run.network, system, given, command)
            step, refused = _judged(run.network, system, server, command, links, budget)
            run.steps.append(step)
            run.changes.append(run.network.parts[system].change)
            run.rejections += refused
    if not run.steps:
        raise UsageError(
            f"{', '.join(given.name for given in scripts)}: no command that could change anything."
        )
    return run


@within_budget
def applied(
    model: Model, budget: Budget, scripts: Sequence[GivenScript], down: str | Sequence[str] = ()
) -> tuple[ChangingNetwork, tuple[LeftOpen, ...]]:
    """The network that the commands of ``scripts`` leave, without those that are refused; and what
    the search left out of that. Raises as ``audit``.
    """
    network = _run(model, scripts, down, budget).network
    what = "whether every command of the change is taken"
    return network, (not_compared(budget, what),) if budget.spent else ()


def audit(
    model: Model,
    scripts: Sequence[GivenScript],
    down: str | Sequence[str] = (),
    policies: Sequence[Policy] = (),
) -> AuditAnswer:
    """What the commands of ``scripts`` would do, in order; ``down`` are routes (``route:A-B``) that
    are down at the moment. ``policies`` are judged on what the accepted commands leave.

    Each command is given to the configuration that those before it left; one that is refused
    changes nothing. ``verdict`` gives the verdict. Computed in memory; nothing is written.

    Raises UsageError for a script that does not say which server it runs on, UnknownServer,
    NotApplicable where no system takes commands."""
    return with_verdict(_audited(model, scripts, down, policies))


@within_budget
def _audited(
    model: Model,
    budget: Budget,
    scripts: Sequence[GivenScript],
    down: Sequence[str],
    policies: Sequence[Policy],
) -> AuditAnswer:
    was = legal_routes(model)
    run = _run(model, scripts, down, budget)
    network, steps, rejections = run.network, run.steps, run.rejections
    found = [differences(model, changing.states(budget), budget) for changing in network.changed()]
    steps = _apart_meanwhile(network, steps, run.changes, budget)
    said = [
        Caution(one.kind, one.message, one.source)
        for one in run.findings
        if one.severity is not Severity.INFO
    ]
    said += [note for step in steps for note in step.notes]
    asked = list(
        {id(network.parts[step.system]): network.parts[step.system] for step in steps}.values()
    )
    new, left = _brought(model, network.changed(), budget)
    complete = all(one.complete for one in found) and not (budget.spent or was.cut)
    differing = merged(found)
    differing["left_open"] = (*differing["left_open"], *left)
    answer = AuditAnswer(
        **model.common(asked[0].part, "memory"),
        exact=complete,
        inexact_because=_because(complete, budget, was),
        assumptions=network_assumptions([one.compared(budget) for one in asked]),
        warnings=(
            *model.warnings,
            *dict.fromkeys(said),
            *(caution for one in found for caution in one.cautions),
            *cautions_of(new),
            *cut(budget, "not all was compared"),
        ),
        verdict="",
        before=AuditBefore(was.legal, was.duplicates, was.judged),
        steps=tuple(steps),
        rejections=tuple(rejections),
        **differing,
        findings=new,
        anchor=steps[0].source,
    )
    return with_policies(
        answer, policies, model, network.after() if policies else model, complete=complete
    )


def _because(complete: bool, budget: Budget, was: CyclesAnswer) -> tuple[Inexact, ...]:
    """Why the answer is not exact; nothing where it is."""
    if complete:
        return ()
    found = (*ended(budget), *(was.inexact_because if was.cut else ()))
    text = "not all messages were followed before and after"
    return tuple(dict.fromkeys(found)) or (Inexact(Cause.LIMIT, text),)


def _brought(
    model: Model, changed: Sequence[ChangingPart], budget: Budget
) -> tuple[tuple[FindingBrought, ...], tuple[LeftOpen, ...]]:
    """The findings that the commands bring, and what they leave open or was not looked at."""
    found: list[FindingBrought] = []
    open_: list[LeftOpen] = []
    for one in changed:
        systems = systems_in(one.part.graph)
        new = brought(*one.findings_of(model, budget), systems)
        found += new
        open_ += links_left_open(new, systems)
    if budget.spent:
        open_.append(not_compared(budget, "not all checks were run on the state after"))
    return tuple(found), tuple(open_)


def _check_language(given: GivenScript, system: str, server: str) -> None:
    """Raises UsageError for a script that has commands of another system than the server's and
    none of it. Linear in the script.
    """
    if scripts_of(system).recognises(given.data):
        return
    for other in systems_asked(AUDIT):
        if other != system and scripts_of(other).recognises(given.data):
            raise UsageError(
                f"{given.name} has commands of {title(other)}, and {server} runs {title(system)}. "
                f"Name a server of {title(other)}: SERVER={given.name}."
            )


def language_of(network: ChangingNetwork, given: GivenScript) -> str:
    """The system whose commands a script has: that of the server it is given to, else the one
    that recognises it. Raises UnknownServer, NotApplicable, UsageError."""
    if given.at is not None:
        place = network.model.locate(given.at)
        if place.system not in network.parts:
            raise NotApplicable(
                f"audit takes no commands of {title(place.system)}, which {place.name} runs."
            )
        _check_language(given, place.system, place.name)
        return place.system
    found = [name for name in network.parts if scripts_of(name).recognises(given.data)]
    if len(found) == 1:
        return found[0]
    if len(network.parts) == 1:
        return next(iter(network.parts))
    among = " and ".join(title(name) for name in found or network.parts)
    what = f"it has commands of {among}" if found else f"it has no commands of {among}"
    raise UsageError(
        f"{given.name}: {what}. Say which server the script runs on: SERVER={given.name}."
    )


def _link(network: ChangingNetwork, text: str) -> LinkDown:
    """The part with the two servers of ``route:A-B``, and these."""
    kind, _, names = text.partition(":")
    found = [
        LinkDown(changing, names[:at], names[at + 1 :])
        for changing in network.closed()
        for at, character in enumerate(names)
        if character == "-"
        and {names[:at], names[at + 1 :]} <= changing.part.graph.server_number.keys()
    ]
    if kind != "route" or not found:
        raise UsageError(
            "--down takes route:A-B with two servers of network "
            f"{network.model.network}, not {text!r}."
        )
    return found[0]


def _server(network: ChangingNetwork, system: str, given: GivenScript, command: Command) -> str:
    """The server that a command is given to, by name; empty where it goes to more than one
    (``Command.scope``). Raises UnknownServer, UsageError.
    """
    if command.scope:
        return ""
    if command.connected:
        found = sorted(servers_meant(network.parts[system], system, command.connected))
        if len(found) == 1:
            if given.at is not None and network.model.locate(given.at).name != found[0]:
                raise UsageError(
                    f"{command.source}: the script connects to {found[0]} "
                    f"({command.connected}), but it is given to {given.at}. Give it to "
                    f"{found[0]}, or leave the server out."
                )
            return found[0]
        what = (
            f"leads to {' and '.join(found)}"
            if found
            else "is where no server of the loaded files listens"
        )
        if (
            given.at is None
            and not found
            and getattr(changes_of(system), "CONNECTS_BY_NAME", False)
        ):
            return command.connected  # nothing is known of it: so says each of its commands
        if given.at is None:
            raise UsageError(
                f"{command.source}: {command.connected} {what}. Say which server the "
                f"script runs on: SERVER={given.name}."
            )
    if given.at is None:
        raise UsageError(
            f"{command.source}: the script does not say which server it runs on. Say so: "
            f"--change SERVER={given.name}, or in the script."
        )
    return network.model.locate(given.at).name


def _judged(
    network: ChangingNetwork,
    system: str,
    server: str,
    command: Command,
    links: Sequence[LinkDown],
    budget: Budget,
) -> tuple[AuditStep, list[Rejection]]:
    """One command: its step, and why it is refused if it is. What is accepted is applied."""
    state = network.parts[system]
    edit = changes_of(system).edit(state.facts(system), server, command)
    added = tuple(map(without_secrets, edit.change.added))
    edit = replace(edit, change=replace(edit.change, added=added))
    refused, when, told = edit.refused, "now", edit.notes
    open_yet = refused is None or refused.undetermined
    if open_yet and edit.change != Change() and state.judging is not None:
        noticed, then = _noticed(state, state.judging, server, command, links, budget)
        if refused is None or (noticed is not None and not noticed.undetermined):
            refused, when = noticed, then
    result = _result(edit.change, refused, when)
    rejections = [_rejection(state.part, command, refused, when)] if refused is not None else []
    lost: tuple[tuple[str, str], ...] = ()
    count = 0
    if result in ("accepted", "conflict", "undetermined") and edit.change != Change():
        known = state.left_behind()
        state.apply(edit.change)
        told = (*told, *(one for one in state.left_behind() if one not in known))
        if state.judging is not None:
            now = state.passing(state.graph)
            if (
                state.change.removed or now is not state.graph
            ):  # else there are only more routes, which separate nobody
                lost, count = lost_pairs(state.passing(state.part.graph), now, budget)
    notes = tuple(Caution(note.kind, note.message, note.source) for note in told)
    at = server or command.scope
    return AuditStep(
        command.text, command.source, at, result, lost, count, notes, system
    ), rejections


def _apart_meanwhile(
    network: ChangingNetwork, steps: Sequence[AuditStep], changes: Sequence[Change], budget: Budget
) -> list[AuditStep]:
    """The steps with the pairs that are apart after each, where messages go step by step: worked
    out with what the comparison of the whole change leaves of the budget, for each state takes a
    graph of its own. ``changes`` are those of the part of each step so far."""
    found = list(steps)
    known: dict[tuple[int, Change], tuple[tuple[tuple[str, str], ...], int]] = {}
    for number, (step, change) in enumerate(zip(steps, changes, strict=True)):
        state = network.parts[step.system]
        if state.judging is not None or change == Change() or not budget.goes_on():
            continue
        if (id(state), change) not in known:
            graph = (
                state.compared(budget)
                if change == state.change
                else state.graph_compared(change, budget)
            )
            known[id(state), change] = lost_pairs(state.part.graph, graph, budget)
        lost, count = known[id(state), change]
        found[number] = replace(step, reach_lost_so_far=lost, reach_lost_count=count)
    return found


def _noticed(
    state: ChangingPart,
    judging: ClosedChanges,
    server: str,
    command: Command,
    links: Sequence[LinkDown],
    budget: Budget,
) -> tuple[Refusal | None, str]:
    """Why the servers of the network refuse a command, and when: now, or when links come up that
    are down.
    """
    own = [link for link in links if link.changing is state]
    now = (
        state.graph_after(after_both(state.change, _without(state, judging, own)))
        if own
        else state.graph
    )
    refused = judging.judge(now, server, command, budget)
    if own and (refused is None or refused.undetermined):
        later = judging.judge(state.graph, server, command, budget)
        if later is not None and not later.undetermined:
            blamed = _blamed(state, judging, own, server, command, budget)
            return (
                later,
                f"when {' and '.join(f'{one.one}-{one.other}' for one in blamed)} comes up",
            )
    return refused, "now"


def _without(state: ChangingPart, judging: ClosedChanges, links: Sequence[LinkDown]) -> Change:
    """The change that takes links away, of the network as it is now."""
    down = Change()
    facts = state.facts(state.part.system.name)
    for link in links:
        down = after_both(
            down, judging.without_link(ChangedFacts(facts, down), link.one, link.other)
        )
    return down


def _blamed(
    state: ChangingPart,
    judging: ClosedChanges,
    links: Sequence[LinkDown],
    server: str,
    command: Command,
    budget: Budget,
) -> Sequence[LinkDown]:
    """The first link that is down with which alone a command is refused; all of them where it
    takes several.
    """
    for back in links:
        down = _without(state, judging, [link for link in links if link is not back])
        found = judging.judge(
            state.graph_after(after_both(state.change, down)), server, command, budget
        )
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
        # A list that was cut may hold no name of the servers that refuse.
        shown = next((n for n, one in enumerate(doubled) if one.server in refused.at), 0)
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
