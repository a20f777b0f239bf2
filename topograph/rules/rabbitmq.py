"""Every rule of RabbitMQ, under the headings of ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.rules import Rule
from topograph.rules.rabbitmq_findings import RQ_28

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
        Rule(
            "RQ-7",
            "One routing",
            "A routing passes each exchange once, and a queue gets one copy, however many bindings "
            "lead to it.",
        ),
        Rule(
            "RQ-8",
            "Alternate exchange",
            "It gets what no binding of its exchange matches, and nothing else.",
        ),
        Rule(
            "RQ-9",
            "Unroutable messages",
            "What nothing matches is dropped, or returned to a publisher that asked for that.",
        ),
        Rule(
            "RQ-10",
            "Exchanges that choose",
            "One of the bindings is taken: by a hash, or at random.",
        ),
        Rule(
            "RQ-11",
            "Other types of exchanges",
            "How the exchanges of other plugins route is not known.",
        ),
    ),
    "Queues": (
        Rule("RQ-12", "Queues keep messages", "A message in a queue waits for its consumers."),
        Rule(
            "RQ-13",
            "Dead letters",
            "What is rejected, expires or exceeds a limit is published to the dead letter "
            "exchange.",
        ),
        Rule(
            "RQ-14",
            "Circles of dead letters",
            "A dead letter that comes back to a queue is dropped, unless it was rejected on the "
            "way.",
        ),
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
        Rule(
            "RQ-17",
            "Which policy holds",
            "Of those whose pattern is found in the name and that apply to the object, the one of "
            "the highest priority.",
        ),
        Rule(
            "RQ-18",
            "Arguments and policies",
            "Of limits the lower value counts; of the rest, the argument goes before the policy.",
        ),
    ),
    "Between virtual hosts and brokers": (
        Rule(
            "RQ-19",
            "Shovels",
            "A shovel takes messages out of a queue and publishes them elsewhere.",
        ),
        Rule(
            "RQ-20",
            "Circles of shovels",
            "Nothing ends them: a message goes round for ever.",
        ),
        Rule(
            "RQ-21",
            "Federated exchanges",
            "A link asks its upstream for what the bindings of its exchange match, and publishes "
            "a copy of it.",
        ),
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
        Rule(
            "RQ-24",
            "Upstreams",
            "A policy names an upstream, a set, or `all`; what a set says goes before the "
            "upstream.",
        ),
        Rule(
            "RQ-27",
            "Which broker a URI is",
            "The one that topograph.yaml says, or that is called like the host.",
        ),
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
}

RULES: Sequence[Rule] = tuple(rule for group in GROUPS.values() for rule in group)
