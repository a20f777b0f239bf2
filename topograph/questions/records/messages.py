"""The questions about one message."""

from __future__ import annotations

from topograph.questions.question import Example, Kind, Parameter, Question

_SENT = (
    Parameter(
        "queue_manager",
        Kind.TEXT,
        "Queue managers: the one that the sender names; '' if it names none.",
        option="--queue-manager",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "forward_path",
        Kind.PATH,
        "Buses: the message's own forward routing path, as BUS:DESTINATION,...; '' if it has none.",
        option="--frp",
        metavar="PATH",
        only="command",
    ),
    Parameter(
        "reverse_path",
        Kind.PATH,
        "Buses: the reverse routing path, which a reply takes.",
        option="--rrp",
        metavar="PATH",
        only="command",
    ),
    Parameter(
        "reply_to",
        Kind.TEXT,
        "The destination for the reply.",
        option="--reply-to",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "reply_to_queue_manager",
        Kind.TEXT,
        "Queue managers: the queue manager of --reply-to.",
        option="--reply-to-qmgr",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "reliability",
        Kind.TEXT,
        "Buses: the reliability that the sender asks for, such as ASSURED_PERSISTENT.",
        option="--reliability",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "persistent",
        Kind.FLAG,
        "Queue managers: the message is persistent, as with --set JMSDeliveryMode=PERSISTENT.",
        option="--persistent",
        default=False,
        only="command",
    ),
    Parameter(
        "nonpersistent",
        Kind.FLAG,
        "Queue managers: the message is not persistent, as with --set "
        "JMSDeliveryMode=NON_PERSISTENT. If nothing says which, whether a queue manager loses it "
        "is undecided.",
        option="--nonpersistent",
        default=False,
        only="command",
    ),
    Parameter(
        "mode",
        Kind.CHOICE,
        "Buses: how a routing path is followed: doc, as documented; engine, as the messaging "
        "engine does it.",
        option="--mode",
        choices=(("doc", "as the documentation says"), ("engine", "as the messaging engine does")),
        only="command",
    ),
    Parameter(
        "topic",
        Kind.TEXT,
        "Buses: the topic of a message to a topic space.",
        option="--topic",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "rollbacks",
        Kind.TEXT,
        "Buses: how often the consumer rolls the message back: a number, or always.",
        option="--rollbacks",
        metavar="N|always",
        only="command",
    ),
    Parameter(
        "count",
        Kind.TEXT,
        "Routers: how many such messages are sent, one after the other; the answer says who gets "
        "how many of them.",
        option="--count",
        metavar="N",
        only="command",
    ),
    Parameter(
        "via_engine",
        Kind.TEXT,
        "Buses: the messaging engine that the sender is connected to.",
        option="--via-engine",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "home_servers",
        Kind.CHOICE,
        "Queue managers: whether the queues that collect messages from their home server have "
        "been triggered.",
        option="--home-servers",
        choices=(("triggered", "they have"), ("not_triggered", "they have not")),
        only="command",
    ),
    Parameter(
        "arrives_over",
        Kind.TEXT,
        "Queue managers: the message is not put by a client but arrives at FROM over this channel, "
        "with --header.",
        option="--arrives-over",
        metavar="CHANNEL",
        only="command",
    ),
    Parameter(
        "header",
        Kind.TEXT,
        (
            "Queue managers: the queue and queue manager in the transmission header, with "
            "--arrives-over."
        ),
        option="--header",
        metavar="QUEUE@QMGR",
        only="command",
    ),
)
"""What senders say beside, in systems whose messages carry or look up their own way:
``topograph.message.Options``. In Python they are keywords of the same names."""

PROPAGATE = Question(
    name="propagate",
    title="Who gets a message, who does not, and why?",
    description="Who gets a message published at FROM, who does not, and why?\n\n"
    "Subscribers are those of the configuration (durables, bridges), those that servers "
    "listed, and those of topograph.yaml and of the options. If no client "
    "is known at all, every server that did not list its subscribers is assumed to have one, "
    "and the answer says so. "
    "Where a router chooses at run time, every choice is listed. For one message step by step, "
    "use trace.\n\n"
    "Options that begin with Routers, Queue managers or Buses are for those systems only.",
    parameters=(
        Parameter(
            "from_",
            Kind.SERVER,
            "The server the message is published at.",
            metavar="FROM",
            required=True,
        ),
        Parameter(
            "destination",
            Kind.DESTINATION,
            (
                "Where the message goes: topic:NAME, queue:NAME or address:NAME; on a bus or on "
                "another queue manager NAME@BUS or NAME@QUEUE-MANAGER."
            ),
            option="--destination",
            metavar="DEST",
            required=True,
        ),
        Parameter(
            "properties",
            Kind.PROPERTIES,
            "A property of the message, such as country=Spain. Values have the type they have in "
            "a selector: 7 is a whole number, 7.0 a decimal number, true a boolean, null is NULL, "
            "anything else a string. A string that looks like one of these needs quotes: "
            "--set \"qty='7'\". Header fields that are not set: JMSPriority is 4 and selectors "
            "take JMSDeliveryMode as PERSISTENT; conditions on JMSMessageID or JMSTimestamp are "
            "undecided. For an address, subject is the message's subject, which exchanges route "
            "by. Repeatable.",
            option="--set",
            metavar="NAME=VALUE",
            several=True,
        ),
        Parameter(
            "message",
            Kind.FILE,
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
            Kind.SUBSCRIBERS,
            "A subscriber, for this question only, such as B:topic:orders. Repeatable.",
            option="--subscriber",
            metavar="SERVER:DEST",
            default=(),
            several=True,
        ),
        Parameter(
            "clients",
            Kind.CLIENTS,
            "Clients, for this question only, as CSV with a header line, such as "
            "server,destination,selector (docs/side-inputs.md).",
            option="--clients",
            metavar="FILE",
            default=(),
        ),
        Parameter(
            "user",
            Kind.USER,
            "The user who publishes: permissions are checked.",
            option="--user",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "anonymous",
            Kind.FLAG,
            "Routers: the sender is not attached to an address; each message names its own.",
            option="--anonymous",
            default=False,
            only="command",
        ),
        *_SENT,
        Parameter(
            "assume",
            Kind.FLAG,
            "If no client is known at all, assume a subscriber at every server.",
            default=True,
            only="python",
        ),
    ),
    answers=("PropagateAnswer",),
    key=("server", "destination"),
    python='network.propagate("HQ", "topic:orders", {"country": "Spain"})',
    outcomes=("DELIVERED", "DEPOSITED", "NOT_FORWARDED", "NO_CREDIT", "REFUSED", "UNDETERMINED"),
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
    "Options that begin with Routers, Queue managers or Buses are for those systems only.",
    parameters=(
        Parameter(
            "from_",
            Kind.SERVER,
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
        _of_propagate("anonymous"),
        *_SENT,
        Parameter(
            "reply",
            Kind.FLAG,
            "Also follow the reply, from each place where the message is received.",
            option="--reply",
            default=False,
        ),
    ),
    answers=("TraceAnswer",),
    key=("at", "state"),
    python='network.trace("HQ", "topic:orders", {"country": "Spain"})',
    outcomes=(
        "DELIVERED",
        "DEPOSITED",
        "FORWARDED",
        "NOT_FORWARDED",
        "HELD",
        "STUCK",
        "LOOP",
        "DUPLICATE",
        "NO_CREDIT",
        "REFUSED",
        "RELEASED",
        "REJECTED",
        "ONE_OF",
        "UNDETERMINED",
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
