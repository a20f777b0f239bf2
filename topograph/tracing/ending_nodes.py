"""The ways out of states, as ``exploration`` takes them: what the endings of many messages are
worked out of (``endings.SharedEndings``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import attrgetter, or_
from typing import NamedTuple

from topograph.findings import Source
from topograph.forwarding.graph import Guard
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.records import record
from topograph.tracing.comparison import EndingAt
from topograph.tracing.ending_table import EndingTable, Ends
from topograph.tracing.exploration import (
    CERTAIN,
    STAYS,
    holds,
    stopped,
    undecided,
    unknown_server,
    verdict_of,
)
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import Handover, Loops, State, Systems, Transition, Verdict, Way
from topograph.tracing.trace import NOWHERE, Ending, Kind

At = tuple[str, State]
"""A state of a system."""

Line = tuple[str, int]
"""A file, and a line of it."""

Content = tuple[str, str, str, str]
"""A step by its system, server, object and text."""


@record
class Onward:
    """One way that is taken: to another state (by number), or to endings, with the rule and place
    of the step that a trace tells of it last."""

    kind: Kind
    to: int = -1
    ends: Ends = Ends()
    asked: tuple[str, ...] = ()
    rule: str = ""
    source: Source = NOWHERE


@record
class Node:
    """The ways that are taken out of a state. ``branches``: they make branches of their own.

    ``on_lines``: a step of it has its source on one of the lines that are looked for. ``doubt``: a
    message may go anywhere from here. ``more``: a trace tells more of it than its endings need,
    such as another reading of the documents."""

    onward: tuple[Onward, ...]
    branches: bool
    on_lines: bool = False
    doubt: bool = False
    more: bool = False


@record
class Ways:
    """Where states lead, by number: ``last_first`` has each after those that its ways lead to,
    ``taking`` the servers that take a message there, as bits."""

    last_first: Sequence[int]
    onward: Sequence[Sequence[int]]
    taking: Sequence[int]


class Told(NamedTuple):
    """A step that a trace tells of a state, with where it leads."""

    content: Content
    source: Source
    to: At | None


class _Shown(NamedTuple):
    """The ways of a state that a trace tells of, each with what its guard says, and what kinds they
    are where guards leave only some (``_kinds``)."""

    ways: Sequence[tuple[Way, Verdict]]
    kinds: dict[int, Kind]

    def kind(self, way: Way) -> Kind:
        """What a way is to the others."""
        return self.kinds.get(id(way), way.kind)


@dataclass
class Reading:
    """Reads the ways out of states. ``number`` gives a state its number; ``lines`` are looked for
    among the sources of steps; a way to a state that is to be left out comes to nothing."""

    systems: Systems
    message: Message
    table: EndingTable
    number: Callable[[At], int]
    lines: Collection[Line] = frozenset()
    leave_out: Callable[[At], bool] | None = None
    _verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._servers = {
            (name, one.name): one for name, own in self.systems.items() for one in own.servers
        }

    def node(self, at: At) -> Node | None:
        """The ways that are taken out of a state; None where they are left to a trace."""
        system, state = at
        own = self.systems[system]
        server = self._servers.get((system, state.server))
        if server is None or not server.loaded:
            ends = self._ends(system, state, Ending(own.beyond))
            source = NOWHERE if server is None else server.source
            only = (Onward(Kind.COPY, ends=ends, source=source),)
            return Node(only, branches=False, on_lines=self._is_on(source), doubt=True)
        if own.loops_at(state).loops is Loops.ONCE:
            return None
        transition = own.step(state)
        if transition.is_dead_end:
            return None
        doubt = server.open_ended or transition.open_end is not None
        if (sole := _sole(transition)) is not None:
            if isinstance(sole.to, Handover):
                return None
            onward = (self._onward(system, state, sole, sole.kind),)
            return Node(onward, branches=False, on_lines=self._is_on(sole.source), doubt=doubt)
        shown = self._shown(system, transition)
        found: list[Onward] = []
        if not shown.ways:
            found.append(Onward(Kind.COPY, ends=self._ends(system, state, Ending(Outcome.STUCK))))
        more = False
        for way, verdict in shown.ways:
            if isinstance(way.to, Handover):
                return None
            if shown.kind(way) is Kind.READING:
                more = True
            elif not verdict.known:
                more = more or isinstance(way.to, State)
                found.append(self._undecided(system, state, way, shown.kind(way)))
            elif verdict.truth is Truth.TRUE:
                found.append(self._onward(system, state, way, shown.kind(way)))
        alone = len(shown.ways) == 1 and all(
            shown.kind(way) in CERTAIN and not way.eliminated for way, _ in shown.ways
        )
        return Node(
            tuple(found),
            branches=bool(shown.ways) and not alone,
            on_lines=any(self._is_on(way.source) for way, _ in shown.ways),
            doubt=doubt,
            more=more,
        )

    def told(self, at: At) -> Iterator[Told]:
        """The steps that a trace tells of a state, in its order; that of a server which is not
        loaded comes with the step that leads there. Not of a state with ``Node.more``."""
        system, state = at
        server = self._servers.get((system, state.server))
        if server is None or not server.loaded:
            because, source = unknown_server(state.server, server)
            yield Told((system, state.server, state.object, because), source, None)
            return
        shown = self._shown(system, self.systems[system].step(state))
        if not shown.ways:
            yield Told((system, state.server, state.object, STAYS), NOWHERE, None)
        for way, verdict in shown.ways:
            to: At | None = None
            text = way.text
            if not verdict.known:
                _, text = undecided(way, verdict)
            elif verdict.truth is not Truth.TRUE:
                text = stopped(way, verdict, state.server)
            elif isinstance(way.to, State) and (system, way.to.server) in self._servers:
                to = system, way.to
            yield Told((system, state.server, state.object, text), way.source, to)

    def is_loaded(self, at: At) -> bool:
        """Whether the server of a state is loaded."""
        server = self._servers.get((at[0], at[1].server))
        return server is not None and server.loaded

    def _shown(self, system: str, transition: Transition) -> _Shown:
        ways = tuple(transition.ways)
        shown: list[tuple[Way, Verdict]] = []
        guarded = any(way.kind is Kind.ELSE for way in ways)
        for number, way in enumerate(ways):
            verdict = holds(way, ways[:number], lambda guard: self._evaluate(system, guard))
            stops = way.kind is Kind.COPY and not guarded
            if not verdict.known or verdict.truth is Truth.TRUE or stops:
                shown.append((way, verdict))
        return _Shown(shown, _kinds(ways, shown))

    def _undecided(self, system: str, state: State, way: Way, kind: Kind) -> Onward:
        """A way of which no file decides whether a message takes it."""
        ending = Ending(Outcome.UNDETERMINED, {"server": state.server, "destination": ""})
        # That the server beyond fails decides it.
        beyond = (way.to.server,) if isinstance(way.to, State) else ()
        return Onward(
            kind,
            ends=self._ends(system, state, ending),
            asked=(*way.asked, *beyond),
            rule=way.rule,
            source=way.source,
        )

    def _onward(self, system: str, state: State, way: Way, kind: Kind) -> Onward:
        """A way that a message takes, if it is its kind."""
        assert not isinstance(way.to, Handover)
        if isinstance(way.to, Ending):
            ends = self._ends(system, state, way.to)
            return Onward(kind, ends=ends, asked=way.asked, rule=way.rule, source=way.source)
        if (system, way.to.server) not in self._servers:
            gone = Ending(Outcome.EXTERNAL, {"server": way.to.server})
            return Onward(
                kind,
                ends=self._ends(system, state, gone),
                asked=(way.to.server,),  # that it fails decides it
                rule=way.rule,
                source=way.source,
            )
        to = system, way.to
        if self.leave_out is not None and self.leave_out(to):
            return Onward(kind)
        return Onward(kind, self.number(to))

    def _is_on(self, source: Source) -> bool:
        return bool(source.line) and (source.file, source.line) in self.lines

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
        bit = self.table.bit(at)
        taking = self.table.take(whole.text("server")) if ending.outcome in TAKEN else 0
        return Ends(bit, bit, taking, ending.outcome is Outcome.HELD)

    def _evaluate(self, system: str, guard: Guard) -> Verdict:
        key = system, guard.id
        if key not in self._verdicts:
            self._verdicts[key] = verdict_of(self.systems[system], guard, self.message)
        return self._verdicts[key]


def _sole(transition: Transition) -> Way | None:
    """The way of a state that has just one, which every message takes."""
    if len(transition.ways) != 1:
        return None
    way = transition.ways[0]
    return way if way.kind is Kind.COPY and way.guard is None and not way.eliminated else None


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


def joined(node: Node, ends: Iterator[Ends | None]) -> Ends:
    """What the ways of a state come to together."""
    each = [next(ends) if one.to >= 0 else one.ends for one in node.onward]
    known = [one for one in each if one is not None]
    assert len(known) == len(each)
    kinds = {one.kind for one in node.onward}
    if kinds and kinds <= _EACH_COUNTS:
        if len(known) == 1 and not node.branches:
            return known[0]
        possible = certain = reduce(or_, map(_possible, known), 0)
        # Where nothing is chosen behind, both sets are one object: they are large.
        if any(one.certain is not one.possible for one in known):
            certain = reduce(or_, map(_certain, known), 0)
        taking = reduce(or_, map(_taking, known), 0)
        return Ends(possible, certain, taking, known[-1].held and not node.branches)
    waiting = waits(node, each)
    possible = certain = taking = 0
    held = False
    for one, end in zip(node.onward, known, strict=True):
        taking |= end.taking
        if one.kind is Kind.LATER and waiting:
            continue
        possible |= end.possible
        if one.kind in CERTAIN:
            certain |= end.certain
        held = end.held
    return Ends(possible, certain, taking, held and not node.branches)


_EACH_COUNTS = frozenset(CERTAIN)
_possible, _certain, _taking = map(attrgetter, ("possible", "certain", "taking"))


def waits(node: Node, each: Sequence[Ends | None]) -> bool:
    """Whether what a state comes to later does not count: the message is held until then."""
    return node.branches and any(
        end is not None and end.held
        for one, end in zip(node.onward, each, strict=True)
        if one.kind is not Kind.LATER
    )
