"""Messages by which two configurations of an EMS network can be told apart.

Only links whose guards differ are looked at, and those that lead on otherwise by their zones. For
each, and each topic that they concern, a message is looked for that passes in one of them only, at
the constants of the selectors that stand there (``selectors.witnesses``). Who gets it from whom is
then read off the rows of both graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.findings import Source
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.forwarding.row_differences import RowDifferences
from topograph.forwarding.rows import RowWalks
from topograph.inexact import LeftOut
from topograph.message import Properties
from topograph.selectors.equivalence import match_alike
from topograph.selectors.selector import Selector
from topograph.systems.contract.changes import Known, Probe, Probes, nothing_known
from topograph.systems.contract.system import Change
from topograph.systems.ems.changes.causes import (
    BridgeChanges,
    Causes,
    DecidedBy,
    Entries,
    Hop,
    Kind,
    Zone,
    ZoneChanges,
)
from topograph.systems.ems.changes.effects import Effects
from topograph.systems.ems.changes.entry_probes import at_entries
from topograph.systems.ems.changes.message_conditions import Conditions, Tried, of_guard
from topograph.systems.ems.changes.publishers import pairs_of, publishers_of
from topograph.systems.ems.destinations.example_names import names_of
from topograph.systems.ems.destinations.guard_index import GuardReader, index_of, judge
from topograph.systems.ems.destinations.topics import is_wildcard, matches
from topograph.systems.ems.network.legality import is_legal
from topograph.systems.ems.network.walks import is_arrival

MOST_KINDS = 30
"""Messages that are told apart for one topic at one link."""

MOST_MESSAGES = 200
"""Distinct messages that are followed."""


def probes(
    before: ForwardingGraph, after: ForwardingGraph, change: Change, known: Known, budget: Budget
) -> Probes:
    """See ``Changes.probes``. Linear in the links; for each message that is told what
    ``RowDifferences`` takes.
    """
    index_of(after, like=before)
    graphs = before, after
    conditions = Conditions(graphs, known)
    arrivals = _Arrivals(graphs)
    search = _Search(graphs, conditions, budget)
    entries = Entries(change)
    causes = Causes(arrivals.zones_changed(entries), BridgeChanges(change))
    told: dict[tuple[str, Kind], Properties] = {}
    undecided: list[tuple[str, Source]] = []
    found_: list[Probe] = []
    try:
        for hop, points in arrivals.changed():
            sides = arrivals.guards(points)
            found = list(search.told_apart(sides))
            for topic, properties, kind, failing in found:
                told.setdefault((topic, kind), properties)
                causes.add(topic, kind, hop, entries.lines(hop, topic, failing))
            if found or None in sides or search.asks_the_same(sides):
                continue
            if texts := _changed_selectors(sides):
                place = entries.route(hop)
                ends = " to ".join(hop)
                undecided.append(
                    (f"no message was found of which {texts} decides otherwise from {ends}", place)
                )
        for topic, properties, kind in search.passing(arrivals.leading_on(causes.zones.hops)):
            told.setdefault((topic, kind), properties)
        found_ += _with_publishers(graphs, told, causes, Effects(graphs, change, known), budget)
    except BudgetSpent:
        search.complete = False
    topics = {topic: causes.first(topic) for topic, _ in told}
    sent = at_entries(
        change, known, graphs, conditions, (topics, lambda: search.patterns, causes), budget
    )
    complete = search.complete and sent.complete and len(told) <= MOST_MESSAGES
    left_out = () if complete else (LeftOut("messages that the change concerns", 0),)
    return Probes((*found_, *sent.found), () if budget.spent else left_out, tuple(undecided))


Sides = Sequence[list[Guard] | None]
"""What a link asks of a message before and after; None where there is no link."""

_NOWHERE = (-1, -1, -1)


class _Arrivals:
    """The arrivals of two graphs beside each other, by key: to, from. Linear in the points."""

    def __init__(self, graphs: tuple[ForwardingGraph, ForwardingGraph]) -> None:
        self._graphs = graphs
        self._zones: list[Zone] = []
        sets: dict[tuple[str, ...], int] = {}
        zones: dict[Zone, int] = {}
        self._sides: list[dict[str, tuple[int, int, int]]] = []
        """By key what stands for the guards, for the zone, and the number of the point."""
        for graph in graphs:
            numbers, distinct = graph.guard_sets
            alike = [
                sets.setdefault(
                    tuple(sorted(graph.guards[number].id for number in guards)), len(sets)
                )
                for guards in distinct
            ]
            columns = graph.columns
            places = np.flatnonzero(is_arrival(graph))
            kinds, types = columns.zone.values, columns.zone_type.values
            coded = columns.zone.codes.astype(np.int64) * len(types) + columns.zone_type.codes
            pairs, of_point = np.unique(coded[places], return_inverse=True)
            named = [
                zones.setdefault((kinds[one // len(types)], types[one % len(types)]), len(zones))
                for one in pairs.tolist()
            ]
            keys, guards_of = columns.key, numbers[places].tolist()
            self._sides.append(
                {
                    keys[place]: (alike[own], named[zone], place)
                    for place, own, zone in zip(
                        places.tolist(), guards_of, of_point.tolist(), strict=True
                    )
                }
            )
        self._zones = list(zones)

    def changed(self) -> list[tuple[Hop, tuple[Point | None, Point | None]]]:
        """Those whose guards are not the same, or that only one graph has, in order."""
        was, now = self._sides
        changed = {
            key
            for key in was.keys() | now.keys()
            if was.get(key, _NOWHERE)[0] != now.get(key, _NOWHERE)[0]
        }
        return [(self._hop(key), self._points(key)) for key in sorted(changed)]

    def guards(self, points: tuple[Point | None, Point | None]) -> Sides:
        """What stands on an arrival before and after."""
        return tuple(
            None if point is None else [graph.guards[number] for number in point.guards]
            for graph, point in zip(self._graphs, points, strict=True)
        )

    def zones_changed(self, entries: Entries) -> ZoneChanges:
        """What another zone of links does."""
        was, now = self._sides
        changed = [key for key, one in was.items() if key in now and now[key][1] != one[1]]
        if not changed:
            return ZoneChanges(({}, {}), (), entries)
        named = [
            {self._hop(key): self._zones[one[1]] for key, one in side.items()}
            for side in self._sides
        ]
        return ZoneChanges((named[0], named[1]), map(self._hop, sorted(changed)), entries)

    def leading_on(self, hops: Collection[Hop]) -> list[Sides]:
        """What stands on the arrivals of some hops, each that differs once."""
        found: dict[tuple[int, int], Sides] = {}
        was, now = self._sides
        for key in sorted(was.keys() & now.keys()) if hops else ():
            if self._hop(key) in hops:
                mark = was[key][0], now[key][0]
                if mark not in found:
                    found[mark] = self.guards(self._points(key))
        return list(found.values())

    def _hop(self, key: str) -> Hop:
        for graph, side in zip(self._graphs, self._sides, strict=True):
            if key in side:
                columns, place = graph.columns, side[key][2]
                return (
                    graph.servers[int(columns.previous[place])].name,
                    graph.servers[int(columns.server[place])].name,
                )
        raise KeyError(key)

    def _points(self, key: str) -> tuple[Point | None, Point | None]:
        points = [
            graph.points[side[key][2]] if key in side else None
            for graph, side in zip(self._graphs, self._sides, strict=True)
        ]
        return points[0], points[1]


def _ids(guards: Iterable[Guard] | None) -> Counter[str]:
    return Counter(one.id for one in guards or ())


class _Search:
    """The search for messages that a link lets pass on one side only. ``complete`` is False
    where something was left out.
    """

    def __init__(
        self, graphs: Sequence[ForwardingGraph], conditions: Conditions, budget: Budget
    ) -> None:
        self._budget = budget
        self._guards = list({one.id: one for graph in graphs for one in graph.guards}.values())
        self._conditions = conditions
        self._read = GuardReader()
        self.complete = True

    @cached_property
    def patterns(self) -> list[str]:
        """The patterns of all guards."""
        return self._all_patterns(self._guards)

    def told_apart(self, sides: Sides) -> Iterator[tuple[str, Properties, Kind, list[Guard]]]:
        """For each topic that the changed guards of a link concern, messages that pass on one
        side only, one of each kind that selectors elsewhere tell apart, with the guards that
        stop it on the other. Linear in topics, messages that are tried, and selectors. Raises
        BudgetSpent."""
        was, now = sides[0] or [], sides[1] or []
        differing = {*(_ids(was) - _ids(now)), *(_ids(now) - _ids(was))}
        here = self._all_patterns(was + now)
        changed = (
            here
            if None in sides
            else self._all_patterns(one for one in was + now if one.id in differing)
        )

        def differs(topic: str, properties: Properties) -> bool:
            passed, passes = (self._pass(side, topic, properties) for side in sides)
            return passed != passes

        own = [one for one in was + now if one.kind == "selector"]
        for topic, properties, kind in self._kinds(changed, here, own, differs):
            passed = self._pass(sides[0], topic, properties)
            stopping = [
                one
                for one in (now if passed else was)
                if not self._read.passes(one, topic, properties)
            ]
            yield topic, properties, kind, stopping

    def passing(self, links: Sequence[Sides]) -> Iterator[tuple[str, Properties, Kind]]:
        """For each topic that the guards of some links concern, messages that pass one of these
        on either side, one of each kind. Raises BudgetSpent."""
        if not links:
            return
        guards = [one for sides in links for side in sides for one in side or ()]
        here = self._all_patterns(guards)

        def passes(topic: str, properties: Properties) -> bool:
            return any(self._pass(side, topic, properties) for sides in links for side in sides)

        own = [one for one in guards if one.kind == "selector"]
        yield from self._kinds(here, here, own, passes)

    def asks_the_same(self, sides: Sides) -> bool:
        """Whether a link asks the same of every message before and after: of each topic that
        passes at all, selectors that match the same messages; of one that does not, they decide
        nothing. Linear in topics and guards, and as ``match_alike``. Raises BudgetSpent."""
        topics, all_ = self._topics(here := self._all_patterns(_both(sides)), here)
        self._budget.check()
        return all_ and all(self._is_same_of(sides, topic) for topic in topics)

    def _is_same_of(self, sides: Sides, topic: str) -> bool:
        was, now = (self._asked(side, topic) for side in sides)
        if was is None or now is None:
            return was is now
        (known_before, left_before), (known_now, left_now) = was, now
        return left_before == left_now and match_alike(known_before, known_now)

    def _asked(
        self, side: list[Guard] | None, topic: str
    ) -> tuple[frozenset[Selector], frozenset[str]] | None:
        """The selectors that messages of a topic must match to pass, and the guards of which it
        is not known what they say; None where none passes."""
        if side is None:
            return None
        selectors: set[Selector] = set()
        left_open = set()
        for one in side:
            if one.kind == "selector":
                if matches(self._read.payload(one)["topic"], topic):
                    known = {condition.selector for condition in of_guard(one)}
                    selectors |= known
                    left_open |= set() if known else {one.text}
            elif not (verdict := self._read.verdict(one, topic, {})).known:
                left_open.add(one.id)
            elif not verdict.passes:
                return None
        return frozenset(selectors), frozenset(left_open)

    def _topics(
        self, changed: Collection[str], here: Collection[str]
    ) -> tuple[Sequence[str], bool]:
        """A topic for each set of patterns that tell topics apart which ``changed`` ones concern,
        and whether these are all."""
        everywhere = (
            [*self.patterns, *self._beyond(changed)] if any(map(is_wildcard, changed)) else ()
        )
        return names_of(changed, here, everywhere)

    def _kinds(
        self,
        changed: Collection[str],
        here: Collection[str],
        own: Iterable[Guard],
        wanted: Callable[[str, Properties], bool],
    ) -> Iterator[tuple[str, Properties, Kind]]:
        """For each topic that patterns concern the messages that are ``wanted``, one of each
        kind; at the constants of their ``own`` selectors first."""
        topics, all_ = self._topics(changed, here)
        self.complete &= all_
        conditions = list(dict.fromkeys(one for guard in own for one in of_guard(guard)))
        for topic in topics:
            self._budget.check()
            first = [one for one in conditions if one.concerns("topic", topic)]
            tried = Tried(self._conditions.concerning("topic", topic), self._conditions.said, first)
            self.complete &= tried.complete
            known: set[Kind] = set()
            for properties in tried.messages:
                # What a link says of a message is the same for all of a kind: the others need no
                # look at all conditions.
                if not wanted(topic, properties):
                    continue
                self._budget.check()
                kind = tried.kind(properties)
                if kind in known:
                    continue
                known.add(kind)
                if len(known) > MOST_KINDS:
                    self.complete = False
                    break
                yield topic, properties, kind

    def _pass(self, side: list[Guard] | None, topic: str, properties: Properties) -> bool:
        return side is not None and all(self._read.passes(one, topic, properties) for one in side)

    def _all_patterns(self, guards: Iterable[Guard]) -> list[str]:
        return sorted(
            {one for guard in guards for one in _patterns(guard, self._read.payload(guard))}
        )

    def _beyond(self, changed: Collection[str]) -> list[str]:
        """The patterns of bridges, durables and clients that tell topics apart which the changed
        ones concern.
        """
        return sorted(
            {one for pattern in changed for one in self._conditions.patterns("topic", pattern)}
        )


def _both(sides: Sides) -> Iterator[Guard]:
    return (one for side in sides for one in side or ())


def _changed_selectors(sides: Sides) -> str:
    """The selectors of one side only, for people; empty if none differs."""
    was, now = (
        {one.id: one.text for one in side or () if one.kind == "selector"} for side in sides
    )
    return " and ".join(sorted({**was, **now}[key] for key in was.keys() ^ now.keys()))


def _patterns(guard: Guard, payload: Mapping[str, Any]) -> list[str]:
    if guard.kind == "selector":
        return [payload["topic"]]
    if guard.kind == "grant":
        return [*payload.get("secure", ()), *(grant[0] for grant in payload.get("grants", ()))]
    return list(payload.get("patterns", ())) if guard.kind == "global" else []


def _with_publishers(
    graphs: tuple[ForwardingGraph, ForwardingGraph],
    told: Mapping[tuple[str, Kind], Properties],
    causes: Causes,
    effects: Effects,
    budget: Budget,
) -> Iterator[Probe]:
    """Each message that changes anything, with the servers at which it is published."""
    beside = RowDifferences(graphs)
    unique = bool(told) and beside.comparable and all(is_legal(graph) for graph in graphs)
    for (topic, kind), properties in list(told.items())[:MOST_MESSAGES]:
        verdicts = [judge(graph, topic, properties) for graph in graphs]
        closed = Closed(guards=verdicts[0].failing), Closed(guards=verdicts[1].failing)
        if unique:
            rows = beside.reach(closed, budget)
        else:
            made = [
                partial(_rows, graph, shut, budget)
                for graph, shut in zip(graphs, closed, strict=True)
            ]
            whole = beside.of_rows(beside.altered(closed), (made[0], made[1]))
            rows = ((row.reach, [start]) for start, row, _ in whole)
        pairs = pairs_of(rows)
        if pairs:
            starts_of_line = causes.starts(topic, kind)
            found = publishers_of(pairs, beside.names, starts_of_line)
            line = causes.first(topic)
            lines = frozenset((line, *starts_of_line))
            yield Probe(
                f"topic:{topic}",
                properties,
                line,
                starts=found.starts,
                covered=found.covered,
                further=found.further,
                loses=found.loses,
                gains=found.gains,
                decided_by=DecidedBy(causes, properties, topic, kind),
                at_most=effects.at_most(topic, verdicts, (pairs, beside.names), lines)
                if unique
                else nothing_known,
            )


def _rows(
    graph: ForwardingGraph, closed: Closed, budget: Budget, wanted: Sequence[int]
) -> Iterator[NDArray[np.int16]]:
    """The hops from some servers to each that gets what is published there; of an illegal
    network only whether it gets it.
    """
    row_of, walks = hop_row(graph, closed), RowWalks(graph)
    for start in wanted:
        budget.check()
        row = row_of(start)
        if row is None:
            row = np.full(len(graph.servers), -1, np.int16)
            row[graph.point_server[walks.walk([start], closed).points]] = 1
        yield row
