"""EL-03: listed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

LISTED_TWICE = FindingKind(
    "listed-twice", Severity.WARNING, about="destination", bearing=Bearing("walked")
)
EL_03 = Rule(
    "EL-03",
    "Listed twice",
    "Two store-and-forward queues of a queue manager list the same target.",
    (LISTED_TWICE,),
    check=True,
)


@lint(EL_03)
def listed_twice(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-03: which of several store-and-forward queues is used is not documented."""
    for here in configuration.all():
        for manager, stores in here.accepting.items():
            if len(stores) > 1:
                names = " and ".join(one.name for one in stores)
                text = (
                    f"{names} of {here.name} all list {manager}: which one takes a message "
                    "is not documented."
                )
                yield EL_03.at(stores[1].source, text, server=here.name)
