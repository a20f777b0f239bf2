"""AMQ Interconnect: routers, links and routes (amq_interconnect.md, T- and E-rules).

``routers`` and ``matching`` turn facts into routers and find what their connectors reach; ``links`` makes links of that; ``routes`` computes
next hops; ``tables`` describes the points of the graph; ``answering`` is what questions call. ``observed`` reads dumps, ``running`` puts those
of a network together, ``comparing`` holds them against the files. ``lint`` and ``lint_shape`` say what is risky in all of it.

What becomes of messages: ``addresses``, ``messaging`` and ``estate`` (what is configured), ``destinations`` (who can get a message), ``attaching``,
``distributing`` (whom a router chooses), ``turns`` (what it remembers), ``containers`` and ``exchanges``, ``course`` and ``sending`` (what happens
to it), ``following`` (with its evidence). Start at ``compile`` below.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.findings import Finding
from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.checks.addresses import lint
from topograph.systems.amq_interconnect.checks.observed import compare
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.network.links import connect
from topograph.systems.amq_interconnect.network.routers import routers_of
from topograph.systems.amq_interconnect.routes.tables import graph_of, tables_of
from topograph.systems.amq_interconnect.routes.trees import compute_routes

__all__ = ["assemble", "compile", "compute_routes"]


def compile(facts: Sequence[Fact], side_inputs: SideInputs) -> tuple[GraphTables, tuple[Finding, ...]]:  # noqa: A001
    """The tables of one network of routers, and what was noticed. O(routers * links log links)."""
    entities = [fact for fact in facts if isinstance(fact, Entity)]
    routers, shared_ids = routers_of(entities, side_inputs)
    connections = connect(routers, side_inputs)
    tables = tables_of(routers, connections)
    network = message_network(graph_of(tables), entities, side_inputs)
    linted = (noticed.finding for noticed in lint(network, routers, len(connections.outside)))
    return tables, (*shared_ids, *connections.findings, *compare(routers, connections), *linted)


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of compiled tables: one forward for each ``toward`` point that has a next hop."""
    return graph_of(tables)
