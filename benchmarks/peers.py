"""What the walks are compared with: networkx on the arrivals of an estate, made from its links and
from nothing of topograph.

A node is a server (somebody publishes there) or a pair (link, server it leads to). By R13 a message
that came over a link goes on over every other link unless both are of one 1hop zone; a published
message goes over every link.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import networkx
from estates import Estate, Link


class Peer:
    """The estate as a networkx graph with numbered nodes, the fastest form networkx has."""

    def __init__(self, estate: Estate, shard: int | None = None) -> None:
        """With a ``shard``, only what a message of that shard may take."""
        self.origin = {server: number for number, server in enumerate(estate.servers)}
        self.server_of = list(estate.servers)
        arrivals: dict[str, list[tuple[int, Link, str]]] = defaultdict(list)
        ways: dict[str, list[tuple[int, Link]]] = defaultdict(list)
        for link in estate.links:
            for sender, receiver in ((link.a, link.b), (link.b, link.a)):
                if shard is None or link.passes(sender, shard):
                    number = len(self.server_of)
                    self.server_of.append(receiver)
                    arrivals[receiver].append((number, link, sender))
                    ways[sender].append((number, link))
        self.graph = networkx.DiGraph()
        self.graph.add_nodes_from(range(len(self.server_of)))
        for server in estate.servers:
            self.graph.add_edges_from((self.origin[server], end) for end, _ in ways[server])
            for start, came, _ in arrivals[server]:
                self.graph.add_edges_from(
                    (start, end)
                    for end, link in ways[server]
                    if link is not came
                    and not (link.zone == came.zone and link.zone_type == "1hop")
                )

    def descendants(self, server: str) -> set[int]:
        """Every node that a message published at the server gets to."""
        return networkx.descendants(self.graph, self.origin[server])

    def lengths(self, server: str) -> dict[int, int]:
        """Hops to every node that a message published at the server gets to."""
        return networkx.single_source_shortest_path_length(self.graph, self.origin[server])

    def servers(self, nodes: Iterable[int]) -> set[str]:
        return {self.server_of[node] for node in nodes}
