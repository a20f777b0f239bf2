"""What sibus.md leaves open (A6, the limit of S-09, A4.3): the readings to choose from, the
first being that of the rules.
"""

from __future__ import annotations

from topograph.systems.contract.ambiguities import Ambiguity, fixed
from topograph.systems.sibus.buses.terms import LIMIT

A1 = Ambiguity(
    "A-1",
    "M",
    {
        "doc": (
            "destinations without a mediation in the middle of a path add their reply "
            "destination (mode doc)"
        ),
        "engine": (
            "destinations without a mediation in the middle of a path are bypassed: they add "
            "no reply destination (mode engine)"
        ),
    },
)
A2 = Ambiguity(
    "A-2",
    "M",
    {
        "exception": (
            "a topic space that gets a message with elements left in its path sends it to "
            "its exception destination"
        ),
        "rejected": "the sender to a topic space with a path gets the error 37 (REJECTED)",
    },
)
"""Unless it is stated, the mode chooses: ``exception`` in mode doc, ``rejected`` in mode engine."""
A3 = Ambiguity(
    "A-3",
    "M",
    {
        "skip": "an alias without its own path skips the default path of its target",
        "apply": "the default path of the target applies",
    },
)
A4 = Ambiguity(
    "A-4",
    "M",
    {
        "apply": (
            "the default path of a destination also applies to a message that a path brings there"
        ),
        "stay": "a message that a path brings to its last destination stays at that destination",
    },
)
A5 = Ambiguity(
    "A-5",
    "M",
    {
        "last_found": (
            "the exception destination of a path that breaks off is that of the last element found"
        ),
        "path_start": (
            "the exception destination of a path that breaks off is that of the destination "
            "at which the path began, if that is on the same bus"
        ),
    },
)
A6 = Ambiguity(
    "A-6",
    "M",
    {
        "retried": (
            "without an exception destination the message is tried up to the limit and then "
            "again at each retry interval (8.5 and later)"
        ),
        "limit_ignored": (
            "without an exception destination the limit of failed deliveries is ignored (6.0, 6.1)"
        ),
    },
)
A7 = Ambiguity(
    "A-7",
    "M",
    {
        "defaults": (
            "a redirect is counted when a message leaves a destination that filled its path "
            "from the default, in mode doc"
        ),
        "elements": "every element of a path counts as a redirect, in mode doc",
    },
)
S9 = Ambiguity(
    "S-09", "H", {"": "redirects of one message before it goes to an exception destination"}, LIMIT
)
A8 = Ambiguity(
    "A-8",
    "M",
    {
        "current_bus": (
            "a path element without a bus name, taken on another bus than the path began on, "
            "is on that other bus"
        ),
        "first_bus": "a path element without a bus name is on the bus on which the path began",
    },
)
A11 = Ambiguity(
    "A-11",
    "L",
    {
        "taken": "a destination that does not allow sending takes messages that a path brings",
        "refused": (
            "a destination that does not allow sending refuses messages that a path brings: "
            "they go to its exception destination"
        ),
    },
)

AMBIGUITIES = (
    A1,
    A2,
    A3,
    A4,
    A5,
    A6,
    A7,
    A8,
    fixed("A-9", "it is about how files are read, and both spellings are"),
    fixed("A-10", "an exception destination is a bare name on the bus of its destination"),
    A11,
    S9,
    fixed("A4.3", "the engine of Liberty was seen to refuse messages to an alias of an alias"),
)
