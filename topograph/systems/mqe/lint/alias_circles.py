"""EL-05: aliases form a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

ALIAS_CIRCLE = FindingKind(
    "alias-circle",
    Severity.ERROR,
    Remedy("Correct one of the aliases.", "A put to these names fails."),
    about="destination",
    bearing=Bearing("walked"),
)
EL_05 = Rule(
    "EL-05",
    "Aliases form a circle",
    "Aliases of queue managers refer to each other.",
    (ALIAS_CIRCLE,),
    check=True,
)


@lint(EL_05)
def alias_circles(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-05. Linear: each alias is looked at once."""
    for here in configuration.all():
        done: set[str] = set()
        for first in here.aliases:
            chain: dict[str, None] = {}
            name = first
            while name in here.aliases and name not in done and name not in chain:
                chain[name] = None
                name = here.aliases[name].target
            if name in chain:
                circle = list(chain)[list(chain).index(name) :]
                shown = ", ".join(circle[:5]) + (" and others" if len(circle) > 5 else "")
                text = (
                    f"The queue-manager aliases {shown} of {here.name} refer to each other "
                    "in a circle."
                )
                yield EL_05.at(here.aliases[name].source, text, server=here.name)
            done.update(chain)
