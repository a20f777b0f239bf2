"""The questions about what fails and what is changed."""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

IMPACT = Question(
    name="impact",
    title="What does the failure of a server, route or broker do?",
    description="What happens if servers, routes and brokers fail: which servers no longer "
    "reach each other, which paths change, and which messages are stored or missed?\n\n"
    "Routers choose new paths by cost. Queue managers hold messages, refuse them or choose "
    "another instance; the answer lists the destinations whose messages end differently. "
    "Servers in zones have only one path to each other, so there is no way around a failure: "
    "for each place where messages stop, the answer says whether they are stored there or "
    "missed, why (which side configured the route), whether some may be delivered twice, and "
    "how much is stored. If no subscriber or consumer is known, one is assumed at every server."
    "\n\n"
    "Give --fail at least once, or --sweep.\n\n"
    "--sweep looks at every single failure and prints a row for each, with these columns. A "
    "blank means none, and a column that is blank in every row is left out.\n\n"
    "\b\n"
    "  lost          ordered pairs: A no longer reaches B (B to A is another pair)\n"
    "  own           ordered pairs that the failed server itself is an end of\n"
    "  rerouted      ordered pairs: A reaches B by another path\n"
    "  brokers       pairs of a router and a broker that it no longer reaches\n"
    "  own brokers   brokers that the failed router itself reached\n"
    "  services      listeners whose clients are served nowhere any more\n"
    "  own services  listeners of the failed router itself that were served\n"
    "  changed       other destinations whose messages end differently\n"
    "  missed        pairs of sender and receiver: messages are not kept\n"
    "  stored        pairs of sender and receiver: messages arrive later\n"
    "  waiting       queues whose messages wait\n\n"
    "The worst is first: the most lost, own, brokers, own brokers, services and own services "
    "together, so that a server never comes behind one of its links; then servers; then the most "
    "missed, then the most of the other numbers together. Only pairs that reached each other "
    "before can be lost.",
    parameters=(
        Parameter(
            "fail",
            ParameterKind.FAILURES,
            "What fails: server:NAME; route:A-B; broker:NAME, a broker that routers connect to; "
            "member:SERVER:1, one of a fault-tolerant pair; client:SERVER:topic:NAME, a known "
            "client; connector:NAME, one of parallel links between two routers; "
            "suspended:SERVER:OTHER, not a failure, but an administrator suspends the "
            "route of SERVER to OTHER; or another component, such as channel:NAME "
            "(KIND:SERVER:NAME if several servers have one of that name). Repeatable; all fail "
            "together.",
            option="--fail",
            metavar="FAILURE",
            default=(),
            several=True,
        ),
        Parameter(
            "sweep",
            ParameterKind.FLAG,
            "Fail each server, route, broker and other component in turn, and list the worst "
            "first.",
            option="--sweep",
            default=False,
        ),
        Parameter(
            "rate",
            ParameterKind.TEXT,
            (
                "Messages and bytes per second for each destination, such as 200,500KB or 200. "
                "The answer then says how long it takes until storage is full."
            ),
            option="--rate",
            metavar="MESSAGES,BYTES",
            default="",
        ),
        Parameter(
            "subscribers",
            ParameterKind.SUBSCRIBERS,
            "A subscriber, or a consumer of a queue, for this question only, such as "
            "B:topic:orders or B:queue:bills. As soon as one is known, none are assumed. "
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
    title="What would a change do, and would the servers accept it?",
    description="What would the commands of a change script do, and "
    "would the servers accept them?\n\n"
    "Accepted means that the servers would take the commands, even if subscribers then lose "
    "messages; say with --policy what must be kept. Scripts are read and never run; no server "
    "is changed.\n\n"
    "Commands are applied in order. A command that a server would refuse is skipped; the answer "
    "shows which server would refuse it and, for a route that adds a second path, the two "
    "conflicting paths. Then the configuration before is compared with the one after: which "
    "servers reach each other and in how many hops, and what subscribers get, with a sample "
    "message for each difference.\n\n"
    "There are three ways to say what to judge:\n\n"
    "\b\n"
    "  --change [SERVER=]FILE      a script; name SERVER if no connect command does\n"
    "  --before PATH --after PATH  two states: snapshots, folders or git revisions\n"
    "  --replay FILE               a change saved with --change ... --save FILE\n\n"
    "To check later that what was approved went in, save the change when it is judged, and "
    "replay it on the files collected after it:\n\n"
    "\b\n"
    "  before:  topograph audit -s OLD --change HQ=change.txt --save change.json\n"
    "  after:   topograph audit -s OLD --replay change.json --after NEW",
    parameters=(
        Parameter(
            "change",
            ParameterKind.FILE,
            "A script of administration commands, and the server to apply it to. "
            "Repeatable; applied in order.",
            in_python="In Python a path, or the commands themselves.",
            option="--change",
            metavar="[SERVER=]FILE",
            required=True,
            several=True,
        ),
        Parameter(
            "before",
            ParameterKind.STATE,
            "Without --change: the state before, to compare with --after. A snapshot or folder; "
            "REV:FOLDER is a folder in a commit of the current git repository, as in "
            "HEAD~1:conf.",
            in_python="In Python: topograph.compare(before, after).",
            option="--before",
            metavar="PATH|REV:FOLDER",
            only="command",
        ),
        Parameter(
            "after",
            ParameterKind.STATE,
            "The state after: a snapshot, folder or git revision.",
            option="--after",
            metavar="PATH|REV:FOLDER",
            only="command",
        ),
        Parameter(
            "at",
            ParameterKind.SERVER,
            "The server to apply the script to, unless the script names it itself.",
            only="python",
        ),
        Parameter(
            "down",
            ParameterKind.FAILURES,
            (
                "A route that is down while the commands run, as route:A-B. The answer says "
                "whether a command that is accepted now leads to a refusal when the route comes "
                "up. Repeatable."
            ),
            option="--down",
            metavar="ROUTE",
            default=(),
            several=True,
        ),
        Parameter(
            "policy",
            ParameterKind.FILE,
            (
                "A YAML file of policies that must hold after the change (docs/policies.md). "
                "Repeatable."
            ),
            in_python="In Python a path, or the YAML itself.",
            option="--policy",
            metavar="FILE",
            default=(),
            several=True,
        ),
        Parameter(
            "accept_undetermined",
            ParameterKind.FLAG,
            (
                "Also exit with code 0 if the loaded files are not sufficient to determine "
                "whether the change is accepted."
            ),
            option="--accept-undetermined",
            default=False,
            only="command",
        ),
        Parameter(
            "sarif",
            ParameterKind.WRITTEN,
            "Also write the answer as SARIF 2.1.0, for code scanning.",
            option="--sarif",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "junit",
            ParameterKind.WRITTEN,
            "Also write the answer as JUnit XML, one test case per command.",
            option="--junit",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "markdown",
            ParameterKind.WRITTEN,
            "Also write the answer as Markdown, for a comment on a pull request.",
            option="--markdown",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "save",
            ParameterKind.WRITTEN,
            (
                "Save the change to a JSON file for --replay: its scripts, without secrets and "
                "comments, and the verdict."
            ),
            in_python="In Python: network.saved_change(change).",
            option="--save",
            metavar="FILE",
            only="command",
        ),
        Parameter(
            "replay",
            ParameterKind.FILE,
            "Judge a saved change again, on the state that -s names. With --after PATH, compare "
            "the deployed state at PATH with the saved change instead: what is missing, and what "
            "else changed since the state that -s (or --before) names.",
            in_python="In Python: network.replay(FILE, after=None).",
            option="--replay",
            metavar="FILE",
            only="command",
        ),
    ),
    texts="audits",
    answers=("AuditAnswer",),
    key=("source",),
    python='network.audit("examples/changes/route-b-d.txt", at="B")',
    violation="unless the change is accepted and all policies hold; with --replay and --after: "
    "unless the state is what the saved change was to give",
    engines=("memory",),
    examples=(
        Example(
            "audit --change B=examples/changes/route-b-d.txt",
            "a route that would add a second path",
            1,
            "mhop-star/legal",
        ),
        Example(
            "audit --before examples/mhop-star/legal --after examples/mhop-star/with-b-d",
            "two folders, whatever the change was",
            1,
            "mhop-star/legal",
        ),
        Example("audit --change HQ=examples/changes/canada.txt", "a more restrictive selector"),
        Example("audit --change HQ=examples/changes/canada.txt --format json", "the same, as JSON"),
        Example(
            "audit --change HQ=examples/changes/canada.txt --policy examples/policies.yaml",
            "the same, with policies that must hold afterwards",
            1,
        ),
    ),
)

QUESTIONS = (IMPACT, AUDIT)
