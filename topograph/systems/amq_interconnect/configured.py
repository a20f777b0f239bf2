"""What routers have beside addresses, for a database: listeners, connectors, autolinks and link
routes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.forwarding.configured import Thing, Tie, Value, declared, destination, leads_to
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.messages.services import service_ends
from topograph.systems.amq_interconnect.network.routers import Router, routers_of

_LABELS = {
    "listener": "Listener",
    "connector": "Connector",
    "autoLink": "AutoLink",
    "linkRoute": "LinkRoute",
}


def configured(
    facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str]
) -> Iterator[Thing | Tie]:
    """See ``forwarding.configured.Configured``."""
    entities, shown = [], []
    for fact in facts:
        if isinstance(fact, Entity):
            entities.append(fact)
        elif isinstance(fact, Shown):
            shown.append(fact)
    routers, _ = routers_of(entities, side_inputs, shown)
    yield from declared(side_inputs, servers)
    for router in routers:
        for entity in router.configuration:
            if entity.type in _LABELS:
                own = f"{entity.type}/{entity.name}"
                values = tuple(_values(entity).items())
                label = _LABELS[entity.type]
                yield Thing(label, router.name, entity.name, entity.source, own, values)
    yield from _services(routers)


def _values(entity: Entity) -> dict[str, Value]:
    if entity.type in ("listener", "connector"):
        values: dict[str, Value] = {
            "address": entity.get("host"),
            "port": entity.get("port"),
            "role": entity.get("role"),
            "tls": entity.get("sslProfile"),
        }
        return values if entity.type == "listener" else {**values, "cost": entity.get("cost")}
    values = {
        "address": entity.get("address") or entity.get("prefix") or entity.get("pattern"),
        "direction": entity.get("direction"),
        "connection": entity.get("connection"),
        "container": entity.get("containerId"),
    }
    if entity.type == "autoLink":
        values["external"] = entity.get("externalAddress")
    return values


def _services(routers: Sequence[Router]) -> Iterator[Tie]:
    """That what comes in at a listener of TCP or HTTP goes to the address of the same name at its
    router, where an entry configures it."""
    for router in routers:
        ends = service_ends(router.name, router.configuration, router.observed)
        for one in ends if not router.stopped else ():
            if not one.closed and one.listens:
                start = destination(one.server, one.name, "listener")
                end = destination(one.server, one.destination.removeprefix("address:"), "address")
                yield leads_to(start, end, "service")
