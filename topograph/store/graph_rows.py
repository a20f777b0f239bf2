"""The rows that become nodes and relationships, out of a snapshot's tables. Pure; no driver, no database.

Servers, guards, points, forwards and interests are the rows of ``topograph.store.tables`` as they are. Routes are derived from points,
destinations and bridges from facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.facts.ems import EmsBridge, EmsDestination, EmsRoute
from topograph.forwarding.graph import Forward, Link
from topograph.store.tables import to_arrow

Row = dict[str, Any]
T = TypeVar("T")

BATCH = 5_000
"""Rows in one transaction: fewer cost round trips, more only memory (measured from 1,000 to 50,000)."""


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """``items`` in lists of ``size``, the last one shorter."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def table_rows(name: str, items: Sequence[Any], *, network: str, system: str) -> Iterator[Row]:
    """The rows of a graph table (servers, guards, points, interests), in blocks so that little is held as Python objects."""
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


def route_rows(
    links: Iterable[Link],
    urls: Mapping[tuple[str, str], str],
    servers: Sequence[str],
    *,
    network: str,
    system: str,
) -> Iterator[Row]:
    """Routes from links: one each way that messages pass; links that carry nothing are none.

    ``urls`` are ``route_urls``; ``servers`` the names of servers by number.
    """
    for number, link in enumerate(links):
        if not link.carries:
            continue
        ways = [(link.a, link.b)] if link.one_way else [(link.a, link.b), (link.b, link.a)]
        for start, end in ways:
            names = servers[start], servers[end]
            yield {
                "network": network,
                "system": system,
                "from": start,
                "to": end,
                "link": number,
                "cost": 0 if link.cost is None else link.cost,
                "zone": link.zone,
                "zone_type": link.zone_type,
                "configured_by": link.configured_by,
                "url": urls.get(names) or urls.get(names[::-1]) or "",
                "file": link.source.file,
                "line": link.source.line,
            }


def zone_rows(points: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Which servers lie in which zones, from the rows of points: both ends of an arrival's route lie in its zone."""
    seen: set[tuple[int, str]] = set()
    for point in points:
        for server in (point["previous"], point["server"]):
            if point["zone"] and server >= 0 and (server, point["zone"]) not in seen:
                seen.add((server, point["zone"]))
                yield {
                    "network": point["network"],
                    "system": point["system"],
                    "server": server,
                    "name": point["zone"],
                    "type": point["zone_type"],
                }


def route_urls(facts: Iterable[Fact]) -> dict[tuple[str, str], str]:
    """The URLs of configured routes by (server that configures it, remote server), as written; several are joined by commas."""
    return {(fact.server, fact.name): ",".join(fact.url) for fact in facts if isinstance(fact, EmsRoute) and fact.url}


def destination_rows(facts: Iterable[Fact], *, network: str) -> Iterator[Row]:
    """Destinations that facts define, and those that only a bridge names (``defined`` is False)."""
    named: dict[tuple[str, str, str, str], Row] = {}

    def add(fact: Fact, type_: str, name: str, defined: bool) -> None:
        key = (fact.system, fact.server, type_, name)
        if key not in named or (defined and not named[key]["defined"]):
            named[key] = {
                "network": network,
                "system": fact.system,
                "server": fact.server,
                "type": type_,
                "name": name,
                "defined": defined,
                "file": fact.source.file,
                "line": fact.source.line,
            }

    for fact in facts:
        if isinstance(fact, EmsDestination):
            add(fact, fact.type, fact.name, True)
        elif isinstance(fact, EmsBridge):
            add(fact, fact.source_type, fact.source_name, False)
            add(fact, fact.target_type, fact.target_name, False)
        elif isinstance(fact, Entity) and fact.type == "address":
            add(fact, "address", fact.get("pattern") or fact.get("prefix") or fact.get("address") or fact.name, True)
    yield from named.values()


def bridge_rows(facts: Iterable[Fact], *, network: str) -> Iterator[Row]:
    """Bridges between destinations of one server."""
    for fact in facts:
        if isinstance(fact, EmsBridge):
            yield {
                "network": network,
                "system": fact.system,
                "server": fact.server,
                "source_type": fact.source_type,
                "source_name": fact.source_name,
                "target_type": fact.target_type,
                "target_name": fact.target_name,
                "selector": fact.selector,
                "file": fact.source.file,
                "line": fact.source.line,
            }
