"""A network as a networkx graph, for people who go on with their own algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from topograph.forwarding.graph import POSITIONS, ForwardingGraph

if TYPE_CHECKING:
    import networkx

    from topograph.questions.model import Model


def servers_graph(model: Model) -> networkx.MultiDiGraph[str]:
    """Servers as nodes (by name, or ``SYSTEM:name`` where several systems share one), links as
    edges in both directions (R1, T-1), or in one where the link is one-way.

    Node attributes: ``system``, ``loaded``, ``incomplete``, ``file``, ``line``. Edge attributes:
    ``zone``, ``zone_type``, ``configured_by``, ``cost`` (only where the system has costs),
    ``file``, ``line``; plain values all, as ``networkx.write_graphml`` needs. A path in this graph
    is not yet a permitted one: zone rules decide over two links at a time (R13); use
    ``points_graph`` for that. Linear in servers and links.
    """
    import networkx

    made: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for part in model.parts:
        for server in part.graph.servers:
            made.add_node(
                model.label(server),
                system=server.system,
                loaded=server.loaded,
                incomplete=server.incomplete,
                file=server.source.file,
                line=server.source.line,
            )
        for link in sorted(part.graph.links, key=lambda link: (link.a, link.b, link.source)):
            if not link.carries:
                continue
            details: dict[str, Any] = {
                "zone": link.zone,
                "zone_type": link.zone_type,
                "configured_by": link.configured_by,
                "file": link.source.file,
                "line": link.source.line,
            }
            if link.cost is not None:
                details["cost"] = link.cost
            ends = tuple(model.label(part.graph.servers[end]) for end in (link.a, link.b))
            for start, end in (ends,) if link.one_way else (ends, ends[::-1]):
                made.add_edge(start, end, **details)
    return made


def points_graph(graphs: Sequence[ForwardingGraph]) -> networkx.DiGraph[str]:
    """The forwarding graph: points as nodes (by key), permitted steps as edges; reachability here
    is reach (ems.md 6.2).

    Node attributes: ``server``, ``kind``, ``zone``. Edge attributes: ``guards`` (their texts,
    joined by ``; ``), ``rule``, ``confidence``, ``cost``, ``file``, ``line``. Linear in the
    forwards; a hub of d links in one mhop zone has d(d-1).
    """
    import networkx

    made: networkx.DiGraph[str] = networkx.DiGraph()
    for graph in graphs:
        keys = [point.key for point in graph.points]
        for point in graph.points:
            made.add_node(
                point.key, server=graph.servers[point.server].name, kind=point.kind, zone=point.zone
            )
        for forward in graph.forwards():
            made.add_edge(
                keys[forward.start],
                keys[forward.end],
                guards="; ".join(
                    graph.guards[n].text
                    for n in forward.guards
                    if graph.guards[n].kind not in POSITIONS
                ),
                rule=forward.rule,
                confidence=str(forward.confidence),
                cost=forward.cost,
                file=forward.source.file,
                line=forward.source.line,
            )
    return made
