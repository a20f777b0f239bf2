"""Every rule of MQe, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule, checks_of, mqe_findings
from topograph.rules.mqe_findings import (
    SECTION_B1,
    SECTION_B4,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "": (
        Rule(
            "E-01",
            "Queue manager alias",
            "An alias of the target queue manager is replaced first.",
        ),
        Rule(
            "E-02",
            "Exact match",
            "A queue definition with the same queue and queue manager name takes the message.",
        ),
        Rule(
            "E-03",
            "Queue alias",
            "If no name matches, a queue with that alias takes the message.",
        ),
        Rule(
            "E-04",
            "Store-and-forward queue",
            (
                "If no queue matches, a store-and-forward queue that lists the target queue "
                "manager takes it."
            ),
        ),
        Rule(
            "E-05",
            "Queue discovery",
            (
                "If nothing matches and the target is elsewhere, the queue manager asks for the"
                " queue there."
            ),
        ),
        Rule(
            "E-06",
            "When discovery works",
            (
                "Discovery needs a queue manager that runs Java, a connection definition for "
                "the target, and a target that can be reached."
            ),
        ),
        Rule(
            "E-07",
            "Put fails",
            "If nothing takes the message, the application gets an error.",
        ),
        Rule(
            "E-08",
            "Missing local queue",
            (
                "A message for a missing local queue can still be taken by a store-and-forward "
                "queue that lists this queue manager."
            ),
        ),
        Rule(
            "E-10",
            "Synchronous remote queue",
            (
                "The message is put on the other queue manager at once; if it cannot be "
                "reached, the put fails."
            ),
        ),
        Rule(
            "E-11",
            "Asynchronous remote queue",
            "The message is stored here and sent when the connection permits.",
        ),
        Rule(
            "E-12",
            "Target refuses",
            "If the target does not take a stored message, it stays on the sending queue.",
        ),
        Rule(
            "E-13",
            "Store-and-forward that pushes",
            "The queue sends its messages to a queue manager, which looks for their queue.",
        ),
        Rule(
            "E-14",
            "Store-and-forward that waits",
            "Messages wait until a home-server queue collects them.",
        ),
        Rule(
            "E-15",
            "Home-server queue",
            (
                "It collects messages and puts them on their queue; if that is missing, a rule "
                "decides."
            ),
        ),
        Rule(
            "E-16",
            "Home-server queues take no puts",
            "Nobody can put a message on a home-server queue.",
        ),
        Rule(
            "E-20",
            "Connection to the next queue manager",
            (
                "A connection definition with the name of the target, direct or via another, is"
                " needed."
            ),
        ),
        Rule(
            "E-21",
            "Resolved again on the way",
            "A queue manager on the way looks up the destination again.",
        ),
        Rule(
            "E-22",
            "Virtual queue manager",
            "An alias on the way can take all messages for a name that does not exist.",
        ),
        Rule(
            "E-23",
            "Where an alias works",
            (
                "An alias on the sender is replaced before the message leaves; one on the "
                "receiver lets it answer to several names."
            ),
        ),
        Rule(
            "E-30",
            "To IBM MQ",
            "A bridge queue hands the message to an IBM MQ queue manager.",
        ),
        Rule(
            "E-31",
            "From IBM MQ",
            (
                "A listener reads a transmission queue of IBM MQ and puts its messages on the "
                "MQe network."
            ),
        ),
        Rule(
            "E-40",
            "No limit to circles",
            "Store-and-forward queues that push to each other send a message round for ever.",
        ),
    ),
    "Checks": checks_of(mqe_findings),
    "Readings of what the documentation leaves open": (
        Rule(
            "B-1",
            "When queues are discovered",
            "The documented conditions are assumed to be all.",
        ),
        Rule(
            "B-2",
            "Several store-and-forward queues",
            "Any of those that list the target may take a message.",
        ),
        Rule(
            "B-3",
            "Destinations are looked up on the way",
            "Documented networks work only if they are.",
        ),
        Rule(
            "B-4",
            "Aliases and pushed messages",
            "Aliases are assumed to apply to messages that are pushed here.",
        ),
        Rule(
            "B-5",
            "A queue manager that lists itself",
            "Its store-and-forward queue is assumed to take messages for its missing queues.",
        ),
        Rule(
            "B-6",
            "Aliases in a circle",
            "A put to such a name is assumed to fail.",
        ),
        Rule(
            "B-7",
            "Aliases of queues",
            "An alias matches together with the queue manager's name.",
        ),
        Rule(
            "B-8",
            "Alias before connection",
            "An alias is replaced before a connection is looked for.",
        ),
        Rule(
            "B-9",
            "Connections via another",
            "The queue manager in between is assumed to need no connection definition.",
        ),
    ),
    "Sections of the specification, which findings about the form of files and commands cite": (
        SECTION_B1,
        SECTION_B4,
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
