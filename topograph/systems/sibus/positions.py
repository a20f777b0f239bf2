"""The readings that answers rest on where the rules leave something open (sibus.md A6, and rules marked as derived)."""

from __future__ import annotations

from dataclasses import replace

from topograph.assumptions import Assumption

A1 = Assumption(
    "A-1",
    "M",
    "destinations without a mediation in the middle of a path add their reply destination (mode doc)",
    "they are bypassed and add none (--mode engine)",
)
A1_ENGINE = Assumption(
    "A-1",
    "M",
    "destinations without a mediation in the middle of a path are bypassed: they add no reply destination (mode engine)",
    "each adds its reply destination (--mode doc)",
)
S17 = Assumption(
    "S-17", "M", "reply destinations, default paths and send permissions of bypassed destinations are not looked at"
)
A2 = Assumption(
    "A-2",
    "M",
    "a topic space that gets a message with elements left in its path sends it to its exception destination",
    "the sender gets the error 37 (REJECTED)",
)
A2_ENGINE = replace(
    A2,
    text="the sender to a topic space with a path gets the error 37 (mode engine)",
    alternative="the message goes to the exception destination of the topic space",
)
A3 = Assumption(
    "A-3",
    "M",
    "an alias without a path of its own skips the default path of its target",
    "the default path of the target applies",
)
A4 = Assumption(
    "A-4",
    "M",
    "the default path of a destination also applies to a message that a path brings there",
    "the message stays at that destination",
)
A5 = Assumption(
    "A-5",
    "M",
    "the exception destination of a path that breaks off is that of the last element found",
    "that of the destination at which the path began",
)
A6 = Assumption(
    "A-6",
    "M",
    "without an exception destination the message is tried up to the limit and then again at each retry interval (8.5 and later)",
    "the limit is ignored (6.0, 6.1)",
)
A7 = Assumption(
    "A-7",
    "M",
    "a redirect is counted when a message leaves a destination that filled its path from the default",
    "every element of a path counts, or every walk of an engine (--mode engine)",
)
A8 = Assumption(
    "A-8",
    "M",
    "a path element without a bus name, taken on another bus than the path began on, is on that other bus",
    "it is on the bus on which the path began",
)
S12 = Assumption("S-12", "M", "a path element without a bus name is on the bus that takes it from the path")
A11 = Assumption(
    "A-11", "L", "a destination that does not allow sending takes messages that a path brings", "it refuses them"
)
S27 = Assumption(
    "S-27", "M", "the temporary destination exists", "the message goes to an exception destination, or is discarded"
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
    "what a mediation does is not in the files: it may pass a message, delete it, rewrite its path or reject it",
)
S45 = Assumption(
    "S-45",
    "M",
    "a message enters its exception destination like any other: default path, reply destination and mediation apply",
    "it stays there",
)
S46 = Assumption("S-46", "M", "failed deliveries are counted alike at every queue point")
S61 = Assumption("S-61", "M", "the topic space of the other bus publishes what crosses the link")
LIBERTY_ALIAS = Assumption(
    "A4.3", "L", "an alias whose target is an alias, or is not configured, takes no messages", "it leads on like others"
)
SEVERAL_ENGINES = Assumption("S-42", "M", "any messaging engine of the bus may do the work")
