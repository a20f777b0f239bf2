"""Messages by which two configurations of an EMS network can be told apart.

Only links whose guards differ are looked at. For each, and each topic that they concern, a message is looked for that passes in one of them only, at the
constants of the selectors that stand there (``selectors.witnesses``). Who gets it from whom is then read off the rows of both graphs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from topograph.errors import InvalidSelector
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsGrant, EmsRoute
from topograph.findings import Source
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.forwarding.rows import RowWalks
from topograph.message import Properties
from topograph.selectors.selector import Selector, parse
from topograph.selectors.witnesses import witnesses
from topograph.systems.changing import Probe, Probes
from topograph.systems.ems.guards import evaluate
from topograph.systems.ems.publication import judge
from topograph.systems.ems.topics import is_wildcard, matches, overlap
from topograph.systems.protocol import Change

MOST_TOPICS = 40
"""Topics that are tried at one link."""

TRIED = 400
"""Messages that are tried for one topic at one link."""

OTHERS = 8
"""Selectors of other links whose constants are tried too."""

TELLING = 64
"""Selectors of other links that tell messages apart."""

MOST_KINDS = 30
"""Messages that are told apart for one topic at one link."""

MOST_MESSAGES = 200
"""Distinct messages that are followed."""


def probes(before: ForwardingGraph, after: ForwardingGraph, change: Change, budget: Budget) -> Probes:
    """See ``Changes.probes``. Linear in the links; two rows a server for each message that is told."""
    was, now = _arrivals(before), _arrivals(after)
    search = _Search((before, after), budget)
    told: dict[tuple[str, str], tuple[Properties, Source]] = {}
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
            for topic, properties, closing in found:
                told.setdefault((topic, json.dumps(properties, sort_keys=True)), (properties, closing or place))
            if not found and None not in sides and (texts := _changed_selectors(sides)):
                ends = " to ".join(key.split("|")[::-1])
                undecided.append((f"no message was found of which {texts} decides otherwise from {ends}", place))
        for probe in _with_publishers(before, after, told, budget):
            found_.append(probe)
    except BudgetSpent:
        search.complete = False
    complete = search.complete and len(told) <= MOST_MESSAGES
    return Probes((*found_, *_at_servers(change)), tuple(undecided), complete)


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

    def __init__(self, graphs: Sequence[ForwardingGraph], budget: Budget) -> None:
        self._budget = budget
        self._patterns = _all_patterns(guard for graph in graphs for guard in graph.guards)
        self._selectors = {one.id: one for graph in graphs for one in graph.guards if one.kind == "selector"}
        self.complete = True

    def told_apart(self, sides: Sides) -> Iterator[tuple[str, Properties, Source | None]]:
        """For each topic that the changed guards of a link concern, messages that pass on one side only, one of each kind that selectors elsewhere tell
        apart, with the selector's line that stops it. Linear in topics, messages that are tried, and selectors. Raises BudgetSpent."""
        was, now = sides[0] or [], sides[1] or []
        differing = {*(_ids(was) - _ids(now)), *(_ids(now) - _ids(was))}
        here = _all_patterns(was + now)
        changed = here if None in sides else _all_patterns(one for one in was + now if one.id in differing)
        topics = _topics(changed, here, self._patterns)
        self.complete &= len(topics) <= MOST_TOPICS
        for topic in topics[:MOST_TOPICS]:
            self._budget.check()
            others = [one for _, one in sorted(self._selectors.items()) if _concerns(one, topic)]
            own = [one for one in was + now if one.kind == "selector" and _concerns(one, topic)]
            kinds: set[tuple[bool, ...]] = set()
            for properties in witnesses(_parsed([*own, *others[:OTHERS]]), TRIED):
                self._budget.check()
                passed, passes = (_pass(side, topic, properties) for side in sides)
                kind = (passed, *(evaluate(one, topic, properties).passes for one in others[:TELLING]))
                if passed == passes or kind in kinds:
                    continue
                if len(kinds) == MOST_KINDS:
                    self.complete = False
                    break
                kinds.add(kind)
                closed = [one for one in (now if passed else was) if one.kind == "selector" and one.source.file]
                stopping = (one.source for one in closed if not evaluate(one, topic, properties).passes)
                yield topic, properties, next(stopping, None)


def _pass(side: list[Guard] | None, topic: str, properties: Properties) -> bool:
    return side is not None and all(evaluate(one, topic, properties).passes for one in side)


def _parsed(guards: Iterable[Guard]) -> Iterator[Selector]:
    for guard in guards:
        payload = json.loads(guard.payload)
        if not payload.get("fault"):
            try:
                yield parse(payload["selector"])
            except InvalidSelector:
                continue


def _concerns(guard: Guard, topic: str) -> bool:
    return matches(json.loads(guard.payload)["topic"], topic)


def _changed_selectors(sides: Sides) -> str:
    """The selectors of one side only, for people; empty if none differs."""
    was, now = ({one.id: one.text for one in side or () if one.kind == "selector"} for side in sides)
    return " and ".join(sorted({**was, **now}[key] for key in was.keys() ^ now.keys()))


def _topics(changed: Collection[str], here: Collection[str], everywhere: Collection[str]) -> list[str]:
    """Names that some changed patterns concern, of each the names that other patterns tell apart: those of the link (``here``) first, then those of
    the whole network. More than MOST_TOPICS say that some are left out."""
    names: dict[str, None] = {}
    for pattern in changed:
        if not is_wildcard(pattern):
            names[pattern] = None
    for pattern in changed:
        for others in (here, everywhere) if is_wildcard(pattern) else ():
            names |= dict.fromkeys(one for one in others if not is_wildcard(one) and matches(pattern, one))
            wide = [pattern, *(one for one in others if is_wildcard(one) and overlap(one, pattern))]
            names |= dict.fromkeys(one for one in _grid(wide) if matches(pattern, one))
    return list(names)


def _grid(patterns: Collection[str]) -> Iterator[str]:
    """A name for each way in which patterns can match and not match: at each place one of their words, or a word of none; one element longer than the
    longest. The shortest first; at most MOST_TOPICS and one more."""
    split = [one.split(".") for one in patterns]
    words: list[list[str]] = []
    for place in range(max(map(len, split), default=0) + 1):
        own = {one[place] for one in split if len(one) > place} - {"*", ">"}
        words.append(["example", *sorted(own)])
    names = (".".join(chosen) for length in range(1, len(words) + 1) for chosen in product(*words[:length]))
    fitting = (name for name in names if any(matches(one, name) for one in patterns))
    yield from islice(fitting, MOST_TOPICS + 1)


def _all_patterns(guards: Iterable[Guard]) -> list[str]:
    return sorted({one for guard in guards for one in _patterns(guard)})


def _patterns(guard: Guard) -> list[str]:
    payload = json.loads(guard.payload)
    if guard.kind == "selector":
        return [payload["topic"]]
    if guard.kind == "grant":
        return [*payload.get("secure", ()), *(grant[0] for grant in payload.get("grants", ()))]
    return list(payload.get("patterns", ())) if guard.kind == "global" else []


def _example(pattern: str) -> str:
    """A name that a pattern matches."""
    if pattern == ">":
        return "example.topic"
    return ".".join("example" if part in ("*", ">") else part for part in pattern.split("."))


def _with_publishers(
    before: ForwardingGraph,
    after: ForwardingGraph,
    told: Mapping[tuple[str, str], tuple[Properties, Source]],
    budget: Budget,
) -> Iterator[Probe]:
    """Each message with the servers that get it on one side only. Those that change the same pairs of servers for the same topic are one."""
    seen: set[tuple[str, bytes]] = set()
    names = sorted({server.name for graph in (before, after) for server in graph.servers})
    for (topic, _), (properties, source) in list(told.items())[:MOST_MESSAGES]:
        rows = [_rows(graph, names, topic, properties) for graph in (before, after)]
        opened, differs = np.zeros((2, len(names), len(names)), np.bool_)
        for start in range(len(names)):
            budget.check()
            was, now = rows[0](start), rows[1](start)
            opened[start], differs[start] = now & ~was, now != was
        mark = topic, np.packbits(differs).tobytes() + np.packbits(opened).tobytes()
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


def _at_servers(change: Change) -> Iterator[Probe]:
    """Messages to the destinations whose entries change, sent at the server that has the entry."""
    told = set()
    for fact in (*change.removed, *change.added):
        named = ""
        if isinstance(fact, EmsBridge):
            named = f"{fact.source_type}:{fact.source_name}"
        elif isinstance(fact, EmsDurable) and fact.topic:
            named = f"topic:{fact.topic}"
        elif isinstance(fact, EmsDestination) or (isinstance(fact, EmsGrant) and fact.type in ("topic", "queue")):
            named = f"{fact.type}:{fact.name}"
        kind, _, name = named.partition(":")
        if named and (fact.server, named) not in told:
            told.add((fact.server, named))
            yield Probe(f"{kind}:{_example(name)}", {}, fact.source, fact.server)
