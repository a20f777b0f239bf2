"""The questions about what fails and what is changed."""

from __future__ import annotations

from topograph.questions.question import Example, Kind, Parameter, Question

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
