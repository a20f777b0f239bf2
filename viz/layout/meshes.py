"""Which servers stand together: a mesh, or a server with the servers that hang on it alone.

Meshes are looked for zone by zone, so that a link between two of them changes neither.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from topograph.forwarding.components import biconnected, connected, neighbours_of
from topograph.viz.layout.blocks import RING_DENSITY

_SMALLEST = 4
"""Servers of a dense part that is looked for inside a block; a triangle there is nothing of its
own.
"""

_SEARCHED = 2_000
"""Servers of a block up to which dense parts are looked for in it."""

Zones = Mapping[tuple[int, int], str]
"""The zone of each pair of linked servers, the smaller number first."""


def heads(
    part: Sequence[int], neighbours: Mapping[int, Collection[int]], zones: Zones
) -> dict[int, int]:
    """For each server of a connected part the first server of the cluster that it stands in: of
    its largest mesh, or of the only server it is linked to, or itself. About linear in links,
    for meshes times their servers."""
    head: dict[int, int] = {}
    for mesh in sorted(meshes(part, neighbours, zones), key=lambda mesh: (-len(mesh), mesh)):
        # Without the servers that a larger mesh has, what is left may hang together no more.
        for group in connected((server for server in mesh if server not in head), neighbours):
            head.update(dict.fromkeys(group, group[0]))
    for server in part:
        if server not in head and len(neighbours[server]) > 1:
            head[server] = server
    for server in part:
        if server not in head:
            head[server] = head.get(next(iter(neighbours[server]), server), server)
    return head


def meshes(
    part: Sequence[int], neighbours: Mapping[int, Collection[int]], zones: Zones
) -> list[tuple[int, ...]]:
    """The dense parts of each zone."""
    links: dict[str, list[tuple[int, int]]] = {}
    for a in part:
        for b in neighbours[a]:
            if a < b:
                links.setdefault(zones[a, b], []).append((a, b))
    found = []
    for _, own in sorted(links.items()):
        within = neighbours_of(own)
        for block in biconnected(within, within):
            if len(block) > 2:
                found += [block] if is_mesh(block, within) else _inside(block, within)
    return found


def is_mesh(servers: Collection[int], neighbours: Mapping[int, Collection[int]]) -> bool:
    """Whether nearly every two of these servers are linked."""
    inside = set(servers)
    links = sum(len(inside.intersection(neighbours[server])) for server in servers) // 2
    return links >= RING_DENSITY * len(servers) * (len(servers) - 1) / 2


def _inside(
    block: Sequence[int], neighbours: Mapping[int, Collection[int]]
) -> list[tuple[int, ...]]:
    """The meshes in a block that is none: parts that hold together by links whose ends have half
    of their neighbours in common.
    """
    if len(block) > _SEARCHED:
        return []
    inside = set(block)
    near = {server: inside.intersection(neighbours[server]) for server in block}
    strong = [
        (a, b)
        for a in block
        for b in near[a]
        if a < b
        and 2 * (len(near[a] & near[b]) + 2) > min(len(near[a]), len(near[b])) + 1
        and near[a] & near[b]
    ]
    joined = neighbours_of(strong)
    found = []
    for part in connected(joined, joined):
        found += [
            one for one in biconnected(part, joined) if len(one) >= _SMALLEST and is_mesh(one, near)
        ]
    return found
