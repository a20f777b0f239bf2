"""What failures do to the systems of a network whose messages go step by step
(``contract.system.Failures``): the endings of messages before and after, by tracing each message
that may meet what fails.

A message is one put to a configured destination at its own server, without a way of its own. Of
those, the ones that may get to a server concerned are found by one walk back over the graph; all
others end as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, groupby
from typing import Protocol

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.message import DestinationName, Message
from topograph.systems.contract.failures import (
    Before,
    ContainerUse,
    FailureCount,
    FailureEffect,
    OutcomeMoved,
    Sweep,
    Transient,
)
from topograph.systems.contract.separated import SeparatedPairs
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.all_failures import AllFailures, Counts
from topograph.systems.stepping.takers import Separated, Taking
from topograph.tracing.comparison import EndingAt, OutcomeComparison, compare
from topograph.tracing.comparison import evidence as evidence_of
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.endings import EndsAfter, SharedEndings
from topograph.tracing.exploration import explore
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import Component, Seam, State, Systems
from topograph.tracing.trace import Ending, Trace

Begin = tuple[str, State]
"""Where a message begins: its system, and the state."""

Evidence = Callable[[Collection[str]], tuple[str, Source]]
"""The rule and place of the step to the first ending with one of some outcomes."""

Pair = tuple[str, str]
"""Two servers, by what they are called in the network."""


class FollowedEstate(Protocol):
    """What is needed of the estate of these systems."""

    @property
    def systems(self) -> Systems:
        """What each system says of its servers."""
        ...

    @property
    def seams(self) -> Sequence[Seam]:
        """How states of one system are states of another."""
        ...

    def failed_by(self, failure: Failure, /) -> FollowedEstate:
        """The same while something is out of order."""
        ...


@dataclass
class SteppingFailures:
    """Failures of one network. Each message is traced once as things are, whatever fails, and
    once more for each failure that it may meet.
    """

    estate: FollowedEstate
    graph: ForwardingGraph
    walker: Walker
    containers: Mapping[str, ContainerUse] = field(default_factory=dict)
    _before: dict[Begin, Trace] = field(default_factory=dict)
    _taking: dict[Begin, frozenset[str]] = field(default_factory=dict)
    _table: EndingTable = field(default_factory=EndingTable)
    _endings: SharedEndings | None = None
    _reaching: Mapping[str, frozenset[str]] | None = None

    @cached_property
    def components(self) -> Mapping[str, Sequence[Component]]:
        """What may fail beside servers, by ``KIND:NAME``."""
        found: dict[str, list[Component]] = {}
        for own in self.estate.systems.values():
            for one in own.components():
                found.setdefault(f"{one.kind}:{one.name}", []).append(one)
        return found

    @property
    def undecided(self) -> Sequence[tuple[str, Source]]:
        """The servers that nothing certain is said of."""
        return [
            (f"{one.name}: {one.incomplete or 'its configuration is not loaded'}", one.source)
            for one in self.graph.servers
            if one.open_ended
        ]

    def runs(self, server: str) -> bool:
        """Whether the configuration of a server is loaded."""
        return any(one.loaded for one in self.graph.servers if one.name == server)

    def transient(self, failure: Failure, effect: FailureEffect) -> Transient | None:  # noqa: ARG002
        """None: what waits does so until the failure is over."""
        return None

    def effect(self, failure: Failure, budget: Budget) -> FailureEffect:
        """The endings of every message that may meet what fails, before and after. O(messages *
        steps of one).
        """
        after = self.estate.failed_by(failure)
        concerned = self._concerned(failure)
        outcomes: list[OutcomeMoved] = []
        lost: dict[Pair, str] = {}
        not_compared: dict[str, None] = {}
        taking = Taking()
        arrives: dict[Begin, int] = {}
        try:
            found_after = self._after(failure, concerned, budget)
        except BudgetSpent:
            found_after = None
        for begin in concerned:
            system, state = begin
            told = None if found_after is None else self._told_by_ends(begin, found_after)
            if told is None:
                was = self._traced(begin, budget) if budget.goes_on() else None
                now = None if was is None else explored(after, begin, budget)
                if was is None or now is None or budget.spent:
                    not_compared[state.server] = None
                    continue
                arrives[begin] = self._bits(_servers_taking(now))
                found = compare(was, now)
                evidence: Evidence = partial(evidence_of, now)
            else:
                found, arrives[begin], evidence = told
            if not found:
                continue
            outcomes.append(
                moved(system, state, self.estate.systems[system].address(state), found, evidence)
            )
            there = taking.of(found.gained)
            words: str | None = None
            for place in taking.of(found.lost):
                living = not (place[1] in failure.servers and failure.system in ("", place[0]))
                if living and place != (system, state.server) and place not in there:
                    words = taking.others(found.gained) if words is None else words
                    lost.setdefault((state.server, place[1]), words)
        gone: dict[Pair, str] = {}
        still_taking: dict[str, tuple[int, Sequence[Begin]]] = {}
        for pair, outcome in lost.items():
            still = self._still(pair, arrives, still_taking, budget)
            if still is None:
                not_compared[pair[0]] = None
            elif not still:
                gone[pair] = outcome
        return FailureEffect(
            SeparatedPairs.of(gone),
            not_compared=tuple(not_compared),
            outcomes=tuple(outcomes),
            before=self._at_stake(failure, budget),
        )

    def _after(self, failure: Failure, concerned: Sequence[Begin], budget: Budget) -> EndsAfter:
        """What states come to while something is out of order. Raises BudgetSpent."""
        endings = self._worked_out(budget)
        servers = failure.servers | {one.server for one in failure.components}
        servers |= {name for link in failure.links for name in link}
        asking = concerned if endings.asked(servers) else ()
        return endings.after(self.estate.failed_by(failure).systems, servers, asking, budget)

    def _told_by_ends(
        self, begin: Begin, after: EndsAfter
    ) -> tuple[OutcomeComparison, int, Evidence] | None:
        """What becomes of a message otherwise, and the servers that take it then, as bits, without
        a trace; None where its ending is not worked out with those of others."""
        endings = self._endings
        assert endings is not None
        was = endings.ends(begin)
        now = after.ends.get(endings.number[begin], was)
        if was is None or now is None:
            return None
        return (
            endings.table.compared(was, now),
            now.taking,
            partial(endings.evidence, begin, after),
        )

    def _at_stake(self, failure: Failure, budget: Budget) -> Before | None:
        """What there is to be lost: the loaded servers that live and the pairs of them of which
        the first has a message that the second takes; None where the budget ended first. The
        endings of all messages, worked out once.
        """
        try:
            own = self._own(failure, budget)
            reached = sum(map(len, self._reaches(budget).values()))
        except BudgetSpent:
            return None
        living = {one.name for one in self.graph.servers if one.loaded} - failure.servers
        return Before(len(living), reached - own, own)

    def _own(self, failure: Failure, budget: Budget) -> int:
        """The pairs of which the first has a message that the second takes, and of which one
        fails. O(servers) for each that fails. Raises BudgetSpent.
        """
        gone = failure.servers
        if not gone:
            return 0
        if len(gone) == 1:
            (only,) = gone
            return len(self._reaches(budget).get(only, ())) + self._reached_from[only]
        return sum(
            len(ends) if start in gone else len(ends & gone)
            for start, ends in self._reaches(budget).items()
        )

    @cached_property
    def _reached_from(self) -> Counter[str]:
        """How many others each server takes a message of."""
        assert self._reaching is not None
        return Counter(chain.from_iterable(self._reaching.values()))

    def _reaches(self, budget: Budget) -> Mapping[str, frozenset[str]]:
        """By server the others that take one of the messages that begin there. Raises
        BudgetSpent.
        """
        if self._reaching is None:
            endings = self._worked_out(budget)
            found: dict[str, set[str]] = {}
            taken: dict[str, int] = {}
            for begin in self._begins:
                ends = endings.ends(begin)
                if ends is None:
                    found.setdefault(begin[1].server, set()).update(self._takers(begin, budget))
                else:
                    taken[begin[1].server] = taken.get(begin[1].server, 0) | ends.taking
            for server, taking in taken.items():
                found.setdefault(server, set()).update(endings.table.taken_by(taking))
            self._reaching = {server: frozenset(ends - {server}) for server, ends in found.items()}
        return self._reaching

    def _takers(self, begin: Begin, budget: Budget) -> frozenset[str]:
        """The servers that take a message as things are; by its trace where its ending is not
        worked out with those of others. Raises BudgetSpent."""
        if begin not in self._taking:
            budget.check()
            endings = self._worked_out(budget)
            ends = endings.ends(begin)
            taking = (
                _servers_taking(self._traced(begin, budget))
                if ends is None
                else frozenset(endings.table.taken_by(ends.taking))
            )
            budget.check()
            self._taking[begin] = taking
        return self._taking[begin]

    def _worked_out(self, budget: Budget) -> SharedEndings:
        """The endings of all messages as things are. Raises BudgetSpent."""
        if self._endings is None:
            message = Message(DestinationName("queue", ""))
            endings = SharedEndings(self.estate.systems, message, self._table)
            endings.follow(self._begins, budget)
            self._endings = endings
        return self._endings

    def sweep(self, budget: Budget) -> Sweep:
        """Every single failure of a server or component, worst first. Those at servers that
        fewer ways lead over are counted first, so that as many as possible are within the
        budget."""
        single = self._single()
        waiting = sorted(single.items(), key=lambda item: self._passed(item[1][0]))
        counted = self._counted_together([failure for _, (failure, _) in waiting], budget)
        rows: list[FailureCount] = []
        left_out: list[str] = []
        for (label, (failure, source)), known in zip(waiting, counted, strict=True):
            both = known
            if both is None and not left_out:
                both = self._counted(failure, budget)
            own = None if both is None else self._own_of(failure, budget)
            if both is None or own is None:
                left_out.append(label)
                continue
            lost, changed = both
            rows.append(FailureCount(label, lost, 0, source, changed=changed, own=own))
        rows.sort(key=lambda row: row.worst_first)
        return Sweep(rows, tuple(left_out))

    def _single(self) -> Mapping[str, tuple[Failure, Source]]:
        """Every failure of one server or component, by what it is called, and its place."""
        names = Counter(one.name for one in self.graph.servers)
        single = {
            f"server:{one.name if names[one.name] == 1 else f'{one.system}:{one.name}'}": (
                Failure(servers=frozenset([one.name]), system=one.system),
                one.source,
            )
            for one in self.graph.servers
            if one.loaded
        }
        for name, components in sorted(self.components.items()):
            for one in components:
                label = name if len(components) == 1 else f"{one.kind}:{one.server}:{one.name}"
                single[label] = (
                    Failure(components=frozenset([one]), system=one.system),
                    one.source,
                )
        return single

    def _counted_together(
        self, failures: Sequence[Failure], budget: Budget
    ) -> Sequence[Counts | None]:
        """What failures do that are counted together; None of each that is not."""
        found: list[Counts | None] = []
        with suppress(BudgetSpent):
            endings = self._worked_out(budget)
            together = AllFailures(
                endings, self._begins, lambda failure: self.estate.failed_by(failure).systems
            )
            for one in together.counted(failures, budget):
                found.append(one)
        return [*found, *[None] * (len(failures) - len(found))]

    def _own_of(self, failure: Failure, budget: Budget) -> int | None:
        """See ``_own``; None where the budget ended first."""
        try:
            return self._own(failure, budget)
        except BudgetSpent:
            return None

    def _counted(self, failure: Failure, budget: Budget) -> tuple[int, int] | None:
        """How many pairs a failure separates and how many messages end otherwise; None where the
        budget ended first. What the states come to that messages share is worked out once for
        all failures, and anew where a failure may change it; a failure that concerns other
        states is compared by traces."""
        try:
            found = self._shared(failure, budget)
        except BudgetSpent:
            return None
        if found is not None:
            return found
        effect = self.effect(failure, budget) if budget.goes_on() else None
        return (
            None
            if effect is None or effect.not_compared
            else (len(effect.lost), len(effect.outcomes))
        )

    def _shared(self, failure: Failure, budget: Budget) -> tuple[int, int] | None:
        """The same without a trace; None where a message that the failure concerns takes one."""
        budget.check()
        endings = self._worked_out(budget)
        if self._left_to_traces and not self._left_to_traces.isdisjoint(self._concerned(failure)):
            return None
        servers = failure.servers | {one.server for one in failure.components}
        asking = self._concerned(failure) if endings.asked(servers) else ()
        after = endings.after(self.estate.failed_by(failure).systems, servers, asking, budget)
        separating = Separated(endings.table, failure)
        changed = 0
        lost: dict[str, int] = {}
        for number, now in after.ends.items():
            begin = self._begin_of.get(number)
            if begin is None or (
                begin[1].server in failure.servers and failure.system in ("", begin[0])
            ):
                continue
            was = endings.ends_of(number)
            if was is None or now is None:
                return None
            if not was.same(now):
                changed += 1
                gone = separating.bits(
                    was.possible & ~now.possible, now.possible & ~was.possible, begin
                )
                if gone:
                    lost[begin[1].server] = lost.get(begin[1].server, 0) | gone
        pairs = 0
        for server, separated in lost.items():
            taking = 0
            for number in self._numbers_of[server]:
                ends = after.ends[number] if number in after.ends else endings.ends_of(number)
                if ends is None:
                    return None
                taking |= ends.taking
            pairs += (separated & ~taking).bit_count()
        return pairs, changed

    @cached_property
    def _begin_of(self) -> Mapping[int, Begin]:
        assert self._endings is not None
        return {self._endings.number[begin]: begin for begin in self._begins}

    @cached_property
    def _numbers_of(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the states in which the messages of a server begin."""
        assert self._endings is not None
        number = self._endings.number
        return {server: [number[one] for one in own] for server, own in self._begins_of.items()}

    @cached_property
    def _left_to_traces(self) -> frozenset[Begin]:
        """The messages whose endings are not worked out with those of others."""
        assert self._endings is not None
        return frozenset(begin for begin in self._begins if self._endings.ends(begin) is None)

    def _passed(self, failure: Failure) -> int:
        """At how many points messages are at the servers of a failure: about how many it
        concerns.
        """
        servers = failure.servers | {one.server for one in failure.components}
        numbers = [
            self.graph.server_number[name] for name in servers if name in self.graph.server_number
        ]
        return sum(len(self.graph.points_of_server.get(number, ())) for number in numbers)

    @cached_property
    def _begins(self) -> Sequence[Begin]:
        """Where messages begin, by server and object."""
        found = [
            (name, state) for name, own in self.estate.systems.items() for state in own.entries()
        ]
        return sorted(found, key=lambda one: (one[1].server, one[1].object, one[0], one[1].data))

    def _concerned(self, failure: Failure) -> list[Begin]:
        """The messages of living servers that may meet what fails: one walk back, linear in the
        forwards.
        """
        servers = failure.servers | {one.server for one in failure.components}
        servers |= {name for ends in failure.links for name in ends}
        numbers = [n for n, one in enumerate(self.graph.servers) if one.name in servers]
        targets = [point for number in numbers for point in self.graph.points_of_server[number]]
        walk = self.walker.walk_back(targets, Closed())
        places = sorted(
            {place for number in walk.points.tolist() for place in self._begins_at.get(number, ())}
        )
        return [
            (system, state)
            for system, state in map(self._begins.__getitem__, places)
            if not (state.server in failure.servers and failure.system in ("", system))
        ]

    @cached_property
    def _begins_at(self) -> Mapping[int, Sequence[int]]:
        """By point, which of the messages begin there."""
        number_of = {
            (one.system, one.name): number for number, one in enumerate(self.graph.servers)
        }
        places: dict[tuple[int, str], list[int]] = {}
        for place, (system, state) in enumerate(self._begins):
            places.setdefault((number_of.get((system, state.server), -1), state.data), []).append(
                place
            )
        return {
            number: found
            for number, at in enumerate(
                zip(self.graph.servers_of_points, self.graph.columns.state.texts(), strict=True)
            )
            if (found := places.get(at))
        }

    @cached_property
    def _begins_of(self) -> Mapping[str, Sequence[Begin]]:
        """The messages that begin at a server."""
        return {
            server: tuple(own)
            for server, own in groupby(self._begins, key=lambda one: one[1].server)
        }

    def _traced(self, begin: Begin, budget: Budget) -> Trace:
        """The trace of a message as things are; kept if it is whole."""
        if begin in self._before:
            return self._before[begin]
        found = explored(self.estate, begin, budget)
        if not budget.spent:
            self._before[begin] = found
        return found

    def _still(
        self,
        pair: Pair,
        after: Mapping[Begin, int],
        still: dict[str, tuple[int, Sequence[Begin]]],
        budget: Budget,
    ) -> bool | None:
        """Whether another message from the first server still gets to the second one, None where
        the budget ended first; ``after`` are the servers that take those which the failure
        concerns. ``still`` has by server what is worked out once for all pairs: the servers that
        take its messages, as far as that is known without a trace, and the other messages."""
        server, other = pair
        if not budget.goes_on():
            return None
        if server not in still:
            still[server] = self._known_to_take(server, after)
        known, left = still[server]
        if known & self._bits([other]):
            return True
        for begin in left:
            try:
                taking = self._takers(begin, budget)
            except BudgetSpent:
                return None
            if other in taking:
                return True
        return False

    def _known_to_take(
        self, server: str, after: Mapping[Begin, int]
    ) -> tuple[int, Sequence[Begin]]:
        found, left = 0, []
        for begin in self._begins_of[server]:
            ends = None if self._endings is None else self._endings.ends(begin)
            if begin in after:
                found |= after[begin]
            elif ends is None:
                left.append(begin)
            else:
                found |= ends.taking
        return found, left

    def _bits(self, servers: Iterable[str]) -> int:
        """Servers that take messages, as bits."""
        found = 0
        for server in servers:
            found |= self._table.take(server)
        return found


def _servers_taking(trace: Trace) -> frozenset[str]:
    return frozenset(ending.text("server") for ending in _endings(trace) if ending.outcome in TAKEN)


def explored(
    estate: FollowedEstate,
    begin: Begin,
    budget: Budget,
    *,
    stations: bool = False,
    within: Callable[[str, State], bool] | None = None,
) -> Trace:
    """The trace of a message that begins in a state and says nothing more; its steps have stations
    where they are asked for, and states that are not ``within`` are left out."""
    system, state = begin
    return explore(
        estate.systems,
        system,
        state,
        Message(DestinationName("queue", state.object)),
        seams=estate.seams,
        budget=budget,
        stations=stations,
        within=within,
    )


def _endings(trace: Trace) -> Iterator[Ending]:
    return (branch.ending for branch in trace.endings() if branch.ending is not None)


def moved(
    system: str, state: State, address: str, found: OutcomeComparison, evidence: Evidence
) -> OutcomeMoved:
    """One message whose endings differ, with the evidence of the first ending that is new."""
    before, after = found.lost + found.weaker, found.gained + found.stronger
    return OutcomeMoved(
        state.server,
        address,
        system,
        tuple(dict.fromkeys(map(_told, before))),
        tuple(dict.fromkeys(map(_told, after))),
        *evidence({one.outcome for one in after}),
        waits_at=found.waits_at,
    )


def _told(one: EndingAt) -> str:
    return f"{one.outcome} at {one.server}" if one.server else one.outcome
