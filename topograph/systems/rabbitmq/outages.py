"""What may fail beside brokers: shovels, and the federation links of an upstream (RQ-19, RQ-21)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from topograph.systems.rabbitmq.federation import FederationLink
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.out_of_order import FEDERATION, SHOVEL, Part, of_link, of_shovel
from topograph.systems.rabbitmq.places import shown
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.states import Asking, Component, Outage, State


def components(network: Network) -> Iterator[Component]:
    """What may fail: each shovel, and each upstream by which something is federated. Linear."""
    for one in sorted(network.configuration.shovels, key=lambda one: (one.server, one.source)):
        yield Component(SHOVEL, shown(one.vhost, one.name), one.server, "rabbitmq", one.source)
    links: dict[Part, FederationLink] = {}
    for link in network.federation.links:
        links.setdefault(of_link(link), link)
    for (_, server, name), link in sorted(links.items()):
        yield Component(FEDERATION, name, server, "rabbitmq", link.source)


def parts(outage: Outage) -> frozenset[Part]:
    """What is out of order, as steps ask for it."""
    return frozenset((one.kind, one.server, one.name) for one in outage.components)


def asking(network: Network) -> Asking:
    """What steps ask about."""

    def of(state: State) -> Collection[Part]:
        place, travel = decoded(state)
        if travel.user is not None:
            return ()
        shovels = network.exchanges.onward.shovels.out_of.get(place, ())
        links = network.federation.out_of.get(place, ())
        return [*map(of_shovel, shovels), *map(of_link, links)]

    return Asking(of, parts, lambda _: None)
