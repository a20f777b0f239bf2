"""TL-06: a selector on a topic that does not cross routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsDestination, EmsRoute
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ems.destinations.pattern_set import PatternSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked
    from topograph.systems.ems.destinations.guards import ServerSettings
    from topograph.systems.ems.network.configured import Configured

SELECTOR_TOPIC_UNKNOWN = FindingKind(
    "selector-topic-unknown",
    Severity.WARNING,
    Remedy("Correct the topic of the selector.", "The selector has no effect."),
    about="direction",
    bearing=Bearing(
        "nothing", "No message to such a topic crosses the route, with or without the selector."
    ),
)
SELECTOR_TOPIC_NOT_GLOBAL = FindingKind(
    "selector-topic-not-global",
    Severity.ERROR,
    Remedy("Make the topic global, or remove the selector.", "It has no effect."),
    about="direction",
    bearing=Bearing("walked"),
)
TL_06 = Rule(
    "TL-06",
    "Selector without effect",
    "A route has a selector for a topic that is not global or that no configured topic matches.",
    (
        SELECTOR_TOPIC_UNKNOWN,
        SELECTOR_TOPIC_NOT_GLOBAL,
    ),
    check=True,
)


@lint(TL_06)
def selector_without_topic(checked: Checked) -> Iterator[Finding]:
    """Selectors on a topic that is not global, or that no configured topic matches (R67)."""
    for configured in checked.servers:
        side = checked.known[configured.name]
        if not side.topics_missing:
            yield from _of(configured, side)


def _of(configured: Configured, side: ServerSettings) -> Iterator[Finding]:
    names = PatternSet(f.name for f in configured.of(EmsDestination) if f.type == "topic")
    for route in configured.of(EmsRoute):
        for line in route.selectors:
            if line.fault:
                continue  # the error names the route and the line already
            if not names.overlaps(line.topic):
                yield TL_06.at(
                    line.source,
                    f"no topic of {configured.name} matches {line.topic}, which the "
                    f"route {route.name} sets a selector on.",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_TOPIC_UNKNOWN,
                )
            elif not side.global_set.overlaps(line.topic):
                yield TL_06.at(
                    line.source,
                    f"{line.topic} is not global at {configured.name}, so the selector "
                    f"of the route {route.name} decides nothing.",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_TOPIC_NOT_GLOBAL,
                )
