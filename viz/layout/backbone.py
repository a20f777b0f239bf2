"""What holds clusters together: a tree of links between them, and the other links that decide where
they stand.

One link more or less between clusters shall not move everybody: of the links that close a cycle
only those count that are needed to draw it as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from topograph.forwarding.components import biconnected, neighbours_of
from topograph.records import record

SHORT = 4
"""Clusters of a cycle that is drawn as one, if most of them are small."""

_OF_SERVER, _OF_CLUSTERS = 5, 2
"""How much the links of a link's busier server count, and how much the neighbours of its
clusters, in what makes it one of the tree: so that most links added at random between companies
of meshes, of one hub or of many, are none (measured)."""

CYCLIC = 0.75
"""Share of clusters on cycles from which a network is drawn by all its links."""


@record
class Backbone:
    """``tree`` are the links (between servers) that join all clusters; ``closing`` further ones
    that decide where clusters stand. ``order`` are the clusters from the middle of the tree
    outwards, ``parent`` says for each the one before it, -1 for the first. ``cyclic``: most
    clusters stand on cycles."""

    tree: Sequence[tuple[int, int]]
    closing: Sequence[tuple[int, int]]
    order: Sequence[int]
    parent: Mapping[int, int]
    cyclic: bool


def backbone(
    clusters: Sequence[Sequence[int]], of: Mapping[int, int], links: Iterable[tuple[int, int]]
) -> Backbone:
    """The backbone of connected clusters; ``of`` says which one a server is in, ``links`` are those
    between servers of two.

    Links between clusters that have several come first, then those between servers with many, then
    between clusters with many neighbours. O(links log links), and for cycles the length of the way
    around.
    """
    between = sorted(links)
    bundle: dict[tuple[int, int], int] = {}
    for a, b in between:
        pair = min(of[a], of[b]), max(of[a], of[b])
        bundle[pair] = bundle.get(pair, 0) + 1
    around = neighbours_of(bundle)

    ends: dict[int, int] = {}
    for a, b in between:
        ends[a], ends[b] = ends.get(a, 0) + 1, ends.get(b, 0) + 1

    def worth(link: tuple[int, int]) -> tuple[int, int, int, tuple[int, int]]:
        one, other = of[link[0]], of[link[1]]
        least, most = sorted((ends[link[0]], ends[link[1]]))
        near = len(around[one]) + len(around[other])
        return (
            -bundle[min(one, other), max(one, other)],
            -least,
            -(_OF_SERVER * most + _OF_CLUSTERS * near),
            link,
        )

    root = list(range(len(clusters)))

    def found(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    tree, rest = [], []
    for a, b in sorted(between, key=worth):
        one, other = found(of[a]), found(of[b])
        if one != other:
            root[one] = other
            tree.append((a, b))
        else:
            rest.append((a, b))
    joined = neighbours_of((of[a], of[b]) for a, b in tree)
    order, parent = _from_the_middle(len(clusters), joined)
    on_cycles = {one for block in biconnected(around, around) if len(block) > 2 for one in block}
    cyclic = len(on_cycles) > CYCLIC * len(clusters)
    depth = {order[0]: 0}
    for here in order[1:]:
        depth[here] = depth[parent[here]] + 1
    seen = {pair for a, b in tree for pair in ((of[a], of[b]), (of[b], of[a]))}
    closing = []
    for a, b in rest:
        pair = of[a], of[b]
        if pair in seen:
            continue
        if cyclic or _small(_way(*pair, parent, depth), clusters):
            closing.append((a, b))
            seen.update((pair, pair[::-1]))
    return Backbone(tree, closing, order, parent, cyclic)


def _small(way: Sequence[int], clusters: Sequence[Sequence[int]]) -> bool:
    """Whether a cycle over these clusters is short, and drawn as one: past a large cluster a
    link may just as well go straight.
    """
    return len(way) <= SHORT and 2 * sum(len(clusters[one]) > 2 for one in way) <= len(way)


def _way(a: int, b: int, parent: Mapping[int, int], depth: Mapping[int, int]) -> list[int]:
    """The clusters on the way from one to another in the tree, at most one more than SHORT."""
    ends = [[a], [b]]
    while ends[0][-1] != ends[1][-1] and len(ends[0]) + len(ends[1]) <= SHORT + 2:
        lower = ends[0] if depth[ends[0][-1]] >= depth[ends[1][-1]] else ends[1]
        lower.append(parent[lower[-1]])
    return [*ends[0], *ends[1][-2::-1]]


def _from_the_middle(
    size: int, joined: Mapping[int, Iterable[int]]
) -> tuple[list[int], dict[int, int]]:
    """The clusters from the one outwards on which nothing hangs that has more than half of them;
    of two the first. Clusters are counted and not their servers, of which one more or less shall
    not matter."""

    def outwards(start: int) -> tuple[list[int], dict[int, int]]:
        order, before = [start], {start: -1}
        for here in order:
            for there in sorted(joined.get(here, ())):
                if there not in before:
                    before[there] = here
                    order.append(there)
        return order, before

    order, before = outwards(0)
    behind = [1] * size
    largest = [0] * size
    for here in reversed(order):
        largest[here] = max(largest[here], size - behind[here])
        if before[here] >= 0:
            behind[before[here]] += behind[here]
            largest[before[here]] = max(largest[before[here]], behind[here])
    return outwards(min(range(size), key=lambda one: (largest[one], one)))
