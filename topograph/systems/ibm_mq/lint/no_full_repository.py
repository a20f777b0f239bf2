"""ML-29: no full repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

NO_FULL_REPOSITORY = FindingKind(
    "no-full-repository",
    Severity.WARNING,
    Remedy(
        "Set REPOS at one member, preferably at two.",
        "Members do not learn of each other's queues: opens fail with 2085 or 2189.",
    ),
    about="server",
    bearing=Bearing("walked"),
)
ML_29 = Rule(
    "ML-29",
    "No full repository",
    "No member of the cluster holds a full repository.",
    (NO_FULL_REPOSITORY,),
    check=True,
)


@lint(ML_29)
def no_full_repository(estate: Lookup) -> Iterator[Finding]:
    """ML-29 (M-29): where all members are shown to have none, and none refers to a queue manager
    that is not loaded."""
    for cluster, members in estate.clusters.all_members():
        groups = estate.clusters.repositories.groups(cluster)
        if len(members) > 1 and all(found == frozenset() for found in groups.values()):
            first = estate.clusters.receivers(members[0])[cluster][0]
            message = (
                f"No member of cluster {cluster} holds a full repository: none of "
                f"{', '.join(members[:5])}{' and more' if members[5:] else ''} has "
                f"REPOS({cluster}). They do not learn of each other's queues."
            )
            yield ML_29.at(first.source, message, server=members[0])
