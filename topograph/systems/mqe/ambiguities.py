"""What mqe.md leaves open (B6): the readings to choose from, the first being that of the rules."""

from __future__ import annotations

from topograph.systems.contract.ambiguities import Ambiguity, fixed

B1 = Ambiguity(
    "B-1",
    "L",
    {
        "discovered": (
            "queues are discovered under the conditions of E-06, wherever a queue manager "
            "does not turn discovery off itself"
        ),
        "never": "no queue manager discovers queues",
    },
)
B2 = Ambiguity(
    "B-2",
    "L",
    {
        "any": "of several store-and-forward queues for one queue manager any may take a message",
        "first": (
            "of several store-and-forward queues for one queue manager the first defined "
            "takes every message"
        ),
    },
)
B4 = Ambiguity(
    "B-4",
    "M",
    {
        "applied": (
            "aliases of queue managers apply to messages that a store-and-forward queue of "
            "another queue manager pushes here (E-13)"
        ),
        "not_applied": (
            "a message that a store-and-forward queue pushes is for the queue manager that "
            "its stored destination names"
        ),
    },
)
B5 = Ambiguity(
    "B-5",
    "L",
    {
        "stored": (
            "a store-and-forward queue that lists its own queue manager takes messages for "
            "its missing queues (E-08)"
        ),
        "fails": (
            "a put for a missing queue fails, also where a store-and-forward queue lists its "
            "own queue manager"
        ),
    },
)
B6 = Ambiguity(
    "B-6",
    "L",
    {
        "fails": (
            "a put to a queue manager's name whose aliases refer to each other in a circle fails"
        ),
        "as_it_is": (
            "a queue manager's name whose aliases refer to each other in a circle is taken as it is"
        ),
    },
)
B9 = Ambiguity(
    "B-9",
    "L",
    {
        "not_needed": (
            "a via connection needs no connection definition for the queue manager that it goes via"
        ),
        "needed": (
            "a via connection needs a connection definition for the queue manager that it goes via"
        ),
    },
)

AMBIGUITIES = (
    B1,
    B2,
    fixed(
        "B-3",
        (
            "documented virtual queue managers (E-22) work only if the destination is "
            "resolved again on the way"
        ),
    ),
    B4,
    B5,
    B6,
    fixed("B-7", "an alias matches with the name of the queue's queue manager (E-03)"),
    fixed("B-8", "it follows from E-01, which comes before queues are looked for"),
    B9,
)
