"""The rules of SIBus that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

PERMISSION_NOT_EVALUATED = FindingKind(
    "permission-not-evaluated",
    WARNING,
    about="client",
    bearing=Bearing("nothing", "Rights of senders are not followed: each answer says so."),
)
S_18 = Rule(
    "S-18",
    "Rights along the path",
    "The sender needs the right to send to every element of the path.",
    (PERMISSION_NOT_EVALUATED,),
)
HELD_MESSAGES = FindingKind(
    "held-messages",
    WARNING,
    about="destination",
    bearing=Bearing(
        "nothing", "It says what becomes of messages that are there when the command runs."
    ),
)
BUS_DELETED = FindingKind("bus-deleted", WARNING, about="server", bearing=Bearing("walked"))
S_48 = Rule(
    "S-48",
    "Deleted destination",
    "Its messages go to the system exception destination, or are deleted if the bus says so.",
    (
        HELD_MESSAGES,
        BUS_DELETED,
    ),
)
PATH_ELEMENT_NOT_FOUND = FindingKind(
    "path-element-not-found", ERROR, about="destination", bearing=Bearing("walked")
)
SL_01 = Rule(
    "SL-01",
    "Path element missing",
    "A routing path names a destination that does not exist.",
    (PATH_ELEMENT_NOT_FOUND,),
    check=True,
)
TOPIC_SPACE_IN_PATH = FindingKind(
    "topic-space-in-path", WARNING, about="destination", bearing=Bearing("walked")
)
SL_02 = Rule(
    "SL-02",
    "Topic space inside a path",
    "A routing path contains a topic space where none is allowed.",
    (TOPIC_SPACE_IN_PATH,),
    check=True,
)
EXCEPTION_DESTINATION_NOT_FOUND = FindingKind(
    "exception-destination-not-found",
    ERROR,
    Remedy(
        "Create the exception destination, or name one that exists.",
        "Failed messages go to the system exception destination, where nobody may look.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
EXCEPTION_DESTINATION_NO_QUEUE = FindingKind(
    "exception-destination-no-queue",
    ERROR,
    Remedy("Name a queue.", "The system exception destination is used."),
    about="destination",
    bearing=Bearing("walked"),
)
SL_04 = Rule(
    "SL-04",
    "Exception destination missing",
    "The exception destination does not exist or is not a queue.",
    (
        EXCEPTION_DESTINATION_NOT_FOUND,
        EXCEPTION_DESTINATION_NO_QUEUE,
    ),
    check=True,
)
EXCEPTION_DESTINATION_IS_ITSELF = FindingKind(
    "exception-destination-is-itself",
    WARNING,
    Remedy("Name another queue.", "A failed message comes back to it."),
    about="destination",
    bearing=Bearing("walked"),
)
SL_05 = Rule(
    "SL-05",
    "Exception destination is itself",
    "A destination names itself as its exception destination.",
    (EXCEPTION_DESTINATION_IS_ITSELF,),
    check=True,
)
LIMIT_WITHOUT_EXCEPTION_DESTINATION = FindingKind(
    "limit-without-exception-destination", WARNING, about="destination", bearing=Bearing("walked")
)
SL_07 = Rule(
    "SL-07",
    "Limit without exception destination",
    "A limit of failed deliveries is set, but there is no exception destination to go to.",
    (LIMIT_WITHOUT_EXCEPTION_DESTINATION,),
    check=True,
)
PATH_ELEMENT_WITHOUT_BUS = FindingKind(
    "path-element-without-bus", WARNING, about="destination", bearing=Bearing("walked")
)
SL_11 = Rule(
    "SL-11",
    "Element without a bus",
    "A path element without a bus follows one on another bus and is looked up there.",
    (PATH_ELEMENT_WITHOUT_BUS,),
    check=True,
)
SL_14 = Rule(
    "SL-14",
    "Liberty queue that names itself",
    "A Liberty queue is its own exception destination.",
    (EXCEPTION_DESTINATION_IS_ITSELF,),
    check=True,
)
PATH_ELEMENT_BY_GUESS = FindingKind(
    "path-element-by-guess", WARNING, about="destination", bearing=Bearing("walked")
)
A_9 = Rule(
    "A-9",
    "Spellings of routing paths",
    "Both spellings in files are read.",
    (PATH_ELEMENT_BY_GUESS,),
)
NO_ID = FindingKind("no-id", WARNING, about="destination", bearing=Bearing("walked"))
NO_MESSAGING_FEATURE = FindingKind(
    "no-messaging-feature", WARNING, about="server", bearing=Bearing("walked")
)
A4_3 = Rule(
    "A4.3",
    "Destinations of Liberty",
    "What server.xml says of queues, topic spaces and aliases, and what the engine makes of it.",
    (
        NO_ID,
        NO_MESSAGING_FEATURE,
    ),
)
MEMBERS_NOT_LOADED = FindingKind("members-not-loaded", INFO)
SECTION_A1_1 = Rule(
    "A1.1",
    "Buses, members and engines",
    "A bus has members, each member has messaging engines, and each engine has message points.",
    (MEMBERS_NOT_LOADED,),
)
