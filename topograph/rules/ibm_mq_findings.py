"""The rules of IBM MQ that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Rule
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
WALKED = Bearing("walked")

DEFAULT_TRANSMISSION_QUEUE = FindingKind(
    "default-transmission-queue", WARNING, about="server", bearing=WALKED
)
NR13 = Rule(
    "NR13",
    "Unknown queue manager (2087)",
    "The default transmission queue takes the message; without one the put is refused.",
    (DEFAULT_TRANSMISSION_QUEUE,),
)
NOT_REACHED = FindingKind("not-reached", WARNING, about="destination", bearing=WALKED)
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
CHANNEL_RESTART = FindingKind(
    "channel-restart",
    WARNING,
    about="direction",
    bearing=Bearing("nothing", "It says when a change takes effect."),
)
CHANNEL_NOT_RUNNING = FindingKind("channel-not-running", WARNING, about="direction", bearing=WALKED)
CHANNEL_STOPPED = FindingKind(
    "channel-stopped", WARNING, about="direction", bearing=Bearing("stops")
)
WAITING = FindingKind("waiting", WARNING, about="direction", bearing=WALKED)
INACTIVE = FindingKind(
    "inactive",
    WARNING,
    about="direction",
    bearing=Bearing("nothing", "The channel starts again by itself."),
)
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
DEAD_LETTER_QUEUE = FindingKind("dead-letter-queue", WARNING, about="server", bearing=WALKED)
M_13 = Rule(
    "M-13",
    "Dead-letter queue",
    (
        "What a receiver cannot put goes to the dead-letter queue; without one the channel "
        "stops or the message is lost."
    ),
    (DEAD_LETTER_QUEUE,),
)
NOT_STARTED = FindingKind(
    "not-started",
    WARNING,
    about="direction",
    bearing=Bearing("nothing", "A channel that no trigger starts is started in another way."),
)
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
CLUSTER_CHANGE = FindingKind(
    "cluster-change",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "It says when other members learn of a change."),
)
CLUSTER_REFRESH = FindingKind(
    "cluster-refresh",
    WARNING,
    about="server",
    bearing=Bearing(
        "nothing", "It says what happens while the queue manager learns of its clusters again."
    ),
)
SUSPENDED = FindingKind(
    "queue-manager-suspended",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "The choice of instances passes over it by itself."),
)
DEFINITION_REFUSED = FindingKind("definition-refused", ERROR, about="destination", bearing=WALKED)
DEFINITION_DOUBTFUL = FindingKind(
    "definition-doubtful", WARNING, about="destination", bearing=WALKED
)
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
OTHER_TYPE = FindingKind("other-type", ERROR, about="destination", bearing=WALKED)
DEFINED_TWICE = FindingKind("defined-twice", ERROR, about="destination", bearing=WALKED)
ALTERED_BEFORE_DEFINED = FindingKind(
    "altered-before-defined", ERROR, about="destination", bearing=WALKED
)
DEFINED_IN_TWO_FILES = FindingKind(
    "defined-in-two-files", ERROR, about="destination", bearing=WALKED
)
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
ATTRIBUTE_UNKNOWN = FindingKind("attribute-unknown", ERROR, about="destination", bearing=WALKED)
ATTRIBUTE_TWICE = FindingKind("attribute-twice", ERROR, about="destination", bearing=WALKED)
C_10 = Rule(
    "C-10",
    "Unknown attributes",
    "An object with attributes that no version knows is assumed to exist.",
    (
        ATTRIBUTE_UNKNOWN,
        ATTRIBUTE_TWICE,
    ),
)
OTHER_END_MISSING = FindingKind("other-end-missing", WARNING, about="direction", bearing=WALKED)
C_14 = Rule(
    "C-14",
    "Other end missing",
    "The channel is assumed to be meant for the loaded queue manager, and messages wait.",
    (OTHER_END_MISSING,),
)
ALTERED_AFTER_DELETE = FindingKind(
    "altered-after-delete", ERROR, about="destination", bearing=WALKED
)
CHANNEL_TYPE_MISSING = FindingKind("channel-type-missing", ERROR, about="direction", bearing=WALKED)
CHANNEL_TYPE_UNKNOWN = FindingKind("channel-type-unknown", ERROR, about="direction", bearing=WALKED)
COMMAND_NOT_FOLLOWED = FindingKind("command-not-followed", INFO)
COMMAND_UNKNOWN = FindingKind(
    "command-unknown",
    ERROR,
    about="server",
    bearing=Bearing("nothing", "A command that does not exist changes nothing."),
)
CONFLICT_MARK = FindingKind("conflict-mark", ERROR, about="server", bearing=WALKED)
DISPLAY_INCOMPLETE = FindingKind("display-incomplete", WARNING, about="destination", bearing=WALKED)
ENDS_IN_THE_MIDDLE = FindingKind("ends-in-the-middle", ERROR, about="server", bearing=WALKED)
FOREIGN_COMMENT = FindingKind("foreign-comment", ERROR, about="destination", bearing=WALKED)
FOREIGN_QUOTES = FindingKind("foreign-quotes", ERROR, about="destination", bearing=WALKED)
LIKE_UNKNOWN = FindingKind("like-unknown", WARNING, about="destination", bearing=WALKED)
LINE_NOT_READ = FindingKind(
    "line-not-read",
    ERROR,
    about="server",
    bearing=Bearing("nothing", "A line that is not a command defines nothing."),
)
NAME_MISSING = FindingKind("name-missing", ERROR, about="destination", bearing=WALKED)
NAME_TOO_LONG = FindingKind("name-too-long", ERROR, about="destination", bearing=WALKED)
NOTHING_TO_READ = FindingKind("nothing-to-read", INFO)
PARENTHESIS_NOT_CLOSED = FindingKind(
    "parenthesis-not-closed", ERROR, about="destination", bearing=WALKED
)
QUEUE_MANAGER_NOT_NAMED = FindingKind("queue-manager-not-named", INFO)
QUOTE_NOT_CLOSED = FindingKind("quote-not-closed", ERROR, about="destination", bearing=WALKED)
RUNS_INTO_THE_NEXT = FindingKind("runs-into-the-next", ERROR, about="destination", bearing=WALKED)
STRAY_TEXT = FindingKind("stray-text", ERROR, about="destination", bearing=WALKED)
VALUE_NOT_QUOTED = FindingKind("value-not-quoted", ERROR, about="destination", bearing=WALKED)
CLIENTS_STOPPED = FindingKind(
    "clients-stopped",
    WARNING,
    about="client",
    bearing=Bearing("nothing", "Connections of clients are not followed."),
)
IN_USE = FindingKind(
    "in-use",
    WARNING,
    about="destination",
    bearing=Bearing("nothing", "It says on what it depends that the command goes through."),
)
MESSAGES_LOST = FindingKind(
    "messages-lost",
    WARNING,
    about="destination",
    bearing=Bearing("nothing", "It is about messages that lie there already."),
)
STILL_NAMED = FindingKind("still-named", WARNING, about="destination", bearing=WALKED)
AUTHORITY = FindingKind(
    "authority", WARNING, about="server", bearing=Bearing("nothing", "Authority is not evaluated.")
)
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
