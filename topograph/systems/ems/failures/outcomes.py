"""Who stores messages when the next server of their path, or the route to it, fails (F3-F8, R120,
R53).

The forwarder keeps its internal subscriber, and stores, if the route is in its own configuration.
The receiver keeps what it suppresses duplicates with if the route is in its configuration. Only
where both have it nothing is missed and nothing comes twice.
"""

from __future__ import annotations

from topograph.outcomes import NotForwarded, Outcome
from topograph.records import record
from topograph.systems.ems.destinations.guards import SUSPENDED

BOTH = "active-active"
"""The role of a link that both ends configure (``Link.configured_by``)."""


@record
class RouteInterruption:
    """What becomes of messages from ``forwarder`` to ``receiver`` meanwhile: rule of the failure
    table, confidence, and why.
    """

    forwarder: str
    receiver: str
    kept: bool
    duplicates: bool
    rule: str
    confidence: str
    reason: str

    @property
    def outcome(self) -> str:
        """In the words of outcomes."""
        if self.rule == "R7":
            return (
                f"{Outcome.NOT_FORWARDED}({NotForwarded.ROUTE_DOWN}: the other member of the "
                "pair has no such route)"
            )
        if not self.kept:
            return (
                f"{Outcome.GAP}({self.rule}: {self.forwarder} removes its internal "
                f"subscriber for {self.receiver} and stores nothing)"
            )
        if self.rule == SUSPENDED:
            return (
                f"{Outcome.HELD}({self.rule}: {self.forwarder} stores for {self.receiver} "
                "until the route is resumed)"
            )
        twice = ", consumers may get duplicates" if self.duplicates else ""
        return (
            f"{Outcome.HELD}({self.rule}: {self.forwarder} stores for {self.receiver} until "
            f"it is back{twice})"
        )


def configures(configured_by: str, server: str) -> bool:
    """Whether a server has the route in its own configuration."""
    return configured_by in (BOTH, server)


def interruption(
    forwarder: str, receiver: str, configured_by: str, *, server: bool, static: bool = False
) -> RouteInterruption:
    """What R120 makes of one link on which ``receiver`` fails (``server``) or the connection does.
    ``static``: a durable for the receiver stands in the forwarder's configuration, which is there
    whatever happens (F8).

    >>> (interruption("M", "B", "active-active", server=True).rule,
    ...  interruption("M", "B", "B", server=False).rule)
    ('F3', 'F6')
    """
    kept = static or configures(configured_by, forwarder)
    duplicates = kept and not configures(configured_by, receiver)
    sides = f"both {forwarder} and {receiver}" if configured_by == BOTH else f"{configured_by} only"
    reason = f"the route is configured at {sides}"
    if static:
        reason = f"{forwarder} has a static durable for {receiver}; {reason}"
    if configured_by == BOTH:
        rule, confidence = ("F3", "H") if server else ("F7", "H")
    elif not server:
        rule, confidence = "F6", "M" if kept else "H"
    else:
        rule, confidence = ("F5", "M") if kept else ("F4", "H")
    if static:
        rule, confidence = "F8", "M"
    return RouteInterruption(forwarder, receiver, kept, duplicates, rule, confidence, reason)


def suspended(forwarder: str, receiver: str) -> RouteInterruption:
    """What becomes of messages before a route that ``forwarder`` suspends: they wait, and come
    once it is resumed (R53).
    """
    reason = (
        f"the route to {receiver} is suspended at {forwarder}, which stops what goes out "
        "only; selectors are not evaluated again for "
        "what waits (R68)"
    )
    return RouteInterruption(
        forwarder,
        receiver,
        kept=True,
        duplicates=False,
        rule=SUSPENDED,
        confidence="H",
        reason=reason,
    )


def dropped(forwarder: str, receiver: str, configured_by: str) -> RouteInterruption:
    """What becomes of messages over a route that only the failed member of a fault-tolerant pair
    has: the other member knows nothing of it, and its neighbour, which does not configure it,
    removes its internal subscriber (R7, R120)."""
    reason = (
        f"the other member of the fault-tolerant pair {configured_by} has no route between "
        f"{forwarder} and {receiver}"
    )
    return RouteInterruption(
        forwarder, receiver, kept=False, duplicates=False, rule="R7", confidence="M", reason=reason
    )


def after_return(forwarder: str, receiver: str, configured_by: str) -> RouteInterruption | None:
    """What a receiver sees once a forwarder that failed is back: duplicates, where only the
    forwarder has the route (F5: "if either server fails"). What the forwarder had stored comes
    through as far as its store keeps it (R122). None where there is nothing to say."""
    if configured_by != forwarder:
        return None
    reason = (
        f"the route is configured at {forwarder} only, so {receiver} keeps no record to "
        "detect duplicates with; "
        f"messages that {forwarder} had stored arrive if they are still in its store (R122)"
    )
    return RouteInterruption(
        forwarder, receiver, kept=True, duplicates=True, rule="F5", confidence="M", reason=reason
    )
