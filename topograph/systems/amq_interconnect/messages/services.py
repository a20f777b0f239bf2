"""TCP and HTTP services: the listeners of routers, whose clients are served at the connectors of
the same address (S-3), and those that a failure leaves without any (S-5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.amq_interconnect.network.routers import Router
from topograph.systems.contract.failures import OutcomeMoved

_LISTENERS = ("tcpListener", "httpListener")


@dataclass(frozen=True, slots=True)
class Service:
    """A listener of ``router`` at ``source``, and the routers at which its address is taken."""

    router: str
    address: str
    taken_at: frozenset[str]
    source: Source

    def without_any(self, before: Collection[str], system: str) -> OutcomeMoved:
        """That its clients were served at the routers ``before``, and nowhere afterwards."""
        served = tuple(f"{Outcome.DELIVERED} at {name}" for name in sorted(before))
        told = (str(Outcome.NO_CREDIT),)
        return OutcomeMoved(
            self.router, f"address:{self.address}", system, served, told, "S-5", self.source
        )


def services_of(routers: Iterable[Router], network: MessageNetwork) -> Iterator[Service]:
    """The services of a network whose clients are known to be served somewhere. An address that a
    link route may take is none: who is attached then decides. Linear in the entities."""
    for router in routers:
        if router.name not in network.routers:
            continue
        for entity in router.configuration:
            address = plain_address(entity.get("address"))
            if entity.type not in _LISTENERS or not address:
                continue
            taken_at = network.receiving(address)
            if taken_at and not network.may_be_routed("in", address):
                yield Service(router.name, address, taken_at, entity.source)
