"""What ems.md leaves open (section 5): the readings to choose from, the first being that of the
rules.
"""

from __future__ import annotations

from topograph.systems.contract.ambiguities import Ambiguity, fixed

A9 = Ambiguity(
    "A9",
    "L",
    {
        "first": (
            "a link that its two ends put in different zones is in the zone of the lexically "
            "first server"
        ),
        "last": (
            "a link that its two ends put in different zones is in the zone of the lexically "
            "last server"
        ),
    },
)
A16 = Ambiguity(
    "A16",
    "M",
    {
        "all": "selector lines of a route for one topic and direction must all hold",
        "last": (
            "of selector lines of a route for one topic and direction the last replaces the others"
        ),
    },
)
A23 = Ambiguity(
    "A23",
    "M",
    {
        "not_needed": (
            "a server sends messages of its secure queues over a route without granting the "
            "other server receive"
        ),
        "needed": (
            "a server sends messages of its secure queues over a route only if it grants the "
            "other server receive"
        ),
    },
)
A27 = Ambiguity(
    "A27",
    "L",
    {
        "routed": "messages to a queue are routed although it is not global at its home",
        "stays": (
            "messages to a queue that is not global at its home stay at the server that they "
            "are sent at"
        ),
    },
)
A28 = Ambiguity(
    "A28",
    "L",
    {
        "undetermined": (
            "whether a message that is routed to a home with only a pattern for its queue "
            "creates the queue is not known"
        ),
        "created": (
            "a message that is routed to a home with only a pattern for its queue creates the queue"
        ),
        "not_created": (
            "a message to a home with only a pattern for its queue stays at the server that "
            "it is sent at"
        ),
    },
)
A29 = Ambiguity(
    "A29",
    "L",
    {
        "undetermined": (
            "where a message waits whose home has only a routed queue itself is not known"
        ),
        "at_sender": (
            "a message whose home has only a routed queue itself waits at the server that it "
            "is sent at"
        ),
        "at_owner": "a message whose home has only a routed queue itself waits at that home",
    },
)

AMBIGUITIES = (
    fixed("A1", "more than one path is illegal (R20), whatever one sentence of a source says"),
    fixed("A2", "`topograph cycles --strict` asks for the other verdict"),
    fixed("A3", "it is about a drawing in a source"),
    fixed("A4", "it is about the words of a source"),
    fixed("A5", "it is about a misprint in a source"),
    fixed(
        "A6",
        "answers name the servers that would get a message too if one matching selector sufficed",
    ),
    fixed("A7", "the route is refused in either case"),
    fixed("A8", "it is about the order of names in a message"),
    A9,
    fixed("A10", "a zone of one name that is not connected is judged part by part"),
    fixed("A11", "who gets a message does not depend on it"),
    fixed("A12", "answers that rest on bridges of other servers name what would hold without"),
    fixed("A13", "answers say where only a durable of another server wants a message"),
    fixed("A14", "a subscription that is not a subset of a global topic is never called delivered"),
    fixed("A15", "temporary topics reach every server that knows their names (R91)"),
    A16,
    fixed("A17", "`hosts` and the missing files say which server is meant"),
    fixed("A18", "`routing` in the files says it"),
    fixed("A19", "it is about how files are read, and all spellings are"),
    fixed("A20", "`paths` says where sub-files lie"),
    fixed("A21", "the specification of selectors says FALSE"),
    fixed("A22", "answers show both counts"),
    A23,
    fixed("A24", "selectors of routes name global topics (R67)"),
    fixed("A25", "acl.conf says it, where it is loaded"),
    fixed(
        "A26",
        "whether a limit is reached is not known of one message; answers name the other reading",
    ),
    A27,
    A28,
    A29,
)
