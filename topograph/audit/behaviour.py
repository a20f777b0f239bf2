"""What two states of one part of a network do differently: who reaches whom, how far it is, and
what becomes of messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, fields, replace
from functools import partial
from typing import TypedDict, TypeVar

from topograph.audit.differences import LISTED, Compared, compared
from topograph.audit.following import STEPS_FOLLOWED, Following, Ways
from topograph.audit.interest import interest_compared
from topograph.audit.links import links_changed, servers_changed
from topograph.audit.single_points import single_points
from topograph.audit.unknowns import new_unknowns, outcomes_open, pairs_open, undecided
from topograph.audit.verdict import left_out, not_compared, too_many
from topograph.audit.witnesses import Moved, deliveries_compared
from topograph.engines.memory import MemoryEngine
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import (
    DeliveriesChanged,
    DeliveryMoved,
    Follow,
    HopsChanged,
    InterestChanged,
    LeftOpen,
    LinksChanged,
    ReachChanged,
    ServersChanged,
    SinglePoints,
)
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.model import Model, Part
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import ClosedChanges
from topograph.systems.contract.system import Change, Estate, FactSource

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

_NOBODY = Moved(DeliveriesChanged(), (), (), ())


@record(slots=False)
class States:
    """A part before, and its graph, facts and estate after a change. ``judging`` is what its
    system says of changes, where that has a graph of its own; ``side_inputs`` are those of the
    state after, where they are other ones.
    """

    part: Part
    judging: ClosedChanges | None
    graph: ForwardingGraph
    facts: FactSource
    estate: Estate
    change: Change
    side_inputs: SideInputs | None = None

    def passing(self) -> tuple[ForwardingGraph, ForwardingGraph]:
        """The graphs before and after without what lets nothing pass at the moment."""
        both = self.part.graph, self.graph
        return (
            both
            if self.judging is None
            else (self.judging.passing(both[0]), self.judging.passing(both[1]))
        )


@record(slots=False)
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
    left_open: tuple[LeftOpen, ...] = ()
    """What of it nobody can say, or was not looked at."""
    unknown_alike: int = 0
    """Servers that are not known in the same way before and after."""
    ways: Ways = field(default_factory=dict)
    """How the messages of ``outcomes`` are traced."""


def differences(model: Model, states: States, budget: Budget) -> Differences:
    """What a part of a network does differently after a change. The cost is that of its parts:
    ``compared``, ``deliveries_compared``, ``outcomes_compared``."""
    pairs = compared(*states.passing(), budget)
    links = links_changed(states.part.graph, states.graph, *states.passing())
    open_, alike = new_unknowns(states.part.graph, states.graph)
    found = Differences(
        pairs,
        links,
        servers_changed(states.part.graph, states.graph),
        complete=pairs.complete,
        left_open=(*open_, *pairs_open(pairs.reach), *_pairs_left_out(pairs, budget)),
        unknown_alike=alike,
    )
    if states.part.form == "stepping":
        return _of_steps(states, found, budget)
    if states.judging is None:
        text = f"what subscribers get is not compared for {states.part.system.title}"
        said = Caution("not-compared", text, Source(""))
        return replace(found, cautions=(said,), left_open=(*found.left_open, left_out(text)))
    moved = deliveries_compared(
        model,
        states.part,
        states.judging,
        states.graph,
        states.facts,
        states.change,
        budget,
        _apart(states.part, pairs),
        states.side_inputs,
    )
    interest = interest_compared(states.part.graph, states.graph, pairs, budget)
    open_ = [*undecided(moved.cautions)]
    open_ += [too_many(left) for left in moved.left_out]
    if not moved.complete and (budget.spent or not moved.left_out):
        open_.append(not_compared(budget, "not all messages were followed before and after"))
    return replace(
        found,
        interest=interest.moved,
        single_points=single_points(states.part.graph, states.graph),
        moved=moved,
        outcomes=moved.otherwise[:LISTED],
        ways=moved.ways,
        cautions=(*moved.cautions, *interest.cautions),
        complete=pairs.complete and interest.complete and moved.complete,
        left_open=(*found.left_open, *open_),
    )


def _apart(part: Part, pairs: Compared) -> frozenset[tuple[str, str]]:
    """The pairs of servers that the change separates for certain: where a second path is
    forbidden, the one that is lost was the only one (R20)."""
    if part.system.capabilities.cycles is None:
        return frozenset()
    return frozenset(pairs.reach.lost)


def _pairs_left_out(pairs: Compared, budget: Budget) -> Iterator[LeftOpen]:
    if not pairs.complete:
        yield not_compared(budget, "not all pairs of servers were compared")


def _of_steps(states: States, differs: Differences, budget: Budget) -> Differences:
    from topograph.systems.stepping.changes import followed_again, outcomes_compared
    from topograph.systems.stepping.estate import SteppingEstate

    before, after = states.part.estate, states.estate
    assert isinstance(before, SteppingEstate)
    assert isinstance(after, SteppingEstate)
    walked = states.part.graph, MemoryEngine(states.part.graph)
    found = outcomes_compared(before, after, states.change, budget, walked)
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
            one.cause,
            waits_at=one.waits_at,
        )
        for one in found.moved
    )
    cautions, open_ = [], [*outcomes_open(rows)]
    if found.not_compared:
        text = f"{found.not_compared:,} puts were not compared; of these some may end elsewhere"
        cautions.append(Caution("not-compared", text, Source("")))
        open_.append(not_compared(budget, text))
    for left in found.left_out:
        cautions.append(Caution("not-compared", left.message, Source("")))
        open_.append(too_many(left))
    if len(rows) > LISTED:
        text = f"{len(rows):,} puts end elsewhere or go another way; {LISTED:,} are listed"
        cautions.append(Caution("not-listed", text, Source("")))
    return replace(
        differs,
        outcomes=rows[:LISTED],
        cautions=tuple(cautions),
        complete=differs.complete and not (found.not_compared or found.left_out),
        left_open=(*differs.left_open, *open_),
        ways={
            key: partial(followed_again, (before, after), begins, STEPS_FOLLOWED)
            for key, begins in found.begins.items()
        },
    )


class Fields(TypedDict):
    """The fields of an answer that tell what differs."""

    reach: ReachChanged
    hops: HopsChanged
    deliveries: DeliveriesChanged
    would_gain: tuple[DeliveryMoved, ...]
    would_lose: tuple[DeliveryMoved, ...]
    would_duplicate: tuple[DeliveryMoved, ...]
    links: LinksChanged
    servers: ServersChanged
    interest: InterestChanged
    single_points: SinglePoints
    outcomes: tuple[OutcomeChanged, ...]
    left_open: tuple[LeftOpen, ...]
    unknown_alike: int
    follow: Follow


def merged(found: Sequence[Differences]) -> Fields:
    """What differs in all parts of a network together."""
    return Fields(
        reach=_together(ReachChanged(), (one.pairs.reach for one in found)),
        hops=_together(HopsChanged(), (one.pairs.hops for one in found)),
        deliveries=_together(DeliveriesChanged(), (one.moved.known for one in found)),
        would_gain=tuple(row for one in found for row in one.moved.would_gain),
        would_lose=tuple(row for one in found for row in one.moved.would_lose),
        would_duplicate=tuple(row for one in found for row in one.moved.would_duplicate),
        links=_together(LinksChanged(), (one.links for one in found)),
        servers=_together(ServersChanged(), (one.servers for one in found)),
        interest=_together(InterestChanged(), (one.interest for one in found)),
        single_points=_together(SinglePoints(), (one.single_points for one in found)),
        outcomes=tuple(row for one in found for row in one.outcomes),
        left_open=tuple(dict.fromkeys(row for one in found for row in one.left_open)),
        unknown_alike=sum(one.unknown_alike for one in found),
        follow=Following({key: way for one in found for key, way in one.ways.items()}),
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
