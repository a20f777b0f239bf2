"""What failures do to the systems of a network whose messages go step by step
(``contract.system.Failures``): the endings of messages before and after, by tracing each message
that may meet what fails.

A message is one put to a configured destination at its own server, without a way of its own. Of
those, the ones that may get to a server concerned are found by one walk back over the graph; all
others end as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
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
from topograph.systems.stepping.keeping import Keeping
from topograph.systems.stepping.messages import (
    Begin,
    FollowedEstate,
    Messages,
    explored,
    servers_taking,
)
from topograph.systems.stepping.takers import Separated, Taking
from topograph.tracing.comparison import OutcomeComparison, compare
from topograph.tracing.comparison import evidence as evidence_of
from topograph.tracing.endings import EndsAfter
from topograph.tracing.states import Component, State

Evidence = Callable[[Collection[str]], tuple[str, Source]]
"""The rule and place of the step to the first ending with one of some outcomes."""

Pair = tuple[str, str]
"""Two servers, by what they are called in the network."""


@dataclass
class SteppingFailures:
    """Failures of one network. Each message is traced once as things are, whatever fails, and
    once more for each failure that it may meet.
    """

    estate: FollowedEstate
    graph: ForwardingGraph
    walker: Walker
    keeping: Keeping | None = None
    containers: Mapping[str, ContainerUse] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._messages = Messages(self.estate, self.keeping)

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
        outcomes: list[OutcomeMoved] = []
        lost: dict[Pair, str] = {}
        not_compared: dict[str, None] = {}
        taking = Taking()
        arrives: dict[int, int] = {}
        try:
            found_after = self._after(failure, budget)
        except BudgetSpent:
            found_after = None
        for place in self._moved_by(failure, found_after):
            begin = system, state = self._messages.begin(place)
            told = None if found_after is None else self._told_by_ends(place, found_after)
            if told is None:
                was = self._messages.traced(begin, budget) if budget.goes_on() else None
                now = None if was is None else explored(after, begin, budget)
                if was is None or now is None or budget.spent:
                    not_compared[state.server] = None
                    continue
                arrives[place] = self._messages.bits(servers_taking(now))
                found = compare(was, now)
                evidence: Evidence = partial(evidence_of, now)
            else:
                found, arrives[place], evidence = told
            if not found:
                continue
            address = self.estate.systems[system].address(state)
            outcomes.append(moved(system, state, address, found, evidence, taking))
            there = taking.of(found.gained)
            words: str | None = None
            for taker in taking.of(found.lost):
                living = not (taker[1] in failure.servers and failure.system in ("", taker[0]))
                if living and taker != (system, state.server) and taker not in there:
                    words = taking.others(found.gained) if words is None else words
                    lost.setdefault((state.server, taker[1]), words)
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

    def _after(self, failure: Failure, budget: Budget) -> EndsAfter:
        """What states come to while something is out of order. Raises BudgetSpent."""
        endings = self._messages.endings(budget)
        servers = failure.servers | {one.server for one in failure.components}
        servers |= {name for link in failure.links for name in link}
        asking: Sequence[Begin] = ()
        if endings.asked(servers):
            asking = [self._messages.begin(place) for place in self._concerned(failure)]
        some = (
            self._messages.concerned.by(failure) if self._messages.concerned is not None else None
        )
        systems = self.estate.failed_by(failure).systems
        return endings.after(systems, servers, asking, budget, some)

    def _moved_by(self, failure: Failure, after: EndsAfter | None) -> Sequence[int]:
        """The messages, by place, that may end otherwise while something is out of order."""
        if after is None or self._messages.left_to_traces:
            return self._concerned(failure)
        endings = self._messages.known
        assert endings is not None
        return [
            place
            for place, number in enumerate(self._messages.numbers)
            if number in after.ends and not _fails(failure, *endings.place_of(number))
        ]

    def _told_by_ends(
        self, place: int, after: EndsAfter
    ) -> tuple[OutcomeComparison, int, Evidence] | None:
        """What becomes of a message otherwise, and the servers that take it then, as bits, without
        a trace; None where its ending is not worked out with those of others."""
        endings = self._messages.known
        assert endings is not None
        number = self._messages.numbers[place]
        was = None if place in self._messages.left_to_traces else endings.ends_of(number)
        now = after.ends.get(number, was)
        if was is None or now is None:
            return None
        return (
            endings.table.compared(was, now),
            now.taking,
            partial(endings.evidence_of, number, after),
        )

    def _at_stake(self, failure: Failure, budget: Budget) -> Before | None:
        """What there is to be lost: the loaded servers that live and the pairs of them of which
        the first has a message that the second takes; None where the budget ended first. The
        endings of all messages, worked out once.
        """
        try:
            own = self._own(failure, budget)
            reached = sum(map(len, self._messages.reaches(budget).values()))
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
            return (
                len(self._messages.reaches(budget).get(only, ()))
                + self._messages.reached_from[only]
            )
        return sum(
            len(ends) if start in gone else len(ends & gone)
            for start, ends in self._messages.reaches(budget).items()
        )

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
            endings = self._messages.endings(budget)
            if self._messages.left_to_traces:
                return [None] * len(failures)
            together = AllFailures(
                endings,
                self._messages.numbers_of,
                lambda failure: self.estate.failed_by(failure).systems,
                self._messages.concerned,
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
        endings = self._messages.endings(budget)
        if self._messages.left_to_traces and not self._messages.left_to_traces.isdisjoint(
            self._concerned(failure)
        ):
            return None
        after = self._after(failure, budget)
        separating = Separated(endings.table, failure)
        changed = 0
        lost: dict[str, int] = {}
        for number, now in after.ends.items():
            begin = (
                self._messages.begin(self._messages.place_of[number])
                if number in self._messages.place_of
                else None
            )
            if begin is None or _fails(failure, begin[0], begin[1].server):
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
            for number in self._messages.numbers_of[server]:
                ends = after.ends[number] if number in after.ends else endings.ends_of(number)
                if ends is None:
                    return None
                taking |= ends.taking
            pairs += (separated & ~taking).bit_count()
        return pairs, changed

    def _passed(self, failure: Failure) -> int:
        """At how many points messages are at the servers of a failure: about how many it
        concerns.
        """
        servers = failure.servers | {one.server for one in failure.components}
        numbers = [
            self.graph.server_number[name] for name in servers if name in self.graph.server_number
        ]
        return sum(len(self.graph.points_of_server.get(number, ())) for number in numbers)

    def _concerned(self, failure: Failure) -> Sequence[int]:
        """The messages of living servers that may meet what fails, by place: one walk back, linear
        in the forwards.
        """
        servers = failure.servers | {one.server for one in failure.components}
        servers |= {name for ends in failure.links for name in ends}
        numbers = [n for n, one in enumerate(self.graph.servers) if one.name in servers]
        targets = [point for number in numbers for point in self.graph.points_of_server[number]]
        walk = self.walker.walk_back(targets, Closed())
        places = {
            place for number in walk.points.tolist() for place in self._begins_at.get(number, ())
        }
        places |= self._not_of_the_graph
        begins = self._messages.begins
        return sorted(
            one for one in places if not _fails(failure, begins[one][0], begins[one][1].server)
        )

    @cached_property
    def _not_of_the_graph(self) -> frozenset[int]:
        """The messages of systems whose graph has none of them (``Stepping.sent``): each may meet
        what fails."""
        systems = self.estate.systems
        begins = self._messages.begins
        return frozenset(
            place for place, (name, _) in enumerate(begins) if systems[name].sent is not None
        )

    @cached_property
    def _begins_at(self) -> Mapping[int, Sequence[int]]:
        """By point, which of the messages begin there."""
        number_of = {
            (one.system, one.name): number for number, one in enumerate(self.graph.servers)
        }
        places: dict[tuple[int, str], list[int]] = {}
        for place, (system, state) in enumerate(self._messages.begins):
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

    def _still(
        self,
        pair: Pair,
        after: Mapping[int, int],
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
        if known & self._messages.table.take(other):
            return True
        for begin in left:
            try:
                taking = self._messages.takers(begin, budget)
            except BudgetSpent:
                return None
            if other in taking:
                return True
        return False

    def _known_to_take(self, server: str, after: Mapping[int, int]) -> tuple[int, Sequence[Begin]]:
        found, left = 0, []
        for place in self._messages.places_of[server]:
            if place in after:
                found |= after[place]
            elif self._messages.known is None or place in self._messages.left_to_traces:
                left.append(self._messages.begin(place))
            else:
                found |= self._messages.known.taking_of(self._messages.numbers[place])
        return found, left


def _fails(failure: Failure, system: str, server: str) -> bool:
    """Whether a server is one of those that fail."""
    return server in failure.servers and failure.system in ("", system)


def moved(
    system: str,
    state: State,
    address: str,
    found: OutcomeComparison,
    evidence: Evidence,
    taking: Taking | None = None,
) -> OutcomeMoved:
    """One message whose endings differ, with the evidence of the first ending that is new;
    ``taking`` has the words of endings that many messages come to."""
    words = taking or Taking()
    return OutcomeMoved(
        state.server,
        address,
        system,
        words.told(found.lost, found.weaker),
        words.told(found.gained, found.stronger),
        *evidence({one.outcome for one in (*found.gained, *found.stronger)}),
        waits_at=found.waits_at,
    )
