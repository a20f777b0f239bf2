"""Link routes and autolinks that no connection can ever make active (C-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.facts.route_containers import GENERATED, why_never_active
from topograph.rules.amq_interconnect_findings import (
    AUTOLINK_NEVER_ACTIVE,
    C_7,
    LINKROUTE_NEVER_ACTIVE,
)
from topograph.systems.amq_interconnect.checks.findings import Noticed, noticed, text_of_link
from topograph.systems.amq_interconnect.network.routers import Router

_KINDS = {"autoLink": AUTOLINK_NEVER_ACTIVE, "linkRoute": LINKROUTE_NEVER_ACTIVE}


def never_active(routers: Iterable[Router]) -> Iterator[Noticed]:
    """The entries of the routers' configurations that refer to no connection of a container. A
    link route that names none is another matter (L-4). A dump says itself what is active. Linear
    in the entities."""
    for router in routers:
        if router.from_dump:
            continue
        roles = named_roles(router.configuration)
        for one in router.configuration:
            if one.type not in _KINDS or (one.type == "linkRoute" and not one.get("connection")):
                continue
            if router.gaps and one.get("connection") not in roles:
                continue
            if reason := why_never_active(one.get("connection"), one.get("containerId"), roles):
                text = text_of_link(one.type, one.name, one.get("direction"), _addressed(one))
                message = f"{text} never becomes active: {reason}"
                yield noticed(C_7, _KINDS[one.type], message, one.source, router.name)


def named_roles(entities: Sequence[Entity]) -> Mapping[str, str]:
    """The roles of the listeners and connectors that entries can refer to, by name."""
    return {
        one.name: one.get("role", "normal")
        for one in entities
        if one.type in ("listener", "connector") and not one.name.startswith(GENERATED)
    }


def _addressed(one: Entity) -> str:
    return one.get("address") or one.get("prefix") or one.get("pattern")
