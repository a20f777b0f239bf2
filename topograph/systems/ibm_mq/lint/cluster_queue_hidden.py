"""ML-06: cluster queue is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import finding_at, queues_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

CLUSTER_QUEUE_HIDDEN = FindingKind("cluster-queue-hidden", Severity.WARNING)
ML_06 = Rule(
    "ML-06",
    "Cluster queue is hidden",
    "A local queue outside the cluster hides a cluster queue.",
    (CLUSTER_QUEUE_HIDDEN,),
    check=True,
)


@lint(ML_06)
def cluster_queue_hidden(estate: Lookup) -> Iterator[Finding]:
    """ML-06 (M-25)."""
    for one in queues_of(estate, "QLOCAL"):
        if estate.clusters.receivers(one.server) and not estate.clusters.advertised_in(one):
            others = estate.clusters.queues(one.server, one.name)
            if others:
                there = ", ".join(dict.fromkeys(other.server for other in others))
                message = f"Local queue {one.name} hides the cluster queue of that name at {there}."
                yield finding_at(one, ML_06, message)
