"""The rules of RabbitMQ that findings rest on: those about the form of definitions, and those that
checks cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.rules.unnumbered import NOT_A_SCRIPT

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO
WALKED = Bearing("walked")

BINDING_END_MISSING = FindingKind(
    "binding-end-missing",
    ERROR,
    Remedy("Declare what the binding names, or delete the binding.", "Nothing gets over it."),
    "destination",
    WALKED,
)
RQ_7 = Rule(
    "RQ-7",
    "One routing",
    "A routing passes each exchange once, and a queue gets one copy, however many bindings lead to "
    "it.",
    (BINDING_END_MISSING,),
)

NO_ALTERNATE_EXCHANGE = FindingKind(
    "no-alternate-exchange",
    ERROR,
    Remedy("Declare the exchange, or name another one.", "What cannot be routed is dropped."),
    "destination",
    WALKED,
)
RQ_8 = Rule(
    "RQ-8",
    "Alternate exchange",
    "It gets what no binding of its exchange matches, and nothing else.",
    (NO_ALTERNATE_EXCHANGE,),
)

BLACK_HOLE = FindingKind(
    "black-hole-exchange",
    INFO,
    Remedy(
        "Bind a queue, name an alternate exchange, or delete the exchange.",
        "Whatever is published to it is dropped, and its publishers are not told unless they ask.",
    ),
    "destination",
    WALKED,
)
RQ_9 = Rule(
    "RQ-9",
    "Unroutable messages",
    "What nothing matches is dropped, or returned to a publisher that asked for that.",
    (BLACK_HOLE,),
)

TYPE_NOT_KNOWN = FindingKind(
    "exchange-type-not-known",
    WARNING,
    Remedy(
        "Ask the documents of the plugin how it routes.",
        "Answers about what lies behind this exchange are undetermined.",
    ),
    "destination",
    WALKED,
)
RQ_11 = Rule(
    "RQ-11",
    "Other types of exchanges",
    "How the exchanges of other plugins route is not known.",
    (TYPE_NOT_KNOWN,),
)

NO_DEAD_LETTER_EXCHANGE = FindingKind(
    "no-dead-letter-exchange",
    ERROR,
    Remedy("Declare the exchange, or name another one.", "Dead letters of the queue are dropped."),
    "destination",
    WALKED,
)
DEAD_LETTERS_UNROUTABLE = FindingKind(
    "dead-letters-unroutable",
    WARNING,
    Remedy(
        "Bind a queue to the exchange with this key, or set another key.",
        "Dead letters of the queue are dropped.",
    ),
    "destination",
    WALKED,
)
RQ_13 = Rule(
    "RQ-13",
    "Dead letters",
    "What is rejected, expires or exceeds a limit is published to the dead letter exchange.",
    (NO_DEAD_LETTER_EXCHANGE, DEAD_LETTERS_UNROUTABLE),
)

DEAD_LETTER_CIRCLE = FindingKind(
    "dead-letter-circle",
    WARNING,
    Remedy(
        "Send the dead letters of one of these queues elsewhere.",
        "A message that goes round without being rejected is dropped.",
    ),
    "destination",
    WALKED,
)
RQ_14 = Rule(
    "RQ-14",
    "Circles of dead letters",
    "A dead letter that comes back to a queue is dropped, unless it was rejected on the way.",
    (DEAD_LETTER_CIRCLE,),
)

POLICY_WITHOUT_MATCH = FindingKind(
    "policy-matches-nothing",
    WARNING,
    Remedy(
        "Correct the pattern or apply-to, or delete the policy.",
        "It holds for no exchange and no queue of the definitions.",
    ),
    "server",
    Bearing("nothing", "A policy that holds for nothing changes no route."),
)
PATTERN_NOT_UNDERSTOOD = FindingKind(
    "pattern-not-understood",
    WARNING,
    Remedy(
        "Write it without what is named here.",
        "Where it may matter, answers are undetermined.",
    ),
    "server",
    WALKED,
)
EQUAL_POLICIES = FindingKind(
    "policies-of-equal-priority",
    WARNING,
    Remedy("Give them different priorities.", "Any of them may hold."),
    "destination",
    WALKED,
)
RQ_17 = Rule(
    "RQ-17",
    "Which policy holds",
    "Of those whose pattern is found in the name and that apply to the object, the one of the "
    "highest priority.",
    (POLICY_WITHOUT_MATCH, PATTERN_NOT_UNDERSTOOD, EQUAL_POLICIES),
)

SHOVEL_TARGET_MISSING = FindingKind(
    "shovel-target-missing",
    ERROR,
    Remedy("Declare what the shovel leads to.", "It moves nothing: messages stay in its queue."),
    "link",
    WALKED,
)
SHOVEL_BETWEEN_VHOSTS = FindingKind(
    "shovel-between-virtual-hosts",
    INFO,
    Remedy(
        "See that it is wanted.",
        "Permissions of the users of one virtual host do not hold in the other.",
    ),
    "link",
    WALKED,
)
RQ_19 = Rule(
    "RQ-19",
    "Shovels",
    "A shovel takes messages out of a queue and publishes them elsewhere.",
    (SHOVEL_TARGET_MISSING, SHOVEL_BETWEEN_VHOSTS),
)

SHOVEL_CIRCLE = FindingKind(
    "shovel-circle",
    WARNING,
    Remedy(
        "Let one of the shovels lead elsewhere.",
        "Messages may go round for ever, and multiply where exchanges copy them.",
    ),
    "link",
    WALKED,
)
REJECTED_ROUND = FindingKind(
    "shovel-circle-with-rejections",
    INFO,
    Remedy(
        "See that consumers do not reject the same message for ever.",
        "Nothing counts how often it comes back.",
    ),
    "link",
    WALKED,
)
RQ_20 = Rule(
    "RQ-20",
    "Circles of shovels",
    "Nothing ends them: a message goes round for ever.",
    (SHOVEL_CIRCLE, REJECTED_ROUND),
)

TYPES_DIFFER = FindingKind(
    "federated-types-differ",
    WARNING,
    Remedy("Use exchanges of one type.", "The two match the same bindings differently."),
    "link",
    WALKED,
)
RQ_21 = Rule(
    "RQ-21",
    "Federated exchanges",
    "A link asks its upstream for what the bindings of its exchange match, and publishes a copy of "
    "it.",
    (TYPES_DIFFER,),
)

UNKNOWN_UPSTREAM = FindingKind(
    "unknown-upstream",
    ERROR,
    Remedy("Define the upstream, or correct the policy.", "No link is made."),
    "link",
    WALKED,
)
RQ_24 = Rule(
    "RQ-24",
    "Upstreams",
    "A policy names an upstream, a set, or `all`; what a set says goes before the upstream.",
    (UNKNOWN_UPSTREAM,),
)

BROKER_NOT_LOADED = FindingKind(
    "broker-not-loaded",
    WARNING,
    Remedy(
        "Import its definitions, or say in topograph.yaml (hosts) which broker it is.",
        "Where it sends messages is not known.",
    ),
    "server",
    WALKED,
)
RQ_27 = Rule(
    "RQ-27",
    "Which broker a URI is",
    "The one that topograph.yaml says, or that is called like the host.",
    (BROKER_NOT_LOADED,),
)

NOT_UNDERSTOOD = FindingKind(
    "not-understood",
    WARNING,
    Remedy(
        "Export the definitions again; if the entry is as the broker writes it, report it.",
        "The entry is left out: answers about {server} are undetermined where it may matter.",
    ),
    "server",
    Bearing("opens"),
)
FILE_CUT_OFF = FindingKind(
    "definitions-cut-off",
    ERROR,
    Remedy(
        "Import the whole of {file}.",
        "It is not known what is behind its end: answers about {server} are undetermined.",
    ),
    "server",
    Bearing("opens"),
)
UNKNOWN_WORD = FindingKind(
    "unknown-word",
    WARNING,
    Remedy(
        "See whether it is misspelt, or of a plugin.",
        "A broker passes over an argument that it does not know, and refuses definitions with such "
        "a key of a policy.",
    ),
    "server",
    WALKED,
)
VHOST_NOT_STATED = FindingKind(
    "vhost-not-stated",
    WARNING,
    Remedy(
        "Import an export of the whole cluster (`rabbitmqctl export_definitions`).",
        "The objects may be those of another virtual host.",
    ),
    "server",
    Bearing("nothing", "Where messages go within the virtual host does not depend on its name."),
)
RQ_28 = Rule(
    "RQ-28",
    "Definitions",
    "A file of definitions holds a cluster, or one virtual host of it.",
    (NOT_UNDERSTOOD, FILE_CUT_OFF, VHOST_NOT_STATED, UNKNOWN_WORD),
)

SETTING_NOT_UNDERSTOOD = FindingKind(
    "setting-not-understood",
    WARNING,
    Remedy(
        "See whether it is misspelt, or of a plugin.",
        "Nothing is concluded from it. A broker does not start with a setting that it does not "
        "know.",
    ),
    "server",
    Bearing("nothing", "No setting that is not known here decides where messages go."),
)
DEFINITIONS_NOT_LOADED = FindingKind(
    "definitions-not-loaded",
    INFO,
    Remedy(
        "See that it is the same file under another name, or an export of the broker.",
        "If not, what {server} loads when it starts is not known.",
    ),
    "server",
    Bearing("nothing", "Exports hold what was loaded; other files are often mounted so."),
)
OF_NEW_VHOSTS = FindingKind(
    "settings-of-new-virtual-hosts",
    INFO,
    Remedy(
        "See whether the definitions have what is wanted.",
        "They hold for virtual hosts that are made from now on, not for those of the definitions.",
    ),
    "server",
    Bearing("nothing", "The virtual hosts of the definitions have what the definitions say."),
)
LARGEST_MESSAGE = FindingKind(
    "largest-message",
    INFO,
    Remedy(
        "See that no message is larger.",
        "Larger messages are refused, whatever answers say of their ways.",
    ),
    "server",
    Bearing("nothing", "Answers are about messages that the broker takes."),
)
RQ_29 = Rule(
    "RQ-29",
    "Settings of nodes",
    "`rabbitmq.conf` and `advanced.config` say which definitions a node loads, what type queues "
    "have that state none, and which shovels run.",
    (SETTING_NOT_UNDERSTOOD, DEFINITIONS_NOT_LOADED, OF_NEW_VHOSTS, LARGEST_MESSAGE),
)

SHOVEL_NOT_UNDERSTOOD = FindingKind(
    "static-shovel-not-understood",
    WARNING,
    Remedy(
        "Correct it; if brokers start with it, report it.",
        "It is left out: answers about {server} are undetermined where it may matter.",
    ),
    "server",
    Bearing("opens"),
)
STATIC_SHOVEL_STOPPED = FindingKind(
    "static-shovel-stopped",
    ERROR,
    Remedy("Correct what it declares, or the queue it takes from.", "It moves nothing."),
    "link",
    WALKED,
)
RQ_30 = Rule(
    "RQ-30",
    "Static shovels",
    "A shovel of `advanced.config` declares what it states, takes from its queue and publishes "
    "with the exchange and key that it states, else with those that messages had.",
    (SHOVEL_NOT_UNDERSTOOD, STATIC_SHOVEL_STOPPED),
)

RQ_31 = Rule(
    "RQ-31",
    "Whose settings a file has",
    "Those of the cluster whose definitions it loads or whose name it states, else of the only one "
    "in its folder.",
)

OF_A_COMMAND = Bearing("nothing", "It is about a command: an audit compares what that does.")

LEFT_AS_IT_IS = FindingKind("left-as-it-is", WARNING, None, "destination", OF_A_COMMAND)
RQ_41 = Rule(
    "RQ-41",
    "Declaring what is there",
    "What exists with the same properties stays as it is; with others the broker refuses, and an "
    "import passes over it.",
    (LEFT_AS_IT_IS,),
)
MESSAGES_GO = FindingKind("messages-go", WARNING, None, "destination", OF_A_COMMAND)
GOES_ALONG = FindingKind("goes-along", WARNING, None, "destination", OF_A_COMMAND)
RQ_42 = Rule(
    "RQ-42",
    "What a deletion takes along",
    "Bindings go with either end of them, and all that is in a virtual host with that.",
    (MESSAGES_GO, GOES_ALONG),
)
MAY_BE_RUN = FindingKind("may-be-run", WARNING, None, "server", OF_A_COMMAND)
RQ_47 = Rule(
    "RQ-47",
    "Scripts",
    "What only a run of a script tells is not known.",
    (MAY_BE_RUN, NOT_A_SCRIPT),
)
