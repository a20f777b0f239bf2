"""The rules of TIBCO EMS that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

R2 = Rule(
    "R2",
    "Routes are named after the other server",
    "The name of a route is the name of the server at its other end.",
    (
        FindingKind(
            "route-to-itself",
            ERROR,
            Remedy("Remove the route, or name the server that is meant.", "The route is ignored."),
        ),
    ),
)
R3 = Rule(
    "R3",
    "Configured on both sides",
    "A route that both servers configure is one connection (active-active), not two.",
    (FindingKind("route-role-differs", WARNING),),
)
R4 = Rule(
    "R4",
    "Active and passive side",
    (
        "If only one server configures a route, that server is active: it connects and owns the"
        " route's properties. The other is passive."
    ),
    (
        FindingKind("route-not-observed", WARNING),
        FindingKind("route-not-configured", WARNING),
        FindingKind("route-not-connected", WARNING),
        FindingKind("route-zone-differs", WARNING),
        FindingKind("route-url-differs", WARNING),
    ),
)
R6 = Rule(
    "R6",
    "When a route is up",
    (
        "A route is up only if both servers run with routing enabled and the active one can "
        "reach the URL."
    ),
    (FindingKind("setting-differs", WARNING),),
)
R7 = Rule(
    "R7",
    "A fault-tolerant pair is one server",
    "The two members of a fault-tolerant pair share a name and count as one server.",
    (
        FindingKind("setting-differs", WARNING),
        FindingKind("server-not-active", WARNING),
    ),
)
R40 = Rule(
    "R40",
    "Interest travels upstream",
    (
        "A subscription makes its server register interest with its neighbours, and they with "
        "theirs, as far as zones let messages come."
    ),
    (FindingKind("interest-without-route", WARNING),),
)
R42 = Rule(
    "R42",
    "Global at every server",
    (
        "A topic crosses a route only if it is global on the servers at both ends; that holds "
        "on every route of the path."
    ),
    (
        FindingKind("interest-not-global", WARNING),
        FindingKind("topic-properties-differ", WARNING),
        FindingKind("queue-properties-differ", WARNING),
    ),
)
R45 = Rule(
    "R45",
    "Topics need an entry",
    "A server accepts a topic that does not exist yet only if an entry in topics.conf matches it.",
    (
        FindingKind("subscription-topic-undefined", WARNING),
        FindingKind("bridge-queue-undefined", WARNING),
        FindingKind("durable-topic-undefined", WARNING),
        FindingKind("bridge-topic-undefined", WARNING),
        FindingKind("queue-not-configured", WARNING),
        FindingKind("queue-not-observed", WARNING),
        FindingKind("topic-not-configured", WARNING),
        FindingKind("topic-not-observed", WARNING),
    ),
)
R49 = Rule(
    "R49",
    "Rights on secure topics",
    (
        "On a secure topic, the sending server must grant the other server subscribe and "
        "durable, and the receiving server must grant it publish."
    ),
    (
        FindingKind("setting-differs", WARNING),
        FindingKind("topic-properties-differ", WARNING),
        FindingKind("queue-properties-differ", WARNING),
    ),
)
R50 = Rule(
    "R50",
    "Servers log in by name",
    "A server connects to another as the user with its own server name.",
    (
        FindingKind(
            "grant-principal-undefined",
            WARNING,
            Remedy(
                "Define the user or group at {server}, or remove the grant.",
                "The grant has no effect.",
            ),
        ),
    ),
)
R53 = Rule(
    "R53",
    "Suspended routes",
    "A suspended route sends nothing; messages queue up until it is resumed.",
    (
        FindingKind("route-suspended", WARNING),
        FindingKind(
            "suspended-route-unknown",
            WARNING,
            Remedy("Correct the name of the suspended route.", "No route is taken as suspended."),
        ),
    ),
)
R68 = Rule(
    "R68",
    "Changed selectors",
    "After selectors change, only new messages use the new ones until a restart.",
    (FindingKind("pending-messages", WARNING),),
)
R83 = Rule(
    "R83",
    "Inherited properties",
    (
        "A destination inherits from all patterns that match it: flags add up, and of several "
        "values the smallest wins unless it has its own."
    ),
    (FindingKind("destination-defined-twice", WARNING),),
)
R93 = Rule(
    "R93",
    "Limits of `$TMP$.>`",
    "`$TMP$.>` carries properties only: it cannot be bridged, held by a durable, or sent to.",
    (FindingKind("temporary-destination", ERROR),),
)
R100 = Rule(
    "R100",
    "A queue has one home",
    "A routed queue is stored on one server, its home; other servers name it as queue@home.",
    (FindingKind("queue-owner-differs", WARNING),),
)
R110 = Rule(
    "R110",
    "Bridges",
    (
        "A bridge copies a message from one destination to others on the same server, as if it "
        "had been sent there."
    ),
    (
        FindingKind("bridge-differs", WARNING),
        FindingKind("bridge-not-observed", WARNING),
    ),
)
TL_01 = Rule(
    "TL-01",
    "Second path",
    "The network lets a server be reached over two paths, which is illegal.",
    (
        FindingKind(
            "duplicate-path",
            ERROR,
            Remedy(
                "Remove one of the routes, or put them in different zones.",
                "{server} refuses one of the routes after a restart.",
            ),
        ),
    ),
    check=True,
)
TL_02 = Rule(
    "TL-02",
    "Cycle over several zones",
    "Routes form a cycle that the rule accepts, because a 1hop zone interrupts it.",
    (
        FindingKind(
            "multi-zone-cycle",
            WARNING,
            Remedy("Check that this cycle is intended.", "Another route could make it illegal."),
        ),
    ),
    check=True,
)
TL_03 = Rule(
    "TL-03",
    "Global on one side only",
    "The topic is global at one end of a route only, so the route does not carry it.",
    (
        FindingKind(
            "global-at-one-end",
            WARNING,
            Remedy(
                "Make the topic global at {server} too, or at neither end.",
                "Messages on it do not cross the route to {server}.",
            ),
        ),
        FindingKind(
            "global-in-part-at-one-end",
            WARNING,
            Remedy(
                "Make the same topics global at {server}.",
                "The topics that are not global at {server} do not cross the route.",
            ),
        ),
    ),
    check=True,
)
TL_04 = Rule(
    "TL-04",
    "Global topic without a limit",
    (
        "A server forwards a global topic that has neither maxbytes nor maxmsgs, so what waits "
        "for a lost neighbour can fill its store."
    ),
    (
        FindingKind(
            "global-topic-without-limit",
            WARNING,
            Remedy(
                "Set maxbytes or maxmsgs on the topic at {server}.",
                "While a neighbour is down, what waits for it can fill the store of {server}.",
            ),
        ),
    ),
    check=True,
)
TL_05 = Rule(
    "TL-05",
    "Durable behind an active-passive route",
    (
        "Messages for a durable subscriber can be lost or duplicated while a route that only "
        "one side configures is down."
    ),
    (
        FindingKind(
            "durable-behind-active-passive-route",
            WARNING,
            Remedy(
                "Configure the route on both servers.",
                (
                    "While the route is down, messages for the durable subscriber are lost or "
                    "come twice."
                ),
            ),
        ),
    ),
    check=True,
)
TL_06 = Rule(
    "TL-06",
    "Selector without effect",
    "A route has a selector for a topic that is not global or that no configured topic matches.",
    (
        FindingKind(
            "selector-topic-unknown",
            WARNING,
            Remedy("Correct the topic of the selector.", "The selector has no effect."),
        ),
        FindingKind(
            "selector-topic-not-global",
            ERROR,
            Remedy("Make the topic global, or remove the selector.", "It has no effect."),
        ),
    ),
    check=True,
)
TL_07 = Rule(
    "TL-07",
    "Two selectors for one topic",
    "A route has two selector lines for one topic and direction; a message must pass both.",
    (
        FindingKind(
            "duplicate-selector",
            WARNING,
            Remedy("Write one selector for the topic.", "A message must pass both of them."),
        ),
    ),
    check=True,
)
TL_08 = Rule(
    "TL-08",
    "Selector that cannot work",
    "A selector is invalid, never true, always true, or written with typographic quotes.",
    (
        FindingKind(
            "selector-constant",
            WARNING,
            Remedy("Correct or remove the selector.", "It lets through all messages, or none."),
        ),
        FindingKind(
            "selector-invalid",
            ERROR,
            Remedy("Correct the selector.", "{server} does not start, or ignores the route."),
        ),
        FindingKind("non-ascii-quote", ERROR),
    ),
    check=True,
)
TL_09 = Rule(
    "TL-09",
    "Wildcard reaches beyond global topics",
    (
        "A wildcard subscription, durable or bridge matches more than the global topics cover, "
        "so part of its messages does not come."
    ),
    (
        FindingKind(
            "wildcard-not-subset-of-global",
            WARNING,
            Remedy(
                "Narrow the wildcard, or make a topic global that covers it.",
                "Some messages for it from other servers do not come.",
            ),
        ),
    ),
    check=True,
)
TL_10 = Rule(
    "TL-10",
    "Missing right for a neighbour",
    "A secure topic or queue lacks the grant that the neighbouring server needs.",
    (
        FindingKind(
            "grant-missing",
            ERROR,
            Remedy("Add the line to acl.conf of {server}.", "Messages do not cross the route."),
        ),
        FindingKind("queue-grant-missing", ERROR),
        FindingKind("queue-receive-grant-missing", WARNING),
    ),
    check=True,
)
TL_11 = Rule(
    "TL-11",
    "Routed queue that cannot work",
    "A queue@home entry has no direct route to the home, has a wildcard, or is exclusive.",
    (
        FindingKind(
            "routed-queue-exclusive",
            ERROR,
            Remedy("Remove exclusive from the entry.", "{server} refuses the entry."),
        ),
        FindingKind(
            "routed-queue-owner-unknown",
            WARNING,
            Remedy("Import the files of the home server.", "Whether it has the queue is unknown."),
        ),
        FindingKind(
            "routed-queue-no-route",
            ERROR,
            Remedy(
                "Configure a direct route from {server} to the home of the queue.",
                "Messages sent at {server} stay there.",
            ),
        ),
        FindingKind(
            "routed-queue-no-home",
            ERROR,
            Remedy("Create the queue at its home.", "Messages sent at {server} stay there."),
        ),
        FindingKind(
            "routed-queue-home-dynamic",
            WARNING,
            Remedy(
                "Create the queue at its home explicitly.",
                "Whether messages reach it cannot be said.",
            ),
        ),
        FindingKind(
            "routed-queue-wildcard",
            ERROR,
            Remedy("Name each queue without a wildcard.", "{server} refuses the entry."),
        ),
    ),
    check=True,
)
TL_12 = Rule(
    "TL-12",
    "Queue not global at its home",
    "Another server uses the queue, and it is not global at its home.",
    (
        FindingKind(
            "home-queue-not-global",
            WARNING,
            Remedy(
                "Make the queue global at its home.", "Other servers may not be able to use it."
            ),
        ),
    ),
    check=True,
)
TL_13 = Rule(
    "TL-13",
    "Zones do not agree",
    (
        "The ends or routes of a zone name different zones or types, or a 1hop zone uses the "
        "default name."
    ),
    (
        FindingKind(
            "zone-conflict",
            ERROR,
            Remedy(
                "Write the same zone name and type at both ends of the route.",
                "Which servers messages reach over it cannot be said for certain.",
            ),
        ),
        FindingKind("zone-type", ERROR),
    ),
    check=True,
)
TL_14 = Rule(
    "TL-14",
    "Doubtful wildcard",
    "A name contains `*` inside an element, or `>` not at the end, where it is no wildcard.",
    (FindingKind("not-a-wildcard", WARNING),),
    check=True,
)
TL_15 = Rule(
    "TL-15",
    "Servers with the same name",
    "Two configurations have the same server name, or the files of a fault-tolerant pair differ.",
    (
        FindingKind(
            "duplicate-server-name",
            ERROR,
            Remedy(
                (
                    "Import the folder of one configuration only, or give the others a name of "
                    "their own."
                ),
                "Only the first is used; answers about {server} leave out the rest.",
            ),
        ),
        FindingKind(
            "ft-pair-mismatch",
            ERROR,
            Remedy(
                "Copy the entry to the other member of the pair.",
                "After a failover {server} works differently.",
            ),
        ),
        FindingKind(
            "server-file-not-found",
            ERROR,
            Remedy(
                "Add the missing file, or correct topograph.yaml.",
                (
                    "What {server} has in it is unknown, so that answers about {server} are "
                    "incomplete."
                ),
            ),
        ),
    ),
    check=True,
)
TL_16 = Rule(
    "TL-16",
    "Route to nowhere",
    (
        "A route leads to a server that is not among the files, its name and URL point at "
        "different servers, or routing is off at one end."
    ),
    (
        FindingKind("observed-elsewhere", WARNING),
        FindingKind(
            "routing-disabled",
            ERROR,
            Remedy(
                "Set routing to enabled at {server}, or remove the route.", "The route is down."
            ),
        ),
        FindingKind("setting-differs", WARNING),
        FindingKind(
            "route-to-unloaded-server",
            WARNING,
            Remedy(
                "Import the files of the server that the route leads to, or remove the route.",
                (
                    "What lies behind the route is unknown, so that answers beyond {server} are"
                    " incomplete."
                ),
            ),
        ),
        FindingKind(
            "route-port-not-listened-on",
            WARNING,
            Remedy(
                (
                    "Correct the port in the URL of the route, or the listen entry of the other"
                    " server."
                ),
                "The route of {server} does not connect.",
            ),
        ),
        FindingKind("name-url-mismatch", ERROR),
    ),
    check=True,
)
TL_17 = Rule(
    "TL-17",
    "Bridge twice or in a circle",
    (
        "A bridge is listed twice, so that the server does not start, or bridges of two servers"
        " feed each other."
    ),
    (
        FindingKind(
            "bridges-feed-each-other",
            WARNING,
            Remedy(
                "Remove one of the bridges.",
                "Messages go round for ever and never reach a receiver.",
            ),
        ),
        FindingKind(
            "duplicate-bridge",
            ERROR,
            Remedy("Remove one of the two bridges.", "{server} does not start."),
        ),
    ),
    check=True,
)
TL_18 = Rule(
    "TL-18",
    "Conflicting properties",
    "Overlapping patterns name different stores, or a topic or global queue has prefetch=none.",
    (
        FindingKind(
            "store-conflict",
            ERROR,
            Remedy("Name the same store in both entries.", "{server} refuses the second entry."),
        ),
        FindingKind(
            "prefetch-none",
            ERROR,
            Remedy("Remove prefetch=none.", "{server} does not route the destination."),
        ),
    ),
    check=True,
)
TL_19 = Rule(
    "TL-19",
    "Route without TLS",
    "A route is not encrypted, or does not verify the other host.",
    (
        FindingKind("tls-host-not-verified", INFO),
        FindingKind("route-without-tls", INFO),
    ),
    check=True,
)
TL_20 = Rule(
    "TL-20",
    "File missing or found elsewhere",
    (
        "A file that a configuration names is missing, or another file with the same ending was"
        " read in its place."
    ),
    (
        FindingKind("subfile-by-usual-name", INFO),
        FindingKind(
            "unreadable-file",
            ERROR,
            Remedy(
                "Give {file} back its read permission, and import again.",
                (
                    "What {server} has in it is unknown, so that answers about {server} are "
                    "incomplete."
                ),
            ),
        ),
        FindingKind(
            "subfile-not-found",
            ERROR,
            Remedy(
                "Add the missing file to the import, or map its folder in topograph.yaml.",
                (
                    "What {server} has in it is unknown, so that answers about {server} are "
                    "incomplete."
                ),
            ),
        ),
        FindingKind(
            "subfile-resolved-by-suffix",
            INFO,
            Remedy(
                (
                    "Confirm that the right file was read; if not, map its folder under paths "
                    "in topograph.yaml."
                ),
                (
                    "If another file is meant, what is said here about {server} rests on the "
                    "wrong one."
                ),
            ),
        ),
        FindingKind("template", WARNING),
    ),
    check=True,
)
A10 = Rule(
    "A10",
    "One zone name, separate parts",
    "Parts of a zone that never meet are judged separately.",
    (
        FindingKind(
            "zone-type-elsewhere",
            WARNING,
            Remedy(
                "Give one of the zones another name.", "A route between the two would be refused."
            ),
        ),
    ),
)
A13 = Rule(
    "A13",
    "Static route durables",
    "A durable configured for a route is assumed to ask for messages even without a consumer.",
    (
        FindingKind("durable-not-configured", WARNING),
        FindingKind("durable-not-observed", WARNING),
    ),
)
A17 = Rule(
    "A17",
    "Which server a route means",
    (
        "If the name and the URL of a route point at different servers, hosts in topograph.yaml"
        " decide."
    ),
    (FindingKind("name-url-mismatch", WARNING),),
)
SECTION_1_1 = Rule(
    "1.1",
    "Servers",
    "A server has a name of at most 64 characters without a dot; routes to it bear that name.",
    (
        FindingKind("server-name", ERROR),
        FindingKind("no-server-name", ERROR),
    ),
)
SECTION_1_2 = Rule(
    "1.2",
    "Routes",
    "A route leads to another server and has a URL; a server has at most one route to each other.",
    (
        FindingKind(
            "duplicate-route",
            ERROR,
            Remedy("Remove one of the two entries.", "Which of them counts is not certain."),
        ),
        FindingKind("missing-url", ERROR),
        FindingKind("zone-type", ERROR),
    ),
)
SECTION_1_3 = Rule(
    "1.3",
    "Zones",
    "A route is in one zone, and the zone has one type.",
    (FindingKind("zone-type-changed", WARNING),),
)
SECTION_1_4 = Rule(
    "1.4",
    "Topics",
    "How topics may be named, and which properties they take.",
    (FindingKind("destination-name", ERROR),),
)
SECTION_1_6 = Rule(
    "1.6",
    "Bridges, durables, factories and rights",
    "What these entries have to name, and which properties they take.",
    (
        FindingKind("bridge-source", WARNING),
        FindingKind("bridge-target-wildcard", ERROR),
        FindingKind("route-durable-property", WARNING),
    ),
)
SECTION_3_1 = Rule(
    "3.1",
    "Form of configuration files",
    "Files consist of lines and sections in plain text; names and values follow fixed spellings.",
    (
        FindingKind(
            "unreadable-file",
            ERROR,
            Remedy(
                "Give {file} back its read permission, and import again.",
                (
                    "What {server} has in it is unknown, so that answers about {server} are "
                    "incomplete."
                ),
            ),
        ),
        FindingKind("binary-file", ERROR),
        FindingKind("line-too-long", ERROR),
        FindingKind("url-too-long", WARNING),
        FindingKind("invalid-url", WARNING),
        FindingKind("not-a-boolean", ERROR),
        FindingKind("no-line-end", INFO),
        FindingKind("trailing-comment", ERROR),
        FindingKind("encoding", WARNING),
        FindingKind("missing-comma", ERROR),
        FindingKind("missing-equals", ERROR),
        FindingKind("non-ascii-quote", ERROR),
        FindingKind("text-after-quote", ERROR),
        FindingKind("too-many-properties", ERROR),
        FindingKind("unquoted-selector", ERROR),
        FindingKind("unterminated-quote", ERROR),
    ),
)
SECTION_3_2 = Rule(
    "3.2",
    "Form of routes.conf",
    "A section for each route, with its properties and its selectors.",
    (
        FindingKind("missing-selector", ERROR),
        FindingKind("missing-topic", ERROR),
        FindingKind("missing-value", ERROR),
        FindingKind("empty-name", ERROR),
        FindingKind("cut-off", ERROR),
        FindingKind("unclosed-heading", ERROR),
    ),
)
SECTION_3_3 = Rule(
    "3.3",
    "Form of topics.conf and queues.conf",
    "A line for each topic or queue: its name, then its properties.",
    (
        FindingKind("empty-name", ERROR),
        FindingKind("unclosed-bracket", ERROR),
    ),
)
SECTION_3_4 = Rule(
    "3.4",
    "Form of the other files",
    "How bridges, durables, factories, rights and groups are written.",
    (
        FindingKind("bridge-selector", ERROR),
        FindingKind("bridge-source", ERROR),
        FindingKind("cut-off", ERROR),
        FindingKind("missing-name", ERROR),
        FindingKind("duplicate-durable", WARNING),
    ),
)
SECTION_3_5 = Rule(
    "3.5",
    "Form of tibemsd.conf",
    "A property in each line; some name the other files.",
    (FindingKind("duplicate-parameter", WARNING),),
)
SECTION_3_6 = Rule(
    "3.6",
    "Form of tibemsd.json",
    "One JSON file holds what the others hold.",
    (
        FindingKind("missing-selector", ERROR),
        FindingKind("unknown-selector", ERROR),
        FindingKind("json-syntax", ERROR),
        FindingKind("duplicate-key", WARNING),
        FindingKind("missing-key", ERROR),
        FindingKind("not-an-array", ERROR),
        FindingKind("not-an-object", ERROR),
    ),
)
SECTION_3_7 = Rule(
    "3.7",
    "Administration commands",
    "A script for tibemsadmin is read command by command, and so is what `show` prints.",
    (
        FindingKind("property-removed", WARNING),
        FindingKind("route-deleted", WARNING),
        FindingKind("shell-script", WARNING),
        FindingKind("not-saved", WARNING),
        FindingKind("not-a-script", ERROR),
        FindingKind("output-not-read", INFO),
    ),
)
