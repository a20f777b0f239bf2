"""A network as a networkx graph, for people who go on with their own algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from topograph.forwarding.graph import ForwardingGraph

if TYPE_CHECKING:
    import networkx


def servers_graph(graphs: Sequence[ForwardingGraph], links: Sequence[Any]) -> networkx.MultiDiGraph[str]:
    """Servers as nodes, links as edges in both directions (R1, T-1), or in one where the link is one-way. ``links`` are ``LinkShown`` records, one a link.

    Node attributes: ``system``, ``loaded``, ``incomplete``, ``file``, ``line``. Edge attributes: ``zone``, ``zone_type``, ``configured_by``,
    ``cost`` (only where the system has costs), ``file``, ``line``; plain values all, as ``networkx.write_graphml`` needs.
    A path in this graph is not yet a permitted one: zone rules decide over two links at a time (R13); use ``points_graph`` for that. Linear
    in servers and links.
    """
    import networkx

    made: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for graph in graphs:
        for server in graph.servers:
            made.add_node(
                server.name,
                system=server.system,
                loaded=server.loaded,
                incomplete=server.incomplete,
                file=server.source.file,
                line=server.source.line,
            )
    for link in links:
        details = {
            "zone": link.zone,
            "zone_type": link.zone_type,
            "configured_by": link.configured_by,
            "file": link.source.file,
            "line": link.source.line,
        }
        if link.cost is not None:
            details["cost"] = link.cost
        for start, end in (link.ends,) if link.one_way else (link.ends, link.ends[::-1]):
            made.add_edge(start, end, **details)
    return made


def points_graph(graphs: Sequence[ForwardingGraph]) -> networkx.DiGraph[str]:
    """The forwarding graph: points as nodes (by key), permitted steps as edges; reachability here is reach (ems.md 6.2).

    Node attributes: ``server``, ``kind``, ``zone``. Edge attributes: ``guards`` (their texts, joined by ``; ``), ``rule``, ``confidence``, ``cost``,
    ``file``, ``line``. Linear in the forwards; a hub of d links in one mhop zone has d(d-1).
    """
    import networkx

    made: networkx.DiGraph[str] = networkx.DiGraph()
    for graph in graphs:
        keys = [point.key for point in graph.points]
        for point in graph.points:
            made.add_node(point.key, server=graph.servers[point.server].name, kind=point.kind, zone=point.zone)
        for forward in graph.forwards():
            made.add_edge(
                keys[forward.start],
                keys[forward.end],
                guards="; ".join(graph.guards[n].text for n in forward.guards if graph.guards[n].kind != "position"),
                rule=forward.rule,
                confidence=str(forward.confidence),
                cost=forward.cost,
                file=forward.source.file,
                line=forward.source.line,
            )
    return made
