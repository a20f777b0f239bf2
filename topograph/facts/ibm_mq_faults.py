"""What a queue manager refuses of an object, whichever command asks for it: attributes that are
missing, or that exclude each other (ibm_mq.md C1, C4).
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE, OF_THE_PRODUCT, QUEUES
from topograph.rules import Rule
from topograph.rules.ibm_mq_findings import M_04, M_20, M_26, SECTION_C1
from topograph.words.articles import with_article

Fault = tuple[Rule, str]
"""A rule and why it refuses."""

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


def object_fault(
    noun: str, channel_type: str, name: str, values: Mapping[str, str], *, partial: bool
) -> Fault | None:
    """Why a queue manager would not have an object with these attributes; None where it would.
    ``partial`` says that it may have others too: what is missing is then no fault.

    >>> rule, why = object_fault("QLOCAL", "", "Q", {"CLUSTER": "C", "CLUSNL": "N"}, partial=True)
    >>> rule.number, why
    ('C1', 'CLUSTER and CLUSNL of Q cannot both be set')
    >>> object_fault("CHANNEL", "SVR", "C", {}, partial=True) is None
    True
    """
    given = {one: text.strip() for one, text in values.items()}
    clustered = bool(given.get("CLUSTER") or given.get("CLUSNL"))
    if (noun in QUEUES or noun == "CHANNEL") and given.get("CLUSTER") and given.get("CLUSNL"):
        return SECTION_C1, f"CLUSTER and CLUSNL of {name} cannot both be set"
    if noun in QUEUES:
        return _queue_fault(name, given, clustered, partial)
    if partial or name.startswith(OF_THE_PRODUCT):
        return None
    if noun == "CHANNEL":
        missing = [one for one in _NEEDED.get(channel_type, ()) if not given.get(one)]
        if missing:
            return SECTION_C1, f"{with_article(channel_type)} channel needs {' and '.join(missing)}"
    if noun == "TOPIC" and not given.get("TOPICSTR"):
        return SECTION_C1, "a topic object needs TOPICSTR"
    if noun == "SUB" and not (given.get("TOPICSTR") or given.get("TOPICOBJ")):
        return SECTION_C1, "a subscription needs TOPICSTR or TOPICOBJ"
    return None


def _queue_fault(
    name: str, given: Mapping[str, str], clustered: bool, partial: bool
) -> Fault | None:
    usage = given.get("USAGE", "" if partial else "NORMAL").upper()
    if clustered and usage == "XMITQ":
        return (
            SECTION_C1,
            "a cluster queue cannot be a transmission queue (3090 MQRCCF_CLUSTER_Q_USAGE_ERROR)",
        )
    if clustered and name in _NEVER_CLUSTERED:
        return SECTION_C1, f"{name} cannot be a cluster queue (3090 MQRCCF_CLUSTER_Q_USAGE_ERROR)"
    if given.get("CLCHNAME") and usage == "NORMAL":
        return (
            M_26,
            "CLCHNAME is for queues with USAGE(XMITQ) (3363 MQRCCF_CLUS_XMIT_Q_USAGE_ERROR)",
        )
    return None


def repository_fault(values: Mapping[str, str]) -> Fault | None:
    """The same of the attributes of a queue manager that make it a full repository."""
    if values.get("REPOS", "").strip() and values.get("REPOSNL", "").strip():
        return M_20, "REPOS and REPOSNL cannot both be set"
    return None


def manager_fault(values: Mapping[str, str]) -> Fault | None:
    """The same of all its attributes."""
    if values.get("DEFXMITQ", "").strip() == CLUSTER_TRANSMIT_QUEUE:
        return (
            M_04,
            f"DEFXMITQ cannot be {CLUSTER_TRANSMIT_QUEUE} (3269 MQRCCF_DEF_XMIT_Q_CLUS_ERROR)",
        )
    return repository_fault(values)
