"""The rules of TIBCO EMS that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO
WALKED = Bearing("walked")
RAN = Bearing("nothing", "It compares what ran at one moment with the files, which answers follow.")
FOUND = Bearing("nothing", "The file that was found is read; the finding names it.")
TOLD = Bearing("nothing", "It is about the commands of a change, whose effect is compared.")

ROUTE_TO_ITSELF = FindingKind(
    "route-to-itself",
    ERROR,
    Remedy("Remove the route, or name the server that is meant.", "The route is ignored."),
    about="link",
    bearing=Bearing("nothing", "Such a route joins no two servers, and is left out."),
)
R2 = Rule(
    "R2",
    "Routes are named after the other server",
    "The name of a route is the name of the server at its other end.",
    (ROUTE_TO_ITSELF,),
)
ROUTE_ROLE_DIFFERS = FindingKind("route-role-differs", WARNING, about="link", bearing=RAN)
R3 = Rule(
    "R3",
    "Configured on both sides",
    "A route that both servers configure is one connection (active-active), not two.",
    (ROUTE_ROLE_DIFFERS,),
)
ROUTE_NOT_OBSERVED = FindingKind("route-not-observed", WARNING, about="link", bearing=RAN)
ROUTE_NOT_CONFIGURED = FindingKind("route-not-configured", WARNING, about="link", bearing=RAN)
ROUTE_NOT_CONNECTED = FindingKind("route-not-connected", WARNING, about="link", bearing=RAN)
ROUTE_ZONE_DIFFERS = FindingKind("route-zone-differs", WARNING, about="link", bearing=RAN)
ROUTE_URL_DIFFERS = FindingKind("route-url-differs", WARNING, about="link", bearing=RAN)
R4 = Rule(
    "R4",
    "Active and passive side",
    (
        "If only one server configures a route, that server is active: it connects and owns the"
        " route's properties. The other is passive."
    ),
    (
        ROUTE_NOT_OBSERVED,
        ROUTE_NOT_CONFIGURED,
        ROUTE_NOT_CONNECTED,
        ROUTE_ZONE_DIFFERS,
        ROUTE_URL_DIFFERS,
    ),
)
SETTING_DIFFERS = FindingKind("setting-differs", WARNING, about="server", bearing=RAN)
R6 = Rule(
    "R6",
    "When a route is up",
    (
        "A route is up only if both servers run with routing enabled and the active one can "
        "reach the URL."
    ),
    (SETTING_DIFFERS,),
)
SERVER_NOT_ACTIVE = FindingKind("server-not-active", WARNING, about="server", bearing=RAN)
R7 = Rule(
    "R7",
    "A fault-tolerant pair is one server",
    "The two members of a fault-tolerant pair share a name and count as one server.",
    (
        SETTING_DIFFERS,
        SERVER_NOT_ACTIVE,
    ),
)
INTEREST_WITHOUT_ROUTE = FindingKind(
    "interest-without-route", WARNING, about="direction", bearing=RAN
)
R40 = Rule(
    "R40",
    "Interest travels upstream",
    (
        "A subscription makes its server register interest with its neighbours, and they with "
        "theirs, as far as zones let messages come."
    ),
    (INTEREST_WITHOUT_ROUTE,),
)
INTEREST_NOT_GLOBAL = FindingKind("interest-not-global", WARNING, about="direction", bearing=RAN)
TOPIC_PROPERTIES_DIFFER = FindingKind(
    "topic-properties-differ", WARNING, about="destination", bearing=RAN
)
QUEUE_PROPERTIES_DIFFER = FindingKind(
    "queue-properties-differ", WARNING, about="destination", bearing=RAN
)
R42 = Rule(
    "R42",
    "Global at every server",
    (
        "A topic crosses a route only if it is global on the servers at both ends; that holds "
        "on every route of the path."
    ),
    (
        INTEREST_NOT_GLOBAL,
        TOPIC_PROPERTIES_DIFFER,
        QUEUE_PROPERTIES_DIFFER,
    ),
)
SUBSCRIPTION_TOPIC_UNDEFINED = FindingKind(
    "subscription-topic-undefined", WARNING, about="client", bearing=RAN
)
BRIDGE_QUEUE_UNDEFINED = FindingKind(
    "bridge-queue-undefined", WARNING, about="destination", bearing=WALKED
)
DURABLE_TOPIC_UNDEFINED = FindingKind(
    "durable-topic-undefined", WARNING, about="destination", bearing=WALKED
)
BRIDGE_TOPIC_UNDEFINED = FindingKind(
    "bridge-topic-undefined", WARNING, about="destination", bearing=WALKED
)
QUEUE_NOT_CONFIGURED = FindingKind(
    "queue-not-configured", WARNING, about="destination", bearing=RAN
)
QUEUE_NOT_OBSERVED = FindingKind("queue-not-observed", WARNING, about="destination", bearing=RAN)
TOPIC_NOT_CONFIGURED = FindingKind(
    "topic-not-configured", WARNING, about="destination", bearing=RAN
)
TOPIC_NOT_OBSERVED = FindingKind("topic-not-observed", WARNING, about="destination", bearing=RAN)
R45 = Rule(
    "R45",
    "Topics need an entry",
    "A server accepts a topic that does not exist yet only if an entry in topics.conf matches it.",
    (
        SUBSCRIPTION_TOPIC_UNDEFINED,
        BRIDGE_QUEUE_UNDEFINED,
        DURABLE_TOPIC_UNDEFINED,
        BRIDGE_TOPIC_UNDEFINED,
        QUEUE_NOT_CONFIGURED,
        QUEUE_NOT_OBSERVED,
        TOPIC_NOT_CONFIGURED,
        TOPIC_NOT_OBSERVED,
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
        SETTING_DIFFERS,
        TOPIC_PROPERTIES_DIFFER,
        QUEUE_PROPERTIES_DIFFER,
    ),
)
GRANT_PRINCIPAL_UNDEFINED = FindingKind(
    "grant-principal-undefined",
    WARNING,
    Remedy(
        "Define the user or group at {server}, or remove the grant.",
        "The grant has no effect.",
    ),
    about="client",
    bearing=Bearing("nothing", "A grant to somebody who is not defined permits nobody anything."),
)
R50 = Rule(
    "R50",
    "Servers log in by name",
    "A server connects to another as the user with its own server name.",
    (GRANT_PRINCIPAL_UNDEFINED,),
)
ROUTE_SUSPENDED = FindingKind("route-suspended", WARNING, about="direction", bearing=WALKED)
SUSPENDED_ROUTE_UNKNOWN = FindingKind(
    "suspended-route-unknown",
    WARNING,
    Remedy("Correct the name of the suspended route.", "No route is taken as suspended."),
    about="direction",
    bearing=Bearing("nothing", "No loaded file has the route that topograph.yaml calls suspended."),
)
WAITING = FindingKind("waiting", WARNING, about="direction", bearing=RAN)
R53 = Rule(
    "R53",
    "Suspended routes",
    "A suspended route sends nothing; messages queue up until it is resumed.",
    (
        ROUTE_SUSPENDED,
        WAITING,
        SUSPENDED_ROUTE_UNKNOWN,
    ),
)
PENDING_MESSAGES = FindingKind(
    "pending-messages",
    WARNING,
    about="direction",
    bearing=Bearing(
        "nothing", "It is about messages that wait already; new ones meet the new selectors."
    ),
)
R68 = Rule(
    "R68",
    "Changed selectors",
    "After selectors change, only new messages use the new ones until a restart.",
    (PENDING_MESSAGES,),
)
DESTINATION_DEFINED_TWICE = FindingKind(
    "destination-defined-twice", WARNING, about="destination", bearing=WALKED
)
R83 = Rule(
    "R83",
    "Inherited properties",
    (
        "A destination inherits from all patterns that match it: flags add up, and of several "
        "values the smallest wins unless it has its own."
    ),
    (DESTINATION_DEFINED_TWICE,),
)
TEMPORARY_DESTINATION = FindingKind(
    "temporary-destination",
    ERROR,
    about="destination",
    bearing=Bearing(
        "nothing",
        "The server refuses the entry, and clients make temporary destinations without one.",
    ),
)
R93 = Rule(
    "R93",
    "Limits of `$TMP$.>`",
    "`$TMP$.>` carries properties only: it cannot be bridged, held by a durable, or sent to.",
    (TEMPORARY_DESTINATION,),
)
QUEUE_OWNER_DIFFERS = FindingKind("queue-owner-differs", WARNING, about="destination", bearing=RAN)
R100 = Rule(
    "R100",
    "A queue has one home",
    "A routed queue is stored on one server, its home; other servers name it as queue@home.",
    (QUEUE_OWNER_DIFFERS,),
)
BRIDGE_DIFFERS = FindingKind("bridge-differs", WARNING, about="destination", bearing=RAN)
BRIDGE_NOT_OBSERVED = FindingKind("bridge-not-observed", WARNING, about="destination", bearing=RAN)
R110 = Rule(
    "R110",
    "Bridges",
    (
        "A bridge copies a message from one destination to others on the same server, as if it "
        "had been sent there."
    ),
    (
        BRIDGE_DIFFERS,
        BRIDGE_NOT_OBSERVED,
    ),
)
DUPLICATE_SELECTOR = FindingKind(
    "duplicate-selector",
    WARNING,
    Remedy("Write one selector for the topic.", "A message must pass both of them."),
    about="direction",
    bearing=WALKED,
)
TL_07 = Rule(
    "TL-07",
    "Two selectors for one topic",
    "A route has two selector lines for one topic and direction; a message must pass both.",
    (DUPLICATE_SELECTOR,),
    check=True,
)
SELECTOR_CONSTANT = FindingKind(
    "selector-constant",
    WARNING,
    Remedy("Correct or remove the selector.", "It lets through all messages, or none."),
    about="direction",
    bearing=WALKED,
)
SELECTOR_INVALID = FindingKind(
    "selector-invalid",
    ERROR,
    Remedy("Correct the selector.", "{server} does not start, or ignores the route."),
    about="direction",
    bearing=WALKED,
)
ENTRY_SELECTOR_CONSTANT = FindingKind(
    "entry-selector-constant",
    WARNING,
    Remedy("Correct or remove the selector.", "It takes all messages, or none."),
    about="destination",
    bearing=WALKED,
)
ENTRY_SELECTOR_INVALID = FindingKind(
    "entry-selector-invalid",
    ERROR,
    Remedy("Correct the selector.", "Which messages it takes is not known."),
    about="destination",
    bearing=WALKED,
)
NON_ASCII_QUOTE = FindingKind("non-ascii-quote", ERROR, about="direction", bearing=WALKED)
TL_08 = Rule(
    "TL-08",
    "Selector that cannot work",
    "A selector is invalid, never true, always true, or written with typographic quotes.",
    (
        SELECTOR_CONSTANT,
        SELECTOR_INVALID,
        ENTRY_SELECTOR_CONSTANT,
        ENTRY_SELECTOR_INVALID,
        NON_ASCII_QUOTE,
    ),
    check=True,
)
GRANT_MISSING = FindingKind(
    "grant-missing",
    ERROR,
    Remedy("Add the line to acl.conf of {server}.", "Messages do not cross the route."),
    about="direction",
    bearing=WALKED,
)
QUEUE_GRANT_MISSING = FindingKind("queue-grant-missing", ERROR, about="direction", bearing=WALKED)
QUEUE_RECEIVE_GRANT_MISSING = FindingKind(
    "queue-receive-grant-missing",
    WARNING,
    about="direction",
    bearing=Bearing(
        "nothing",
        "By the guide that is followed this right is not needed (A23).",
    ),
)
TL_10 = Rule(
    "TL-10",
    "Missing right for a neighbour",
    "A secure topic or queue lacks the grant that the neighbouring server needs.",
    (
        GRANT_MISSING,
        QUEUE_GRANT_MISSING,
        QUEUE_RECEIVE_GRANT_MISSING,
    ),
    check=True,
)
ROUTED_QUEUE_EXCLUSIVE = FindingKind(
    "routed-queue-exclusive",
    ERROR,
    Remedy("Remove exclusive from the entry.", "{server} refuses the entry."),
    about="destination",
    bearing=WALKED,
)
ROUTED_QUEUE_OWNER_UNKNOWN = FindingKind(
    "routed-queue-owner-unknown",
    WARNING,
    Remedy("Import the files of the home server.", "Whether it has the queue is unknown."),
    about="destination",
    bearing=WALKED,
)
ROUTED_QUEUE_NO_ROUTE = FindingKind(
    "routed-queue-no-route",
    ERROR,
    Remedy(
        "Configure a direct route from {server} to the home of the queue.",
        "Messages sent at {server} stay there.",
    ),
    about="destination",
    bearing=WALKED,
)
ROUTED_QUEUE_NO_HOME = FindingKind(
    "routed-queue-no-home",
    ERROR,
    Remedy("Create the queue at its home.", "Messages sent at {server} stay there."),
    about="destination",
    bearing=WALKED,
)
ROUTED_QUEUE_HOME_DYNAMIC = FindingKind(
    "routed-queue-home-dynamic",
    WARNING,
    Remedy(
        "Create the queue at its home explicitly.",
        "Whether messages reach it is unknown.",
    ),
    about="destination",
    bearing=WALKED,
)
ROUTED_QUEUE_WILDCARD = FindingKind(
    "routed-queue-wildcard",
    ERROR,
    Remedy("Name each queue without a wildcard.", "{server} refuses the entry."),
    about="destination",
    bearing=Bearing(
        "nothing", "The server refuses the entry; no message is sent to a name with a wildcard."
    ),
)
TL_11 = Rule(
    "TL-11",
    "Routed queue that cannot work",
    "A queue@home entry has no direct route to the home, has a wildcard, or is exclusive.",
    (
        ROUTED_QUEUE_EXCLUSIVE,
        ROUTED_QUEUE_OWNER_UNKNOWN,
        ROUTED_QUEUE_NO_ROUTE,
        ROUTED_QUEUE_NO_HOME,
        ROUTED_QUEUE_HOME_DYNAMIC,
        ROUTED_QUEUE_WILDCARD,
    ),
    check=True,
)
HOME_QUEUE_NOT_GLOBAL = FindingKind(
    "home-queue-not-global",
    WARNING,
    Remedy("Make the queue global at its home.", "Other servers may not be able to use it."),
    about="destination",
    bearing=WALKED,
)
TL_12 = Rule(
    "TL-12",
    "Queue not global at its home",
    "Another server uses the queue, and it is not global at its home.",
    (HOME_QUEUE_NOT_GLOBAL,),
    check=True,
)
ZONE_CONFLICT = FindingKind(
    "zone-conflict",
    ERROR,
    Remedy(
        "Write the same zone name and type at both ends of the route.",
        "Which servers messages reach over it is not certain.",
    ),
    about="link",
    bearing=WALKED,
)
ZONE_TYPE = FindingKind("zone-type", ERROR, about="link", bearing=WALKED)
TL_13 = Rule(
    "TL-13",
    "Zones do not agree",
    (
        "The ends or routes of a zone name different zones or types, or a 1hop zone uses the "
        "default name."
    ),
    (
        ZONE_CONFLICT,
        ZONE_TYPE,
    ),
    check=True,
)
NOT_A_WILDCARD = FindingKind("not-a-wildcard", WARNING, about="destination", bearing=WALKED)
TL_14 = Rule(
    "TL-14",
    "Doubtful wildcard",
    "A name contains `*` inside an element, or `>` not at the end, where it is not a wildcard.",
    (NOT_A_WILDCARD,),
    check=True,
)
DUPLICATE_SERVER_NAME = FindingKind(
    "duplicate-server-name",
    ERROR,
    Remedy(
        ("Import the folder of one configuration only, or give the others different names."),
        "Only the first is used; answers about {server} leave out the rest.",
    ),
    about="server",
    bearing=WALKED,
)
FT_PAIR_MISMATCH = FindingKind(
    "ft-pair-mismatch",
    ERROR,
    Remedy(
        "Copy the entry to the other member of the pair.",
        "After a failover {server} works differently.",
    ),
    about="server",
    bearing=WALKED,
)
SERVER_FILE_NOT_FOUND = FindingKind(
    "server-file-not-found",
    ERROR,
    Remedy(
        "Add the missing file, or correct topograph.yaml.",
        ("The contents of {server} are unknown, so that answers about {server} are incomplete."),
    ),
    about="server",
    bearing=Bearing(
        "nothing",
        "It is about an entry of topograph.yaml: the files that were found count without it.",
    ),
)
TL_15 = Rule(
    "TL-15",
    "Servers with the same name",
    "Two configurations have the same server name, or the files of a fault-tolerant pair differ.",
    (
        DUPLICATE_SERVER_NAME,
        FT_PAIR_MISMATCH,
        SERVER_FILE_NOT_FOUND,
    ),
    check=True,
)
OBSERVED_ELSEWHERE = FindingKind("observed-elsewhere", WARNING, about="server", bearing=RAN)
ROUTING_DISABLED = FindingKind(
    "routing-disabled",
    ERROR,
    Remedy("Set routing to enabled at {server}, or remove the route.", "The route is down."),
    about="server",
    bearing=Bearing("stops"),
)
ROUTE_TO_UNLOADED_SERVER = FindingKind(
    "route-to-unloaded-server",
    WARNING,
    Remedy(
        "Import the files of the server that the route leads to, or remove the route.",
        ("The servers behind the route are unknown: answers beyond {server} are incomplete."),
    ),
    about="server",
    bearing=WALKED,
)
ROUTE_PORT_NOT_LISTENED_ON = FindingKind(
    "route-port-not-listened-on",
    WARNING,
    Remedy(
        ("Correct the port in the URL of the route, or the listen entry of the other server."),
        "The route of {server} does not connect.",
    ),
    about="link",
    bearing=Bearing("opens"),
)
NAME_URL_MISMATCH = FindingKind("name-url-mismatch", ERROR, about="link", bearing=Bearing("opens"))
ROUTE_PROTOCOL_NOT_LISTENED_ON = FindingKind(
    "route-protocol-not-listened-on",
    WARNING,
    Remedy(
        "Use the protocol of the listen entry of the other server in the URL of the route.",
        "The route of {server} does not connect.",
    ),
    about="link",
    bearing=Bearing("opens"),
)
TL_16 = Rule(
    "TL-16",
    "Route to nowhere",
    (
        "A route leads to a server that is not among the files, its name and URL point at "
        "different servers, or routing is off at one end."
    ),
    (
        OBSERVED_ELSEWHERE,
        ROUTING_DISABLED,
        SETTING_DIFFERS,
        ROUTE_TO_UNLOADED_SERVER,
        ROUTE_PORT_NOT_LISTENED_ON,
        NAME_URL_MISMATCH,
        ROUTE_PROTOCOL_NOT_LISTENED_ON,
    ),
    check=True,
)
BRIDGES_FEED_EACH_OTHER = FindingKind(
    "bridges-feed-each-other",
    WARNING,
    Remedy(
        "Remove one of the bridges.",
        "Messages go round for ever and never reach a receiver.",
    ),
    about="destination",
    bearing=Bearing("nothing", "Who gets the message is the same the second time round."),
)
DUPLICATE_BRIDGE = FindingKind(
    "duplicate-bridge",
    ERROR,
    Remedy("Remove one of the two bridges.", "{server} does not start."),
    about="server",
    bearing=Bearing("opens"),
)
TL_17 = Rule(
    "TL-17",
    "Bridge twice or in a circle",
    (
        "A bridge is listed twice, so that the server does not start, or bridges of two servers"
        " feed each other."
    ),
    (
        BRIDGES_FEED_EACH_OTHER,
        DUPLICATE_BRIDGE,
    ),
    check=True,
)
BRIDGE_SECTIONS = FindingKind(
    "bridge-source-in-two-sections",
    INFO,
    Remedy(
        "Write the bridges of the source in one section.",
        "{server} does not start again after one of them is deleted by a command.",
    ),
)
BRIDGE_WRITTEN_TWICE = FindingKind("bridge-written-twice", WARNING, about="server", bearing=TOLD)
TL_26 = Rule(
    "TL-26",
    "Bridges of one source in two sections",
    "A source has two sections in bridges.conf: after `delete bridge` the server writes the other"
    " bridge twice, and does not start again.",
    (BRIDGE_SECTIONS, BRIDGE_WRITTEN_TWICE),
    check=True,
)
STORE_CONFLICT = FindingKind(
    "store-conflict",
    ERROR,
    Remedy("Name the same store in both entries.", "{server} refuses the second entry."),
    about="destination",
    bearing=Bearing("nothing", "A store says where messages are kept, not who gets them."),
)
PREFETCH_NONE = FindingKind(
    "prefetch-none",
    ERROR,
    Remedy("Remove prefetch=none.", "{server} does not route the destination."),
    about="destination",
    bearing=Bearing("nothing", "The server refuses the property; what else the entry says counts."),
)
TL_18 = Rule(
    "TL-18",
    "Conflicting properties",
    "Overlapping patterns name different stores, or a topic or global queue has prefetch=none.",
    (
        STORE_CONFLICT,
        PREFETCH_NONE,
    ),
    check=True,
)
TLS_HOST_NOT_VERIFIED = FindingKind("tls-host-not-verified", INFO)
ROUTE_WITHOUT_TLS = FindingKind("route-without-tls", INFO)
TL_19 = Rule(
    "TL-19",
    "Route without TLS",
    "A route is not encrypted, or does not verify the other host.",
    (
        TLS_HOST_NOT_VERIFIED,
        ROUTE_WITHOUT_TLS,
    ),
    check=True,
)
SUBFILE_BY_USUAL_NAME = FindingKind("subfile-by-usual-name", INFO)
UNREADABLE_FILE = FindingKind(
    "unreadable-file",
    ERROR,
    Remedy(
        "Give {file} back its read permission, and import again.",
        ("The contents of {server} are unknown, so that answers about {server} are incomplete."),
    ),
    about="server",
    bearing=WALKED,
)
SUBFILE_RESOLVED_BY_PATH_MAP = FindingKind("subfile-resolved-by-path-map", INFO)
SUBFILE_RESOLVED_BY_CASE = FindingKind(
    "subfile-resolved-by-case", WARNING, about="server", bearing=FOUND
)
SUBFILE_RESOLVED_BY_NAME = FindingKind(
    "subfile-resolved-by-name", WARNING, about="server", bearing=FOUND
)
SUBFILE_NOT_FOUND = FindingKind(
    "subfile-not-found",
    ERROR,
    Remedy(
        "Add the missing file to the import, or map its folder in topograph.yaml.",
        ("The contents of {server} are unknown, so that answers about {server} are incomplete."),
    ),
    about="server",
    bearing=WALKED,
)
SUBFILE_RESOLVED_BY_SUFFIX = FindingKind(
    "subfile-resolved-by-suffix",
    WARNING,
    Remedy(
        (
            "Confirm that the right file was read; if not, map its folder under paths "
            "in topograph.yaml."
        ),
        ("If another file is meant, the answers about {server} rest on the wrong one."),
    ),
    about="server",
    bearing=FOUND,
)
TEMPLATE = FindingKind("template", WARNING, about="server", bearing=WALKED)
TL_20 = Rule(
    "TL-20",
    "File missing or found elsewhere",
    (
        "A file that a configuration names is missing, or another file with the same ending was"
        " read in its place."
    ),
    (
        SUBFILE_BY_USUAL_NAME,
        UNREADABLE_FILE,
        SUBFILE_NOT_FOUND,
        SUBFILE_RESOLVED_BY_PATH_MAP,
        SUBFILE_RESOLVED_BY_CASE,
        SUBFILE_RESOLVED_BY_NAME,
        SUBFILE_RESOLVED_BY_SUFFIX,
        TEMPLATE,
    ),
    check=True,
)
ZONE_TYPE_ELSEWHERE = FindingKind(
    "zone-type-elsewhere",
    WARNING,
    Remedy("Give one of the zones another name.", "A route between the two would be refused."),
    about="link",
    bearing=Bearing("nothing", "The parts of the zone never meet, and each is judged alone."),
)
A10 = Rule(
    "A10",
    "One zone name, separate parts",
    "Parts of a zone that never meet are judged separately.",
    (ZONE_TYPE_ELSEWHERE,),
)
DURABLE_NOT_CONFIGURED = FindingKind("durable-not-configured", WARNING, about="client", bearing=RAN)
DURABLE_NOT_OBSERVED = FindingKind("durable-not-observed", WARNING, about="client", bearing=RAN)
A13 = Rule(
    "A13",
    "Static route durables",
    "A durable configured for a route is assumed to ask for messages even without a consumer.",
    (
        DURABLE_NOT_CONFIGURED,
        DURABLE_NOT_OBSERVED,
    ),
)
NAME_URL_MISMATCH_A17 = FindingKind(
    "name-url-mismatch",
    WARNING,
    about="link",
    bearing=Bearing(
        "nothing", "It is about a command; the route that it makes has the bearing of TL-16."
    ),
)
A17 = Rule(
    "A17",
    "Which server a route means",
    (
        "If the name and the URL of a route point at different servers, hosts in topograph.yaml"
        " decide."
    ),
    (NAME_URL_MISMATCH_A17,),
)
SERVER_NAME = FindingKind(
    "server-name",
    ERROR,
    about="server",
    bearing=Bearing(
        "nothing",
        "Whether the product refuses the name is not certain; routes to the server bear it too.",
    ),
)
NO_SERVER_NAME = FindingKind(
    "no-server-name",
    ERROR,
    about="server",
    bearing=Bearing(
        "nothing", "Without a name it is not a server of the network that anything leads to."
    ),
)
SECTION_1_1 = Rule(
    "1.1",
    "Servers",
    "A server has a name of at most 64 characters without a dot; routes to it bear that name.",
    (
        SERVER_NAME,
        NO_SERVER_NAME,
    ),
)
DUPLICATE_ROUTE = FindingKind(
    "duplicate-route",
    ERROR,
    Remedy("Remove one of the two entries.", "Which of them counts is not certain."),
    about="link",
    bearing=WALKED,
)
MISSING_URL = FindingKind("missing-url", ERROR, about="link", bearing=Bearing("opens"))
SECTION_1_2 = Rule(
    "1.2",
    "Routes",
    "A route leads to another server and has a URL; a server has at most one route to each other.",
    (
        DUPLICATE_ROUTE,
        MISSING_URL,
        ZONE_TYPE,
    ),
)
ZONE_TYPE_CHANGED = FindingKind(
    "zone-type-changed",
    WARNING,
    about="server",
    bearing=Bearing(
        "nothing",
        "It is about the start after a change; the files afterwards are judged as they are.",
    ),
)
SECTION_1_3 = Rule(
    "1.3",
    "Zones",
    "A route is in one zone, and the zone has one type.",
    (ZONE_TYPE_CHANGED,),
)
DESTINATION_NAME = FindingKind(
    "destination-name",
    ERROR,
    about="destination",
    bearing=Bearing("nothing", "No message can be sent to such a name."),
)
SECTION_1_4 = Rule(
    "1.4",
    "Topics",
    "How topics may be named, and which properties they take.",
    (DESTINATION_NAME,),
)
BRIDGE_SOURCE = FindingKind("bridge-source", WARNING, about="destination", bearing=WALKED)
BRIDGE_TARGET_WILDCARD = FindingKind(
    "bridge-target-wildcard", ERROR, about="destination", bearing=WALKED
)
ROUTE_DURABLE_PROPERTY = FindingKind(
    "route-durable-property",
    WARNING,
    about="client",
    bearing=Bearing("nothing", "The property has no effect on a durable of a route."),
)
SECTION_1_6 = Rule(
    "1.6",
    "Bridges, durables, factories and rights",
    "What these entries have to name, and which properties they take.",
    (
        BRIDGE_SOURCE,
        BRIDGE_TARGET_WILDCARD,
        ROUTE_DURABLE_PROPERTY,
    ),
)
BINARY_FILE = FindingKind("binary-file", ERROR, about="server", bearing=WALKED)
LINE_TOO_LONG = FindingKind("line-too-long", ERROR, about="server", bearing=WALKED)
URL_TOO_LONG = FindingKind(
    "url-too-long",
    WARNING,
    about="link",
    bearing=Bearing("nothing", "The URL is read all the same."),
)
INVALID_URL = FindingKind(
    "invalid-url",
    WARNING,
    about="link",
    bearing=Bearing(
        "nothing",
        "Where such a URL leads is not known; the name of the route says which server is meant.",
    ),
)
NOT_A_BOOLEAN = FindingKind("not-a-boolean", ERROR, about="server", bearing=WALKED)
NO_LINE_END = FindingKind("no-line-end", INFO)
TRAILING_COMMENT = FindingKind("trailing-comment", ERROR, about="server", bearing=WALKED)
ENCODING = FindingKind(
    "encoding",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "Names may look different; files of one estate are read alike."),
)
MISSING_COMMA = FindingKind(
    "missing-comma",
    ERROR,
    about="destination",
    bearing=Bearing("nothing", "The properties are read as if the comma were there."),
)
MISSING_EQUALS = FindingKind("missing-equals", ERROR, about="direction", bearing=WALKED)
TEXT_AFTER_QUOTE = FindingKind("text-after-quote", ERROR, about="direction", bearing=WALKED)
TOO_MANY_PROPERTIES = FindingKind("too-many-properties", ERROR, about="destination", bearing=WALKED)
UNQUOTED_SELECTOR = FindingKind("unquoted-selector", ERROR, about="direction", bearing=WALKED)
UNTERMINATED_QUOTE = FindingKind("unterminated-quote", ERROR, about="direction", bearing=WALKED)
UNCLAIMED_FILE = FindingKind(
    "unclaimed-file",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "No loaded configuration names the file."),
)
SECTION_3_1 = Rule(
    "3.1",
    "Form of configuration files",
    "Files consist of lines and sections in plain text; names and values follow fixed spellings.",
    (
        UNREADABLE_FILE,
        BINARY_FILE,
        UNCLAIMED_FILE,
        LINE_TOO_LONG,
        URL_TOO_LONG,
        INVALID_URL,
        NOT_A_BOOLEAN,
        NO_LINE_END,
        TRAILING_COMMENT,
        ENCODING,
        MISSING_COMMA,
        MISSING_EQUALS,
        NON_ASCII_QUOTE,
        TEXT_AFTER_QUOTE,
        TOO_MANY_PROPERTIES,
        UNQUOTED_SELECTOR,
        UNTERMINATED_QUOTE,
    ),
)
MISSING_SELECTOR = FindingKind("missing-selector", ERROR, about="direction", bearing=WALKED)
MISSING_TOPIC = FindingKind("missing-topic", ERROR, about="direction", bearing=WALKED)
MISSING_VALUE = FindingKind("missing-value", ERROR, about="link", bearing=WALKED)
EMPTY_NAME = FindingKind("empty-name", ERROR, about="server", bearing=WALKED)
CUT_OFF = FindingKind("cut-off", ERROR, about="server", bearing=WALKED)
UNCLOSED_HEADING = FindingKind("unclosed-heading", ERROR, about="server", bearing=WALKED)
SECTION_3_2 = Rule(
    "3.2",
    "Form of routes.conf",
    "A section for each route, with its properties and its selectors.",
    (
        MISSING_SELECTOR,
        MISSING_TOPIC,
        MISSING_VALUE,
        EMPTY_NAME,
        CUT_OFF,
        UNCLOSED_HEADING,
    ),
)
UNCLOSED_BRACKET = FindingKind("unclosed-bracket", ERROR, about="destination", bearing=WALKED)
SECTION_3_3 = Rule(
    "3.3",
    "Form of topics.conf and queues.conf",
    "A line for each topic or queue: its name, then its properties.",
    (
        EMPTY_NAME,
        UNCLOSED_BRACKET,
    ),
)
BRIDGE_SOURCE_3_4 = FindingKind("bridge-source", ERROR, about="server", bearing=WALKED)
BRIDGE_SELECTOR = FindingKind("bridge-selector", ERROR, about="destination", bearing=WALKED)
MISSING_NAME = FindingKind("missing-name", ERROR, about="server", bearing=WALKED)
DUPLICATE_DURABLE = FindingKind(
    "duplicate-durable",
    WARNING,
    about="client",
    bearing=Bearing("nothing", "The same durable twice is one durable."),
)
SECTION_3_4 = Rule(
    "3.4",
    "Form of the other files",
    "How bridges, durables, factories, rights and groups are written.",
    (
        BRIDGE_SELECTOR,
        BRIDGE_SOURCE_3_4,
        CUT_OFF,
        MISSING_NAME,
        DUPLICATE_DURABLE,
    ),
)
DUPLICATE_PARAMETER = FindingKind(
    "duplicate-parameter",
    WARNING,
    about="server",
    bearing=Bearing("nothing", "The last value counts, as in the product."),
)
SECTION_3_5 = Rule(
    "3.5",
    "Form of tibemsd.conf",
    "A property in each line; some name the other files.",
    (DUPLICATE_PARAMETER,),
)
UNKNOWN_SELECTOR = FindingKind("unknown-selector", ERROR, about="direction", bearing=WALKED)
JSON_SYNTAX = FindingKind("json-syntax", ERROR, about="server", bearing=WALKED)
DUPLICATE_KEY = FindingKind("duplicate-key", WARNING, about="server", bearing=WALKED)
MISSING_KEY = FindingKind("missing-key", ERROR, about="server", bearing=WALKED)
NOT_AN_ARRAY = FindingKind("not-an-array", ERROR, about="server", bearing=WALKED)
NOT_AN_OBJECT = FindingKind("not-an-object", ERROR, about="server", bearing=WALKED)
SECTION_3_6 = Rule(
    "3.6",
    "Form of tibemsd.json",
    "One JSON file holds what the others hold.",
    (
        MISSING_SELECTOR,
        UNKNOWN_SELECTOR,
        JSON_SYNTAX,
        DUPLICATE_KEY,
        MISSING_KEY,
        NOT_AN_ARRAY,
        NOT_AN_OBJECT,
    ),
)
PROPERTY_REMOVED = FindingKind("property-removed", WARNING, about="destination", bearing=TOLD)
ROUTE_DELETED = FindingKind("route-deleted", WARNING, about="link", bearing=TOLD)
SHELL_SCRIPT = FindingKind("shell-script", WARNING, about="server", bearing=TOLD)
NOT_SAVED = FindingKind("not-saved", WARNING, about="server", bearing=TOLD)
SERVER_STOPS = FindingKind("server-stops", WARNING, about="server", bearing=TOLD)
NOT_A_SCRIPT = FindingKind("not-a-script", ERROR, about="server", bearing=TOLD)
OUTPUT_NOT_READ = FindingKind("output-not-read", INFO)
SECTION_3_7 = Rule(
    "3.7",
    "Administration commands",
    "A script for tibemsadmin is read command by command, and so is what `show` prints.",
    (
        PROPERTY_REMOVED,
        ROUTE_DELETED,
        SHELL_SCRIPT,
        NOT_SAVED,
        SERVER_STOPS,
        NOT_A_SCRIPT,
        OUTPUT_NOT_READ,
    ),
)
