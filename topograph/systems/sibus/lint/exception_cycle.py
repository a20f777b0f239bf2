"""SL-06: exception destinations form a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.terms import SYSTEM_DEFAULT
from topograph.systems.sibus.checked import cycles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.configuration import (
        Bus,
    )
    from topograph.systems.sibus.buses.estate import BusEstate

EXCEPTION_CYCLE = FindingKind(
    "exception-cycle",
    Severity.WARNING,
    Remedy("Name a queue outside the circle.", "A failed message goes round."),
    about="destination",
    bearing=Bearing("walked"),
)
SL_06 = Rule(
    "SL-06",
    "Exception destinations form a circle",
    "Exception destinations lead back to the first.",
    (EXCEPTION_CYCLE,),
    check=True,
)


@lint(SL_06)
def exception_cycle(estate: BusEstate) -> Iterator[Finding]:
    """Exception destinations that form a cycle (S-45)."""
    for bus in estate.buses.values():
        yield from _of(bus)


def _of(bus: Bus) -> Iterator[Finding]:
    to = {
        name: one.exception
        for name, one in sorted(bus.destinations.items())
        if one.exception not in ("", SYSTEM_DEFAULT, name) and one.exception in bus.destinations
    }
    for cycle in cycles(to):
        one = bus.destinations[cycle[0]]
        text = f"Exception destinations form a cycle: {' -> '.join((*cycle, cycle[0]))}."
        yield SL_06.at(one.exception_source or one.source, text, server=bus.server)
