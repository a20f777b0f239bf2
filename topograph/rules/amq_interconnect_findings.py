"""The rules of AMQ Interconnect that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO
STOPS, OPENS, WALKED = Bearing("stops"), Bearing("opens"), Bearing("walked")
OF_A_COMMAND = Bearing(
    "nothing", "it is about a command: what that does to the routers is what an audit compares"
)
BESIDE_THE_FILES = Bearing(
    "nothing", "answers follow the files; the dump shows what ran at another moment"
)
NOTHING_READ = Bearing("nothing", "nothing of the file is read: it does not define a server")
LEFT_OUT = Bearing(
    "nothing", "one value or row is left out, and the router is as the rest of its files show it"
)

NOT_SAVED = FindingKind("not-saved", WARNING, None, "server", OF_A_COMMAND)
C_1 = Rule(
    "C-1",
    "Order of configuration",
    "Entries are applied by type in a fixed order, not in the order of the file.",
    (NOT_SAVED,),
)
NAME_OF_ANOTHER_TYPE = FindingKind("name-of-another-type", WARNING, None, "server", OF_A_COMMAND)
REFUSED_BUT_RUNS = FindingKind("refused-but-runs", WARNING, None, "server", BESIDE_THE_FILES)
LINK_TO_STOPPED_ROUTER = FindingKind("link-to-stopped-router", WARNING, None, "link", STOPS)
UNKNOWN_ATTRIBUTE = FindingKind(
    "unknown-attribute",
    ERROR,
    Remedy(
        "Correct the spelling of this attribute, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    "server",
    STOPS,
)
MISSING_ATTRIBUTE = FindingKind("missing-attribute", ERROR, None, "server", STOPS)
DEPRECATED_ATTRIBUTE = FindingKind("deprecated-attribute", INFO)
UNKNOWN_SECTION = FindingKind(
    "unknown-section",
    ERROR,
    Remedy(
        "Correct the spelling of this section, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    "server",
    STOPS,
)
BOTH_SPELLINGS = FindingKind("both-spellings", ERROR, None, "server", STOPS)
SECOND_SINGLETON = FindingKind("second-singleton", ERROR, None, "server", STOPS)
DUPLICATE_NAME = FindingKind("duplicate-name", ERROR, None, "server", STOPS)
INVALID_ROUTER_ID = FindingKind("invalid-router-id", ERROR, None, "server", STOPS)
INVALID_VALUE = FindingKind("invalid-value", ERROR, None, "server", STOPS)
PLAIN_MAP = FindingKind("plain-map", WARNING, None, "server", WALKED)
EXTRA_BRACE = FindingKind("extra-brace", ERROR, None, "server", STOPS)
INVALID_JSON = FindingKind("invalid-json", ERROR, None, "server", STOPS)
MAP_ON_ONE_LINE = FindingKind("map-on-one-line", ERROR, None, "server", STOPS)
MISSING_BRACE = FindingKind("missing-brace", ERROR, None, "server", STOPS)
NOT_A_SECTION = FindingKind("not-a-section", ERROR, None, "server", STOPS)
OLD_ATTRIBUTE = FindingKind("old-attribute", ERROR, None, "server", WALKED)
OLD_ROLE = FindingKind("old-role", ERROR, None, "server", WALKED)
OLD_SECTION = FindingKind("old-section", ERROR, None, "server", WALKED)
OUTSIDE_SECTION = FindingKind("outside-section", ERROR, None, "server", STOPS)
SECTION_ON_ONE_LINE = FindingKind("section-on-one-line", ERROR, None, "server", STOPS)
UNREADABLE_LINE = FindingKind("unreadable-line", ERROR, None, "server", STOPS)
UNREADABLE_VALUE = FindingKind("unreadable-value", ERROR, None, "server", STOPS)
C_2 = Rule(
    "C-2",
    "The router does not start",
    "A wrong section, attribute or value makes the router refuse the whole file.",
    (
        NAME_OF_ANOTHER_TYPE,
        REFUSED_BUT_RUNS,
        LINK_TO_STOPPED_ROUTER,
        UNKNOWN_ATTRIBUTE,
        MISSING_ATTRIBUTE,
        DEPRECATED_ATTRIBUTE,
        UNKNOWN_SECTION,
        BOTH_SPELLINGS,
        SECOND_SINGLETON,
        DUPLICATE_NAME,
        INVALID_ROUTER_ID,
        INVALID_VALUE,
        EXTRA_BRACE,
        INVALID_JSON,
        MAP_ON_ONE_LINE,
        MISSING_BRACE,
        NOT_A_SECTION,
        OLD_ATTRIBUTE,
        OLD_ROLE,
        OLD_SECTION,
        OUTSIDE_SECTION,
        PLAIN_MAP,
        SECTION_ON_ONE_LINE,
        UNREADABLE_LINE,
        UNREADABLE_VALUE,
    ),
)
ROLE_NOT_ALLOWED = FindingKind("role-not-allowed", ERROR, None, "server", STOPS)
C_3 = Rule(
    "C-3",
    "Roles by mode",
    (
        "An edge router has no inter-router links, and a standalone router has neither these "
        "nor edge links."
    ),
    (ROLE_NOT_ALLOWED,),
)
LINK_COST_BELOW_ONE = FindingKind("link-cost-below-one", ERROR, None, "link", STOPS)
COST_BELOW_ONE = FindingKind("cost-below-one", WARNING, None, "link", WALKED)
C_4 = Rule(
    "C-4",
    "Starts although wrong",
    (
        "A cost below 1, a host that cannot be resolved or a port where nobody listens does not"
        " stop the router from starting."
    ),
    (
        LINK_COST_BELOW_ONE,
        COST_BELOW_ONE,
    ),
)
ADDRESS_DROPPED = FindingKind("address-dropped", ERROR, None, "destination", WALKED)
C_5 = Rule(
    "C-5",
    "Dropped silently",
    "Some wrong address entries are ignored without a line in the log.",
    (ADDRESS_DROPPED,),
)
AUTOLINK_DROPPED = FindingKind("autolink-dropped", ERROR, None, "destination", WALKED)
LINKROUTE_DROPPED = FindingKind("linkroute-dropped", ERROR, None, "destination", WALKED)
C_6 = Rule(
    "C-6",
    "Dropped with a log line",
    "An entry with both or none of prefix and pattern, or a duplicate pattern, is ignored.",
    (
        ADDRESS_DROPPED,
        AUTOLINK_DROPPED,
        LINKROUTE_DROPPED,
    ),
)
NEVER_ACTIVE = FindingKind("never-active", WARNING, None, "server", OF_A_COMMAND)
AUTOLINK_NEVER_ACTIVE = FindingKind("autolink-never-active", ERROR, None, "destination", WALKED)
LINKROUTE_NEVER_ACTIVE = FindingKind("linkroute-never-active", ERROR, None, "destination", WALKED)
C_7 = Rule(
    "C-7",
    "Accepted but never active",
    "A link route or autolink without a connection that fits never becomes active.",
    (
        NEVER_ACTIVE,
        AUTOLINK_NEVER_ACTIVE,
        LINKROUTE_NEVER_ACTIVE,
    ),
)
PREFIX_WITH_WILDCARD = FindingKind("prefix-with-wildcard", WARNING, None, "destination", WALKED)
A_3 = Rule(
    "A-3",
    "Prefix",
    "A prefix matches the address itself and all that lies below it.",
    (PREFIX_WITH_WILDCARD,),
)
OUTER_SEPARATORS = FindingKind("outer-separators", INFO)
A_4 = Rule(
    "A-4",
    "Outer separators",
    "Separators at the ends of a prefix or pattern are ignored.",
    (OUTER_SEPARATORS,),
)
PATTERN_REWRITTEN = FindingKind("pattern-rewritten", INFO)
A_5 = Rule(
    "A-5",
    "Equal patterns",
    "Patterns that differ only in the order of `#` and `*` are the same.",
    (PATTERN_REWRITTEN,),
)
IN_USE_KEEPS = FindingKind("in-use-keeps", WARNING, None, "server", OF_A_COMMAND)
ENTRY_NOT_EVERYWHERE = FindingKind("entry-not-everywhere", INFO)
A_9 = Rule(
    "A-9",
    "Each router has its own table",
    "Every router treats an address by its own entries.",
    (
        IN_USE_KEEPS,
        ENTRY_NOT_EVERYWHERE,
    ),
)
TREATMENT_MISMATCH = FindingKind(
    "treatment-mismatch",
    WARNING,
    Remedy("Write the same distribution on all routers.", "How many get a message varies."),
    "destination",
    WALKED,
)
A_11 = Rule(
    "A-11",
    "Routers that disagree",
    "If routers treat an address differently, each applies its own treatment to what passes it.",
    (TREATMENT_MISMATCH,),
)
REDUNDANT_ENTRY = FindingKind("redundant-entry", INFO)
A_14 = Rule(
    "A-14",
    "Shadowed entry",
    "An entry has no effect if others win for every address that it matches.",
    (REDUNDANT_ENTRY,),
)
SELF_CONNECTION = FindingKind(
    "self-connection",
    ERROR,
    Remedy("Point the connector at another router.", "The connector joins nothing."),
    "link",
    STOPS,
)
PARTITION = FindingKind("partition", WARNING, None, "server", WALKED)
T_1 = Rule(
    "T-1",
    "Inter-router links",
    "Two interior routers are neighbours if a connector and a listener of role inter-router meet.",
    (
        SELF_CONNECTION,
        PARTITION,
    ),
)
ROLE_MISMATCH = FindingKind(
    "role-mismatch",
    ERROR,
    Remedy("Set the same role at connector and listener.", "The two do not become neighbours."),
    "link",
    STOPS,
)
T_2 = Rule(
    "T-2",
    "Roles do not match",
    (
        "If the roles of the two ends differ, the connection opens but the routers do not "
        "become neighbours."
    ),
    (ROLE_MISMATCH,),
)
COST_MISMATCH = FindingKind("cost-mismatch", INFO)
COST_WITHOUT_EFFECT = FindingKind("cost-without-effect", INFO)
T_3 = Rule(
    "T-3",
    "Cost of a link",
    "The cost of a link is the larger of the costs at its two ends.",
    (
        COST_MISMATCH,
        COST_WITHOUT_EFFECT,
    ),
)
ROUTE_DIFFERS = FindingKind("route-differs", WARNING, None, "server", BESIDE_THE_FILES)
T_4 = Rule(
    "T-4",
    "Cheapest path",
    "Every router computes the cheapest path to every other one.",
    (ROUTE_DIFFERS,),
)
ROUTER_PERHAPS_GONE = FindingKind("router-perhaps-gone", INFO)
SINGLE_POINT_OF_FAILURE = FindingKind("single-point-of-failure", INFO)
T_9 = Rule(
    "T-9",
    "Lost neighbour",
    "A neighbour is dropped when its connection closes, or when it has been silent too long.",
    (
        ROUTER_PERHAPS_GONE,
        SINGLE_POINT_OF_FAILURE,
    ),
)
NEIGHBOUR_OF_SAME_ID = FindingKind("neighbour-of-same-id", ERROR, None, "link", STOPS)
DUPLICATE_ROUTER_ID = FindingKind(
    "duplicate-router-id",
    ERROR,
    Remedy(
        "Give each router a unique id.",
        "Those with the same id do not connect to each other.",
    ),
    "server",
    OPENS,
)
SHARED_ID_TEMPLATE = FindingKind("shared-id-template", INFO)
T_10 = Rule(
    "T-10",
    "Duplicate router id",
    "Two routers with one id do not connect, and the others see one that changes places.",
    (
        NEIGHBOUR_OF_SAME_ID,
        DUPLICATE_ROUTER_ID,
        SHARED_ID_TEMPLATE,
    ),
)
PARALLEL_LINKS = FindingKind("parallel-links", ERROR, None, "link", WALKED)
T_11 = Rule(
    "T-11",
    "Parallel links",
    (
        "Two links between the same two routers are not supported: which one carries messages "
        "changes."
    ),
    (PARALLEL_LINKS,),
)
TOO_MANY_ROUTERS = FindingKind("too-many-routers", ERROR, None, "link", WALKED)
T_12 = Rule(
    "T-12",
    "At most 128 routers",
    "A network has at most 128 interior routers.",
    (TOO_MANY_ROUTERS,),
)
CONTAINER_ON_EACH_MACHINE = FindingKind("container-on-each-machine", INFO)
LISTENERS_AT_ONE_PORT = FindingKind("listeners-at-one-port", ERROR, None, "link", WALKED)
HOST_ASSUMED = FindingKind("host-assumed", INFO)
UNMATCHED_CONNECTOR = FindingKind(
    "unmatched-connector",
    WARNING,
    Remedy(
        "Import the files of the router it leads to, or map the host in topograph.yaml.",
        "The routers or brokers behind the connector are unknown.",
    ),
    "link",
    OPENS,
)
T_13 = Rule(
    "T-13",
    "Where a connector leads",
    "A connector leads to the router that listens on its host and port.",
    (
        CONTAINER_ON_EACH_MACHINE,
        LISTENERS_AT_ONE_PORT,
        HOST_ASSUMED,
        UNMATCHED_CONNECTOR,
    ),
)
SASL_MECHANISMS_DISJOINT = FindingKind(
    "sasl-mechanisms-disjoint",
    ERROR,
    Remedy(
        "Set saslMechanisms at both ends to a mechanism that both have.",
        "The connection does not open, so that the two routers do not become neighbours.",
    ),
    "link",
    STOPS,
)
TLS_REQUIRED = FindingKind(
    "tls-required",
    ERROR,
    Remedy(
        "Give the connector an sslProfile.",
        "The connection does not open, so that the two routers do not become neighbours.",
    ),
    "link",
    STOPS,
)
TLS_NOT_OFFERED = FindingKind(
    "tls-not-offered",
    ERROR,
    Remedy(
        "Give the listener an sslProfile, or take the connector's away.",
        "The connection does not open, so that the two routers do not become neighbours.",
    ),
    "link",
    STOPS,
)
ENCRYPTION_REQUIRED = FindingKind(
    "encryption-required",
    ERROR,
    Remedy(
        "Give the connector an sslProfile.",
        "The connection does not open, so that the two routers do not become neighbours.",
    ),
    "link",
    STOPS,
)
ENCRYPTION_UNDECIDED = FindingKind("encryption-undecided", WARNING, None, "link", OPENS)
EXTERNAL_WITHOUT_TLS = FindingKind("external-without-tls", WARNING, None, "link", OPENS)
ANONYMOUS_WITH_AUTHENTICATION = FindingKind(
    "anonymous-with-authentication", WARNING, None, "link", OPENS
)
SSL_PROFILE_UNDEFINED = FindingKind(
    "ssl-profile-undefined",
    ERROR,
    Remedy(
        "Define the sslProfile, or correct its name.",
        "Skupper Router does not start; other routers have no certificate there.",
    ),
    "server",
    WALKED,
)
SSL_PROFILE_UNDECIDED = FindingKind("ssl-profile-undecided", WARNING, None, "link", OPENS)
T_14 = Rule(
    "T-14",
    "Connections that do not open",
    ("A connection opens only if its two ends have a SASL mechanism in common and agree on TLS."),
    (
        SASL_MECHANISMS_DISJOINT,
        TLS_REQUIRED,
        TLS_NOT_OFFERED,
        ENCRYPTION_REQUIRED,
        ENCRYPTION_UNDECIDED,
        EXTERNAL_WITHOUT_TLS,
        ANONYMOUS_WITH_AUTHENTICATION,
        SSL_PROFILE_UNDECIDED,
        SSL_PROFILE_UNDEFINED,
    ),
)
MULTICAST_COPIES = FindingKind(
    "multicast-copies",
    WARNING,
    Remedy(
        "Update the routers, or remove a parallel path.",
        "Receivers can get a message more than once.",
    ),
    "destination",
    WALKED,
)
M_4 = Rule(
    "M-4",
    "Multicast",
    "Every receiver gets a copy, one copy per next router.",
    (MULTICAST_COPIES,),
)
AUTOLINK_WRONG_PHASE = FindingKind(
    "autolink-wrong-phase",
    WARNING,
    Remedy("Correct the phase of the autolink.", "It meets no senders or receivers."),
    "destination",
    WALKED,
)
AUTOLINK_ONE_DIRECTION = FindingKind(
    "autolink-one-direction",
    WARNING,
    Remedy("Add the autolink of the other direction.", "Messages stay in the broker."),
    "destination",
    WALKED,
)
WAYPOINT_WITHOUT_AUTOLINK = FindingKind(
    "waypoint-without-autolink",
    WARNING,
    Remedy("Add an autolink for the address.", "Senders get no credit."),
    "destination",
    WALKED,
)
W_3 = Rule(
    "W-3",
    "Through a broker",
    "A message goes from its sender to a broker, and from the broker to the receivers.",
    (
        AUTOLINK_WRONG_PHASE,
        AUTOLINK_ONE_DIRECTION,
        WAYPOINT_WITHOUT_AUTOLINK,
    ),
)
AUTOLINK_WITHOUT_WAYPOINT = FindingKind(
    "autolink-without-waypoint",
    WARNING,
    Remedy("Set waypoint on the address.", "What the broker sends back has no receiver."),
    "destination",
    WALKED,
)
W_9 = Rule(
    "W-9",
    "Autolink without a waypoint",
    "Without a waypoint entry, what the broker sends back meets no receivers.",
    (AUTOLINK_WITHOUT_WAYPOINT,),
)
ONLY_PATH_TO_CONTAINER = FindingKind("only-path-to-container", INFO)
W_14 = Rule(
    "W-14",
    "Only one way to the broker",
    "While the only connection to a broker is down, its autolinks and link routes do not work.",
    (ONLY_PATH_TO_CONTAINER,),
)
FALLBACK_NOT_ENABLED = FindingKind(
    "fallback-not-enabled",
    WARNING,
    Remedy("Set enableFallback at {server}.", "Its senders get no credit instead."),
    "destination",
    WALKED,
)
F_2 = Rule(
    "F-2",
    "Fallback is set per router",
    "Only routers whose entry enables fallback use it for their senders.",
    (FALLBACK_NOT_ENABLED,),
)
FALLBACK_WITHOUT_AUTOLINK = FindingKind(
    "fallback-without-autolink",
    WARNING,
    Remedy("Add a fallback autolink.", "Messages without a receiver are not stored."),
    "destination",
    WALKED,
)
F_6 = Rule(
    "F-6",
    "Fallback needs its own autolink",
    "Every address needs its own fallback autolink; one for a prefix does not cover it.",
    (FALLBACK_WITHOUT_AUTOLINK,),
)
LINKS_STAY = FindingKind("links-stay", WARNING, None, "server", OF_A_COMMAND)
LINK_ROUTE_OVER_ADDRESS = FindingKind(
    "link-route-over-address", WARNING, None, "destination", WALKED
)
LINK_ROUTE_OVER_AUTOLINK = FindingKind(
    "link-route-over-autolink", WARNING, None, "destination", WALKED
)
L_1 = Rule(
    "L-1",
    "Link routes come first",
    (
        "If a link route matches an address, its clients are connected straight to the broker "
        "and address entries do not apply."
    ),
    (
        LINKS_STAY,
        LINK_ROUTE_OVER_ADDRESS,
        LINK_ROUTE_OVER_AUTOLINK,
    ),
)
LINKROUTE_NEVER_ACTIVE_L_4 = FindingKind("linkroute-never-active", INFO)
LINK_ROUTE_NOT_EVERYWHERE = FindingKind("link-route-not-everywhere", INFO)
L_4 = Rule(
    "L-4",
    "Link route that is down",
    (
        "While the broker is away, routers with the entry refuse the attach, and the others "
        "treat the address as an ordinary one."
    ),
    (
        LINK_ROUTE_NOT_EVERYWHERE,
        LINKROUTE_NEVER_ACTIVE_L_4,
    ),
)
LINK_ROUTE_ONE_DIRECTION = FindingKind("link-route-one-direction", INFO)
L_6 = Rule(
    "L-6",
    "One direction only",
    "A link route for one direction leaves the other to ordinary addresses.",
    (LINK_ROUTE_ONE_DIRECTION,),
)
COORDINATOR_SEVERAL_CONTAINERS = FindingKind(
    "coordinator-several-containers",
    ERROR,
    None,
    "client",
    Bearing("nothing", "transactions are not followed: a message is sent without one"),
)
L_9 = Rule(
    "L-9",
    "Transactions",
    "A link route for `$coordinator` carries transactions, for one broker only.",
    (COORDINATOR_SEVERAL_CONTAINERS,),
)
SEVERAL_UPLINKS = FindingKind("several-uplinks", INFO)
EDGE_CONNECTOR_NOT_ON_EDGE = FindingKind("edge-connector-not-on-edge", WARNING, None, "link", STOPS)
E_1 = Rule(
    "E-1",
    "One active uplink",
    "An edge router uses one connection to an interior router; others wait to take over.",
    (
        SEVERAL_UPLINKS,
        EDGE_CONNECTOR_NOT_ON_EDGE,
    ),
)
EDGE_WITH_ONE_UPLINK = FindingKind("edge-with-one-uplink", INFO)
E_7 = Rule(
    "E-7",
    "Lost uplink",
    "Without its uplink an edge router serves only its own clients.",
    (EDGE_WITH_ONE_UPLINK,),
)
INVALID_VALUE_D_1 = FindingKind("invalid-value", WARNING, None, "server", LEFT_OUT)
SEVERAL_DUMPS = FindingKind("several-dumps", INFO)
DUMPED_TWICE = FindingKind("dumped-twice", INFO)
EMPTY_DUMP = FindingKind("empty-dump", WARNING, None, "server", NOTHING_READ)
INVALID_JSON_D_1 = FindingKind("invalid-json", ERROR, None, "server", OPENS)
NESTED_TOO_DEEPLY = FindingKind("nested-too-deeply", ERROR, None, "server", OPENS)
NOT_A_DUMP = FindingKind("not-a-dump", ERROR, None, "server", NOTHING_READ)
NOT_AN_ENTITY = FindingKind("not-an-entity", WARNING, None, "server", OPENS)
ROUTER_NOT_NAMED = FindingKind("router-not-named", WARNING, None, "server", NOTHING_READ)
UNKNOWN_ENTITY = FindingKind("unknown-entity", INFO)
D_1 = Rule(
    "D-1",
    "Recorded state",
    "A dump of `qdmanage query` is a list of what the router runs with.",
    (
        SEVERAL_DUMPS,
        INVALID_VALUE_D_1,
        DUMPED_TWICE,
        EMPTY_DUMP,
        INVALID_JSON_D_1,
        NESTED_TOO_DEEPLY,
        NOT_A_DUMP,
        NOT_AN_ENTITY,
        ROUTER_NOT_NAMED,
        UNKNOWN_ENTITY,
    ),
)
DIFFERS = FindingKind("differs", WARNING, None, "server", BESIDE_THE_FILES)
NOT_CONFIGURED = FindingKind("not-configured", WARNING, None, "server", BESIDE_THE_FILES)
CONFIGURATION_FROM_DUMP = FindingKind("configuration-from-dump", INFO)
NOT_RUNNING = FindingKind("not-running", WARNING, None, "server", BESIDE_THE_FILES)
D_2 = Rule(
    "D-2",
    "Names in a dump",
    "Some attributes have another name in a dump than in a file.",
    (
        DIFFERS,
        NOT_CONFIGURED,
        CONFIGURATION_FROM_DUMP,
        NOT_RUNNING,
    ),
)
ROUTER_NOT_LOADED = FindingKind("router-not-loaded", WARNING, None, "link", OPENS)
ROUTER_NOT_RUNNING = FindingKind("router-not-running", WARNING, None, "server", BESIDE_THE_FILES)
LINK_NOT_UP = FindingKind("link-not-up", WARNING, None, "link", WALKED)
LINK_NOT_CONFIGURED = FindingKind("link-not-configured", WARNING, None, "link", BESIDE_THE_FILES)
RUNS_OTHERWISE = FindingKind("runs-otherwise", WARNING, None, "link", OPENS)
NEIGHBOURS_DISAGREE = FindingKind("neighbours-disagree", WARNING, None, "link", STOPS)
D_3 = Rule(
    "D-3",
    "Neighbours in a dump",
    "A recorded link counts only if both sides list each other.",
    (
        ROUTER_NOT_LOADED,
        ROUTER_NOT_RUNNING,
        LINK_NOT_UP,
        LINK_NOT_CONFIGURED,
        RUNS_OTHERWISE,
        NEIGHBOURS_DISAGREE,
    ),
)
CONNECTOR_NOT_CONNECTED = FindingKind(
    "connector-not-connected", WARNING, None, "link", BESIDE_THE_FILES
)
AUTOLINK_NOT_ACTIVE = FindingKind("autolink-not-active", WARNING, None, "link", BESIDE_THE_FILES)
LINKROUTE_NOT_ACTIVE = FindingKind(
    "linkroute-not-active", WARNING, None, "server", BESIDE_THE_FILES
)
TCP_LISTENER_DOWN = FindingKind("tcp-listener-down", WARNING, None, "destination", BESIDE_THE_FILES)
D_6 = Rule(
    "D-6",
    "State of links in a dump",
    "A dump shows whether autolinks, link routes and connections work.",
    (
        CONNECTOR_NOT_CONNECTED,
        AUTOLINK_NOT_ACTIVE,
        LINKROUTE_NOT_ACTIVE,
        TCP_LISTENER_DOWN,
    ),
)
NO_ROUTER_ID = FindingKind("no-router-id", INFO)
SECTION_1_1 = Rule(
    "1.1",
    "Routers",
    "A router has one id, which no other router of the network has.",
    (NO_ROUTER_ID,),
)
PORT_TAKEN = FindingKind("port-taken", WARNING, None, "server", OF_A_COMMAND)
CONNECTIONS_STAY = FindingKind("connections-stay", WARNING, None, "server", OF_A_COMMAND)
SECTION_1_2 = Rule(
    "1.2",
    "Listeners and connectors",
    "What a router listens on, and what it connects to.",
    (
        PORT_TAKEN,
        CONNECTIONS_STAY,
    ),
)
NAME_IN_FILES_ONLY = FindingKind("name-in-files-only", WARNING, None, "server", OF_A_COMMAND)
SECTION_1_3 = Rule(
    "1.3",
    "Addresses",
    "How an address entry is named, and which addresses it matches.",
    (NAME_IN_FILES_ONLY,),
)
SKUPPER_ONLY = FindingKind("skupper-only", WARNING, None, "server", OF_A_COMMAND)
SKUPPER_SECTION = FindingKind("skupper-section", INFO)
SKUPPER_ATTRIBUTE = FindingKind("skupper-attribute", INFO)
SKUPPER_ROLE = FindingKind("skupper-role", INFO)
SECTION_1_8 = Rule(
    "1.8",
    "Versions",
    "Which version of the router knows which entity and attribute.",
    (
        SKUPPER_ONLY,
        SKUPPER_SECTION,
        SKUPPER_ATTRIBUTE,
        SKUPPER_ROLE,
    ),
)
NESTED_TOO_DEEPLY_3_1 = FindingKind("nested-too-deeply", WARNING, None, "server", LEFT_OUT)
REPEATED_ATTRIBUTE = FindingKind("repeated-attribute", WARNING, None, "destination", WALKED)
CUT_BY_COMMENT = FindingKind("cut-by-comment", WARNING, None, "destination", WALKED)
SECTION_3_1 = Rule(
    "3.1",
    "Form of the configuration file",
    "Entities, each with a block of attributes.",
    (
        REPEATED_ATTRIBUTE,
        CUT_BY_COMMENT,
        NESTED_TOO_DEEPLY_3_1,
    ),
)
UNKNOWN_ATTRIBUTE_3_3 = FindingKind(
    "unknown-attribute",
    WARNING,
    Remedy(
        "Correct the spelling of this attribute, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    "server",
    LEFT_OUT,
)
UNKNOWN_SECTION_3_3 = FindingKind(
    "unknown-section",
    WARNING,
    Remedy(
        "Correct the spelling of this section, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    "server",
    LEFT_OUT,
)
FILLED_IN_AT_START = FindingKind("filled-in-at-start", INFO)
ROUTER_NOT_TOLD = FindingKind("router-not-told", INFO)
ROUTER_ID_TEMPLATE = FindingKind("router-id-template", WARNING, None, "server", WALKED)
RESOURCE_ASSUMED = FindingKind("resource-assumed", WARNING, None, "server", WALKED)
OPERATOR_DEFAULTS = FindingKind("operator-defaults", INFO)
NO_CONFIGURATION = FindingKind("no-configuration", WARNING, None, "server", NOTHING_READ)
SECTION_3_3 = Rule(
    "3.3",
    "Other carriers",
    "Configuration in ConfigMaps and in the resources of operators.",
    (
        FILLED_IN_AT_START,
        ROUTER_NOT_TOLD,
        ROUTER_ID_TEMPLATE,
        RESOURCE_ASSUMED,
        OPERATOR_DEFAULTS,
        NO_CONFIGURATION,
        UNKNOWN_ATTRIBUTE_3_3,
        UNKNOWN_SECTION_3_3,
    ),
)
NOT_A_SCRIPT = FindingKind("not-a-script", ERROR, None, "server", OF_A_COMMAND)
SECTION_3_4 = Rule(
    "3.4",
    "Management dumps and commands",
    "What qdmanage prints, and the commands that are given to it.",
    (NOT_A_SCRIPT,),
)
SITE_ASSUMED = FindingKind("site-assumed", INFO, None, "server", WALKED)
SITE_NOT_LOADED = FindingKind("site-not-loaded", WARNING, None, "server", NOTHING_READ)
CONNECTOR_NOT_LOADED = FindingKind("connector-not-loaded", WARNING, None, "server", WALKED)
UNKNOWN_FIELD = FindingKind(
    "unknown-field",
    WARNING,
    Remedy(
        "Correct the spelling of this field, or remove it.",
        "{server} does not run with what this field says.",
    ),
    "server",
    LEFT_OUT,
)
WITHOUT_EFFECT = FindingKind("without-effect", WARNING, None, "server", LEFT_OUT)
NOT_READY = FindingKind("not-ready", WARNING, None, "server", BESIDE_THE_FILES)
RESOURCE_TWICE = FindingKind("resource-twice", INFO)
STATUS_UNREADABLE = FindingKind("status-unreadable", ERROR, None, "server", NOTHING_READ)
SECTION_3_6 = Rule(
    "3.6",
    "Resources of Skupper",
    "Sites, links, listeners and connectors, of which a controller makes routers.",
    (
        SITE_ASSUMED,
        SITE_NOT_LOADED,
        CONNECTOR_NOT_LOADED,
        UNKNOWN_FIELD,
        WITHOUT_EFFECT,
        NOT_READY,
        RESOURCE_TWICE,
        STATUS_UNREADABLE,
    ),
)
UNREADABLE_LINE_3_5 = FindingKind("unreadable-line", WARNING, None, "server", LEFT_OUT)
PERHAPS_CUT = FindingKind("perhaps-cut", WARNING, None, "server", LEFT_OUT)
TABLE_NOT_READ = FindingKind("table-not-read", INFO)
UNKNOWN_COLUMN = FindingKind("unknown-column", INFO)
UNREADABLE_ROW = FindingKind("unreadable-row", WARNING, None, "server", LEFT_OUT)
UNKNOWN_ROW = FindingKind("unknown-row", INFO)
SECTION_3_5 = Rule(
    "3.5",
    "Output of qdstat",
    "Tables of what runs.",
    (
        PERHAPS_CUT,
        ROUTER_NOT_NAMED,
        TABLE_NOT_READ,
        UNKNOWN_ROW,
        UNKNOWN_COLUMN,
        UNREADABLE_LINE_3_5,
        UNREADABLE_ROW,
    ),
)
POLICY_NOT_EVALUATED = FindingKind("policy-not-evaluated", WARNING, None, "client", WALKED)
POSITION_12 = Rule(
    "12",
    "Vhost policies",
    (
        "A vhost policy refuses an attach to an address that `sources` or `targets` of the user's "
        "group does not name; limits of connections are not evaluated."
    ),
    (POLICY_NOT_EVALUATED,),
)
SKUPPER_REFUSES = FindingKind(
    "skupper-refuses",
    ERROR,
    Remedy(
        "Correct the entry, or take it out.",
        "{server} does not start, so that it takes and passes no messages.",
    ),
    "server",
    STOPS,
)
S_2 = Rule(
    "S-2",
    "What Skupper refuses",
    (
        "From 2.0 on there are no link routes, waypoints, fallback or exchanges, and a cost below "
        "1 or an sslProfile that is not defined ends the start."
    ),
    (SKUPPER_REFUSES,),
)
TCP_LISTENER_ALONE = FindingKind(
    "tcp-listener-alone",
    WARNING,
    Remedy(
        "Give a tcpConnector the address of the listener, or correct one of the two.",
        "Clients of the listener are refused.",
    ),
    "destination",
    WALKED,
)
TCP_CONNECTOR_ALONE = FindingKind("tcp-connector-alone", INFO)
S_3 = Rule(
    "S-3",
    "TCP services",
    "A TCP connector is a destination, a TCP listener a source.",
    (TCP_LISTENER_ALONE, TCP_CONNECTOR_ALONE),
)
ROLE_NOT_FOLLOWED = FindingKind("role-not-followed", INFO)
S_6 = Rule(
    "S-6",
    "Joined networks",
    "Two networks can be joined for single addresses without becoming one.",
    (ROLE_NOT_FOLLOWED,),
)
E_8 = Rule(
    "E-8", "No edge to edge", "Edge routers cannot be joined to each other.", (ROLE_NOT_FOLLOWED,)
)
