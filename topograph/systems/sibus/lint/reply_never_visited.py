"""SL-12: reply destination never used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.sibus.buses.estate import BusEstate
    from topograph.systems.sibus.checked import Place

REPLY_DESTINATION_UNUSED = FindingKind("reply-destination-unused", Severity.INFO)
SL_12 = Rule(
    "SL-12",
    "Reply destination never used",
    "No path passes the destination, so its reply destination has no effect.",
    (REPLY_DESTINATION_UNUSED,),
    check=True,
)


@lint(SL_12)
def reply_never_visited(estate: BusEstate) -> Iterator[Finding]:
    """Reply destinations that no default path visits (S-10)."""
    visited = _visited(estate)
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.reply is not None and (bus.server, one.name) not in visited:
                text = (
                    f"{one.name} has a reply destination, and no default forward routing path "
                    "visits it."
                )
                yield SL_12.at(one.source, text, server=bus.server)


def _visited(estate: BusEstate) -> set[Place]:
    """The destinations that some default path names, or that have one."""
    found: set[Place] = set()
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.path:
                found.add((bus.server, one.name))
            for element in one.path:
                server = bus.server if bus.is_own(element.bus) else estate.server_of(element.bus)
                found.add((server, element.destination))
    return found
