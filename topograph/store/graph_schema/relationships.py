"""Every type of relationship of a published network, with its properties."""

from __future__ import annotations

from topograph.store.graph_schema.labels import OBJECT_LABELS
from topograph.store.graph_schema.terms import KEY, PLACED, Relationship, properties

_AS_IN = properties(publish="the publishing run")

RELATIONSHIPS: tuple[Relationship, ...] = (
    Relationship("CURRENT", ("Network",), ("Snapshot",), "the snapshot that answers for a network"),
    Relationship("IN", ("Server", "File"), ("Snapshot",), "what a snapshot holds"),
    Relationship("HAS_FINDING", ("Snapshot",), ("Finding",), "the findings of a snapshot"),
    Relationship(
        "ABOUT",
        ("Finding", "Assumption"),
        ("Server", "Destination"),
        "what it is about: servers, and destinations defined at the finding's own line",
    ),
    Relationship("IN_FILE", ("Finding",), ("File",), "the file that a finding is in"),
    Relationship(
        "ROUTE",
        ("Server",),
        ("Server",),
        "messages pass from one server to the other; one each way",
        (
            *_AS_IN,
            *properties(
                link="the number of the link",
                name="what the link is called in the configuration",
                role="its kind: channel, cluster channel, bus link, connection, ...",
                zone="its zone",
                zone_type="the type of its zone",
                cost="its cost",
                configured_by="the server whose file has it, or active-active",
                url="the URL",
                condition="what a message needs to cross it in this direction",
                down="no message certainly crosses it",
                open="why it is not known whether it comes up",
            ),
            *PLACED,
        ),
    ),
    Relationship("IN_ZONE", ("Server",), ("Zone",), "a route of the server is in the zone"),
    Relationship(
        "DEFINES",
        ("Server",),
        (
            "Destination",
            *(
                each
                for each in OBJECT_LABELS
                if each not in ("Cluster", "File", "Owner", "Assumption")
            ),
        ),
        "a server's files define it",
    ),
    Relationship(
        "LEADS_TO",
        ("Destination",),
        ("Destination",),
        "messages go on to the other destination by the definition of the first (aliases, remote"
        " queues, routed queues, bridges, elements of a forward routing path)",
        (
            *_AS_IN,
            *properties(
                by="alias, remote queue, cluster queue, routed queue, bridge, forward routing path,"
                " foreign destination, service",
                position="which element of the path, from 1; else 1",
                condition="the selector of a bridge",
            ),
        ),
    ),
    Relationship(
        "BRIDGES_TO",
        ("Destination",),
        ("Destination",),
        "a bridge of an EMS server",
        (*_AS_IN, *properties(selector="its selector"), *PLACED),
    ),
    Relationship(
        "DEAD_LETTERS_TO",
        ("Server", "Destination"),
        ("Destination",),
        "where messages go that cannot be delivered: the dead-letter queue of a queue manager, the"
        " exception destination of a destination of a bus",
        _AS_IN,
    ),
    Relationship(
        "SUBSCRIBES_TO",
        ("Subscription",),
        ("Destination",),
        "the destination of that name at its server; a pattern subscribes to all that fit",
        _AS_IN,
    ),
    Relationship(
        "DELIVERS_TO",
        ("Subscription",),
        ("Destination",),
        "the queue that gets the messages",
        _AS_IN,
    ),
    Relationship(
        "READS", ("Channel",), ("Destination",), "the transmission queue of a channel", _AS_IN
    ),
    Relationship(
        "CONNECTS_TO",
        ("Channel", "Connection", "Connector"),
        ("Server",),
        "the servers at the other end, as far as loaded files show them",
        _AS_IN,
    ),
    Relationship(
        "MEMBER_OF",
        ("Server",),
        ("Cluster",),
        "a queue manager is a member of a cluster",
        (*_AS_IN, *properties(repository="full or partial")),
    ),
    Relationship(
        "OF_CLUSTER",
        ("Channel", "Destination"),
        ("Cluster",),
        "the channel belongs to the cluster, the queue is advertised there",
        _AS_IN,
    ),
    Relationship(
        "MEDIATED_BY", ("Destination",), ("Mediation",), "the mediation that messages pass", _AS_IN
    ),
    Relationship(
        "CONFIGURES",
        ("File",),
        ("Server", "Destination", *OBJECT_LABELS),
        "the file configures a server, or defines something at a line",
        (
            *_AS_IN,
            *properties(
                role="of a server: what the file is to it (main, routes, topics, ...)",
                line="the line that defines it",
            ),
        ),
    ),
    Relationship(
        "OWNS",
        ("Owner",),
        ("Server", "Destination", "File"),
        "who owns it (topograph.yaml)",
        _AS_IN,
    ),
    Relationship(
        "SETS",
        ("Server",),
        ("Guard",),
        "one line of a server's files that sets a guard",
        (
            *_AS_IN,
            *properties(
                key="its own name",
                topic="what the line names",
                direction="outgoing or incoming, from the server's own side",
                neighbour="the server at the other end",
            ),
            *PLACED,
        ),
        unique=("publish", KEY),
    ),
    Relationship(
        "HOLDS",
        ("Server",),
        ("Interest",),
        "a server holds a name",
        (
            *_AS_IN,
            *properties(
                via="the neighbour it learned it from",
                hops="over how many routes",
                observed="a running server showed it",
            ),
        ),
    ),
    Relationship("AT", ("Point",), ("Server",), "where a point is"),
    Relationship(
        "FORWARDS",
        ("Point",),
        ("Point",),
        "one permitted step of a message",
        (
            *_AS_IN,
            *properties(
                key="its own name",
                guards="the numbers of the guards that have to hold",
                rule="the rule it rests on",
                confidence="how sure that is",
                channel="the channel, connection or bus link that it takes, in systems whose"
                " messages go step by step; null where it may take several",
                hop="whether it is a hop from server to server",
                cost="its cost",
                branch="copy, one_of, else, opaque or later",
            ),
            *PLACED,
        ),
        unique=("publish", KEY),
    ),
    Relationship("HAS", ("Snapshot",), ("Table",), "the tables of a snapshot", inner=True),
)
"""Every type of relationship, people's first."""

RELATIONS = (
    "ABOUT",
    "CONNECTS_TO",
    "CONFIGURES",
    "DEAD_LETTERS_TO",
    "DELIVERS_TO",
    "LEADS_TO",
    "MEDIATED_BY",
    "MEMBER_OF",
    "OF_CLUSTER",
    "OWNS",
    "READS",
    "SUBSCRIBES_TO",
)
"""The types that ``write_relations`` writes, between nodes of any kind."""
