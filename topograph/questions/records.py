"""Every question, one record each, in the order in which a newcomer meets them. A new question
is one more record in ``QUESTIONS``.
"""

from __future__ import annotations

from typing import Final

from topograph.questions.question import Example, Kind, Parameter, Question

_FROM = Parameter(
    "from_",
    Kind.SERVER,
    "The server that messages are published at.",
    metavar="FROM",
    required=True,
)

REACH = Question(
    name="reach",
    title="Which servers does a server reach, and over which path?",
    description="Which servers does FROM reach? With TO: does FROM "
    "reach TO, and over which path?\n\n"
    "The answer is about routes and zones; what a topic or a selector stops is the "
    "question propagate.",
    parameters=(
        _FROM,
        Parameter(
            "to", Kind.SERVER, "The one server that is asked about; else all.", metavar="[TO]"
        ),
        Parameter(
            "reply",
            Kind.FLAG,
            "Ask for the way of a reply: from the replier back to FROM.",
            option="--reply",
            default=False,
        ),
        Parameter(
            "expect",
            Kind.CHOICE,
            (
                "Exit with code 1 unless TO is found to be so. An undetermined result counts "
                "as a failure, unless TO is unreachable in every legal network."
            ),
            option="--expect",
            choices=(("reachable", "FROM reaches TO"), ("unreachable", "FROM does not reach TO")),
            only="command",
        ),
    ),
    answers=("ReachAnswer",),
    key=("server",),
    python='network.reach("CANADA", "MADRID")',
    violation="with --expect, if the answer is not the expected one or cannot be decided",
    outcomes=("UNDETERMINED",),
    conditions=("zone", "route-down"),
    examples=(
        Example("reach CANADA MADRID", "one server, with the rule, file and line of each step"),
        Example("reach HQ", "every server that HQ reaches"),
        Example(
            "reach CANADA MADRID --expect reachable",
            "a check for a script: the exit code is 1 if it is not so",
        ),
        Example("reach HQ MIRROR", "what stops it, or why that cannot be said"),
        Example("reach LON --format json", "routers, as JSON", estate="routers"),
    ),
)

HOPS = Question(
    name="hops",
    title="How many hops is it from one server to another?",
    description="How many hops is it from FROM to TO, and in which zones?",
    parameters=(
        Parameter("from_", Kind.SERVER, "The first server.", metavar="[FROM]", required=True),
        Parameter("to", Kind.SERVER, "The last server.", metavar="[TO]", required=True),
        Parameter(
            "matrix",
            Kind.FLAG,
            (
                "The hops between all servers; of more than 2,000 servers with --format "
                "jsonl. In Python: hops_matrix(), hop_rows()."
            ),
            option="--matrix",
            default=False,
            only="command",
        ),
    ),
    answers=("HopsAnswer", "HopsMatrixAnswer"),
    key=("zone",),
    python='network.hops("CANADA", "MADRID")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example("hops CANADA MADRID", "hops in all, and inside each zone"),
        Example("hops --matrix --format jsonl", "between all servers, a line each"),
        Example("hops LON FRA", "routers choose by cost, not by hops", estate="routers"),
    ),
)

PATHS = Question(
    name="paths",
    title="Which paths lead from one server to another?",
    description="Which paths lead from FROM to TO? Shortest first.\n\n"
    "Where a system has a rule against it, more than one path means that the routes are "
    "illegal as they stand; cycles lists them.",
    parameters=(
        Parameter("from_", Kind.SERVER, "The first server.", metavar="FROM", required=True),
        Parameter("to", Kind.SERVER, "The last server.", metavar="TO", required=True),
        Parameter("maximum", Kind.COUNT, "The most paths to list.", option="--max", default=10),
    ),
    answers=("PathsAnswer",),
    key=("servers",),
    python='network.paths("A", "D")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example(
            "paths A D",
            "two paths, one of which a route more has brought",
            estate="mhop-star/with-b-d",
        ),
        Example("paths CANADA MADRID", "the one path, step by step"),
        Example("paths CANADA MADRID --max 3 --format json", "at most three, as JSON"),
    ),
)

CYCLES = Question(
    name="cycles",
    title="Does any server have more than one path to another?",
    description="Does any server have more than one path to another (a multi-path cycle)?\n\n"
    "Each ring of routes is listed once, with its routes; rings that share a route are "
    "listed together. All configured routes count, down or not. "
    "Redundant paths between routers are wanted: they are listed and are not a violation.",
    parameters=(
        Parameter(
            "strict",
            Kind.FLAG,
            "Also refuse what the vendor's temporary-topic rule would accept.",
            option="--strict",
            default=False,
        ),
        Parameter(
            "pairs",
            Kind.FLAG,
            (
                "Also list each server and name that arrives there over more than one route, "
                "with the paths. JSON always lists them."
            ),
            option="--pairs",
            default=False,
            only="command",
        ),
    ),
    answers=("CyclesAnswer",),
    key=("server", "name"),
    python="network.cycles()",
    violation=(
        "if a server would hold a name over more than one route, or the budget ended before "
        "that was excluded"
    ),
    examples=(
        Example("cycles", "each ring with its routes", 1, "mhop-star/with-b-d"),
        Example(
            "cycles --pairs",
            "and each name that arrives twice, with its paths",
            1,
            "mhop-star/with-b-d",
        ),
        Example("cycles", "is every path the only one?"),
        Example("cycles --strict --format json", "no cycle outside one 1hop zone, as JSON"),
    ),
)

LISTED: Final = "listed"
"""What ``interests`` compares with where no observed names are given: what servers listed."""

INTERESTS = Question(
    name="interests",
    title="Which names does each server hold, and from whom?",
    description="Which names does SERVER (or each server) hold, and which neighbour did it learn "
    "them from?\n\n"
    "These are the names of temporary destinations that a running server shows for each "
    "server it has learned of. With --observed also the interest in topics "
    "that servers listed (subscribers, durables, what they hold for other servers), what "
    "of it nothing implies, what is implied and was not listed, and "
    "the servers of which that is not known.",
    parameters=(
        Parameter(
            "server",
            Kind.SERVER,
            "The one server that is asked about; else all.",
            metavar="[SERVER]",
        ),
        Parameter(
            "observed",
            Kind.OBSERVED,
            "Compare with what servers listed in the imported output of their "
            "administration tool; with a FILE with the names in it: "
            'JSON, {"SERVER": ["NAME", ...]} or {"SERVER": [{"name": ..., "via": ...}]}.',
            option="--observed",
            metavar="[FILE]",
            alone=LISTED,
        ),
    ),
    answers=("InterestsAnswer",),
    key=("key", "name", "via"),
    python='network.interests("MADRID")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example("interests MADRID", "what one server holds"),
        Example("interests --format jsonl", "what each server holds, a line each"),
        Example("interests --observed", "which interest servers listed, beside what is implied"),
        Example(
            "interests --observed examples/questions/observed.json",
            "what is missing, and what should not be there",
        ),
    ),
)

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

IMPACT = Question(
    name="impact",
    title="What does the failure of a server, route or broker do?",
    description="What happens if servers, routes and brokers fail: who "
    "no longer reaches whom, which "
    "paths change, and for how long is it unsettled?\n\n"
    "With --sweep: the same for every single failure, worst first. Routers choose their "
    "routes anew, by cost; queue managers hold, refuse or choose another "
    "instance: that is computed in memory, and the answer says which messages end in "
    "another way.\n\n"
    "Where paths are unique, nothing goes round what failed. The answer then says for "
    "each place where messages stop whether they are stored there or "
    "missed, why (which side configured the route), whether some may come twice, and how "
    "much is stored. A sweep counts ordered pairs of living servers "
    "(lost), and pairs of a publisher and a subscriber, or of a sender and a consumer of "
    "a queue, whose messages are missed (gaps) or stored (retained); where "
    "nobody is known to subscribe or to consume, somebody is supposed at every server.",
    parameters=(
        Parameter(
            "fail",
            Kind.FAILURES,
            "What fails: server:NAME, route:A-B, broker:NAME, or a component that the "
            "system has, such as channel:NAME (KIND:SERVER:NAME where several "
            "servers have one of that name), member:SERVER:1 of a fault-tolerant pair, "
            "suspended:SERVER:OTHER for a route that is suspended, "
            "client:SERVER:topic:NAME of a known client. Repeatable; all fail together.",
            option="--fail",
            metavar="FAILURE",
            default=(),
            several=True,
        ),
        Parameter(
            "sweep",
            Kind.FLAG,
            "Each server, route and broker alone, worst first.",
            option="--sweep",
            default=False,
        ),
        Parameter(
            "rate",
            Kind.TEXT,
            (
                "Messages and bytes a second that each destination brings, such as 200,500KB "
                "or 200: then the answer says in how many hours storage is full."
            ),
            option="--rate",
            metavar="MESSAGES,BYTES",
            default="",
        ),
        Parameter(
            "subscribers",
            Kind.SUBSCRIBERS,
            "A subscriber, or a consumer of a queue, for this question only, such as "
            "B:topic:orders or B:queue:bills. Once one is known, nobody is supposed. "
            "Repeatable.",
            option="--subscriber",
            metavar="SERVER:DEST",
            default=(),
            several=True,
        ),
    ),
    answers=("ImpactAnswer",),
    key=("from", "to"),
    python='network.impact(["server:PAR"])',
    outcomes=("RELEASED", "NO_CREDIT", "HELD", "GAP", "NOT_FORWARDED"),
    engines=("memory",),
    examples=(
        Example("impact --fail server:PAR", "a router fails", estate="routers"),
        Example(
            "impact --fail server:MEXICO", "a server fails: who stores, and who misses messages"
        ),
        Example(
            "impact --fail server:MEXICO --subscriber MEXICO:topic:orders",
            "only what one subscriber of orders loses",
        ),
        Example(
            "impact --fail route:LON-PAR --fail server:FRA",
            "a link and a router together",
            estate="routers",
        ),
        Example("impact --sweep", "every single failure, worst first", estate="routers"),
    ),
)

AUDIT = Question(
    name="audit",
    title="What would a change do, and should it go in?",
    description="What would the commands of a change script do, and "
    "would the servers take them?\n\n"
    "Each command is given to the configuration that those before it left: one that a "
    "server would refuse is not applied, and the answer says where it is "
    "noticed and over which two paths. Then everything before is compared with "
    "everything after: who reaches whom and how far it is, and what subscribers "
    "get, with a message for each difference. Scripts are read and never run; nothing is "
    "written anywhere. "
    "--before and --after compare two snapshots, folders or git revisions in the same way.\n\n"
    "A script runs on a server: SERVER=FILE says which, or its connect lines do. Scripts "
    "of several files are applied in the order given.",
    parameters=(
        Parameter(
            "change",
            Kind.FILE,
            "A script of administration commands, and the server that it is given to. "
            "Repeatable; applied in order. In Python a path, or the commands "
            "themselves.",
            option="--change",
            metavar="[SERVER=]FILE",
            required=True,
            several=True,
        ),
        Parameter(
            "before",
            Kind.FILE,
            "Without --change: compare this snapshot or folder with that of --after. "
            "REV:FOLDER is a folder in a commit of the git repository of the "
            "current folder, as in HEAD~1:conf. In Python: topograph.compare(before, after).",
            option="--before",
            metavar="PATH|REV:FOLDER",
            only="command",
        ),
        Parameter(
            "after",
            Kind.FILE,
            "The snapshot, folder or git revision to compare with.",
            option="--after",
            metavar="PATH|REV:FOLDER",
            only="command",
        ),
        Parameter(
            "at",
            Kind.SERVER,
            "The server that the script is given to, where it does not say so itself.",
            only="python",
        ),
        Parameter(
            "down",
            Kind.FAILURES,
            (
                "A route that is down at the moment, as route:A-B: what is accepted now may "
                "be refused when it comes up. Repeatable."
            ),
            option="--down",
            metavar="ROUTE",
            default=(),
            several=True,
        ),
        Parameter(
            "policy",
            Kind.FILE,
            (
                "What has to hold after the change: a YAML file of policies "
                "(docs/policies.md). Repeatable. In Python a path, or the YAML itself."
            ),
            option="--policy",
            metavar="FILE",
            default=(),
            several=True,
        ),
        Parameter(
            "accept_undetermined",
            Kind.FLAG,
            (
                "End with exit code 0 also where the loaded files do not decide whether the "
                "change is taken."
            ),
            option="--accept-undetermined",
            default=False,
            only="command",
        ),
        Parameter(
            "sarif",
            Kind.FILE,
            "Also write the answer as SARIF 2.1.0, for code scanning.",
            option="--sarif",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "junit",
            Kind.FILE,
            "Also write it as JUnit XML: a test case a command.",
            option="--junit",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "markdown",
            Kind.FILE,
            "Also write it as Markdown, for a comment at a pull request.",
            option="--markdown",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "save",
            Kind.FILE,
            (
                "Keep the change in a JSON file for --replay: its scripts without secrets "
                "and comments, and the verdict. In Python: network.saved_change(change)."
            ),
            option="--save",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "replay",
            Kind.FILE,
            "Judge a change that was saved. With --after compare it with what is there "
            "once it went in (-s or --before is then the state before it): what of "
            "it is missing, and what was changed besides. In Python: "
            "network.replay(FILE, after=None).",
            option="--replay",
            metavar="FILE",
            only="command",
        ),
    ),
    answers=("AuditAnswer",),
    key=("source",),
    python='network.audit("examples/changes/route-b-d.txt", at="B")',
    violation="unless the change is accepted and all policies hold",
    engines=("memory",),
    examples=(
        Example(
            "audit --change B=examples/changes/route-b-d.txt",
            "a route that would bring a second path",
            1,
            "mhop-star/legal",
        ),
        Example(
            "audit --before examples/mhop-star/legal --after examples/mhop-star/with-b-d",
            "two folders, whatever the change was",
            1,
            "mhop-star/legal",
        ),
        Example("audit --change HQ=examples/changes/canada.txt", "a selector that lets less pass"),
        Example("audit --change HQ=examples/changes/canada.txt --format json", "the same, as JSON"),
        Example(
            "audit --change HQ=examples/changes/canada.txt --policy examples/policies.yaml",
            "the same, with policies that have to hold afterwards",
            1,
        ),
    ),
)

CHECK = Question(
    name="check",
    title="What is wrong or risky in the configuration?",
    description="What is wrong or risky in the configuration? The "
    "findings of the lint rules by rule "
    "and server, the most harmful first.\n\n"
    "Each rule has a number and a name; findings of one rule at one server are counted, "
    "and the first is shown. With --server or --rule, each finding is "
    "listed with its place.",
    parameters=(
        Parameter(
            "server",
            Kind.SERVER,
            "Only findings at this server, each listed.",
            option="--server",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "rule",
            Kind.TEXT,
            (
                "Only findings of this rule, each listed, and what the rule says: its number "
                "or its name (docs/rules.md), or a kind of finding."
            ),
            option="--rule",
            metavar="RULE",
            default="",
        ),
        Parameter(
            "severity",
            Kind.CHOICE,
            "Only findings of this severity or worse.",
            option="--severity",
            choices=(("error", "errors"), ("warning", "errors and warnings"), ("info", "all")),
        ),
        Parameter(
            "every", Kind.FLAG, "List every finding.", option="--all", default=False, only="command"
        ),
    ),
    answers=("CheckAnswer",),
    key=("rule", "kind", "server", "source"),
    python="network.check()",
    violation="if a warning or an error is among the findings that are asked for",
    examples=(
        Example("check", "a route too many", 1, "mhop-star/with-b-d"),
        Example("check", "the most harmful rules first, with the servers they concern", 1),
        Example("check --rule TL-03", "what a rule says, and each of its findings", 1),
        Example(
            "check --server CANADA --severity warning", "the warnings and errors of one server", 1
        ),
        Example("check --format jsonl", "a line a finding, for other tools", 1),
    ),
)

SHOW = Question(
    name="show",
    title="List what a snapshot holds.",
    description="List what a snapshot holds, each entry with its file and line.",
    parameters=(
        Parameter(
            "what",
            Kind.CHOICE,
            "What is listed.",
            metavar="WHAT",
            required=True,
            choices=(
                ("servers", "servers and routers, and whether their files are loaded"),
                ("routes", "routes and inter-router links"),
                ("links", "every link between servers, also those that are not in use"),
                ("zones", "zones and their servers"),
                ("destinations", "topics, queues and addresses"),
                ("queues", "queues, and where those that are no place of their own lead"),
                ("channels", "message channels and where they lead"),
                ("connections", "connections to other queue managers, and their aliases"),
                ("factories", "connection factories, and where clients get by them"),
                ("bridges", "bridges between destinations, or to another system"),
                ("durables", "durable subscriptions"),
                ("subscribers", "subscriptions and consumers that files or topograph.yaml name"),
                ("interests", "names that servers hold"),
                ("selectors", "route selectors"),
                ("access", "permissions"),
                ("routing-paths", "forward and reverse routing paths of destinations"),
                ("findings", "what readers noticed in the files"),
                ("files", "what became of each file"),
            ),
        ),
        Parameter(
            "destination",
            Kind.DESTINATION,
            "With access: the one destination that is asked about. Groups are expanded, "
            "and what servers at the other end of routes lack is listed with "
            "the line to add.",
            metavar="[DESTINATION]",
            default="",
        ),
        Parameter(
            "user", Kind.USER, "With access DESTINATION: the one user.", option="--user", default=""
        ),
        Parameter(
            "server",
            Kind.SERVER,
            "Only what concerns this server.",
            option="--server",
            metavar="NAME",
            default="",
        ),
    ),
    answers=("ShowAnswer",),
    key=("server", "name", "source"),
    python='network.show("zones")',
    examples=(
        Example("show zones", "which servers each zone holds"),
        Example("show servers", "what was read, and of which servers files are missing"),
        Example("show subscribers --server HQ", "who is known to subscribe at one server"),
        Example("show findings --format json", "what was noticed while reading, as JSON"),
    ),
)

QUESTIONS = (REACH, HOPS, PATHS, CYCLES, INTERESTS, PROPAGATE, TRACE, IMPACT, AUDIT, CHECK, SHOW)
