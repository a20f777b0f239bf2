"""Two states of one network compared: snapshots or folders, before and after a change went in,
whatever the change was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from topograph.audit.behaviour import States, differences, merged
from topograph.audit.changing_parts import judging_of, left_behind
from topograph.audit.judging_policies import with_policies
from topograph.audit.policy import Policy
from topograph.errors import UsageError
from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution, Duplicate
from topograph.questions.answers.audit import AuditAnswer, AuditBefore, AuditState, Rejection
from topograph.questions.cycles import cycles
from topograph.questions.left_out import with_left_out
from topograph.questions.model import Model, Part, cut, within_budget
from topograph.systems import systems_in
from topograph.systems.contract.system import Change
from topograph.tracing.assumptions import network_assumptions


@within_budget
def compare(
    model: Model, budget: Budget, after: Model, policies: Sequence[Policy] = ()
) -> AuditAnswer:
    """What is different in ``after``: who reaches whom, how far it is, what subscribers get, and
    names that servers now hold twice.

    The verdict is ``reject`` if there are such names that were not there before, ``undetermined``
    if that cannot be said, also because a list of these names was cut. Parts of the network that
    only one of the two has are compared with nothing. Raises UsageError where the two have no
    system in common."""
    pairs = parts_compared(model, after)
    if not pairs:
        raise UsageError(
            f"{model.network} and {after.network} have no system in common: there is "
            "nothing to compare."
        )
    was, now = cycles(model), cycles(after)
    held = {(one.system, one.server, one.name): frozenset(one.via) for one in was.duplicates}
    # Of a name that a list which was cut does not hold nobody knows whether it is new.
    new = [
        one
        for one in (() if was.cut else now.duplicates)
        if set(one.via) - held.get((one.system, one.server, one.name), frozenset())
    ]
    rejections = [_rejection(one, pairs) for one in new]
    open_ = now.legal == "unknown" or now.cut or (was.cut and now.legal is not True)
    verdict = "reject" if rejections else "undetermined" if open_ else "accept"
    states = [_states(part, other) for part, other in pairs]
    found = [differences(model, one, budget) for one in states]
    left = [one for each in states for one in left_behind(each.judging, each.change)]
    complete = all(one.complete for one in found) and not (budget.spent or was.cut)
    answer = AuditAnswer(
        **model.common(engine="memory"),
        exact=complete and now.exact,
        assumptions=network_assumptions(part.graph for part in after.parts),
        warnings=(
            *model.warnings,
            *after.warnings,
            *(Caution(one.kind, one.message, one.source) for one in left),
            *(caution for one in found for caution in one.cautions),
            *cut(budget, "not all was compared"),
        ),
        verdict=verdict,
        before=AuditBefore(was.legal, was.duplicates, was.judged),
        steps=(),
        rejections=tuple(rejections),
        **merged(found),
        compared=tuple(
            AuditState(one.snapshot, one.network, one.revision) for one in (model, after)
        ),
    )
    answer = with_left_out(answer, after)
    return with_policies(answer, policies, model, after, complete=complete)


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
    before, after = ({_content(fact): fact for fact in _facts(one)} for one in (part, other))
    counts = [Counter(map(_content, _facts(one))) for one in (part, other)]
    return Change(
        tuple(before[key] for key in counts[0] - counts[1]),
        tuple(after[key] for key in counts[1] - counts[0]),
    )


def _facts(part: Part) -> Iterator[Fact]:
    for system in systems_in(part.graph):
        yield from part.facts_of(system).facts()


def _content(fact: Fact) -> tuple[str, str, str, str]:
    """A fact without the places that it and its parts stand at."""
    row = encode(fact)
    return row["kind"], row["server"], row["name"], without_places(row["payload"])
