"""How shovels and upstreams are called that are out of order."""

from __future__ import annotations

from topograph.facts import rabbitmq as f
from topograph.systems.rabbitmq.federation import FederationLink
from topograph.systems.rabbitmq.places import shown

SHOVEL, FEDERATION = "shovel", "federation"
"""The kinds of what may fail."""

Part = tuple[str, ...]
"""Kind, cluster and name of what may fail."""


def of_shovel(one: f.RabbitShovel) -> Part:
    """A shovel."""
    return SHOVEL, one.server, shown(one.vhost, one.name)


def of_link(link: FederationLink) -> Part:
    """The upstream of a link, whose links fail together."""
    return FEDERATION, link.downstream.server, shown(link.downstream.vhost, link.name)
