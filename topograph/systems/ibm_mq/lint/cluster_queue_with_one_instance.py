"""ML-15: only one instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import finding_at, queues_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CLUSTER_QUEUE_WITH_ONE_INSTANCE = FindingKind("cluster-queue-with-one-instance", Severity.INFO)
ML_15 = Rule(
    "ML-15",
    "Only one instance",
    "A cluster queue exists on one queue manager only.",
    (CLUSTER_QUEUE_WITH_ONE_INSTANCE,),
    check=True,
)


@lint(ML_15)
def cluster_queue_with_one_instance(estate: Lookup) -> Iterator[Finding]:
    """ML-15."""
    instances: dict[tuple[str, str], list[Queue]] = {}
    for one in queues_of(estate, "QLOCAL"):
        for cluster in estate.clusters.known_in(one):
            instances.setdefault((cluster, one.name), []).append(one)
    for (cluster, name), found in sorted(instances.items()):
        if len({one.server for one in found}) == 1 and not name.startswith("SYSTEM."):
            message = f"Cluster queue {name} of {cluster} has one instance, at {found[0].server}."
            yield finding_at(found[0], ML_15, message, "CLUSTER", "CLUSNL")
