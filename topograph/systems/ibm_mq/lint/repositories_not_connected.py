"""ML-31: full repositories are not connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.routing.lookup import Lookup

REPOSITORIES_NOT_CONNECTED = FindingKind(
    "repositories-not-connected",
    Severity.WARNING,
    Remedy(
        "Define a cluster-sender channel between them, in each direction.",
        "What one of them learns, the other may not hear of.",
    ),
    about="server",
    bearing=Bearing("walked"),
)
ML_31 = Rule(
    "ML-31",
    "Full repositories are not connected",
    "A full repository has no cluster-sender channel to another one of its cluster.",
    (REPOSITORIES_NOT_CONNECTED,),
    check=True,
)


@lint(ML_31)
def repositories_not_connected(estate: Lookup) -> Iterator[Finding]:
    """ML-31 (M-29)."""
    repositories = estate.clusters.repositories
    for cluster, _ in estate.clusters.all_members():
        full = repositories.full(cluster)
        for one in full:
            known = repositories.refers_to(one, cluster)
            others = [other for other in full if other not in known.found]
            if others and not known.perhaps_more:
                manager = estate.network.managers[one]
                place = manager.place("REPOS" if manager.stated("REPOS") else "REPOSNL")
                message = (
                    f"{one} holds a full repository of cluster {cluster}, and has no "
                    f"cluster-sender channel to {', '.join(others)}, which holds one, too."
                )
                yield ML_31.at(place, message, server=one)
