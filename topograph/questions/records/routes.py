"""The questions about routes and zones."""

from __future__ import annotations

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
