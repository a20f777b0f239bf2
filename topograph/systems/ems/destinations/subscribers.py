"""Who wants a topic in an EMS network, and whether the server a message is published at takes it
(R40, R45-R47, A12-A14).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from topograph.errors import UnknownDestination, UnknownServer, UsageError
from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsGrant, EmsGroup, EmsServer
from topograph.facts.ems_names import destination_name_fault
from topograph.facts.ems_observed import EmsObservedSubscription
from topograph.facts.fact import Servers
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.message import DestinationName, Message, Properties, parse_destination
from topograph.outcomes import NotForwarded, Truth
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.ems.destinations.guards import GuardVerdict, evaluate_selector
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.texts import text
from topograph.systems.ems.destinations.topics import (
    Covering,
    contained,
    is_temporary,
    is_wildcard,
    matches,
    owner_of,
)
from topograph.systems.ems.network.observations import Observations, observations
from topograph.words.did_you_mean import did_you_mean


class Facts(Protocol):
    """Facts by kinds, servers (an empty one stands for all) and names: ``FactSource.facts``."""

    def __call__(
        self, kinds: Sequence[str], server: Servers, names: Container[str] | None = None, /
    ) -> Sequence[Fact]: ...


SUBSCRIBER_ROLES = frozenset({"subscriber", "receiver", "consumer"})


@record
class Subscriber:
    """Somebody at a server who wants the topic.

    ``known`` is ``configured``, ``declared``, ``observed`` or ``assumed``; ``reliable`` is False
    where a wildcard subscription is not a subset of a global topic (R46); ``delivers`` is False for
    interest without a client behind it, and ``note`` then says what it is: a ``bridge`` (A12) or a
    durable held for another server (A13). ``unsure`` says why it is not known whether it takes the
    message.
    """

    server: str
    topic: str
    known: str
    selector: str = ""
    reliable: bool = True
    delivers: bool = True
    note: str = ""
    source: Source = Source("")
    fault: str = ""
    bridge: EmsBridge | None = None
    unsure: str = ""
    called: str = ""
    """The durable or client, in words; empty where it has no name."""

    @property
    def queue(self) -> str:
        """The queue that a bridge copies the topic to, without its owner; empty for all others."""
        if self.bridge is None or self.bridge.target_type != "queue":
            return ""
        return self.bridge.target_name.partition("@")[0]

    def accepts(self, properties: Properties) -> GuardVerdict:
        """The subscriber's own selector on a message (R47). With a ``fault`` it is not
        understood.
        """
        if self.unsure:
            return GuardVerdict(Truth.UNKNOWN, known=False, note=self.unsure)
        return evaluate_selector(self.selector, properties, self.fault)


def check_topic(topic: str) -> None:
    """Raises UsageError for a name that no message can be published to: a wildcard (R85), or one
    that the naming rule excludes (ems.md 1.4).
    """
    if is_wildcard(topic):
        raise UsageError(f"{topic} is a wildcard; a message is published to one topic (R85).")
    if fault := destination_name_fault(topic):
        raise UsageError(f"No message can be published to topic:{topic}: {fault}.")


def subscribers(
    facts: Facts, servers: Mapping[str, bool], topic: str, clients: Sequence[Client], assume: bool
) -> list[Subscriber]:
    """All who want ``topic``: configured ones, those that servers listed, ``clients``, and, if no
    client at all is declared and ``assume`` holds, one at every server that did not list all of its
    own. Of a temporary topic that is one: the client that created it, at the server it belongs to
    (R90).

    ``servers`` maps the names of the network's servers to whether they are loaded. Raises
    UnknownServer for a temporary topic of a server that is none of them. Linear in durables,
    bridges, clients and servers.
    """
    if is_temporary(topic):
        owner = owner_of(topic)
        if owner not in servers:
            raise not_in_network(topic, servers)
        return [Subscriber(owner, topic, "assumed")]
    seen = observations(facts, servers)
    found = known_subscribers(
        facts, servers, clients, seen, lambda pattern: matches(pattern, topic)
    )
    having = {subscriber.server for subscriber in found if subscriber.delivers}
    found += _not_listed(seen, topic, having)
    if any_declared(clients) or not assume:
        return found
    having |= seen.whole.keys() | seen.cut.keys()
    return found + [
        Subscriber(name, topic, "assumed")
        for name, loaded in servers.items()
        if loaded and name not in having
    ]


def known_subscribers(
    facts: Facts,
    servers: Collection[str],
    clients: Sequence[Client],
    seen: Observations,
    wanted: Callable[[str], bool],
) -> list[Subscriber]:
    """Those of configuration, of what servers listed (``seen``) and of ``clients``, in this
    order, whose subscription is ``wanted``.
    """
    found = [s for s in _configured(facts, wanted) if s.server in servers]
    found += [_observed(facts, row) for row in seen.subscriptions if wanted(row.name)]
    declared = [(client, _named(client)) for client in clients if client.role in SUBSCRIBER_ROLES]
    return found + [
        _declared(facts, client, named.name)
        for client, named in declared
        if client.server in servers and named.type == "topic" and wanted(named.name)
    ]


def any_declared(clients: Sequence[Client]) -> bool:
    """Whether somebody said who subscribes: then nobody is assumed to."""
    return any(client.role in SUBSCRIBER_ROLES for client in clients)


def not_in_network(temporary: str, servers: Iterable[str]) -> UnknownServer:
    """The error for a temporary topic or queue of a server that is none of the network's."""
    owner = owner_of(temporary)
    hint = did_you_mean(owner, servers)
    return UnknownServer(
        f"{temporary} belongs to the server {owner!r} (R90), which is not in this network.{hint}"
    )


def _observed(facts: Facts, row: EmsObservedSubscription) -> Subscriber:
    """The subscriber that a server listed."""
    unsure = (
        ""
        if row.selector == "no"
        else "a subscriber was listed whose selector, if it has one, is not shown"
    )
    if row.selector == "yes":
        unsure = "the subscriber that was listed has a selector, which is not shown"
    reliable = _routed_reliably(facts, row.server, row.name)
    return Subscriber(
        row.server,
        row.name,
        "observed",
        reliable=reliable,
        source=row.source,
        unsure=unsure,
        called=called(row),
    )


def called(client: EmsObservedSubscription | Client) -> str:
    """A client by the name that is known of it: of its durable, its own, or of its user."""
    if client.durable:
        return f"durable {client.durable}"
    if client.client_id:
        return f"client {client.client_id}"
    return f"a client of user {client.user}" if client.user else ""


def _not_listed(seen: Observations, topic: str, having: Collection[str]) -> list[Subscriber]:
    """Those that may be in the rest of a list that was cut off: whether anybody wants the topic
    there is not known.
    """
    return [
        Subscriber(server, topic, "observed", reliable=False, source=source, unsure=why)
        for server, (why, source) in seen.cut.items()
        if server not in having
    ]


def _declared(facts: Facts, client: Client, topic: str) -> Subscriber:
    reliable = _routed_reliably(facts, client.server, topic)
    return Subscriber(
        client.server,
        topic,
        "declared",
        client.selector,
        reliable,
        source=client.source,
        called=called(client),
    )


def not_configured(facts: Facts, clients: Sequence[Client]) -> Iterator[tuple[str, Source]]:
    """What is said of clients that want a topic which no entry of their server's topics.conf
    allows (R45): text and place. Nothing on the strength of a file that was not found. Linear in
    the clients and the destinations of their servers."""
    known: dict[str, tuple[bool, list[str], PatternSet]] = {}
    for client in clients:
        named = _named(client)
        if client.role not in SUBSCRIBER_ROLES or named.type != "topic" or is_temporary(named.name):
            continue
        if client.server not in known:
            own = in_use(facts(("server", "destination"), client.server))
            main = next((fact for fact in own if isinstance(fact, EmsServer)), None)
            names = [
                fact.name
                for fact in own
                if isinstance(fact, EmsDestination) and fact.type == "topic"
            ]
            known[client.server] = (
                main is not None and "topics" not in main.missing,
                names,
                PatternSet(names),
            )
        complete, topics, patterns = known[client.server]
        if complete and not patterns.overlaps(named.name):
            near = did_you_mean(named.name, [name for name in topics if not is_wildcard(name)])
            why = (
                f"no entry of {client.server}'s topics.conf allows {named}, so that nobody "
                f"can subscribe to it there.{near}"
            )
            yield why, client.source


def _named(client: Client) -> DestinationName:
    """The destination of a client; a bare name is that of a topic."""
    try:
        return parse_destination(client.destination)
    except UnknownDestination:
        return DestinationName("topic", client.destination)


def facts_about(facts: Facts, servers: Servers, names: Iterable[str]) -> list[Fact]:
    """The facts of some servers that say what they do with destinations of these names: their main
    files and groups, and the entries and grants whose pattern matches one. Decodes no others."""
    return [
        *facts(("server", "group"), servers),
        *facts(("destination", "grant"), servers, Covering(names)),
    ]


def in_use(facts: Sequence[Fact]) -> list[Fact]:
    """Of the facts of one server those of the configuration in use (R7)."""
    used = min((fact.bundle for fact in facts if isinstance(fact, EmsServer)), default=None)
    return [fact for fact in facts if fact.bundle == used]


def _configured(facts: Facts, wanted: Callable[[str], bool]) -> list[Subscriber]:
    wanting = [fact for fact in facts(("durable", "bridge"), "") if _wants(fact, wanted)]
    if not wanting:
        return []
    found = []
    used: dict[str, str] = {}
    for main in facts(("server",), ""):
        used[main.server] = min(main.bundle, used.get(main.server, main.bundle))
    for fact in wanting:
        if fact.bundle != used.get(fact.server):
            continue  # the second member of a fault-tolerant pair (R7)
        if isinstance(fact, EmsDurable):
            reliable = _routed_reliably(facts, fact.server, fact.topic)
            note = f"the durable held for server {fact.name}" if fact.route else ""
            found.append(
                Subscriber(
                    fact.server,
                    fact.topic,
                    "configured",
                    fact.unread if fact.fault else fact.selector,
                    reliable,
                    not fact.route,
                    note,
                    fact.source,
                    fact.fault,
                    called=f"durable {fact.name}",
                )
            )
        elif isinstance(fact, EmsBridge):
            reliable = _routed_reliably(facts, fact.server, fact.source_name)
            note = f"the bridge to {fact.target_type}:{fact.target_name}"
            selector = fact.unread if fact.fault else fact.selector
            found.append(
                Subscriber(
                    fact.server,
                    fact.source_name,
                    "configured",
                    selector,
                    reliable,
                    False,
                    note,
                    fact.source,
                    fact.fault,
                    fact,
                )
            )
    return found


def _wants(fact: Fact, wanted: Callable[[str], bool]) -> bool:
    """Whether a durable or a bridge takes messages of topics that are ``wanted``, none of them
    temporary (R93).
    """
    if isinstance(fact, EmsBridge):
        return fact.source_type == "topic" and wanted(fact.source_name)
    return isinstance(fact, EmsDurable) and wanted(fact.topic)


def _routed_reliably(facts: Facts, server: str, subscription: str) -> bool:
    """R46: a wildcard subscription is routed reliably if it is a subset of, or equal to, one
    global topic of its server.
    """
    if not is_wildcard(subscription):
        return True
    return any(
        isinstance(fact, EmsDestination)
        and fact.type == "topic"
        and ("global", "true") in fact.properties
        and contained(subscription, fact.name)
        for fact in in_use(facts(("server", "destination"), server))
    )


def local_without_links(facts: Facts, graph: ForwardingGraph, topic: str) -> frozenset[int]:
    """The loaded servers without a link at which ``topic`` is not global for certain, by number:
    the guards of links say it of all others (R42). None in a network whose links are all shown,
    where it makes no difference. Linear in the links, and in the destinations of these servers."""
    linked = {end for link in graph.links for end in (link.a, link.b)}
    alone = [n for n, server in enumerate(graph.servers) if server.loaded and n not in linked]
    if not alone or is_temporary(topic) or not any(server.open_ended for server in graph.servers):
        return frozenset()
    own: dict[str, list[Fact]] = {}
    for fact in facts_about(
        facts, frozenset(graph.servers[number].name for number in alone), [topic]
    ):
        own.setdefault(fact.server, []).append(fact)
    return frozenset(
        number
        for number in alone
        if _certainly_local(own.get(graph.servers[number].name, ()), topic)
    )


def _certainly_local(facts: Sequence[Fact], topic: str) -> bool:
    """Whether the configuration in use of a server makes a topic global for certain nowhere."""
    own = in_use(facts)
    main = next((fact for fact in own if isinstance(fact, EmsServer)), None)
    return (
        main is not None
        and "topics" not in main.missing
        and not any(
            isinstance(fact, EmsDestination)
            and fact.type == "topic"
            and ("global", "true") in fact.properties
            and matches(fact.name, topic)
            for fact in own
        )
    )


@record
class PublishRefusal:
    """Why a server does not take a publication at all."""

    reason: NotForwarded
    text: str
    source: Source
    rule: str


def refusal(facts: Facts, server: str, message: Message) -> PublishRefusal | None:
    """Why ``server`` refuses the message where it is published; None if it takes it.

    A topic needs an entry in topics.conf that allows it (R45); on a secure topic of a server with
    authorization a named user needs the ``publish`` permission. Nothing is refused on the strength
    of a file that was not found.
    """
    topic = message.destination.name
    own = in_use(facts_about(facts, server, [topic]))
    main = next((fact for fact in own if isinstance(fact, EmsServer)), None)
    if main is None or "topics" in main.missing or topic.startswith("$TMP$."):
        return None
    allowing = [
        f
        for f in own
        if isinstance(f, EmsDestination) and f.type == "topic" and matches(f.name, topic)
    ]
    if not allowing:
        names = [
            f.name
            for f in facts(("destination",), server)
            if isinstance(f, EmsDestination)
            and f.type == "topic"
            and f.bundle == main.bundle
            and not is_wildcard(f.name)
        ]
        near = did_you_mean(topic, names)
        why = text("no_entry", server=server, topic=topic, near=f".{near}" if near else "")
        return PublishRefusal(NotForwarded.NOT_GLOBAL, why, main.source, "R45")
    secure = next((entry for entry in allowing if ("secure", "true") in entry.properties), None)
    undecided = {"acl_list", "groups"} & set(main.missing)
    if (
        not (message.user and main.authorization and secure)
        or undecided
        or _may_publish(own, message.user, topic)
    ):
        return None
    why = text("no_permission", topic=topic, server=server, user=message.user)
    return PublishRefusal(NotForwarded.ACL, why, secure.source, "R49")


def _may_publish(facts: Sequence[Fact], user: str, topic: str) -> bool:
    groups = {fact.name for fact in facts if isinstance(fact, EmsGroup) and user in fact.members}
    principals = {("user", user), *(("group", group) for group in groups)}
    return any(
        isinstance(fact, EmsGrant)
        and fact.type == "topic"
        and (fact.principal_type, fact.principal) in principals
        and matches(fact.name, topic)
        and not {"publish", "all"}.isdisjoint(fact.permissions)
        for fact in facts
    )


def durables_not_shown(facts: Facts, graph: ForwardingGraph) -> dict[int, tuple[str, Source]]:
    """The loaded servers whose main file names a file of durables or bridges that was not found:
    each may have subscribers that no file shows, with why and where. Linear in such servers."""
    found = {}
    for number, fact, lost in _lost(facts, graph, _SUBSCRIBING):
        what = " and ".join(f"{one}.conf" for one in sorted(lost))
        because = f"{fact.server}: its {what} was not found, which may hold subscribers"
        found[number] = (because, fact.source)
    return found


def bridges_not_shown(facts: Facts, graph: ForwardingGraph) -> dict[int, tuple[str, Source]]:
    """The loaded servers whose main file names a bridges.conf that was not found: what comes there
    may be copied on, with why and where. Linear in such servers."""
    return {
        number: (f"{fact.server}: its bridges.conf was not found, which may copy it", fact.source)
        for number, fact, _ in _lost(facts, graph, frozenset({"bridges"}))
    }


def missing_at(facts: Facts, server: str) -> tuple[str, ...]:
    """The kinds of sub-files that the main file of a server names and that were not found."""
    own = in_use(facts(("server",), server))
    return next((fact.missing for fact in own if isinstance(fact, EmsServer)), ())


def _lost(
    facts: Facts, graph: ForwardingGraph, kinds: frozenset[str]
) -> Iterator[tuple[int, EmsServer, frozenset[str]]]:
    """The loaded servers that miss a sub-file of some kinds: number, main file, and which."""
    doubtful = {one.name: n for n, one in enumerate(graph.servers) if one.loaded and one.incomplete}
    if not doubtful:
        return
    for fact in facts(("server",), frozenset(doubtful)):
        if isinstance(fact, EmsServer) and (lost := kinds & {*fact.missing}):
            yield doubtful[fact.server], fact, lost


_SUBSCRIBING = frozenset({"durables", "bridges"})
"""The sub-files of which each entry is a subscriber of a topic."""
