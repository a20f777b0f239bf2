"""``propagate``: who gets a message, who does not, and which guard decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Budget
from topograph.message import DESTINATION_TYPES, DestinationName, Message, Value, parse_destination
from topograph.outcomes import NotForwarded, Outcome, Truth
from topograph.questions.answers import Assumption, Caution, Delivery, PropagateAnswer, Stopped, Undetermined
from topograph.questions.following import follow
from topograph.questions.model import Model
from topograph.questions.steps import PathBook, assumptions, doubled, incomplete_servers, stopped
from topograph.side_inputs import Client
from topograph.systems import answering

_STRONGEST = {"declared": 0, "observed": 1, "configured": 2, "assumed": 3}
"""Of several subscribers at one server the delivery names the one best known."""


def propagate(
    model: Model,
    from_: str,
    destination: str | DestinationName,
    properties: Mapping[str, Value] | None = None,
    *,
    subscribers: Sequence[str] = (),
    clients: Sequence[Client] = (),
    user: str = "",
    anonymous: bool = False,
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message published at ``from_``.

    ``subscribers`` (``SERVER:DEST``) and ``clients`` are added to those of topograph.yaml and of the configuration. If no client is known
    at all and ``assume`` holds, every server counts as having a subscriber. An ``anonymous`` sender is attached to no address. Raises
    UnknownServer, UnknownDestination, UsageError for a wildcard (R85), NotApplicable for destinations that the server's system does not
    have. Two walks, and one more a reading that differs.
    """
    part = model.part_of(from_)
    named = parse_destination(destination) if isinstance(destination, str) else destination
    system = answering(part.system)
    if named.type in getattr(system, "FOLLOWS", ()):
        if fault := system.no_address_of_a_message(named.name):
            raise UsageError(fault)
        added = [*clients, *(_subscriber_option(model, text, named.type) for text in subscribers)]
        return follow(model, part, from_, named, properties or {}, added, user=user, anonymous=anonymous, assume=assume)
    if named.type not in getattr(system, "PROPAGATES", ()):
        types = (*getattr(system, "PROPAGATES", ()), *getattr(system, "FOLLOWS", ()))
        said = f" Did you mean {' or '.join(f'{one}:{named.name}' for one in types)}?" if types else ""
        raise NotApplicable(f"{named} at {from_}, which runs {part.system}, is not covered yet.{said}")
    if anonymous:
        raise UsageError("--anonymous is about senders of messages to address:NAME.")
    graph = part.graph
    if system.is_wildcard(named.name):
        raise UsageError(f"{named.name} is a wildcard; a message is published to one topic (R85).")
    message = Message(named, MappingProxyType(dict(properties or {})), user)
    start = graph.server_number[from_]
    known = [*model.side_inputs.clients, *clients, *(_subscriber_option(model, text) for text in subscribers)]
    loaded = {server.name: server.loaded for server in graph.servers}
    wanting = system.subscribers(model.source.facts, loaded, named.name, known, assume)
    refused = system.refusal(model.source.facts, from_, message)
    verdicts = system.judge(graph, named.name, message.properties)
    if refused is None:
        interested = {graph.server_number[s.server] for s in wanting if s.reliable}
        found = system.publish(graph, part.engine, start, verdicts, interested, Budget())
        readings = system.other_readings(graph, part.engine, found, verdicts, interested)
        deliveries, narrowed = _deliveries(graph, found, wanting, message)
    else:
        found, readings, deliveries = system.Published(start, {}, {}, []), [], []
        narrowed = [Stopped(from_, from_, refused.reason, refused.text, Truth.FALSE, refused.source)]
    assumed = [_ASSUMED] if any(subscriber.known == "assumed" for subscriber in wanting) else []
    positions = [
        Assumption(r.rule, "M", r.text, f"if {r.alternative}, {', '.join(r.more)} would get it too") for r in readings
    ]
    return PropagateAnswer(
        **model.common(part),  # type: ignore[arg-type]
        exact=found.exact,
        assumptions=(*assumed, *positions, *assumptions(graph, found.paths.values())),
        warnings=(
            *model.warnings,
            *incomplete_servers(graph, {start, *found.paths}),
            *(doubled(graph) if found.doubled else ()),
            *_notes(graph, found, wanting),
        ),
        from_=from_,
        message=message.to_dict(),
        deliveries=tuple(deliveries),
        stopped=(*(stopped(graph, stop) for stop in found.stops), *narrowed),
        received=tuple(sorted(graph.servers[n].name for n in found.paths)),
        undetermined=_undetermined(graph, found, wanting),
    )


_ASSUMED = Assumption(
    "R40",
    "L",
    "nothing is known about clients, so every server counts as having a subscriber",
    "a server without a subscriber at it or behind it does not get the message",
)


def _subscriber_option(model: Model, text: str, kind: str = "topic") -> Client:
    """``SERVER:DEST`` of --subscriber; DEST may leave out its type, which is that of the message's destination."""
    server, colon, destination = text.partition(":")
    if not colon or not destination:
        raise UsageError(f"--subscriber takes SERVER:DEST, not {text!r} (for example --subscriber EAST:{kind}:orders).")
    model.part_of(server)
    type_, typed, name = destination.partition(":")
    if typed and (type_ == "address") != (kind == "address") and type_ in DESTINATION_TYPES:
        raise UsageError(f"--subscriber {text}: the message goes to {kind}:NAME. Did you mean {server}:{kind}:{name}?")
    return Client(server, destination if typed else f"{kind}:{destination}")


def _deliveries(
    graph: ForwardingGraph, found: Any, wanting: Sequence[Any], message: Message
) -> tuple[list[Delivery], list[Stopped]]:
    """Deliveries by hops, then server; and the subscribers' own selectors that keep the message from a client (R47)."""
    book = PathBook(graph)
    deliveries: dict[str, Delivery] = {}
    narrowed: list[Stopped] = []
    for subscriber in sorted(wanting, key=lambda s: (s.server, _STRONGEST[s.known], s.topic)):
        number = graph.server_number[subscriber.server]
        path = (found.start,) if number == found.start else found.paths.get(number)
        if not subscriber.delivers or path is None:
            continue
        truth = subscriber.accepts(message.properties)
        if truth is not Truth.TRUE:
            text = f"the subscriber's own selector: {subscriber.selector}"
            here = subscriber.server
            narrowed.append(Stopped(here, here, NotForwarded.SELECTOR, text, truth, subscriber.source))
        elif subscriber.server not in deliveries:
            deliveries[subscriber.server] = Delivery(
                subscriber.server,
                str(message.destination),
                Outcome.DELIVERED,
                len(path) - 1,
                book.servers(path),
                found.copies.get(number, 1),
                subscriber.known,
                book.steps(path),
            )
    return sorted(deliveries.values(), key=lambda delivery: (delivery.hops, delivery.server)), narrowed


def _notes(graph: ForwardingGraph, found: Any, wanting: Sequence[Any]) -> list[Caution]:
    """What the answer does not follow (A12, A13)."""
    here = {graph.servers[n].name for n in (found.start, *found.paths)}
    return [
        Caution(
            "A12", f"{s.note} at {s.server} takes the message there; what it does with it is not followed", s.source
        )
        for s in wanting
        if not s.delivers and s.server in here
    ]


def _undetermined(graph: ForwardingGraph, found: Any, wanting: Sequence[Any]) -> tuple[Undetermined, ...]:
    """By server; wildcard subscriptions that are not routed reliably are never called delivered (R46, A14)."""
    entries: dict[int, tuple[str, Any]] = dict(found.undetermined)
    for subscriber in wanting:
        number = graph.server_number[subscriber.server]
        if not subscriber.reliable and number != found.start and number not in found.paths:
            text = f"the subscription {subscriber.topic} is no subset of a global topic of its server; it is not routed reliably (R46)"
            entries.setdefault(number, (text, subscriber.source))
    return tuple(Undetermined(graph.servers[n].name, *entries[n]) for n in sorted(entries))
