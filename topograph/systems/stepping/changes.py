"""What another configuration does to messages that go step by step: how each ends before and after.

A message is one that begins in an entry state of either configuration. Only those are traced that
get to a state whose step differs: states are stepped once in each configuration, whatever the
messages.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Guard
from topograph.message import DestinationName, Message
from topograph.systems.contract.failures import OutcomeMoved
from topograph.systems.stepping.failures import Begin, FollowedEstate, explored, moved
from topograph.tracing.comparison import compare, ways_compared
from topograph.tracing.exploration import verdict_of
from topograph.tracing.states import Handover, State, Way
from topograph.tracing.trace import Ending, Trace

TOGETHER = 500
"""Messages that are looked at before those among them that differ are traced: what the budget
cuts is then at the end.
"""

_ANY = Message(DestinationName("queue", ""))


@dataclass(frozen=True, slots=True)
class OutcomesCompared:
    """Messages that end otherwise, by server and destination, and how many messages the budget
    left out.
    """

    moved: tuple[OutcomeMoved, ...]
    not_compared: int


def outcomes_compared(
    before: FollowedEstate, after: FollowedEstate, first: Collection[str], budget: Budget
) -> OutcomesCompared:
    """How messages end in two configurations of the same systems; those that begin at the
    servers ``first`` are looked at first. Linear in the states and their ways, and in the traces
    of messages that get to a state which differs."""
    begins = [
        (key, begin, after.systems[key[0]].stands_for(begin[1][1]))
        for key, begin in _begins(before, after).items()
    ]
    begins.sort(key=lambda one: (one[0][1] not in first, bool(one[2]), one[0]))
    looking = _Looking((before, after), budget)
    found: list[OutcomeMoved] = []
    told: set[tuple[str, str, str]] = set()
    done = 0
    try:
        for at in range(0, len(begins), TOGETHER):
            part = begins[at : at + TOGETHER]
            differing = looking.differing({old for _, (old, new), _ in part if old == new})
            for (system, server, address), (old, new), of in part:
                budget.check()
                if (old == new and old not in differing) or (system, server, of) in told:
                    done += 1
                    continue
                was, now = explored(before, old, budget), explored(after, new, budget)
                budget.check()
                done += 1
                rows = list(_told(system, new[1], address, (was, now), (before, after)))
                found += rows
                if rows and not rows[0].now_passed and not rows[0].no_longer_passed:
                    told.add((system, server, address))
    except BudgetSpent:
        pass
    return OutcomesCompared(
        tuple(sorted(found, key=lambda one: (one.server, one.destination))), len(begins) - done
    )


def _told(
    system: str,
    state: State,
    address: str,
    traces: tuple[Trace, Trace],
    estates: tuple[FollowedEstate, FollowedEstate],
) -> Iterator[OutcomeMoved]:
    """What is different of one message: its endings, else what it passes on the way to them."""
    told = compare(*traces, as_told=True)
    if told:
        lost, gained = told.lost + told.weaker, told.gained + told.stronger
        yield moved(system, state, address, lost, gained, traces[1])
        return
    way = ways_compared(*traces, (estates[0].systems, estates[1].systems))
    if way is not None:
        yield OutcomeMoved(
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


def _begins(
    before: FollowedEstate, after: FollowedEstate
) -> Mapping[tuple[str, str, str], tuple[Begin, Begin]]:
    """Where messages begin at servers of both configurations, by system, server and address.
    Where only one has an entry of that address, messages begin in its state in both: what the
    other makes of them is the answer."""
    servers = [
        {(name, one.name) for name, own in steps.systems.items() for one in own.servers}
        for steps in (before, after)
    ]
    both = servers[0] & servers[1]
    sides = [
        {key: begin for key, begin in _begins_of(steps).items() if key[:2] in both}
        for steps in (before, after)
    ]
    return {
        key: (sides[0].get(key) or sides[1][key], sides[1].get(key) or sides[0][key])
        for key in {**sides[0], **sides[1]}
    }


def _begins_of(steps: FollowedEstate) -> dict[tuple[str, str, str], Begin]:
    found: dict[tuple[str, str, str], Begin] = {}
    for name, own in steps.systems.items():
        for state in (own.begins or own.entries)():
            # What the system made of the text is of its own configuration.
            found.setdefault(
                (name, state.server, own.address(state)),
                (name, State(state.server, state.object, state.data)),
            )
    return found


@dataclass
class _Looking:
    """The states that were looked at: which of them step otherwise in the other configuration,
    or lead to one that does.
    """

    sides: Sequence[FollowedEstate]
    budget: Budget
    leads: dict[Begin, bool] = field(default_factory=dict)

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
        """Those of the states from which a message gets to a state that differs. Raises
        BudgetSpent.
        """
        new: dict[Begin, tuple[Begin, ...]] = {}
        differs: list[Begin] = []
        waiting = sorted(
            (one for one in begins if one not in self.leads),
            key=lambda one: (one[0], one[1].server, one[1].object, one[1].data),
        )
        while waiting:
            at = waiting.pop()
            if at in new or at in self.leads:
                continue
            self.budget.spend()
            alike, onward = self._look(at)
            new[at] = onward
            if not alike or any(self.leads.get(to) for to in onward):
                differs.append(at)
            waiting += onward
        back: dict[Begin, list[Begin]] = {}
        for at, onward in new.items():
            for to in onward:
                back.setdefault(to, []).append(at)
        leading = set(differs)
        while differs:
            for earlier in back.get(differs.pop(), ()):
                if earlier not in leading:
                    leading.add(earlier)
                    differs.append(earlier)
        self.leads |= {at: at in leading for at in new}
        return {one for one in begins if self.leads[one]}

    def _look(self, at: Begin) -> tuple[bool, tuple[Begin, ...]]:
        """Whether a state steps alike on both sides, and where it leads to then: a state that
        only one side leads to means nothing to the other.
        """
        system, state = at
        if any(system not in steps.systems for steps in self.sides):
            return False, ()
        loaded = [(system, state.server) in known for known in self._loaded]
        ways = [
            steps.systems[system].step(state).ways if there else ()
            for steps, there in zip(self.sides, loaded, strict=True)
        ]
        open_ = [(system, state.server) in known for known in self._open]
        alike = loaded[0] == loaded[1] and open_[0] == open_[1]
        alike = alike and [self._content(0, system, way) for way in ways[0]] == [
            self._content(1, system, way) for way in ways[1]
        ]
        if not alike:
            return False, ()
        return True, tuple(
            dict.fromkeys(to for way in ways[0] for to in self._targets(system, way))
        )

    def _content(self, side: int, system: str, way: Way) -> Hashable:
        """What of a way decides how messages end, wherever it is configured."""
        to: Hashable = way.to
        if isinstance(way.to, Handover):
            refused = (
                None if way.to.refused is None else self._content(side, system, way.to.refused)
            )
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

    def _targets(self, system: str, way: Way) -> Iterator[Begin]:
        """The states that a way leads to, in this system or the one that takes over."""
        if isinstance(way.to, Ending):
            return
        if isinstance(way.to, State):
            yield system, State(way.to.server, way.to.object, way.to.data)
            return
        if way.to.refused is not None:
            yield from self._targets(system, way.to.refused)
        other = way.to.system
        if any(other not in steps.systems for steps in self.sides):
            return
        seam = self._seams.get((system, other))
        state = way.to.state if seam is None else seam.translate(way.to.state)
        if state is not None:
            state = self.sides[0].systems[other].handed_over(state, _ANY)
            yield other, State(state.server, state.object, state.data)
