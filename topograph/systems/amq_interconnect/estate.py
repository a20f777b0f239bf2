"""From facts to the ``MessageNetwork``: what each router is configured to do with addresses, and which containers it connects to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topograph.facts import Entity
from topograph.findings import Source
from topograph.systems.amq_interconnect.addresses import AddressTable, Distribution, address_entry, kept_tokens, truth
from topograph.systems.amq_interconnect.messaging import (
    FALLBACK,
    AutoLink,
    Binding,
    Exchange,
    LinkRoute,
    RouterConfigured,
)


def router_configured(name: str, entities: Sequence[Entity], version: str = "") -> RouterConfigured:
    """What the configuration entities of one router say of addresses, in their order (C-1). Linear in the entities."""
    section = next((entity for entity in entities if entity.type == "router"), None)
    return RouterConfigured(
        name=name,
        mode=section.get("mode") or "standalone" if section else "standalone",
        version=version,
        default=Distribution((section.get("defaultDistribution") if section else "") or "balanced"),
        table=AddressTable(address_entry(entity) for entity in entities if entity.type == "address"),
        link_routes=tuple(_link_route(entity) for entity in entities if entity.type == "linkRoute"),
        auto_links=tuple(_auto_link(entity) for entity in entities if entity.type == "autoLink"),
        exchanges=tuple(_exchanges(entities)),
        source=section.source if section else (entities[0].source if entities else Source("")),
    )


def _link_route(entity: Entity) -> LinkRoute:
    return LinkRoute(
        name=entity.name,
        text=entity.get("prefix") or entity.get("pattern"),
        tokens=tuple(kept_tokens(entity)),
        direction=entity.get("direction"),
        connection=entity.get("connection"),
        container=entity.get("containerId"),
        add_prefix=entity.get("addExternalPrefix"),
        del_prefix=entity.get("delExternalPrefix"),
        source=entity.source,
    )


def _auto_link(entity: Entity) -> AutoLink:
    direction, fallback = entity.get("direction"), truth(entity.get("fallback"))
    phase = entity.get("phase") or ("1" if direction == "in" else "0")
    if fallback:
        # towards the container it serves the fallback; from there it feeds the primary address (F-1, F-4)
        phase = FALLBACK if direction == "out" else "0"
    return AutoLink(
        name=entity.name,
        address=entity.get("address"),
        direction=direction,
        phase=phase,
        connection=entity.get("connection"),
        container=entity.get("containerId"),
        external=entity.get("externalAddress"),
        source=entity.source,
    )


def _exchanges(entities: Iterable[Entity]) -> Iterable[Exchange]:
    bindings: dict[str, list[Binding]] = {}
    entities = list(entities)
    for entity in entities:
        if entity.type == "binding":
            binding = Binding(
                entity.get("bindingKey"), entity.get("nextHopAddress"), entity.get("nextHopPhase") or "0", entity.source
            )
            bindings.setdefault(entity.get("exchangeName"), []).append(binding)
    for entity in entities:
        if entity.type == "exchange":
            yield Exchange(
                name=entity.name,
                address=entity.get("address"),
                phase=entity.get("phase") or "0",
                method=entity.get("matchMethod") or "amqp",
                alternate=entity.get("alternateAddress"),
                alternate_phase=entity.get("alternatePhase") or "0",
                bindings=tuple(bindings.get(entity.name, ())),
                source=entity.source,
            )
