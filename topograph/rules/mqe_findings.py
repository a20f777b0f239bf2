"""The rules of MQe that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING

DESCRIBED_TWICE = FindingKind("described-twice", ERROR, about="server", bearing=Bearing("walked"))
OBJECT_TWICE = FindingKind("object-twice", ERROR, about="destination", bearing=Bearing("walked"))
SECTION_B1 = Rule(
    "B1",
    "Objects",
    "Which objects a queue manager has; each of them is described once.",
    (
        DESCRIBED_TWICE,
        OBJECT_TWICE,
    ),
)
DOUBLED_KEY = FindingKind("doubled-key", ERROR, about="destination", bearing=Bearing("walked"))
DOUBLED_NAME = FindingKind(
    "doubled-name",
    WARNING,
    about="destination",
    bearing=Bearing("nothing", "A name that occurs twice in a list counts once."),
)
INVALID_NAME = FindingKind("invalid-name", ERROR, about="destination", bearing=Bearing("walked"))
NO_QUEUE_MANAGERS = FindingKind(
    "no-queue-managers", WARNING, about="destination", bearing=Bearing("walked")
)
NOT_UNDERSTOOD = FindingKind("not-understood", ERROR, about="server", bearing=Bearing("walked"))
QUEUE_MANAGER_WITHOUT_NAME = FindingKind(
    "queue-manager-without-name", ERROR, about="server", bearing=Bearing("walked")
)
UNKNOWN_KEY = FindingKind(
    "unknown-key",
    WARNING,
    Remedy(
        "Correct the spelling of this key, or remove it.",
        "{server} does not run with what this entry says.",
    ),
    about="server",
    bearing=Bearing("walked"),
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
