"""EL-06: hidden alias."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

ALIAS_HIDDEN = FindingKind(
    "alias-hidden", Severity.WARNING, about="destination", bearing=Bearing("walked")
)
EL_06 = Rule(
    "EL-06",
    "Hidden alias",
    "An alias has the name of another queue, which wins.",
    (ALIAS_HIDDEN,),
    check=True,
)


@lint(EL_06)
def hidden_aliases(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-06: the exact match hides the alias."""
    for here in configuration.all():
        for (alias, manager), queues in here.by_alias.items():
            exact = here.exact.get((alias, manager), [])
            for queue in queues if exact else []:
                if queue not in exact:
                    text = (
                        f"The alias {alias} of {queue.name}@{manager} is never used: a queue "
                        f"of {here.name} has that name ({exact[0].source})."
                    )
                    yield EL_06.at(queue.source, text, server=here.name)
