"""TL-05: a durable behind an active-passive route."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsDurable
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked
    from topograph.systems.ems.network.links import EmsConfiguration, EmsLink

DURABLE_BEHIND_ACTIVE_PASSIVE_ROUTE = FindingKind(
    "durable-behind-active-passive-route",
    Severity.WARNING,
    Remedy(
        "Configure the route on both servers.",
        ("While the route is down, messages for the durable subscriber are lost or come twice."),
    ),
    about="client",
    bearing=Bearing(
        "nothing",
        "It is about messages that are lost or doubled when the route fails: impact says so.",
    ),
)
TL_05 = Rule(
    "TL-05",
    "Durable behind an active-passive route",
    (
        "Messages for a durable subscriber can be lost or duplicated while a route that only "
        "one side configures is down."
    ),
    (DURABLE_BEHIND_ACTIVE_PASSIVE_ROUTE,),
    check=True,
)


@lint(TL_05)
def active_passive_to_durables(checked: Checked) -> Iterator[Finding]:
    """An active-passive route at a server with durables, which a failure of the other end
    can leave with a gap or duplicates.
    """
    for link in checked.estate.links:
        yield from _of(link, checked.estate)


def _of(link: EmsLink, estate: EmsConfiguration) -> Iterator[Finding]:
    if link.role == "active-active":
        return
    for end in link.ends:
        configured = estate.servers.get(end)
        durable = next(iter(configured.of(EmsDurable)), None) if configured else None
        if durable is not None:
            other = link.other(end)
            known = other in estate.servers
            sides = (
                f"is configured on {link.role} only"
                if known
                else f"is configured on {link.role}; whether on {other} too is not known, because "
                f"the configuration of {other} is not loaded"
            )
            yield TL_05.at(
                link.source,
                f"{end} holds the durable {durable.name} ({durable.source}) and its "
                f"route to {other} {sides}. If the route breaks, messages may be lost or arrive "
                "twice; only an active-active route, configured on both servers, avoids both.",
                severity=Severity.WARNING if known else Severity.INFO,
                server=end,
            )
