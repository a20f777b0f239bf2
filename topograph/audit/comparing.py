"""Two states of one network compared: snapshots or folders, before and after a change went in,
whatever the change was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from topograph.audit.behaviour import States, differences, merged
from topograph.audit.changing_parts import judging_of, left_behind
from topograph.audit.findings_brought import brought, cautions_of
from topograph.audit.judging_policies import with_policies
from topograph.audit.places import with_places
from topograph.audit.policy import Policy
from topograph.audit.sameness import Content, content, facts_of, same, same_input
from topograph.audit.unknowns import second_paths
from topograph.audit.verdict import left_out, unknown, with_verdict
from topograph.errors import UsageError
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.inexact import Cause, Inexact, not_loaded
from topograph.questions.answers import Caution, CyclesAnswer, Duplicate
from topograph.questions.answers.audit import (
    AuditAnswer,
    AuditBefore,
    AuditState,
    DeliveriesChanged,
    HopsChanged,
    LeftOpen,
    ReachChanged,
    Rejection,
)
from topograph.questions.cycles import legal_routes
from topograph.questions.left_out import with_left_out
from topograph.questions.model import Model, Part, cut, ended, within_budget
from topograph.systems.contract.system import Change
from topograph.tracing.assumptions import network_assumptions

NOT_ASKED = "unknown"
"""Whether the network is legal, where nobody had to look."""


def compare(model: Model, after: Model, policies: Sequence[Policy] = ()) -> AuditAnswer:
    """What is different in ``after``: who reaches whom, how far it is, what subscribers get,
    findings, and names that servers now hold twice.

    The verdict is ``reject`` if there are such names that were not there before, or the
    configuration has an error that stops something; ``undetermined`` if that cannot be said, or
    something is not known any longer or was not looked at (``verdict``). Two states with the same
    facts differ in nothing, for certain. Parts of the network that only one of the two has are
    compared with nothing. Raises UsageError where the two have no system in common."""
    return with_verdict(with_places(_compared(model, after, policies), model, after))


@within_budget
def _compared(
    model: Model, budget: Budget, after: Model, policies: Sequence[Policy] = ()
) -> AuditAnswer:
    pairs = parts_compared(model, after)
    if not pairs:
        raise UsageError(
            f"{model.network} and {after.network} have no system in common: there is "
            "nothing to compare."
        )
    if same_input(model, after):
        return with_policies(_unchanged(model, after), policies, model, after, complete=True)
    states = [_states(part, other) for part, other in pairs]
    if same(model, after, pairs, [one.change for one in states]):
        return with_policies(_unchanged(model, after), policies, model, after, complete=True)
    was, now = legal_routes(model), legal_routes(after)
    held = {(one.system, one.server, one.name): frozenset(one.via) for one in was.duplicates}
    # Of a name that a list which was cut does not hold nobody knows whether it is new.
    doubled = [
        one
        for one in (() if was.cut else now.duplicates)
        if set(one.via) - held.get((one.system, one.server, one.name), frozenset())
    ]
    rejections = [_rejection(one, pairs) for one in doubled]
    found = [differences(model, one, budget) for one in states]
    left = [one for each in states for one in left_behind(each.judging, each.change)]
    complete = all(one.complete for one in found) and not (budget.spent or was.cut)
    systems = {place.system for side in (model, after) for place in side.places()}
    new = brought(model.records.findings, after.records.findings, systems)
    open_ = [*_paths_open(was, now), *_links_open(was, now), *unread(after)]
    for each, one in zip(states, found, strict=True):
        open_ += second_paths(each.graph, one.links)
    differing = merged(found)
    differing["left_open"] = (*open_, *differing["left_open"])
    answer = AuditAnswer(
        **model.common(engine="memory"),
        exact=complete and now.exact and not model.unreadable and not after.unreadable,
        inexact_because=_because(
            complete, budget, was, now, (*model.unreadable, *after.unreadable)
        ),
        assumptions=network_assumptions(part.graph for part in after.parts),
        warnings=(
            *model.warnings,
            *after.warnings,
            *(Caution(one.kind, one.message, one.source) for one in left),
            *(caution for one in found for caution in one.cautions),
            *cautions_of(new),
            *cut(budget, "not all was compared"),
        ),
        verdict="",
        before=AuditBefore(was.legal, was.duplicates, was.judged),
        steps=(),
        rejections=tuple(rejections),
        **differing,
        compared=_both(model, after),
        findings=new,
    )
    answer = with_left_out(answer, after)
    return with_policies(answer, policies, model, after, complete=complete)


def _unchanged(model: Model, after: Model) -> AuditAnswer:
    """The answer about two states with the same facts: nothing is different, for certain."""
    judged = any(part.system.capabilities.cycles is not None for part in model.parts)
    return AuditAnswer(
        **model.common(engine="memory"),
        warnings=tuple(dict.fromkeys((*model.warnings, *after.warnings))),
        verdict="",
        before=AuditBefore(NOT_ASKED, (), judged),
        steps=(),
        rejections=(),
        reach=ReachChanged(),
        hops=HopsChanged(),
        deliveries=DeliveriesChanged(),
        compared=_both(model, after),
        unchanged=True,
    )


def _both(model: Model, after: Model) -> tuple[AuditState, ...]:
    return tuple(AuditState(one.snapshot, one.network, one.revision) for one in (model, after))


def _paths_open(was: CyclesAnswer, now: CyclesAnswer) -> Iterator[LeftOpen]:
    """Why nobody can say whether a server holds a name over more routes than before."""
    if now.legal == "unknown" or now.cut or (was.cut and now.legal is not True):
        because = next((one.message for one in (*now.inexact_because, *was.inexact_because)), "")
        yield left_out(
            "whether a server holds a name over more routes than before"
            + (f": {because}" if because else "")
        )


def _links_open(was: CyclesAnswer, now: CyclesAnswer) -> Iterator[LeftOpen]:
    """That it is not known any longer where links lead, or whether they come up."""
    known = {one.message for one in was.inexact_because}
    for one in now.inexact_because:
        if one.cause is Cause.UNRESOLVED_LINK and one.message not in known:
            yield unknown(one.message)


def unread(after: Model) -> Iterator[LeftOpen]:
    """The main files of a state that could not be read."""
    for file in after.unreadable:
        yield unknown(f"{file} could not be read: nothing is known of its server", Source(file))


def _because(
    complete: bool,
    budget: Budget,
    was: CyclesAnswer,
    now: CyclesAnswer,
    unreadable: Sequence[str],
) -> tuple[Inexact, ...]:
    """Why the answer is not exact; nothing where it is."""
    found = [*ended(budget), *now.inexact_because, *(was.inexact_because if was.cut else ())]
    found += [not_loaded([f"{file} could not be read"]) for file in dict.fromkeys(unreadable)]
    if not complete and not found:
        found.append(Inexact(Cause.LIMIT, "not all messages were followed before and after"))
    return tuple(dict.fromkeys(found))


def parts_compared(model: Model, after: Model) -> list[tuple[Part, Part]]:
    """The parts of two states of a network that belong together."""
    return [
        (part, other)
        for part in model.parts
        for other in after.parts
        if part.form == other.form
        and (part.form == "stepping" or part.system.name == other.system.name)
    ]


def _states(part: Part, other: Part) -> States:
    """One part of the network before and after."""
    return States(
        part,
        judging_of(part),
        other.graph,
        other.facts_of(part.system.name),
        other.estate,
        change_between(part, other),
        other.side_inputs,
    )


def _rejection(one: Duplicate, pairs: Sequence[tuple[Part, Part]]) -> Rejection:
    message = (
        f"{one.server} would hold {one.name} from {' and '.join(one.via)}; one of "
        f"{', '.join(one.routes)} is refused"
    )
    return Rejection(
        "", _line(one, pairs), one.server, "R23", message, (one.server,), (one,), one.paths, "now"
    )


def _line(one: Duplicate, pairs: Sequence[tuple[Part, Part]]) -> Source:
    """Where a route stands that makes a name arrive twice: one that was not there before, if
    there is any.
    """
    hops = {frozenset(hop) for path in one.paths for hop in pairwise(path)}
    before = {hop for part, _ in pairs for hop, _ in _links(part.graph)}
    now = [
        (hop, source)
        for _, other in pairs
        for hop, source in _links(other.graph)
        if hop in hops and source.file
    ]
    new = [source for hop, source in now if hop not in before]
    return min(new or [source for _, source in now], default=Source(""))


def _links(graph: ForwardingGraph) -> Iterator[tuple[frozenset[str], Source]]:
    """The two servers of each link, and its line."""
    for link in graph.links:
        yield frozenset((graph.servers[link.a].name, graph.servers[link.b].name)), link.source


def change_between(part: Part, other: Part) -> Change:
    """The facts of a system that only one of two states has, wherever they stand in their files."""
    before, after = ({}, {}) if part is other else (_by_content(part), _by_content(other))
    counts = [Counter({key: len(facts) for key, facts in one.items()}) for one in (before, after)]
    return Change(
        tuple(before[key][-1] for key in counts[0] - counts[1]),
        tuple(after[key][-1] for key in counts[1] - counts[0]),
    )


def _by_content(part: Part) -> dict[Content, list[Fact]]:
    found: dict[Content, list[Fact]] = {}
    for fact in facts_of(part):
        found.setdefault(content(fact), []).append(fact)
    return found
