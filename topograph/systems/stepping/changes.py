"""What another configuration does to messages that go step by step: how each ends before and after.

A message is one that begins in an entry state of either configuration. Only those are traced that
get to a state whose step differs: states are stepped once in each configuration, whatever the
messages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.inexact import LeftOut
from topograph.systems.contract.failures import OutcomeMoved
from topograph.systems.contract.system import Change
from topograph.systems.stepping.begins import Key, Tally, both_begin
from topograph.systems.stepping.causes import Causes
from topograph.systems.stepping.failures import Begin, FollowedEstate, explored, moved
from topograph.systems.stepping.looking import Looking
from topograph.systems.stepping.single_names import SingleNames
from topograph.tracing.comparison import compare, ways_compared
from topograph.tracing.comparison import evidence as evidence_of
from topograph.tracing.states import State
from topograph.tracing.trace import Trace

TOGETHER = 500
"""Messages that are looked at before those among them that differ are traced: what the budget
cuts is then at the end.
"""

ENDLESS = "messages that get to ever more states"
"""Such as those of which a mediation makes the path longer each time."""


@dataclass(frozen=True, slots=True)
class OutcomesCompared:
    """Messages that end otherwise, by server and destination; how many messages the budget left
    out, and those that are too many to look at. ``begins`` is where each that ends otherwise
    begins before and after.
    """

    moved: tuple[OutcomeMoved, ...]
    not_compared: int
    left_out: tuple[LeftOut, ...]
    begins: Mapping[Key, tuple[Begin, Begin]] = field(default_factory=dict)


def outcomes_compared(
    before: FollowedEstate, after: FollowedEstate, change: Change, budget: Budget
) -> OutcomesCompared:
    """How messages end in two configurations of the same systems; those that begin at the servers
    that ``change`` touches are looked at first. A message that stands for many is told, and each
    of them that it is not told for (``single_names``). Linear in the states and their ways, and in
    the traces of messages that get to a state which differs."""
    first = {fact.server for fact in (*change.removed, *change.added)}
    both_sides = both_begin(before, after, first)
    begins = sorted(both_sides.found.items(), key=lambda one: (one[0][1] not in first, one[0]))
    comparing = _Comparing((before, after), budget, Causes(change), both_sides.left_out)
    many = [one for one in begins if comparing.stands_for_many(one[1])]
    known = {key for key, _ in begins}
    left = len(begins) + len(many)
    try:
        for at in range(0, len(begins), TOGETHER):
            part = begins[at : at + TOGETHER]
            differing = comparing.looking.differing({old for _, (old, new) in part if old == new})
            for key, (old, new) in part:
                budget.check()
                if old != new or old in differing:
                    comparing.compare(key, (old, new))
                elif old in comparing.looking.unsettled:
                    comparing.left_out.add(key, LeftOut(ENDLESS, 1))
                left -= 1
        for _, both in many:
            comparing.compare_single(both, known)
            left -= 1
    except BudgetSpent:
        pass
    rows = sorted(comparing.rows, key=lambda one: (one.server, one.destination))
    told = {(one.system, one.server, one.destination) for one in rows}
    known_begins = {key: both for key, both in comparing.begins.items() if key in told}
    return OutcomesCompared(tuple(rows), left, comparing.left_out.all(), known_begins)


def followed_again(
    sides: tuple[FollowedEstate, FollowedEstate], begins: tuple[Begin, Begin], steps: int
) -> tuple[Trace, Trace] | None:
    """The traces of one message before and after, each of so many steps at most; None where it
    takes more."""
    found = []
    for side, begin in zip(sides, begins, strict=True):
        budget = Budget(steps)
        found.append(explored(side, begin, budget))
        if budget.spent:
            return None
    return found[0], found[1]


@dataclass
class _Comparing:
    """Messages traced in both configurations; ``rows`` is what is told of them, ``effects`` the
    same of each by what it was sent to, ``begins`` where it begins in both, ``left_out`` those
    that are not."""

    sides: tuple[FollowedEstate, FollowedEstate]
    budget: Budget
    causes: Causes
    left_out: Tally
    rows: list[OutcomeMoved] = field(default_factory=list)
    effects: dict[Key, OutcomeMoved | None] = field(default_factory=dict)
    begins: dict[Key, tuple[Begin, Begin]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.looking = Looking(self.sides, self.budget)
        self._names = SingleNames(self.looking, self.left_out)

    def stands_for_many(self, both: tuple[Begin, Begin]) -> bool:
        """Whether a message stands for those to many names."""
        return any(
            own is not None and own.is_one(begin[1])
            for begin in both
            for own in (self.sides[1].systems[begin[0]].standing,)
        )

    def compare(self, key: Key, both: tuple[Begin, Begin]) -> None:
        """Trace a message and note what is different of it. Raises BudgetSpent."""
        if key not in self.effects:
            self.effects[key] = row = self._row(key, both)
            if row is not None:
                self.rows.append(row)

    def compare_single(self, both: tuple[Begin, Begin], known: Collection[Key]) -> None:
        """The same of the messages that one stands for, unless it is told for them. ``known`` are
        told by themselves. Raises BudgetSpent."""
        system = both[0][0]
        own = self.sides[1].systems[system]
        for group in self._names.of(both):
            any_of = system, group.begin.server, own.address(group.begin)
            if not group.same:
                self.compare(any_of, ((system, group.begin), (system, group.begin)))
            for one in group.names:
                key = system, one.begin.server, own.address(one.begin)
                if key in self.effects or key in known:
                    continue
                begin = system, one.begin
                row = self.effects[key] = self._row(key, (begin, begin))
                told_for = None if one.differs else self.effects.get(any_of)
                if row is not None and not (told_for and one.is_within(row, told_for)):
                    self.rows.append(row)

    def _row(self, key: Key, both: tuple[Begin, Begin]) -> OutcomeMoved | None:
        """What is different of a message. Raises BudgetSpent."""
        self.begins[key] = both
        self.budget.check()
        traces = tuple(
            explored(side, begin, self.budget) for side, begin in zip(self.sides, both, strict=True)
        )
        self.budget.check()
        row = _told(key[0], both[1][1], key[2], (traces[0], traces[1]), self.sides)
        return None if row is None else replace(row, cause=self.causes.of(traces[0], traces[1]))


def _told(
    system: str,
    state: State,
    address: str,
    traces: tuple[Trace, Trace],
    estates: tuple[FollowedEstate, FollowedEstate],
) -> OutcomeMoved | None:
    """What is different of one message: its endings, else what it passes on the way to them."""
    told = compare(*traces, as_told=True)
    if told:
        return moved(system, state, address, told, partial(evidence_of, traces[1]))
    way = ways_compared(*traces, (estates[0].systems, estates[1].systems))
    if way is None:
        return None
    return OutcomeMoved(
        state.server,
        address,
        system,
        (_over(way.ends, way.no_longer_passed),),
        (_over(way.ends, way.now_passed),),
        way.rule,
        way.source,
        way.no_longer_passed,
        way.now_passed,
    )


def _over(ends: Sequence[str], passed: Sequence[str]) -> str:
    over = f" over {', '.join(passed)}" if passed else ""
    return f"{' and '.join(ends)}{over}"
