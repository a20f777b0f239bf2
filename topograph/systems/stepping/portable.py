"""What a page may decide of systems that go step by step: the shortest paths over the graph that
they share (``systems.contract.portable``).
"""

from __future__ import annotations

from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.contract.portable import PortableWalks
from topograph.systems.stepping.paths import (
    at_run_time,
    perhaps_joined,
    perhaps_taken,
    unconnected,
)
from topograph.tracing.assembly import not_decided

MOST_FORWARDS = 30_000
"""Each forward is described by itself: more would make pages of megabytes, and take long to
write (0.16 s for 11,000).
"""


def walks(graph: ForwardingGraph) -> PortableWalks | None:
    """See ``Portable.walks``: what ``stepping.paths.reach_from`` goes by. Linear in servers and
    guards.
    """
    if graph.forward_count > MOST_FORWARDS:
        return None
    systems: dict[str, int] = {}
    for number, server in enumerate(graph.servers):
        systems.setdefault(server.system, number)
    apart = {
        (here, graph.servers[other].system)
        for here, start in systems.items()
        for other in unconnected(graph, start)
    }
    return PortableWalks(
        "shortest",
        "forward",
        chosen=at_run_time(graph).guards,
        undecided=not_decided(graph),
        apart=tuple(sorted(apart)),
        perhaps_taken=tuple(perhaps_taken(graph)),
        perhaps_joined=tuple(perhaps_joined(graph)),
    )
