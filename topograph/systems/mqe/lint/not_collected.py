"""EL-01: nobody collects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.mqe.collection import collector
from topograph.systems.mqe.connections import next_hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.mqe.configuration import MqeConfiguration

PUSH_LEADS_NOWHERE = FindingKind(
    "push-leads-nowhere", Severity.WARNING, about="direction", bearing=Bearing("walked")
)
NOT_COLLECTED = FindingKind(
    "not-collected",
    Severity.WARNING,
    Remedy(
        (
            "Define the home-server queue that collects them, or import the files of "
            "that queue manager."
        ),
        "The messages wait at {server} until somebody collects them.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
EL_01 = Rule(
    "EL-01",
    "Nobody collects",
    "A store-and-forward queue keeps messages for a queue manager that does not collect them.",
    (
        PUSH_LEADS_NOWHERE,
        NOT_COLLECTED,
    ),
    check=True,
)


@lint(EL_01)
def not_collected(configuration: MqeConfiguration) -> Iterator[Finding]:
    """EL-01: nobody collects, and no push leads on."""
    for here in configuration.all():
        for store in here.stores.values():
            if store.forward_to:
                hop = next_hop(configuration, here, store.forward_to)
                if hop.problem:
                    text = (
                        f"{store.name} of {here.name} cannot push to {store.forward_to}: "
                        f"{hop.problem}."
                    )
                    yield EL_01.at(store.source, text, kind=PUSH_LEADS_NOWHERE, server=here.name)
                continue
            for manager in store.qmgrs:
                found = collector(configuration, here, store.name, manager)
                if found.queue is None:
                    text = (
                        f"{store.name} of {here.name} keeps messages for {manager}: {found.text}."
                    )
                    yield EL_01.at(store.source, text, kind=NOT_COLLECTED, server=here.name)
