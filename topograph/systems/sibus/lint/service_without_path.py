"""SL-08: service without a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.configuration import (
    SERVICE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

SERVICE_WITHOUT_PATH = FindingKind(
    "service-without-path",
    Severity.ERROR,
    Remedy("Set a default path on the service.", "Every request to it fails."),
    about="destination",
    bearing=Bearing("walked"),
)
SL_08 = Rule(
    "SL-08",
    "Service without a path",
    "A service destination has no default path, so every message fails.",
    (SERVICE_WITHOUT_PATH,),
    check=True,
)


@lint(SL_08)
def service_without_path(estate: BusEstate) -> Iterator[Finding]:
    """Service destinations without a default forward routing path (S-14)."""
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.type == SERVICE and not one.path and not one.doubt:
                text = (
                    f"Service destination {one.name} has no default forward routing path: messages "
                    "without their own path go to its exception destination."
                )
                yield SL_08.at(one.source, text, server=bus.server)
