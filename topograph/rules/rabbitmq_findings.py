"""The rules of RabbitMQ that findings rest on: those about the form of definitions, and those that
checks cite.
"""

from __future__ import annotations

from topograph.findings import Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO
WALKED = Bearing("walked")

NOT_UNDERSTOOD = FindingKind(
    "not-understood",
    WARNING,
    Remedy(
        "Export the definitions again; if the entry is as the broker writes it, report it.",
        "The entry is left out: answers about {server} are undetermined where it may matter.",
    ),
    "server",
    Bearing("opens"),
)
FILE_CUT_OFF = FindingKind(
    "definitions-cut-off",
    ERROR,
    Remedy(
        "Import the whole of {file}.",
        "It is not known what is behind its end: answers about {server} are undetermined.",
    ),
    "server",
    Bearing("opens"),
)
VHOST_NOT_STATED = FindingKind(
    "vhost-not-stated",
    WARNING,
    Remedy(
        "Import an export of the whole cluster (`rabbitmqctl export_definitions`).",
        "The objects may be those of another virtual host.",
    ),
    "server",
    Bearing("nothing", "Where messages go within the virtual host does not depend on its name."),
)
RQ_28 = Rule(
    "RQ-28",
    "Definitions",
    "A file of definitions holds a cluster, or one virtual host of it.",
    (NOT_UNDERSTOOD, FILE_CUT_OFF, VHOST_NOT_STATED),
)
