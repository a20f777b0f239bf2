"""The questions about one message."""

from __future__ import annotations

from topograph.questions.question import Example, Kind, Parameter, Question

_SENT = (
    Parameter(
        "queue_manager",
        Kind.TEXT,
        "The queue manager that the sender names; '' says that it names none.",
        option="--queue-manager",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "forward_path",
        Kind.PATH,
        "The message's own forward routing path; '' says that it has none.",
        option="--frp",
        metavar="PATH",
        only="command",
    ),
    Parameter(
        "reverse_path",
        Kind.PATH,
        "The path that a reply takes.",
        option="--rrp",
        metavar="PATH",
        only="command",
    ),
    Parameter(
        "reply_to",
        Kind.TEXT,
        "Where the reply is to go.",
        option="--reply-to",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "reply_to_queue_manager",
        Kind.TEXT,
        "The queue manager of --reply-to.",
        option="--reply-to-qmgr",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "reliability",
        Kind.TEXT,
        "The reliability that the sender asks for, such as ASSURED_PERSISTENT.",
        option="--reliability",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "persistent",
        Kind.FLAG,
        "The message is persistent.",
        option="--persistent",
        default=False,
        only="command",
    ),
    Parameter(
        "nonpersistent",
        Kind.FLAG,
        "The message is not persistent. What hangs on it is undecided if neither is said.",
        option="--nonpersistent",
        default=False,
        only="command",
    ),
    Parameter(
        "mode",
        Kind.CHOICE,
        "How a routing path is followed.",
        option="--mode",
        choices=(("doc", "as the documentation says"), ("engine", "as the messaging engine does")),
        only="command",
    ),
    Parameter(
        "topic",
        Kind.TEXT,
        "The topic of a message to a topic space.",
        option="--topic",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "rollbacks",
        Kind.TEXT,
        "How often the consumer gives the message back: a number, or always.",
        option="--rollbacks",
        metavar="N|always",
        only="command",
    ),
    Parameter(
        "count",
        Kind.TEXT,
        "How many such messages are sent, one after the other: who gets how many of them.",
        option="--count",
        metavar="N",
        only="command",
    ),
    Parameter(
        "via_engine",
        Kind.TEXT,
        "The messaging engine that the sender is connected to.",
        option="--via-engine",
        metavar="NAME",
        only="command",
    ),
    Parameter(
        "home_servers",
        Kind.CHOICE,
        "Whether the queues that collect messages from their home server have been triggered.",
        option="--home-servers",
        choices=(("triggered", "they have"), ("not_triggered", "they have not")),
        only="command",
    ),
    Parameter(
        "arrives_over",
        Kind.TEXT,
        "The message is not put by a client: it comes in at FROM over this channel, with --header.",
        option="--arrives-over",
        metavar="CHANNEL",
        only="command",
    ),
    Parameter(
        "header",
        Kind.TEXT,
        (
            "Queue and queue manager in the transmission header of a message that comes in "
            "over a channel."
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
    "is known at all, every server that did not list its subscribers counts as having "
    "one, and the answer says that it assumes so. "
    "Where a router chooses at run time, every choice is listed.",
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
                "Where the message goes: topic:NAME, queue:NAME or address:NAME, whichever "
                "the server has; NAME@BUS or NAME@QUEUE-MANAGER where it is elsewhere."
            ),
            option="--destination",
            metavar="DEST",
            required=True,
        ),
        Parameter(
            "properties",
            Kind.PROPERTIES,
            "A property of the message; 7, 7.0, '7' and true have the type they have in "
            "a selector, null is NULL ('null' in quotes: the text). "
            "Of header fields that are not set JMSPriority is 4 and JMSDeliveryMode "
            "PERSISTENT; what hangs on JMSMessageID or JMSTimestamp is then "
            "undecided. To an address, subject is the message's subject, by which "
            "exchanges choose. Repeatable.",
            option="--set",
            metavar="NAME=VALUE",
            several=True,
        ),
        Parameter(
            "message",
            Kind.FILE,
            (
                "The message as JSON (schema: topograph/cli/message.schema.json); options "
                "add to it and win over it."
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
            "Clients, for this question only, as CSV.",
            option="--clients",
            metavar="FILE",
            default=(),
        ),
        Parameter("user", Kind.USER, "Who publishes.", option="--user", metavar="NAME", default=""),
        Parameter(
            "anonymous",
            Kind.FLAG,
            "The sender is attached to no address: each message names its own.",
            option="--anonymous",
            default=False,
            only="command",
        ),
        *_SENT,
        Parameter(
            "assume",
            Kind.FLAG,
            "Where no client is known at all, count every server as having a subscriber.",
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
            "which selector lets it pass, and which not",
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
            "routers share messages out: every choice is listed",
            estate="routers",
        ),
    ),
)


def _of_propagate(name: str) -> Parameter:
    return PROPAGATE.parameter(name)


TRACE = Question(
    name="trace",
    title="What happens to one message, step by step?",
    description="What happens to one message sent at FROM, step by step, and how does each copy "
    "end?\n\n"
    "The same walk as propagate, told in order: what each server decides, which link is "
    "taken, which is closed. Where a router chooses at run "
    "time, every course is told.",
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
            "Also follow the reply, from each place where the message is taken.",
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
            "each link it takes, and each that is closed to it",
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
