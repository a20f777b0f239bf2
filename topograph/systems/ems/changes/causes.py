"""The lines of a change that decide about messages on their way: of each step from one server to
the next that lets a message pass on one side of the change only, and of each pair of steps that a
zone joins on one side only (R13).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from topograph.facts.ems import EmsBridge, EmsDestination, EmsGrant, EmsGroup, EmsRoute, EmsServer
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.forwarding.graph import Guard
from topograph.message import Properties
from topograph.records import record
from topograph.systems.contract.system import Change
from topograph.systems.ems.destinations.guards import evaluate_selector
from topograph.systems.ems.destinations.topics import matches

Hop = tuple[str, str]
"""A server, and the one that a message goes to next, by name."""

Zone = tuple[str, str]
"""The name of a zone and its type."""

Kind = bytes
"""What tells a message apart from others to its topic (``Tried.kind``)."""

MOST_EXAMPLES = 2
"""Servers before a pair of joined steps that are named for its line."""

Lines = tuple[Source, ...]


class Entries:
    """The entries that a change brings or takes away, by server."""

    def __init__(self, change: Change) -> None:
        self._of: dict[str, list[Fact]] = {}
        for fact in (*change.added, *change.removed):
            self._of.setdefault(fact.server, []).append(fact)

    def lines(self, hop: Hop, topic: str, failing: Sequence[Guard]) -> Lines:
        """The lines because of which a message to ``topic`` takes a hop on one side of the change
        only: of each guard in its way on the other side, or without any of the route. Linear in
        the entries of both servers."""
        own = [fact for server in sorted(hop) for fact in self._of.get(server, ())]
        routes = [fact for fact in own if isinstance(fact, EmsRoute) and fact.name in hop]
        of_route = tuple(fact.source for fact in (*routes, *own)[:1])
        if not failing:
            return of_route
        found: dict[Source, None] = {}
        for guard in failing:
            if guard.kind == "selector" and guard.source.file:
                found[guard.source] = None
            else:
                lines = _one_a_server(_concerning(guard.kind, own, topic))
                found |= dict.fromkeys(lines or of_route)
        return tuple(found)

    def route(self, hop: Hop) -> Source:
        """The line of a route between two servers, one that comes before one that goes."""
        return next(iter(self.lines(hop, "", ())), Source(""))


def _one_a_server(facts: Iterable[Fact]) -> Lines:
    found: dict[str, Source] = {}
    for fact in facts:
        found.setdefault(fact.server, fact.source)
    return tuple(found.values())


def _concerning(kind: str, facts: Sequence[Fact], topic: str) -> list[Fact]:
    """The changed entries that a guard of a kind is made of, as far as they concern a topic."""
    topics = [one for one in facts if isinstance(one, EmsDestination) and _of_topic(one, topic)]
    if kind == "global":
        flags = Counter((one.server, one.name, _is_global(one)) for one in topics)
        # An entry that goes and comes with the flag as it was changes something else.
        return [one for one in topics if flags[one.server, one.name, _is_global(one)] == 1]
    if kind == "grant":
        grants = [one for one in facts if isinstance(one, EmsGrant) and _of_topic(one, topic)]
        others = [one for one in facts if isinstance(one, (EmsGroup, EmsServer))]
        return [*grants, *topics, *others]
    return [one for one in facts if isinstance(one, EmsServer)] if kind == "link" else []


def _is_global(entry: EmsDestination) -> bool:
    return ("global", "true") in entry.properties


def _of_topic(entry: EmsDestination | EmsGrant, topic: str) -> bool:
    return entry.type == "topic" and matches(entry.name, topic)


@dataclass
class Causes:
    """What decides about the messages to each topic, by hop; ``zones`` decide about all."""

    zones: ZoneChanges
    bridges: BridgeChanges
    _of: dict[str, dict[Kind, dict[Hop, Lines]]] = field(default_factory=dict)

    def add(self, topic: str, kind: Kind, hop: Hop, lines: Lines) -> None:
        """Note what decides about messages of a kind on a hop."""
        hops = self._of.setdefault(topic, {}).setdefault(kind, {})
        hops[hop] = tuple(dict.fromkeys((*hops.get(hop, ()), *lines)))

    def first(self, topic: str) -> Source:
        """A line that decides about messages to a topic; none where only zones do."""
        lines = (
            one
            for hops in self._of.get(topic, {}).values()
            for each in hops.values()
            for one in each
        )
        return next((one for one in lines if one.file), self.zones.first)

    def hops(self, destination: str, kind: Kind | None) -> Sequence[Mapping[Hop, Lines]]:
        """What decides about messages of a kind to a destination, by hop; of any kind without one.
        Linear in the kinds."""
        type_, _, topic = destination.partition(":")
        kinds = self._of.get(topic, {}) if type_ == "topic" else {}
        return [*kinds.values()] if kind is None else [kinds[kind]] if kind in kinds else []

    def on(
        self,
        destination: str,
        hops: Sequence[Mapping[Hop, Lines]],
        properties: Properties,
        path: Sequence[str],
    ) -> Lines:
        """The lines that decide about a message to a destination on its path, with what decides
        about its kind there (``hops``). Linear in the path and the kinds."""
        found = [*self.bridges.on(destination, properties, path)]
        if destination.startswith("topic:"):
            for one in hops:
                found += _lines_on(one, path)
            found += self.zones.on(path)
        return tuple(dict.fromkeys(found))

    def starts(self, topic: str, kind: Kind) -> Mapping[Source, list[str]]:
        """For each line that decides about messages of a kind, servers at which one is published
        whose way it decides: those right before it, because a message that comes from farther
        off goes on as one that is published there (R13). Linear in the hops."""
        found: dict[Source, dict[str, None]] = {}
        for (start, _), lines in self._of.get(topic, {}).get(kind, {}).items():
            for line in lines:
                found.setdefault(line, {})[start] = None
        for line, starts in self.zones.starts.items():
            found.setdefault(line, {}).update(starts)
        return {line: list(starts) for line, starts in found.items()}


def _lines_on(hops: Mapping[Hop, Lines], path: Sequence[str]) -> Sequence[Source]:
    """The lines of the hops that a path takes, along it. Linear in the shorter of the two."""
    if len(hops) == 1:  # most changes are of one route
        ((start, end), lines) = next(iter(hops.items()))
        at = path.index(start) + 1 if start in path else len(path)
        return lines if at < len(path) and path[at] == end else ()
    return [line for hop in pairwise(path) for line in hops.get(hop, ())]


class BridgeChanges:
    """The bridges that a change brings, takes away or gives another selector, by what they make
    copies for."""

    def __init__(self, change: Change) -> None:
        self._of: dict[
            str, dict[tuple[str, str, str], tuple[list[EmsBridge], list[EmsBridge]]]
        ] = {}
        """By target, and there by server and source, before and after."""
        for side, facts in enumerate((change.removed, change.added)):
            for fact in facts:
                if isinstance(fact, EmsBridge):
                    target = f"{fact.target_type}:{fact.target_name.partition('@')[0]}"
                    key = fact.server, fact.source_type, fact.source_name
                    self._of.setdefault(target, {}).setdefault(key, ([], []))[side].append(fact)

    def on(self, destination: str, properties: Properties, path: Collection[str]) -> Lines:
        """The lines of bridges at servers of a path that make a copy of a message for a
        destination on one side only. Linear in the changed bridges to it."""
        found = []
        for (server, _, _), sides in self._of.get(destination, {}).items():
            if server in path:
                passing = [[one for one in side if _bridges(one, properties)] for side in sides]
                if bool(passing[0]) != bool(passing[1]):
                    found.append((sides[1] or sides[0])[0].source)
        return tuple(found)


def _bridges(bridge: EmsBridge, properties: Properties) -> bool:
    return evaluate_selector(bridge.selector, properties, bridge.fault).passes


class ZoneChanges:
    """Where a change joins or separates the two steps through a server, by the zones of its links
    (R13). ``sides`` are the zones of all hops before and after, ``changed`` the hops that both have
    and whose zone is another one. Linear in the hops of the servers concerned, and in the zones
    there squared."""

    def __init__(
        self,
        sides: tuple[Mapping[Hop, Zone], Mapping[Hop, Zone]],
        changed: Iterable[Hop],
        entries: Entries,
    ) -> None:
        self._sides = sides
        self._lines: dict[frozenset[str], Source] = {}
        for hop in changed:
            ends = frozenset(hop)
            if ends not in self._lines:
                self._lines[ends] = entries.route(hop)
        self.starts: dict[Source, dict[str, None]] = {}
        self.hops: set[Hop] = set()
        """The changed hops that a message can come over, or go on over, on one side only."""
        through = {end for ends in self._lines for end in ends}
        self._neighbours: dict[str, list[str]] = {}
        for start, end in sides[0] if through else ():
            if end in through:
                self._neighbours.setdefault(end, []).append(start)
        for server in sorted(through):
            self._look(server)

    @property
    def first(self) -> Source:
        """A line that decides, if any does."""
        return next(iter(self.starts), Source(""))

    def on(self, path: Sequence[str]) -> Lines:
        """The lines that decide about a message on its path."""
        if not self.hops:
            return ()
        found: dict[Source, None] = {}
        for first, middle, last in zip(path, path[1:], path[2:], strict=False):
            changed = [hop for hop in ((first, middle), (middle, last)) if hop in self.hops]
            if changed and self._joined(0, first, middle, last) != self._joined(
                1, first, middle, last
            ):
                found |= dict.fromkeys(self._lines[frozenset(hop)] for hop in changed)
        return tuple(found)

    def _joined(self, side: int, first: str, middle: str, last: str) -> bool:
        zones = self._sides[side]
        came, goes = zones.get((first, middle)), zones.get((middle, last))
        return came is not None and goes is not None and _leads_on(came, goes)

    def _look(self, server: str) -> None:
        """The hops to ``server`` by their zones before and after, and which of them lead on over
        which others on one side only."""
        groups: dict[tuple[Zone, Zone], list[str]] = {}
        before, after = self._sides
        for neighbour in self._neighbours.get(server, ()):
            hop = (neighbour, server)
            if hop in before and hop in after:
                groups.setdefault((before[hop], after[hop]), []).append(neighbour)
        for came, firsts in groups.items():
            for goes, lasts in groups.items():
                if _leads_on(came[0], goes[0]) == _leads_on(came[1], goes[1]):
                    continue
                if came == goes and len(firsts) == 1:
                    continue  # the one link leads back only
                self._note(server, firsts, lasts)

    def _note(self, server: str, firsts: Sequence[str], lasts: Sequence[str]) -> None:
        for first in firsts:
            line = self._lines.get(frozenset((first, server)))
            if line is not None:
                self.hops.add((first, server))
                self._start(line, first)
        for last in lasts:
            line = self._lines.get(frozenset((server, last)))
            if line is not None:
                self.hops.add((server, last))
                for first in firsts[:MOST_EXAMPLES]:
                    self._start(line, first)

    def _start(self, line: Source, server: str) -> None:
        self.starts.setdefault(line, {})[server] = None


def _leads_on(came: Zone, goes: Zone) -> bool:
    """R13: a one-hop zone takes a message one hop."""
    return not (came[1] == "1hop" and came[0] == goes[0])


@record(slots=False)
class DecidedBy:
    """The lines that decide about a message on its way (``Probe.decided_by``): to ``topic``, of its
    ``kind``, and to others that bridges make of it of any kind."""

    causes: Causes
    properties: Properties
    topic: str = ""
    kind: Kind | None = None

    @cached_property
    def _own(self) -> tuple[str, Sequence[Mapping[Hop, Lines]]]:
        own = f"topic:{self.topic}"
        return own, self.causes.hops(own, self.kind)

    def __call__(self, destination: str, path: Sequence[str], /) -> Lines:
        own, hops = self._own
        if destination != own:
            hops = self.causes.hops(destination, None)
        return self.causes.on(destination, hops, self.properties, path)
