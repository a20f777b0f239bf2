"""Routes that are suspended: what goes out over them waits, what comes in does not (R53)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.ems.network.walks import is_arrival
from topograph.tracing.states import Component

SUSPENDED = "suspended"
"""The kind of component that a suspended route is. Its name is the server at the other end."""


def suspended_routes(graph: ForwardingGraph) -> Mapping[str, Sequence[Component]]:
    """What may be suspended, by ``suspended:OTHER``: each link, at each of its loaded ends.
    Linear in the links.
    """
    found: dict[str, list[Component]] = defaultdict(list)
    for link in graph.links:
        for at, to in ((link.a, link.b), (link.b, link.a)):
            server, other = graph.servers[at], graph.servers[to]
            if server.loaded:
                one = Component(SUSPENDED, other.name, server.name, graph.system, link.source)
                found[f"{SUSPENDED}:{other.name}"].append(one)
    return found


def arrivals(graph: ForwardingGraph, failed: Collection[Component]) -> frozenset[int]:
    """The arrivals that nothing enters while routes are suspended."""
    ends = {(one.server, one.name) for one in failed if one.kind == SUSPENDED}
    if not ends:
        return frozenset()
    names = [server.name for server in graph.servers]
    columns = graph.columns
    points = is_arrival(graph).nonzero()[0].tolist()
    return frozenset(
        n for n in points if (names[columns.previous[n]], names[columns.server[n]]) in ends
    )
