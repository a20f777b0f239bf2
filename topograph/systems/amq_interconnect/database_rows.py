"""What a published network of routers shows: its addresses, and where messages begin and end in
the words of its points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.forwarding.descriptions import (
    OF_EVERY_SYSTEM,
    DestinationShown,
    PointWords,
    no_bridges,
    no_message_guards,
    no_names,
    no_route_urls,
    plain_guard_words,
)
from topograph.forwarding.graph import ForwardingGraph
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.messages.services import service_ends
from topograph.systems.amq_interconnect.network.routers import routers_of
from topograph.systems.amq_interconnect.routes import reach

STATEMENTS: Mapping[str, str] = {
    **OF_EVERY_SYSTEM,
    "servers": "`show servers` in memory",
    "routes": "`show routes` in memory, each link that is not a standby both ways",
    "reach": "`reach` in memory",
    "hops": "`hops` in memory",
    "hop-matrix": "`hops --matrix` in memory",
    "paths": "`paths` in memory",
    "guards": "the guards of the points in memory",
    "findings": "`check` in memory",
    "services": "the ways of `services` in memory, of listeners that are not down",
}
"""See ``DatabaseRows``."""


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """The address entries of every router; its listeners and connectors of TCP and HTTP, each of
    which leads to its address. A listener that output shows as down leads nowhere."""
    every = list(facts)
    named: dict[tuple[str, str], DestinationShown] = {}
    for fact in every:
        if isinstance(fact, Entity) and fact.type == "address":
            name = fact.get("pattern") or fact.get("prefix") or fact.get("address") or fact.name
            named.setdefault(
                (fact.server, name), DestinationShown(fact.server, "address", name, fact.source)
            )
    yield from named.values()
    yield from _service_ends(every)


def _service_ends(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    entities, shown = [], []
    for fact in facts:
        if isinstance(fact, Entity):
            entities.append(fact)
        elif isinstance(fact, Shown):
            shown.append(fact)
    routers, _ = routers_of(entities, SideInputs(), shown)
    for router in routers:
        ends = service_ends(router.name, router.configuration, router.observed)
        for one in ends if not router.stopped else ():
            yield DestinationShown(
                one.server,
                "listener" if one.listens else "connector",
                one.name,
                one.source,
                leads_to=() if one.closed else (one.destination,),
                details=" ".join(filter(None, (one.kind, one.outside, one.closed))),
            )


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
