"""Links to other buses and to networks of WebSphere MQ (S-20, S-61 to S-63)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from topograph.outcomes import Confidence
from topograph.systems.sibus.buses import Route
from topograph.systems.sibus.carried import By, Phase
from topograph.systems.sibus.estate import Here
from topograph.tracing.states import Handover, How, State, Way

MQ = "ibm_mq"
"""The system that takes over what crosses a link to WebSphere MQ."""

ANY = "*"
"""Stands for every destination of the bus that is entered."""


def at_queue_manager(state: State) -> State:
    """A message that crossed a link to WebSphere MQ, as IBM MQ has it: its bus is the name of a queue manager (S-63)."""
    from topograph.systems.ibm_mq.positions import ANY_QUEUE, OPEN, Position

    name = ANY_QUEUE if state.object == ANY else state.object
    return Position(state.server, OPEN, name, str(json.loads(state.data)["queue_manager"])).state()


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
        text = f"the next hops towards {bus} end in no link ({', '.join(hops)})"
        here.go(text, "S-62", route.source, phase=Phase.EXCEPTION, reason=41)
        return
    told = f"{text}; over the link to {link.bus}" if text else f"over the link to {link.bus}, for {name}@{bus}"
    if len(hops) > 1:
        told += f", the next hop towards {bus} (S-62)"
    if link.kind == "mq":
        here.ways.append(_to_mq(here, link, name, bus, told, how or {}))
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


def _to_mq(here: Here, link: Route, name: str, bus: str, text: str, how: Mapping[str, Any]) -> Way:
    """S-63: the bus becomes a queue manager name; what is at the other end goes on with it."""
    hosts = {one.host: one.server for one in here.estate.side_inputs.hosts}
    server = hosts.get(link.host) or hosts.get(link.host.partition(":")[0]) or link.bus
    state = State(server, name, json.dumps({"queue_manager": bus}))
    handover = Handover(MQ, state, How.STATED if server != link.bus else How.ASSUMED, link.source)
    text = f"{text} (WebSphere MQ)"
    return Way(handover, text, "S-63", Confidence.M, link.source, link=link.link, role="MQ link", **how)


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
