"""Sites of Skupper with several routers, and interior routers with their edge routers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.forwarding.graph import ForwardingGraph
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.routes.tables import UPLINK
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class

SITE = "site"
"""The type of the entity that names the site of a router of Skupper."""

FEWEST = 2
"""Routers from which a site is drawn as one, and edge routers from which theirs are: a router that
is alone goes by the name of its site (3.6)."""


def groups(
    source: FactSource,
    side_inputs: SideInputs,  # noqa: ARG001
    graph: ForwardingGraph,
) -> Sequence[ServerGroup]:
    """The sites by name, then each interior router with its edge routers (E-1). Reads the entities
    of sites alone; linear in the links."""
    return [*_sites(source, graph), *_edges(graph)]


def _sites(source: FactSource, graph: ForwardingGraph) -> Iterator[ServerGroup]:
    labels = {one for one in source.names((Entity.kind,)).count if one.startswith(f"{SITE} ")}
    routers: dict[tuple[str, str], set[str]] = {}
    if labels:
        known = {server.name for server in graph.servers}
        for site in of_class(source, Entity, names=labels):
            if site.type == SITE and site.server in known:
                key = (site.name, site.get("namespace"))
                routers.setdefault(key, set()).add(site.server)
    found = {key: members for key, members in sorted(routers.items()) if len(members) >= FEWEST}
    sites = Counter(name for name, _ in found)
    for (name, namespace), members in found.items():
        title = f"{namespace}/{name}" if sites[name] > 1 and namespace else name
        yield ServerGroup(title, SITE, tuple(sorted(members)))


def _edges(graph: ForwardingGraph) -> Iterator[ServerGroup]:
    edges: dict[str, set[str]] = {}
    for link in graph.links:
        if link.role == UPLINK:
            ends = {graph.servers[link.a].name, graph.servers[link.b].name}
            edge = link.configured_by
            for interior in ends - {edge}:
                edges.setdefault(interior, set()).add(edge)
    for name, members in sorted(edges.items()):
        if len(members) >= FEWEST:
            yield ServerGroup(name, "edge group", tuple(sorted({name, *members})))
