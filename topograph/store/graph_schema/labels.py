"""Every label of a published network, with its properties and a statement that shows some nodes."""

from __future__ import annotations

from topograph.store.graph_schema.terms import KEYED, PLACED, Label, properties

OF_SERVER = (
    *KEYED,
    *properties(
        system="the system: ems, ibm_mq, sibus, mqe, amq_interconnect, rabbitmq",
        server="the server that has it",
        name="its name in the configuration",
    ),
)


def _example(pattern: str, returned: str, condition: str = "") -> str:
    where = f"\nWHERE {condition}" if condition else ""
    return (
        "MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot)\n"
        f"MATCH {pattern}{where}\nRETURN {returned}\nLIMIT 25"
    )


def _own(node: str) -> str:
    """A node of the current snapshot ``s``."""
    return f"{node[:-1]} {{publish: s.publish, network: $network}})"


LABELS: tuple[Label, ...] = (
    Label(
        "Network",
        "a network: what one import of a folder is called",
        properties(name="its name", locked_by="the last publishing run that moved CURRENT"),
        "MATCH (n:Network)-[:CURRENT]->(s:Snapshot)\nRETURN n.name, s.id, s.name\nLIMIT 25",
        unique=("name",),
    ),
    Label(
        "Snapshot",
        "one publishing run of a snapshot: what the files said at one time",
        properties(
            publish="the publishing run",
            id="the snapshot that answers name",
            name="what people call it: the path that was imported",
            state="publishing, published, deleting, dead",
            networks="the names of its networks",
            schema="the version of tables and graph; another one is refused",
            redaction="the fingerprint of the key it was redacted with; empty if it was not",
            owner="the process that writes it",
            started="when it was begun, in milliseconds since 1970",
            beat="the last sign of life of the process that writes it",
            published="when it became visible",
            ended="when it was given up or marked for deletion",
            locked_by="who looked at it last to delete it",
            sweeper="who deletes it",
            swept="when that one was last at it",
        ),
        "MATCH (s:Snapshot {state: 'published'})\n"
        "RETURN s.id, s.networks, datetime({epochMillis: s.published}) AS published\nLIMIT 25",
        unique=("publish",),
        indexed=("id",),
    ),
    Label(
        "Server",
        "a server of a network: an EMS server, a queue manager, a bus, a router",
        (
            *KEYED,
            *properties(
                system="the system: ems, ibm_mq, sibus, mqe, amq_interconnect, rabbitmq",
                name="its name",
                n="its number in the graph of its system",
                number="network, graph and n: what points and routes find it by",
                loaded="false: only named by others, none of its files is loaded",
                incomplete="what is missing of its files",
                open_ended="it may have links that no loaded file shows",
                doubt="why 'a message does not get there' is not certain; empty where it is",
                cut_off="one of its settings keeps it out of the network",
                names="whether the names it HOLDS are all stored",
                open_routes="the network has routes that may not come up",
                waiting_routes="the network has routes before which messages wait",
            ),
            *PLACED,
        ),
        _example(_own("(a:Server)"), "a.name, a.system, a.loaded, a.incomplete"),
        more=("publish", "number"),
        indexed=("publish", "name"),
    ),
    Label(
        "Zone",
        "a zone of EMS routes",
        (
            *KEYED,
            *properties(system="ems", name="its name", type="mhop (multi-hop) or 1hop (one-hop)"),
        ),
        _example(
            f"{_own('(a:Server)')}-[:IN_ZONE]->(z:Zone)", "z.name, z.type, count(a) AS servers"
        ),
    ),
    Label(
        "Destination",
        "a queue, topic or address of a server; also labelled Topic, Queue or Address",
        (
            *KEYED,
            *properties(
                system="the system",
                server="the server that defines it",
                type="topic, queue, address, alias, foreign, port, webservice, listener, connector",
                name="its name; in EMS it may be a pattern",
                defined="false: only a bridge names it",
                global_="EMS: the flag global of the entry",
                secure="EMS: the flag secure of the entry",
                leads_to="where its own definition sends messages on to, as texts, first to last",
                details="what else decides about it, in words",
                home="EMS: the server that owns a queue",
            ),
            *PLACED,
        ),
        _example(_own("(d:Queue)"), "d.server, d.name, d.details, d.file, d.line"),
    ),
    Label(
        "Subscription",
        "somebody who wants what comes to a topic or queue: a durable, a subscription of a queue"
        " manager, a consumer that a server listed, a client of topograph.yaml",
        (
            *OF_SERVER,
            *properties(
                type="durable, durable of another server, subscription, subscriber, consumer,"
                " client; '... of X' where the server made it itself",
                destination="what it takes, as topic:NAME or queue:NAME",
                topic="the topic or pattern that it takes; null of a queue",
                pattern="the same as a regular expression: $topic + b.separator =~ b.pattern",
                separator="what separates the levels of its topic",
                durable="whether messages are kept for it while nobody is connected",
                known="configured, observed (a server listed it) or declared (topograph.yaml)",
                client_id="the client id",
                user="the user",
                selector="its selector",
                delivers_to="IBM MQ: the queue that gets the messages",
            ),
            *PLACED,
        ),
        _example(
            _own("(b:Subscription)"),
            "b.server, b.topic, b.name, b.client_id, b.selector",
            "b.durable",
        ),
        object=True,
    ),
    Label(
        "Cluster",
        "a cluster of queue managers of IBM MQ",
        (*KEYED, *properties(system="ibm_mq", name="its name")),
        _example(
            f"{_own('(c:Cluster)')}<-[m:MEMBER_OF]-(a:Server)",
            "c.name, a.name, m.repository ORDER BY c.name, a.name",
        ),
        object=True,
    ),
    Label(
        "Channel",
        "a channel of a queue manager of IBM MQ, or one that an MQ link of a bus sends or receives"
        " over",
        (
            *OF_SERVER,
            *properties(
                type="SDR, SVR, RCVR, RQSTR, CLUSSDR, CLUSRCVR, SVRCONN, CLNTCONN, AMQP, MQTT; of a"
                " link: MQ link sender, MQ link receiver",
                connection_name="CONNAME: where it connects to",
                transmission_queue="XMITQ: the queue that it reads",
                tls="SSLCIPH: the CipherSpec; empty: no TLS; null: the output does not show it",
                client_authentication="SSLCAUTH: whether the other end needs a certificate",
                peer="SSLPEER: whose certificate it takes",
                clusters="the clusters that it belongs to",
                user="MCAUSER: the user that it puts messages as",
                observed="the states in which it was seen",
            ),
            *PLACED,
        ),
        _example(_own("(c:Channel)"), "c.server, c.name, c.type, c.connection_name, c.tls"),
        object=True,
    ),
    Label(
        "Connection",
        "a connection definition of a queue manager of MQ Everyplace",
        (
            *OF_SERVER,
            *properties(
                type="direct, via (over another queue manager), mq (it marks one of IBM MQ)",
                via="the queue manager that it goes over",
                address="the address",
                port="the port",
                adapter="the adapter",
                channel="the class of the channel",
            ),
            *PLACED,
        ),
        _example(_own("(c:Connection)"), "c.server, c.name, c.type, c.via, c.address"),
        object=True,
    ),
    Label(
        "Listener",
        "where a server listens for connections",
        (
            *OF_SERVER,
            *properties(
                address="the URL or host that it listens on",
                port="the port",
                role="routers: normal, inter-router, edge, route-container",
                transport="IBM MQ: TRPTYPE; MQ Everyplace: the adapter",
                control="IBM MQ: whether it starts with the queue manager",
                tls="routers: the name of its sslProfile; EMS: whether the URL is ssl://;"
                " null where the system says it elsewhere",
            ),
            *PLACED,
        ),
        _example(_own("(l:Listener)"), "l.server, l.name, l.address, l.port, l.role"),
        object=True,
    ),
    Label(
        "Connector",
        "a connector of a router: it makes a connection to another router or to a broker",
        (
            *OF_SERVER,
            *properties(
                role="normal, inter-router, edge, route-container",
                address="the host",
                port="the port",
                cost="the cost of the link",
                tls="the name of its sslProfile; empty: no TLS",
            ),
            *PLACED,
        ),
        _example(_own("(c:Connector)"), "c.server, c.name, c.role, c.address, c.port, c.cost"),
        object=True,
    ),
    Label(
        "AutoLink",
        "an autolink of a router: a link to an address of a broker, as soon as it is connected",
        (
            *OF_SERVER,
            *properties(
                address="the address in the router's network",
                external="the address at the other end, where it is another one",
                direction="in or out",
                connection="the connector or listener that it goes over",
                container="the container id that it goes to",
            ),
            *PLACED,
        ),
        _example(_own("(l:AutoLink)"), "l.server, l.address, l.direction, l.connection"),
        object=True,
    ),
    Label(
        "LinkRoute",
        "a link route of a router: links to addresses of a prefix or pattern go to a broker",
        (
            *OF_SERVER,
            *properties(
                address="the prefix or pattern",
                direction="in or out",
                connection="the connector or listener that it goes over",
                container="the container id that it goes to",
            ),
            *PLACED,
        ),
        _example(_own("(l:LinkRoute)"), "l.server, l.address, l.direction, l.connection"),
        object=True,
    ),
    Label(
        "Mediation",
        "a mediation of a bus: code that messages of a destination pass",
        (
            *OF_SERVER,
            *properties(
                handler="the handler list",
                selector="the messages that pass it; empty: all",
                described="topograph.yaml says what it does",
            ),
            *PLACED,
        ),
        _example(
            f"(d:Destination)-[:MEDIATED_BY]->{_own('(m:Mediation)')}", "m.server, m.name, d.name"
        ),
        object=True,
    ),
    Label(
        "File",
        "an imported file, and what became of it",
        (
            *KEYED,
            *properties(
                path="its path relative to the imported folder",
                name="the same",
                status="read, partly-read, not-read, unclaimed, skipped",
                system="the system that it is of",
                read="how many entries were read",
                ignored="how many entries have no effect on messages",
                unsupported="how many entries are not understood",
                note="what else there is to say",
            ),
        ),
        _example(
            f"{_own('(f:File)')}-[c:CONFIGURES]->(a:Server)", "a.name, f.path, c.role, f.status"
        ),
        object=True,
    ),
    Label(
        "Owner",
        "who owns servers, destinations or files, as the owners of topograph.yaml say",
        (
            *KEYED,
            *properties(name="the name", contact="how to get hold of them"),
        ),
        _example(f"{_own('(o:Owner)')}-[:OWNS]->(x)", "o.name, labels(x) AS labels, x.name"),
        object=True,
    ),
    Label(
        "Assumption",
        "something that the files leave open and answers rest on",
        (
            *KEYED,
            *properties(
                system="the system whose graph rests on it",
                rule="the rule or position, such as A17 or M-11",
                name="the same",
                confidence="how sure it is, as the specification of the system has it",
                text="what is assumed",
                alternative="what would hold otherwise",
                because="why the servers that it is ABOUT may lead to others",
                used="whether the links of the graph rest on it; else only that servers are"
                " not reached does",
            ),
            *PLACED,
        ),
        _example(_own("(x:Assumption)"), "x.rule, x.text, x.alternative"),
        object=True,
    ),
    Label(
        "Finding",
        "what the import or a rule noticed",
        (
            *KEYED,
            *properties(
                kind="the kind of finding",
                severity="error, warning or info",
                rule="the rule",
                message="what is wrong, and what that means",
                excerpt="the text at the place",
                server="the server concerned",
            ),
            *PLACED,
        ),
        _example("(s)-[:HAS_FINDING]->(f:Finding {network: $network})", "f.severity, f.message"),
    ),
    Label(
        "Interest",
        "the name of a temporary destination that servers hold",
        (
            *KEYED,
            *properties(system="ems", name="the name", kind="temporary"),
        ),
        _example(f"{_own('(a:Server)')}-[h:HOLDS]->(i:Interest)", "a.name, i.name, h.via, h.hops"),
    ),
    Label(
        "Guard",
        "a condition of a route for messages",
        (
            *KEYED,
            *properties(
                system="the graph that it is of",
                n="its number, by which FORWARDS name it",
                id="its own name",
                kind="global, selector, grant, link, open, one_of, opaque, later, position, ...",
                text="what it asks, in words",
                topic="the topic it is about",
                selector="the selector",
                stops_interest="where it fails, interest does not pass either",
                places="how many lines set it",
            ),
            *PLACED,
        ),
        _example(_own("(g:Guard)"), "g.kind, g.text, g.places"),
    ),
    Label(
        "Point",
        "where a message can be, with what it came by: B|A is 'arrived at B from A'",
        (
            *KEYED,
            *properties(
                system="the graph that it is of",
                n="its number in the graph",
                name="what it is called",
                kind="origin, arrival, toward, ...",
                server="the server",
                server_n="the number of the server",
                zone="the zone of the route that it came over",
                zone_type="the type of the zone",
                condition="what a message needs to get there",
                not_onward="what is not passed on from there, and by which rule",
                came_from="the server that it came from",
                starts="messages sent at the server begin here",
                ends="messages here have reached the server",
                down="no message gets here",
                open="why it is not known whether any gets here",
                waits="what is to get here is stored before it",
                loaded="whether files of the server are loaded",
            ),
        ),
        _example(f"{_own('(p:Point)')}-[:FORWARDS]->(q:Point)", "p.name, q.name, q.condition"),
    ),
    Label(
        "Table",
        "a part of the snapshot's own tables, in binary form: what -s neo4j:ID is answered from."
        " Nothing for people",
        (
            *KEYED,
            *properties(
                system="the graph",
                name="the table",
                partition="which partition",
                part="which part of it",
                arrow="the bytes",
            ),
        ),
        "MATCH (t:Table)\nRETURN t.network, t.name, size(t.arrow) AS bytes\nLIMIT 25",
        inner=True,
    ),
)
"""Every label, people's first."""

OBJECT_LABELS = tuple(label.name for label in LABELS if label.object)
