"""The states that messages get to in two configurations, and which of them step otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Guard
from topograph.message import DestinationName, Message
from topograph.systems.stepping.messages import Begin, FollowedEstate
from topograph.systems.stepping.out_of_reach import OutOfReach
from topograph.tracing.closure import SETTLED
from topograph.tracing.endings_compared import Touched
from topograph.tracing.exploration import verdict_of
from topograph.tracing.states import Handover, State, Way
from topograph.tracing.trace import Ending

FEW = 500
"""States at a server that are looked at where there were more than SETTLED before."""

_ANY = Message(DestinationName("queue", ""))


@dataclass
class Looking:
    """The states that were looked at: which of them step otherwise in the other configuration,
    or lead to one that does. They step alike at servers that are not ``touched``, where these are
    known; what is ``out_of_reach`` of these, where that is, is not stepped.
    """

    sides: Sequence[FollowedEstate]
    budget: Budget
    touched: Touched | None = None
    out_of_reach: OutOfReach | None = None
    leads: dict[Begin, bool] = field(default_factory=dict)
    alike: dict[Begin, bool] = field(default_factory=dict)
    """Whether a state steps alike in both configurations."""
    unsettled: set[Begin] = field(default_factory=set)
    """The states from which messages get to more states than were looked at, and to none that was
    seen to differ."""
    _shared: dict[Begin, Sequence[Way]] = field(default_factory=dict)
    """The ways out of states whose step both configurations share (``sharing``)."""
    _first: dict[Hashable, State] = field(default_factory=dict)
    _leading_at: dict[tuple[str, str], list[State]] = field(default_factory=dict)
    _endless: set[tuple[str, str]] = field(default_factory=set)
    """The servers, by system, at which there were too many states."""

    def __post_init__(self) -> None:
        servers = [
            [(name, one) for name, own in steps.systems.items() for one in own.servers]
            for steps in self.sides
        ]
        self._servers = [{(name, one.name) for name, one in own} for own in servers]
        self._loaded = [{(name, one.name) for name, one in own if one.loaded} for own in servers]
        self._open = [{(name, one.name) for name, one in own if one.open_ended} for own in servers]
        self._seams = {(seam.start, seam.end): seam for seam in self.sides[0].seams}

    def differing(self, begins: Collection[Begin]) -> set[Begin]:
        """Those of the states from which a message gets to a state that differs. Of those in
        ``unsettled`` it is not known. Raises BudgetSpent.
        """
        new: dict[Begin, tuple[Begin, ...]] = {}
        differs: list[Begin] = []
        cut: list[Begin] = []
        at_server: Counter[tuple[str, str]] = Counter()
        waiting = sorted(
            (one for one in begins if one not in self.leads),
            key=lambda one: (one[0], one[1].server, one[1].object, one[1].data),
        )
        while waiting:
            at = waiting.pop()
            if at in new or at in self.leads:
                continue
            self.budget.spend()
            if self.is_apart(at):
                self.alike[at], new[at] = True, ()
                continue
            place = at[0], at[1].server
            at_server[place] += 1
            if at_server[place] > (FEW if place in self._endless else SETTLED):
                self._endless.add(place)
                cut.append(at)
                new[at] = ()
                continue
            alike, onward = self._look(at)
            new[at] = onward
            if not alike or any(self.leads.get(to) for to in onward):
                differs.append(at)
            elif any(to in self.unsettled for to in onward):
                cut.append(at)
            waiting += onward
        back: dict[Begin, list[Begin]] = {}
        for at, onward in new.items():
            for to in onward:
                back.setdefault(to, []).append(at)
        leading = leading_to(differs, back)
        self.unsettled |= leading_to(cut, back) - leading
        self.leads |= {at: at in leading for at in new}
        for system, state in leading:
            self._leading_at.setdefault((system, state.server), []).append(state)
        return {one for one in begins if self.leads[one]}

    def has_files(self, system: str, server: str) -> bool:
        """Whether the files of a server are loaded in both configurations."""
        return all((system, server) in loaded for loaded in self._loaded)

    def leading_at(self, system: str, server: str) -> Sequence[State]:
        """The states at a server, of those looked at, from which messages get to one that
        differs."""
        return self._leading_at.get((system, server), ())

    def is_touched(self, system: str, server: str) -> bool:
        """Whether states at a server may step otherwise in the other configuration."""
        touched = None if self.touched is None else self.touched.get(system)
        return touched is None or server in touched

    def is_apart(self, at: Begin) -> bool:
        """Whether a message in a state is known to get to no server that is touched."""
        return self.out_of_reach is not None and self.out_of_reach.is_apart(at)

    def is_apart_for_any_name(self, at: Begin) -> bool:
        """The same whatever name it is for, of a state that stands for many."""
        return self.out_of_reach is not None and self.out_of_reach.is_apart_for_any_name(at)

    def is_alike(self, at: Begin) -> bool:
        """Whether a state steps alike in both configurations."""
        if at not in self.alike:
            self.alike[at] = self._steps_alike(at)[0]
        return self.alike[at]

    def _look(self, at: Begin) -> tuple[bool, tuple[Begin, ...]]:
        """Whether a state steps alike on both sides, and where it leads to then: a state that
        only one side leads to means nothing to the other.
        """
        alike, ways = self._steps_alike(at)
        self.alike[at] = alike
        if not alike:
            return False, ()
        return True, tuple(dict.fromkeys(to for way in ways for to in self.targets(at[0], way)))

    def _steps_alike(self, at: Begin) -> tuple[bool, Sequence[Way]]:
        """Whether a state steps alike on both sides, and its ways."""
        system, state = at
        if not self.is_touched(system, state.server):
            self._shared[at] = self.ways(1, at)
            return True, self._shared[at]
        if any(system not in steps.systems for steps in self.sides):
            return False, ()
        loaded = [(system, state.server) in known for known in self._loaded]
        ways = [self.ways(side, at) for side in (0, 1)]
        open_ = [(system, state.server) in known for known in self._open]
        alike = loaded[0] == loaded[1] and open_[0] == open_[1]
        if alike and ways[0] is ways[1]:
            self._shared[at] = ways[0]
        elif alike:
            alike = [self.content(0, system, way) for way in ways[0]] == [
                self.content(1, system, way) for way in ways[1]
            ]
        return alike, ways[0]

    def ways(self, side: int, at: Begin) -> Sequence[Way]:
        """The ways out of a state in one configuration; none where its server is not loaded."""
        if at in self._shared:
            return self._shared[at]
        system, state = at
        if (system, state.server) not in self._loaded[side]:
            return ()
        return self.sides[side].systems[system].step(state).ways

    def content(self, side: int, system: str, way: Way) -> Hashable:
        """What of a way decides how messages end, wherever it is configured."""
        to: Hashable = way.to
        if isinstance(way.to, Handover):
            refused = None if way.to.refused is None else self.content(side, system, way.to.refused)
            to = way.to.system, way.to.state, way.to.otherwise, refused
        known = True
        if not isinstance(way.to, Ending):
            name, state = (
                (way.to.system, way.to.state) if isinstance(way.to, Handover) else (system, way.to)
            )
            known = (name, state.server) in self._servers[side]
        verdict = None if way.guard is None else self._verdict(side, system, way.guard)
        return to, known, way.kind, verdict, way.choice, way.condition, way.eliminated, way.cost

    def _verdict(self, side: int, system: str, guard: Guard) -> Hashable:
        said = verdict_of(self.sides[side].systems[system], guard, _ANY)
        return guard.id, guard.payload, said.truth, said.known

    def targets(self, system: str, way: Way) -> Iterator[Begin]:
        """The states that a way leads to, in this system or the one that takes over."""
        if isinstance(way.to, Ending):
            return
        if isinstance(way.to, State):
            yield self.first(system, way.to)
            return
        if way.to.refused is not None:
            yield from self.targets(system, way.to.refused)
        other = way.to.system
        if any(other not in steps.systems for steps in self.sides):
            return
        seam = self._seams.get((system, other))
        state = way.to.state if seam is None else seam.translate(way.to.state)
        if state is not None:
            state = self.sides[0].systems[other].handed_over(state, _ANY)
            yield other, State(state.server, state.object, state.data)

    def first(self, system: str, state: State) -> Begin:
        """A state, or the first one that was met of those that step like it."""
        own = [steps.systems[system].standing for steps in self.sides]
        keys = tuple(one.alike(state) for one in own if one is not None)
        if None in keys or not keys:
            return system, state
        return system, self._first.setdefault((system, keys), state)


def leading_to(found: Iterable[Begin], back: Mapping[Begin, Sequence[Begin]]) -> set[Begin]:
    """Some states, and those from which messages get to one of them. Linear in ``back``."""
    leading = set(found)
    waiting = list(leading)
    while waiting:
        for earlier in back.get(waiting.pop(), ()):
            if earlier not in leading:
                leading.add(earlier)
                waiting.append(earlier)
    return leading
