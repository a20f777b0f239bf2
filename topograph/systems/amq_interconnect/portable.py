"""What a page may decide of routers without their rules: chains of next hops that are there
already (``systems.contract.portable``).
"""

from __future__ import annotations

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.systems.amq_interconnect.routes.reach import leaves_open, reach_from
from topograph.systems.amq_interconnect.routes.tables import links_of, uplinks_of
from topograph.systems.contract.portable import LeastCost, LeftOpen, PortableWalks

MOST_ROUTERS = 250
"""A router has a point for every router that it reaches: more would make pages of megabytes."""

MOST_LEFT_OPEN = 150
"""Routers for which it is worked out, pair by pair, what is not known: 0.3 s for 150."""


def walks(graph: ForwardingGraph) -> PortableWalks | None:
    """See ``Portable.walks``. Linear in the points; where links lead to what is not loaded,
    ``undetermined`` from each router.
    """
    if len(graph.servers) > MOST_ROUTERS:
        return None
    number = graph.server_number
    return PortableWalks(
        "chains",
        "start",
        left_open=_left_open(graph),
        least_cost=LeastCost(
            tuple((link.a, link.b, link.cost or 0) for link in links_of(graph)),
            frozenset(number[name] for name in uplinks_of(graph)),
        ),
    )


def _left_open(graph: ForwardingGraph) -> dict[int, tuple[LeftOpen, ...]] | None:
    """By router what its ``Reached`` leaves open; None where that takes too long."""
    if not leaves_open(graph):
        return {}
    if len(graph.servers) > MOST_LEFT_OPEN:
        return None
    walker = RowWalks(graph)
    servers = graph.servers_of_points
    found = {}
    for start in range(len(graph.servers)):
        reached = reach_from(graph, walker, start, Budget())
        ways = reached.towards
        found[start] = tuple(
            LeftOpen(
                number, because, source, servers[ways[number][-1]] if ways.get(number) else None
            )
            for number, (because, source) in sorted(reached.undetermined.items())
        )
    return found
