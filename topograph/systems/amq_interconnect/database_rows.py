"""What a published network of routers shows: its addresses, and where messages begin and end in
the words of its points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.facts.fact import Servers
from topograph.forwarding.descriptions import (
    BridgeShown,
    DestinationShown,
    GuardWords,
    NamesOfServer,
    PointWords,
)
from topograph.forwarding.graph import ForwardingGraph
from topograph.message import Message
from topograph.side_inputs import Client
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


def bridges(facts: Iterable[Fact]) -> Sequence[BridgeShown]:  # noqa: ARG001
    """Routers have no bridges."""
    return ()


def route_urls(facts: Iterable[Fact]) -> Mapping[tuple[str, str], str]:  # noqa: ARG001
    """Links of routers have no URLs."""
    return {}


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


def guard_words(graph: ForwardingGraph, facts: Sequence[Fact]) -> Iterator[GuardWords]:  # noqa: ARG001
    """Guards of routers carry positions and ask nothing of a message."""
    for _ in graph.guards:
        yield GuardWords()


def names_by_server(graph: ForwardingGraph) -> Sequence[NamesOfServer]:  # noqa: ARG001
    """Routers hold no names by implication."""
    return ()


def message_guards(
    graph: ForwardingGraph,  # noqa: ARG001
    facts: Callable[[Sequence[str], Servers], Sequence[Fact]],  # noqa: ARG001
    start: str,  # noqa: ARG001
    message: Message,  # noqa: ARG001
    clients: Sequence[Client],  # noqa: ARG001
) -> None:
    """Routers choose receivers by distribution and cost; that is no walk over guards."""
    return
