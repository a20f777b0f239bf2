"""What another configuration does to messages that go step by step: how each ends before and after.

A message is one that begins in an entry state of either configuration. Only those are traced that
get to a state whose step differs: states are stepped once in each configuration, whatever the
messages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, islice

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.inexact import LeftOut
from topograph.records import record
from topograph.systems.contract.failures import OutcomeMoved
from topograph.systems.contract.system import Change
from topograph.systems.stepping.begins import Key, Tally, Wide, both_begin, wide_begins
from topograph.systems.stepping.both_endings import BothEndings, LeftToTraces
from topograph.systems.stepping.causes import Causes
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.failures import moved
from topograph.systems.stepping.looking import Looking
from topograph.systems.stepping.messages import Begin, FollowedEstate, explored
from topograph.systems.stepping.out_of_reach import OutOfReach, Walked, out_of_reach
from topograph.systems.stepping.sharing import sharing_steps, touched_servers
from topograph.systems.stepping.single_names import SameWay, SingleNames
from topograph.systems.stepping.told_apart import ToldApart
from topograph.tracing.comparison import WayComparison, compare, ways_compared
from topograph.tracing.comparison import evidence as evidence_of
from topograph.tracing.endings_compared import Touched
from topograph.tracing.states import Looked, State
from topograph.tracing.trace import Trace

TOGETHER = 500
"""Messages that are looked at before those among them that differ are compared, at first: then
four times as many each time. What the budget cuts is at the end.
"""

ENDLESS = "messages that get to ever more states"
"""Such as those of which a mediation makes the path longer each time."""


Message = tuple[Key, tuple[Begin, Begin]]
"""A message, and where it begins before and after."""


@record
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
    before: SteppingEstate,
    after: SteppingEstate,
    change: Change,
    budget: Budget,
    walked: Walked | None = None,
) -> OutcomesCompared:
    """How messages end in two configurations of the same systems. Those that begin at the servers
    that ``change`` touches are looked at first; those not at all that get to none of these by the
    graph of the network before (``walked``). A message that stands for many is told, and each of
    them that it is not told for (``single_names``). Linear in the states and their ways, and in the
    traces of messages that get to a state which differs."""
    first = {fact.server for fact in (*change.removed, *change.added)}
    touched = touched_servers(before, after)
    both_sides = both_begin(before, after, first, touched)
    begins = sorted(both_sides.found.items(), key=lambda one: (one[0][1] not in first, one[0]))
    sides = sharing_steps(before, after), after
    apart = None if walked is None or touched is None else out_of_reach(walked, before, touched)
    comparing = _Comparing(sides, budget, Causes(change), both_sides.left_out, touched, apart)
    left = both_sides.count - len(begins)
    begins = comparing.within_reach(begins)
    many = [one for one in begins if comparing.stands_for_many(one[1])]
    left += len(begins) + len(many)
    try:
        for part in _parts(begins):
            comparing.compare_all(part)
            left -= len(part)
        if touched is not None and any(both_sides.wide):
            names = partial(comparing.names_concerned, begins, touched)
            found = wide_begins(both_sides, before, after, first, names)
            more = sorted(found.items(), key=lambda one: (one[0][1] not in first, one[0]))
            more = [one for one in more if one[0] not in both_sides.found]
            begins = sorted((*begins, *more), key=lambda one: (one[0][1] not in first, one[0]))
            many = [one for one in begins if comparing.stands_for_many(one[1])]
            left = len(more) + len(many)
            for part in _parts(more):
                comparing.compare_all(part)
                left -= len(part)
        known = both_sides.found.keys() | {key for key, _ in begins}
        for part in _parts(many):
            comparing.compare_singles([both for _, both in part], known)
            left -= len(part)
    except BudgetSpent:
        pass
    rows = sorted(comparing.rows, key=lambda one: (one.server, one.destination))
    told = {(one.system, one.server, one.destination) for one in rows}
    known_begins = {key: both for key, both in comparing.begins.items() if key in told}
    return OutcomesCompared(tuple(rows), left, comparing.left_out.all(), known_begins)


def _parts(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    """Messages in parts, each four times as long as the one before: what is worked out of all that
    were followed is worked out again with each."""
    size, at = TOGETHER, 0
    while at < len(messages):
        yield messages[at : at + size]
        size, at = 4 * size, at + size


def followed_again(
    sides: tuple[FollowedEstate, FollowedEstate], begins: tuple[Begin, Begin], steps: int
) -> tuple[Trace, Trace] | None:
    """The traces of one message before and after, each of so many steps at most; None where it
    takes more."""
    found = []
    for side, begin in zip(sides, begins, strict=True):
        budget = Budget(steps)
        found.append(explored(side, begin, budget, stations=True))
        if budget.spent:
            return None
    return found[0], found[1]


@dataclass
class _Comparing:
    """Messages compared in both configurations; ``rows`` is what is told of them, ``effects`` the
    same of each by what it was sent to, ``begins`` where it begins in both, ``left_out`` those
    that are not; states step alike at servers that are not ``touched``, where these are known."""

    sides: tuple[FollowedEstate, FollowedEstate]
    budget: Budget
    causes: Causes
    left_out: Tally
    touched: Touched | None
    out_of_reach: OutOfReach | None
    rows: list[OutcomeMoved] = field(default_factory=list)
    effects: dict[Key, OutcomeMoved | None] = field(default_factory=dict)
    begins: dict[Key, tuple[Begin, Begin]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.looking = Looking(self.sides, self.budget, self.touched, self.out_of_reach)
        self._names = SingleNames(self.looking, self.left_out)
        self._told_apart = ToldApart(self.sides, self.out_of_reach, self.budget)
        self._met = 0
        self._endings = self._whole = self._new_endings(None)
        self._asked_whole: set[tuple[Begin, Begin]] = set()
        self._looked: list[Looked] = []
        self._apart: list[Looked] = []

    def stands_for_many(self, both: tuple[Begin, Begin]) -> bool:
        """Whether a message stands for those to many names."""
        return any(
            own is not None and own.is_one(begin[1])
            for begin in both
            for own in (self.sides[1].systems[begin[0]].standing,)
        )

    def within_reach(self, messages: Sequence[Message]) -> list[Message]:
        """Messages without those that get nowhere where a state steps otherwise; of one that stands
        for many, whatever name it is for."""
        found: list[Message] = []
        for key, (old, new) in messages:
            if old == new and self.looking.is_apart(old):
                many = self.stands_for_many((old, new))
                if not many or self.looking.is_apart_for_any_name(old):
                    if many:
                        self._apart.append(Looked(old[1], alike=True, concerned=False, apart=True))
                    continue
            found.append((key, (old, new)))
        return found

    def names_concerned(
        self,
        messages: Sequence[Message],
        touched: Mapping[str, Collection[str]],
        wide: Wide,
    ) -> Collection[str] | None:
        """The names for which messages of servers and names may be concerned, as all other messages
        show that were looked at (``tracing.states.Narrowed``). Raises BudgetSpent."""
        system, pairs = wide
        if pairs.narrowed is None or self.looking.unsettled:
            return None
        looked = self._looked
        while len(looked) < len(self.looking.leads):  # names are looked at meanwhile
            looked += [
                Looked(
                    at[1],
                    self.looking.is_alike(at),
                    self._names.may_concern(at),
                    self.looking.is_apart(at),
                )
                for at in [*islice(self.looking.leads, len(looked), None)]
            ]
        moved_begins = (
            Looked(state, alike=False, concerned=True)
            for _, both in messages
            if both[0] != both[1]
            for _, state in both
        )
        apart = self.out_of_reach
        return pairs.narrowed.names(
            chain(self._apart, looked, moved_begins),
            touched[system],
            lambda server: apart is not None and apart.is_apart_from_here(system, server),
        )

    def compare_all(self, messages: Sequence[Message]) -> None:
        """Note what is different of messages. Raises BudgetSpent."""
        differing = self.looking.differing({old for _, (old, new) in messages if old == new})
        chosen = []
        for key, (old, new) in messages:
            if old != new or old in differing:
                chosen.append((key, (old, new)))
            elif old in self.looking.unsettled:
                self.left_out.add(key, LeftOut(ENDLESS, 1))
        self._follow([both for _, both in chosen])
        for key, both in chosen:
            self._compare(key, both)

    def compare_singles(
        self, messages: Sequence[tuple[Begin, Begin]], known: Collection[Key]
    ) -> None:
        """The same of the messages that each of some stands for, unless it is told for them.
        ``known`` are told by themselves. Raises BudgetSpent."""
        groups = [(both[0][0], group) for both in messages for group in self._names.of(both)]
        begins = [
            (system, state)
            for system, group in groups
            for state in (group.begin, *(one.begin for one in group.names))
        ]
        self._follow([(begin, begin) for begin in begins])
        for system, group in groups:
            self._compare_names(system, group, known)

    def _new_endings(self, leave_out: Callable[[Begin], bool] | None) -> BothEndings:
        return BothEndings(self.sides, self.causes, self.budget, self.touched, leave_out)

    def _follow(self, messages: Sequence[tuple[Begin, Begin]]) -> None:
        """Follow messages on both sides, where they may end otherwise; all ways of those alone of
        which more is told. Raises BudgetSpent."""
        stepped = [*islice(self.looking.alike.items(), self._met, None)]
        self._met += len(stepped)
        altered = ((at, at) for at, alike in stepped if not alike)
        moved_begins = (both for both in messages if both[0] != both[1])
        if self._told_apart.meet([*altered, *moved_begins]):
            self._endings = self._new_endings(self._told_apart.leave_out)
        self._endings.follow(messages)
        if self._endings.leave_out is None:
            return
        if self._endings.waits:
            self._told_apart.give_up()
            self._endings = self._new_endings(None)
            self._endings.follow(messages)
            return
        more = {both for both in messages if not self._is_told(both)}
        if more:
            self._asked_whole |= more
            self._whole.follow(more)

    def _is_told(self, both: tuple[Begin, Begin]) -> bool:
        try:
            return self._told_apart.is_told_alone(self._endings.compared(both)[0])
        except LeftToTraces:
            return True

    def _compare_names(self, system: str, group: SameWay, known: Collection[Key]) -> None:
        own = self.sides[1].systems[system]
        any_of = system, group.begin.server, own.address(group.begin)
        if not group.same:
            self._compare(any_of, ((system, group.begin), (system, group.begin)))
        for one in group.names:
            key = system, one.begin.server, own.address(one.begin)
            if key in self.effects or key in known:
                continue
            begin = system, one.begin
            row = self.effects[key] = self._row(key, (begin, begin))
            told_for = None if one.differs else self.effects.get(any_of)
            if row is not None and not (told_for and one.is_within(row, told_for)):
                self.rows.append(row)

    def _compare(self, key: Key, both: tuple[Begin, Begin]) -> None:
        if key not in self.effects:
            self.effects[key] = row = self._row(key, both)
            if row is not None:
                self.rows.append(row)

    def _row(self, key: Key, both: tuple[Begin, Begin]) -> OutcomeMoved | None:
        """What is different of a message. Raises BudgetSpent."""
        self.begins[key] = both
        self.budget.check()
        traces = cache(partial(self._traced, both))
        endings = self._whole if both in self._asked_whole else self._endings
        try:
            found, evidence = endings.compared(both)
            way = None if found else endings.ways(both)
        except LeftToTraces:
            before, after = traces()
            found, evidence = compare(before, after, as_told=True), partial(evidence_of, after)
            systems = self.sides[0].systems, self.sides[1].systems
            way = None if found else ways_compared(before, after, systems)
        if not found and way is None:
            return None
        try:
            cause = endings.cause(both)
        except LeftToTraces:
            cause = self.causes.of(*traces())
        system, state = both[1]
        row = (
            _over_another_way(system, state, key[2], way)
            if way is not None
            else moved(system, state, key[2], found, evidence)
        )
        return replace(row, cause=cause)

    def _traced(self, both: tuple[Begin, Begin]) -> tuple[Trace, Trace]:
        """The whole traces of a message. Raises BudgetSpent."""
        before, after = (
            explored(side, begin, self.budget) for side, begin in zip(self.sides, both, strict=True)
        )
        self.budget.check()
        return before, after


def _over_another_way(system: str, state: State, address: str, way: WayComparison) -> OutcomeMoved:
    """One message whose endings are the same, and that passes something else on the way there."""
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
