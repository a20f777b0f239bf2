"""Rings of links: where two servers are joined by more than one path.

Two rings that share a link cannot be told apart by the paths that they bring, so what is listed is
the biconnected component: a single ring where it has as many links as servers, else rings that
share links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from topograph.forwarding.components import neighbours_of

Pair = tuple[int, int]
"""Two servers that a link joins, the lower number first."""

RINGS_COUNTED = 1_000
"""Rings of one component up to which they are counted."""


def pair(a: int, b: int) -> Pair:
    """The two servers of a link, in order."""
    return (a, b) if a < b else (b, a)


def around(pairs: Collection[Pair]) -> tuple[int, ...] | None:
    """The servers around a single ring, from the lowest number on towards its lower neighbour; None
    where the pairs of a biconnected component hold more than one ring. Linear in the pairs.

    >>> around([(0, 2), (1, 2), (0, 3), (1, 3)])
    (0, 2, 1, 3)
    >>> around([(0, 1), (1, 2), (0, 2), (0, 3), (2, 3)]) is None
    True
    """
    neighbours = neighbours_of(pairs)
    if len(neighbours) != len(pairs):
        return None
    first = min(neighbours)
    before, here = first, min(neighbours[first])
    ring = [first]
    while here != first:
        ring.append(here)
        before, here = here, next(other for other in neighbours[here] if other != before)
    return tuple(ring)


def count_rings(pairs: Collection[Pair], most: int = RINGS_COUNTED) -> int | None:
    """How many simple cycles a biconnected component holds; None where there are more than
    ``most``.

    A component with m links more than a tree holds at least m(m + 1)/2 of them, so that few
    components need to be searched. In those, servers with two links each are left out, which leaves
    at most 3m - 3 links however long the rings are. Then Johnson's algorithm (1975) lists every
    ring in both directions. Linear in the pairs, plus at most ``most`` rings of a graph of some
    hundred links.

    >>> count_rings([(0, 1), (1, 2), (0, 2)]), count_rings([(0, 1), (1, 2), (0, 2), (0, 3), (2, 3)])
    (1, 3)
    """
    surplus = len(pairs) - len({end for one in pairs for end in one}) + 1
    if surplus < 2:
        return surplus
    if surplus * (surplus + 1) // 2 > most:
        return None
    import rustworkx

    edges = _without_passed(pairs)
    graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph(multigraph=False)
    number = {
        server: graph.add_node(server) for server in sorted({end for one in edges for end in one})
    }
    for a, b in edges:
        graph.add_edge(number[a], number[b], None)
        graph.add_edge(number[b], number[a], None)
    # Beside each ring in both directions, Johnson's algorithm lists each link as a cycle of two.
    found = sum(1 for _ in islice(rustworkx.simple_cycles(graph), 2 * (most + 1) + len(edges)))
    rings = (found - len(edges)) // 2
    return rings if rings <= most else None


def _without_passed(pairs: Iterable[Pair]) -> set[Pair]:
    """The pairs with as few servers as possible between two others: it holds as many rings. A
    server stays that is between two which are joined already, for there are no parallel pairs."""
    neighbours = neighbours_of(pairs)
    for server in sorted(neighbours):
        if len(neighbours[server]) == 2:
            a, b = neighbours[server]
            if b not in neighbours[a]:
                for end, other in ((a, b), (b, a)):
                    neighbours[end].remove(server)
                    neighbours[end].add(other)
                del neighbours[server]
    return {pair(a, b) for a, others in neighbours.items() for b in others}
