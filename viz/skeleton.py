"""Which links decide where the servers of a small network stand: so that one link more, across
zones, moves nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from topograph.forwarding.components import biconnected, neighbours_of
from topograph.viz.meshes import Zones


def skeleton(
    part: Sequence[int], neighbours: Mapping[int, Collection[int]], zones: Zones
) -> dict[int, set[int]]:
    """The neighbours of each server of a connected part by the links that count: those on a
    cycle of their own zone, which is drawn as one, and of the others a tree: first those of
    zones with many servers, then those of busy servers. O(links log links)."""
    of_zone: dict[str, list[tuple[int, int]]] = {}
    for a in part:
        for b in neighbours[a]:
            if a < b:
                of_zone.setdefault(zones[a, b], []).append((a, b))
    on_cycles: set[tuple[int, int]] = set()
    others: list[tuple[int, int, tuple[int, int]]] = []
    for own in of_zone.values():
        within = neighbours_of(own)
        block_of = {
            pair: len(block) > 2
            for block in biconnected(within, within)
            for pair in _pairs(block, within)
        }
        for link in own:
            if block_of[link]:
                on_cycles.add(link)
            else:
                busy = max(len(neighbours[server]) for server in link)
                others.append((-len(within), -busy, link))
    joined = {server: server for server in part}

    def first(server: int) -> int:
        while joined[server] != server:
            server = joined[server]
        return server

    kept: dict[int, set[int]] = {server: set() for server in part}
    for a, b in (*sorted(on_cycles), *(link for _, _, link in sorted(others))):
        one, other = first(a), first(b)
        if one == other and (a, b) not in on_cycles:
            continue
        joined[max(one, other)] = min(one, other)
        kept[a].add(b)
        kept[b].add(a)
    return kept


def _pairs(
    block: Sequence[int], neighbours: Mapping[int, Collection[int]]
) -> list[tuple[int, int]]:
    """The links within a block, the smaller number first."""
    inside = set(block)
    return [(a, b) for a in block for b in inside.intersection(neighbours[a]) if a < b]
