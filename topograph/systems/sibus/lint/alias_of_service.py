"""SL-10: alias of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.message import Address
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    SERVICE,
    Bus,
    BusDestination,
)
from topograph.systems.sibus.buses.lookup import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

ALIAS_TARGETS_SERVICE = FindingKind(
    "alias-targets-service", Severity.ERROR, about="destination", bearing=Bearing("walked")
)
SL_10 = Rule(
    "SL-10",
    "Alias of a service",
    "An alias leads to a service destination.",
    (ALIAS_TARGETS_SERVICE,),
    check=True,
)


@lint(SL_10)
def alias_of_service(estate: BusEstate) -> Iterator[Finding]:
    """Aliases that target a service destination (S-24)."""
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.type == ALIAS:
                yield from _of(bus, one)


def _of(bus: Bus, one: BusDestination) -> Iterator[Finding]:
    if one.target is None or (bus.liberty and one.no_target):
        return
    found = named(
        bus, Address("" if bus.is_own(one.target.bus) else one.target.bus, one.target.destination)
    )
    if found.destination is not None and found.destination.type == SERVICE:
        text = (
            f"Alias {one.name} targets the service destination {one.target.destination}, "
            "which is not allowed."
        )
        yield SL_10.at(one.source, text, server=bus.server)
