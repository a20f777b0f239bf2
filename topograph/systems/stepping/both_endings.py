"""What becomes of messages in two configurations, of many that share their ways: endings and causes
are worked out once for each state, in place of two traces for each message (``tracing.endings``).

Where the endings of a message are the same in both, and only the way differs, it is traced as far
as that matters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import or_

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.message import DestinationName, Message
from topograph.systems.stepping.causes import Causes
from topograph.systems.stepping.failures import Evidence
from topograph.systems.stepping.messages import Begin, FollowedEstate, explored
from topograph.tracing.comparison import (
    OutcomeComparison,
    WayComparison,
    passed,
    ways_compared,
)
from topograph.tracing.ending_table import EndingTable, Ends
from topograph.tracing.endings import SharedEndings
from topograph.tracing.endings_compared import (
    Behind,
    Marked,
    Marks,
    Through,
    Touched,
    behind,
    has_later,
    marks,
    through_differing,
)
from topograph.tracing.states import State, its_queue
from topograph.tracing.ways_apart import Passed, WaysApart, ways_apart

Both = tuple[Begin, Begin]
"""Where a message begins before and after."""


class LeftToTraces(Exception):
    """What is asked of a message is not worked out with that of others."""


@dataclass
class BothEndings:
    """The endings of messages in two configurations: of those that were followed. States step alike
    at servers that are not ``touched``, where these are known; states to ``leave_out`` come to
    nothing that differs (``told_apart``)."""

    sides: tuple[FollowedEstate, FollowedEstate]
    causes: Causes
    budget: Budget
    touched: Touched | None = None
    leave_out: Callable[[Begin], bool] | None = None

    def __post_init__(self) -> None:
        table, lines = EndingTable(), frozenset().union(*self.causes.lines)
        message = Message(DestinationName("queue", ""))
        self.table = table
        self.endings = tuple(
            SharedEndings(side.systems, message, table, lines, self.leave_out)
            for side in self.sides
        )

    def follow(self, messages: Iterable[Both]) -> None:
        """Follow more messages on both sides. Linear in the states of all. Raises BudgetSpent."""
        each = list(messages)
        known = [len(endings.states) for endings in self.endings]
        for side, endings in enumerate(self.endings):
            endings.follow((both[side] for both in each), self.budget)
        if known == [len(endings.states) for endings in self.endings]:
            return
        for worked_out in ("_behind", "_through", "_marks", "waits", "_ways_apart"):
            self.__dict__.pop(worked_out, None)

    def ends(self, both: Both) -> tuple[Ends, Ends]:
        """What a message comes to before and after. Raises LeftToTraces."""
        found = [
            endings.ends(begin) if endings.reading.is_loaded(begin) else None
            for endings, begin in zip(self.endings, both, strict=True)
        ]
        if found[0] is None or found[1] is None:
            raise LeftToTraces
        return found[0], found[1]

    def compared(self, both: Both) -> tuple[OutcomeComparison, Evidence]:
        """What a message comes to otherwise, as it is told, and the evidence. Raises
        LeftToTraces."""
        found = self.table.compared_as_told(*self.ends(both))
        return found, partial(self.endings[1].evidence, both[1], None)

    def ways(self, both: Both) -> WayComparison | None:
        """What a message passes otherwise on the way to the same endings
        (``comparison.ways_compared``): it is traced as far as it leads to endings that it gets to
        over a state which steps otherwise. Raises LeftToTraces."""
        ends = self.ends(both)
        numbers = self._numbers(both)
        if not all(self._is_exact(side, number) for side, number in enumerate(numbers)):
            return None
        shared = ends[0].possible & ends[1].possible
        if both[0] == both[1] and self._passes_states_alone(both[0][0]):
            through = zip(self._through, numbers, strict=True)
            shared &= reduce(or_, (one.all.get(number, 0) for one, number in through))
        if not shared:
            return None
        if not self.waits and self._passes_states_alone(both[0][0]):
            if both[0] == both[1] and self._ways_apart.tells:
                return self._ways_apart.told(both[0], shared)
            return ways_apart(self.endings, both, shared, partial(self._passed, both))
        traces = [
            explored(estate, begin, self.budget, within=partial(self._leads, side, shared))
            for side, (estate, begin) in enumerate(zip(self.sides, both, strict=True))
        ]
        self.budget.check()
        return ways_compared(
            traces[0],
            traces[1],
            (self.sides[0].systems, self.sides[1].systems),
            lambda ending: self.table.holds(ending, shared),
        )

    def _passed(self, both: Both, side: int, within: Callable[[str, State], bool]) -> Passed:
        return self._passed_from(side, both[side], within)

    def _passed_from(self, side: int, begin: Begin, within: Callable[[str, State], bool]) -> Passed:
        """What a message passes on a side within some states. Raises BudgetSpent."""

        def is_followed(system: str, state: State) -> bool:
            at = system, state
            left_out = (
                self.leave_out is not None
                and at not in self.endings[side].number
                and self.leave_out(at)
            )
            return not left_out and within(system, state)

        trace = explored(self.sides[side], begin, self.budget, within=is_followed)
        self.budget.check()
        return passed(trace, self.sides[side].systems)

    def cause(self, both: Both) -> Source:
        """The line behind what a message does otherwise (``Causes.of``). Raises LeftToTraces."""
        self.ends(both)
        numbers = self._numbers(both)
        if any(one.more[number] for number, one in zip(numbers, self._behind, strict=True)):
            raise LeftToTraces
        for side, other in ((1, 0), (0, 1)):
            new = self._marks[side].on_lines.get(numbers[side], 0)
            new &= ~self._marks[other].has.get(numbers[other], 0)
            if new:
                return self._first(side, numbers[side], new, on_line=True).told.source
        if not any(one.at_servers for one in self._marks):
            raise LeftToTraces
        at_servers = [one.at_servers.get(numbers[side], 0) for side, one in enumerate(self._marks)]
        new = at_servers[1] & ~self._marks[0].has.get(numbers[0], 0)
        gone = at_servers[0] & ~self._marks[1].has.get(numbers[1], 0)
        for side, wanted in ((1, new), (0, gone), (1, at_servers[1]), (0, at_servers[0])):
            if wanted:
                system, server, name, _ = self._first(side, numbers[side], wanted).told.content
                return self.causes.about(system, server, name)
        return self.causes.otherwise

    def _numbers(self, both: Both) -> tuple[int, int]:
        return self.endings[0].number[both[0]], self.endings[1].number[both[1]]

    def _leads(self, side: int, wanted: int, system: str, state: State) -> bool:
        """Whether a state leads to one of some endings, or holds the message for them; a message
        that leaves what is loaded ends."""
        endings = self.endings[side]
        if (system, state) not in endings.number:
            return True
        ends = endings.ends((system, state))
        return ends is None or ends.held or bool(ends.possible & wanted)

    def _first(self, side: int, number: int, wanted: int, *, on_line: bool = False) -> Marked:
        """The first step, in the order of a trace, that says something of ``wanted`` and stands on
        a line of the change, else at a server of it. Linear in the states that lead to one."""
        endings, found = self.endings[side], self._marks[side]
        leads = found.on_lines if on_line else found.at_servers
        waiting, seen = deque([number]), {number}
        while waiting:
            now = waiting.popleft()
            for one in found.steps.get(now, ()):
                if one.bit & wanted and (one.on_line if on_line else one.at_server):
                    return one
            for to in endings.onward(now):
                if to not in seen and leads.get(to, 0) & wanted:
                    seen.add(to)
                    waiting.append(to)
        raise LeftToTraces

    def _is_exact(self, side: int, number: int) -> bool:
        """Whether the trace of a message is whole (``Trace.exact``)."""
        there = self._behind[side]
        if there.more[number]:
            raise LeftToTraces
        every = (1 << len(self._servers[side])) - 1
        return not there.doubt[number] or there.visited[number] != every

    def _passes_states_alone(self, system: str) -> bool:
        """Whether equal states are passed in equal words, however a message goes on."""
        return all(side.systems[system].passes is its_queue for side in self.sides)

    @cached_property
    def _servers(self) -> Sequence[Mapping[tuple[str, str], int]]:
        """The servers of both sides, by number."""
        return [
            {
                one: number
                for number, one in enumerate(
                    dict.fromkeys(
                        (name, server.name)
                        for name, own in side.systems.items()
                        for server in own.servers
                    )
                )
            }
            for side in self.sides
        ]

    @cached_property
    def _behind(self) -> Sequence[Behind]:
        return [
            behind(endings, servers)
            for endings, servers in zip(self.endings, self._servers, strict=True)
        ]

    @cached_property
    def waits(self) -> bool:
        """Whether any way is taken later."""
        return any(map(has_later, self.endings))

    @cached_property
    def _through(self) -> Sequence[Through]:
        first, second = self.endings
        return [
            through_differing(first, second, self.touched),
            through_differing(second, first, self.touched),
        ]

    @cached_property
    def _ways_apart(self) -> WaysApart:
        return WaysApart(self.endings, self._through, self._passed_from)

    @cached_property
    def _marks(self) -> Sequence[Marks]:
        return marks(self.endings, self.causes.lines, self.causes.servers)
