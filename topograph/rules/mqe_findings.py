"""The rules of MQe that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING

EL_01 = Rule(
    "EL-01",
    "Nobody collects",
    "A store-and-forward queue keeps messages for a queue manager that does not collect them.",
    (
        FindingKind("push-leads-nowhere", WARNING),
        FindingKind(
            "not-collected",
            WARNING,
            Remedy(
                (
                    "Define the home-server queue that collects them, or import the files of "
                    "that queue manager."
                ),
                "The messages wait at {server} until somebody collects them.",
            ),
        ),
    ),
    check=True,
)
EL_02 = Rule(
    "EL-02",
    "Collects from nothing",
    "A home-server queue collects from a store-and-forward queue that does not exist.",
    (
        FindingKind("home-server-not-loaded", WARNING),
        FindingKind(
            "collects-nothing",
            ERROR,
            Remedy(
                "Define the store-and-forward queue, or correct the name.",
                "{server} gets none of the messages kept for it.",
            ),
        ),
    ),
    check=True,
)
EL_03 = Rule(
    "EL-03",
    "Listed twice",
    "Two store-and-forward queues of a queue manager list the same target.",
    (FindingKind("listed-twice", WARNING),),
    check=True,
)
EL_04 = Rule(
    "EL-04",
    "No direct connection",
    "A chain of via connections does not end in a direct one.",
    (
        FindingKind(
            "via-leads-nowhere",
            ERROR,
            Remedy("Define the missing connection.", "Messages over it cannot be sent."),
        ),
    ),
    check=True,
)
EL_05 = Rule(
    "EL-05",
    "Aliases form a circle",
    "Aliases of queue managers refer to each other.",
    (
        FindingKind(
            "alias-circle",
            ERROR,
            Remedy("Correct one of the aliases.", "A put to these names fails."),
        ),
    ),
    check=True,
)
EL_06 = Rule(
    "EL-06",
    "Hidden alias",
    "An alias has the name of another queue, which wins.",
    (FindingKind("alias-hidden", WARNING),),
    check=True,
)
EL_07 = Rule(
    "EL-07",
    "Lists itself",
    "A store-and-forward queue lists its own queue manager.",
    (FindingKind("lists-itself", WARNING),),
    check=True,
)
EL_08 = Rule(
    "EL-08",
    "Pushes form a circle",
    "Store-and-forward queues push the messages for one target in a circle.",
    (
        FindingKind(
            "push-circle",
            ERROR,
            Remedy(
                "Remove one of the pushes.",
                "Messages go round for ever and never reach a receiver.",
            ),
        ),
    ),
    check=True,
)
