"""Where the configuration says what a guard asks, at the place where a link uses it.

Guards with the same content are one guard, wherever they stand: the line to cite follows from the
link and the guard, not from the guard alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from functools import cache

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsGrant, EmsGroup, EmsRoute, EmsServer
from topograph.facts.fact import Servers
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph, Guard
from topograph.forwarding.points import Point
from topograph.systems.ems.destinations.subscribers import Facts, facts_about
from topograph.systems.ems.destinations.topics import is_wildcard, matches

_Read = Callable[[Servers], Sequence[Fact]]
"""The facts of one kind or another of some servers."""

ONE_BY_ONE = 16
"""Servers whose facts are asked for one at a time; beyond, those of all are read at once."""


class Evidence:
    """The lines behind the guards of one message. Reads the facts of a server when a guard there
    is first cited.
    """

    def __init__(self, facts: Facts, graph: ForwardingGraph, topic: str) -> None:
        self._facts, self._graph, self._topic = facts, graph, topic
        self._asked = 0
        self._expected: frozenset[str] = frozenset()
        self._of = cache(self._used_facts)
        self._grouped = cache(self._by_server)

    def expect(self, servers: Collection[str]) -> None:
        """Say which servers will be cited: the facts of many are read together, and no others.
        To be said before the first is.
        """
        if len(servers) > ONE_BY_ONE:
            self._expected = frozenset(servers)

    def of(self, point: Point, number: int, at: str = "") -> Source:
        """The line of guard ``number`` at the link into ``point``; for a ``global`` guard that
        of server ``at``.
        """
        guard = self._graph.guards[number]
        if guard.kind == "selector":
            return self._selector(point, guard)
        if guard.kind == "global":
            return self._global(at) or point.source
        if guard.kind == "grant":
            return self._grant(json.loads(guard.payload)) or point.source
        return guard.source

    def _selector(self, point: Point, guard: Guard) -> Source:
        payload = json.loads(guard.payload)
        start, end = (self._graph.servers[number].name for number in (point.previous, point.server))
        for server, other, direction in ((start, end, "outgoing"), (end, start, "incoming")):
            for route in self._of(server, self._routes):
                if isinstance(route, EmsRoute) and route.name == other:
                    for line in route.selectors:
                        same = (line.topic, line.unread or line.selector) == (
                            payload["topic"],
                            payload["selector"],
                        )
                        if same and line.direction == direction:
                            return line.source
        return guard.source if guard.source.file else point.source

    def _global(self, server: str) -> Source | None:
        """The entry of topics.conf that holds for the topic: the most specific one; where none
        does the file.
        """
        holding = [
            fact
            for fact in self._of(server, self._about)
            if isinstance(fact, EmsDestination)
            and fact.type == "topic"
            and matches(fact.name, self._topic)
        ]
        if holding:
            return max(holding, key=_specific).source
        own = self._of(server, self._topics)
        for fact in own:
            if isinstance(fact, EmsDestination) and fact.type == "topic":
                return Source(fact.source.file)
        return next((fact.place("topics") for fact in own if isinstance(fact, EmsServer)), None)

    def _grant(self, payload: dict[str, object]) -> Source | None:
        """The line of acl.conf that grants too little, else the entry that makes the topic
        secure.
        """
        own, user = self._of(str(payload["at"]), self._about), payload["user"]
        groups = {fact.name for fact in own if isinstance(fact, EmsGroup) and user in fact.members}
        principals = {("user", user), *(("group", group) for group in groups)}
        grants = [fact for fact in own if isinstance(fact, EmsGrant) and fact.type == "topic"]
        given = [fact for fact in grants if (fact.principal_type, fact.principal) in principals]
        lines = [fact.source for fact in given if matches(fact.name, self._topic)]
        if lines:
            return lines[0]
        secure = [
            fact
            for fact in own
            if isinstance(fact, EmsDestination)
            and fact.type == "topic"
            and ("secure", "true") in fact.properties
            and matches(fact.name, self._topic)
        ]
        if secure:
            return max(secure, key=_specific).source
        return next((fact.source for fact in own if isinstance(fact, EmsServer)), None)

    def _used_facts(self, server: str, read: _Read) -> Sequence[Fact]:
        """The facts of the configuration in use of a server; none of one that is not loaded."""
        if server in self._expected:
            found: Sequence[Fact] = self._grouped(read, self._expected).get(server, [])
        else:
            self._asked += 1
            found = (
                read(server)
                if self._asked <= ONE_BY_ONE
                else self._grouped(read, "").get(server, [])
            )
        used = min((fact.bundle for fact in found if isinstance(fact, EmsServer)), default=None)
        return [fact for fact in found if fact.bundle == used]

    def _by_server(self, read: _Read, servers: Servers) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for fact in read(servers):
            found.setdefault(fact.server, []).append(fact)
        return found

    def _routes(self, servers: Servers) -> Sequence[Fact]:
        return self._facts(("server", "route"), servers)

    def _topics(self, servers: Servers) -> Sequence[Fact]:
        return self._facts(("server", "destination"), servers)

    def _about(self, servers: Servers) -> Sequence[Fact]:
        """What says something about the topic."""
        return facts_about(self._facts, servers, [self._topic])


def _specific(fact: EmsDestination) -> tuple[bool, int]:
    """How closely an entry names a topic: its own name before patterns, more elements before
    fewer.
    """
    return not is_wildcard(fact.name), len(fact.name.split(".")) - fact.name.endswith(">")
