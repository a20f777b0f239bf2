"""What closes links whatever a message is, and what does not concern replies: read off the
guards alone, without facts and selectors.
"""

from __future__ import annotations

import json

from topograph.forwarding.graph import DOWN, OPEN, POSITIONS, Closed, ForwardingGraph, Guard


def links_down(graph: ForwardingGraph) -> Closed:
    """The links that are configured and down whatever the message is (R6, A18)."""
    return Closed(guards=graph.guards_of(DOWN))


def not_certainly_up(graph: ForwardingGraph) -> Closed:
    """The links that are down, and those of which a finding leaves open whether they come up
    (DESIGN 2.7): what a walk leaves out that has to be certain."""
    return Closed(guards=links_down(graph).guards | graph.guards_of(OPEN))


def passes_replies(guard: Guard) -> bool:
    """Whether a guard asks nothing of a message to a temporary topic: neither ``global`` nor
    route selectors do (R91, A24), and grants only where a pattern of temporary topics is secure
    (R84)."""
    if guard.kind == "grant":
        return not any(
            pattern.startswith("$TMP$.") for pattern in json.loads(guard.payload).get("secure", ())
        )
    return guard.kind in ("global", "selector") or guard.kind in POSITIONS
