"""The findings that say that a server does not start, or that a link does not come up, or may not:
all that are decided from facts, gathered before links are made (``contract.bearing``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topograph.systems.contract.bearing import Concerned
from topograph.systems.ems.network.addresses import routes_elsewhere, routes_without_url
from topograph.systems.ems.network.listeners import shared_listens
from topograph.systems.ems.network.pair_names import members_with_two_names
from topograph.systems.ems.network.route_users import users_missing
from topograph.systems.ems.network.start_up import not_starting

if TYPE_CHECKING:
    from topograph.findings import Finding
    from topograph.side_inputs import SideInputs
    from topograph.systems.ems.network.configured import Configured


def concerned(
    servers: Mapping[str, Configured], side_inputs: SideInputs, findings: list[Finding]
) -> list[Concerned]:
    """What findings are about, of all that act on links and servers. Those that no
    importer reports are added to ``findings``. Linear in the facts."""
    found: list[Concerned] = []
    for one, everywhere in routes_elsewhere(servers, side_inputs):
        findings.append(one.finding)
        if everywhere:  # else another URL of the route may lead to the right server
            found.append(one)
    logins = list(users_missing(servers))
    findings.extend(one.finding for one, told in logins if told)
    reported = [
        *members_with_two_names(servers),
        *shared_listens(servers),
    ]
    findings.extend(dict.fromkeys(one.finding for one in reported))
    found += [one for one, _ in logins]
    return [*found, *reported, *routes_without_url(servers), *not_starting(servers)]
