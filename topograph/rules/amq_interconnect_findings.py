"""The rules of AMQ Interconnect that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

NOT_SAVED = FindingKind("not-saved", WARNING)
C_1 = Rule(
    "C-1",
    "Order of configuration",
    "Entries are applied by type in a fixed order, not in the order of the file.",
    (NOT_SAVED,),
)
NAME_OF_ANOTHER_TYPE = FindingKind("name-of-another-type", WARNING)
REFUSED_BUT_RUNS = FindingKind("refused-but-runs", WARNING)
LINK_TO_STOPPED_ROUTER = FindingKind("link-to-stopped-router", WARNING)
UNKNOWN_ATTRIBUTE = FindingKind(
    "unknown-attribute",
    ERROR,
    Remedy(
        "Correct the spelling of this attribute, or remove it.",
        "{server} does not run with what this entry says.",
    ),
)
MISSING_ATTRIBUTE = FindingKind("missing-attribute", ERROR)
DEPRECATED_ATTRIBUTE = FindingKind("deprecated-attribute", INFO)
UNKNOWN_SECTION = FindingKind(
    "unknown-section",
    ERROR,
    Remedy(
        "Correct the spelling of this section, or remove it.",
        "{server} does not run with what this entry says.",
    ),
)
BOTH_SPELLINGS = FindingKind("both-spellings", ERROR)
SECOND_SINGLETON = FindingKind("second-singleton", ERROR)
DUPLICATE_NAME = FindingKind("duplicate-name", ERROR)
INVALID_ROUTER_ID = FindingKind("invalid-router-id", ERROR)
INVALID_VALUE = FindingKind("invalid-value", ERROR)
EXTRA_BRACE = FindingKind("extra-brace", ERROR)
INVALID_JSON = FindingKind("invalid-json", ERROR)
MAP_ON_ONE_LINE = FindingKind("map-on-one-line", ERROR)
MISSING_BRACE = FindingKind("missing-brace", ERROR)
NOT_A_SECTION = FindingKind("not-a-section", ERROR)
OLD_ATTRIBUTE = FindingKind("old-attribute", ERROR)
OLD_ROLE = FindingKind("old-role", ERROR)
OLD_SECTION = FindingKind("old-section", ERROR)
OUTSIDE_SECTION = FindingKind("outside-section", ERROR)
SECTION_ON_ONE_LINE = FindingKind("section-on-one-line", ERROR)
UNREADABLE_LINE = FindingKind("unreadable-line", ERROR)
UNREADABLE_VALUE = FindingKind("unreadable-value", ERROR)
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
        SECTION_ON_ONE_LINE,
        UNREADABLE_LINE,
        UNREADABLE_VALUE,
    ),
)
ROLE_NOT_ALLOWED = FindingKind("role-not-allowed", ERROR)
C_3 = Rule(
    "C-3",
    "Roles by mode",
    (
        "An edge router has no inter-router links, and a standalone router has neither these "
        "nor edge links."
    ),
    (ROLE_NOT_ALLOWED,),
)
LINK_COST_BELOW_ONE = FindingKind("link-cost-below-one", ERROR)
COST_BELOW_ONE = FindingKind("cost-below-one", WARNING)
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
ADDRESS_DROPPED = FindingKind("address-dropped", ERROR)
C_5 = Rule(
    "C-5",
    "Dropped silently",
    "Some wrong address entries are ignored without a line in the log.",
    (ADDRESS_DROPPED,),
)
AUTOLINK_DROPPED = FindingKind("autolink-dropped", ERROR)
LINKROUTE_DROPPED = FindingKind("linkroute-dropped", ERROR)
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
NEVER_ACTIVE = FindingKind("never-active", WARNING)
AUTOLINK_NEVER_ACTIVE = FindingKind("autolink-never-active", ERROR)
LINKROUTE_NEVER_ACTIVE = FindingKind("linkroute-never-active", ERROR)
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
PREFIX_WITH_WILDCARD = FindingKind("prefix-with-wildcard", WARNING)
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
IN_USE_KEEPS = FindingKind("in-use-keeps", WARNING)
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
)
PARTITION = FindingKind("partition", WARNING)
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
ROUTE_DIFFERS = FindingKind("route-differs", WARNING)
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
NEIGHBOUR_OF_SAME_ID = FindingKind("neighbour-of-same-id", ERROR)
DUPLICATE_ROUTER_ID = FindingKind(
    "duplicate-router-id",
    ERROR,
    Remedy(
        "Give each router an id of its own.",
        "Those with the same id do not connect to each other.",
    ),
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
PARALLEL_LINKS = FindingKind("parallel-links", ERROR)
T_11 = Rule(
    "T-11",
    "Parallel links",
    (
        "Two links between the same two routers are not supported: which one carries messages "
        "changes."
    ),
    (PARALLEL_LINKS,),
)
TOO_MANY_ROUTERS = FindingKind("too-many-routers", ERROR)
T_12 = Rule(
    "T-12",
    "At most 128 routers",
    "A network has at most 128 interior routers.",
    (TOO_MANY_ROUTERS,),
)
CONTAINER_ON_EACH_MACHINE = FindingKind("container-on-each-machine", INFO)
LISTENERS_AT_ONE_PORT = FindingKind("listeners-at-one-port", ERROR)
HOST_ASSUMED = FindingKind("host-assumed", INFO)
UNMATCHED_CONNECTOR = FindingKind(
    "unmatched-connector",
    WARNING,
    Remedy(
        "Import the files of the router it leads to, or map the host in topograph.yaml.",
        "What lies behind the connector is unknown.",
    ),
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
MULTICAST_COPIES = FindingKind(
    "multicast-copies",
    WARNING,
    Remedy(
        "Update the routers, or remove a parallel path.",
        "Receivers can get a message more than once.",
    ),
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
)
AUTOLINK_ONE_DIRECTION = FindingKind(
    "autolink-one-direction",
    WARNING,
    Remedy("Add the autolink of the other direction.", "Messages stay in the broker."),
)
WAYPOINT_WITHOUT_AUTOLINK = FindingKind(
    "waypoint-without-autolink",
    WARNING,
    Remedy("Add an autolink for the address.", "Senders get no credit."),
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
)
F_6 = Rule(
    "F-6",
    "Fallback needs its own autolink",
    "Every address needs a fallback autolink of its own; one for a prefix does not cover it.",
    (FALLBACK_WITHOUT_AUTOLINK,),
)
LINKS_STAY = FindingKind("links-stay", WARNING)
LINK_ROUTE_OVER_ADDRESS = FindingKind("link-route-over-address", WARNING)
LINK_ROUTE_OVER_AUTOLINK = FindingKind("link-route-over-autolink", WARNING)
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
COORDINATOR_SEVERAL_CONTAINERS = FindingKind("coordinator-several-containers", ERROR)
L_9 = Rule(
    "L-9",
    "Transactions",
    "A link route for `$coordinator` carries transactions, for one broker only.",
    (COORDINATOR_SEVERAL_CONTAINERS,),
)
SEVERAL_UPLINKS = FindingKind("several-uplinks", INFO)
EDGE_CONNECTOR_NOT_ON_EDGE = FindingKind("edge-connector-not-on-edge", WARNING)
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
INVALID_VALUE_D_1 = FindingKind("invalid-value", WARNING)
SEVERAL_DUMPS = FindingKind("several-dumps", INFO)
DUMPED_TWICE = FindingKind("dumped-twice", INFO)
EMPTY_DUMP = FindingKind("empty-dump", WARNING)
NESTED_TOO_DEEPLY = FindingKind("nested-too-deeply", ERROR)
NOT_A_DUMP = FindingKind("not-a-dump", ERROR)
NOT_AN_ENTITY = FindingKind("not-an-entity", WARNING)
ROUTER_NOT_NAMED = FindingKind("router-not-named", WARNING)
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
        INVALID_JSON,
        NESTED_TOO_DEEPLY,
        NOT_A_DUMP,
        NOT_AN_ENTITY,
        ROUTER_NOT_NAMED,
        UNKNOWN_ENTITY,
    ),
)
DIFFERS = FindingKind("differs", WARNING)
NOT_CONFIGURED = FindingKind("not-configured", WARNING)
CONFIGURATION_FROM_DUMP = FindingKind("configuration-from-dump", INFO)
NOT_RUNNING = FindingKind("not-running", WARNING)
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
ROUTER_NOT_LOADED = FindingKind("router-not-loaded", WARNING)
ROUTER_NOT_RUNNING = FindingKind("router-not-running", WARNING)
LINK_NOT_UP = FindingKind("link-not-up", WARNING)
LINK_NOT_CONFIGURED = FindingKind("link-not-configured", WARNING)
RUNS_OTHERWISE = FindingKind("runs-otherwise", WARNING)
NEIGHBOURS_DISAGREE = FindingKind("neighbours-disagree", WARNING)
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
CONNECTOR_NOT_CONNECTED = FindingKind("connector-not-connected", WARNING)
AUTOLINK_NOT_ACTIVE = FindingKind("autolink-not-active", WARNING)
LISTENER_DOWN = FindingKind("listener-down", WARNING)
LINKROUTE_NOT_ACTIVE = FindingKind("linkroute-not-active", WARNING)
D_6 = Rule(
    "D-6",
    "State of links in a dump",
    "A dump shows whether autolinks, link routes and connections work.",
    (
        CONNECTOR_NOT_CONNECTED,
        AUTOLINK_NOT_ACTIVE,
        LINKROUTE_NOT_ACTIVE,
        LISTENER_DOWN,
    ),
)
NO_ROUTER_ID = FindingKind("no-router-id", INFO)
SECTION_1_1 = Rule(
    "1.1",
    "Routers",
    "A router has one id, which no other router of the network has.",
    (NO_ROUTER_ID,),
)
PORT_TAKEN = FindingKind("port-taken", WARNING)
CONNECTIONS_STAY = FindingKind("connections-stay", WARNING)
SECTION_1_2 = Rule(
    "1.2",
    "Listeners and connectors",
    "What a router listens on, and what it connects to.",
    (
        PORT_TAKEN,
        CONNECTIONS_STAY,
    ),
)
NAME_IN_FILES_ONLY = FindingKind("name-in-files-only", WARNING)
SECTION_1_3 = Rule(
    "1.3",
    "Addresses",
    "How an address entry is named, and which addresses it matches.",
    (NAME_IN_FILES_ONLY,),
)
SKUPPER_ONLY = FindingKind("skupper-only", WARNING)
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
NESTED_TOO_DEEPLY_3_1 = FindingKind("nested-too-deeply", WARNING)
REPEATED_ATTRIBUTE = FindingKind("repeated-attribute", WARNING)
CUT_BY_COMMENT = FindingKind("cut-by-comment", WARNING)
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
)
UNKNOWN_SECTION_3_3 = FindingKind(
    "unknown-section",
    WARNING,
    Remedy(
        "Correct the spelling of this section, or remove it.",
        "{server} does not run with what this entry says.",
    ),
)
FILLED_IN_AT_START = FindingKind("filled-in-at-start", INFO)
ROUTER_NOT_TOLD = FindingKind("router-not-told", INFO)
ROUTER_ID_TEMPLATE = FindingKind("router-id-template", WARNING)
RESOURCE_ASSUMED = FindingKind("resource-assumed", WARNING)
OPERATOR_DEFAULTS = FindingKind("operator-defaults", INFO)
NO_CONFIGURATION = FindingKind("no-configuration", WARNING)
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
NOT_A_SCRIPT = FindingKind("not-a-script", ERROR)
SECTION_3_4 = Rule(
    "3.4",
    "Management dumps and commands",
    "What qdmanage prints, and the commands that are given to it.",
    (NOT_A_SCRIPT,),
)
UNREADABLE_LINE_3_5 = FindingKind("unreadable-line", WARNING)
PERHAPS_CUT = FindingKind("perhaps-cut", WARNING)
TABLE_NOT_READ = FindingKind("table-not-read", INFO)
UNKNOWN_COLUMN = FindingKind("unknown-column", INFO)
UNREADABLE_ROW = FindingKind("unreadable-row", WARNING)
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
POLICY_NOT_EVALUATED = FindingKind("policy-not-evaluated", WARNING)
POSITION_12 = Rule(
    "12",
    "Policies are not evaluated",
    "A policy can refuse an attach: policies are read and kept, and no answer rests on them.",
    (POLICY_NOT_EVALUATED,),
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
