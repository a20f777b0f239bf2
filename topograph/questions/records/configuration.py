"""The questions about the files themselves."""

from __future__ import annotations

from topograph.questions.question import Example, Kind, Parameter, Question

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
