"""EL-04: no direct connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.mqe.connections import next_hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

VIA_LEADS_NOWHERE = FindingKind(
    "via-leads-nowhere",
    Severity.ERROR,
    Remedy("Define the missing connection.", "Messages over it cannot be sent."),
    about="link",
    bearing=Bearing("walked"),
)
EL_04 = Rule(
    "EL-04",
    "No direct connection",
    "A chain of via connections does not end in a direct one.",
    (VIA_LEADS_NOWHERE,),
    check=True,
)


@lint(EL_04)
def via_nowhere(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-04: a via connection whose chain of queue managers ends before a direct connection to
    the one that it names.
    """
    chains = _Chains(configuration)
    for here in configuration.all():
        for connection in here.connections.values():
            if connection.type == "via" and (why := chains.broken(here.name, connection.name)):
                text = (
                    f"The connection {connection.name} of {here.name} goes via "
                    f"{connection.via}: {why}."
                )
                yield EL_04.at(connection.source, text, server=here.name)


class _Chains:
    """Where messages for a queue manager go on from one queue manager on their way to the next
    (E-20, E-21). What was found is kept.
    """

    def __init__(self, configuration: MqeConfiguration) -> None:
        self.configuration = configuration
        self.found: dict[tuple[str, str], str] = {}

    def broken(self, server: str, name: str) -> str:
        """Why no direct connection to ``name`` ends the chain from ``server``; empty if one
        does, as far as it is loaded. Linear in the chain.
        """
        gone: dict[tuple[str, str], None] = {}
        at: str | tuple[str, str] = (server, name)
        while not isinstance(at, str):
            if at in gone:
                at = f"messages for {at[1]} come back to {at[0]}"
            elif at in self.found:
                at = self.found[at]
            else:
                gone[at] = None
                at = self._after(*at)
        self.found.update(dict.fromkeys(gone, at))
        return at

    def _after(self, server: str, name: str) -> str | tuple[str, str]:
        """Why the chain ends at a queue manager, empty if it may, or the next queue manager and
        the name that messages are for there.
        """
        here = self.configuration.get(server)
        if here is None or here.unread:
            return ""
        hop = next_hop(self.configuration, here, name)
        if not hop.to:
            return hop.problem
        if here.connections.get(hop.to) is None:
            return f"{server} has no connection definition for {hop.to}"
        there = self.configuration.get(hop.to)
        if not hop.via or there is None:
            return ""
        meant = there.substitute(name)
        onward = meant.target
        bridged = any(queue.type == "bridge" and queue.qmgr == onward for queue in there.queues)
        if meant.in_circle or bridged or onward == there.name or onward in there.accepting:
            return ""
        return there.name, onward
