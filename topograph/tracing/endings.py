"""How messages end, of many that share their ways: what each state comes to, worked out once, in
place of a trace for each message.

A state's endings are those of the states that its ways lead to. That holds where no message comes
back to where it was, is handed over to another system, or meets a server that drops what it had:
such states, and all that lead to one, are left to traces (``None`` here).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Guard
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.tracing.comparison import EndingAt, OutcomeComparison, waiting
from topograph.tracing.exploration import CERTAIN, holds, verdict_of
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import Handover, Loops, State, Systems, Verdict, Way
from topograph.tracing.trace import Ending, Kind

At = tuple[str, State]
"""A state of a system."""


_NOWHERE = Source("")


@dataclass(frozen=True, slots=True)
class Ends:
    """What a state comes to, as sets of bits: the endings that are possible, those of them that
    are certain, and the servers that take the message, now or later. ``held``: the message is
    held before it leaves the branch it is on."""

    possible: int = 0
    certain: int = 0
    taking: int = 0
    held: bool = False

    def same(self, other: Ends) -> bool:
        """Whether messages end alike: the same endings, and the same ones for certain."""
        return self.possible == other.possible and self.certain == other.certain


@dataclass(frozen=True, slots=True)
class _Onward:
    """One way that is taken: to another state (by number), or to endings, with the rule and place
    of the step that a trace tells of it last."""

    kind: Kind
    to: int = -1
    ends: Ends = Ends()
    asked: tuple[str, ...] = ()
    rule: str = ""
    source: Source = _NOWHERE


@dataclass(frozen=True, slots=True)
class _Node:
    """The ways that are taken out of a state. ``branches``: they make branches of their own."""

    onward: tuple[_Onward, ...]
    branches: bool


@dataclass(frozen=True, slots=True)
class EndsAfter:
    """What states come to where systems stand in place of those before (``SharedEndings.after``),
    by number: those alone that this may concern."""

    ends: Mapping[int, Ends | None]
    nodes: Mapping[int, _Node]


@dataclass
class SharedEndings:
    """The endings of all messages that begin in some states. ``message`` is what is known of
    each; a guard is evaluated once.
    """

    systems: Systems
    message: Message
    endings: list[EndingAt] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    number: dict[At, int] = field(default_factory=dict)
    _states: list[At] = field(default_factory=list)
    _nodes: list[_Node | None] = field(default_factory=list)
    _before: list[list[int]] = field(default_factory=list)
    _rank: list[int] = field(default_factory=list)
    _ends: list[Ends | None] = field(default_factory=list)
    _bits: dict[EndingAt, int] = field(default_factory=dict)
    _of_outcome: dict[str, int] = field(default_factory=dict)
    _server_bits: dict[str, int] = field(default_factory=dict)
    _at: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(
        cls, systems: Systems, entries: Iterable[At], message: Message, budget: Budget
    ) -> SharedEndings:
        """Follow all messages at once. Linear in the states and their ways. Raises BudgetSpent."""
        made = cls(systems, message)
        reading = _Reading(made, systems)
        for at in entries:
            made._number(at)
        done = 0
        while done < len(made._states):
            budget.spend()
            made._nodes.append(reading.node(made._states[done]))
            done += 1
        made._order()
        made._work_out()
        return made

    def ends(self, at: At) -> Ends | None:
        """What a state comes to; None where that is left to a trace."""
        return self._ends[self.number[at]]

    def asked(self, servers: Collection[str]) -> bool:
        """Whether the answer of one of the servers ends a message that does not go there."""
        return bool(self._asking_on) or not self._asking.keys().isdisjoint(servers)

    def after(
        self, systems: Systems, servers: Collection[str], begins: Iterable[At], budget: Budget
    ) -> EndsAfter:
        """What the states come to from which a message may get to one of the servers, by their
        numbers, while ``systems`` stand in place of those before. A server looks no farther than
        the one that it sends to, unless its system asks on (``Stepping.asks_on``). A message of
        ``begins`` may also end by the answer of one of the servers without going there
        (``Way.asked``). Linear in these states. Raises BudgetSpent."""
        concerned = [number for server in sorted(servers) for number in self._at.get(server, ())]
        refused = self._refused(servers, begins)
        behind = self._leading_to([*concerned, *refused])
        anew = self._deciding(concerned) | refused
        anew |= {one for one in behind if self.systems[self._states[one][0]].asks_on}
        reading = _Reading(self, systems)
        found: dict[int, Ends | None] = {}
        nodes: dict[int, _Node] = {}
        known = len(self._states)
        for number in sorted(behind, key=self._rank.__getitem__, reverse=True):
            budget.spend()
            node = reading.node(self._states[number]) if number in anew else self._nodes[number]
            if node is not None and number in anew and not self._onward_only(number, node, known):
                node = None
            if node is None:
                found[number] = None
                continue
            if number in anew:
                nodes[number] = node
            ends = [
                found[one.to] if one.to in found else self._ends[one.to]
                for one in node.onward
                if one.to >= 0
            ]
            found[number] = None if None in ends else _joined(node, iter(ends))
        if len(self._states) > known:
            self._forget(known)
        return EndsAfter(found, nodes)

    def compared(self, before: Ends, after: Ends) -> OutcomeComparison:
        """The endings that two of the states' results do not share (``comparison.compare``)."""
        both = before.possible & after.possible

        def of(bits: int) -> tuple[EndingAt, ...]:
            return tuple(sorted(self.named(bits)))

        gained = after.possible & ~before.possible
        stronger = both & after.certain & ~before.certain
        return OutcomeComparison(
            gained=of(gained),
            lost=of(before.possible & ~after.possible),
            weaker=of(both & before.certain & ~after.certain),
            stronger=of(stronger),
            exact=True,
            waits_at=waiting(self.named((gained | stronger) & after.certain)),
        )

    def evidence(self, at: At, after: EndsAfter, wanted: Collection[str]) -> tuple[str, Source]:
        """The rule and place of the last step to the first ending with one of the outcomes
        (``EndingAt.outcome``), as ``comparison.evidence`` has it of a trace. Linear in the ways of
        the states that lead there."""
        bits = 0
        for outcome in wanted:
            bits |= self._of_outcome.get(outcome, 0)
        number = self.number[at]
        while True:
            node = after.nodes.get(number) or self._nodes[number]
            assert node is not None
            each = [
                one.ends if one.to < 0 else after.ends.get(one.to, self._ends[one.to])
                for one in node.onward
            ]
            waits = _waits(node, each)
            way = next(
                (
                    one
                    for one, end in zip(node.onward, each, strict=True)
                    if end is not None
                    and end.possible & bits
                    and not (waits and one.kind is Kind.LATER)
                ),
                None,
            )
            if way is None:
                return "", _NOWHERE
            if way.to < 0:
                return way.rule, way.source
            number = way.to

    def named(self, bits: int) -> Iterator[EndingAt]:
        """The endings of a set of bits."""
        while bits:
            lowest = bits & -bits
            yield self.endings[lowest.bit_length() - 1]
            bits ^= lowest

    def taken_by(self, bits: int) -> Iterator[str]:
        """The servers of a set of bits (``Ends.taking``)."""
        while bits:
            lowest = bits & -bits
            yield self.servers[lowest.bit_length() - 1]
            bits ^= lowest

    def server_bit(self, server: str) -> int:
        """The bit of a server that takes messages."""
        return self._server_bits[server]

    def _onward_only(self, number: int, node: _Node, known: int) -> bool:
        return all(
            one.to < known and self._rank[one.to] > self._rank[number]
            for one in node.onward
            if one.to >= 0
        )

    def _forget(self, known: int) -> None:
        """States that only another system knows are not kept."""
        for at in self._states[known:]:
            del self.number[at]
            self._at[at[1].server].pop()
        del self._states[known:], self._before[known:]

    def _number(self, at: At) -> int:
        if at not in self.number:
            self.number[at] = len(self._states)
            self._states.append(at)
            self._before.append([])
            self._at[at[1].server].append(self.number[at])
        return self.number[at]

    def _bit(self, ending: EndingAt) -> int:
        if ending not in self._bits:
            bit = 1 << len(self.endings)
            self._bits[ending] = bit
            self._of_outcome[ending.outcome] = self._of_outcome.get(ending.outcome, 0) | bit
            self.endings.append(ending)
        return self._bits[ending]

    def _server_bit(self, server: str) -> int:
        if server not in self._server_bits:
            self._server_bits[server] = 1 << len(self.servers)
            self.servers.append(server)
        return self._server_bits[server]

    def _order(self) -> None:
        """A rank for each state that grows along every way: of what comes again as the same
        (``loop_key``) one rank. What is on a circle gets no node.
        """
        keys: dict[Hashable, int] = {}
        key_of = [
            keys.setdefault((system, self.systems[system].loop_key(state)), len(keys))
            for system, state in self._states
        ]
        onward: list[set[int]] = [set() for _ in keys]
        for number, node in enumerate(self._nodes):
            for one in node.onward if node is not None else ():
                if one.to >= 0:
                    onward[key_of[number]].add(key_of[one.to])
                    self._before[one.to].append(number)
        entered = [0] * len(keys)
        for ends in onward:
            for key in ends:
                entered[key] += 1
        rank = [0] * len(keys)
        free = deque(key for key, times in enumerate(entered) if not times)
        while free:
            key = free.popleft()
            for end in onward[key]:
                rank[end] = max(rank[end], rank[key] + 1)
                entered[end] -= 1
                if not entered[end]:
                    free.append(end)
        self._rank = [rank[key] for key in key_of]
        for number, key in enumerate(key_of):
            if entered[key]:
                self._nodes[number] = None

    def _work_out(self) -> None:
        self._ends = [None] * len(self._nodes)
        for number in sorted(range(len(self._nodes)), key=self._rank.__getitem__, reverse=True):
            node = self._nodes[number]
            if node is not None:
                ends = [self._ends[one.to] for one in node.onward if one.to >= 0]
                self._ends[number] = None if None in ends else _joined(node, iter(ends))

    def _leading_to(self, numbers: Iterable[int]) -> set[int]:
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
        behind = {self.number[at] for at in begins}
        waiting = list(behind)
        while waiting:
            node = self._nodes[waiting.pop()]
            for one in node.onward if node is not None else ():
                if one.to >= 0 and one.to not in behind:
                    behind.add(one.to)
                    waiting.append(one.to)
        return behind & asking

    @cached_property
    def _asking(self) -> Mapping[str, Sequence[int]]:
        """By server, the states that end by its answer."""
        found: dict[str, list[int]] = {}
        for number, node in enumerate(self._nodes):
            for server in {name for one in node.onward for name in one.asked} if node else ():
                found.setdefault(server, []).append(number)
        return found

    @cached_property
    def _asking_on(self) -> set[int]:
        """The states that end by the answers of servers that may ask others in turn."""
        return {
            number
            for number, node in enumerate(self._nodes)
            if node is not None
            and self.systems[self._states[number][0]].asks_on
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
            system, state = self._states[number]
            waiting += [
                before
                for before in self._before[number]
                if (self._states[before][0], self._states[before][1].server)
                == (system, state.server)
            ]
        return found


def _joined(node: _Node, ends: Iterator[Ends | None]) -> Ends:
    """What the ways of a state come to together."""
    each = [next(ends) if one.to >= 0 else one.ends for one in node.onward]
    waits = _waits(node, each)
    possible = certain = taking = 0
    held = False
    for one, end in zip(node.onward, each, strict=True):
        assert end is not None
        taking |= end.taking
        if one.kind is Kind.LATER and waits:
            continue
        possible |= end.possible
        if one.kind in CERTAIN:
            certain |= end.certain
        held = end.held
    return Ends(possible, certain, taking, held and not node.branches)


def _waits(node: _Node, each: Sequence[Ends | None]) -> bool:
    """Whether what a state comes to later does not count: the message is held until then."""
    return node.branches and any(
        end is not None and end.held
        for one, end in zip(node.onward, each, strict=True)
        if one.kind is not Kind.LATER
    )


@dataclass
class _Reading:
    """Reads the ways out of states as ``exploration`` takes them."""

    shared: SharedEndings
    systems: Systems
    _verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._servers = {
            (name, one.name): one for name, own in self.systems.items() for one in own.servers
        }

    def node(self, at: At) -> _Node | None:
        """The ways that are taken out of a state; None where they are left to a trace."""
        system, state = at
        own = self.systems[system]
        server = self._servers.get((system, state.server))
        if server is None or not server.loaded:
            ends = self._ends(system, state, Ending(own.beyond))
            source = _NOWHERE if server is None else server.source
            return _Node((_Onward(Kind.COPY, ends=ends, source=source),), branches=False)
        if own.loops_at(state).loops is Loops.ONCE:
            return None
        ways = tuple(own.step(state).ways)
        shown: list[tuple[Way, Verdict]] = []
        guarded = any(way.kind is Kind.ELSE for way in ways)
        for number, way in enumerate(ways):
            verdict = holds(way, ways[:number], lambda guard: self._evaluate(system, guard))
            stops = way.kind is Kind.COPY and not guarded
            if not verdict.known or verdict.truth is Truth.TRUE or stops:
                shown.append((way, verdict))
        kinds = _kinds(ways, shown)
        onward: list[_Onward] = []
        if not shown:
            onward.append(_Onward(Kind.COPY, ends=self._ends(system, state, Ending(Outcome.STUCK))))
        for way, verdict in shown:
            kind = kinds.get(id(way), way.kind)
            if isinstance(way.to, Handover):
                return None
            if kind is Kind.READING:
                continue
            if not verdict.known:
                undecided = Ending(
                    Outcome.UNDETERMINED, {"server": state.server, "destination": ""}
                )
                # That the server beyond fails decides it.
                beyond = (way.to.server,) if isinstance(way.to, State) else ()
                ends = self._ends(system, state, undecided)
                onward.append(
                    _Onward(
                        kind,
                        ends=ends,
                        asked=(*way.asked, *beyond),
                        rule=way.rule,
                        source=way.source,
                    )
                )
            elif verdict.truth is not Truth.TRUE:
                continue
            elif isinstance(way.to, Ending):
                ends = self._ends(system, state, way.to)
                onward.append(
                    _Onward(kind, ends=ends, asked=way.asked, rule=way.rule, source=way.source)
                )
            elif (system, way.to.server) not in self._servers:
                gone = Ending(Outcome.EXTERNAL, {"server": way.to.server})
                onward.append(
                    _Onward(
                        kind, ends=self._ends(system, state, gone), rule=way.rule, source=way.source
                    )
                )
            else:
                onward.append(_Onward(kind, self.shared._number((system, way.to))))
        alone = len(shown) == 1 and all(
            kinds.get(id(w), w.kind) in CERTAIN and not w.eliminated for w, _ in shown
        )
        return _Node(tuple(onward), branches=bool(shown) and not alone)

    def _ends(self, system: str, state: State, ending: Ending) -> Ends:
        arguments = {"server": state.server, "destination": state.object, **ending.arguments}
        whole = replace(ending, arguments=arguments)
        if ending.outcome is Outcome.NOT_FORWARDED:
            return Ends()
        at = EndingAt(
            system,
            whole.text("server"),
            whole.text("receiver") or whole.text("destination"),
            str(whole),
        )
        bit = self.shared._bit(at)
        taking = self.shared._server_bit(whole.text("server")) if ending.outcome in TAKEN else 0
        return Ends(bit, bit, taking, ending.outcome is Outcome.HELD)

    def _evaluate(self, system: str, guard: Guard) -> Verdict:
        key = system, guard.id
        if key not in self._verdicts:
            self._verdicts[key] = verdict_of(self.systems[system], guard, self.shared.message)
        return self._verdicts[key]


def _kinds(ways: Sequence[Way], shown: Sequence[tuple[Way, Verdict]]) -> dict[int, Kind]:
    """Per way that is one of several what it is where guards leave a part: the only one that is
    left is no choice.
    """
    taken = {id(way) for way, verdict in shown if verdict.known and verdict.truth is Truth.TRUE}
    unknown = {id(way) for way, verdict in shown if not verdict.known}
    groups: dict[str, list[Way]] = defaultdict(list)
    for way in ways:
        if way.kind is Kind.ONE_OF:
            groups[way.choice].append(way)
    return {
        id(way): Kind.COPY
        for group in groups.values()
        if sum(id(way) in taken for way in group) == 1
        and not any(id(way) in unknown for way in group)
        for way in group
    }
