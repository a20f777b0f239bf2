"""What relays do with a message: facts to the tables of a graph, and tables to the graph (RL-1 to RL-3).

A message can be in two kinds of places: ``A|origin``, published at A by a client, and ``B|A``, arrived at B from A. From either it goes to
every peer of the relay it is at. A filter is a guard on the arrival, for it stands on the only way there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from relay.facts import Peer, Relay
from topograph.errors import NotApplicable
from topograph.facts import Fact
from topograph.findings import Finding, Severity
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables, Guard, Link, Server
from topograph.forwarding.points import Point, PointColumns
from topograph.forwarding.walker import Walker
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.protocol import (
    Change,
    ClosedForm,
    Compiled,
    Estate,
    FactSource,
    Failure,
    Paths,
    Row,
    Sending,
    System,
)
from topograph.tracing.trace import Trace


def compile(facts: Sequence[Fact]) -> Compiled:
    """The relays by name, then a point for each to start from, then one for each ``forward`` line in the order of files."""
    relays = {fact.server: fact for fact in sorted(facts, key=_place) if isinstance(fact, Relay)}
    peers = {(fact.server, fact.name, fact.when): fact for fact in sorted(facts, key=_place) if isinstance(fact, Peer)}
    named = {fact.name: fact for fact in reversed(peers.values())}
    names = sorted({*relays, *named})
    number = {name: place for place, name in enumerate(names)}
    servers = [_server(name, relays.get(name), named.get(name)) for name in names]
    guards = {fact.when: _guard(fact) for fact in reversed(peers.values()) if fact.when}
    guard_number = {when: place for place, when in enumerate(guards)}
    points = [
        Point(f"{server.name}|origin", "origin", place, rule="RL-1", source=server.source)
        for place, server in enumerate(servers)
    ]
    for link, fact in enumerate(peers.values()):
        points.append(
            Point(
                key=f"{fact.name}|{fact.server}#{link}",
                kind="arrival",
                server=number[fact.name],
                previous=number[fact.server],
                link=link,
                guards=(guard_number[fact.when],) if fact.when else (),
                rule="RL-2" if fact.when else "RL-1",
                configured_by=fact.server,
                source=fact.source,
            )
        )
    links = [
        Link(number[fact.server], number[fact.name], configured_by=fact.server, source=fact.source, one_way=True)
        for fact in peers.values()
    ]
    findings = tuple(_unknown(fact) for name, fact in named.items() if name not in relays)
    return Compiled(GraphTables("relay", servers, points, tuple(guards.values()), links), findings)


def assemble(tables: GraphTables) -> ForwardingGraph:
    """Every point at a relay leads to every arrival from it (RL-1). Out of a snapshot ``tables.points`` are columns; read them as such."""
    columns = PointColumns.of(tables.points)
    leaving: list[list[int]] = [[] for _ in tables.servers]
    for point, previous in enumerate(columns.previous.tolist()):
        if previous >= 0:
            leaving[previous].append(point)
    rows = [leaving[server] for server in columns.server.tolist()]
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    ends = np.fromiter((end for row in rows for end in row), np.int32, int(starts[-1]))
    return ForwardingGraph("relay", tables.servers, columns, tables.guards, starts, ends, len(ends), links=tables.links)


def _place(fact: Fact) -> tuple[str, int]:
    """Facts come in any order; the tables must not depend on it."""
    return fact.source.file, fact.source.line


def _server(name: str, relay: Relay | None, named: Peer | None) -> Server:
    """A relay without a file may forward to anyone: ``open_ended``, so that answers behind it are not a plain no."""
    if relay is not None:
        return Server(name, "relay", True, relay.source)
    assert named is not None
    return Server(name, "relay", False, named.source, "its file is not loaded", open_ended=True)


def _guard(fact: Peer) -> Guard:
    name, value = fact.when
    return Guard(f"when:{name}={value}", "property", f"{name} = {value}", json.dumps([name, value]), fact.source)


def _unknown(fact: Peer) -> Finding:
    message = f"{fact.server} forwards to {fact.name}, whose file is not loaded: what it passes on is not known."
    return Finding("unknown-peer", Severity.WARNING, message, fact.source, "RL-1", server=fact.server)


@dataclass(frozen=True)
class RelayEstate:
    """The relays that the facts of one network configure."""

    source: FactSource

    def compile(self) -> Compiled:
        return compile(self.source.facts())

    def follow(self, graph: ForwardingGraph, walker: Walker, sending: Sending) -> Trace:
        raise NotApplicable("Messages to relays are not followed.")

    def without(self, failure: Failure, graph: ForwardingGraph) -> Closed:
        """A relay that fails only closes."""
        return Closed(servers=frozenset(graph.server_number[name] for name in failure.servers))

    def apply(self, change: Change) -> RelayEstate:
        return RelayEstate(ChangedFacts(self.source, change))

    @property
    def failures(self) -> None:
        return None

    def show(self, what: str) -> Iterator[Row] | None:
        return None


def _load(source: FactSource, side_inputs: SideInputs) -> Estate:
    return RelayEstate(source)


def _paths() -> Paths:
    from relay import answering

    return answering


SYSTEM = System(name="relay", title="Relay", closed=ClosedForm(_load, assemble, _paths))
"""What topograph is told of relays."""
