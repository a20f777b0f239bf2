"""The rules of SIBus that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

PERMISSION_NOT_EVALUATED = FindingKind("permission-not-evaluated", WARNING)
S_18 = Rule(
    "S-18",
    "Rights along the path",
    "The sender needs the right to send to every element of the path.",
    (PERMISSION_NOT_EVALUATED,),
)
HELD_MESSAGES = FindingKind("held-messages", WARNING)
BUS_DELETED = FindingKind("bus-deleted", WARNING)
S_48 = Rule(
    "S-48",
    "Deleted destination",
    "Its messages go to the system exception destination, or are deleted if the bus says so.",
    (
        HELD_MESSAGES,
        BUS_DELETED,
    ),
)
PATH_ELEMENT_NOT_FOUND = FindingKind("path-element-not-found", ERROR)
SL_01 = Rule(
    "SL-01",
    "Path element missing",
    "A routing path names a destination that does not exist.",
    (PATH_ELEMENT_NOT_FOUND,),
    check=True,
)
TOPIC_SPACE_IN_PATH = FindingKind("topic-space-in-path", WARNING)
SL_02 = Rule(
    "SL-02",
    "Topic space inside a path",
    "A routing path contains a topic space where none may stand.",
    (TOPIC_SPACE_IN_PATH,),
    check=True,
)
DEFAULT_PATH_CYCLE = FindingKind(
    "default-path-cycle",
    ERROR,
    Remedy(
        "Correct the default path that leads back.",
        "Messages are cut off after 20 redirects.",
    ),
)
SL_03 = Rule(
    "SL-03",
    "Default paths form a circle",
    "Messages circulate until they are cut after 20 redirects.",
    (DEFAULT_PATH_CYCLE,),
    check=True,
)
EXCEPTION_DESTINATION_NOT_FOUND = FindingKind(
    "exception-destination-not-found",
    ERROR,
    Remedy(
        "Create the exception destination, or name one that exists.",
        "Failed messages go to the system exception destination, where nobody may look.",
    ),
)
EXCEPTION_DESTINATION_NO_QUEUE = FindingKind(
    "exception-destination-no-queue",
    ERROR,
    Remedy("Name a queue.", "The system exception destination is used."),
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
)
SL_05 = Rule(
    "SL-05",
    "Exception destination is itself",
    "A destination names itself as its exception destination.",
    (EXCEPTION_DESTINATION_IS_ITSELF,),
    check=True,
)
EXCEPTION_CYCLE = FindingKind(
    "exception-cycle",
    WARNING,
    Remedy("Name a queue outside the circle.", "A failed message goes round."),
)
SL_06 = Rule(
    "SL-06",
    "Exception destinations form a circle",
    "Exception destinations lead back to the first.",
    (EXCEPTION_CYCLE,),
    check=True,
)
LIMIT_WITHOUT_EXCEPTION_DESTINATION = FindingKind("limit-without-exception-destination", WARNING)
SL_07 = Rule(
    "SL-07",
    "Limit without exception destination",
    "A limit of failed deliveries is set, but there is no exception destination to go to.",
    (LIMIT_WITHOUT_EXCEPTION_DESTINATION,),
    check=True,
)
SERVICE_WITHOUT_PATH = FindingKind(
    "service-without-path",
    ERROR,
    Remedy("Set a default path on the service.", "Every request to it fails."),
)
SL_08 = Rule(
    "SL-08",
    "Service without a path",
    "A service destination has no default path, so every message fails.",
    (SERVICE_WITHOUT_PATH,),
    check=True,
)
ALIAS_CYCLE = FindingKind(
    "alias-cycle",
    ERROR,
    Remedy("Point one of the aliases at a queue.", "Messages to these names are refused."),
)
SL_09 = Rule(
    "SL-09",
    "Aliases form a circle",
    "A chain of aliases leads back to itself.",
    (ALIAS_CYCLE,),
    check=True,
)
ALIAS_TARGETS_SERVICE = FindingKind("alias-targets-service", ERROR)
SL_10 = Rule(
    "SL-10",
    "Alias of a service",
    "An alias leads to a service destination.",
    (ALIAS_TARGETS_SERVICE,),
    check=True,
)
PATH_ELEMENT_WITHOUT_BUS = FindingKind("path-element-without-bus", WARNING)
SL_11 = Rule(
    "SL-11",
    "Element without a bus",
    "A path element without a bus follows one on another bus and is looked up there.",
    (PATH_ELEMENT_WITHOUT_BUS,),
    check=True,
)
REPLY_DESTINATION_UNUSED = FindingKind("reply-destination-unused", INFO)
SL_12 = Rule(
    "SL-12",
    "Reply destination never used",
    "No path passes the destination, so its reply destination has no effect.",
    (REPLY_DESTINATION_UNUSED,),
    check=True,
)
ALIAS_TARGET_NOT_USABLE = FindingKind("alias-target-not-usable", ERROR)
SL_13 = Rule(
    "SL-13",
    "Liberty alias without target",
    "A Liberty alias leads to an alias or to an unknown destination.",
    (ALIAS_TARGET_NOT_USABLE,),
    check=True,
)
SL_14 = Rule(
    "SL-14",
    "Liberty queue that names itself",
    "A Liberty queue is its own exception destination.",
    (EXCEPTION_DESTINATION_IS_ITSELF,),
    check=True,
)
MEDIATION_LEAVES_REVERSE_PATH = FindingKind("mediation-leaves-reverse-path", WARNING)
SL_15 = Rule(
    "SL-15",
    "Mediation without the way back",
    "A mediation changes the path of requests but not that of replies.",
    (MEDIATION_LEAVES_REVERSE_PATH,),
    check=True,
)
PATH_ELEMENT_BY_GUESS = FindingKind("path-element-by-guess", WARNING)
A_9 = Rule(
    "A-9",
    "Spellings of routing paths",
    "Both spellings in files are read.",
    (PATH_ELEMENT_BY_GUESS,),
)
NO_ID = FindingKind("no-id", WARNING)
NO_MESSAGING_FEATURE = FindingKind("no-messaging-feature", WARNING)
A4_3 = Rule(
    "A4.3",
    "Liberty alias of an alias",
    "It is assumed to take no messages.",
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
