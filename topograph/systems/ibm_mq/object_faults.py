"""What a queue manager refuses of an object, whichever command asks for it: attributes that are
missing, or that exclude each other.
"""

from __future__ import annotations

from topograph.facts.ibm_mq import Channel, Described, Queue, Subscription, Topic
from topograph.systems.ibm_mq.objects import CLUSTER_TRANSMIT_QUEUE, keyword, value

_NEEDED = {
    "SDR": ("XMITQ", "CONNAME"),
    "SVR": ("XMITQ",),
    "RQSTR": ("CONNAME",),
    "CLUSSDR": ("CONNAME",),
    "CLNTCONN": ("CONNAME",),
}
"""Attributes without which there is no channel of a type."""

_NEVER_CLUSTERED = frozenset(
    {
        "SYSTEM.CHANNEL.INITQ", "SYSTEM.CHANNEL.SYNCQ", "SYSTEM.CLUSTER.COMMAND.QUEUE",
        "SYSTEM.CLUSTER.REPOSITORY.QUEUE",
        "SYSTEM.COMMAND.INPUT", "SYSTEM.QSG.CHANNEL.SYNCQ", "SYSTEM.QSG.TRANSMIT.QUEUE",
    }
)  # fmt: skip
"""Queues that no cluster may have (3090)."""

Fault = tuple[str, str]
"""A rule and why it refuses."""


def object_fault(found: Described) -> Fault | None:
    """Why a queue manager would not have an object as it is described; None where it would."""
    if isinstance(found, (Queue, Channel)) and value(found, "CLUSTER") and value(found, "CLUSNL"):
        return "C1", f"CLUSTER and CLUSNL of {found.name} cannot both be set"
    if isinstance(found, Queue):
        return _queue_fault(found)
    if isinstance(found, Channel):
        missing = [name for name in _NEEDED.get(found.channel_type, ()) if not value(found, name)]
        if missing and not found.like:
            return "C1", f"a {found.channel_type} channel needs {' and '.join(missing)}"
    if isinstance(found, Topic) and not value(found, "TOPICSTR") and not found.like:
        return "C1", "a topic object needs TOPICSTR"
    if isinstance(found, Subscription) and not (
        value(found, "TOPICSTR") or value(found, "TOPICOBJ") or found.like
    ):
        return "C1", "a subscription needs TOPICSTR or TOPICOBJ"
    return None


def _queue_fault(found: Queue) -> Fault | None:
    clustered = bool(value(found, "CLUSTER") or value(found, "CLUSNL"))
    transmits = keyword(found, "USAGE") == "XMITQ"
    if clustered and transmits:
        return (
            "C1",
            "a cluster queue cannot be a transmission queue (3090 MQRCCF_CLUSTER_Q_USAGE_ERROR)",
        )
    if clustered and found.name in _NEVER_CLUSTERED:
        return "C1", f"{found.name} cannot be a cluster queue (3090 MQRCCF_CLUSTER_Q_USAGE_ERROR)"
    if value(found, "CLCHNAME") and not transmits:
        return (
            "M-26",
            "CLCHNAME is for queues with USAGE(XMITQ) (3363 MQRCCF_CLUS_XMIT_Q_USAGE_ERROR)",
        )
    return None


def manager_fault(found: Described) -> Fault | None:
    """The same of the attributes of a queue manager."""
    if value(found, "REPOS") and value(found, "REPOSNL"):
        return "M-20", "REPOS and REPOSNL cannot both be set"
    if value(found, "DEFXMITQ") == CLUSTER_TRANSMIT_QUEUE:
        return (
            "M-04",
            f"DEFXMITQ cannot be {CLUSTER_TRANSMIT_QUEUE} (3269 MQRCCF_DEF_XMIT_Q_CLUS_ERROR)",
        )
    return None
