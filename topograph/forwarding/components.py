"""The connected parts of a network, and its blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.forwarding.servers import systems_of

if TYPE_CHECKING:
    from rustworkx import PyGraph

    from topograph.forwarding.graph import ForwardingGraph


def neighbours_of(links: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """The servers that links join, each with those it is joined with. Linear in the links."""
    found: dict[int, set[int]] = {}
    for a, b in links:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return found


def connected(servers: Iterable[int], neighbours: Mapping[int, Collection[int]]) -> list[list[int]]:
    """The servers by connected part, links to others left aside: the largest part first, each in
    order. Linear in the links.
    """
    left = set(servers)
    parts = []
    for first in sorted(left):
        if first not in left:
            continue
        left.remove(first)
        part = [first]
        for server in part:
            fresh = sorted(left.intersection(neighbours[server]))
            left.difference_update(fresh)
            part.extend(fresh)
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def undirected(
    order: Sequence[int], neighbours: Mapping[int, Collection[int]]
) -> PyGraph[int, None]:
    """The links among some servers as a graph whose nodes are their places in ``order``. Linear
    in the links.
    """
    import rustworkx as rx

    number = {server: at for at, server in enumerate(order)}
    graph: PyGraph[int, None] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(order)))
    graph.add_edges_from_no_data(
        [
            (number[a], number[b])
            for a in order
            for b in sorted(neighbours[a])
            if a < b and b in number
        ]
    )
    return graph


def biconnected(
    servers: Iterable[int], neighbours: Mapping[int, Collection[int]]
) -> list[tuple[int, ...]]:
    """The biconnected components among these servers, a single link being one, each as its
    servers in order. Linear in the links.
    """
    import rustworkx as rx

    order = sorted(servers)
    graph = undirected(order, neighbours)
    members: dict[int, set[int]] = {}
    for ends, block in rx.biconnected_components(graph).items():
        members.setdefault(block, set()).update(order[end] for end in ends)
    return sorted(tuple(sorted(block)) for block in members.values())


def blocks_by_server(blocks: Sequence[tuple[int, ...]]) -> dict[int, list[int]]:
    """The numbers of the blocks that each server is in."""
    at: dict[int, list[int]] = {}
    for number, block in enumerate(blocks):
        for server in block:
            at.setdefault(server, []).append(number)
    return at


def joined_systems(graph: ForwardingGraph) -> Mapping[str, frozenset[str]]:
    """By system the systems of a graph that its messages can get to: those that a link leads to,
    over any number of systems. Of the others it is not known what joins them. Linear in the links.
    """
    servers = graph.servers
    names = systems_of(servers)
    if len(names) == 1:
        return dict.fromkeys(names, names)
    next_to: dict[str, set[str]] = {name: {name} for name in names}
    for link in graph.links:
        next_to[servers[link.a].system].add(servers[link.b].system)
    for _ in names:
        next_to = {
            name: {far for near in found for far in next_to[near]}
            for name, found in next_to.items()
        }
    return {name: frozenset(found) for name, found in next_to.items()}
