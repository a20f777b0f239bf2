"""The operational status of autolinks and link routes (C-7, W-7, W-14), as a running router
would show it.
"""

from __future__ import annotations

from topograph.systems.amq_interconnect.messages.model import AutoLink, LinkRoute, MessageNetwork


def operational_status(network: MessageNetwork, router: str, one: AutoLink | LinkRoute) -> str:
    """``active``; ``inactive`` without an open connection; ``attaching`` for an autolink that
    the container refuses.
    """
    connections = network.open_connections(router, one.connection, one.container)
    if network.bridges_of(router, one):
        return "active"
    if not connections:
        return "inactive"
    if isinstance(one, AutoLink) and not attached_links(network, router, one):
        return "attaching"
    return "active"


def attached_links(network: MessageNetwork, router: str, one: AutoLink | LinkRoute) -> int:
    """On how many connections it is attached: one by container id attaches on each connection to
    that container (W-7).
    """
    connections = network.open_connections(router, one.connection, one.container)
    if isinstance(one, LinkRoute):
        return len(connections)
    return sum(
        one.at_container not in network.brokers[connection.broker].refuse
        for connection in connections
    )
