"""The links and uplinks of a compiled network: what its points say, without the facts they came from."""

from __future__ import annotations

import numpy as np

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.points import Point
from topograph.systems.amq_interconnect.routes.tables import kind_mask


def links_of(graph: ForwardingGraph) -> list[Point]:
    """All working inter-router links, used by a route or not (points of kind ``link``); edge uplinks are no links (E-5)."""
    return points_of_kind(graph, "link")


def uplink_points(graph: ForwardingGraph) -> list[Point]:
    """The active uplinks of edge routers (E-1): a point each, ``server`` the edge and ``link`` the interior router."""
    return [point for point in points_of_kind(graph, "toward") if point.rule == "E-1" and point.link == point.target]


def uplinks_of(graph: ForwardingGraph) -> dict[str, str]:
    """Per edge router the interior router of its active uplink, by name."""
    names = [server.name for server in graph.servers]
    return {names[point.server]: names[point.link] for point in uplink_points(graph)}


def points_of_kind(graph: ForwardingGraph, kind: str) -> list[Point]:
    """The points of one kind, in table order."""
    return [graph.points[number] for number in np.flatnonzero(kind_mask(graph.columns, kind)).tolist()]
