"""The rules of MQe that findings rest on: the lint rules, and those that findings
about the form of files, about commands and about what runs cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING

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
