"""Every single failure of servers and components, counted together where all that a failure does is
that messages stay where they are (``tracing.cut_off``).

So it is where a queue manager waits until another one is there again. A failure that sends messages
another way, or of which that is not known, is left to whoever counts failures one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from topograph.forwarding.budget import Budget
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.asked import Concerned
from topograph.tracing.cut_off import CutOff, Sender
from topograph.tracing.ending_nodes import Node, Ways
from topograph.tracing.endings import SharedEndings
from topograph.tracing.states import Systems
from topograph.tracing.trace import Kind

TOGETHER = 1_024
"""Failures that are counted together: of more, the first ones stand where the budget ends."""

MOST_BESIDE = 4_096
"""States that messages of one ending get to which are told from others."""

Counts = tuple[int, int]
"""The pairs that a failure separates, and the messages that end otherwise."""


@dataclass
class AllFailures:
    """Failures of a network whose messages begin, by server, in some states (``begins``) and end as
    ``endings`` says; ``without`` gives its systems while something is out of order. ``concerned``
    are the states that a failure may concern, where that is known."""

    endings: SharedEndings
    begins: Mapping[str, Sequence[int]]
    without: Callable[[Failure], Systems]
    concerned: Concerned | None

    def __post_init__(self) -> None:
        self._known = len(self.endings.table.endings)
        self._takers = tuple(self.endings.table.servers)
        self._beside: dict[int, Collection[int]] = {}

    def counted(self, failures: Sequence[Failure], budget: Budget) -> Iterable[Counts | None]:
        """What each failure does, by turns; None of one that is left. Raises BudgetSpent where the
        rest was not looked at."""
        for start in range(0, len(failures), TOGETHER):
            part = failures[start : start + TOGETHER]
            broken = [self._broken(one, budget) if self._waits else None for one in part]
            yield from self._together(part, broken, budget)

    def _together(
        self,
        failures: Sequence[Failure],
        broken: Sequence[Collection[int] | None],
        budget: Budget,
    ) -> Iterable[Counts | None]:
        some = [place for place, states in enumerate(broken) if states is not None]
        by_state: dict[int, int] = {}
        gone: dict[str, int] = {}
        for bit, place in enumerate(some):
            for state in broken[place] or ():
                by_state[state] = by_state.get(state, 0) | 1 << bit
            for server in failures[place].servers:
                gone[server] = gone.get(server, 0) | 1 << bit
        if not some:
            return [None] * len(failures)
        takers = [gone.get(server, 0) for server in self._takers]
        counting = CutOff(self._ways, len(some), by_state, takers)
        places = {server: place for place, server in enumerate(self._takers)}
        senders = (
            Sender(begins, places.get(server, -1), gone.get(server, 0))
            for server, begins in self.begins.items()
        )
        counting.count(senders, budget.check)
        each = iter(zip(counting.pairs, counting.messages, strict=True))
        return [None if states is None else next(each) for states in broken]

    @cached_property
    def _waits(self) -> bool:
        """Whether the endings of all messages are those behind each way that they take: none is
        left to a trace, or comes later, and no server asks others for more than a step shows."""
        endings = self.endings
        places = {endings.place_of(number) for number in range(len(endings.states))}
        return (
            endings.all_now
            and not any(own.asks_on for own in endings.systems.values())
            and len(places) == len({server for _, server in places})
        )

    @cached_property
    def _ways(self) -> Ways:
        return self.endings.ways()

    def _broken(self, failure: Failure, budget: Budget) -> Collection[int] | None:
        """The states in which messages stay while something is out of order; None where that is not
        all that it does. Raises BudgetSpent."""
        endings = self.endings
        servers = failure.servers | {one.server for one in failure.components}
        found: dict[int, Node | None]
        if self.concerned is None:
            found = {**endings.anew(self.without(failure), servers, (), budget)}
            if endings.asked(servers):
                return None
        else:
            asking = self.concerned.by(failure)
            found = self._of_each_kind(
                failure,
                [one for one in asking if endings.place_of(one)[1] not in failure.servers],
                budget,
            )
            decided: set[int] | None = None
            for number, node in found.items():
                if node == endings.nodes[number] or self._is_next(number, servers):
                    continue
                decided = endings.deciding(servers) if decided is None else decided
                if number not in decided:
                    return None
        broken = []
        for number, node in found.items():
            if endings.place_of(number)[1] in failure.servers:
                continue
            if node != endings.nodes[number]:
                if node is None or not _stays(node) or not self._is_new(number, node):
                    return None
                broken.append(number)
        return broken if self._is_left(failure.servers, set(broken)) else None

    def _is_new(self, number: int, node: Node) -> bool:
        """Whether messages stay in a state with an ending that none has which gets there."""
        every = (one.ends.possible.bit_length() - 1 for one in node.onward)
        return any(one >= self._known or number not in self._with(one) for one in every if one >= 0)

    def _with(self, ending: int) -> Collection[int]:
        """The states that messages with an ending get to, by its number; all if there are many."""
        if ending not in self._beside:
            found = self.endings.leading_to(self._ending_in.get(ending, ()))
            waiting = list(found)
            while waiting and len(found) < MOST_BESIDE:
                for to in self.endings.onward(waiting.pop()):
                    if to not in found:
                        found.add(to)
                        waiting.append(to)
            self._beside[ending] = range(len(self.endings.states)) if waiting else found
        return self._beside[ending]

    @cached_property
    def _ending_in(self) -> Mapping[int, Sequence[int]]:
        return self.endings.ending_in()

    def _is_left(self, servers: Collection[str], broken: Collection[int]) -> bool:
        """Whether no message gets to servers that fail but from there."""
        return all(
            before in broken or self.endings.place_of(before)[1] in servers
            for server in servers
            for number in self.endings.at_server(server)
            for before in self.endings.before(number)
        )

    def _is_next(self, number: int, servers: Collection[str]) -> bool:
        """Whether a state is at one of the servers, or leads there."""
        near = (number, *self.endings.onward(number))
        return any(self.endings.place_of(one)[1] in servers for one in near)

    def _of_each_kind(
        self, failure: Failure, asking: Collection[int], budget: Budget
    ) -> dict[int, Node | None]:
        """What some states step to while something is out of order: one of those that wait alike
        for all of them, where it waits. Raises BudgetSpent."""
        endings, systems = self.endings, self.without(failure)
        kinds: dict[Hashable, list[int]] = {}
        for number in asking:
            system, state = endings.states[number]
            own = endings.systems[system].asking
            alike = None if own is None else own.waiting_alike(state)
            kinds.setdefault(number if alike is None else (system, alike), []).append(number)
        firsts = endings.stepped(systems, (numbers[0] for numbers in kinds.values()), budget)
        found: dict[int, Node | None] = {}
        for numbers in kinds.values():
            first = firsts.get(numbers[0])
            if first is not None and _stays(first):
                found |= dict.fromkeys(numbers, first)
            else:
                found |= endings.stepped(systems, numbers, budget)
        return found


def _stays(node: Node) -> bool:
    """Whether messages end in a state at once, and are not taken there."""
    return all(
        one.to < 0 and one.kind is not Kind.LATER and not one.ends.taking for one in node.onward
    )
