"""The rules of IBM MQ that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

NR13 = Rule(
    "NR13",
    "Unknown queue manager (2087)",
    "The default transmission queue takes the message; without one the put is refused.",
    (FindingKind("default-transmission-queue", WARNING),),
)
M_02 = Rule(
    "M-02",
    "Remote queue without a name",
    "A remote definition that is opened by name needs RNAME (2184).",
    (FindingKind("not-reached", WARNING),),
)
M_05 = Rule(
    "M-05",
    "Target of an alias",
    (
        "An alias must lead to a queue that exists and that is not another local alias, or to a"
        " topic."
    ),
    (FindingKind("not-reached", WARNING),),
)
M_11 = Rule(
    "M-11",
    "Sender channel",
    "A channel sends what lies on its transmission queue.",
    (
        FindingKind("channel-restart", WARNING),
        FindingKind("channel-not-running", WARNING),
        FindingKind("channel-stopped", WARNING),
    ),
)
M_13 = Rule(
    "M-13",
    "Dead-letter queue",
    (
        "What a receiver cannot put goes to the dead-letter queue; without one the channel "
        "stops or the message is lost."
    ),
    (FindingKind("dead-letter-queue", WARNING),),
)
M_17 = Rule(
    "M-17",
    "Triggered channels",
    "A trigger on the transmission queue starts the channel.",
    (FindingKind("not-started", WARNING),),
)
M_18 = Rule(
    "M-18",
    "Streaming queues",
    "A message is also put on the queue that STREAMQ names.",
    (FindingKind("not-reached", WARNING),),
)
M_20 = Rule(
    "M-20",
    "Member of a cluster",
    "A queue manager is in a cluster if it has a cluster-receiver channel for it.",
    (
        FindingKind("cluster-change", WARNING),
        FindingKind("cluster-refresh", WARNING),
        FindingKind("definition-refused", ERROR),
    ),
)
M_26 = Rule(
    "M-26",
    "Cluster transmission queue",
    "DEFCLXQ and CLCHNAME decide on which transmission queue messages to the cluster wait.",
    (FindingKind("definition-refused", ERROR),),
)
M_30 = Rule(
    "M-30",
    "Topic strings",
    (
        "A topic object and the application's string make the topic; the nearest object above "
        "decides."
    ),
    (FindingKind("definition-refused", ERROR),),
)
ML_01 = Rule(
    "ML-01",
    "Remote queue that is not remote",
    "A remote definition has RNAME but no other queue manager.",
    (FindingKind("remote-queue-is-local", ERROR),),
    check=True,
)
ML_02 = Rule(
    "ML-02",
    "Transmission queue wrong",
    "A transmission queue is missing, of another type, or without USAGE(XMITQ).",
    (FindingKind("transmission-queue-unusable", ERROR),),
    check=True,
)
ML_03 = Rule(
    "ML-03",
    "No channel reads it",
    "No channel reads the transmission queue: messages stay on it.",
    (
        FindingKind(
            "transmission-queue-without-channel",
            WARNING,
            Remedy(
                "Define a sender channel for the queue, or remove it.",
                "Messages put on it stay there.",
            ),
        ),
    ),
    check=True,
)
ML_04 = Rule(
    "ML-04",
    "Channel without the other end",
    "A sender channel has no matching receiver, or its address fits no listener.",
    (FindingKind("channel-without-partner", WARNING),),
    check=True,
)
ML_05 = Rule(
    "ML-05",
    "Alias leads nowhere",
    "An alias queue leads to another alias or to a missing target.",
    (FindingKind("alias-target-unusable", ERROR),),
    check=True,
)
ML_06 = Rule(
    "ML-06",
    "Cluster queue is hidden",
    "A local queue outside the cluster hides a cluster queue.",
    (FindingKind("cluster-queue-hidden", WARNING),),
    check=True,
)
ML_07 = Rule(
    "ML-07",
    "Not a member of the cluster",
    "A cluster-sender channel belongs to a cluster that the queue manager is not in.",
    (FindingKind("cluster-channel-without-membership", ERROR),),
    check=True,
)
ML_08 = Rule(
    "ML-08",
    "Dead-letter queue wrong",
    "DEADQ names a queue that is not defined or not local.",
    (FindingKind("dead-letter-queue-unusable", ERROR),),
    check=True,
)
ML_09 = Rule(
    "ML-09",
    "Cluster queue as default",
    "DEFXMITQ names the transmission queue of the cluster.",
    (FindingKind("default-transmission-queue-of-cluster", ERROR),),
    check=True,
)
ML_10 = Rule(
    "ML-10",
    "Messages circulate",
    "Remote definitions or default transmission queues send messages back and forth for ever.",
    (
        FindingKind(
            "messages-circulate",
            ERROR,
            Remedy(
                "Correct the definition that leads back.",
                "Messages go round for ever and never reach a receiver.",
            ),
        ),
    ),
    check=True,
)
ML_11 = Rule(
    "ML-11",
    "Messages can vanish",
    "Without a dead-letter queue, a fast channel loses nonpersistent messages that cannot be put.",
    (
        FindingKind(
            "nonpersistent-messages-can-vanish",
            WARNING,
            Remedy(
                "Set DEADQ at the receiving queue manager, or NPMSPEED(NORMAL).",
                "Nonpersistent messages that cannot be put are lost without a trace.",
            ),
        ),
    ),
    check=True,
)
ML_12 = Rule(
    "ML-12",
    "TLS does not match",
    "The ends of a channel name different ciphers, or the certificate name cannot match.",
    (FindingKind("channel-ends-disagree-on-tls", ERROR),),
    check=True,
)
ML_13 = Rule(
    "ML-13",
    "Maximum length shrinks",
    "A later step takes only shorter messages than an earlier one.",
    (FindingKind("largest-message-shrinks", WARNING),),
    check=True,
)
ML_14 = Rule(
    "ML-14",
    "Partner blocked",
    "A channel authentication record blocks this partner.",
    (FindingKind("channel-authentication-blocks-partner", WARNING),),
    check=True,
)
ML_15 = Rule(
    "ML-15",
    "Only one instance",
    "A cluster queue exists on one queue manager only.",
    (FindingKind("cluster-queue-with-one-instance", INFO),),
    check=True,
)
C_9 = Rule(
    "C-9",
    "Defined in several files",
    "The first file by name counts.",
    (
        FindingKind("other-type", ERROR),
        FindingKind("defined-twice", ERROR),
        FindingKind("altered-before-defined", ERROR),
        FindingKind("defined-in-two-files", ERROR),
    ),
)
C_10 = Rule(
    "C-10",
    "Unknown attributes",
    "An object with attributes that no version knows is assumed to exist.",
    (
        FindingKind("attribute-unknown", ERROR),
        FindingKind("attribute-twice", ERROR),
    ),
)
C_14 = Rule(
    "C-14",
    "Other end missing",
    "The channel is assumed to be meant for the loaded queue manager, and messages wait.",
    (FindingKind("other-end-missing", WARNING),),
)
