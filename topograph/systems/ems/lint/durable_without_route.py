"""TL-25: a durable for another server that nothing goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsDurable
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked
    from topograph.systems.ems.network.configured import Configured

ROUTE_DURABLE_WITHOUT_ROUTE = FindingKind(
    "route-durable-without-route",
    Severity.WARNING,
    Remedy(
        "Configure a route to the server, or remove the durable.",
        "{server} stores messages for a server that it has no route to.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
ROUTE_DURABLE_NOT_GLOBAL = FindingKind(
    "route-durable-not-global",
    Severity.WARNING,
    Remedy(
        "Make the topic global at both servers, or remove the durable.",
        "{server} stores messages that do not cross the route.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
TL_25 = Rule(
    "TL-25",
    "Durable for a server that gets nothing",
    "A static durable names a server to which no route leads, or whose route does not carry it.",
    (ROUTE_DURABLE_WITHOUT_ROUTE, ROUTE_DURABLE_NOT_GLOBAL),
    check=True,
)


@lint(TL_25)
def durable_without_route(checked: Checked) -> Iterator[Finding]:
    """Durables of routes whose server is no neighbour, or whose topic is not global at both ends
    (A13, R42). Linear in the durables."""
    linked = {pair for link in checked.estate.links for pair in (link.ends, link.ends[::-1])}
    for configured in checked.servers:
        for durable in configured.of(EmsDurable):
            if not durable.route:
                continue
            if (configured.name, durable.name) in linked:
                yield from _not_global(checked, configured, durable)
            elif not _routes_missing(checked, configured.name, durable.name):
                yield TL_25.at(
                    durable.source,
                    f"{configured.name} keeps {durable.topic} for {durable.name}, and no loaded "
                    f"file has a route between the two.",
                    kind=ROUTE_DURABLE_WITHOUT_ROUTE,
                    server=configured.name,
                )


def _routes_missing(checked: Checked, *names: str) -> bool:
    """Whether one of the servers has a routes.conf that was not found or not read."""
    servers = checked.estate.servers
    return any("routes" in servers[name].member.server.missing for name in names if name in servers)


def _not_global(checked: Checked, configured: Configured, durable: EmsDurable) -> Iterator[Finding]:
    lacking = [
        name
        for name in (configured.name, durable.name)
        if name in checked.known
        and not checked.known[name].topics_missing
        and not checked.known[name].global_set.overlaps(durable.topic)
    ]
    if lacking:
        yield TL_25.at(
            durable.source,
            f"{configured.name} keeps {durable.topic} for {durable.name}, and it is not global at "
            f"{' and '.join(lacking)}: the route does not carry it.",
            kind=ROUTE_DURABLE_NOT_GLOBAL,
            server=configured.name,
        )
