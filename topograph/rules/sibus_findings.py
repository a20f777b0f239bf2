"""The rules of SIBus that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

S_18 = Rule(
    "S-18",
    "Rights along the path",
    "The sender needs the right to send to every element of the path.",
    (FindingKind("permission-not-evaluated", WARNING),),
)
S_48 = Rule(
    "S-48",
    "Deleted destination",
    "Its messages go to the system exception destination, or are deleted if the bus says so.",
    (
        FindingKind("held-messages", WARNING),
        FindingKind("bus-deleted", WARNING),
    ),
)
SL_01 = Rule(
    "SL-01",
    "Path element missing",
    "A routing path names a destination that does not exist.",
    (FindingKind("path-element-not-found", ERROR),),
    check=True,
)
SL_02 = Rule(
    "SL-02",
    "Topic space inside a path",
    "A routing path contains a topic space where none may stand.",
    (FindingKind("topic-space-in-path", WARNING),),
    check=True,
)
SL_03 = Rule(
    "SL-03",
    "Default paths form a circle",
    "Messages circulate until they are cut after 20 redirects.",
    (
        FindingKind(
            "default-path-cycle",
            ERROR,
            Remedy(
                "Correct the default path that leads back.",
                "Messages are cut off after 20 redirects.",
            ),
        ),
    ),
    check=True,
)
SL_04 = Rule(
    "SL-04",
    "Exception destination missing",
    "The exception destination does not exist or is not a queue.",
    (
        FindingKind(
            "exception-destination-not-found",
            ERROR,
            Remedy(
                "Create the exception destination, or name one that exists.",
                "Failed messages go to the system exception destination, where nobody may look.",
            ),
        ),
        FindingKind(
            "exception-destination-no-queue",
            ERROR,
            Remedy("Name a queue.", "The system exception destination is used."),
        ),
    ),
    check=True,
)
SL_05 = Rule(
    "SL-05",
    "Exception destination is itself",
    "A destination names itself as its exception destination.",
    (
        FindingKind(
            "exception-destination-is-itself",
            WARNING,
            Remedy("Name another queue.", "A failed message comes back to it."),
        ),
    ),
    check=True,
)
SL_06 = Rule(
    "SL-06",
    "Exception destinations form a circle",
    "Exception destinations lead back to the first.",
    (
        FindingKind(
            "exception-cycle",
            WARNING,
            Remedy("Name a queue outside the circle.", "A failed message goes round."),
        ),
    ),
    check=True,
)
SL_07 = Rule(
    "SL-07",
    "Limit without exception destination",
    "A limit of failed deliveries is set, but there is no exception destination to go to.",
    (FindingKind("limit-without-exception-destination", WARNING),),
    check=True,
)
SL_08 = Rule(
    "SL-08",
    "Service without a path",
    "A service destination has no default path, so every message fails.",
    (
        FindingKind(
            "service-without-path",
            ERROR,
            Remedy("Set a default path on the service.", "Every request to it fails."),
        ),
    ),
    check=True,
)
SL_09 = Rule(
    "SL-09",
    "Aliases form a circle",
    "A chain of aliases leads back to itself.",
    (
        FindingKind(
            "alias-cycle",
            ERROR,
            Remedy("Point one of the aliases at a queue.", "Messages to these names are refused."),
        ),
    ),
    check=True,
)
SL_10 = Rule(
    "SL-10",
    "Alias of a service",
    "An alias leads to a service destination.",
    (FindingKind("alias-targets-service", ERROR),),
    check=True,
)
SL_11 = Rule(
    "SL-11",
    "Element without a bus",
    "A path element without a bus follows one on another bus and is looked up there.",
    (FindingKind("path-element-without-bus", WARNING),),
    check=True,
)
SL_12 = Rule(
    "SL-12",
    "Reply destination never used",
    "No path passes the destination, so its reply destination has no effect.",
    (FindingKind("reply-destination-unused", INFO),),
    check=True,
)
SL_13 = Rule(
    "SL-13",
    "Liberty alias without target",
    "A Liberty alias leads to an alias or to an unknown destination.",
    (FindingKind("alias-target-not-usable", ERROR),),
    check=True,
)
SL_14 = Rule(
    "SL-14",
    "Liberty queue that names itself",
    "A Liberty queue is its own exception destination.",
    (
        FindingKind(
            "exception-destination-is-itself",
            WARNING,
            Remedy("Name another queue.", "A failed message comes back to it."),
        ),
    ),
    check=True,
)
SL_15 = Rule(
    "SL-15",
    "Mediation without the way back",
    "A mediation changes the path of requests but not that of replies.",
    (FindingKind("mediation-leaves-reverse-path", WARNING),),
    check=True,
)
A_9 = Rule(
    "A-9",
    "Spellings of routing paths",
    "Both spellings in files are read.",
    (FindingKind("path-element-by-guess", WARNING),),
)
A4_3 = Rule(
    "A4.3",
    "Liberty alias of an alias",
    "It is assumed to take no messages.",
    (
        FindingKind("no-id", WARNING),
        FindingKind("no-messaging-feature", WARNING),
    ),
)
