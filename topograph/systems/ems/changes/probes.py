"""Messages by which two configurations of an EMS network can be told apart.

Only links whose guards differ are looked at. For each, and each topic that they concern, a message
is looked for that passes in one of them only, at the constants of the selectors that stand there
(``selectors.witnesses``). Who gets it from whom is then read off the rows of both graphs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.facts.ems import EmsRoute
from topograph.findings import Source
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.forwarding.row_differences import Difference, RowDifferences, numbers_of
from topograph.forwarding.rows import RowWalks
from topograph.message import Properties
from topograph.systems.contract.changes import Known, Probe, Probes
from topograph.systems.contract.system import Change
from topograph.systems.ems.changes.entry_probes import at_entries
from topograph.systems.ems.changes.message_conditions import Conditions, Tried, of_guard
from topograph.systems.ems.destinations.example_names import names_of
from topograph.systems.ems.destinations.guard_index import GuardReader, index_of, judge
from topograph.systems.ems.destinations.topics import is_wildcard
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
    conditions = Conditions((before, after), known)
    search = _Search((before, after), conditions, budget)
    told: dict[tuple[str, str], Told] = {}
    undecided: list[tuple[str, Source]] = []
    found_: list[Probe] = []
    try:
        for key, points in _changed_arrivals(before, after):
            sides = tuple(
                None if point is None else [graph.guards[number] for number in point.guards]
                for graph, point in zip((before, after), points, strict=True)
            )
            place = _place(change, frozenset(key.split("|")))
            found = list(search.told_apart(sides))
            for topic, properties, kind, closing in found:
                mark = topic, json.dumps(properties, sort_keys=True)
                told.setdefault(mark, (properties, kind, closing or place))
            if not found and None not in sides and (texts := _changed_selectors(sides)):
                ends = " to ".join(key.split("|")[::-1])
                undecided.append(
                    (f"no message was found of which {texts} decides otherwise from {ends}", place)
                )
        for probe in _with_publishers(before, after, told, budget):
            found_.append(probe)
    except BudgetSpent:
        search.complete = False
    topics = {topic: source for (topic, _), (_, _, source) in reversed(told.items())}
    entries = at_entries(
        change, known, (before, after), conditions, (topics, lambda: search.patterns), budget
    )
    complete = search.complete and entries.complete and len(told) <= MOST_MESSAGES
    return Probes((*found_, *entries.found), tuple(undecided), complete)


Told = tuple[Properties, tuple[bool, ...], Source]
"""A message, its kind, and the line that decides about it."""


def _changed_arrivals(
    before: ForwardingGraph, after: ForwardingGraph
) -> list[tuple[str, tuple[Point | None, Point | None]]]:
    """The arrivals (by key: to, from) whose guards are not the same, or that only one graph has,
    in order. Linear in the points.
    """
    sets: dict[tuple[str, ...], int] = {}
    sides: list[dict[str, tuple[int, int]]] = []
    for graph in (before, after):
        numbers, distinct = graph.guard_sets
        alike = [
            sets.setdefault(tuple(sorted(graph.guards[number].id for number in guards)), len(sets))
            for guards in distinct
        ]
        places = np.flatnonzero(is_arrival(graph)).tolist()
        keys, of_point = graph.columns.key, numbers.tolist()
        sides.append({keys[place]: (alike[of_point[place]], place) for place in places})
    was, now = sides
    changed = {
        key
        for key in was.keys() | now.keys()
        if was.get(key, _NOWHERE)[0] != now.get(key, _NOWHERE)[0]
    }
    return [
        (
            key,
            (
                before.points[was[key][1]] if key in was else None,
                after.points[now[key][1]] if key in now else None,
            ),
        )
        for key in sorted(changed)
    ]


_NOWHERE = (-1, -1)


def _ids(guards: Iterable[Guard] | None) -> Counter[str]:
    return Counter(one.id for one in guards or ())


def _place(change: Change, ends: Collection[str]) -> Source:
    """Where the change says something of two servers: a line that comes, else one that goes."""
    of_both = [fact for fact in (*change.added, *change.removed) if fact.server in ends]
    of_link = [fact for fact in of_both if isinstance(fact, EmsRoute) and fact.name in ends]
    return next((fact.source for fact in (*of_link, *of_both)), Source(""))


Sides = Sequence[list[Guard] | None]
"""What a link asks of a message before and after; None where there is no link."""


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

    def told_apart(
        self, sides: Sides
    ) -> Iterator[tuple[str, Properties, tuple[bool, ...], Source | None]]:
        """For each topic that the changed guards of a link concern, messages that pass on one
        side only, one of each kind that selectors elsewhere tell apart, with the selector's line
        that stops it. Linear in topics, messages that are tried, and selectors. Raises
        BudgetSpent."""
        was, now = sides[0] or [], sides[1] or []
        differing = {*(_ids(was) - _ids(now)), *(_ids(now) - _ids(was))}
        here = self._all_patterns(was + now)
        changed = (
            here
            if None in sides
            else self._all_patterns(one for one in was + now if one.id in differing)
        )
        everywhere = (
            [*self.patterns, *self._beyond(changed)] if any(map(is_wildcard, changed)) else ()
        )
        topics, all_ = names_of(changed, here, everywhere)
        self.complete &= all_
        own = [one for guard in was + now if guard.kind == "selector" for one in of_guard(guard)]
        for topic in topics:
            self._budget.check()
            first = [one for one in own if one.concerns("topic", topic)]
            tried = Tried(self._conditions.concerning("topic", topic), self._conditions.said, first)
            self.complete &= tried.complete
            # What a link says of a message is the same for all of a kind: the others need no look
            # at all conditions.
            decided = (
                (properties, passed)
                for properties in tried.messages
                for passed, passes in [[self._pass(side, topic, properties) for side in sides]]
                if passed != passes
            )
            known: set[tuple[bool, ...]] = set()
            for properties, passed in decided:
                self._budget.check()
                kind = tried.kind(properties)
                if kind in known:
                    continue
                known.add(kind)
                if len(known) > MOST_KINDS:
                    self.complete = False
                    break
                closed = [
                    one
                    for one in (now if passed else was)
                    if one.kind == "selector" and one.source.file
                ]
                stopping = (
                    one.source for one in closed if not self._read.passes(one, topic, properties)
                )
                yield topic, properties, kind, next(stopping, None)

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
    before: ForwardingGraph,
    after: ForwardingGraph,
    told: Mapping[tuple[str, str], Told],
    budget: Budget,
) -> Iterator[Probe]:
    """Each message with the servers that get it on one side only. Those of one kind that change
    the same pairs of servers for the same topic are one.
    """
    graphs = before, after
    beside = RowDifferences(graphs)
    unique = bool(told) and beside.comparable and all(is_legal(graph) for graph in graphs)
    seen: set[tuple[str, tuple[bool, ...], Pairs]] = set()
    for (topic, _), (properties, kind, source) in list(told.items())[:MOST_MESSAGES]:
        failing = [judge(graph, topic, properties).failing for graph in graphs]
        closed = Closed(guards=failing[0]), Closed(guards=failing[1])
        if unique:
            rows = beside.unique(closed, budget)
        else:
            made = [
                partial(_rows, graph, shut, budget)
                for graph, shut in zip(graphs, closed, strict=True)
            ]
            rows = beside.of_rows(beside.altered(closed), (made[0], made[1]))
        pairs = _pairs(rows)
        if pairs and (topic, kind, pairs) not in seen:
            seen.add((topic, kind, pairs))
            yield Probe(
                f"topic:{topic}", properties, source, publishers=_publishers(pairs, beside.names)
            )


Pairs = frozenset[tuple[bytes, bytes, tuple[int, ...]]]
"""The pairs of servers (numbers of names) that differ: the ends of some starts, those of them
that are opened (``RowDifference.reach``), and the starts.
"""


def _pairs(rows: Iterable[Difference]) -> Pairs:
    starts: dict[tuple[bytes, bytes], list[int]] = {}
    for start, row, _ in rows:
        if row.reach[0]:
            starts.setdefault(row.reach, []).append(start)
    return frozenset((differs, opened, tuple(own)) for (differs, opened), own in starts.items())


def _publishers(pairs: Pairs, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each end, by name, the starts. Ends with the same starts share one tuple."""
    groups = [(starts, numbers_of(differs)) for differs, _, starts in pairs]
    has = np.zeros((len(names), len(groups)), np.bool_)
    for column, (_, ends) in enumerate(groups):
        has[ends, column] = True
    shared: dict[bytes, tuple[str, ...]] = {}
    found = {}
    for end in np.flatnonzero(has.any(axis=1)).tolist():
        mark = has[end].tobytes()
        if mark not in shared:
            every = sorted(
                {
                    start
                    for column in np.flatnonzero(has[end]).tolist()
                    for start in groups[column][0]
                }
            )
            shared[mark] = tuple(names[start] for start in every)
        found[names[end]] = shared[mark]
    return found


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
