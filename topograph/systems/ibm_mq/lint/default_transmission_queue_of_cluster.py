"""ML-09: cluster queue as default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

DEFAULT_TRANSMISSION_QUEUE_OF_CLUSTER = FindingKind(
    "default-transmission-queue-of-cluster",
    Severity.ERROR,
    about="server",
    bearing=Bearing("walked"),
)
ML_09 = Rule(
    "ML-09",
    "Cluster queue as default",
    "DEFXMITQ names the transmission queue of the cluster.",
    (DEFAULT_TRANSMISSION_QUEUE_OF_CLUSTER,),
    check=True,
)


@lint(ML_09)
def default_transmission_queue_of_cluster(estate: Lookup) -> Iterator[Finding]:
    """ML-09 (M-04)."""
    for manager in estate.network.managers.values():
        if manager.stated("DEFXMITQ") == CLUSTER_TRANSMIT_QUEUE:
            message = (
                f"DEFXMITQ names {CLUSTER_TRANSMIT_QUEUE}: opens that rest on it fail with 2199."
            )
            yield ML_09.at(manager.place("DEFXMITQ"), message, server=manager.name)
