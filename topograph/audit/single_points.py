"""Links that become the only way between some servers, and links that no longer are, where a
system wants more than one path.
"""

from __future__ import annotations

from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers.audit import SinglePoints
from topograph.systems import system_of


def single_points(before: ForwardingGraph, after: ForwardingGraph) -> SinglePoints:
    """Links (``A-B``) that both graphs have and that only one of them has another way around.
    Systems that allow one path only (R20) have no other links than such: nothing is told of
    them. Linear in the links."""
    redundancy = system_of(after).capabilities.redundancy
    if before is after or redundancy is None:
        return SinglePoints()
    sides = []
    for graph in (before, after):
        spare = {link for _, links in redundancy().redundant(graph) for link in links}
        names = [server.name for server in graph.servers]
        links = {"-".join(sorted((names[link.a], names[link.b]))) for link in graph.links}
        sides.append((links, spare))
    (was, spare_before), (now, spare_after) = sides
    both = was & now
    return SinglePoints(
        tuple(sorted(both & spare_before - spare_after)),
        tuple(sorted(both & spare_after - spare_before)),
    )
