"""What a published network of routers shows: its addresses, and where messages begin and end in
the words of its points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.forwarding.descriptions import (
    DestinationShown,
    PointWords,
    no_bridges,
    no_message_guards,
    no_names,
    no_route_urls,
    plain_guard_words,
)
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.amq_interconnect.routes import reach

STATEMENTS: Mapping[str, str] = {
    "servers": "`show servers` in memory",
    "routes": "`show routes` in memory, each link that is not a standby both ways",
    "reach": "`reach` in memory",
    "hops": "`hops` in memory",
    "hop-matrix": "`hops --matrix` in memory",
    "paths": "`paths` in memory",
    "guards": "the guards of the points in memory",
    "findings": "`check` in memory",
}
"""See ``DatabaseRows``."""


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """The address entries of every router."""
    named: dict[tuple[str, str], DestinationShown] = {}
    for fact in facts:
        if isinstance(fact, Entity) and fact.type == "address":
            name = fact.get("pattern") or fact.get("prefix") or fact.get("address") or fact.name
            named.setdefault(
                (fact.server, name), DestinationShown(fact.server, "address", name, fact.source)
            )
    yield from named.values()


bridges = no_bridges
"""Routers have no bridges."""

route_urls = no_route_urls
"""Links of routers have no URLs."""

guard_words = plain_guard_words
"""Guards of routers carry positions and ask nothing of a message."""

names_by_server = no_names
"""Routers hold no names by implication."""

message_guards = no_message_guards
"""Routers choose receivers by distribution and cost; that is no walk over guards."""


def point_words(graph: ForwardingGraph) -> Iterator[PointWords]:
    """A message to router D begins at ``R=>D`` of the router it is sent at, and has arrived at
    ``D=>D`` (T-4).
    """
    for point in graph.points:
        condition = "; ".join(dict.fromkeys(graph.guards[guard].text for guard in point.guards))
        placed = point.kind == "toward"
        yield PointWords(
            condition,
            starts=placed and point.server != point.target,
            ends=placed and point.server == point.target,
        )


def doubts(graph: ForwardingGraph) -> Iterator[str]:
    """See ``DatabaseRows``: the routers whose part of the network connects to a router that is
    not loaded, and those routers.
    """
    return iter(reach.doubts(graph))


def cut_off(graph: ForwardingGraph) -> Collection[int]:
    """See ``DatabaseRows``."""
    return reach.cut_off(graph)
