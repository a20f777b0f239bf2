"""The guards that stand for suspended routes (R53). Apart from how guards are made, which asks much
more of a network.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.findings import Source
from topograph.forwarding.graph import WAITS, ForwardingGraph


def suspensions(graph: ForwardingGraph) -> Mapping[int, Source]:
    """The guards that stand for suspended routes, by number, with the place that says so. Linear
    in the guards.
    """
    return {number: graph.guards[number].source for number in sorted(graph.guards_of(WAITS))}
