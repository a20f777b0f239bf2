"""TCP and HTTP services: the listeners of routers, whose clients are served at the connectors of
the same address (S-3), and those that a failure leaves without any (S-5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from topograph.digits import integer
from topograph.facts.amq_interconnect import Entity
from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.amq_interconnect.network.routers import Router
from topograph.systems.contract.failures import OutcomeMoved
from topograph.systems.contract.services import ServiceEnd, Shared

_LISTENERS = frozenset({"tcpListener", "httpListener", "listenerAddress"})
_CONNECTORS = frozenset({"tcpConnector", "httpConnector"})


def service_ends(
    router: str, entities: Sequence[Entity], seen: Iterable[Entity] = ()
) -> Iterator[ServiceEnd]:
    """The listeners and connectors among the configuration of a router, in its order. A
    ``listenerAddress`` is an address more of the listener that it names. ``seen`` is what output
    shows of the router: a listener may be down (D-6). Linear in the entities."""
    outside = {one.name: _outside(one) for one in entities if one.type in _LISTENERS}
    several = {one.name: one for one in entities if _takes_several(one)}
    down = {key: one for one in seen if is_down(one) for key in _keys(one)}
    for one in entities:
        address = plain_address(one.get("address"))
        if not address or one.type not in _LISTENERS | _CONNECTORS or _takes_several(one):
            continue
        listens = one.type in _LISTENERS
        closed = next((down[key] for key in _keys(one) if key in down), None)
        yield ServiceEnd(
            router,
            one.type,
            one.name,
            outside.get(one.get("listener"), "") or _outside(one),
            f"address:{address}",
            listens,
            one.source,
            "" if listens else f"{one.type} to {one.get('host')}:{one.get('port')} at {router}",
            "" if closed is None else _closed(closed),
            "" if closed is None else "D-6",
            _shared(one, several.get(one.get("listener"))),
        )


def _takes_several(entity: Entity) -> bool:
    """Whether a listener takes its addresses from ``listenerAddress`` entities, and none of its own
    (S-7)."""
    return entity.type == "tcpListener" and entity.get("multiAddressStrategy") not in ("", "none")


def _shared(entity: Entity, listener: Entity | None) -> Shared | None:
    """What stands in the files of how clients of a listener get to one of its addresses (S-7)."""
    if entity.type != "listenerAddress" or listener is None:
        return None
    value = entity.get("value")
    number = integer(value, 0)
    strategy = listener.get("multiAddressStrategy")
    return Shared(listener.name, strategy, number, "S-7", listener.source)


def is_down(entity: Entity) -> bool:
    """Whether output shows a listener that is not up: its port is closed (S-5)."""
    return entity.type in _LISTENERS and entity.get("operStatus") not in ("", "up")


def _closed(entity: Entity) -> str:
    state = entity.get("operStatus")
    return f"{entity.source} shows that it is {state}: its port is closed, its clients are refused"


def _keys(entity: Entity) -> tuple[tuple[str, ...], ...]:
    """By what a listener of the files is found in output: its name, else where it listens."""
    outside, address = _outside(entity), plain_address(entity.get("address"))
    if entity.type == "listenerAddress":
        return (("tcpListener", entity.get("listener")),)
    return (entity.type, entity.name), (entity.type, outside, address)


def _outside(entity: Entity) -> str:
    return ":".join(filter(None, (entity.get("host"), entity.get("port"))))


@record
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
            self.router,
            f"address:{self.address}",
            system,
            served,
            told,
            "S-5",
            self.source,
            service=True,
        )


def services_of(routers: Iterable[Router], network: MessageNetwork) -> Iterator[Service]:
    """The services of a network whose clients are known to be served somewhere; a listener with
    several addresses is one, under the first of them (S-7). An address that a link route may take
    is none: who is attached then decides. Linear in the entities."""
    for router in routers:
        if router.name not in network.routers:
            continue
        found: dict[Source, Service] = {}
        ends = service_ends(router.name, router.configuration, router.observed)
        for one in sorted(ends, key=lambda end: -end.shared.value if end.shared else 0):
            address = one.destination.removeprefix("address:")
            if one.closed or not one.listens or network.may_be_routed("in", address):
                continue
            place = one.shared.source if one.shared else one.source
            own = found.get(place, Service(router.name, address, frozenset(), place))
            found[place] = replace(own, taken_at=own.taken_at | network.receiving(address))
        yield from (one for one in found.values() if one.taken_at)
