"""The rules of MQe that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING

PUSH_LEADS_NOWHERE = FindingKind("push-leads-nowhere", WARNING)
NOT_COLLECTED = FindingKind(
    "not-collected",
    WARNING,
    Remedy(
        (
            "Define the home-server queue that collects them, or import the files of "
            "that queue manager."
        ),
        "The messages wait at {server} until somebody collects them.",
    ),
)
EL_01 = Rule(
    "EL-01",
    "Nobody collects",
    "A store-and-forward queue keeps messages for a queue manager that does not collect them.",
    (
        PUSH_LEADS_NOWHERE,
        NOT_COLLECTED,
    ),
    check=True,
)
HOME_SERVER_NOT_LOADED = FindingKind("home-server-not-loaded", WARNING)
COLLECTS_NOTHING = FindingKind(
    "collects-nothing",
    ERROR,
    Remedy(
        "Define the store-and-forward queue, or correct the name.",
        "{server} gets none of the messages kept for it.",
    ),
)
EL_02 = Rule(
    "EL-02",
    "Collects from nothing",
    "A home-server queue collects from a store-and-forward queue that does not exist.",
    (
        HOME_SERVER_NOT_LOADED,
        COLLECTS_NOTHING,
    ),
    check=True,
)
LISTED_TWICE = FindingKind("listed-twice", WARNING)
EL_03 = Rule(
    "EL-03",
    "Listed twice",
    "Two store-and-forward queues of a queue manager list the same target.",
    (LISTED_TWICE,),
    check=True,
)
VIA_LEADS_NOWHERE = FindingKind(
    "via-leads-nowhere",
    ERROR,
    Remedy("Define the missing connection.", "Messages over it cannot be sent."),
)
EL_04 = Rule(
    "EL-04",
    "No direct connection",
    "A chain of via connections does not end in a direct one.",
    (VIA_LEADS_NOWHERE,),
    check=True,
)
ALIAS_CIRCLE = FindingKind(
    "alias-circle",
    ERROR,
    Remedy("Correct one of the aliases.", "A put to these names fails."),
)
EL_05 = Rule(
    "EL-05",
    "Aliases form a circle",
    "Aliases of queue managers refer to each other.",
    (ALIAS_CIRCLE,),
    check=True,
)
ALIAS_HIDDEN = FindingKind("alias-hidden", WARNING)
EL_06 = Rule(
    "EL-06",
    "Hidden alias",
    "An alias has the name of another queue, which wins.",
    (ALIAS_HIDDEN,),
    check=True,
)
LISTS_ITSELF = FindingKind("lists-itself", WARNING)
EL_07 = Rule(
    "EL-07",
    "Lists itself",
    "A store-and-forward queue lists its own queue manager.",
    (LISTS_ITSELF,),
    check=True,
)
PUSH_CIRCLE = FindingKind(
    "push-circle",
    ERROR,
    Remedy(
        "Remove one of the pushes.",
        "Messages go round for ever and never reach a receiver.",
    ),
)
EL_08 = Rule(
    "EL-08",
    "Pushes form a circle",
    "Store-and-forward queues push the messages for one target in a circle.",
    (PUSH_CIRCLE,),
    check=True,
)
DESCRIBED_TWICE = FindingKind("described-twice", ERROR)
OBJECT_TWICE = FindingKind("object-twice", ERROR)
SECTION_B1 = Rule(
    "B1",
    "Objects",
    "Which objects a queue manager has; each of them is described once.",
    (
        DESCRIBED_TWICE,
        OBJECT_TWICE,
    ),
)
DOUBLED_KEY = FindingKind("doubled-key", ERROR)
DOUBLED_NAME = FindingKind("doubled-name", WARNING)
INVALID_NAME = FindingKind("invalid-name", ERROR)
NO_QUEUE_MANAGERS = FindingKind("no-queue-managers", WARNING)
NOT_UNDERSTOOD = FindingKind("not-understood", ERROR)
QUEUE_MANAGER_WITHOUT_NAME = FindingKind("queue-manager-without-name", ERROR)
UNKNOWN_KEY = FindingKind(
    "unknown-key",
    WARNING,
    Remedy(
        "Correct the spelling of this key, or remove it.",
        "{server} does not run with what this entry says.",
    ),
)
SECTION_B4 = Rule(
    "B4",
    "Form of the YAML file",
    "How a queue manager, its connections and its queues are written.",
    (
        DOUBLED_KEY,
        DOUBLED_NAME,
        INVALID_NAME,
        NO_QUEUE_MANAGERS,
        NOT_UNDERSTOOD,
        QUEUE_MANAGER_WITHOUT_NAME,
        UNKNOWN_KEY,
    ),
)
