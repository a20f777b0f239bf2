"""TL-24: a server with routes does not state ``routing``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked

ROUTING_NOT_STATED = FindingKind(
    "routing-not-stated",
    Severity.WARNING,
    Remedy(
        "State routing = enabled at {server}, or remove its routes.",
        "Routing is disabled by default, and then none of the routes of {server} is up.",
    ),
    about="server",
    bearing=Bearing("walked"),
)
TL_24 = Rule(
    "TL-24",
    "Routing is not stated",
    "A server that has routes does not say whether routing is enabled, which it is not by default.",
    (ROUTING_NOT_STATED,),
    check=True,
)


@lint(TL_24)
def routing_not_stated(checked: Checked) -> Iterator[Finding]:
    """Servers with links whose main file has no line for ``routing`` (R6); one that has a line
    which is not understood has an error of its own. Answers take it as enabled, as an assumption
    (``guards``)."""
    linked = {end for link in checked.estate.links for end in link.ends}
    for configured in checked.servers:
        main = configured.member.server
        if (
            configured.name in linked
            and main.routing is None
            and "routing" not in dict(main.parameters)
        ):
            yield TL_24.at(
                main.source,
                f"{configured.name} has routes and does not state routing, which is disabled by "
                "default; answers take it as enabled.",
                server=configured.name,
            )
