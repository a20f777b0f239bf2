"""Where messages end that pass a state which steps otherwise: what becomes of a message in two
configurations is told apart by these endings alone, so that ways which lead to none of their
servers need not be followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from topograph.forwarding.budget import Budget
from topograph.outcomes import Outcome
from topograph.systems.stepping.messages import Begin, FollowedEstate
from topograph.systems.stepping.out_of_reach import OutOfReach, is_plain
from topograph.tracing.comparison import EndingAt, OutcomeComparison
from topograph.tracing.states import State, Way, its_queue
from topograph.tracing.trace import Ending, Kind

MOST_SERVERS = 24
"""Servers at which these messages end, beyond which every way is followed."""


class _Unsure(Exception):
    """An ending may be told of a server that a message does not get to, or is not known."""


@dataclass
class ToldApart:
    """The servers at which messages end behind the states that were met so far and step otherwise,
    or in which messages begin otherwise; ``leave_out`` are states that lead to none of these, None
    where that is not known. Linear in the states behind these, once."""

    sides: Sequence[FollowedEstate]
    apart: OutOfReach | None
    budget: Budget
    leave_out: Callable[[Begin], bool] | None = None
    _places: set[tuple[str, str]] = field(default_factory=set)
    _seen: tuple[set[Begin], set[Begin]] = field(default_factory=lambda: (set(), set()))
    _met: set[tuple[Begin, Begin]] = field(default_factory=set)
    _is_sure: bool = True

    def __post_init__(self) -> None:
        self._is_sure = self.apart is not None and _all_is_known(self.apart, self.sides)
        self._loaded = [
            {(name, one.name) for name, own in side.systems.items() for one in own.servers}
            for side in self.sides
        ]

    def give_up(self) -> None:
        """Follow every way from now on."""
        self._is_sure, self.leave_out = False, None

    def meet(self, states: Sequence[tuple[Begin, Begin]]) -> bool:
        """Whether ``leave_out`` is another one with some more states, before and after. Raises
        BudgetSpent."""
        new = [one for one in dict.fromkeys(states) if one not in self._met]
        if not self._is_sure or not new:
            return False
        assert self.apart is not None
        self._met.update(new)
        known = len(self._places)
        try:
            for side in (0, 1):
                self._follow(side, [both[side] for both in new])
            if len(self._places) > MOST_SERVERS:
                raise _Unsure
        except _Unsure:
            changed = self.leave_out is not None
            self.give_up()
            return changed
        if len(self._places) == known:
            return False
        self.leave_out = self.apart.apart_from(self._places)
        return True

    def is_told_alone(self, found: OutcomeComparison) -> bool:
        """Whether the first message that ends as one of the endings that are new is found where not
        all ways are followed: no other is told in the words of one of them."""
        return self.leave_out is None or all(
            map(_names_its_server, (*found.gained, *found.stronger))
        )

    def _follow(self, side: int, begins: Iterable[Begin]) -> None:
        """Raises _Unsure, BudgetSpent."""
        onward: dict[Begin, list[Begin]] = {}
        seen = self._seen[side]
        waiting = [to for at in begins for to in self._onward(side, at, self._own_ways(side, at))]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            self.budget.spend()
            seen.add(at)
            onward[at] = [*self._onward(side, at, self._ways(side, at))]
            waiting += onward[at]
        if _has_circle(onward):
            raise _Unsure

    def _ways(self, side: int, at: Begin) -> Sequence[Way]:
        """The ways out of a state. Raises _Unsure."""
        system, state = at
        if (system, state.server) not in self._loaded[side]:
            raise _Unsure
        transition = self.sides[side].systems[system].step(state)
        if not transition.ways or transition.open_end is not None:
            raise _Unsure
        return transition.ways

    def _own_ways(self, side: int, at: Begin) -> Sequence[Way]:
        """Those that it does not have on the other side, where messages take each way."""
        ways, others = self._ways(side, at), self._ways(1 - side, at)
        if any(one.kind is not Kind.COPY or one.guard is not None for one in (*ways, *others)):
            return ways
        also = {(one.to, one.eliminated) for one in others}
        return [one for one in ways if (one.to, one.eliminated) not in also]

    def _onward(self, side: int, at: Begin, ways: Sequence[Way]) -> Iterator[Begin]:
        """The states that some ways lead to; where messages end in one is noted. Raises
        _Unsure."""
        system, state = at
        own = self.sides[side].systems[system]
        for way in ways:
            if way.kind in (Kind.LATER, Kind.READING):
                raise _Unsure
            if isinstance(way.to, State):
                yield system, way.to
            elif not isinstance(way.to, Ending) or (
                way.to.outcome not in own.told_where_it_ends
                or way.to.text("server") not in ("", state.server)
            ):
                raise _Unsure
            if way.guard is not None or isinstance(way.to, Ending):
                self._places.add((system, state.server))


def _all_is_known(apart: OutOfReach, sides: Sequence[FollowedEstate]) -> bool:
    """Whether nothing is left open of any server, and no way depends on what is not known."""
    return is_plain(apart.graph) and all(
        own.passes is its_queue and all(one.loaded and not one.open_ended for one in own.servers)
        for side in sides
        for own in side.systems.values()
    )


def _has_circle(onward: dict[Begin, list[Begin]]) -> bool:
    """Whether some of these states lead back to themselves. Linear in the ways."""
    left = dict.fromkeys(onward, 0)
    for each in onward.values():
        for to in each:
            if to in left:
                left[to] += 1
    free = [one for one, ways in left.items() if not ways]
    number = 0
    while free:
        number += 1
        for to in onward[free.pop()]:
            if to in left:
                left[to] -= 1
                if not left[to]:
                    free.append(to)
    return number < len(left)


def _names_its_server(ending: EndingAt) -> bool:
    """Whether an ending is told in words that say where it is."""
    return ending.outcome.startswith(f"{Outcome.DELIVERED}(") and ending.outcome.endswith(
        (f"@{ending.server})", f" {ending.server})")
    )
