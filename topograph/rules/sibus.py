"""Every rule of SIBus, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule, checks_of, sibus_findings
from topograph.rules.sibus_findings import (
    A4_3,
    A_9,
    S_18,
    S_48,
    SECTION_A1_1,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "Forward and reply paths (FRP and RRP)": (
        Rule(
            "S-01",
            "What happens on arrival",
            (
                "A destination applies reliability, reply destination, default path and "
                "mediation in this order."
            ),
        ),
        Rule(
            "S-02",
            "Default reliability",
            "A message without a reliability takes that of the destination.",
        ),
        Rule(
            "S-03",
            "Sending not allowed",
            "A destination that does not allow sending refuses messages of applications.",
        ),
        Rule(
            "S-04",
            "The sender's path wins",
            "A path that the application gives replaces every default path.",
        ),
        Rule(
            "S-05",
            "Default path",
            (
                "A message that arrives without a path gets the destination's default forward "
                "routing path."
            ),
        ),
        Rule(
            "S-06",
            "End of the path",
            "Without a path the message stays: stored on a queue, or published in a topic space.",
        ),
        Rule(
            "S-07",
            "Next element of the path",
            "A message with a path goes to its first element and keeps the rest.",
        ),
        Rule(
            "S-08",
            "Path leads nowhere",
            (
                "If an element of the path cannot be found, the message goes to the exception "
                "destination."
            ),
        ),
        Rule(
            "S-09",
            "Too many redirects",
            "After 20 redirects a message goes to the exception destination.",
        ),
        Rule(
            "S-10",
            "Reply destination",
            "A destination with a reply destination puts it at the front of the reply path.",
        ),
        Rule(
            "S-11",
            "Reply path across buses",
            "Elements of the reply path without a bus get the name of the bus they passed.",
        ),
        Rule(
            "S-12",
            "Path elements without a bus",
            "They are looked up on the bus where the message is.",
        ),
        Rule(
            "S-13",
            "Reply destination once per bus",
            (
                "It is added when a message comes from another bus, not from another engine of "
                "the same bus."
            ),
        ),
        Rule(
            "S-14",
            "Services need a path",
            (
                "A message for a service destination without a path goes to the exception "
                "destination."
            ),
        ),
        Rule(
            "S-15",
            "Path left at a topic space",
            (
                "A topic space cannot pass a message on along a path: it goes to the exception "
                "destination."
            ),
        ),
        Rule(
            "S-16",
            "Bypassed destinations",
            (
                "The engine does not store a message on unmediated destinations in the middle "
                "of a path."
            ),
        ),
        Rule(
            "S-17",
            "What a bypass skips",
            (
                "A bypassed destination does not apply its reply destination, default path or "
                "sending permission."
            ),
        ),
        S_18,
        Rule(
            "S-19",
            "No queue point",
            "If no queue point can take the message, it goes to the exception destination.",
        ),
        Rule(
            "S-20",
            "Crossing a bus link",
            "A message crosses to another bus with the rest of its path and goes on there.",
        ),
        Rule(
            "S-21",
            "Looking up a name",
            "A name without a bus is looked up on the local bus.",
        ),
        Rule(
            "S-22",
            "Aliases use their own path",
            (
                "An alias uses its own default path and reply destination only, not those of "
                "its target."
            ),
        ),
        Rule(
            "S-23",
            "What an alias inherits",
            "An alias takes its exception destination and unset attributes from its target.",
        ),
        Rule(
            "S-24",
            "Chains of aliases",
            "An alias may lead to an alias; one that leads back is invalid.",
        ),
        Rule(
            "S-25",
            "Alias for some queue points",
            "Only the queue points that the alias names are used.",
        ),
        Rule(
            "S-26",
            "Foreign destinations",
            ("A foreign destination stands for the same name on another bus and has no paths."),
        ),
        Rule(
            "S-27",
            "Temporary destinations",
            "The name of a temporary destination tells which engine owns it.",
        ),
        Rule(
            "S-28",
            "Queue or topic",
            (
                "A sender that asks for a queue gets no topic space, and one that asks for a topic"
                " no queue."
            ),
        ),
        Rule(
            "S-30",
            "Mediation",
            "An enabled mediation handles every message that arrives.",
        ),
        Rule(
            "S-31",
            "Mediation fails",
            "If a mediation fails, the original message goes to the exception destination.",
        ),
        Rule(
            "S-32",
            "Mediations and reply paths",
            "A mediation that changes the forward path has to change the reply path too.",
        ),
        Rule(
            "S-33",
            "Mediations are opaque",
            "A mediation is code; answers show every possibility.",
        ),
        Rule(
            "S-40",
            "Discard before exception",
            "A message at or below the discard reliability is deleted in place of being moved.",
        ),
        Rule(
            "S-41",
            "No exception destination",
            "Without an exception destination the message stays and is tried again.",
        ),
        Rule(
            "S-42",
            "System exception destination",
            "`$DEFAULT_EXCEPTION_DESTINATION` stands for that of the messaging engine.",
        ),
        Rule(
            "S-43",
            "Exception destination unusable",
            "If the configured one cannot be used, the system exception destination is used.",
        ),
        Rule(
            "S-44",
            "What an exception changes",
            "A message that is moved loses its path and gets a reason.",
        ),
        Rule(
            "S-45",
            "Exception destinations are ordinary",
            "The message arrives there like any other.",
        ),
        Rule(
            "S-46",
            "Redelivery limit",
            "After maxFailedDeliveries failures a message goes to the exception destination.",
        ),
        Rule(
            "S-47",
            "Late replies",
            "A message over a link for a temporary destination that is gone is deleted.",
        ),
        S_48,
        Rule(
            "S-49",
            "End of the exceptions",
            "The system exception destination has none itself: what fails there stays.",
        ),
        Rule(
            "S-50",
            "How to reply",
            "The reply goes to the first element of the request's reply path and along the rest.",
        ),
        Rule(
            "S-51",
            "Reply-to of JMS",
            "The reply-to of a JMS message ends its reply path.",
        ),
        Rule(
            "S-52",
            "Way of the reply",
            "A reply passes the elements of the reply path in order.",
        ),
        Rule(
            "S-60",
            "Publishing",
            "Each matching subscription gets a copy; without one the message is deleted.",
        ),
        Rule(
            "S-61",
            "Publications to other buses",
            "They cross a link only for topic spaces that are mapped.",
        ),
        Rule(
            "S-62",
            "Ways to another bus",
            "A foreign bus is reached over a link of an engine, or over another bus.",
        ),
        Rule(
            "S-63",
            "IBM MQ as a bus",
            "A bus that stands for IBM MQ hands messages to a queue manager; paths end there.",
        ),
    ),
    "Checks": checks_of(sibus_findings),
    "Readings of what the documentation leaves open": (
        Rule(
            "A-1",
            "Reply destinations in the middle",
            (
                "Unmediated destinations in the middle of a path are assumed to add their reply"
                " destination, as documented."
            ),
        ),
        Rule(
            "A-2",
            "What a topic space does with a path",
            "The message is assumed to go to the exception destination.",
        ),
        Rule(
            "A-3",
            "Alias without a path",
            "The default path of the target is assumed not to apply.",
        ),
        Rule(
            "A-4",
            "Default path at the last element",
            "It is assumed to apply to a message that a path brings there.",
        ),
        Rule(
            "A-5",
            "Which exception destination",
            "If a path breaks off, that of the last destination found is assumed.",
        ),
        Rule(
            "A-6",
            "Redelivery without exception destination",
            "The message is assumed to be tried again at intervals, as in 8.5 and later.",
        ),
        Rule(
            "A-7",
            "What counts as a redirect",
            "Leaving a destination by its default path is assumed to count.",
        ),
        Rule(
            "A-8",
            "Element without a bus after a crossing",
            "It is assumed to be on the bus where the message is.",
        ),
        A_9,
        Rule(
            "A-10",
            "Bus of an exception destination",
            "It is on the bus of its destination.",
        ),
        Rule(
            "A-11",
            "Path to a closed destination",
            "A destination that does not allow sending is assumed to take what a path brings.",
        ),
        A4_3,
    ),
    "Sections of the specification, which findings about the form of files and commands cite": (
        SECTION_A1_1,
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
