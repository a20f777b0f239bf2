"""The rows that become nodes and relationships, out of a snapshot's tables. Pure; no driver, no
database.

Servers, guards, points, forwards and interests are the rows of ``topograph.store.tables`` as they
are. Routes are derived from points; destinations, bridges, and the words on points and guards come
from the system (``forwarding.descriptions.DatabaseRows``).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from topograph import extensions
from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.forwarding.descriptions import DatabaseRows, PointWords, plain_words
from topograph.forwarding.graph import (
    OPEN,
    STEPPING,
    WAITS,
    Forward,
    ForwardingGraph,
    Server,
)
from topograph.store.tables import to_arrow

Row = dict[str, Any]
T = TypeVar("T")

BATCH = 5_000
"""Rows in one transaction: fewer cost round trips, more only memory (measured from 1,000 to
50,000).
"""

IMPLIED_INTERESTS_LIMIT = 1_000_000
"""Above this many pairs implied interests are not stored: each is one walk back instead."""

NAMES_COMPLETE, NAMES_CUT, NAMES_NOT_STORED = "complete", "incomplete", "not stored"
"""Values of ``Server.names``: whether all names that the server holds are stored as HOLDS."""


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """``items`` in lists of ``size``, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def described(system: str) -> DatabaseRows | None:
    """What a system adds to its tables, None for one that adds nothing. Raises UnknownSystem."""
    found: Any = None if system == STEPPING else extensions.database_rows(system)
    rows: DatabaseRows | None = found
    return rows


def table_rows(name: str, items: Sequence[Any], *, network: str, system: str) -> Iterator[Row]:
    """The rows of a graph table (servers, guards, points, interests), in blocks so that little
    is held as Python objects.
    """
    for first in range(0, len(items), BATCH):
        block = items[first : first + BATCH]
        yield from to_arrow(name, block, network=network, system=system, first=first).to_pylist()


def forward_rows(forwards: Iterable[Forward], *, network: str, system: str) -> Iterator[Row]:
    """The rows of forwards. Linear; one at a time."""
    for forward in forwards:
        yield {
            "network": network,
            "system": system,
            "start": forward.start,
            "end": forward.end,
            "guards": list(forward.guards),
            "rule": forward.rule,
            "confidence": forward.confidence.value,
            "hop": forward.hop,
            "cost": forward.cost,
            "branch": forward.branch,
            "file": forward.source.file,
            "line": forward.source.line,
        }


def channel_rows(graph: ForwardingGraph, *, network: str) -> Iterator[Row]:
    """The forwards from server to server of systems whose messages go step by step, with the name
    of the link that they take; none for one that may take several. Linear."""
    if graph.system != STEPPING:
        return
    between: dict[tuple[int, int], set[str]] = {}
    for link in graph.links:
        if link.carries:
            between.setdefault((link.a, link.b), set()).add(link.name)
            if not link.one_way:
                between.setdefault((link.b, link.a), set()).add(link.name)
    servers, links = graph.servers_of_points, graph.columns.link.tolist()
    for forward in graph.forwards():
        ends = servers[forward.start], servers[forward.end]
        if ends[0] == ends[1]:
            continue
        own = links[forward.end]
        names = {graph.links[own].name} if own >= 0 else between.get(ends, set())
        if len(names) == 1 and (name := next(iter(names))):
            key = f"{network}/{graph.system}/{forward.start}>{forward.end}"
            yield {"key": key, "channel": name}


def _texts(graph: ForwardingGraph, guards: Iterable[int]) -> str:
    return "; ".join(dict.fromkeys(graph.guards[guard].text for guard in guards))


def words_of(graph: ForwardingGraph) -> list[PointWords]:
    """The words of all points, in point order."""
    system = described(graph.system)
    return list(plain_words(graph) if system is None else system.point_words(graph))


def point_word_rows(
    graph: ForwardingGraph, words: Iterable[PointWords], *, network: str
) -> Iterator[Row]:
    """The words of points as rows, by the points' numbers."""
    names = [server.name for server in graph.servers]
    loaded = [server.loaded for server in graph.servers]
    servers = graph.point_server.tolist()
    previous = graph.columns.previous.tolist()
    for number, (said, before) in enumerate(zip(words, previous, strict=True)):
        yield {
            "network": network,
            "system": graph.system,
            "n": number,
            "condition": said.condition,
            "not_onward": said.not_onward,
            "came_from": names[before] if before >= 0 else "",
            "starts": said.starts,
            "ends": said.ends,
            "down": said.not_certainly_up,
            "open": said.open_ or None,
            "waits": said.waits,
            "loaded": loaded[servers[number]],
        }


def guard_word_rows(
    graph: ForwardingGraph, facts: Sequence[Fact], *, network: str
) -> tuple[Iterator[Row], Iterator[Row]]:
    """(the words of guards, the places where they stand) as rows, by the guards' numbers."""
    system = described(graph.system)
    words = [] if system is None else list(system.guard_words(graph, facts))
    own = {"network": network, "system": graph.system}
    said = (
        {
            **own,
            "n": number,
            "topic": guard.topic,
            "selector": guard.selector,
            "stops_interest": guard.stops_interest,
            "places": len(guard.places),
        }
        for number, guard in enumerate(words)
    )
    places = (
        {
            **own,
            "guard": number,
            "server": place.server,
            "topic": place.topic,
            "direction": place.direction,
            "neighbour": place.neighbour,
            "file": place.source.file,
            "line": place.source.line,
            "column": place.source.column,
        }
        for number, guard in enumerate(words)
        for place in guard.places
    )
    return said, places


def route_rows(
    graph: ForwardingGraph, words: Sequence[PointWords], facts: Iterable[Fact], *, network: str
) -> Iterator[Row]:
    """Routes from links: one each way that messages pass; links that carry nothing are none.
    What a direction needs, and the line that configures it, stand on its arrival where the
    system has one, else on the link."""
    system = described(graph.system)
    urls = {} if system is None else system.route_urls(facts)
    servers = [server.name for server in graph.servers]
    columns = graph.columns
    arrivals = {
        (int(columns.link[n]), int(columns.previous[n])): n
        for n in range(len(columns))
        if columns.kind[n] == "arrival"
    }
    for number, link in enumerate(graph.links):
        if not link.carries:
            continue
        ways = [(link.a, link.b)] if link.one_way else [(link.a, link.b), (link.b, link.a)]
        for start, end in ways:
            names = servers[start], servers[end]
            arrival = arrivals.get((number, start))
            said = PointWords(_texts(graph, link.guards)) if arrival is None else words[arrival]
            source = link.source if arrival is None else graph.points[arrival].source
            yield {
                "network": network,
                "system": graph.system,
                "from": start,
                "to": end,
                "link": number,
                "cost": 0 if link.cost is None else link.cost,
                "zone": link.zone,
                "zone_type": link.zone_type,
                "configured_by": link.configured_by,
                "name": link.name,
                "role": link.role,
                "url": urls.get(names) or urls.get(names[::-1]) or "",
                "condition": said.condition,
                "down": said.not_certainly_up,
                "open": said.open_ or None,
                "file": source.file,
                "line": source.line,
            }


def zone_rows(points: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Which servers lie in which zones, from the rows of points: both ends of an arrival's route
    lie in its zone. A zone is a name and a type, as in ``show zones``: ends that disagree about
    the type make two."""
    seen: set[tuple[int, str, str]] = set()
    for point in points:
        for server in (point["previous"], point["server"]):
            member = (server, point["zone"], point["zone_type"])
            if point["zone"] and server >= 0 and member not in seen:
                seen.add(member)
                yield {
                    "network": point["network"],
                    "system": point["system"],
                    "server": server,
                    "name": point["zone"],
                    "type": point["zone_type"],
                }


def name_rows(graph: ForwardingGraph, *, network: str) -> tuple[list[Row], dict[str, str]]:
    """(the names that servers hold by implication, per server by name whether all of them are
    there), for a network that can hold at most IMPLIED_INTERESTS_LIMIT pairs; nothing for one
    that can hold more."""
    system = described(graph.system)
    if system is None or len(graph.servers) ** 2 > IMPLIED_INTERESTS_LIMIT:
        return [], {}
    own = {"network": network, "system": graph.system}
    names: list[Row] = []
    state: dict[str, str] = {}
    for held in system.names_by_server(graph):
        names += [
            {**own, "server": held.server, "name": name, "via": via, "hops": hops}
            for name, via, hops in held.names
        ]
        state[held.server] = NAMES_COMPLETE if held.complete else NAMES_CUT
    return names, state


def _key_name(graph: ForwardingGraph, server: Server) -> str:
    """A server's name in keys: in a graph of several systems with its system, for two may share
    a name.
    """
    return server.name if server.system == graph.system else f"{server.system}:{server.name}"


def server_keys(graphs: Iterable[ForwardingGraph], *, network: str) -> dict[tuple[str, str], str]:
    """The keys of servers by system and name."""
    return {
        (server.system, server.name): f"{network}/{graph.system}/server/{_key_name(graph, server)}"
        for graph in graphs
        for server in graph.servers
    }


def server_word_rows(
    graph: ForwardingGraph, names: Mapping[str, str], *, network: str
) -> Iterator[Row]:
    """The words of servers: whether their names are stored (``names`` by server; others' are
    not), why an answer about them is in doubt, and whether a setting of their own keeps them out
    of the network."""
    system = described(graph.system)
    doubts = itertools.repeat("") if system is None else system.doubts(graph)
    cut_off = frozenset() if system is None else frozenset(system.cut_off(graph))
    open_routes = bool(graph.guards_of(OPEN))
    waiting_routes = bool(graph.guards_of(WAITS))
    for number, (server, doubt) in enumerate(zip(graph.servers, doubts, strict=False)):
        yield {
            "network": network,
            "system": graph.system,
            "server": _key_name(graph, server),
            "names": names.get(server.name, NAMES_NOT_STORED),
            "doubt": doubt,
            "cut_off": number in cut_off,
            "open_routes": open_routes,
            "waiting_routes": waiting_routes,
        }


def destination_rows(
    facts: Sequence[Fact], graphs: Iterable[ForwardingGraph], *, network: str
) -> Iterator[Row]:
    """Destinations that facts define, and those that only a bridge names (``defined`` is False),
    of servers that a graph has. Of several of one name and type at a server (``ORDERS`` of two
    queue managers) the later ones have keys of their own (``own``).
    """
    known: Counter[tuple[str, ...]] = Counter()
    for graph in graphs:
        for system in sorted({server.system for server in graph.servers}):
            rows = described(system)
            own = [fact for fact in facts if fact.system == system]
            places = {
                one.name: _key_name(graph, one) for one in graph.servers if one.system == system
            }
            for shown in () if rows is None else rows.destinations(own):
                named = system, shown.server, shown.type, shown.name
                known[named] += 1
                number = f"#{known[named]}" if known[named] > 1 else ""
                yield {
                    "own": f"{shown.name}{number}",
                    "network": network,
                    "system": system,
                    "graph": graph.system,
                    "at": places.get(shown.server, shown.server),
                    "server": shown.server,
                    "type": shown.type,
                    "name": shown.name,
                    "defined": shown.defined,
                    "global": shown.global_,
                    "secure": shown.secure,
                    "leads_to": list(shown.leads_to),
                    "details": shown.details,
                    "home": shown.home,
                    "file": shown.source.file,
                    "line": shown.source.line,
                }


def bridge_rows(facts: Sequence[Fact], systems: Iterable[str], *, network: str) -> Iterator[Row]:
    """Bridges between destinations of one server."""
    for system in systems:
        rows = described(system)
        own = [fact for fact in facts if fact.system == system]
        for bridge in () if rows is None else rows.bridges(own):
            yield {
                "network": network,
                "system": system,
                "server": bridge.server,
                "source_type": bridge.source_type,
                "source_name": bridge.source_name,
                "target_type": bridge.target_type,
                "target_name": bridge.target_name,
                "selector": bridge.selector,
                "file": bridge.source.file,
                "line": bridge.source.line,
            }


def finding_rows(
    findings: Iterable[Finding],
    files: Iterable[FileReport],
    graphs: Sequence[ForwardingGraph],
    *,
    network: str,
) -> Iterator[Row]:
    """Findings, each with the servers it is about: the one it names, else the one whose file it
    is in.
    """
    keys: dict[str, list[str]] = {}
    for graph in graphs:
        for server in graph.servers:
            keys.setdefault(server.name, []).append(
                f"{network}/{graph.system}/server/{_key_name(graph, server)}"
            )
    server_of = {report.path: report.server for report in files if report.server}
    ordered = sorted(
        findings,
        key=lambda found: (found.source.file, found.source.line, found.kind, found.message),
    )
    for number, finding in enumerate(ordered):
        named = finding.server or server_of.get(finding.source.file, "")
        yield {
            "network": network,
            "n": number,
            "kind": finding.kind,
            "severity": finding.severity.value,
            "rule": finding.rule,
            "message": finding.message,
            "excerpt": finding.excerpt,
            "server": named,
            "file": finding.source.file,
            "line": finding.source.line,
            "about": keys.get(named, []),
            "in": f"{network}/file/{finding.source.file}",
        }
