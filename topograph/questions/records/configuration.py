"""The questions about the files themselves."""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

CHECK = Question(
    name="check",
    title="What is wrong or risky in the configuration?",
    description="What is wrong or risky in the configuration? The "
    "findings of the lint rules by rule "
    "and server, the most harmful first.\n\n"
    "Each rule has a number and a name. Findings of one rule on one server are grouped, and "
    "the first is shown; with --server or --rule, each finding is listed with its file and "
    "line. --rule also explains the rule numbers in other answers, such as R13 or A12.\n\n"
    "check judges the whole configuration: its findings include those that reading the files "
    "gave (show findings lists these alone) and those of rules about several servers.\n\n"
    "Findings that are accepted can be waived, each with a reason: by a comment in the "
    "configuration file (# topograph: waive TL-19 the reason), or under waivers in topograph.yaml. "
    "A waiver without a reason, one that has ended, and one that fits nothing are findings.",
    parameters=(
        Parameter(
            "server",
            ParameterKind.SERVER,
            "Only findings on this server, each listed.",
            option="--server",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "rule",
            ParameterKind.TEXT,
            (
                "Only findings of this rule, each listed, and an explanation of the rule. RULE "
                "is its number or name (docs/rules.md), or a kind of finding, such as "
                "multi-zone-cycle; SYSTEM:NUMBER is that of one system where several have the "
                "number. A rule is explained without a snapshot too."
            ),
            option="--rule",
            metavar="RULE",
            default="",
        ),
        Parameter(
            "severity",
            ParameterKind.CHOICE,
            "Only findings of this severity or worse.",
            option="--severity",
            choices=(("error", "errors"), ("warning", "errors and warnings"), ("info", "all")),
        ),
        Parameter(
            "fail_on",
            ParameterKind.CHOICE,
            "Exit with code 1 only for findings of this severity or worse, or if a file could "
            "not be read. Without it, warnings and errors count.",
            option="--fail-on",
            choices=(("error", "errors"), ("warning", "errors and warnings")),
            only="command",
        ),
        Parameter(
            "baseline",
            ParameterKind.FILE,
            "Count only findings that this file does not have, and list those that are gone.",
            option="--baseline",
            metavar="FILE",
        ),
        Parameter(
            "write_baseline",
            ParameterKind.WRITTEN,
            "Write the findings of now to this file, which --baseline then takes.",
            option="--write-baseline",
            metavar="FILE",
            only="command",
            in_python="In Python: baseline() gives its text.",
        ),
        Parameter(
            "sarif",
            ParameterKind.WRITTEN,
            "Also write SARIF 2.1.0, for code scanning; - is standard output.",
            option="--sarif",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "every",
            ParameterKind.FLAG,
            "List every finding.",
            option="--all",
            default=False,
            only="command",
        ),
    ),
    texts="tables",
    answers=("CheckAnswer",),
    key=("rule", "kind", "server", "source"),
    python="network.check()",
    violation="if a warning or an error is among the findings listed; with --fail-on error: if "
    "an error is",
    examples=(
        Example("check", "a second path between two servers", 1, "mhop-star/with-b-d"),
        Example("check", "the most harmful rules first, with the servers they concern", 1),
        Example("check --rule TL-03", "what a rule says, and each of its findings", 1),
        Example(
            "check --server CANADA --severity warning", "the warnings and errors of one server", 1
        ),
        Example("check --format jsonl", "one line per finding, for other tools", 1),
        Example("check --format csv", "a table for a spreadsheet", 1),
        Example("check --format sarif", "for code scanning", 1),
    ),
)

SHOW = Question(
    name="show",
    title="List what a snapshot holds.",
    description="List what a snapshot holds, each entry with its file and line.\n\n"
    "WHAT is the kind of entry. DESTINATION goes with access only: show access queue:orders "
    "lists who may do what with that queue.",
    parameters=(
        Parameter(
            "what",
            ParameterKind.CHOICE,
            "What is listed.",
            metavar="WHAT",
            required=True,
            choices=(
                ("servers", "servers and routers, and whether their files are loaded"),
                ("routes", "links between servers, with zone type, cost and standby"),
                ("links", "the same with their state, and links to unknown servers"),
                ("zones", "zones and their servers"),
                ("destinations", "topics, exchanges, queues and addresses"),
                ("queues", "queues, and the targets of alias and remote queues"),
                ("bindings", "bindings of exchanges to queues and to other exchanges"),
                ("policies", "policies, with the names they are for and what they set"),
                ("channels", "message channels and their targets"),
                ("connections", "connections of queue managers on mobile devices, with aliases"),
                ("factories", "connection factories, and the servers they connect clients to"),
                ("bridges", "bridges between destinations, or to another system"),
                ("durables", "durable subscriptions"),
                ("subscribers", "known subscriptions and consumers (topograph.yaml included)"),
                ("interests", "names of other servers that each server has learned"),
                ("selectors", "route selectors"),
                ("access", "permissions"),
                ("routing-paths", "forward and reverse routing paths of destinations"),
                ("findings", "problems found while reading; check adds those of rules"),
                ("files", "whether each file was read, ignored or rejected"),
            ),
        ),
        Parameter(
            "destination",
            ParameterKind.DESTINATION,
            "With access: permissions on this destination only. Groups are expanded, and "
            "permissions that servers at the other end of routes lack are listed with the "
            "line to add.",
            metavar="[DESTINATION]",
            default="",
        ),
        Parameter(
            "user",
            ParameterKind.USER,
            "With access and DESTINATION: only this user.",
            option="--user",
            metavar="NAME",
            default="",
        ),
        Parameter(
            "server",
            ParameterKind.SERVER,
            "Only entries of this server.",
            option="--server",
            metavar="NAME",
            default="",
        ),
    ),
    texts="tables",
    answers=("ShowAnswer",),
    key=("server", "name", "source"),
    python='network.show("zones")',
    examples=(
        Example("show zones", "which servers each zone holds"),
        Example("show servers", "what was read, and which servers' files are missing"),
        Example("show subscribers --server HQ", "who is known to subscribe at one server"),
        Example("show servers --format csv", "the servers as a table for a spreadsheet"),
        Example("show findings --format json", "problems found while reading the files, as JSON"),
    ),
)

SUMMARY = Question(
    name="summary",
    title="What is here, what is wrong, and what to ask next?",
    description="What does a folder or snapshot hold, what is wrong with it, and what is worth "
    "asking next? One screen.\n\n"
    "topograph PATH is short for topograph summary PATH.\n\n"
    "The answer names the systems and servers, says whether the routes are legal (cycles), lists "
    "the rules with the most harmful findings (check), and what is not known because files are "
    "missing. The commands at its end can be pasted.",
    parameters=(
        Parameter(
            "path",
            ParameterKind.ASKED,
            "What to look at, as -s takes it.",
            metavar="[PATH]",
            only="command",
        ),
    ),
    answers=("SummaryAnswer",),
    key=("rule", "severity"),
    python="network.summary()",
    examples=(
        Example("summary", "the first screen of an estate"),
        Example("summary examples/routers", "a folder, without an import"),
        Example("summary examples/mhop-star/with-b-d", "an estate that is not legal"),
        Example("summary --format json", "the same, as JSON"),
    ),
)

QUESTIONS = (SUMMARY, CHECK, SHOW)
