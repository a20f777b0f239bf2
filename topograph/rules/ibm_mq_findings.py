"""The rules of IBM MQ that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Rule
from topograph.rules.unnumbered import (
    COMMAND_REFUSED,
    INVALID_JSON,
    INVALID_YAML,
    NOT_A_SCRIPT,
    TEMPLATE,
    YAML_LIMIT,
)

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

DEFAULT_TRANSMISSION_QUEUE = FindingKind("default-transmission-queue", WARNING)
NR13 = Rule(
    "NR13",
    "Unknown queue manager (2087)",
    "The default transmission queue takes the message; without one the put is refused.",
    (DEFAULT_TRANSMISSION_QUEUE,),
)
NOT_REACHED = FindingKind("not-reached", WARNING)
M_04 = Rule(
    "M-04",
    "Transmission queue by name",
    "Without XMITQ, the local queue with the name of the queue manager is used.",
    (NOT_REACHED,),
)
M_03 = Rule(
    "M-03",
    "Transmission queue named",
    "XMITQ must be a local queue with USAGE(XMITQ).",
    (NOT_REACHED,),
)
M_02 = Rule(
    "M-02",
    "Remote queue without a name",
    "A remote definition that is opened by name needs RNAME (2184).",
    (NOT_REACHED,),
)
M_05 = Rule(
    "M-05",
    "Target of an alias",
    (
        "An alias must lead to a queue that exists and that is not another local alias, or to a"
        " topic."
    ),
    (NOT_REACHED,),
)
CHANNEL_RESTART = FindingKind("channel-restart", WARNING)
CHANNEL_NOT_RUNNING = FindingKind("channel-not-running", WARNING)
CHANNEL_STOPPED = FindingKind("channel-stopped", WARNING)
WAITING = FindingKind("waiting", WARNING)
INACTIVE = FindingKind("inactive", WARNING)
M_11 = Rule(
    "M-11",
    "Sender channel",
    "A channel sends what lies on its transmission queue.",
    (
        CHANNEL_RESTART,
        CHANNEL_NOT_RUNNING,
        CHANNEL_STOPPED,
        WAITING,
        INACTIVE,
        NOT_REACHED,
    ),
)
DEAD_LETTER_QUEUE = FindingKind("dead-letter-queue", WARNING)
M_13 = Rule(
    "M-13",
    "Dead-letter queue",
    (
        "What a receiver cannot put goes to the dead-letter queue; without one the channel "
        "stops or the message is lost."
    ),
    (DEAD_LETTER_QUEUE,),
)
NOT_STARTED = FindingKind("not-started", WARNING)
M_17 = Rule(
    "M-17",
    "Triggered channels",
    "A trigger on the transmission queue starts the channel.",
    (NOT_STARTED,),
)
M_18 = Rule(
    "M-18",
    "Streaming queues",
    "A message is also put on the queue that STREAMQ names.",
    (NOT_REACHED,),
)
CLUSTER_CHANGE = FindingKind("cluster-change", WARNING)
CLUSTER_REFRESH = FindingKind("cluster-refresh", WARNING)
SUSPENDED = FindingKind("queue-manager-suspended", WARNING)
DEFINITION_REFUSED = FindingKind("definition-refused", ERROR)
DEFINITION_DOUBTFUL = FindingKind("definition-doubtful", WARNING)
M_20 = Rule(
    "M-20",
    "Member of a cluster",
    "A queue manager is in a cluster if it has a cluster-receiver channel for it.",
    (
        CLUSTER_CHANGE,
        CLUSTER_REFRESH,
        SUSPENDED,
        DEFINITION_REFUSED,
    ),
)
M_26 = Rule(
    "M-26",
    "Cluster transmission queue",
    "DEFCLXQ and CLCHNAME decide on which transmission queue messages to the cluster wait.",
    (DEFINITION_REFUSED, DEFINITION_DOUBTFUL),
)
M_30 = Rule(
    "M-30",
    "Topic strings",
    (
        "A topic object and the application's string make the topic; the nearest object above "
        "decides."
    ),
    (DEFINITION_REFUSED, DEFINITION_DOUBTFUL),
)
OTHER_TYPE = FindingKind("other-type", ERROR)
DEFINED_TWICE = FindingKind("defined-twice", ERROR)
ALTERED_BEFORE_DEFINED = FindingKind("altered-before-defined", ERROR)
DEFINED_IN_TWO_FILES = FindingKind("defined-in-two-files", ERROR)
C_9 = Rule(
    "C-9",
    "Defined in several files",
    "The first file by name counts.",
    (
        OTHER_TYPE,
        DEFINED_TWICE,
        ALTERED_BEFORE_DEFINED,
        DEFINED_IN_TWO_FILES,
    ),
)
ATTRIBUTE_UNKNOWN = FindingKind("attribute-unknown", ERROR)
ATTRIBUTE_TWICE = FindingKind("attribute-twice", ERROR)
C_10 = Rule(
    "C-10",
    "Unknown attributes",
    "An object with attributes that no version knows is assumed to exist.",
    (
        ATTRIBUTE_UNKNOWN,
        ATTRIBUTE_TWICE,
    ),
)
OTHER_END_MISSING = FindingKind("other-end-missing", WARNING)
C_14 = Rule(
    "C-14",
    "Other end missing",
    "The channel is assumed to be meant for the loaded queue manager, and messages wait.",
    (OTHER_END_MISSING,),
)
ALTERED_AFTER_DELETE = FindingKind("altered-after-delete", ERROR)
CHANNEL_TYPE_MISSING = FindingKind("channel-type-missing", ERROR)
CHANNEL_TYPE_UNKNOWN = FindingKind("channel-type-unknown", ERROR)
COMMAND_NOT_FOLLOWED = FindingKind("command-not-followed", INFO)
COMMAND_UNKNOWN = FindingKind("command-unknown", ERROR)
CONFLICT_MARK = FindingKind("conflict-mark", ERROR)
DISPLAY_INCOMPLETE = FindingKind("display-incomplete", WARNING)
ENDS_IN_THE_MIDDLE = FindingKind("ends-in-the-middle", ERROR)
FOREIGN_COMMENT = FindingKind("foreign-comment", ERROR)
FOREIGN_QUOTES = FindingKind("foreign-quotes", ERROR)
LIKE_UNKNOWN = FindingKind("like-unknown", WARNING)
LINE_NOT_READ = FindingKind("line-not-read", ERROR)
NAME_MISSING = FindingKind("name-missing", ERROR)
NAME_TOO_LONG = FindingKind("name-too-long", ERROR)
NOTHING_TO_READ = FindingKind("nothing-to-read", INFO)
PARENTHESIS_NOT_CLOSED = FindingKind("parenthesis-not-closed", ERROR)
QUEUE_MANAGER_NOT_NAMED = FindingKind("queue-manager-not-named", INFO)
QUOTE_NOT_CLOSED = FindingKind("quote-not-closed", ERROR)
RUNS_INTO_THE_NEXT = FindingKind("runs-into-the-next", ERROR)
STRAY_TEXT = FindingKind("stray-text", ERROR)
VALUE_NOT_QUOTED = FindingKind("value-not-quoted", ERROR)
CLIENTS_STOPPED = FindingKind("clients-stopped", WARNING)
IN_USE = FindingKind("in-use", WARNING)
MESSAGES_LOST = FindingKind("messages-lost", WARNING)
STILL_NAMED = FindingKind("still-named", WARNING)
AUTHORITY = FindingKind("authority", WARNING)
SECTION_C1 = Rule(
    "C1",
    "Objects",
    "Which objects a queue manager has, and which attributes an object must have and may have.",
    (
        DEFINITION_REFUSED,
        DEFINITION_DOUBTFUL,
        AUTHORITY,
        CLIENTS_STOPPED,
        IN_USE,
        MESSAGES_LOST,
        STILL_NAMED,
    ),
)
SECTION_C4 = Rule(
    "C4",
    "Form of commands",
    "How commands are written in files, and how what a queue manager displays is read.",
    (
        DEFINITION_REFUSED,
        ALTERED_AFTER_DELETE,
        CHANNEL_TYPE_MISSING,
        CHANNEL_TYPE_UNKNOWN,
        COMMAND_NOT_FOLLOWED,
        COMMAND_UNKNOWN,
        CONFLICT_MARK,
        DISPLAY_INCOMPLETE,
        ENDS_IN_THE_MIDDLE,
        FOREIGN_COMMENT,
        FOREIGN_QUOTES,
        LIKE_UNKNOWN,
        LINE_NOT_READ,
        NAME_MISSING,
        NAME_TOO_LONG,
        NOTHING_TO_READ,
        PARENTHESIS_NOT_CLOSED,
        QUEUE_MANAGER_NOT_NAMED,
        QUOTE_NOT_CLOSED,
        RUNS_INTO_THE_NEXT,
        STRAY_TEXT,
        VALUE_NOT_QUOTED,
        COMMAND_REFUSED,
        INVALID_JSON,
        INVALID_YAML,
        NOT_A_SCRIPT,
        TEMPLATE,
        YAML_LIMIT,
    ),
)
