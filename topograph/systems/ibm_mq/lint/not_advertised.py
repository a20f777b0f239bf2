"""ML-32: not advertised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Described
    from topograph.systems.ibm_mq.routing.lookup import Lookup

NOT_ADVERTISED = FindingKind(
    "not-advertised",
    Severity.WARNING,
    Remedy(
        "Correct the name of the cluster, or join it with a cluster-receiver channel.",
        "Other queue managers do not learn of the object.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
ML_32 = Rule(
    "ML-32",
    "Not advertised",
    "An object names a cluster that its queue manager is not a member of.",
    (NOT_ADVERTISED,),
    check=True,
)


@lint(ML_32)
def not_advertised(estate: Lookup) -> Iterator[Finding]:
    """ML-32 (M-20)."""
    queues = queues_of(estate, "QLOCAL", "QALIAS", "QREMOTE")
    yield from each(queues, lambda one: _of_object(estate, one, one.label))
    topics = (one for one in estate.network.topics.all() if not one.template)
    yield from each(topics, lambda one: _of_object(estate, one, f"Topic object {one.name}"))


def _of_object(estate: Lookup, one: Described, called: str) -> Iterator[Finding]:
    clusters = estate.network.clusters(one)
    if not clusters:
        return
    member = estate.clusters.receivers(one.server)
    receivers = (channel for all_ in member.values() for channel in all_)
    if estate.clusters.membership(one.server) is not None or any(
        channel.template for channel in receivers
    ):
        return
    for cluster in clusters:
        if cluster in member:
            continue
        message = (
            f"{called} names cluster {cluster}, of which {one.server} is not a member: it is "
            "advertised nowhere by that."
        )
        alike = next((name for name in member if name.upper() == cluster.upper()), None)
        if alike:
            message += f" Names are case-sensitive: {one.server} is a member of {alike}."
        yield finding_at(one, ML_32, message, "CLUSTER", "CLUSNL")
