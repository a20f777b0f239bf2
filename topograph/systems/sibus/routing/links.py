"""Links to other buses (S-20, S-61, S-62)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from topograph.systems.sibus.buses.carried import By, SibusPhase
from topograph.systems.sibus.buses.configuration import ForeignRoute
from topograph.systems.sibus.buses.estate import Here
from topograph.systems.sibus.buses.lookup import last_link
from topograph.systems.sibus.routing import positions
from topograph.systems.sibus.routing.mq_links import to_queue_manager
from topograph.tracing.states import Way


def cross(
    here: Here,
    route: ForeignRoute,
    name: str,
    bus: str,
    *,
    text: str = "",
    rule: str = "S-20",
    how: Mapping[str, Any] | None = None,
    **changes: Any,
) -> None:
    """Over the link towards ``bus``, to destination ``name`` there; the rest of the path goes
    along (S-20).
    """
    link, hops = last_link(here.bus, route)
    assert link is not None  # an address without a link leads nowhere (lookup)
    if not link.link:
        here.assume(positions.S62)
    network = " (WebSphere MQ)" if link.kind == "mq" else ""
    over = f"over the link to {link.bus}{network}"
    told = f"{text}; {over}" if text else f"{over}, for {name}@{bus}"
    told += f", the next hop towards {bus} (S-62)" if len(hops) > 1 else " (S-62)"
    if link.kind == "mq":
        here.ways.append(to_queue_manager(here, link, name, bus, told, how or {}))
        return
    server = here.estate.server_of(link.bus)
    carried = replace(
        here.carried,
        phase=SibusPhase.ARRIVED,
        by=By.LINK,
        target_bus="" if link.bus == bus else bus,
        engine="",
        point="",
        points=None,
        from_bus=here.bus.name,
        sender_waits=False,
        **changes,
    )
    state = carried.at(server, name, here.estate.paths)
    here.ways.append(
        Way(state, told, rule, source=link.source, link=link.link, role="bus link", **(how or {}))
    )


def onward(here: Here) -> Iterator[tuple[ForeignRoute, str]]:
    """Every bus that a direct link leads to, with its server."""
    for route in here.bus.routes.values():
        if route.kind == "direct":
            yield route, here.estate.server_of(route.bus)
