"""EL-07: lists itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

LISTS_ITSELF = FindingKind(
    "lists-itself", Severity.WARNING, about="destination", bearing=Bearing("walked")
)
EL_07 = Rule(
    "EL-07",
    "Lists itself",
    "A store-and-forward queue lists its own queue manager.",
    (LISTS_ITSELF,),
    check=True,
)


@lint(EL_07)
def lists_itself(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-07."""
    for here in configuration.all():
        for store in here.accepting.get(here.name, ()):
            text = (
                f"{store.name} of {here.name} lists {here.name} itself: it takes messages "
                "for queues that do not exist."
            )
            yield EL_07.at(store.source, text, server=here.name)
