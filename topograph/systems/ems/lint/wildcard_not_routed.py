"""TL-09: a wildcard that is wider than global topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsBridge, EmsDurable
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ems.destinations.topics import is_wildcard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked
    from topograph.systems.ems.destinations.guards import ServerSettings
    from topograph.systems.ems.network.configured import Configured

WILDCARD_NOT_SUBSET_OF_GLOBAL = FindingKind(
    "wildcard-not-subset-of-global",
    Severity.WARNING,
    Remedy(
        "Narrow the wildcard, or make a topic global that covers it.",
        "Some messages for it from other servers do not come.",
    ),
    about="client",
    bearing=Bearing("walked"),
)
TL_09 = Rule(
    "TL-09",
    "Wildcard reaches beyond global topics",
    (
        "A wildcard subscription, durable or bridge matches more than the global topics cover, "
        "so part of its messages does not come."
    ),
    (WILDCARD_NOT_SUBSET_OF_GLOBAL,),
    check=True,
)


@lint(TL_09)
def wildcard_not_routed(checked: Checked) -> Iterator[Finding]:
    """A wildcard durable or bridge source that is not a subset of a global topic, though it
    meets one (R46).
    """
    for configured in checked.servers:
        yield from _of(configured, checked.known[configured.name])


def _of(configured: Configured, side: ServerSettings) -> Iterator[Finding]:
    if side.topics_missing:
        return
    bridges = (one for one in configured.of(EmsBridge) if one.source_type == "topic")
    named = [
        *((durable, durable.topic) for durable in configured.of(EmsDurable)),
        *((bridge, bridge.source_name) for bridge in bridges),
    ]
    for fact, topic in named:
        if (
            is_wildcard(topic)
            and side.global_set.overlaps(topic)
            and not side.global_set.contains(topic)
        ):
            yield TL_09.at(
                fact.source,
                f"{topic} meets global topics of {configured.name} but is not a subset of "
                "one; routing of it is not reliable.",
                server=configured.name,
            )
