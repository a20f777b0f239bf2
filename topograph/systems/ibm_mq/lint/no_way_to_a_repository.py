"""ML-30: no way to a full repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

SENDER_TO_PARTIAL_REPOSITORY = FindingKind(
    "sender-to-partial-repository",
    Severity.WARNING,
    Remedy(
        "Let the channel lead to a full repository.",
        "The member does not learn of the cluster's queues: opens fail with 2085 or 2189.",
    ),
    about="direction",
    bearing=Bearing("walked"),
)
NO_SENDER_TO_REPOSITORY = FindingKind(
    "no-sender-to-repository",
    Severity.WARNING,
    Remedy(
        "Define a cluster-sender channel to a full repository.",
        "The member does not learn of the cluster's queues: opens fail with 2085 or 2189.",
    ),
    about="server",
    bearing=Bearing("walked"),
)
ML_30 = Rule(
    "ML-30",
    "No way to a full repository",
    "A member of a cluster refers to no full repository of it.",
    (SENDER_TO_PARTIAL_REPOSITORY, NO_SENDER_TO_REPOSITORY),
    check=True,
)


@lint(ML_30)
def no_way_to_a_repository(estate: Lookup) -> Iterator[Finding]:
    """ML-30 (M-29); of clusters without a full repository ML-29 says enough."""
    for cluster, members in estate.clusters.all_members():
        if estate.clusters.repositories.full(cluster):
            of = [(cluster, member) for member in members]
            yield from each(of, lambda one: _of_member(estate, *one))


def _of_member(estate: Lookup, cluster: str, member: str) -> Iterator[Finding]:
    repositories = estate.clusters.repositories
    reference = repositories.refers_to(member, cluster)
    if reference.found or reference.perhaps_more:
        return
    senders = repositories.senders(member, cluster)
    for channel in senders:
        ends = " or ".join(repositories.ends(channel, cluster))
        message = (
            f"Cluster-sender channel {channel.name} of {member} leads to {ends}, which holds no "
            f"full repository of cluster {cluster}, and {member} refers to no other."
        )
        yield finding_at(channel, ML_30, message, "CONNAME", kind=SENDER_TO_PARTIAL_REPOSITORY)
    if not senders:
        receiver = estate.clusters.receivers(member)[cluster][0]
        message = (
            f"{member} is in cluster {cluster}, and has no cluster-sender channel to a full "
            f"repository of it ({', '.join(repositories.full(cluster))})."
        )
        yield finding_at(receiver, ML_30, message, kind=NO_SENDER_TO_REPOSITORY)
