"""Every rule of IBM MQ, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule, checks_of, ibm_mq_findings
from topograph.rules.ibm_mq_findings import (
    C_9,
    C_10,
    C_14,
    M_02,
    M_03,
    M_04,
    M_05,
    M_11,
    M_13,
    M_17,
    M_18,
    M_20,
    M_26,
    M_30,
    NR13,
    SECTION_C1,
    SECTION_C4,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "Name resolution": (
        Rule(
            "NR1",
            "Local queue",
            "A local queue of that name takes the message.",
        ),
        Rule(
            "NR2",
            "Clustered local queue, no queue manager named",
            (
                "The cluster chooses among the queue managers that have the queue; the local "
                "one may be among them."
            ),
        ),
        Rule(
            "NR3",
            "Clustered local queue, this queue manager named",
            "The local queue takes the message.",
        ),
        Rule(
            "NR4",
            "Model queue",
            "A dynamic queue is created here.",
        ),
        Rule(
            "NR5",
            "Alias queue",
            "The name is replaced by the alias's target and resolved once more.",
        ),
        Rule(
            "NR6",
            "Remote queue definition",
            (
                "The names become RNAME and RQMNAME, and the message goes to the transmission "
                "queue for them."
            ),
        ),
        Rule(
            "NR7",
            "Clustered remote definition",
            "The cluster chooses among the queue managers that advertise it.",
        ),
        Rule(
            "NR8",
            "Cluster queue",
            (
                "No local object has the name and no queue manager is named: the cluster chooses "
                "a queue manager that has the queue."
            ),
        ),
        Rule(
            "NR9",
            "Unknown object (2085)",
            "Nothing has this name: the put is refused.",
        ),
        Rule(
            "NR10",
            "Named after a transmission queue",
            (
                "If the queue manager's name is that of a local transmission queue, the message"
                " goes there."
            ),
        ),
        Rule(
            "NR11",
            "Queue manager alias",
            "The queue manager's name is replaced and resolved once more.",
        ),
        Rule(
            "NR12",
            "Queue manager of the cluster",
            "The message goes over the cluster to that queue manager.",
        ),
        NR13,
        Rule(
            "NR14",
            "Not a transmission queue (2092)",
            "The queue manager's name is that of an ordinary queue: the put is refused.",
        ),
    ),
    "Objects, channels and clusters": (
        Rule(
            "M-01",
            "Only local names are checked",
            "A put checks local names up to the transmission queue, nothing beyond.",
        ),
        M_02,
        M_03,
        M_04,
        M_05,
        Rule(
            "M-06",
            "Put inhibited",
            (
                "PUT(DISABLED) on the object opened, or on the one it leads to, refuses the put"
                " (2051)."
            ),
        ),
        Rule(
            "M-07",
            "Transmission header",
            (
                "On a transmission queue a message carries the names of its target queue and "
                "queue manager."
            ),
        ),
        Rule(
            "M-08",
            "Three uses of a queue manager alias",
            (
                "It renames a queue manager, chooses a transmission queue, or lets this one "
                "answer to a name."
            ),
        ),
        Rule(
            "M-09",
            "Alias with RNAME",
            "A queue manager alias must not have RNAME (2087).",
        ),
        Rule(
            "M-10",
            "Reply-to alias",
            "A remote definition can replace the reply-to names of a message.",
        ),
        M_11,
        Rule(
            "M-12",
            "Receiver channel",
            "The receiving queue manager resolves the names again.",
        ),
        M_13,
        Rule(
            "M-14",
            "Errors of applications",
            "A put that fails gives a reason code and does not use the dead-letter queue.",
        ),
        Rule(
            "M-15",
            "No limit of hops",
            "Definitions that point at each other send a message round for ever.",
        ),
        Rule(
            "M-16",
            "Default transmission queue",
            "Unknown queue managers are reached through DEFXMITQ.",
        ),
        M_17,
        M_18,
        Rule(
            "M-19",
            "MQTT clients",
            "The telemetry service sends what is on its transmission queue to clients.",
        ),
        M_20,
        Rule(
            "M-21",
            "Candidates",
            "All instances of a cluster queue that can be reached are candidates.",
        ),
        Rule(
            "M-22",
            "Which candidate is chosen",
            "Rank, put permission, place, channel state and priority narrow the candidates down.",
        ),
        Rule(
            "M-23",
            "Local instance",
            "The local instance is used if CLWLUSEQ says LOCAL.",
        ),
        Rule(
            "M-24",
            "When it is chosen",
            "DEFBIND decides whether the choice is made at open, per message or per group.",
        ),
        Rule(
            "M-25",
            "Hidden cluster queue",
            "A local queue outside the cluster hides the cluster queue of its name.",
        ),
        M_26,
        Rule(
            "M-27",
            "Cluster errors",
            "A cluster queue without a usable instance refuses the put.",
        ),
        Rule(
            "M-28",
            "Gateways",
            (
                "A clustered remote definition or alias makes this queue manager the way to "
                "another network."
            ),
        ),
        Rule(
            "M-29",
            "Full repositories",
            "Members of a cluster learn of each other and of their queues from full repositories.",
        ),
        M_30,
        Rule(
            "M-31",
            "Subscriptions",
            "Each matching subscription gets a copy on its destination.",
        ),
        Rule(
            "M-32",
            "Queue that publishes",
            "A put to an alias of a topic is a publish.",
        ),
        Rule(
            "M-33",
            "Cluster topics",
            "A cluster carries publications on its topics to the members that subscribe.",
        ),
    ),
    "Checks": checks_of(ibm_mq_findings),
    "Readings of what the documentation leaves open": (
        Rule(
            "C-1",
            "Name resolution",
            "Some rows rest on product knowledge; a running queue manager can confirm them.",
        ),
        Rule(
            "C-2",
            "Name of an ordinary queue",
            "A queue manager name that is that of an ordinary queue is assumed to be an error.",
        ),
        Rule(
            "C-3",
            "Ordinary queue as queue manager",
            "It is assumed to be an error, and not passed over.",
        ),
        Rule(
            "C-4",
            "Cluster queue that exists here",
            "Whether the application names the queue manager decides.",
        ),
        Rule(
            "C-5",
            "The cluster's choice",
            "It is made at run time; answers list all candidates.",
        ),
        Rule(
            "C-6",
            "Cluster from one file",
            "Members whose files are missing are not known.",
        ),
        Rule(
            "C-7",
            "Default queues that circle",
            "They are reported.",
        ),
        Rule(
            "C-8",
            "Sender channel without membership",
            "A queue manager without a cluster-receiver channel is not a member.",
        ),
        C_9,
        C_10,
        Rule(
            "C-11",
            "DEADQ and DEFXMITQ not shown",
            "They are assumed to be blank.",
        ),
        Rule(
            "C-12",
            "Client channels",
            "They have their own names.",
        ),
        Rule(
            "C-13",
            "Put on a transmission queue",
            "The channel moves what an application puts there by name to the dead-letter queue.",
        ),
        C_14,
        Rule(
            "C-15",
            "One candidate left",
            "It takes the message.",
        ),
        Rule(
            "C-16",
            "Cluster queue of the local queue manager's name",
            "Cluster queues are looked for where the message names no queue manager.",
        ),
        Rule(
            "C-17",
            "NETPRTY and CLWLPRTY",
            "Which of them counts first is left open: what either order leaves is listed.",
        ),
        Rule(
            "C-18",
            "Channels that are stopping",
            "They count as starting or as stopped: what either leaves is listed.",
        ),
        Rule(
            "C-19",
            "Suspended queue managers and channel states",
            "Which of them counts first is left open: what either order leaves is listed.",
        ),
    ),
    "Sections of the specification, which findings about the form of files and commands cite": (
        SECTION_C1,
        SECTION_C4,
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
