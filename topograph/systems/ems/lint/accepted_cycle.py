"""TL-02: cycles that are legal and risky."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import CheckedGraph

MULTI_ZONE_CYCLE = FindingKind(
    "multi-zone-cycle",
    Severity.WARNING,
    Remedy("Check that this cycle is intended.", "Another route could make it illegal."),
    about="link",
    bearing=Bearing("nothing", "The routes are accepted, and all of them are walked."),
)
TL_02 = Rule(
    "TL-02",
    "Cycle over several zones",
    "Routes form a cycle that the rule accepts, because a 1hop zone interrupts it.",
    (MULTI_ZONE_CYCLE,),
    check=True,
)


@lint(TL_02, walks=True)
def accepted_cycle(checked: CheckedGraph) -> Iterator[Finding]:
    """Cycles over several zones that the temporary-topic rule accepts (A2), in a legal network."""
    graph = checked.graph
    if not all(part.legal for part in checked.parts):
        return
    for part in checked.parts:
        names = ", ".join(graph.servers[number].name for number in part.servers[:8])
        place = next(point.source for point in graph.points if point.link in part.links)
        yield TL_02.at(
            place,
            f"the routes between {names} form a cycle over several zones. The "
            "temporary-topic rule accepts it; "
            "the vendor's knowledge base calls every such cycle illegal. `topograph "
            "cycles --strict` refuses it.",
        )
