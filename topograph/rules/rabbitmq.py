"""Every rule of RabbitMQ, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule
from topograph.rules.rabbitmq_findings import (
    RQ_7,
    RQ_8,
    RQ_9,
    RQ_11,
    RQ_13,
    RQ_14,
    RQ_17,
    RQ_19,
    RQ_20,
    RQ_21,
    RQ_24,
    RQ_27,
    RQ_28,
    RQ_29,
    RQ_30,
    RQ_31,
    RQ_41,
    RQ_42,
    RQ_47,
)

GROUPS: Mapping[str, Sequence[Rule]] = {
    "Publishing and routing": (
        Rule(
            "RQ-1",
            "Publishing",
            "A client publishes to an exchange that exists and is not internal; else the broker "
            "refuses.",
        ),
        Rule(
            "RQ-2",
            "Default exchange",
            "It has no name, and routes to the queue that is called like the routing key.",
        ),
        Rule("RQ-3", "Direct exchange", "The routing key is the key of the binding."),
        Rule("RQ-4", "Fanout exchange", "Every binding matches."),
        Rule(
            "RQ-5",
            "Topic exchange",
            "Keys are compared word by word: `*` is one word, `#` any number of them.",
        ),
        Rule(
            "RQ-6",
            "Headers exchange",
            "All headers of the binding match, or any, as `x-match` says; values have types.",
        ),
        RQ_7,
        RQ_8,
        RQ_9,
        Rule(
            "RQ-10",
            "Exchanges that choose",
            "One of the bindings is taken: by a hash, or at random.",
        ),
        RQ_11,
    ),
    "Queues": (
        Rule("RQ-12", "Queues keep messages", "A message in a queue waits for its consumers."),
        RQ_13,
        RQ_14,
        Rule(
            "RQ-15",
            "Time to live",
            "The lower one of the queue and the message counts; a dead letter has no `expiration`.",
        ),
        Rule(
            "RQ-16",
            "Length limits",
            "A full queue gives up its oldest message, or refuses the new one, as `overflow` says.",
        ),
    ),
    "Policies": (
        RQ_17,
        Rule(
            "RQ-18",
            "Arguments and policies",
            "Of limits the lower value counts; of the rest, the argument goes before the policy.",
        ),
    ),
    "Between virtual hosts and brokers": (
        RQ_19,
        RQ_20,
        RQ_21,
        Rule(
            "RQ-22",
            "`max-hops`",
            "A message goes over at most so many links, and never to a virtual host where it has "
            "been.",
        ),
        Rule(
            "RQ-23",
            "Federated queues",
            "A queue whose consumers wait takes messages of its upstream: each is in one of them.",
        ),
        RQ_24,
        RQ_27,
    ),
    "Permissions": (
        Rule(
            "RQ-25",
            "Permissions",
            "Publishing needs a write permission whose pattern is found in the name of the "
            "exchange.",
        ),
        Rule(
            "RQ-26",
            "Topic permissions",
            "Where a user has one for a topic exchange, its pattern has to be found in the routing "
            "key too.",
        ),
    ),
    "Files": (RQ_28,),
    "Settings of nodes": (RQ_29, RQ_30, RQ_31),
    "Commands": (
        Rule(
            "RQ-40",
            "Which broker a command is for",
            "The one whose node or host its options name, else the only one that is loaded.",
        ),
        RQ_41,
        RQ_42,
        Rule(
            "RQ-43",
            "Policies and parameters",
            "To set one replaces what has its name; to clear one that is not there is refused.",
        ),
        Rule(
            "RQ-44",
            "Users and permissions",
            "Permissions are those of a user and a virtual host that exist, and go with either.",
        ),
        Rule(
            "RQ-45",
            "Virtual hosts",
            "A new one has the predeclared exchanges; who makes it over the management API gets "
            "all permissions in it.",
        ),
        Rule(
            "RQ-46",
            "Imports",
            "Definitions add to what is there: what an import does not name stays.",
        ),
        RQ_47,
    ),
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
