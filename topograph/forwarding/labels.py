"""What servers are called where graphs stand beside each other: a server is (system, name)."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.forwarding.graph import ForwardingGraph


def server_labels(graphs: Sequence[ForwardingGraph]) -> list[list[str]]:
    """The label of each server of each graph: its name, or ``SYSTEM:name`` where servers of several
    systems have that name. Linear in the servers."""
    systems: dict[str, set[str]] = {}
    for graph in graphs:
        for server in graph.servers:
            systems.setdefault(server.name, set()).add(server.system)
    return [
        [
            server.name if len(systems[server.name]) == 1 else f"{server.system}:{server.name}"
            for server in graph.servers
        ]
        for graph in graphs
    ]
