"""SL-15: mediation without the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate

MEDIATION_LEAVES_REVERSE_PATH = FindingKind(
    "mediation-leaves-reverse-path",
    Severity.WARNING,
    about="destination",
    bearing=Bearing("walked"),
)
SL_15 = Rule(
    "SL-15",
    "Mediation without the way back",
    "A mediation changes the path of requests but not that of replies.",
    (MEDIATION_LEAVES_REVERSE_PATH,),
    check=True,
)


@lint(SL_15)
def forward_path_only(estate: BusEstate) -> Iterator[Finding]:
    """Mediations said to change the forward path and not the reverse path (S-30 to S-33)."""
    for entry in estate.side_inputs.mediations:
        forward = entry.forward_path is not None or bool(entry.forward_path_before)
        reverse = entry.reverse_path is not None or bool(entry.reverse_path_before)
        if forward and not reverse and entry.result == "pass":
            what = entry.mediation or f"at {entry.destination}"
            text = (
                f"Mediation {what} changes the forward path and not the reverse path: "
                "replies do not come back the matching way."
            )
            yield SL_15.at(entry.source, text, server=entry.bus)
