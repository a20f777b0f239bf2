"""ML-07: not a member of the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channels_of, each, finding_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Channel
    from topograph.systems.ibm_mq.routing.lookup import Lookup

CLUSTER_CHANNEL_WITHOUT_MEMBERSHIP = FindingKind(
    "cluster-channel-without-membership",
    Severity.ERROR,
    about="direction",
    bearing=Bearing("walked"),
)
ML_07 = Rule(
    "ML-07",
    "Not a member of the cluster",
    "A cluster-sender channel belongs to a cluster that the queue manager is not in.",
    (CLUSTER_CHANNEL_WITHOUT_MEMBERSHIP,),
    check=True,
)


@lint(ML_07)
def cluster_channel_without_membership(estate: Lookup) -> Iterator[Finding]:
    """ML-07 (C-8)."""
    return each(channels_of(estate, "CLUSSDR"), lambda one: _of_channel(estate, one))


def _of_channel(estate: Lookup, one: Channel) -> Iterator[Finding]:
    member = estate.clusters.receivers(one.server)
    if estate.clusters.membership(one.server) is not None:
        return
    for cluster in estate.network.clusters(one):
        if cluster not in member:
            message = (
                f"Cluster-sender channel {one.name} is in cluster {cluster}, but "
                f"{one.server} is not a member: it has no "
                "cluster-receiver channel there. The channel is not used."
            )
            yield finding_at(one, ML_07, message, "CLUSTER", "CLUSNL")
