"""TL-27: a route that names one member of a fault-tolerant pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsRoute
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked

ROUTE_MISSES_MEMBER = FindingKind(
    "route-misses-member",
    Severity.WARNING,
    Remedy(
        "Add the URL of the other member to the route.",
        "While the other member is active, this server does not connect to the pair.",
    ),
    "link",
    Bearing(
        "nothing",
        "The member that the URL names is taken for the active one; `impact` says what it takes.",
    ),
)
TL_27 = Rule(
    "TL-27",
    "Route to one member of a pair",
    (
        "The URL of a route leads to one member of a fault-tolerant pair only, so that the server "
        "does not connect while the other member is active."
    ),
    (ROUTE_MISSES_MEMBER,),
    check=True,
)


@lint(TL_27)
def route_misses_member(checked: Checked) -> Iterator[Finding]:
    """Routes whose URLs are those of one member of a pair (R6, R7), judged as ``impact`` judges
    them when a member fails. For information where the pair configures the route too, and
    connects itself.
    """
    from topograph.systems.ems.network.member_urls import members_of, missed

    pairs = {
        configured.name: found
        for configured in checked.servers
        if (found := members_of([member.server for member in configured.members]))
    }
    for configured in checked.servers:
        for route in configured.of(EmsRoute):
            pair = pairs.get(route.name, ())
            member = missed(route, pair) if pair and route.name != configured.name else None
            if member is None:
                continue
            own_routes = checked.estate.servers[route.name].of(EmsRoute)
            back = [one for one in own_routes if one.name == configured.name]
            connects = (
                f" {route.name} configures the route too ({back[0].source}), and connects itself."
                if back
                else ""
            )
            yield TL_27.at(
                route.source,
                f"the route {route.name} of {configured.name} leads to {', '.join(route.url)} "
                f"only, one member of the fault-tolerant pair {route.name}; the other one listens "
                f"at {member.urls} ({member.source}).{connects}",
                severity=Severity.INFO if back else Severity.WARNING,
                server=configured.name,
            )
