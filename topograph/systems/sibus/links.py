"""Links to other buses (S-20, S-61, S-62)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from topograph.systems.sibus.buses import Route
from topograph.systems.sibus.carried import By, Phase
from topograph.systems.sibus.estate import Here
from topograph.systems.sibus.mq_links import to_queue_manager
from topograph.tracing.states import Way


def cross(
    here: Here,
    route: Route,
    name: str,
    bus: str,
    *,
    text: str = "",
    rule: str = "S-20",
    how: Mapping[str, Any] | None = None,
    **changes: Any,
) -> None:
    """Over the link towards ``bus``, to destination ``name`` there; the rest of the path goes along (S-20)."""
    link, hops = last_link(here, route)
    if link is None:
        text = (
            f"the next hops towards {bus} end in no link ({', '.join(hops)})" if hops[-1] else f"{bus} has no next hop"
        )
        here.go(text, "S-62", route.source, phase=Phase.EXCEPTION, reason=41)
        return
    network = " (WebSphere MQ)" if link.kind == "mq" else ""
    over = f"over the link to {link.bus}{network}"
    told = f"{text}; {over}" if text else f"{over}, for {name}@{bus}"
    if len(hops) > 1:
        told += f", the next hop towards {bus} (S-62)"
    if link.kind == "mq":
        here.ways.append(to_queue_manager(here, link, name, bus, told, how or {}))
        return
    server = here.estate.server_of(link.bus)
    carried = replace(
        here.carried,
        phase=Phase.ARRIVED,
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
    here.ways.append(Way(state, told, rule, source=link.source, link=link.link, role="bus link", **(how or {})))


def last_link(here: Here, route: Route) -> tuple[Route | None, list[str]]:
    """The link that leads towards a foreign bus, and the buses named on the way to it (S-62); None where the next hops lead nowhere."""
    hops = [route.bus]
    while route.kind == "indirect":
        following = here.bus.routes.get(route.next_hop)
        if following is None or following.bus in hops:
            return None, [*hops, route.next_hop]
        route = following
        hops.append(route.bus)
    return (route if route.kind in ("direct", "mq") else None), hops


def onward(here: Here) -> Iterator[tuple[Route, str]]:
    """Every bus that a direct link leads to, with its server."""
    for route in here.bus.routes.values():
        if route.kind == "direct":
            yield route, here.estate.server_of(route.bus)
