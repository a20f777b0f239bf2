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
from itertools import chain
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
from topograph.systems.stepping.asked import Concerned, what_is_asked
from topograph.systems.stepping.keeping import Keeping
from topograph.systems.stepping.takers import Separated, Taking
from topograph.tracing.comparison import OutcomeComparison, compare
from topograph.tracing.comparison import evidence as evidence_of
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.endings import EndsAfter, SharedEndings
from topograph.tracing.exploration import explore
from topograph.tracing.kept_endings import Asked, KeptEndings, tables_of
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import Component, Seam, State, Systems
from topograph.tracing.trace import Ending, Trace

Begin = tuple[str, State]
"""Where a message begins: its system, and the state."""

Evidence = Callable[[Collection[str]], tuple[str, Source]]
"""The rule and place of the step to the first ending with one of some outcomes."""

KEPT = "endings"
"""What is kept of a network, by name: how its messages end."""

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
    keeping: Keeping | None = None
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
            begin = system, state = self._begin(place)
            told = None if found_after is None else self._told_by_ends(place, found_after)
            if told is None:
                was = self._traced(begin, budget) if budget.goes_on() else None
                now = None if was is None else explored(after, begin, budget)
                if was is None or now is None or budget.spent:
                    not_compared[state.server] = None
                    continue
                arrives[place] = self._bits(_servers_taking(now))
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
        endings = self._worked_out(budget)
        servers = failure.servers | {one.server for one in failure.components}
        servers |= {name for link in failure.links for name in link}
        asking: Sequence[Begin] = ()
        if endings.asked(servers):
            asking = [self._begin(place) for place in self._concerned(failure)]
        some = self._may_concern.by(failure) if self._may_concern is not None else None
        systems = self.estate.failed_by(failure).systems
        return endings.after(systems, servers, asking, budget, some)

    def _moved_by(self, failure: Failure, after: EndsAfter | None) -> Sequence[int]:
        """The messages, by place, that may end otherwise while something is out of order."""
        if after is None or self._left_to_traces:
            return self._concerned(failure)
        endings = self._endings
        assert endings is not None
        return [
            place
            for place, number in enumerate(self._numbers)
            if number in after.ends and not _fails(failure, *endings.place_of(number))
        ]

    def _told_by_ends(
        self, place: int, after: EndsAfter
    ) -> tuple[OutcomeComparison, int, Evidence] | None:
        """What becomes of a message otherwise, and the servers that take it then, as bits, without
        a trace; None where its ending is not worked out with those of others."""
        endings = self._endings
        assert endings is not None
        number = self._numbers[place]
        was = None if place in self._left_to_traces else endings.ends_of(number)
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
            for place, number in enumerate(self._numbers):
                server = endings.place_of(number)[1]
                if place in self._left_to_traces:
                    found.setdefault(server, set()).update(
                        self._takers(self._begin(place), budget)
                    )
                else:
                    taken[server] = taken.get(server, 0) | endings.taking_of(number)
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
        """The endings of all messages as things are, kept where that can be. Raises
        BudgetSpent."""
        if self._endings is None:
            message = Message(DestinationName("queue", ""))
            systems = self.estate.systems
            tables = None if self.keeping is None else self.keeping.find(KEPT)
            if tables is not None:
                self._endings = KeptEndings(systems, message, tables)
                self._table = self._endings.table
                return self._endings
            endings = SharedEndings(systems, message, self._table)
            endings.follow(self._begins, budget)
            self._endings = endings
            asked = None if self.keeping is None else self._what_is_asked
            if self.keeping is not None and asked is not None:
                kept = tables_of(endings, self._begins, asked)
                if kept is not None:
                    self.keeping.keep(KEPT, kept)
        return self._endings

    @cached_property
    def _what_is_asked(self) -> Asked | None:
        assert self._endings is not None
        return what_is_asked(self._endings)

    @property
    def _may_concern(self) -> Concerned | None:
        """The states that failures may concern, where that is known."""
        assert self._endings is not None
        asked = self._what_is_asked
        return None if asked is None else Concerned(self._endings, asked)

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
            if self._left_to_traces:
                return [None] * len(failures)
            together = AllFailures(
                endings,
                self._numbers_of,
                lambda failure: self.estate.failed_by(failure).systems,
                self._may_concern,
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
        after = self._after(failure, budget)
        separating = Separated(endings.table, failure)
        changed = 0
        lost: dict[str, int] = {}
        for number, now in after.ends.items():
            begin = self._begin(self._place_of[number]) if number in self._place_of else None
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
            for number in self._numbers_of[server]:
                ends = after.ends[number] if number in after.ends else endings.ends_of(number)
                if ends is None:
                    return None
                taking |= ends.taking
            pairs += (separated & ~taking).bit_count()
        return pairs, changed

    @cached_property
    def _numbers(self) -> Sequence[int]:
        """The numbers of the states in which messages begin."""
        assert self._endings is not None
        if isinstance(self._endings, KeptEndings):
            return self._endings.begins
        return [self._endings.number[begin] for begin in self._begins]

    def _begin(self, place: int) -> Begin:
        """Where a message begins, by its place among all."""
        if isinstance(self._endings, KeptEndings):
            return self._endings.states[self._endings.begins[place]]
        return self._begins[place]

    @cached_property
    def _place_of(self) -> Mapping[int, int]:
        return {number: place for place, number in enumerate(self._numbers)}

    @cached_property
    def _numbers_of(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the states in which the messages of a server begin."""
        return {
            server: list(dict.fromkeys(self._numbers[place] for place in places))
            for server, places in self._places_of.items()
        }

    @cached_property
    def _left_to_traces(self) -> frozenset[int]:
        """The messages, by place, whose endings are not worked out with those of others."""
        if self._endings is None or isinstance(self._endings, KeptEndings):
            return frozenset()
        ends = self._endings.ends
        return frozenset(
            place for place, begin in enumerate(self._begins) if ends(begin) is None
        )

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
        if isinstance(self._endings, KeptEndings):
            return [self._begin(place) for place in range(len(self._endings.begins))]
        found = [
            (name, state) for name, own in self.estate.systems.items() for state in own.entries()
        ]
        return sorted(found, key=lambda one: (one[1].server, one[1].object, one[0], one[1].data))

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
        begins = self._begins
        return sorted(
            one for one in places if not _fails(failure, begins[one][0], begins[one][1].server)
        )

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
    def _places_of(self) -> Mapping[str, Sequence[int]]:
        """The messages that begin at a server, by place."""
        found: dict[str, list[int]] = {}
        if isinstance(self._endings, KeptEndings):
            servers = [self._endings.place_of(number)[1] for number in self._endings.begins]
        else:
            servers = [state.server for _, state in self._begins]
        for place, server in enumerate(servers):
            found.setdefault(server, []).append(place)
        return found

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
        self, server: str, after: Mapping[int, int]
    ) -> tuple[int, Sequence[Begin]]:
        found, left = 0, []
        for place in self._places_of[server]:
            if place in after:
                found |= after[place]
            elif self._endings is None or place in self._left_to_traces:
                left.append(self._begin(place))
            else:
                found |= self._endings.taking_of(self._numbers[place])
        return found, left

    def _bits(self, servers: Iterable[str]) -> int:
        """Servers that take messages, as bits."""
        found = 0
        for server in servers:
            found |= self._table.take(server)
        return found


def _fails(failure: Failure, system: str, server: str) -> bool:
    """Whether a server is one of those that fail."""
    return server in failure.servers and failure.system in ("", system)


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
