"""SL-03: default paths form a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.ambiguities import A4, S9
from topograph.systems.sibus.checked import default_cycles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

DEFAULT_PATH_CYCLE = FindingKind(
    "default-path-cycle",
    Severity.ERROR,
    Remedy(
        "Correct the default path that leads back.",
        "Messages are cut off after 20 redirects.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
SL_03 = Rule(
    "SL-03",
    "Default paths form a circle",
    "Messages circulate until they are cut after 20 redirects.",
    (DEFAULT_PATH_CYCLE,),
    check=True,
)


@lint(SL_03)
def default_cycle(estate: BusEstate) -> Iterator[Finding]:
    """Default paths that form a cycle (S-09)."""
    limit = estate.readings.number(S9)
    for cycle in () if estate.readings.takes(A4, "stay") else default_cycles(estate):
        bus, one = cycle[0]
        first = cycle[limit % len(cycle)][1].path[0]
        way = " -> ".join(f"{each.name}@{at.name}" for at, each in (*cycle, cycle[0]))
        text = (
            f"Default forward routing paths form a cycle: {way}. A message sent to "
            f"{one.name} without a path is cut after "
            f"{limit} redirects and ends in the exception destination of {first.destination}."
        )
        yield SL_03.at(one.source, text, server=bus.server)
