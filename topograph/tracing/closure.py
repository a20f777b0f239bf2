"""From step functions to a graph: ``close`` makes the tables of one graph of all stepping systems
of a network; ``assembly`` makes the graph of them.

A point is a server where a message begins (``origin``: at any of its destinations; ``entry``: at
one of several), or one that it gets to (``arrival``), in a state. Only steps between servers are
forwards; the steps inside a server before one are kept as its ``steps``. Guards stand on points, so
that a state which is entered under different guards is a point for each set of them: both engines
then walk alike.

What is chosen at run time is a guard too (kinds ``one_of``, ``opaque``, ``later``): a walk with
those closed passes only what is certain. Other readings of the documents are left out.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from json.encoder import encode_basestring
from typing import NamedTuple

import numpy as np

from topograph.findings import Finding, Source
from topograph.forwarding.graph import STEPPING, Forward, GraphTables, Link, Server
from topograph.forwarding.lazy_rows import ForwardRows
from topograph.forwarding.points import Point
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.rules.unnumbered import NO_WAY_OUT, WAYS_CUT
from topograph.tracing.numbered_guards import NumberedGuards
from topograph.tracing.states import Handover, Seam, State, Systems, Way, no_way_out
from topograph.tracing.trace import NOWHERE, Ending, Kind

POINTS = 1_000_000
"""Points at which the graph is cut, with a finding."""

STEPS_INSIDE = 10_000
"""Steps inside one server from one arrival, at which the search is cut, with a finding."""

FEW_STEPS = 200
"""Steps inside one server from one arrival, after which what lies behind each of its states is
kept: long chains are then followed once, not once from each of their members."""

SETTLED = 20_000
"""States inside one server behind one arrival that are kept. Where there are more, as behind code
that makes a path longer in every round, the server's ways are cut, with a finding, and it counts
for ``WORK`` as a tenth of it: each such arrival takes seconds."""

STEPS_TOLD = 50
"""Steps inside a server that a forward names."""

WORK = 50_000_000
"""Comparisons of sets of guards, and ten a step, at which the search is cut, with a finding:
some ten seconds. They are counted instead of the time, so that equal files give equal graphs on
every machine."""

_STRENGTH = {Kind.COPY: 0, Kind.ELSE: 1, Kind.LATER: 2, Kind.ONE_OF: 3, Kind.OPAQUE: 4}


@record(slots=False)
class Closure:
    """The tables of the graph, and findings about what was cut."""

    tables: GraphTables
    findings: tuple[Finding, ...]


def close(
    systems: Systems, seams: Iterable[Seam] = (), *, points: int = POINTS, work: int = WORK
) -> Closure:
    """Explore every state that messages from any entry get to. Linear in states times ways, as
    long as few sets of guards meet in one state; where many do, ``work`` ends it."""
    closing = _Closing(systems, seams, points, work)
    found = closing.run()
    needless = closing.needless()
    return _Closing(systems, seams, points, work, needless).run() if needless else found


_STEP = 10
"""What a step counts for beside a comparison."""

Place = int
"""What of a state decides what comes next, by number: the system, and the loop key."""

MOST_MET = 1 << 17
"""States that are kept with their ways; of more, they are met again."""


@dataclass(slots=True, eq=False)
class _Met:
    """A state that messages get to, its server by number, and its ways once they were looked at:
    many messages share states, and each is stepped once."""

    system: str
    state: State
    place: Place
    server: int
    ways: list[_Onward] | None = None


class _Onward(NamedTuple):
    """Where a way leads that is neither an ending nor another reading."""

    to: _Met
    guards: frozenset[int]
    branch: Kind
    way: Way


@record(eq=False)
class _Before:
    """The step taken last, and those before it."""

    way: Way
    earlier: _Before | None


@record(eq=False)
class _Steps:
    """The step taken first, and the ``length - 1`` after it: ways that end alike share their
    end.
    """

    way: Way
    rest: _Steps | None
    length: int


_NOTHING: frozenset[int] = frozenset()


class _Exit(NamedTuple):
    """A way out of a server: where to, under which guards, with the way taken last and the steps
    before it.
    """

    to: _Met
    guards: frozenset[int]
    branch: Kind
    way: Way
    before: _Steps | None


class _Described(NamedTuple):
    """What forwards have beside their ends."""

    rule: str
    confidence: Confidence
    source: Source
    cost: int
    branch: str
    steps: str


class _Closing:
    """The graph as far as it is made."""

    def __init__(
        self,
        systems: Systems,
        seams: Iterable[Seam],
        points: int,
        work: int,
        needless: Collection[int] = (),
    ) -> None:
        self.systems, self.most, self.work, self.whole = systems, points, work, work
        self.seams = {(seam.start, seam.end): seam for seam in seams}
        servers = sorted(
            (
                (one.name, name, one)
                for name, own in systems.items()
                for one in (*own.servers, *own.named())
            ),
            key=lambda row: row[:2],
        )
        if needless:
            servers = [one for number, one in enumerate(servers) if number not in needless]
        self.number = {(system, name): number for number, (name, system, _) in enumerate(servers)}
        self.servers = [one for _, _, one in servers]
        names = [one.name for one in self.servers]
        self.shared = (
            {name for name in names if names.count(name) > 1}
            if len(set(names)) < len(names)
            else set()
        )
        self.guards = NumberedGuards()
        self.points: list[Point] = []
        self.met: dict[tuple[str, State], _Met] = {}
        self.place_of: dict[tuple[str, Hashable], Place] = {}
        self.states: list[_Met | None] = []
        self.point_of: dict[tuple[Place, frozenset[int]], int] = {}
        self.exits: dict[Place, list[_Exit]] = {}
        self.settled: dict[Place, list[_Exit]] = {}
        self.settling: dict[Place, list[_Onward]] = {}
        self.starts, self.ends, self.described = array("i"), array("i"), array("i")
        self.descriptions: dict[_Described, int] = {}
        self.links: dict[tuple[int, int, Source, str, str], int] = {}
        self.link_rows: list[Link] = []
        self.cut: dict[int, None] = {}
        self.dead_ends: dict[tuple[int, str], None] = {}
        self.open_ends: dict[int, str] = {}
        self.texts: dict[_Steps, str] = {}

    def run(self) -> Closure:
        for number, one in enumerate(self.servers):
            self._add(
                Point(f"{self._label(number)}|origin", "origin", number, source=one.source), None
            )
        entries: dict[int, dict[Place, _Met]] = {}
        for system in sorted(self.systems):
            for state in self.systems[system].entries():
                met = self._meet(system, state)
                entries.setdefault(met.server, {}).setdefault(met.place, met)
        waiting: deque[int] = deque()
        for server, own in sorted(entries.items()):
            begins = list(own.values())
            points: list[int] = []
            if len(begins) == 1:
                self.points[server] = replace(self.points[server], state=begins[0].state.data)
            else:
                for begin in begins:
                    key = f"{self._label(server)}|entry|{begin.state.object}#{len(self.points)}"
                    source = self.servers[server].source
                    entry = Point(key, "entry", server, source=source, state=begin.state.data)
                    points.append(self._add(entry, None))
            origin: dict[int, int] = {}
            for number, begin in enumerate(begins):
                ends = self._ends(server, begin, waiting)
                for end, said in ends.items():
                    origin.setdefault(end, said)
                if points:
                    self._forward(points[number], ends)
            self._forward(server, origin)
            # What is kept of states that only begin here is asked for no more.
            self.exits, self.settled, self.texts = {}, {}, {}
        while waiting:
            point = waiting.popleft()
            arrived = self.states[point]
            assert arrived is not None
            self._forward(point, self._ends(arrived.server, arrived, waiting))
        for system, stepping in sorted(self.systems.items()):
            for joined in stepping.joined():
                members = [self.number[system, name] for name in joined.servers]
                self.guards.perhaps_joined(members, joined.assumption)
        return Closure(self._tables(), tuple(self._findings()))

    def needless(self) -> frozenset[int]:
        """Servers that one system only names, where nothing leads, and which are servers of
        another system: that is what the name means.
        """
        if len(self.systems) == 1:
            return frozenset()
        known: dict[str, set[str]] = {}
        for system, own in self.systems.items():
            for name in (*(one.name for one in own.servers if one.loaded), *own.known_as):
                known.setdefault(name, set()).add(system)
        linked = {end for one in self.link_rows for end in (one.a, one.b)}
        return frozenset(
            number
            for number, one in enumerate(self.servers)
            if not one.loaded and number not in linked and known.get(one.name, set()) - {one.system}
        )

    def _label(self, server: int) -> str:
        one = self.servers[server]
        return f"{one.system}:{one.name}" if one.name in self.shared else one.name

    def _meet(self, system: str, state: State) -> _Met:
        """A state with its place and server: one record of equal ones, as long as these are not
        too many."""
        found = self.met.get((system, state))
        if found is None:
            key = system, self.systems[system].loop_key(state)
            place = self.place_of.setdefault(key, len(self.place_of))
            if len(self.met) >= MOST_MET:
                self.met.clear()
            found = _Met(system, state, place, self.number[system, state.server])
            self.met[system, state] = found
        return found

    def _add(self, point: Point, state: _Met | None) -> int:
        self.points.append(point)
        self.states.append(state)
        return len(self.points) - 1

    def _forward(self, start: int, ends: Mapping[int, int]) -> None:
        """Adds the forwards out of a point: where each leads, with the number of its
        description.
        """
        self.starts.extend([start] * len(ends))
        self.ends.extend(ends)
        self.described.extend(ends.values())

    def _ends(self, here: int, begin: _Met, waiting: deque[int]) -> dict[int, int]:
        """The points that a message in a state at a server enters next, each with the number of
        what describes the forward there.
        """
        found: dict[int, int] = {}
        for leaving in self._leaving(begin):
            key = leaving.to.place, leaving.guards
            self.work -= _STEP
            if self.work <= 0:
                self.cut[here] = None
                return found
            end = self.point_of.get(key)
            if end is None and len(self.points) >= self.most:
                self.cut[here] = None
                continue
            link = self._link(here, leaving)
            if end is None:
                end = self.point_of[key] = self._arrival(here, link, leaving)
                waiting.append(end)
            if end in found:
                continue
            before = self.points[end]
            if before.link != -2 and (before.link, before.previous) != (link, here):
                # Entered over several links: the point is that of none of them.
                self.points[end] = replace(before, link=-2, previous=-2)
            way = leaving.way
            said = _Described(
                way.rule,
                way.confidence,
                way.source,
                way.cost or 0,
                str(leaving.branch),
                self._as_text(leaving.before),
            )
            found[end] = self.descriptions.setdefault(said, len(self.descriptions))
        return found

    def _as_text(self, steps: _Steps | None) -> str:
        """The text of steps inside a server; kept, since many ways out of it share theirs."""
        if steps is None:
            return ""
        if steps not in self.texts:
            self.texts[steps] = _as_text(steps)
        return self.texts[steps]

    def _arrival(self, here: int, link: int, leaving: _Exit) -> int:
        server, state = leaving.to.server, leaving.to.state
        way = leaving.way
        point = Point(
            key=f"{self._label(server)}|{state.object}#{len(self.points)}",
            kind="arrival",
            server=server,
            previous=here,
            link=link,
            zone=way.zone,
            cost=way.cost or 0,
            guards=tuple(sorted(leaving.guards)),
            rule=way.rule,
            confidence=way.confidence,
            source=way.source,
            state=state.data,
        )
        return self._add(point, leaving.to)

    def _link(self, here: int, leaving: _Exit) -> int:
        """The link that a way takes: one for all ways between two servers that the same line
        configures under the same name. Its guards are those of all of them."""
        way = leaving.way
        ends = here, leaving.to.server
        guards = tuple(sorted(leaving.guards))
        key = (*ends, way.source, way.role, way.link)
        number = self.links.setdefault(key, len(self.link_rows))
        if number < len(self.link_rows):
            row = self.link_rows[number]
            shared = tuple(guard for guard in row.guards if guard in guards)
            if len(shared) < len(row.guards):
                self.link_rows[number] = replace(row, guards=shared)
        else:
            self.link_rows.append(
                Link(
                    *ends,
                    zone=way.zone,
                    cost=way.cost,
                    role=way.role,
                    configured_by=self.servers[here].name,
                    rule=way.rule,
                    confidence=way.confidence,
                    guards=guards,
                    source=way.source,
                    one_way=True,
                    name=way.link,
                )
            )
        return number

    def _leaving(self, begin: _Met) -> Sequence[_Exit]:
        """The ways out of the server of a state, over all steps inside it."""
        place = begin.place
        if place not in self.exits and place not in self.settled:
            found = self._out_of(begin, FEW_STEPS)
            if found is None:
                self._settle(begin)
            else:
                self.exits[place] = found
        return self.settled.get(place) or self.exits.get(place, [])

    def _settle(self, begin: _Met) -> None:
        """Find the ways out of every state inside a server that comes behind one, of the last
        one first: each then looks at no more than the next ones, also in a circle. Linear in the
        states and their ways out, as long as few states lie on several circles. Of more than
        ``SETTLED`` states those that were not come to are left out."""
        here = begin.server
        steps = STEPS_INSIDE
        self.settling = {begin.place: self._ways(begin)}
        stack = [(begin, iter(self.settling[begin.place]))]
        while stack:
            now, left = stack[-1]
            following = next(
                (
                    one.to
                    for one in left
                    if one.to.server == here
                    and one.to.place not in self.settling
                    and one.to.place not in self.settled
                ),
                None,
            )
            if following is not None and self.work > 0 and len(self.settling) < SETTLED:
                self.work -= _STEP
                ways = self.settling[following.place] = self._ways(following)
                stack.append((following, iter(ways)))
            else:
                if following is not None and steps > 1:
                    steps = 1
                    self.cut[here] = None
                    self.work -= self.whole // 10
                stack.pop()
                self.settled[now.place] = self._out_of(now, steps) or []
        self.settling = {}

    def _out_of(self, begin: _Met, most: int) -> list[_Exit] | None:
        """The ways out, by the number of steps before them; those behind a state that is settled
        are not looked for again. None where ``FEW_STEPS`` were not enough."""
        here = begin.server
        found: list[_Exit] = []
        waiting: deque[tuple[_Met, frozenset[int], Kind, _Before | None]] = deque(
            [(begin, _NOTHING, Kind.COPY, None)]
        )
        seen: dict[Place, list[frozenset[int]]] = {begin.place: [_NOTHING]}
        left: dict[Place, list[frozenset[int]]] = {}
        steps = 0
        while waiting:
            now, guards, kind, before = waiting.popleft()
            steps += 1
            self.work -= _STEP
            if steps > most and most == FEW_STEPS:
                return None
            if steps > most or self.work <= 0:
                self.cut[here] = None
                return found
            ways = self.settling.get(now.place) if self.settling else None
            for to, under, how, way in self._ways(now) if ways is None else ways:
                together = guards | under
                branch = max(kind, how, key=_STRENGTH.__getitem__)
                if to.server != here:
                    if together not in left.setdefault(to.place, []):
                        left[to.place].append(together)
                        found.append(_Exit(to, together, branch, way, self._told(before)))
                    continue
                before_it = seen.setdefault(to.place, [])
                self.work -= len(before_it)
                if any(known <= together for known in before_it):
                    continue
                before_it.append(together)
                taken = _Before(way, before)
                if to.place not in self.settled:
                    waiting.append((to, together, branch, taken))
                    continue
                for beyond in self.settled[to.place]:
                    whole = together | beyond.guards
                    known_there = left.setdefault(beyond.to.place, [])
                    self.work -= _STEP + len(known_there)
                    if not any(known <= whole for known in known_there):
                        known_there.append(whole)
                        strongest = max(branch, beyond.branch, key=_STRENGTH.__getitem__)
                        told = self._told(taken, beyond.before)
                        found.append(_Exit(beyond.to, whole, strongest, beyond.way, told))
        return found

    def _told(self, before: _Before | None, rest: _Steps | None = None) -> _Steps | None:
        """Steps in their order, before those of ``rest``. Linear in those of ``before``."""
        while before is not None:
            rest = _Steps(before.way, rest, 1 + (rest.length if rest else 0))
            before = before.earlier
            self.work -= 1
        return rest

    def _ways(self, met: _Met) -> list[_Onward]:
        """Where the ways of a state lead."""
        if met.ways is None:
            met.ways = self._looked_at(met.system, met.state, met.server)
        return met.ways

    def _looked_at(self, system: str, state: State, here: int) -> list[_Onward]:
        if not self.servers[here].loaded:
            return []
        transition = self.systems[system].step(state)
        if transition.is_dead_end:
            self.dead_ends[here, state.object] = None
        if transition.open_end is not None:
            self.open_ends.setdefault(here, transition.open_end.text)
        ways = transition.ways
        choices = _choices(ways)
        found = []
        for number, way in enumerate(ways):
            if way.perhaps_taken and way.position is not None:
                self.guards.perhaps_taken(here, way, way.position)
            # One of a single one is no choice.
            kind = Kind.COPY if way.kind is Kind.ONE_OF and choices[way.choice] == 1 else way.kind
            to = self._target(system, way)
            own = self.guards.of_way(system, ways, number, kind)
            if to is not None and own is not None:
                met = self._meet(*to)
                if way.position is not None and met.server != here:
                    own |= {self.guards.of_position(way.position, way.source)}
                found.append(_Onward(met, own, kind, way))
        return found

    def _target(self, system: str, way: Way) -> tuple[str, State] | None:
        """Where a way leads; None to an ending, to what is not loaded, or in another reading."""
        if isinstance(way.to, Ending) or way.kind is Kind.READING:
            return None
        found: tuple[str, State | None] = system, None
        if isinstance(way.to, Handover):
            seam = self.seams.get((system, way.to.system))
            found = way.to.system, way.to.state if seam is None else seam.translate(way.to.state)
        else:
            found = system, way.to
        name, state = found
        return (name, state) if state is not None and (name, state.server) in self.number else None

    def _tables(self) -> GraphTables:
        points = [
            replace(point, link=-1, previous=-1) if point.link == -2 else point
            for point in self.points
        ]
        return GraphTables(
            STEPPING,
            self._server_rows(),
            points,
            self.guards.rows,
            self.link_rows,
            self._forwards(points),
        )

    def _forwards(self, points: Sequence[Point]) -> ForwardRows:
        """The forwards by start and end, each built when it is asked for: among the members of a
        cluster there are many more than there are members, and most of them read alike."""
        starts, ends, described = (
            np.array(each, np.int32) for each in (self.starts, self.ends, self.described)
        )
        order = np.lexsort((ends, starts))
        starts, ends, described = starts[order], ends[order], described[order]
        descriptions = list(self.descriptions)

        def forward(row: int) -> Forward:
            start, end = int(starts[row]), int(ends[row])
            said = descriptions[described[row]]
            return Forward(
                key=f"{points[start].key}>{points[end].key}",
                start=start,
                end=end,
                guards=points[end].guards,
                rule=said.rule,
                confidence=said.confidence,
                source=said.source,
                cost=said.cost,
                branch=said.branch,
                steps=said.steps,
            )

        return ForwardRows(starts, ends, forward)

    def _server_rows(self) -> list[Server]:
        """The servers; one whose ways were not all looked at, or are not all stated, may lead
        anywhere.
        """
        why = {number: no_way_out(where) for number, where in reversed(self.dead_ends)}
        why |= self.open_ends
        why |= dict.fromkeys(self.cut, "not all its ways were followed")
        return [
            replace(one, open_ended=True, incomplete=one.incomplete or why[number])
            if number in why
            else one
            for number, one in enumerate(self.servers)
        ]

    def _findings(self) -> Iterator[Finding]:
        for number in self.cut:
            one = self.servers[number]
            message = (
                f"Not all ways of messages from {one.name} were followed: there are too "
                "many. Answers over it are not complete."
            )
            yield WAYS_CUT.at(one.source, message, server=one.name)
        for number, where in self.dead_ends:
            one = self.servers[number]
            message = (
                f"At {one.name} {no_way_out(where)}: what happens to it is not stated. Answers "
                "over it are not complete."
            )
            yield NO_WAY_OUT.at(one.source, message, server=one.name)


_NONE: Counter[str] = Counter()


def _choices(ways: Sequence[Way]) -> Counter[str]:
    """How many ways there are of each choice."""
    of_choices = [way.choice for way in ways if way.kind is Kind.ONE_OF]
    return Counter(of_choices) if of_choices else _NONE


def _as_text(steps: _Steps) -> str:
    """Steps inside a server as the JSON text of a forward; ``STEPS_TOLD`` of many."""
    told: list[str] = []
    now: _Steps | None = steps
    while now is not None and len(told) < STEPS_TOLD:
        way, now = now.way, now.rest
        told.append(_step_as_text(way.text, way.rule, way.source))
    if steps.length > STEPS_TOLD:
        told.append(_step_as_text(f"and {steps.length - STEPS_TOLD:,} more", "", NOWHERE))
    return f"[{', '.join(told)}]"


def _step_as_text(text: str, rule: str, source: Source) -> str:
    """A step, as ``json`` writes it: by hand, since a graph has very many."""
    words = map(encode_basestring, (text, rule, source.file))
    return '{{"text": {}, "rule": {}, "file": {}, "line": {}}}'.format(*words, source.line)
