"""The single messages that one to any queue of a server stands for, and that a change may concern
otherwise than it.

Which name a message is for matters only where it is looked up (``tracing.states.Standing``). So
each name is looked at there once, whoever sends, and the messages of all senders are found on the
way from their beginnings to that place. The work is that of the beginnings, and of the names of the
servers that they get to; not of their pairs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.inexact import LeftOut
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.contract.failures import OutcomeMoved
from topograph.systems.stepping.begins import Tally
from topograph.systems.stepping.looking import Looking, leading_to
from topograph.systems.stepping.messages import Begin
from topograph.tracing.states import Handover, Names, Standing, State
from topograph.tracing.trace import Ending, Kind

MOST_BEYOND = 1_000
"""Names at a server of another system that are told apart for each that sends there."""


@record
class SingleName:
    """A message to one name. ``differs``: the change concerns the place where it is looked up;
    otherwise the way there. ``found`` is that place, ``any_of`` the same for any name."""

    begin: State
    differs: bool
    found: State
    any_of: State

    def is_within(self, row: OutcomeMoved, told: OutcomeMoved) -> bool:
        """Whether what is told of any name says the same of this one."""
        own, every = f"{self.found.object}@{self.found.server}", self.any_of.object
        if row.no_longer_passed or row.now_passed:
            return bool(told.no_longer_passed or told.now_passed)
        return all(
            {one.replace(own, every) for one in mine} <= {*theirs}
            for mine, theirs in ((row.before, told.before), (row.after, told.after))
        )


@record
class SameWay:
    """The messages that one beginning stands for and that are looked up at one place; ``same``:
    the way there is the same in both configurations."""

    begin: State
    same: bool
    names: Sequence[SingleName]


@dataclass(slots=True)
class _Place:
    """Where names are looked up, on each side that a message gets there; ``same`` as above."""

    states: list[State | None]
    same: list[bool]


@dataclass
class SingleNames:
    """The names at each place, and which of them differ: worked out once. ``left_out`` are those
    that were not looked at."""

    looking: Looking
    left_out: Tally
    _differing: dict[Begin, frozenset[str]] = field(default_factory=dict)
    _concerned: dict[Begin, bool] = field(default_factory=dict)
    _named_at: dict[tuple[int, Begin], Names | None] = field(default_factory=dict)
    _onward_there: dict[tuple[int, Begin], Sequence[tuple[Begin, bool]]] = field(
        default_factory=dict
    )
    _leaving_there: dict[tuple[int, Begin], Names | None] = field(default_factory=dict)

    def of(self, both: tuple[Begin, Begin]) -> Iterator[SameWay]:
        """The messages that a beginning stands for of which a change may concern one otherwise than
        the rest, by place. Raises BudgetSpent."""
        system = both[0][0]
        if any(system not in steps.systems for steps in self.looking.sides):
            return
        own = self.looking.sides[1].systems[system].standing
        assert own is not None
        if both[0] == both[1] and not self._may_concern(both[0]):
            return
        for place in self._places(both).values():
            same = None not in place.states and all(place.same)
            any_of = next(one for one in reversed(place.states) if one is not None)
            differing: set[str] = set()
            for state in place.states:
                if state is not None:
                    differing |= self._that_differ(system, state)
            if same and not differing:
                continue
            names = [
                SingleName(own.begin(both[1][1], found), name in differing, found, any_of)
                for name, found in self._names(system, place).items()
                if name in differing or not (same or self._is_plain(system, name, place))
            ]
            yield SameWay(own.begin(both[1][1], any_of), same, names)
        yield from self._beyond(both)

    def may_concern(self, at: Begin) -> bool:
        """Whether a state, or a name that it stands for, leads to one that differs. Raises
        BudgetSpent."""
        own = self._standing(1, at[0])
        return self.looking.leads[at] or (own.is_one(at[1]) and self._may_concern(at))

    def _may_concern(self, begin: Begin) -> bool:
        """Whether a beginning leads, for any name, to a state that does not step alike in both
        configurations, to another system, or to a place where a name differs. Worked out once for
        each state on the way. Raises BudgetSpent."""
        if begin in self._concerned:
            return self._concerned[begin]
        new: list[Begin] = []
        found: list[Begin] = []
        back: dict[Begin, list[Begin]] = {}
        waiting, seen = [begin], {begin}
        while waiting:
            at = waiting.pop()
            if at in self._concerned:
                if self._concerned[at]:
                    found.append(at)
                continue
            new.append(at)
            self.looking.budget.spend()
            if self.looking.is_apart_for_any_name(at):
                continue
            looked_up = self._is_place(1, at)
            ways = self.looking.ways(1, at)
            if (
                not self.looking.is_alike(at)
                or any(isinstance(way.to, Handover) for way in ways)
                or (looked_up and self._that_differ(*at))
            ):
                found.append(at)
                continue
            for to, _ in () if looked_up else self._onward(1, at):
                back.setdefault(to, []).append(at)
                if to not in seen:
                    seen.add(to)
                    waiting.append(to)
        leading = leading_to(found, back)
        self._concerned |= {at: at in leading for at in new}
        return self._concerned[begin]

    def _beyond(self, both: tuple[Begin, Begin]) -> Iterator[SameWay]:
        """The same of the servers of other systems that a beginning leads to: there each name is
        told of which messages that begin there end otherwise. Raises BudgetSpent."""
        system, begin = both[1]
        own = self._standing(1, system)
        if len(self.looking.sides[1].systems) == 1:
            return
        for other, server in sorted(self._entered(both)):
            address = self.looking.sides[1].systems[other].address
            leading = self.looking.leading_at(other, server)
            differing = sorted({address(state).partition("@")[0] for state in leading})
            if len(differing) > MOST_BEYOND:
                self.left_out.add(
                    (other, server), LeftOut(f"messages to queues of {server}", len(differing))
                )
                continue
            to = (own.begin_to(begin, name, server) for name in differing)
            yield SameWay(begin, same=True, names=[SingleName(one, True, one, one) for one in to])

    def _entered(self, both: tuple[Begin, Begin]) -> set[tuple[str, str]]:
        """The servers of other systems, by system, that any name gets to on either side."""
        found = {
            (way.to.system, way.to.state.server)
            for side, begin in enumerate(both)
            for at, _, _ in self._on_the_way(side, begin)
            for way in self.looking.ways(side, at)
            if isinstance(way.to, Handover)
        }
        return {one for one in found if self.looking.has_files(*one)}

    def _places(self, both: tuple[Begin, Begin]) -> Mapping[Hashable, _Place]:
        """Where the names of a beginning are looked up. Linear in the states on the way.

        Where all ways are the same on both sides, those places alone that the change may concern.
        Where one is not, it may lead to other places in a new way, so that all are looked at."""
        found = self._places_on(both, concerned=True) if both[0] == both[1] else None
        if found is None:
            found = self._places_on(both, concerned=False)
        assert found is not None
        return found

    def _places_on(
        self, both: tuple[Begin, Begin], *, concerned: bool
    ) -> Mapping[Hashable, _Place] | None:
        """All these places, or those that the change may concern: None if a way differs then."""
        found: dict[Hashable, _Place] = {}
        for side, begin in enumerate(both):
            for at, same, looked_up in self._on_the_way(side, begin, concerned=concerned):
                if concerned and not same:
                    return None
                if looked_up:
                    own = self._standing(side, at[0])
                    key = self.looking.first(*at), own.begin(both[1][1], at[1])
                    place = found.setdefault(key, _Place([None, None], [True, True]))
                    place.states[side], place.same[side] = at[1], same
        return found

    def _on_the_way(
        self, side: int, begin: Begin, *, concerned: bool = False
    ) -> Iterator[tuple[Begin, bool, bool]]:
        """The states for any name that a beginning leads to on a side, up to where names are looked
        up; each with whether the way there is the same on both, and whether it is such a place.
        With ``concerned`` without those that the same way leads to and behind which the change
        concerns nothing. Raises BudgetSpent."""
        waiting, seen = deque([(begin, True)]), {begin}
        while waiting:
            at, same = waiting.popleft()
            self.looking.budget.spend()
            looked_up = self._is_place(side, at)
            yield at, same, looked_up
            if looked_up:
                continue
            only = concerned and same
            for to, also in self._concerned_onward(side, at) if only else self._onward(side, at):
                if to not in seen:
                    seen.add(to)
                    waiting.append((to, same and also))

    def _concerned_onward(self, side: int, at: Begin) -> Sequence[tuple[Begin, bool]]:
        """The same without those that the same way leads to and behind which the change concerns
        nothing. Worked out once for each state. Raises BudgetSpent."""
        key = side, at
        if key not in self._onward_there:
            self._onward_there[key] = [
                (to, also)
                for to, also in self._onward(side, at)
                if not also or self._may_concern(to)
            ]
        return self._onward_there[key]

    def _onward(self, side: int, at: Begin) -> Iterator[tuple[Begin, bool]]:
        """The states for any name that one leads to on a side, each with whether the other side has
        the same way."""
        system = at[0]
        own = self._standing(side, system)
        alike = self.looking.alike.get(at, False)
        others = (
            frozenset()
            if alike
            else {
                self.looking.content(1 - side, system, way)
                for way in self.looking.ways(1 - side, at)
            }
        )
        for way in self.looking.ways(side, at):
            to = way.to
            if isinstance(to, State) and own.is_one(to):
                also = alike or self.looking.content(side, system, way) in others
                yield (system, to), also

    def _that_differ(self, system: str, state: State) -> frozenset[str]:
        """The names that step otherwise, or lead to a state that does, where they are looked up."""
        if self._is_apart_here(system, state):
            return frozenset()
        first = self.looking.first(system, state)
        if first not in self._differing:
            named = {
                one.object: self.looking.first(system, one)
                for one in self._leaving(system, first[1])
            }
            leading = self.looking.differing(set(named.values()))
            leading |= self.looking.unsettled
            self._differing[first] = frozenset(
                name for name, one in named.items() if one in leading
            )
        return self._differing[first]

    def _is_apart_here(self, system: str, state: State) -> bool:
        """Whether a message to no name that is looked up in a state gets to a server that is
        touched, as none does that begins there."""
        apart = self.looking.out_of_reach
        return (
            apart is not None
            and self._standing(1, system).begun(state) is not None
            and apart.is_apart_from_here(system, state.server)
        )

    def _leaving(self, system: str, state: State) -> Iterable[State]:
        """The names in a state that may differ, or lead to a state that does: where nothing steps
        otherwise, those alone whose messages do not just end there."""
        if not self.looking.is_touched(system, state.server):
            names = self._leaving_at(1, (system, state)) or Names((), None)
            self.left_out.add((system, state.server), names.left_out)
            return names.states
        place = _Place([state, state], [True, True])
        return self._names(system, place).values()

    def _names(self, system: str, place: _Place) -> Mapping[str, State]:
        """Each name that is known at a place on either side, with its state."""
        found: dict[str, State] = {}
        for side in (1, 0):
            for state in place.states:
                if state is not None:
                    names = self._named(side, system, state)
                    self.left_out.add((system, state.server), names.left_out)
                    for one in names.states:
                        found.setdefault(one.object, one)
        return found

    def _is_plain(self, system: str, name: str, place: _Place) -> bool:
        """Whether a name is just taken where it is looked up, as any is."""
        return all(
            any(
                one.object == name and self._is_taken(side, (system, one))
                for one in self._named(side, system, state).states
            )
            for side, state in enumerate(place.states)
            if state is not None
        )

    def _is_taken(self, side: int, at: Begin) -> bool:
        ways = self.looking.ways(side, at)
        return (
            len(ways) == 1
            and ways[0].kind is Kind.COPY
            and ways[0].guard is None
            and isinstance(ways[0].to, Ending)
            and ways[0].to.outcome is Outcome.DELIVERED
        )

    def _named(self, side: int, system: str, state: State) -> Names:
        """The names in a state in which they are looked up on either side."""
        return self._names_at(side, (system, state)) or Names((), None)

    def _names_at(self, side: int, at: Begin) -> Names | None:
        """The names in a state; None where they are not looked up there."""
        key = side, at
        if key not in self._named_at:
            self._named_at[key] = self._standing(side, at[0]).names(at[1])
        return self._named_at[key]

    def _is_place(self, side: int, at: Begin) -> bool:
        """Whether names are looked up in a state."""
        return self._leaving_at(side, at) is not None

    def _leaving_at(self, side: int, at: Begin) -> Names | None:
        """Those names in a state whose messages do not just end there; None where they are not
        looked up there."""
        key = side, at
        if key not in self._leaving_there:
            self._leaving_there[key] = self._standing(side, at[0]).leaving(at[1])
        return self._leaving_there[key]

    def _standing(self, side: int, system: str) -> Standing:
        own = self.looking.sides[side].systems[system].standing
        assert own is not None
        return own
