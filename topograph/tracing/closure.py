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
from dataclasses import replace
from functools import partial

import numpy as np

from topograph.findings import Finding, Source
from topograph.forwarding.graph import STEPPING, GraphTables, Link, Server
from topograph.forwarding.lazy_rows import DescribedForwards
from topograph.forwarding.points import PointColumns
from topograph.records import record
from topograph.rules.unnumbered import NO_WAY_OUT, WAYS_CUT
from topograph.tracing.closed_points import ClosedPoints
from topograph.tracing.met_states import Before, Exit, Met, Onward, Place, Said, descriptions_of
from topograph.tracing.numbered_guards import NOTHING, NumberedGuards
from topograph.tracing.states import (
    Ended,
    Handover,
    Passage,
    Seam,
    State,
    Systems,
    Way,
    no_way_out,
)
from topograph.tracing.told_steps import Steps, ToldStep
from topograph.tracing.trace import Ending, Kind

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

MOST_MET = 1 << 17
"""States that are kept with their ways; of more, they are met again."""


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
        self.passing = {name: own.passing for name, own in systems.items()}
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
        self.points = ClosedPoints()
        self.met: dict[tuple[str, State], Met] = {}
        self.passed: dict[Place, Sequence[Onward]] = {}
        self.behind: dict[int, dict[Place, tuple[list[Exit], int]]] = {}
        self.place_of: dict[tuple[str, Hashable], Place] = {}
        self.arrived: dict[int, Met] = {}
        self.point_of: dict[tuple[Place, frozenset[int]], int] = {}
        self.exits: dict[Place, list[Exit]] = {}
        self.settled: dict[Place, list[Exit]] = {}
        self.settling: dict[Place, Sequence[Onward]] = {}
        self.starts, self.ends, self.described = array("i"), array("i"), array("i")
        self.said: list[Said] = []
        self.links: dict[tuple[int, int, Source, str, str], int] = {}
        self.link_rows: list[Link] = []
        self.link_of: dict[int, tuple[Way, int, int]] = {}
        self.cut: dict[int, None] = {}
        self.dead_ends: dict[tuple[int, str], None] = {}
        self.open_ends: dict[int, str] = {}

    def run(self) -> Closure:
        for number, one in enumerate(self.servers):
            self.points.begin(f"{self._label(number)}|origin", "origin", number, one.source)
        waiting: deque[int] = deque()
        for server, own in sorted(self._entries().items()):
            begins = list(own.values())
            points: Sequence[int] = ()
            if len(begins) == 1:
                self.points.states[server] = _state(begins[0]).data
            else:
                points = self._entry_points(server, map(_state, begins))
            origin: dict[int, int] = {}
            for number, begin in enumerate(begins):
                if isinstance(begin, Ended):
                    self.work -= _STEP
                    continue
                ends = self._ends(server, begin, waiting)
                for end, said in ends.items():
                    origin.setdefault(end, said)
                if points and ends:
                    self._forward(points[number], ends)
            self._forward(server, origin)
            # What is kept of states that only begin here is asked for no more.
            self.exits, self.settled, self.behind = {}, {}, {}
        while waiting:
            point = waiting.popleft()
            arrived = self.arrived[point]
            self._forward(point, self._ends(arrived.server, arrived, waiting))
        for system, stepping in sorted(self.systems.items()):
            for joined in stepping.joined():
                members = [self.number[system, name] for name in joined.servers]
                self.guards.perhaps_joined(members, joined.assumption)
        return Closure(self._tables(), tuple(self._findings()))

    def _entries(self) -> Mapping[int, Mapping[int, Met | Ended]]:
        """The states in which messages begin, by the number of their server, each once: by its
        place, and by a negative number where messages end at once."""
        entries: dict[int, dict[int, Met | Ended]] = {}
        for system, stepping in sorted(self.systems.items()):
            known = stepping.beginning if stepping.passing is not None else None
            for state in stepping.entries() if known is None else known():
                if isinstance(state, Ended):
                    own = entries.setdefault(self.number[system, state.server], {})
                    own[-1 - len(own)] = state
                else:
                    met = self._meet(system, state)
                    entries.setdefault(met.server, {}).setdefault(met.place, met)
        return entries

    def _entry_points(self, server: int, states: Iterable[State | Ended]) -> Sequence[int]:
        """A point for each of several states in which messages begin at a server."""
        label, first = self._label(server), len(self.points)
        keys, data = [], []
        for number, state in enumerate(states, first):
            keys.append(f"{label}|entry|{state.object}#{number}")
            data.append(state.data)
        self.points.begin_all(keys, "entry", server, self.servers[server].source, data)
        return range(first, len(self.points))

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

    def _meet(self, system: str, state: State) -> Met:
        """A state with its place and server: one record of equal ones, as long as these are not
        too many."""
        found = self.met.get((system, state))
        if found is None:
            place = self._place(system, self.systems[system].loop_key(state))
            if len(self.met) >= MOST_MET:
                self.met.clear()
            found = Met(system, place, self.number[system, state.server], state)
            self.met[system, state] = found
        return found

    def _place(self, system: str, key: Hashable) -> Place:
        return self.place_of.setdefault((system, key), len(self.place_of))

    def _forward(self, start: int, ends: Mapping[int, int]) -> None:
        """Adds the forwards out of a point: where each leads, with the number of its
        description.
        """
        self.starts.extend([start] * len(ends))
        self.ends.extend(ends)
        self.described.extend(ends.values())

    def _ends(self, here: int, begin: Met, waiting: deque[int]) -> dict[int, int]:
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
            self.points.enter(end, link, here)
            found[end] = len(self.said)
            self.said.append(Said(leaving.way, leaving.branch, leaving.before))
        return found

    def _arrival(self, here: int, link: int, leaving: Exit) -> int:
        server, state = leaving.to.server, leaving.to.state
        key = f"{self._label(server)}|{state.object}#{len(self.points)}"
        guards = tuple(sorted(leaving.guards))
        number = self.points.arrival(key, server, (link, here), leaving.way, guards, state.data)
        self.arrived[number] = leaving.to
        return number

    def _link(self, here: int, leaving: Exit) -> int:
        """The link that a way takes: one for all ways between two servers that the same line
        configures under the same name. Its guards are those of all of them."""
        way = leaving.way
        known, taken_at, number = self.link_of.get(id(way), (None, -1, -1))
        if known is way and taken_at == here and not self.link_rows[number].guards:
            return number
        ends = here, leaving.to.server
        guards = tuple(sorted(leaving.guards))
        key = (*ends, way.source, way.role, way.link)
        number = self.links.setdefault(key, len(self.link_rows))
        self.link_of[id(way)] = way, here, number
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

    def _leaving(self, begin: Met) -> Sequence[Exit]:
        """The ways out of the server of a state, over all steps inside it."""
        place = begin.place
        if place not in self.exits and place not in self.settled:
            passage = self._passage(begin)
            if passage is not None:
                return self._passing(begin, passage)
            found = self._behind_first(begin)
            if found is None:
                found = self._out_of(begin, FEW_STEPS, few=True)
            if found is None:
                self._settle(begin)
            else:
                self.exits[place] = found
        return self.settled.get(place) or self.exits.get(place, [])

    def _behind_first(self, begin: Met) -> list[Exit] | None:
        """The ways out of a server where all messages in a state take the one way out of it, and
        what is behind that is the same for many: it is followed once. None where that is not so."""
        ways = self._ways(begin)
        if len(ways) != 1 or ways[0].guards or ways[0].branch is not Kind.COPY:
            return None
        to, _, _, _, told = ways[0]
        if to.server != begin.server or not self.systems[to.system].alike(to.state):
            return None
        behind = self.behind.setdefault(begin.server, {})
        if to.place not in behind:
            before = self.work
            found = self._out_of(to, FEW_STEPS - 1, few=True)
            if found is None:
                return None
            behind[to.place] = found, before - self.work
        exits, work = behind[to.place]
        self.work -= work
        return [
            Exit(there, guards, branch, way, Steps(told, before))
            for there, guards, branch, way, before in exits
        ]

    def _settle(self, begin: Met) -> None:
        """Find the ways out of every state inside a server that comes behind one, of the last
        one first: each then looks at no more than the next ones, also in a circle. Linear in the
        states and their ways out, as long as few states lie on several circles. Of more than
        ``SETTLED`` states those that were not come to are left out."""
        here = begin.server
        # What is settled is come to in another order.
        self.behind.pop(here, None)
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

    def _out_of(self, begin: Met, most: int, *, few: bool = False) -> list[Exit] | None:
        """The ways out, by the number of steps before them; those behind a state that is settled
        are not looked for again. After ``most`` steps they are cut, or None where it was to take a
        ``few``."""
        here = begin.server
        found: list[Exit] = []
        waiting: deque[tuple[Met, frozenset[int], Kind, Before | None]] = deque(
            [(begin, NOTHING, Kind.COPY, None)]
        )
        seen: dict[Place, list[frozenset[int]]] = {begin.place: [NOTHING]}
        left: dict[Place, list[frozenset[int]]] = {}
        steps = 0
        while waiting:
            now, guards, kind, before = waiting.popleft()
            steps += 1
            self.work -= _STEP
            if steps > most and few:
                return None
            if steps > most or self.work <= 0:
                self.cut[here] = None
                return found
            ways = self.settling.get(now.place) if self.settling else None
            for to, under, how, way, told in self._ways(now) if ways is None else ways:
                together = guards | under
                branch = max(kind, how, key=_STRENGTH.__getitem__)
                if to.server != here:
                    if together not in left.setdefault(to.place, []):
                        left[to.place].append(together)
                        found.append(Exit(to, together, branch, way, self._told(before)))
                    continue
                before_it = seen.setdefault(to.place, [])
                self.work -= len(before_it)
                if any(known <= together for known in before_it):
                    continue
                before_it.append(together)
                taken = Before(told, before)
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
                        steps_before = self._told(taken, beyond.before)
                        found.append(Exit(beyond.to, whole, strongest, beyond.way, steps_before))
        return found

    def _told(self, before: Before | None, rest: Steps | None = None) -> Steps | None:
        """Steps in their order, before those of ``rest``. Linear in those of ``before``."""
        while before is not None:
            rest = Steps(before.told, rest)
            before = before.earlier
            self.work -= 1
        return rest

    def _ways(self, met: Met) -> Sequence[Onward]:
        """Where the ways of a state lead."""
        if met.ways is None:
            passage = self._passage(met)
            alike = passage is not None or self.systems[met.system].alike(met.state)
            met.ways = self.passed.get(met.place) if alike else None
            if met.ways is None:
                met.ways = (
                    self._looked_at(met.system, met.state, met.server)
                    if passage is None
                    else self._one_by_one(met, passage)
                )
                if alike:
                    self.passed[met.place] = met.ways
        return met.ways

    def _passage(self, met: Met) -> Passage | None:
        """What becomes of a message from a state on that only passes its server."""
        passing = self.passing[met.system]
        return None if passing is None else passing(met.state)

    def _passing(self, met: Met, passage: Passage) -> Sequence[Exit]:
        """The way out of a server of a message that passes it."""
        self.work -= _STEP * (1 + len(passage.inside))
        if passage.out is None:
            return ()
        before, named = None, passage.named
        for way in reversed(passage.inside):
            before = Steps(ToldStep(way, named), before)
        return (Exit(self._behind(met, passage), NOTHING, Kind.COPY, passage.out, before),)

    def _one_by_one(self, met: Met, passage: Passage) -> list[Onward]:
        """The way of a message that passes its server, with those of the states behind it."""
        ways: list[Onward] = []
        if passage.out is not None:
            behind, told = self._behind(met, passage), ToldStep(passage.out)
            ways = [Onward(behind, NOTHING, Kind.COPY, passage.out, told)]
        named, between = passage.named, passage.between()
        for way, key in zip(reversed(passage.inside), reversed(between), strict=True):
            to = Met(met.system, self._place(met.system, key), met.server)
            to.ways = ways
            ways = [Onward(to, NOTHING, Kind.COPY, way, ToldStep(way, named))]
        return ways

    def _behind(self, met: Met, passage: Passage) -> Met:
        """The state that a message gets to that passes a server."""
        place, server = self._place(met.system, passage.key()), passage.server
        return Met(met.system, place, self.number[met.system, server], passage=passage)

    def _looked_at(self, system: str, state: State, here: int) -> list[Onward]:
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
                found.append(Onward(met, own, kind, way, ToldStep(way)))
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
        points = self.points.columns()
        forwards = self._forwards(points)
        return GraphTables(
            STEPPING, self._server_rows(), points, self.guards.rows, self.link_rows, forwards
        )

    def _forwards(self, points: PointColumns) -> DescribedForwards:
        """The forwards by start and end, each built when it is asked for: among the members of a
        cluster there are many more than there are members, and most of them read alike."""
        starts, ends, described = (
            np.array(each, np.int32) for each in (self.starts, self.ends, self.described)
        )
        order = np.lexsort((ends, starts))
        said = self.said
        return DescribedForwards(
            points,
            (starts[order], ends[order]),
            described[order],
            partial(descriptions_of, said),
        )

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


def _state(begin: Met | Ended) -> State | Ended:
    return begin if isinstance(begin, Ended) else begin.state


_NONE: Counter[str] = Counter()


def _choices(ways: Sequence[Way]) -> Counter[str]:
    """How many ways there are of each choice."""
    of_choices = [way.choice for way in ways if way.kind is Kind.ONE_OF]
    return Counter(of_choices) if of_choices else _NONE
