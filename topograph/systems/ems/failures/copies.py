"""The copies that bridges make of messages, and where they go: what a failure stops, stores or
doubles along with the messages themselves (R110-R114).

A copy is put on its target at the bridge's server; other servers that it gets to may bridge it
again, that one does not (R111). A selector of a bridge is left aside: it narrows which messages are
copied, not where the copies go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from topograph.facts.ems import EmsBridge, EmsServer
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.contract.failures import Copied
from topograph.systems.ems.destinations.subscribers import Facts
from topograph.systems.ems.destinations.topics import (
    contained,
    is_temporary,
    is_wildcard,
    overlap,
)
from topograph.systems.ems.failures.wanted import Wanted
from topograph.systems.ems.queues.model import split_owner

Put = tuple[int, str]
"""A server (number), and the destination that a message is put on there: ``topic:NAME`` or
``queue:NAME``.
"""


class Onward(Protocol):
    """Where messages go in the network as it is."""

    def reached(self, start: int, topic: str, /) -> Collection[int]:
        """The servers that a publication at ``start`` may get to, that one included."""
        ...

    def home(self, start: int, queue: str, /) -> int | None:
        """The home that what is put on a routed queue at ``start`` goes to (``start`` itself for
        its own queue); None where it gets to none.
        """
        ...


@dataclass
class Copies:
    """The bridges of one network. Each place that copies begin at is followed once."""

    facts: Facts
    graph: ForwardingGraph
    wanted: Wanted
    onward: Onward
    _next: dict[tuple[Put, bool], tuple[tuple[Put, EmsBridge], ...]] = field(default_factory=dict)

    def behind(self, topic: str, servers: Collection[str]) -> tuple[Copied, ...]:
        """The copies that come of messages to ``topic`` (a name or a pattern) where some servers
        get them.
        """
        if not self._bridges:
            return ()
        numbers = (self.graph.server_number[name] for name in servers)
        return self._told(
            (number, one)
            for number in numbers
            for one in self._from("topic", number, topic, exactly=True)
        )

    def of_home(self, home: str, queue: str) -> tuple[Copied, ...]:
        """The copies that come of messages which arrive at the home of a queue (R113)."""
        if not self._bridges:
            return ()
        number = self.graph.server_number[home]
        return self._told((number, one) for one in self._from("queue", number, queue))

    def publishing(self, topic: str) -> frozenset[int]:
        """The servers where a bridge publishes to a topic, of what declared clients send."""
        return self._putting("topic", topic)

    def sending(self, queue: str) -> frozenset[int]:
        """The servers where a bridge puts something on a queue, of what declared clients send."""
        return self._putting("queue", queue)

    def _putting(self, type_: str, name: str) -> frozenset[int]:
        if not self._bridges:
            return frozenset()
        return frozenset(
            server
            for server, target in self._active
            if target.startswith(f"{type_}:")
            and (overlap if type_ == "topic" else str.__eq__)(
                split_owner(target.partition(":")[2])[0], name
            )
        )

    def _told(self, first: Iterator[tuple[int, EmsBridge]]) -> tuple[Copied, ...]:
        found: dict[Put, EmsBridge] = {}
        waiting = [((number, _target(one)), one) for number, one in first]
        while waiting:
            put, one = waiting.pop()
            if put not in found:
                found[put] = one
                waiting += self._made_of(put, bridged=True)
        names = self.graph.servers
        copies = (
            Copied(names[server].name, target, self._takers(server, target), one.source)
            for (server, target), one in found.items()
        )
        return tuple(sorted(copies, key=lambda copy: (copy.server, copy.destination)))

    def _takers(self, server: int, target: str) -> tuple[str, ...]:
        """The servers where the copy is taken, as far as is known: those of subscribers to its
        topic, or the home of its queue.
        """
        type_, _, name = target.partition(":")
        if type_ == "queue":
            home = self.onward.home(server, name)
            return () if home is None else (self.graph.servers[home].name,)
        reached = {self.graph.servers[number].name for number in self.onward.reached(server, name)}
        clients = {one.server for one in self.wanted.to(name) if one.by_client}
        return tuple(sorted(reached & clients))

    def _made_of(self, put: Put, *, bridged: bool) -> tuple[tuple[Put, EmsBridge], ...]:
        """The copies that are made of what is put on a destination; of a copy of a bridge at
        other servers only (R111).
        """
        if (put, bridged) not in self._next:
            server, target = put
            type_, _, name = target.partition(":")
            if type_ == "topic":
                at: Collection[int] = self.onward.reached(server, name)
            else:
                home = self.onward.home(server, name)
                at = {server} if home is None else {server, home}
                name = split_owner(name)[0]
            self._next[put, bridged] = tuple(
                ((number, _target(one)), one)
                for number in sorted(at)
                if not (bridged and number == server)
                for one in self._from(type_, number, name)
            )
        return self._next[put, bridged]

    def _from(
        self, type_: str, server: int, name: str, *, exactly: bool = False
    ) -> Iterator[EmsBridge]:
        """The bridges of a server whose source takes messages to a name, or to a pattern;
        ``exactly``: each message to the pattern.
        """
        for one in self._bridges.get(server, ()):
            takes = contained(name, one.source_name) if exactly else overlap(name, one.source_name)
            if one.source_type == type_ and takes:
                yield one

    @cached_property
    def _active(self) -> frozenset[Put]:
        """What bridges put where, of what declared clients send."""
        number = self.graph.server_number
        sent = [
            (number[server], f"{type_}:{name}")
            for type_, published in (
                ("topic", self.wanted.publishers),
                ("queue", self.wanted.senders),
            )
            for server, names in published.items()
            if server in number
            for name in names
        ]
        waiting = [put for one in sent for put, _ in self._made_of(one, bridged=False)]
        found: set[Put] = set()
        while waiting:
            put = waiting.pop()
            if put not in found:
                found.add(put)
                waiting += [onward for onward, _ in self._made_of(put, bridged=True)]
        return frozenset(found)

    @cached_property
    def _bridges(self) -> Mapping[int, tuple[EmsBridge, ...]]:
        """The bridges of the configurations in use, by server (R7)."""
        used: dict[str, str] = {}
        for main in self.facts(("server",), ""):
            if isinstance(main, EmsServer):
                used[main.server] = min(main.bundle, used.get(main.server, main.bundle))
        found: dict[int, list[EmsBridge]] = defaultdict(list)
        for fact in self.facts(("bridge",), ""):
            if not isinstance(fact, EmsBridge) or fact.bundle != used.get(fact.server):
                continue
            if not is_wildcard(fact.target_name) and not is_temporary(fact.source_name):
                found[self.graph.server_number[fact.server]].append(fact)
        return {server: tuple(own) for server, own in found.items()}


def _target(one: EmsBridge) -> str:
    return f"{one.target_type}:{one.target_name}"
