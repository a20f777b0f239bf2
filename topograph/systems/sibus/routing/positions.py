"""What answers rest on by rules that are marked as derived; positions that may be decided
otherwise are ``ambiguities``.
"""

from __future__ import annotations

from topograph.assumptions import Assumption

S17 = Assumption(
    "S-17",
    "M",
    (
        "reply destinations, default paths and send permissions of bypassed destinations are "
        "not looked at"
    ),
)
S12 = Assumption(
    "S-12", "M", "a path element without a bus name is on the bus that takes it from the path"
)
S27 = Assumption(
    "S-27",
    "M",
    "the temporary destination exists",
    "the message goes to an exception destination, or is discarded",
)
S30 = Assumption(
    "S-30",
    "M",
    "no mediation is attached but those in the loaded files",
    "a mediation may do anything with the message",
)
S33 = Assumption(
    "S-33",
    "M",
    (
        "what a mediation does is not in the files: it may pass a message, delete it, "
        "rewrite its path or reject it"
    ),
)
S45 = Assumption(
    "S-45",
    "M",
    (
        "a message enters its exception destination like any other: default path, reply "
        "destination and mediation apply"
    ),
    "it stays there",
)
S46 = Assumption("S-46", "M", "failed deliveries are counted alike at every queue point")
S62 = Assumption(
    "S-62",
    "M",
    "a foreign bus has the link that its route asks for, though no loaded file shows it",
    "nothing crosses",
)
S61 = Assumption("S-61", "M", "the topic space of the other bus publishes what crosses the link")
SEVERAL_ENGINES = Assumption("S-42", "M", "any messaging engine of the bus may do the work")
