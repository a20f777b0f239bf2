"""What two states of one part of a network do differently: who reaches whom, how far it is, and
what becomes of messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, TypedDict, TypeVar

from topograph.audit.differences import LISTED, Compared, compared
from topograph.audit.interest import interest_compared
from topograph.audit.links import links_changed, servers_changed
from topograph.audit.single_points import single_points
from topograph.audit.witnesses import Moved, deliveries_compared
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import (
    DeliveriesChanged,
    DeliveryMoved,
    HopsChanged,
    InterestChanged,
    LinksChanged,
    ReachChanged,
    ServersChanged,
    SinglePoints,
)
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.model import Model, Part
from topograph.systems.contract.changes import ClosedChanges
from topograph.systems.contract.system import Change, Estate, FactSource

if TYPE_CHECKING:
    from topograph.systems.stepping.estate import SteppingEstate

T = TypeVar(
    "T",
    ReachChanged,
    HopsChanged,
    DeliveriesChanged,
    LinksChanged,
    ServersChanged,
    InterestChanged,
    SinglePoints,
)

_NOBODY = Moved(DeliveriesChanged(), (), ())


@dataclass(frozen=True)
class States:
    """A part before, and its graph, facts and estate after a change. ``judging`` is what its
    system says of changes, where that has a graph of its own.
    """

    part: Part
    judging: ClosedChanges | None
    graph: ForwardingGraph
    facts: FactSource
    estate: Estate
    change: Change

    def passing(self) -> tuple[ForwardingGraph, ForwardingGraph]:
        """The graphs before and after without what lets nothing pass at the moment."""
        both = self.part.graph, self.graph
        return (
            both
            if self.judging is None
            else (self.judging.passing(both[0]), self.judging.passing(both[1]))
        )


@dataclass(frozen=True)
class Differences:
    """What differs; ``complete`` is False where not all was compared."""

    pairs: Compared
    links: LinksChanged
    servers: ServersChanged
    interest: InterestChanged = InterestChanged()
    single_points: SinglePoints = SinglePoints()
    moved: Moved = _NOBODY
    outcomes: tuple[OutcomeChanged, ...] = ()
    cautions: tuple[Caution, ...] = ()
    complete: bool = True


def differences(model: Model, states: States, budget: Budget) -> Differences:
    """What a part of a network does differently after a change. The cost is that of its parts:
    ``compared``, ``deliveries_compared``, ``outcomes_compared``."""
    pairs = compared(*states.passing(), budget)
    found = Differences(
        pairs,
        links_changed(states.part.graph, states.graph, *states.passing()),
        servers_changed(states.part.graph, states.graph),
    )
    if states.part.form == "stepping":
        return _of_steps(states, found, budget)
    if states.judging is None:
        text = f"what subscribers get is not compared for {states.part.system.title}"
        return replace(
            found, cautions=(Caution("not-compared", text, Source("")),), complete=pairs.complete
        )
    moved = deliveries_compared(
        model, states.part, states.judging, states.graph, states.facts, states.change, budget
    )
    interest = interest_compared(states.part.graph, states.graph, pairs, budget)
    return replace(
        found,
        interest=interest.moved,
        single_points=single_points(states.part.graph, states.graph),
        moved=moved,
        outcomes=moved.otherwise[:LISTED],
        cautions=(*moved.cautions, *interest.cautions),
        complete=pairs.complete and interest.complete and moved.complete,
    )


def _of_steps(states: States, differs: Differences, budget: Budget) -> Differences:
    from topograph.systems.stepping.changes import outcomes_compared
    from topograph.systems.stepping.estate import SteppingEstate

    before, after = states.part.estate, states.estate
    assert isinstance(before, SteppingEstate)
    assert isinstance(after, SteppingEstate)
    first = {fact.server for fact in (*states.change.removed, *states.change.added)}
    found = outcomes_compared(before, after, first, budget)
    rows = tuple(
        OutcomeChanged(
            one.server,
            one.destination,
            one.before,
            one.after,
            one.rule,
            one.source,
            one.system,
            one.no_longer_passed,
            one.now_passed,
        )
        for one in found.moved
    )
    cautions = _brought(before, after) if budget.goes_on() else []
    if found.not_compared:
        text = f"{found.not_compared:,} puts were not compared; of these some may end elsewhere"
        cautions.append(Caution("not-compared", text, Source("")))
    if len(rows) > LISTED:
        text = f"{len(rows):,} puts end elsewhere or go another way; {LISTED:,} are listed"
        cautions.append(Caution("not-listed", text, Source("")))
    complete = differs.pairs.complete and not found.not_compared
    return replace(differs, outcomes=rows[:LISTED], cautions=tuple(cautions), complete=complete)


def _brought(before: SteppingEstate, after: SteppingEstate) -> list[Caution]:
    """The warnings and errors about the configuration that a change brings, errors first. Linear
    in the configuration.
    """

    def said(one: Finding) -> tuple[str, str, str]:
        return one.kind, one.server, one.message

    known = {said(one) for one in before.findings()}
    new = [
        one
        for one in after.findings()
        if one.severity is not Severity.INFO and said(one) not in known
    ]
    new.sort(key=lambda one: -one.severity.rank)
    cautions = [Caution(one.kind, one.message, one.source) for one in new[:LISTED]]
    if len(new) > LISTED:
        cautions.append(
            Caution(
                "not-listed",
                f"the change brings {len(new):,} findings; {LISTED:,} are listed",
                Source(""),
            )
        )
    return cautions


class Fields(TypedDict):
    """The fields of an answer that tell what differs."""

    reach: ReachChanged
    hops: HopsChanged
    deliveries: DeliveriesChanged
    would_gain: tuple[DeliveryMoved, ...]
    would_lose: tuple[DeliveryMoved, ...]
    links: LinksChanged
    servers: ServersChanged
    interest: InterestChanged
    single_points: SinglePoints
    outcomes: tuple[OutcomeChanged, ...]


def merged(found: Sequence[Differences]) -> Fields:
    """What differs in all parts of a network together."""
    return Fields(
        reach=_together(ReachChanged(), (one.pairs.reach for one in found)),
        hops=_together(HopsChanged(), (one.pairs.hops for one in found)),
        deliveries=_together(DeliveriesChanged(), (one.moved.known for one in found)),
        would_gain=tuple(row for one in found for row in one.moved.would_gain),
        would_lose=tuple(row for one in found for row in one.moved.would_lose),
        links=_together(LinksChanged(), (one.links for one in found)),
        servers=_together(ServersChanged(), (one.servers for one in found)),
        interest=_together(InterestChanged(), (one.interest for one in found)),
        single_points=_together(SinglePoints(), (one.single_points for one in found)),
        outcomes=tuple(row for one in found for row in one.outcomes),
    )


def _together(nothing: T, parts: Iterable[T]) -> T:
    """Records of lists and counts as one: lists one behind the other, counts added."""
    for part in parts:
        nothing = replace(
            nothing,
            **{
                one.name: getattr(nothing, one.name) + getattr(part, one.name)
                for one in fields(part)
            },
        )
    return nothing
