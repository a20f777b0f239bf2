"""How messages end, of many that share their ways: what each state comes to, worked out once, in
place of a trace for each message.

A state's endings are those of the states that its ways lead to. That holds where no message comes
back to where it was, is handed over to another system, or meets a server that drops what it had:
such states, and all that lead to one, are left to traces (``None`` here).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from heapq import heapify, heappop, heappush
from operator import or_

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.records import record
from topograph.tracing.ending_nodes import At, Line, Node, Reading, Ways, joined, waits
from topograph.tracing.ending_table import EndingTable, Ends
from topograph.tracing.states import Systems
from topograph.tracing.trace import NOWHERE, Kind


@record
class EndsAfter:
    """What states come to where systems stand in place of those before (``SharedEndings.after``),
    by number: those alone that come to something else, and the ways of those that may have others.
    """

    ends: Mapping[int, Ends | None]
    nodes: Mapping[int, Node | None]


@dataclass
class SharedEndings:
    """The endings of all messages that begin in some states. ``message`` is what is known of
    each; a guard is evaluated once. ``lines`` are looked for among the sources of steps
    (``Node.on_lines``). States to ``leave_out`` are not followed: messages end there in none of the
    endings that are asked for.
    """

    systems: Systems
    message: Message
    table: EndingTable = field(default_factory=EndingTable)
    lines: Collection[Line] = frozenset()
    leave_out: Callable[[At], bool] | None = None
    number: dict[At, int] = field(default_factory=dict)
    states: list[At] = field(default_factory=list)
    nodes: list[Node | None] = field(default_factory=list)
    _before: list[list[int]] = field(default_factory=list)
    _rank: list[int] = field(default_factory=list)
    _keys: dict[Hashable, int] = field(default_factory=dict)
    _key_of: list[int] = field(default_factory=list)
    _circling: set[int] = field(default_factory=set)
    _ends: list[Ends | None] = field(default_factory=list)
    _at: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.reading = self._reading(self.systems)

    def follow(self, entries: Iterable[At], budget: Budget) -> None:
        """Follow more messages. Linear in the states, of all messages, and their ways; each state
        is stepped once. Raises BudgetSpent."""
        known, circling = len(self.nodes), len(self._circling)
        for at in entries:
            self._number(at)
        while len(self.nodes) < len(self.states):
            budget.spend()
            self.nodes.append(self.reading.node(self.states[len(self.nodes)]))
        if len(self.nodes) > known:
            self._order(known)
            # What was worked out stands, unless states that were known are now on a circle.
            self._work_out(known if len(self._circling) == circling else 0)

    def _reading(self, systems: Systems) -> Reading:
        said = self.message, self.table, self._number, self.lines, self.leave_out
        return Reading(systems, *said)

    def ends(self, at: At) -> Ends | None:
        """What a state comes to; None where that is left to a trace."""
        return self._ends[self.number[at]]

    def ends_of(self, number: int) -> Ends | None:
        """The same of a state by its number."""
        return self._ends[number]

    def place_of(self, number: int) -> tuple[str, str]:
        """The system and server of a state."""
        system, state = self.states[number]
        return system, state.server

    def rank_of(self, number: int) -> int:
        """A number of a state that falls along every way."""
        return self._rank[number]

    def taking_of(self, number: int) -> int:
        """The servers that take a message in a state whose endings are known, as bits."""
        ends = self._ends[number]
        assert ends is not None
        return ends.taking

    @property
    def all_now(self) -> bool:
        """Whether what every state comes to is worked out here, and none of it later."""
        return all(one is not None for one in self._ends) and all(
            node is not None and all(one.kind is not Kind.LATER for one in node.onward)
            for node in self.nodes
        )

    def ways(self) -> Ways:
        """Where states lead, and who takes a message there; of states that are worked out here."""
        taking = [
            reduce(or_, (one.ends.taking for one in node.onward if one.to < 0), 0) if node else 0
            for node in self.nodes
        ]
        onward = [tuple(dict.fromkeys(self.onward(number))) for number in range(len(self.states))]
        return Ways(self.last_first(), onward, taking)

    def ending_in(self) -> Mapping[int, Sequence[int]]:
        """The states in which messages end, by the number of the ending."""
        found: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes):
            for one in node.onward if node is not None else ():
                if one.to < 0 and one.ends.possible:
                    found.setdefault(one.ends.possible.bit_length() - 1, []).append(number)
        return found

    def asked(self, servers: Collection[str]) -> bool:
        """Whether the answer of one of the servers ends a message that does not go there."""
        return bool(self._asking_on) or not self._asking.keys().isdisjoint(servers)

    def after(
        self,
        systems: Systems,
        servers: Collection[str],
        begins: Iterable[At],
        budget: Budget,
        concerned: Collection[int] | None = None,
    ) -> EndsAfter:
        """What the states come to of which that is another than before, by their numbers, while
        ``systems`` stand in place of those before. A server looks no farther than the one that it
        sends to, unless its system asks on (``Stepping.asks_on``). A message of ``begins`` may also
        end by the answer of one of the servers without going there (``Way.asked``). States that are
        not ``concerned``, where these are known, step as before. Linear in the states at the
        servers and before them, and in those that come to something else. Raises BudgetSpent."""
        nodes = self.anew(systems, servers, begins, budget, concerned)
        return EndsAfter(self._ends_with(nodes, budget), nodes)

    def anew(
        self,
        systems: Systems,
        servers: Collection[str],
        begins: Iterable[At],
        budget: Budget,
        concerned: Collection[int] | None = None,
    ) -> Mapping[int, Node | None]:
        """The ways out of the states of which ``after`` has others, where they may be others; None
        where they lead back, or to other states. Raises BudgetSpent."""
        there = self._at_servers(servers)
        refused = self._refused(servers, begins)
        anew = self._deciding(there) | refused
        if any(own.asks_on for own in self.systems.values()):
            behind = self.leading_to([*there, *refused])
            anew |= {one for one in behind if self.systems[self.states[one][0]].asks_on}
        some = anew if concerned is None else anew.intersection(concerned)
        return self.stepped(systems, some, budget)

    def deciding(self, servers: Collection[str]) -> set[int]:
        """The states at some servers, and those before them in which it is decided that a message
        goes there."""
        return self._deciding(self._at_servers(servers))

    def stepped(
        self, systems: Systems, numbers: Iterable[int], budget: Budget
    ) -> dict[int, Node | None]:
        """The ways out of some states as other systems have them, where they may be others. None
        where they lead back, or to states that are not known. Raises BudgetSpent."""
        known = len(self.states)
        found = self._anew(systems, numbers, known, budget)
        self._forget(known)
        return found

    def _at_servers(self, servers: Collection[str]) -> list[int]:
        return [number for server in sorted(servers) for number in self.at_server(server)]

    def _anew(
        self, systems: Systems, numbers: Iterable[int], known: int, budget: Budget
    ) -> dict[int, Node | None]:
        """The ways out of some states as other systems have them, where they may be others. None
        where they lead back, or to states that are not ``known``."""
        reading = self._reading(systems)
        found: dict[int, Node | None] = {}
        for number in sorted(numbers):
            budget.spend()
            system, state = self.states[number]
            if not systems[system].as_before(state):
                node = reading.node((system, state))
                if node is not None and not self._onward_only(number, node, known):
                    node = None
                found[number] = node
        return found

    def _ends_with(
        self, nodes: Mapping[int, Node | None], budget: Budget
    ) -> dict[int, Ends | None]:
        """What states come to otherwise where these have other ways: of those that a change does
        not get to it is what it was. The last states first, since each may change those before."""
        found: dict[int, Ends | None] = {}
        waiting = [(self._rank[number], number) for number in nodes]
        heapify(waiting)
        queued = set(nodes)
        while waiting:
            _, number = heappop(waiting)
            budget.spend()
            ends = self._with_others(number, nodes, found)
            if ends == self._ends[number]:
                continue
            found[number] = ends
            for before in self._before[number]:
                if before not in queued:
                    queued.add(before)
                    heappush(waiting, (self._rank[before], before))
        return found

    def _with_others(
        self, number: int, nodes: Mapping[int, Node | None], found: Mapping[int, Ends | None]
    ) -> Ends | None:
        """What a state comes to where some have other ways, or come to something else."""
        node = nodes[number] if number in nodes else self.nodes[number]
        if node is None:
            return None
        each = [
            found[one.to] if one.to in found else self._ends[one.to]
            for one in node.onward
            if one.to >= 0
        ]
        return None if None in each else joined(node, iter(each))

    def evidence(
        self, at: At, after: EndsAfter | None, wanted: Collection[str]
    ) -> tuple[str, Source]:
        """The rule and place of the last step to the first ending with one of the outcomes
        (``EndingAt.outcome``), as ``comparison.evidence`` has it of a trace; of the states of
        ``after`` what they come to there. Linear in the ways of the states that lead there."""
        return self.evidence_of(self.number[at], after, wanted)

    def evidence_of(
        self, number: int, after: EndsAfter | None, wanted: Collection[str]
    ) -> tuple[str, Source]:
        """The same of a state by its number."""
        bits = self.table.of_outcomes(wanted)
        after = after or EndsAfter({}, {})
        while True:
            number = self._where_ways_part(number, after)
            node = after.nodes.get(number) or self.nodes[number]
            assert node is not None
            each = [
                one.ends if one.to < 0 else after.ends.get(one.to, self._ends[one.to])
                for one in node.onward
            ]
            waiting = waits(node, each)
            way = next(
                (
                    one
                    for one, end in zip(node.onward, each, strict=True)
                    if end is not None
                    and end.possible & bits
                    and not (waiting and one.kind is Kind.LATER)
                ),
                None,
            )
            if way is None:
                return "", NOWHERE
            if way.to < 0:
                return way.rule, way.source
            number = way.to

    def _where_ways_part(self, number: int, after: EndsAfter) -> int:  # noqa: ARG002
        """A state, or one behind it to which each message just goes."""
        return number

    def _onward_only(self, number: int, node: Node, known: int) -> bool:
        return all(
            one.to < known and self._rank[one.to] < self._rank[number]
            for one in node.onward
            if one.to >= 0
        )

    def _forget(self, known: int) -> None:
        """States that only another system knows are not kept."""
        for at in self.states[known:]:
            del self.number[at]
            self._at[at[1].server].pop()
        del self.states[known:], self._before[known:]

    def _number(self, at: At) -> int:
        if at not in self.number:
            self.number[at] = len(self.states)
            self.states.append(at)
            self._before.append([])
            self._at[at[1].server].append(self.number[at])
        return self.number[at]

    def _order(self, known: int) -> None:
        """A rank for each state that falls along every way: of what comes again as the same
        (``loop_key``) one rank. What is on a circle, or leads to one, gets no node. The first
        ``known`` states were there before.
        """
        for system, state in self.states[known:]:
            again = system, self.systems[system].loop_key(state)
            self._key_of.append(self._keys.setdefault(again, len(self._keys)))
        before: list[set[int]] = [set() for _ in self._keys]
        for number, node in enumerate(self.nodes):
            for one in node.onward if node is not None else ():
                if one.to >= 0:
                    before[self._key_of[one.to]].add(self._key_of[number])
                    if number >= known:
                        self._before[one.to].append(number)
        left = [0] * len(before)
        for starts in before:
            for key in starts:
                left[key] += 1
        rank = [0] * len(before)
        free = deque(key for key, ways in enumerate(left) if not ways)
        while free:
            key = free.popleft()
            for start in before[key]:
                rank[start] = max(rank[start], rank[key] + 1)
                left[start] -= 1
                if not left[start]:
                    free.append(start)
        self._circling |= {key for key, ways in enumerate(left) if ways}
        for key in self._circling:
            rank[key] = len(rank)
        self._rank = [rank[key] for key in self._key_of]
        for number, key in enumerate(self._key_of):
            if key in self._circling:
                self.nodes[number] = None

    def _work_out(self, known: int) -> None:
        self._ends[known:] = [None] * (len(self.nodes) - known)
        for number in self.last_first(range(known, len(self.nodes))):
            node = self.nodes[number]
            if node is not None:
                ends = [self._ends[one.to] for one in node.onward if one.to >= 0]
                self._ends[number] = None if None in ends else joined(node, iter(ends))

    def last_first(self, numbers: Iterable[int] | None = None) -> list[int]:
        """The states, or some of them, each after those that its ways lead to."""
        every = range(len(self.states)) if numbers is None else numbers
        return sorted(every, key=self._rank.__getitem__)

    def onward(self, number: int) -> Iterator[int]:
        """The states that the ways of one lead to, in their order."""
        node = self.nodes[number]
        return (one.to for one in node.onward if one.to >= 0) if node is not None else iter(())

    def before(self, number: int) -> Sequence[int]:
        """The states whose ways lead to one."""
        return self._before[number]

    def at_server(self, server: str) -> Sequence[int]:
        """The states at a server."""
        return self._at.get(server, ())

    def leading_to(self, numbers: Iterable[int]) -> set[int]:
        """Some states, and those from which a message gets to one of them."""
        found = set(numbers)
        waiting = list(found)
        while waiting:
            for before in self._before[waiting.pop()]:
                if before not in found:
                    found.add(before)
                    waiting.append(before)
        return found

    def _refused(self, servers: Collection[str], begins: Iterable[At]) -> set[int]:
        """The states behind some others that end by the answer of one of the servers."""
        asking = {number for server in servers for number in self._asking.get(server, ())}
        asking |= self._asking_on
        if not asking:
            return asking
        behind = {self._number(at) for at in begins}
        waiting = list(behind)
        while waiting:
            for to in self.onward(waiting.pop()):
                if to not in behind:
                    behind.add(to)
                    waiting.append(to)
        return behind & asking

    @cached_property
    def _asking(self) -> Mapping[str, Sequence[int]]:
        """By server, the states that end by its answer."""
        found: dict[str, list[int]] = {}
        for number, node in enumerate(self.nodes):
            for server in {name for one in node.onward for name in one.asked} if node else ():
                found.setdefault(server, []).append(number)
        return found

    @cached_property
    def _asking_on(self) -> set[int]:
        """The states that end by the answers of servers that may ask others in turn."""
        return {
            number
            for number, node in enumerate(self.nodes)
            if node is not None
            and self.systems[self.states[number][0]].asks_on
            and any(one.asked for one in node.onward)
        }

    def _deciding(self, concerned: Iterable[int]) -> set[int]:
        """The states at some servers, and those at the servers before them in which it is
        decided that a message goes there.
        """
        found = set(concerned)
        waiting = list({before for number in found for before in self._before[number]} - found)
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found.add(number)
            place = self.place_of(number)
            waiting += [one for one in self._before[number] if self.place_of(one) == place]
        return found
