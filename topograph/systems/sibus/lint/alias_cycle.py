"""SL-09: aliases form a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    Bus,
    BusDestination,
)
from topograph.systems.sibus.checked import cycles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

ALIAS_CYCLE = FindingKind(
    "alias-cycle",
    Severity.ERROR,
    Remedy("Point one of the aliases at a queue.", "Messages to these names are refused."),
    about="destination",
    bearing=Bearing("walked"),
)
SL_09 = Rule(
    "SL-09",
    "Aliases form a circle",
    "A chain of aliases leads back to itself.",
    (ALIAS_CYCLE,),
    check=True,
)


@lint(SL_09)
def alias_cycle(estate: BusEstate) -> Iterator[Finding]:
    """Aliases that lead back to themselves (S-24)."""
    for bus in estate.buses.values():
        yield from _of(bus)


def _of(bus: Bus) -> Iterator[Finding]:
    to: dict[tuple[str, str], tuple[str, str]] = {}
    aliases: dict[tuple[str, str], BusDestination] = {}
    for (other, name), one in (
        *((("", name), one) for name, one in sorted(bus.destinations.items())),
        *sorted(bus.elsewhere.items()),
    ):
        if one.type == ALIAS and one.target is not None:
            to[other, name] = (
                "" if bus.is_own(one.target.bus) else one.target.bus,
                one.target.destination,
            )
            aliases[other, name] = one
    for cycle in cycles(to):
        text = (
            "Aliases lead back to themselves: "
            f"{' -> '.join(name for _, name in (*cycle, cycle[0]))}."
        )
        yield SL_09.at(aliases[cycle[0]].source, text, server=bus.server)
