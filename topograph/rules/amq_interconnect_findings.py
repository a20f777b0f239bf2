"""The rules of AMQ Interconnect that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

C_1 = Rule(
    "C-1",
    "Order of configuration",
    "Entries are applied by type in a fixed order, not in the order of the file.",
    (FindingKind("not-saved", WARNING),),
)
C_2 = Rule(
    "C-2",
    "The router does not start",
    "A wrong section, attribute or value makes the router refuse the whole file.",
    (
        FindingKind("name-of-another-type", WARNING),
        FindingKind("refused-but-runs", WARNING),
        FindingKind("link-to-stopped-router", WARNING),
        FindingKind(
            "unknown-attribute",
            ERROR,
            Remedy(
                "Correct the spelling of this attribute, or remove it.",
                "{server} does not run with what this entry says.",
            ),
        ),
        FindingKind("missing-attribute", ERROR),
        FindingKind("deprecated-attribute", INFO),
        FindingKind(
            "unknown-section",
            ERROR,
            Remedy(
                "Correct the spelling of this section, or remove it.",
                "{server} does not run with what this entry says.",
            ),
        ),
        FindingKind("both-spellings", ERROR),
        FindingKind("second-singleton", ERROR),
        FindingKind("duplicate-name", ERROR),
        FindingKind("invalid-router-id", ERROR),
        FindingKind("invalid-value", ERROR),
        FindingKind("extra-brace", ERROR),
        FindingKind("invalid-json", ERROR),
        FindingKind("map-on-one-line", ERROR),
        FindingKind("missing-brace", ERROR),
        FindingKind("not-a-section", ERROR),
        FindingKind("old-attribute", ERROR),
        FindingKind("old-role", ERROR),
        FindingKind("old-section", ERROR),
        FindingKind("outside-section", ERROR),
        FindingKind("section-on-one-line", ERROR),
        FindingKind("unreadable-line", ERROR),
        FindingKind("unreadable-value", ERROR),
    ),
)
C_3 = Rule(
    "C-3",
    "Roles by mode",
    (
        "An edge router has no inter-router links, and a standalone router has neither these "
        "nor edge links."
    ),
    (FindingKind("role-not-allowed", ERROR),),
)
C_4 = Rule(
    "C-4",
    "Starts although wrong",
    (
        "A cost below 1, a host that cannot be resolved or a port where nobody listens does not"
        " stop the router from starting."
    ),
    (
        FindingKind("link-cost-below-one", ERROR),
        FindingKind("cost-below-one", WARNING),
    ),
)
C_5 = Rule(
    "C-5",
    "Dropped silently",
    "Some wrong address entries are ignored without a line in the log.",
    (FindingKind("address-dropped", ERROR),),
)
C_6 = Rule(
    "C-6",
    "Dropped with a log line",
    "An entry with both or none of prefix and pattern, or a duplicate pattern, is ignored.",
    (
        FindingKind("address-dropped", ERROR),
        FindingKind("autolink-dropped", ERROR),
        FindingKind("linkroute-dropped", ERROR),
    ),
)
C_7 = Rule(
    "C-7",
    "Accepted but never active",
    "A link route or autolink without a connection that fits never becomes active.",
    (
        FindingKind("never-active", WARNING),
        FindingKind("autolink-never-active", ERROR),
        FindingKind("linkroute-never-active", ERROR),
    ),
)
A_3 = Rule(
    "A-3",
    "Prefix",
    "A prefix matches the address itself and all that lies below it.",
    (FindingKind("prefix-with-wildcard", WARNING),),
)
A_4 = Rule(
    "A-4",
    "Outer separators",
    "Separators at the ends of a prefix or pattern are ignored.",
    (FindingKind("outer-separators", INFO),),
)
A_5 = Rule(
    "A-5",
    "Equal patterns",
    "Patterns that differ only in the order of `#` and `*` are the same.",
    (FindingKind("pattern-rewritten", INFO),),
)
A_9 = Rule(
    "A-9",
    "Each router has its own table",
    "Every router treats an address by its own entries.",
    (
        FindingKind("in-use-keeps", WARNING),
        FindingKind("entry-not-everywhere", INFO),
    ),
)
A_11 = Rule(
    "A-11",
    "Routers that disagree",
    "If routers treat an address differently, each applies its own treatment to what passes it.",
    (
        FindingKind(
            "treatment-mismatch",
            WARNING,
            Remedy("Write the same distribution on all routers.", "How many get a message varies."),
        ),
    ),
)
A_14 = Rule(
    "A-14",
    "Shadowed entry",
    "An entry has no effect if others win for every address that it matches.",
    (FindingKind("redundant-entry", INFO),),
)
T_1 = Rule(
    "T-1",
    "Inter-router links",
    "Two interior routers are neighbours if a connector and a listener of role inter-router meet.",
    (
        FindingKind(
            "self-connection",
            ERROR,
            Remedy("Point the connector at another router.", "The connector joins nothing."),
        ),
        FindingKind("partition", WARNING),
    ),
)
T_2 = Rule(
    "T-2",
    "Roles do not match",
    (
        "If the roles of the two ends differ, the connection opens but the routers do not "
        "become neighbours."
    ),
    (
        FindingKind(
            "role-mismatch",
            ERROR,
            Remedy(
                "Set the same role at connector and listener.", "The two do not become neighbours."
            ),
        ),
    ),
)
T_3 = Rule(
    "T-3",
    "Cost of a link",
    "The cost of a link is the larger of the costs at its two ends.",
    (
        FindingKind("cost-mismatch", INFO),
        FindingKind("cost-without-effect", INFO),
    ),
)
T_4 = Rule(
    "T-4",
    "Cheapest path",
    "Every router computes the cheapest path to every other one.",
    (FindingKind("route-differs", WARNING),),
)
T_9 = Rule(
    "T-9",
    "Lost neighbour",
    "A neighbour is dropped when its connection closes, or when it has been silent too long.",
    (
        FindingKind("router-perhaps-gone", INFO),
        FindingKind("single-point-of-failure", INFO),
    ),
)
T_10 = Rule(
    "T-10",
    "Duplicate router id",
    "Two routers with one id do not connect, and the others see one that changes places.",
    (
        FindingKind("neighbour-of-same-id", ERROR),
        FindingKind(
            "duplicate-router-id",
            ERROR,
            Remedy(
                "Give each router an id of its own.",
                "Those with the same id do not connect to each other.",
            ),
        ),
        FindingKind("shared-id-template", INFO),
    ),
)
T_11 = Rule(
    "T-11",
    "Parallel links",
    (
        "Two links between the same two routers are not supported: which one carries messages "
        "changes."
    ),
    (FindingKind("parallel-links", ERROR),),
)
T_12 = Rule(
    "T-12",
    "At most 128 routers",
    "A network has at most 128 interior routers.",
    (FindingKind("too-many-routers", ERROR),),
)
T_13 = Rule(
    "T-13",
    "Where a connector leads",
    "A connector leads to the router that listens on its host and port.",
    (
        FindingKind("container-on-each-machine", INFO),
        FindingKind("listeners-at-one-port", ERROR),
        FindingKind("host-assumed", INFO),
        FindingKind(
            "unmatched-connector",
            WARNING,
            Remedy(
                "Import the files of the router it leads to, or map the host in topograph.yaml.",
                "What lies behind the connector is unknown.",
            ),
        ),
    ),
)
M_4 = Rule(
    "M-4",
    "Multicast",
    "Every receiver gets a copy, one copy per next router.",
    (
        FindingKind(
            "multicast-copies",
            WARNING,
            Remedy(
                "Update the routers, or remove a parallel path.",
                "Receivers can get a message more than once.",
            ),
        ),
    ),
)
W_3 = Rule(
    "W-3",
    "Through a broker",
    "A message goes from its sender to a broker, and from the broker to the receivers.",
    (
        FindingKind(
            "autolink-wrong-phase",
            WARNING,
            Remedy("Correct the phase of the autolink.", "It meets no senders or receivers."),
        ),
        FindingKind(
            "autolink-one-direction",
            WARNING,
            Remedy("Add the autolink of the other direction.", "Messages stay in the broker."),
        ),
        FindingKind(
            "waypoint-without-autolink",
            WARNING,
            Remedy("Add an autolink for the address.", "Senders get no credit."),
        ),
    ),
)
W_9 = Rule(
    "W-9",
    "Autolink without a waypoint",
    "Without a waypoint entry, what the broker sends back meets no receivers.",
    (
        FindingKind(
            "autolink-without-waypoint",
            WARNING,
            Remedy("Set waypoint on the address.", "What the broker sends back has no receiver."),
        ),
    ),
)
W_14 = Rule(
    "W-14",
    "Only one way to the broker",
    "While the only connection to a broker is down, its autolinks and link routes do not work.",
    (FindingKind("only-path-to-container", INFO),),
)
F_2 = Rule(
    "F-2",
    "Fallback is set per router",
    "Only routers whose entry enables fallback use it for their senders.",
    (
        FindingKind(
            "fallback-not-enabled",
            WARNING,
            Remedy("Set enableFallback at {server}.", "Its senders get no credit instead."),
        ),
    ),
)
F_6 = Rule(
    "F-6",
    "Fallback needs its own autolink",
    "Every address needs a fallback autolink of its own; one for a prefix does not cover it.",
    (
        FindingKind(
            "fallback-without-autolink",
            WARNING,
            Remedy("Add a fallback autolink.", "Messages without a receiver are not stored."),
        ),
    ),
)
L_1 = Rule(
    "L-1",
    "Link routes come first",
    (
        "If a link route matches an address, its clients are connected straight to the broker "
        "and address entries do not apply."
    ),
    (
        FindingKind("links-stay", WARNING),
        FindingKind("link-route-over-address", WARNING),
        FindingKind("link-route-over-autolink", WARNING),
    ),
)
L_4 = Rule(
    "L-4",
    "Link route that is down",
    (
        "While the broker is away, routers with the entry refuse the attach, and the others "
        "treat the address as an ordinary one."
    ),
    (
        FindingKind("link-route-not-everywhere", INFO),
        FindingKind("linkroute-never-active", INFO),
    ),
)
L_6 = Rule(
    "L-6",
    "One direction only",
    "A link route for one direction leaves the other to ordinary addresses.",
    (FindingKind("link-route-one-direction", INFO),),
)
L_9 = Rule(
    "L-9",
    "Transactions",
    "A link route for `$coordinator` carries transactions, for one broker only.",
    (FindingKind("coordinator-several-containers", ERROR),),
)
E_1 = Rule(
    "E-1",
    "One active uplink",
    "An edge router uses one connection to an interior router; others wait to take over.",
    (
        FindingKind("several-uplinks", INFO),
        FindingKind("edge-connector-not-on-edge", WARNING),
    ),
)
E_7 = Rule(
    "E-7",
    "Lost uplink",
    "Without its uplink an edge router serves only its own clients.",
    (FindingKind("edge-with-one-uplink", INFO),),
)
D_1 = Rule(
    "D-1",
    "Recorded state",
    "A dump of `qdmanage query` is a list of what the router runs with.",
    (
        FindingKind("several-dumps", INFO),
        FindingKind("invalid-value", WARNING),
        FindingKind("dumped-twice", INFO),
        FindingKind("empty-dump", WARNING),
        FindingKind("invalid-json", ERROR),
        FindingKind("nested-too-deeply", ERROR),
        FindingKind("not-a-dump", ERROR),
        FindingKind("not-an-entity", WARNING),
        FindingKind("router-not-named", WARNING),
        FindingKind("unknown-entity", INFO),
    ),
)
D_2 = Rule(
    "D-2",
    "Names in a dump",
    "Some attributes have another name in a dump than in a file.",
    (
        FindingKind("differs", WARNING),
        FindingKind("not-configured", WARNING),
        FindingKind("configuration-from-dump", INFO),
        FindingKind("not-running", WARNING),
    ),
)
D_3 = Rule(
    "D-3",
    "Neighbours in a dump",
    "A recorded link counts only if both sides list each other.",
    (
        FindingKind("router-not-loaded", WARNING),
        FindingKind("router-not-running", WARNING),
        FindingKind("link-not-up", WARNING),
        FindingKind("link-not-configured", WARNING),
        FindingKind("runs-otherwise", WARNING),
        FindingKind("neighbours-disagree", WARNING),
    ),
)
D_6 = Rule(
    "D-6",
    "State of links in a dump",
    "A dump shows whether autolinks, link routes and connections work.",
    (
        FindingKind("connector-not-connected", WARNING),
        FindingKind("autolink-not-active", WARNING),
        FindingKind("linkroute-not-active", WARNING),
    ),
)
SECTION_1_1 = Rule(
    "1.1",
    "Routers",
    "A router has one id, which no other router of the network has.",
    (FindingKind("no-router-id", INFO),),
)
SECTION_1_2 = Rule(
    "1.2",
    "Listeners and connectors",
    "What a router listens on, and what it connects to.",
    (
        FindingKind("port-taken", WARNING),
        FindingKind("connections-stay", WARNING),
    ),
)
SECTION_1_3 = Rule(
    "1.3",
    "Addresses",
    "How an address entry is named, and which addresses it matches.",
    (FindingKind("name-in-files-only", WARNING),),
)
SECTION_1_8 = Rule(
    "1.8",
    "Versions",
    "Which version of the router knows which entity and attribute.",
    (
        FindingKind("skupper-only", WARNING),
        FindingKind("skupper-section", INFO),
        FindingKind("skupper-attribute", INFO),
        FindingKind("skupper-role", INFO),
    ),
)
SECTION_3_1 = Rule(
    "3.1",
    "Form of the configuration file",
    "Entities, each with a block of attributes.",
    (
        FindingKind("repeated-attribute", WARNING),
        FindingKind("cut-by-comment", WARNING),
        FindingKind("nested-too-deeply", WARNING),
    ),
)
SECTION_3_3 = Rule(
    "3.3",
    "Other carriers",
    "Configuration in ConfigMaps and in the resources of operators.",
    (
        FindingKind("filled-in-at-start", INFO),
        FindingKind("router-not-told", INFO),
        FindingKind("router-id-template", WARNING),
        FindingKind("resource-assumed", WARNING),
        FindingKind("operator-defaults", INFO),
        FindingKind("no-configuration", WARNING),
        FindingKind(
            "unknown-attribute",
            WARNING,
            Remedy(
                "Correct the spelling of this attribute, or remove it.",
                "{server} does not run with what this entry says.",
            ),
        ),
        FindingKind(
            "unknown-section",
            WARNING,
            Remedy(
                "Correct the spelling of this section, or remove it.",
                "{server} does not run with what this entry says.",
            ),
        ),
    ),
)
SECTION_3_4 = Rule(
    "3.4",
    "Management dumps and commands",
    "What qdmanage prints, and the commands that are given to it.",
    (FindingKind("not-a-script", ERROR),),
)
SECTION_3_5 = Rule(
    "3.5",
    "Output of qdstat",
    "Tables of what runs.",
    (
        FindingKind("perhaps-cut", WARNING),
        FindingKind("router-not-named", WARNING),
        FindingKind("table-not-read", INFO),
        FindingKind("unknown-column", INFO),
        FindingKind("unreadable-line", WARNING),
        FindingKind("unreadable-row", WARNING),
    ),
)
