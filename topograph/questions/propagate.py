"""``propagate``: who gets a message, who does not, and which guard decides it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from topograph.errors import InvalidSelector, NotApplicable, UnknownDestination, UsageError
from topograph.facts import EmsBridge, EmsDestination, EmsDurable, EmsGrant, EmsGroup, EmsServer
from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Budget
from topograph.message import DestinationName, Message, Value, parse_destination
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.answers import Assumption, Caution, Delivery, PropagateAnswer, Stopped, Undetermined
from topograph.questions.model import Model
from topograph.questions.steps import DOUBLED, assumptions, incomplete_servers, server_names, steps
from topograph.selectors import parse as parse_selector
from topograph.side_inputs import Client
from topograph.systems import answering
from topograph.systems.ems.publishing import Published, Verdicts, judge
from topograph.systems.ems.topics import contained, is_wildcard, matches

SUBSCRIBER_ROLES = frozenset({"subscriber", "receiver", "consumer"})


@dataclass(frozen=True, slots=True)
class Subscriber:
    """Somebody at a server who wants the topic. ``known`` is configured, declared or assumed; ``reliable`` False where a wildcard
    subscription is no subset of a global topic (R46); ``delivers`` False for interest without a client behind it (bridges, A12; route
    durables, A13)."""

    server: str
    topic: str
    known: str
    selector: str = ""
    reliable: bool = True
    delivers: bool = True
    note: str = ""
    source: Source = Source("")


def propagate(
    model: Model,
    from_: str,
    destination: str | DestinationName,
    properties: Mapping[str, Value] | None = None,
    *,
    subscribers: Sequence[str] = (),
    clients: Sequence[Client] = (),
    user: str = "",
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message published at ``from_``.

    ``subscribers`` (``SERVER:DEST``) and ``clients`` are added to those of topograph.yaml and of the configuration. If no client is known
    at all and ``assume`` holds, every server counts as having a subscriber. Raises UnknownServer, UnknownDestination, UsageError for
    a wildcard (R85), NotApplicable for destinations that are no topics.
    """
    part = model.part_of(from_)
    named = parse_destination(destination) if isinstance(destination, str) else destination
    if part.system != "ems" or named.type != "topic":
        raise NotApplicable(
            f"propagate answers for topics of TIBCO EMS (topic:NAME); {named} at the {part.system} server {from_} is not covered yet."
        )
    if is_wildcard(named.name):
        raise UsageError(f"{named.name} is a wildcard; a message is published to one topic (R85).")
    message = Message(named, MappingProxyType(dict(properties or {})), user)
    graph = part.graph
    topic = named.name
    known = [*model.side_inputs.clients, *clients, *(_subscriber_option(model, text) for text in subscribers)]
    wanting, notes = _subscribers(model, graph, topic, known, assume)
    verdicts = judge(graph, topic, message.properties)
    refused = _refused_at_origin(model, from_, message)
    start = graph.server_number[from_]
    system = answering(part.system)
    interested = {graph.server_number[s.server] for s in wanting if s.reliable}
    budget = Budget()
    found: Published = (
        system.publish(graph, part.engine, start, verdicts, interested, budget)
        if refused is None
        else Published(start, {}, {}, [])
    )
    deliveries, narrowed = _deliveries(graph, found, wanting, message) if refused is None else ([], [])
    stopped = [_stopped(graph, stop) for stop in found.stops] + narrowed + ([refused] if refused else [])
    undetermined = dict(found.undetermined.items())
    reached = set(found.paths)
    notes_of_bridges = [
        Caution(
            "A12", f"{s.note} at {s.server} passes the message on there; what it does with it is not followed", s.source
        )
        for s in wanting
        if not s.delivers and (graph.server_number[s.server] in reached or s.server == from_)
    ]
    unreliable = [
        Caution(
            "R46",
            f"the subscription {s.topic} at {s.server} is no subset of a global topic there; delivery is not reliable",
            s.source,
        )
        for s in wanting
        if not s.reliable and s.server != from_
    ]
    for s in wanting:
        number = graph.server_number[s.server]
        if not s.reliable and number != start and number not in reached:
            undetermined.setdefault(
                number,
                ("R46: a wildcard subscription that is no subset of a global topic is not routed reliably", s.source),
            )
    readings = (
        _other_readings(graph, part.engine, system, start, verdicts, interested, found) if refused is None else []
    )
    return PropagateAnswer(
        **model.common(part),  # type: ignore[arg-type]
        exact=found.exact,
        assumptions=(*notes, *readings, *assumptions(graph, found.paths.values())),
        warnings=(
            *model.warnings,
            *incomplete_servers(graph, {start, *reached}),
            *((DOUBLED,) if found.doubled else ()),
            *notes_of_bridges,
            *unreliable,
        ),
        from_=from_,
        message=message.to_dict(),
        deliveries=tuple(deliveries),
        stopped=tuple(stopped),
        received=tuple(sorted(graph.servers[n].name for n in reached)),
        undetermined=tuple(
            Undetermined(graph.servers[n].name, because, source)
            for n, (because, source) in sorted(undetermined.items(), key=lambda item: graph.servers[item[0]].name)
        ),
    )


def _subscriber_option(model: Model, text: str) -> Client:
    """``SERVER:DEST`` of --subscriber; DEST may leave out ``topic:``."""
    server, colon, destination = text.partition(":")
    if not colon or not destination:
        raise UsageError(
            f"--subscriber takes SERVER:DEST, not {text!r} (for example --subscriber EAST:topic:orders.>)."
        )
    model.part_of(server)
    return Client(server, destination if ":" in destination else f"topic:{destination}")


def _subscribers(
    model: Model, graph: ForwardingGraph, topic: str, clients: Sequence[Client], assume: bool
) -> tuple[list[Subscriber], list[Assumption]]:
    """Who wants the topic (R40), and the assumptions made about it."""
    found = _configured_subscribers(model, graph, topic)
    declared = [client for client in clients if client.role in SUBSCRIBER_ROLES]
    for client in declared:
        entry = _declared_subscriber(model, graph, topic, client)
        if entry is not None:
            found.append(entry)
    if declared or not assume:
        return found, []
    having = {subscriber.server for subscriber in found if subscriber.delivers}
    found += [Subscriber(s.name, topic, "assumed") for s in graph.servers if s.loaded and s.name not in having]
    text = "nothing is known about clients, so every server counts as having a subscriber"
    return found, [
        Assumption("R40", "L", text, "a server without a subscriber at it or behind it does not get the message")
    ]


def _declared_subscriber(model: Model, graph: ForwardingGraph, topic: str, client: Client) -> Subscriber | None:
    try:
        named = parse_destination(client.destination)
    except UnknownDestination:
        named = DestinationName("topic", client.destination)
    if client.server not in graph.server_number or named.type != "topic" or not matches(named.name, topic):
        return None
    reliable = not is_wildcard(named.name) or _subset_of_global(model, client.server, named.name)
    return Subscriber(client.server, named.name, "declared", client.selector, reliable, source=client.source)


def _subset_of_global(model: Model, server: str, pattern: str) -> bool:
    """R46: is the subscription a subset of, or equal to, one global topic of its server? A local publisher needs none of it."""
    topics = [
        fact
        for fact in model.source.facts(("destination",), server)
        if isinstance(fact, EmsDestination) and fact.type == "topic" and ("global", "true") in fact.properties
    ]
    return any(contained(pattern, fact.name) for fact in topics)


def _configured_subscribers(model: Model, graph: ForwardingGraph, topic: str) -> list[Subscriber]:
    """Durables, and what counts as interest without a client: route durables (A13) and bridges (A12, R113)."""
    found = []
    for fact in model.source.facts(("durable", "bridge"), ""):
        if fact.server not in graph.server_number:
            continue
        if isinstance(fact, EmsDurable) and matches(fact.topic, topic):
            reliable = not is_wildcard(fact.topic) or _subset_of_global(model, fact.server, fact.topic)
            note = f"the durable held for server {fact.name}" if fact.route else ""
            found.append(
                Subscriber(
                    fact.server, fact.topic, "configured", fact.selector, reliable, not fact.route, note, fact.source
                )
            )
        elif isinstance(fact, EmsBridge) and fact.source_type == "topic" and matches(fact.source_name, topic):
            reliable = not is_wildcard(fact.source_name) or _subset_of_global(model, fact.server, fact.source_name)
            note = f"the bridge to {fact.target_type}:{fact.target_name}"
            found.append(
                Subscriber(fact.server, fact.source_name, "configured", "", reliable, False, note, fact.source)
            )
    return found


def _deliveries(
    graph: ForwardingGraph, found: Published, wanting: Sequence[Subscriber], message: Message
) -> tuple[list[Delivery], list[Stopped]]:
    """Deliveries by hops, then server; and the subscribers' own selectors that keep the message from a client (R47)."""
    deliveries: list[Delivery] = []
    narrowed: list[Stopped] = []
    strongest = {"declared": 0, "observed": 1, "configured": 2, "assumed": 3}
    order = sorted((s for s in wanting if s.delivers), key=lambda s: (s.server, strongest[s.known], s.topic))
    served: set[str] = set()
    for subscriber in order:
        number = graph.server_number[subscriber.server]
        here = number == found.start
        if not here and number not in found.paths:
            continue
        truth = _client_selector(subscriber.selector, message)
        if truth is not Truth.TRUE:
            text = f"the subscriber's own selector: {subscriber.selector}"
            narrowed.append(
                Stopped(subscriber.server, subscriber.server, NotForwarded.SELECTOR, text, truth, subscriber.source)
            )
            continue
        if subscriber.server in served:
            continue
        served.add(subscriber.server)
        path = (found.start,) if here else found.paths[number]
        deliveries.append(
            Delivery(
                subscriber.server,
                str(message.destination),
                Outcome.DELIVERED,
                len(path) - 1,
                server_names(graph, path),
                1 if here else found.copies.get(number, 1),
                subscriber.known,
                steps(graph, path),
            )
        )
    deliveries.sort(key=lambda delivery: (delivery.hops, delivery.server))
    return deliveries, narrowed


def _client_selector(selector: str, message: Message) -> Truth:
    if not selector:
        return Truth.TRUE
    try:
        return parse_selector(selector).evaluate(message.properties)
    except InvalidSelector:
        return Truth.UNKNOWN


def _stopped(graph: ForwardingGraph, stop: Any) -> Stopped:
    return Stopped(
        graph.servers[stop.at].name, graph.servers[stop.to].name, stop.reason, stop.guard, stop.truth, stop.source
    )


def _refused_at_origin(model: Model, server: str, message: Message) -> Stopped | None:
    """Why the server the message is published at does not take it: no entry allows the topic (R45), or the user may not publish."""
    topic = message.destination.name
    facts = model.source.facts(("server", "destination", "grant", "group"), server)
    own = next((fact for fact in facts if isinstance(fact, EmsServer)), None)
    if own is None or "topics" in own.missing or topic.startswith("$TMP$."):
        return None
    topics = [
        fact
        for fact in facts
        if isinstance(fact, EmsDestination) and fact.type == "topic" and fact.bundle == own.bundle
    ]
    allowing = [fact for fact in topics if matches(fact.name, topic)]
    if not allowing:
        text = f"R45: no entry of {server}'s topics.conf allows a topic {topic}"
        return Stopped(server, server, NotForwarded.NOT_GLOBAL, text, Truth.FALSE, own.source)
    secure = next((fact for fact in allowing if ("secure", "true") in fact.properties), None)
    if not (message.user and own.authorization and secure):
        return None
    groups = {fact.name for fact in facts if isinstance(fact, EmsGroup) and message.user in fact.members}
    for grant in facts:
        if isinstance(grant, EmsGrant) and grant.type == "topic" and matches(grant.name, topic):
            principal = (grant.principal_type, grant.principal)
            holds = principal == ("user", message.user) or (principal[0] == "group" and principal[1] in groups)
            if holds and {"publish", "all"} & set(grant.permissions):
                return None
    text = f"{topic} is secure at {server} and user {message.user} has no publish permission"
    return Stopped(server, server, NotForwarded.ACL, text, Truth.FALSE, secure.source)


def _other_readings(
    graph: ForwardingGraph,
    engine: Any,
    system: Any,
    start: int,
    verdicts: Verdicts,
    interested: set[int],
    found: Published,
) -> list[Assumption]:
    """Positions that matter for this message: duplicate selector lines (A16), several matching selectors (A6)."""
    result = []
    for rule, relaxed, text, alternative in (
        (
            "A16",
            verdicts.replaced,
            "two selector lines for one topic and direction both apply (AND)",
            "the later line replaces the earlier",
        ),
        (
            "A6",
            _one_of_several(graph, verdicts),
            "all selectors that match the topic must hold (AND)",
            "one matching selector suffices",
        ),
    ):
        if not relaxed:
            continue
        other = Verdicts(
            verdicts.of,
            verdicts.failing - relaxed,
            verdicts.unknown,
            verdicts.interest,
            verdicts.replaced,
            verdicts.applying,
        )
        paths = system.publish(graph, engine, start, other, interested, Budget()).paths
        more = sorted(graph.servers[n].name for n in paths.keys() - found.paths.keys())
        if more:
            result.append(Assumption(rule, "M", text, f"if {alternative}, {', '.join(more)} would get it too"))
    return result


def _one_of_several(graph: ForwardingGraph, verdicts: Verdicts) -> frozenset[int]:
    """Failing selectors that stand beside one for the same direction that applies and holds, everywhere they stand."""
    relaxed: set[int] = set()
    kept: set[int] = set()
    _, guard_sets = graph.guard_sets
    topic_of = {n: json.loads(g.payload)["topic"] for n, g in enumerate(graph.guards) if g.kind == "selector"}
    for guards in guard_sets:
        selectors = [n for n in guards if n in topic_of]
        failing = {n for n in selectors if n in verdicts.failing}
        holding = [n for n in selectors if n in verdicts.applying and n not in verdicts.failing]
        (relaxed if holding else kept).update(failing)
    return frozenset(relaxed - kept)
