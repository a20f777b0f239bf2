"""Rows of ``show``: destinations and routing paths of buses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from topograph.message import Address
from topograph.systems.sibus.buses.configuration import FOREIGN, Bus, BusDestination
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.terms import SYSTEM_DEFAULT


def rows(estate: BusEstate, what: str) -> Iterator[dict[str, object]] | None:
    """The rows of ``show WHAT``; None where buses have none of that kind. Linear."""
    if what == "destinations":
        return (
            _destination(bus, elsewhere, one)
            for bus in estate.buses.values()
            for elsewhere, one in bus.all_by_bus
        )
    if what == "routing-paths":
        return (
            row
            for bus in estate.buses.values()
            for one in bus.all_destinations
            for row in _paths(bus, one)
        )
    return None


def _row(bus: Bus, **more: Any) -> dict[str, object]:
    return {"server": bus.server, "system": "sibus", **more}


def _destination(bus: Bus, elsewhere: str, one: BusDestination) -> dict[str, object]:
    details: list[str] = []
    if one.target is not None:
        details.append(f"target={_named(one.target)}")
    if one.mediation:
        details.append(f"mediation={one.mediation}")
    if one.points:
        details.append(f"queue points={', '.join(one.points)}")
    if one.exception != SYSTEM_DEFAULT:
        details.append(f"exception destination={one.exception or 'none'}")
    if one.send_allowed is False:
        details.append("no sending")
    if one.receive_allowed is False:
        details.append("no receiving")
    if one.doubt:
        details.append(one.doubt)
    return _row(
        bus,
        type=one.type,
        name=one.name,
        details="; ".join(details),
        leads_to=_leads_to(elsewhere, one),
        configuration=bus.name,
        source=one.source.to_dict(),
    )


def _leads_to(elsewhere: str, one: BusDestination) -> list[str]:
    """Where messages go on to by its definition: the target of an alias, the destination on the
    other bus that a foreign destination stands for, then the forward routing path, which an
    alias has of its own (S-22)."""
    if one.target is None and elsewhere and one.type == FOREIGN:
        return [f"{one.name}@{elsewhere}"]
    onward = (*(() if one.target is None else (one.target,)), *one.path)
    return [_named(address) for address in onward]


def _named(address: Address) -> str:
    return f"{address.destination}@{address.bus}" if address.bus else address.destination


def _paths(bus: Bus, one: BusDestination) -> Iterator[dict[str, object]]:
    source = one.source.to_dict()
    if one.path:
        path = [_named(step) for step in one.path]
        yield _row(bus, destination=one.name, direction="forward", path=path, source=source)
    if one.reply is not None:
        reply = _named(one.reply)
        yield _row(bus, destination=one.name, direction="reverse", path=[reply], source=source)
