"""What a page may decide of EMS without EMS: the walks of R13 and R16, why they end, and
messages to topics (``systems.contract.portable``).
"""

from __future__ import annotations

import numpy as np

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.outcomes import NotForwarded
from topograph.systems.contract.portable import Halt, PortableWalks, Unseen, UnseenLink
from topograph.systems.ems.network.doubt import AS_SHOWN, LEGAL, Doubt
from topograph.systems.ems.network.links_closed import links_down
from topograph.systems.ems.network.unseen import unseen_routes
from topograph.systems.ems.portable.topics import messages
from topograph.systems.ems.topics.publication import BEEN_HERE, RULES, one_hop_only

__all__ = ["messages", "walks"]


def walks(graph: ForwardingGraph) -> PortableWalks:
    """See ``Portable.walks``: what ``reach.reach_from`` and ``publication.stops`` go by. Linear
    in guards and points.
    """
    shut = links_down(graph)
    doubt = Doubt(graph, RowWalks(graph), shut)
    down = RULES[NotForwarded.ROUTE_DOWN]
    guards = graph.guards
    columns = graph.columns
    one_hop = {
        zone
        for zone in zip(columns.zone.texts(), columns.zone_type.texts(), strict=True)
        if zone[1] == "1hop"
    }
    return PortableWalks(
        "once",
        "end",
        {
            n: Halt(NotForwarded.ROUTE_DOWN, guards[n].text, down, guards[n].source)
            for n in sorted(shut.guards)
        },
        {
            key: Halt(NotForwarded.ZONE, one_hop_only(key[0]), RULES[NotForwarded.ZONE])
            for key in sorted(one_hop)
        },
        Halt(NotForwarded.ALREADY_VISITED, BEEN_HERE, RULES[NotForwarded.ALREADY_VISITED]),
        doubt.may_lead_on() if doubt.open_ended else None,
        _unseen(graph) if doubt.open_ended else None,
        open={
            n: Halt(NotForwarded.ROUTE_DOWN, guards[n].text, down, guards[n].source)
            for n in sorted(doubt.open_links)
        },
    )


MOST_UNSEEN = 200_000
"""Servers in all rows of unseen links up to which a page holds them."""


def _unseen(graph: ForwardingGraph) -> Unseen:
    """What ``doubt.ruled_out`` goes by."""
    routes = unseen_routes(graph)
    if routes is None:
        return Unseen(LEGAL, AS_SHOWN.assumption, None, judged=False)
    if 2 * routes.servers * len(routes.candidates) > MOST_UNSEEN:
        return Unseen(LEGAL, AS_SHOWN.assumption, None)
    rows = (
        (one, np.flatnonzero(one.here), np.flatnonzero(one.beyond)) for one in routes.candidates
    )
    links = [
        UnseenLink(one.server, one.zone, here.tolist(), beyond.tolist(), one.name)
        for one, here, beyond in rows
    ]
    return Unseen(LEGAL, AS_SHOWN.assumption, links)
