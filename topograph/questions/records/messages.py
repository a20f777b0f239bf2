"""The questions about one message."""

from __future__ import annotations

from typing import Final

from topograph.questions.question import Example, Parameter, ParameterKind, Question

_ROUTERS: Final = "routers"
_QUEUE_MANAGERS: Final = "queue managers"
_BUSES: Final = "buses"
_BROKERS: Final = "brokers"

_SENT = (
    Parameter(
        "reply_to",
        ParameterKind.TEXT,
        "The destination for the reply.",
        option="--reply-to",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "anonymous",
        ParameterKind.FLAG,
        "The sender is not attached to one address (an anonymous sender); each message names its "
        "own address.",
        option="--anonymous",
        default=False,
        only="command",
        servers=_ROUTERS,
    ),
    Parameter(
        "count",
        ParameterKind.TEXT,
        "How many such messages are sent, one after the other; the answer says how many of them "
        "each receiver gets.",
        option="--count",
        metavar="N",
        only="command",
        servers=_ROUTERS,
    ),
    Parameter(
        "queue_manager",
        ParameterKind.TEXT,
        "The queue manager that the sender names; '' if it names none.",
        option="--queue-manager",
        metavar="NAME",
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "reply_to_queue_manager",
        ParameterKind.TEXT,
        "The queue manager of --reply-to.",
        option="--reply-to-qmgr",
        metavar="NAME",
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "persistent",
        ParameterKind.FLAG,
        "The message is persistent. Same as --set JMSDeliveryMode=PERSISTENT.",
        option="--persistent",
        default=False,
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "nonpersistent",
        ParameterKind.FLAG,
        "The message is not persistent. Same as --set JMSDeliveryMode=NON_PERSISTENT. Without "
        "either option, whether a queue manager loses the message may be undetermined.",
        option="--nonpersistent",
        default=False,
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "home_servers",
        ParameterKind.CHOICE,
        "Of queue managers on mobile devices: whether home-server queues have been triggered. A "
        "home-server queue collects the messages that another queue manager keeps for the queue "
        "manager that owns it.",
        option="--home-servers",
        choices=(
            ("triggered", "they collect what is stored for them"),
            ("not_triggered", "messages stay where they are stored"),
        ),
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "arrives_over",
        ParameterKind.TEXT,
        "Start with a message that arrives at FROM over this channel, instead of one that a "
        "client puts there. Requires --header.",
        option="--arrives-over",
        metavar="CHANNEL",
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "header",
        ParameterKind.TEXT,
        "With --arrives-over: the queue and queue manager in the transmission header of the "
        "message.",
        option="--header",
        metavar="QUEUE@QMGR",
        only="command",
        servers=_QUEUE_MANAGERS,
    ),
    Parameter(
        "forward_path",
        ParameterKind.PATH,
        "The forward routing path in the message, as BUS:DESTINATION,...; '' if it has none.",
        option="--frp",
        metavar="PATH",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "reverse_path",
        ParameterKind.PATH,
        "The reverse routing path in the message, which a reply takes.",
        option="--rrp",
        metavar="PATH",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "reliability",
        ParameterKind.TEXT,
        "The reliability that the sender asks for, such as ASSURED_PERSISTENT.",
        option="--reliability",
        metavar="NAME",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "mode",
        ParameterKind.CHOICE,
        "How a routing path is followed. doc (the default): each destination on it is visited, "
        "as the product documents it. engine: a messaging engine skips its own queues on "
        "the way, so their settings do not apply. Use it to see whether that matters to a message.",
        option="--mode",
        choices=(
            ("doc", "each destination on the path is visited"),
            ("engine", "a messaging engine skips its own queues on the way"),
        ),
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "topic",
        ParameterKind.TEXT,
        "The topic of a message to a topic space.",
        option="--topic",
        metavar="NAME",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "rollbacks",
        ParameterKind.TEXT,
        "How often the consumer rolls the message back: a number, or always.",
        option="--rollbacks",
        metavar="N|always",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "via_engine",
        ParameterKind.TEXT,
        "The messaging engine that the sender is connected to.",
        option="--via-engine",
        metavar="NAME",
        only="command",
        servers=_BUSES,
    ),
    Parameter(
        "routing_key",
        ParameterKind.TEXT,
        "The routing key of a message to an exchange; '' if it has none. Without it, bindings that "
        "compare keys are undetermined.",
        option="--key",
        metavar="KEY",
        only="command",
        servers=_BROKERS,
    ),
    Parameter(
        "expiration",
        ParameterKind.TEXT,
        "The message's own time to live in milliseconds; '' if it has none.",
        option="--expiration",
        metavar="MS",
        only="command",
        servers=_BROKERS,
    ),
)
"""What senders say beside, in systems whose messages carry or look up their own way:
``topograph.message.MessageOptions``. In Python they are keywords of the same names."""

_ENDS = (
    *("PUBLISHED", "HELD", "EXCEPTIONED", "DLQ", "DISCARDED", "BLOCKED", "REJECTED", "REFUSED"),
    *("EXTERNAL", "STUCK", "LOOP", "NO_CREDIT", "RELEASED"),
)
"""How a message, or a copy of it, ends that nobody takes."""

PROPAGATE = Question(
    name="propagate",
    title="Who gets a message, who does not, and why?",
    description="Who gets a message published at FROM, who does not, and why?\n\n"
    "Subscribers are known from the configuration (durables, bridges), from saved output of "
    "administration tools that lists them, from topograph.yaml and from --subscriber and "
    "--clients. If no client is known at all, every server of which there is no such list is "
    "assumed to have one, and the answer says so. Where clients are declared, nobody is assumed. "
    "Where a router chooses at run time, every choice is listed. What else becomes of the message "
    "is listed too: that it is held, put on a dead-letter queue or an exception destination, "
    "refused, or leaves the loaded files. For one message step by step, use trace.\n\n"
    "The first group of options is for all systems; those for routers, queue managers, buses and "
    "brokers apply to these only.",
    parameters=(
        Parameter(
            "from_",
            ParameterKind.SERVER,
            "The server the message is published at.",
            metavar="FROM",
            required=True,
        ),
        Parameter(
            "destination",
            ParameterKind.DESTINATION,
            (
                "Where the message goes: topic:NAME, queue:NAME, exchange:NAME or address:NAME; on "
                "a bus or on another queue manager NAME@BUS or NAME@QUEUE-MANAGER."
            ),
            option="--destination",
            metavar="DEST",
            required=True,
        ),
        Parameter(
            "properties",
            ParameterKind.PROPERTIES,
            "A property of the message, such as country=Spain. Values have the type they have in "
            "a selector: 7 is a whole number, 7.0 a decimal number, true a boolean, null is NULL, "
            "anything else a string. A string that looks like one of these needs quotes: "
            "--set \"qty='7'\". Unless they are set, JMSPriority is 4, selectors see PERSISTENT as "
            "JMSDeliveryMode, and conditions on JMSMessageID or JMSTimestamp are undetermined. "
            "For an address of routers, subject is the message's subject, which exchanges route "
            "by. Repeatable.",
            option="--set",
            metavar="NAME=VALUE",
            several=True,
        ),
        Parameter(
            "message",
            ParameterKind.FILE,
            (
                "The message as JSON (schema: topograph/cli/message.schema.json). Other options "
                "add to it and override it."
            ),
            option="--message",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "subscribers",
            ParameterKind.SUBSCRIBERS,
            "Add a subscriber, for this question only, such as B:topic:orders. Repeatable.",
            option="--subscriber",
            metavar="SERVER:DEST",
            default=(),
            several=True,
        ),
        Parameter(
            "clients",
            ParameterKind.CLIENTS,
            "A CSV file with the clients for this question. Its first line names the columns, "
            "such as server,destination,selector (docs/side-inputs.md).",
            option="--clients",
            metavar="FILE",
            default=(),
        ),
        Parameter(
            "user",
            ParameterKind.USER,
            "The user who publishes. The answer then checks whether this user may publish or "
            "send; without --user the sender's permissions are not checked.",
            option="--user",
            metavar="NAME",
            default="",
        ),
        *_SENT,
        Parameter(
            "assume",
            ParameterKind.FLAG,
            "If no client is known at all, assume a subscriber at every server.",
            default=True,
            only="python",
        ),
    ),
    texts="messages",
    answers=("PropagateAnswer",),
    key=("server", "destination"),
    python='network.propagate("HQ", "topic:orders", {"country": "Spain"})',
    outcomes=("DELIVERED", "DEPOSITED", "NOT_FORWARDED", *_ENDS, "UNDETERMINED"),
    conditions=(
        "zone",
        "selector",
        "not-global",
        "no-interest",
        "acl",
        "route-down",
        "no-route",
        "already-visited",
    ),
    examples=(
        Example(
            "propagate HQ --destination topic:orders --set country=Spain",
            "which selectors pass the message, and which block it",
        ),
        Example("propagate HQ --message examples/questions/order.json", "the message from a file"),
        Example(
            "propagate LONDON --destination topic:stock.tools --subscriber PARIS:topic:stock.tools",
            "with one more subscriber",
        ),
        Example(
            "propagate LON --destination address:alerts",
            "each receiver gets a copy, over the cheapest paths",
            estate="routers",
        ),
        Example(
            (
                "propagate LON --destination address:jobs --subscriber MAD:address:jobs "
                "--subscriber ROM:address:jobs"
            ),
            "routers distribute messages: every choice is listed",
            estate="routers",
        ),
    ),
)


def _of_propagate(name: str) -> Parameter:
    return PROPAGATE.parameter(name)


TRACE = Question(
    name="trace",
    title="What happens to one message, step by step?",
    description="What happens to one message sent at FROM, step by step, and what becomes of each "
    "copy?\n\n"
    "The same search as propagate, shown step by step: what each server decides, which links "
    "carry the message and which are blocked for it. propagate says who gets the message, trace "
    "says how. Where a router chooses at run time, every possible path is shown.\n\n"
    "The options describe the message, as in propagate; --reply also follows the reply. The "
    "groups for routers, queue managers and buses apply to these only.",
    parameters=(
        Parameter(
            "from_",
            ParameterKind.SERVER,
            "The server the message is sent at.",
            metavar="FROM",
            required=True,
        ),
        _of_propagate("destination"),
        _of_propagate("properties"),
        _of_propagate("message"),
        _of_propagate("subscribers"),
        _of_propagate("clients"),
        _of_propagate("user"),
        Parameter(
            "reply",
            ParameterKind.FLAG,
            "Also follow the reply, from each place where the message is received.",
            option="--reply",
            default=False,
        ),
        *_SENT,
    ),
    texts="courses",
    answers=("TraceAnswer",),
    key=("at", "state"),
    python='network.trace("HQ", "topic:orders", {"country": "Spain"})',
    outcomes=(
        *("DELIVERED", "DEPOSITED", "FORWARDED", "NOT_FORWARDED"),
        *_ENDS,
        *("DUPLICATE", "ONE_OF", "UNDETERMINED"),
    ),
    conditions=PROPAGATE.conditions,
    examples=(
        Example(
            "trace HQ --destination topic:orders --set country=Spain",
            "each link that carries it, and each that is blocked for it",
        ),
        Example(
            "trace LON --destination address:jobs --subscriber MAD:address:jobs",
            "what each router on the way decides",
            estate="routers",
        ),
        Example(
            "trace LON --destination address:orders",
            "a message that is stored in a container and comes back",
            estate="routers",
        ),
        Example(
            "trace HQ --message examples/questions/order.json --format json",
            "the message from a file, as JSON",
        ),
    ),
)

QUESTIONS = (PROPAGATE, TRACE)
