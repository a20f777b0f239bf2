"""Messages by which two configurations of an EMS network can be told apart.

Only links whose guards differ are looked at. For each, and each topic that they concern, a message is looked for that passes in one of them only, at the
constants of the selectors that stand there (``selectors.witnesses``). Who gets it from whom is then read off the rows of both graphs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topograph.facts.ems import EmsRoute
from topograph.findings import Source
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.forwarding.rows import RowWalks
from topograph.message import Properties
from topograph.systems.changing import Known, Probe, Probes
from topograph.systems.ems.entry_probes import at_entries
from topograph.systems.ems.example_names import MOST_TOPICS, names_of
from topograph.systems.ems.guards import evaluate
from topograph.systems.ems.message_conditions import Conditions, kinds, of_guard
from topograph.systems.ems.publication import judge
from topograph.systems.protocol import Change

MOST_KINDS = 30
"""Messages that are told apart for one topic at one link."""

MOST_MESSAGES = 200
"""Distinct messages that are followed."""


def probes(before: ForwardingGraph, after: ForwardingGraph, change: Change, known: Known, budget: Budget) -> Probes:
    """See ``Changes.probes``. Linear in the links; two rows a server for each message that is told."""
    was, now = _arrivals(before), _arrivals(after)
    conditions = Conditions((before, after), known)
    search = _Search((before, after), conditions, budget)
    told: dict[tuple[str, str], Told] = {}
    undecided: list[tuple[str, Source]] = []
    found_: list[Probe] = []
    try:
        for key in sorted({*was, *now}):
            sides = tuple(
                None if point is None else [graph.guards[number] for number in point.guards]
                for graph, point in ((before, was.get(key)), (after, now.get(key)))
            )
            if None not in sides and _ids(sides[0]) == _ids(sides[1]):
                continue
            place = _place(change, frozenset(key.split("|")))
            found = list(search.told_apart(sides))
            for topic, properties, kind, closing in found:
                mark = topic, json.dumps(properties, sort_keys=True)
                told.setdefault(mark, (properties, kind, closing or place))
            if not found and None not in sides and (texts := _changed_selectors(sides)):
                ends = " to ".join(key.split("|")[::-1])
                undecided.append((f"no message was found of which {texts} decides otherwise from {ends}", place))
        for probe in _with_publishers(before, after, told, budget):
            found_.append(probe)
    except BudgetSpent:
        search.complete = False
    entries = at_entries(change, known, (before, after), conditions, budget)
    complete = search.complete and entries.complete and len(told) <= MOST_MESSAGES
    return Probes((*found_, *entries.found), tuple(undecided), complete)


Told = tuple[Properties, tuple[bool, ...], Source]
"""A message, its kind, and the line that decides about it."""


def _arrivals(graph: ForwardingGraph) -> dict[str, Point]:
    """The arrivals by key (to, from)."""
    return {point.key: point for point in graph.points if point.kind == "arrival"}


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
    """The search for messages that a link lets pass on one side only. ``complete`` is False where something was left out."""

    def __init__(self, graphs: Sequence[ForwardingGraph], conditions: Conditions, budget: Budget) -> None:
        self._budget = budget
        self._patterns = _all_patterns(guard for graph in graphs for guard in graph.guards)
        self._conditions = conditions
        self.complete = True

    def told_apart(self, sides: Sides) -> Iterator[tuple[str, Properties, tuple[bool, ...], Source | None]]:
        """For each topic that the changed guards of a link concern, messages that pass on one side only, one of each kind that selectors elsewhere tell
        apart, with the selector's line that stops it. Linear in topics, messages that are tried, and selectors. Raises BudgetSpent."""
        was, now = sides[0] or [], sides[1] or []
        differing = {*(_ids(was) - _ids(now)), *(_ids(now) - _ids(was))}
        here = _all_patterns(was + now)
        changed = here if None in sides else _all_patterns(one for one in was + now if one.id in differing)
        topics = names_of(changed, here, [*self._patterns, *self._beyond(changed)])
        self.complete &= len(topics) <= MOST_TOPICS
        own = [one for guard in was + now if guard.kind == "selector" for one in of_guard(guard)]
        for topic in topics[:MOST_TOPICS]:
            self._budget.check()
            tried = kinds(
                self._conditions.concerning("topic", topic), [one for one in own if one.concerns("topic", topic)]
            )
            self.complete &= tried.complete
            differ = 0
            for properties, kind in tried.found:
                self._budget.check()
                passed, passes = (_pass(side, topic, properties) for side in sides)
                if passed == passes:
                    continue
                differ += 1
                if differ > MOST_KINDS:
                    self.complete = False
                    break
                closed = [one for one in (now if passed else was) if one.kind == "selector" and one.source.file]
                stopping = (one.source for one in closed if not evaluate(one, topic, properties).passes)
                yield topic, properties, kind, next(stopping, None)

    def _beyond(self, changed: Collection[str]) -> list[str]:
        """The patterns of bridges, durables and clients that tell topics apart which the changed ones concern."""
        return sorted({one for pattern in changed for one in self._conditions.patterns("topic", pattern)})


def _pass(side: list[Guard] | None, topic: str, properties: Properties) -> bool:
    return side is not None and all(evaluate(one, topic, properties).passes for one in side)


def _changed_selectors(sides: Sides) -> str:
    """The selectors of one side only, for people; empty if none differs."""
    was, now = ({one.id: one.text for one in side or () if one.kind == "selector"} for side in sides)
    return " and ".join(sorted({**was, **now}[key] for key in was.keys() ^ now.keys()))


def _all_patterns(guards: Iterable[Guard]) -> list[str]:
    return sorted({one for guard in guards for one in _patterns(guard)})


def _patterns(guard: Guard) -> list[str]:
    payload = json.loads(guard.payload)
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
    """Each message with the servers that get it on one side only. Those of one kind that change the same pairs of servers for the same topic are one."""
    seen: set[tuple[str, tuple[bool, ...], bytes]] = set()
    names = sorted({server.name for graph in (before, after) for server in graph.servers})
    for (topic, _), (properties, kind, source) in list(told.items())[:MOST_MESSAGES]:
        rows = [_rows(graph, names, topic, properties) for graph in (before, after)]
        opened, differs = np.zeros((2, len(names), len(names)), np.bool_)
        for start in range(len(names)):
            budget.check()
            was, now = rows[0](start), rows[1](start)
            opened[start], differs[start] = now & ~was, now != was
        mark = topic, kind, np.packbits(differs).tobytes() + np.packbits(opened).tobytes()
        if mark in seen or not differs.any():
            continue
        seen.add(mark)
        publishers = {
            names[end]: tuple(names[start] for start in np.flatnonzero(differs[:, end]).tolist())
            for end in np.flatnonzero(differs.any(axis=0)).tolist()
        }
        yield Probe(f"topic:{topic}", properties, source, publishers=publishers)


def _rows(
    graph: ForwardingGraph, names: list[str], topic: str, properties: Properties
) -> Callable[[int], NDArray[np.bool_]]:
    """A function from a server, numbered as in ``names``, to whether each of them gets a message that is published there."""
    closed = Closed(guards=judge(graph, topic, properties).failing)
    rows, walks = hop_row(graph, closed), RowWalks(graph)
    places = np.array([graph.server_number.get(name, -1) for name in names])

    def row(start: int) -> NDArray[np.bool_]:
        found = np.zeros(len(names), np.bool_)
        if places[start] < 0:
            return found
        hops = rows(int(places[start]))
        if hops is None:
            hops = np.full(len(graph.servers), -1, np.int16)
            hops[graph.point_server[walks.walk([int(places[start])], closed).points]] = 1
        known = places >= 0
        found[known] = hops[places[known]] >= 0
        return found

    return row
