"""ML-06: cluster queue is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.clusters import is_known_alias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CLUSTER_QUEUE_HIDDEN = FindingKind(
    "cluster-queue-hidden", Severity.WARNING, about="destination", bearing=Bearing("walked")
)
ML_06 = Rule(
    "ML-06",
    "Cluster queue is hidden",
    "A queue object outside the cluster hides a cluster queue of its name.",
    (CLUSTER_QUEUE_HIDDEN,),
    check=True,
)


_CALLED = {
    "QLOCAL": "Local queue",
    "QALIAS": "Alias queue",
    "QREMOTE": "Remote queue",
    "QMODEL": "Model queue",
}


@lint(ML_06)
def cluster_queue_hidden(estate: Lookup) -> Iterator[Finding]:
    """ML-06 (M-25)."""
    objects = queues_of(estate, "QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
    return each(objects, lambda one: _of_queue(estate, one))


def _of_queue(estate: Lookup, one: Queue) -> Iterator[Finding]:
    if is_known_alias(one):
        return  # it stands for a queue manager, and is not opened as a queue
    if estate.clusters.receivers(one.server) and not estate.clusters.advertised_in(one):
        others = estate.clusters.known_queues(one.server, one.name)
        if others:
            there = ", ".join(dict.fromkeys(other.server for other in others))
            message = (
                f"{_CALLED[one.noun]} {one.name} hides the cluster queue of that name at {there}."
            )
            yield finding_at(one, ML_06, message)
