"""SL-13: liberty alias without target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

ALIAS_TARGET_NOT_USABLE = FindingKind(
    "alias-target-not-usable", Severity.ERROR, about="destination", bearing=Bearing("walked")
)
SL_13 = Rule(
    "SL-13",
    "Liberty alias without target",
    "A Liberty alias leads to an alias or to an unknown destination.",
    (ALIAS_TARGET_NOT_USABLE,),
    check=True,
)


@lint(SL_13)
def liberty_alias(estate: BusEstate) -> Iterator[Finding]:
    """Aliases of Liberty whose target is an alias or not configured (A4.3)."""
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.type == ALIAS and bus.liberty and one.no_target and one.target is not None:
                text = (
                    f"Alias {one.name} targets {one.target.destination}, which is an alias or not "
                    "configured: nobody can send to it."
                )
                yield SL_13.at(one.source, text, server=bus.server)
