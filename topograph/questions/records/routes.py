"""The questions about routes and zones."""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

_FROM = Parameter(
    "from_",
    ParameterKind.SERVER,
    "The server that messages are published at.",
    metavar="FROM",
    required=True,
)

REACH = Question(
    name="reach",
    title="Which servers does a server reach, and over which path?",
    description="Which servers does FROM reach? With TO: does FROM "
    "reach TO, and over which path?\n\n"
    "Only routes and zones decide the answer. Conditions on single topics, such as selectors, "
    "are shown at each step and decide nothing here; use propagate for one message.",
    parameters=(
        _FROM,
        Parameter(
            "to",
            ParameterKind.SERVER,
            "The server to find a path to. Default: every server.",
            metavar="[TO]",
        ),
        Parameter(
            "reply",
            ParameterKind.FLAG,
            "Show the reply path back to FROM: from TO, or from each server.",
            option="--reply",
            default=False,
        ),
        Parameter(
            "expect",
            ParameterKind.CHOICE,
            (
                "Exit with code 1 unless this is the result. An undetermined result counts as a "
                "failure. Exception: if TO could only be reached over illegal routes (see "
                "cycles), it counts as unreachable."
            ),
            option="--expect",
            choices=(("reachable", "FROM reaches TO"), ("unreachable", "FROM does not reach TO")),
            only="command",
        ),
    ),
    texts="walks",
    answers=("ReachAnswer",),
    key=("server",),
    python='network.reach("CANADA", "MADRID")',
    violation="with --expect, if the result differs or cannot be determined",
    outcomes=("UNDETERMINED",),
    conditions=("zone", "route-down"),
    examples=(
        Example("reach CANADA MADRID", "one server, with the rule, file and line of each step"),
        Example("reach HQ", "every server that HQ reaches"),
        Example(
            "reach CANADA MADRID --expect reachable",
            "a check for a script: the exit code is 1 if it does not",
        ),
        Example(
            "reach HQ MIRROR", "a server that is not reached, or why that cannot be determined"
        ),
        Example("reach 'M*' HQ", "does each server whose name begins with M reach HQ?"),
        Example("reach LON --format json", "routers, as JSON", estate="routers"),
    ),
)

HOPS = Question(
    name="hops",
    title="How many hops is it from one server to another?",
    description="How many hops is it from FROM to TO, and in which zones?\n\n"
    "Give FROM and TO, or --matrix for all servers.",
    parameters=(
        Parameter(
            "from_", ParameterKind.SERVER, "The first server.", metavar="[FROM]", required=True
        ),
        Parameter("to", ParameterKind.SERVER, "The last server.", metavar="[TO]", required=True),
        Parameter(
            "matrix",
            ParameterKind.FLAG,
            ("Show the hops between all servers. More than 2,000 servers require --format jsonl."),
            in_python="In Python: hops_matrix(), hop_rows().",
            option="--matrix",
            default=False,
            only="command",
        ),
    ),
    module="reach",
    texts="walks",
    answers=("HopsAnswer", "HopsMatrixAnswer"),
    key=("zone",),
    python='network.hops("CANADA", "MADRID")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example("hops CANADA MADRID", "hops in all, and inside each zone"),
        Example("hops --matrix --format jsonl", "between all servers, one line for each"),
        Example("hops LON FRA", "routers choose by cost, not by hops", estate="routers"),
    ),
)

PATHS = Question(
    name="paths",
    title="Which paths lead from one server to another?",
    description="Which paths lead from FROM to TO? Shortest first.\n\n"
    "On systems that allow only one path between two servers, more than one means that the "
    "routes are illegal; cycles lists them.",
    parameters=(
        Parameter(
            "from_", ParameterKind.SERVER, "The first server.", metavar="FROM", required=True
        ),
        Parameter("to", ParameterKind.SERVER, "The last server.", metavar="TO", required=True),
        Parameter(
            "maximum",
            ParameterKind.COUNT,
            "Maximum number of paths to list.",
            option="--max",
            default=10,
        ),
    ),
    module="reach",
    texts="walks",
    answers=("PathsAnswer",),
    key=("servers",),
    python='network.paths("A", "D")',
    outcomes=("UNDETERMINED",),
    examples=(
        Example(
            "paths A D",
            "two paths, one of them over an additional route",
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
    "Each ring of routes that gives a server more than one path is listed once, with its routes; "
    "rings that share a route are listed together. All configured routes count, even if they are "
    "down.\n\n"
    "Some rings are illegal. A server announces the name of its temporary topics to the servers "
    "that it reaches; the answers list these names. A server that hears the name of server B over "
    "two routes has two paths to B, and one of the routes is refused. A ring in which no server "
    "hears a name twice, such as a full mesh in one 1hop zone, is legal and not listed.\n\n"
    "Between routers redundant paths are intended: they are listed and are not a violation.\n\n"
    "Between brokers whose exchanges, shovels and dead letters send messages on, the ways are "
    "listed that lead a message back to where it was, each with what ends it: nothing (it goes "
    "round for ever, which is illegal where nothing has to happen for it), consumers that no "
    "longer reject it, the links it may come over at most, or a broker that notices. The ways over "
    "which a message arrives twice are listed too.",
    parameters=(
        Parameter(
            "strict",
            ParameterKind.FLAG,
            "Also treat every ring over several zones as illegal. By default such a ring is legal "
            "if no server hears the same name over two routes.",
            option="--strict",
            default=False,
        ),
        Parameter(
            "pairs",
            ParameterKind.FLAG,
            (
                "Also list each name that a server hears over more than one route, "
                "with the paths. JSON always lists them."
            ),
            option="--pairs",
            default=False,
            only="command",
        ),
    ),
    texts="names",
    answers=("CyclesAnswer",),
    key=("server", "name"),
    python="network.cycles()",
    violation=(
        "if a server would hold a name over more than one route, if messages go round for ever by "
        "themselves, or if the time budget ran out before this could be ruled out"
    ),
    examples=(
        Example("cycles", "each ring with its routes", 1, "mhop-star/with-b-d"),
        Example(
            "cycles --pairs",
            "and each name that arrives twice, with its paths",
            1,
            "mhop-star/with-b-d",
        ),
        Example("cycles", "is there at most one path between any two servers?"),
        Example(
            "cycles",
            "which messages come back to where they were, and what ends that",
            0,
            "rabbitmq",
        ),
        Example(
            "cycles --strict --format json",
            "the same, with rings over several zones counted as illegal, as JSON",
        ),
    ),
)

QUESTIONS = (REACH, HOPS, PATHS, CYCLES)
