"""``propagate``: who gets a message, who does not, and which guard decides it: a fold of the message's trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.message import DESTINATION_TYPES, OPTIONS, DestinationName, Message
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    Alternative,
    Caution,
    Decision,
    Delivery,
    PropagateAnswer,
    Sender,
    Step,
    Stopped,
    Undetermined,
)
from topograph.questions.model import Model, Place, cut, within_budget
from topograph.questions.steps import doubled, incomplete_servers
from topograph.side_inputs import Client
from topograph.systems.protocol import Sending
from topograph.tracing.outcomes import Arrival, Folding
from topograph.tracing.trace import NOWHERE, Branch, Ending, Kind, Open, SenderView, Trace, TraceBuilder
from topograph.tracing.trace import Step as TracedStep

GIVEN = "--subscriber"
"""What a delivery to a subscriber of the question cites as its evidence."""


@within_budget
def propagate(
    model: Model,
    budget: Budget,
    from_: str,
    message: Message,
    *,
    subscribers: Sequence[str] = (),
    clients: Sequence[Client] = (),
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message published at ``from_``.

    ``subscribers`` (``SERVER:DEST``) and ``clients`` are added to those of topograph.yaml and of the configuration. If no client is known
    at all and ``assume`` holds, every server counts as having a subscriber. Raises UnknownServer, UsageError for a wildcard (R85),
    NotApplicable for destinations that the server's system does not have.
    """
    start = model.locate(from_, message.destination.type)
    told = followed(model, budget, start, message, subscribers, clients, assume=assume)
    return fold(model, start, message, told, budget)


def followed(
    model: Model,
    budget: Budget,
    start: Place,
    message: Message,
    subscribers: Sequence[str],
    clients: Sequence[Client],
    *,
    assume: bool = True,
) -> Trace:
    """The trace of a message. Raises what ``propagate`` raises."""
    return follow(start, sending_of(model, budget, start, message, subscribers, clients, assume=assume))


def sending_of(
    model: Model,
    budget: Budget,
    start: Place,
    message: Message,
    subscribers: Sequence[str],
    clients: Sequence[Client],
    *,
    assume: bool = True,
) -> Sending:
    """What is sent, and who is known to want it. Raises what ``propagate`` raises."""
    part, named = start.part, message.destination
    if not part.follows(named.type):
        types = [f"{one}:{named.name}" for one in part.system.destinations if one]
        hint = part.system.instead(named) or (f"Did you mean {' or '.join(types)}?" if types else "")
        raise NotApplicable(f"{named} at {start.name}, which runs {start.system}, is not covered yet. {hint}".rstrip())
    for option in message.options():
        if option not in part.system.message_options:
            raise UsageError(f"{OPTIONS[option]} says nothing to {part.system.title}, which {start.name} runs.")
    for client in clients:
        model.locate(client.server)
    added = (*clients, *(subscriber_option(model, text, named) for text in subscribers))
    return Sending(start.name, message, added, assume, start.system, budget)


def follow(start: Place, sending: Sending) -> Trace:
    """The trace of what is sent at a server."""
    part = start.part
    try:
        return part.estate.follow(part.graph, part.engine, sending)
    except BudgetSpent:
        return not_followed(start, sending.budget)


def not_followed(start: Place, budget: Budget) -> Trace:
    """The trace of a message of which nothing is known, because the budget ended first."""
    builder = TraceBuilder(start.system)
    branch = builder.branch(-1, Kind.ROOT)
    because = f"{budget.ended}, before the message was followed"
    builder.step(branch, start.name, because, source=start.server.source)
    builder.end(branch, Ending(Outcome.UNDETERMINED, {"condition": because}))
    open_ = (Open(one.system, one.name, because, one.source) for one in start.part.graph.servers)
    return Trace(
        start=start.name,
        system=start.system,
        steps=builder.steps,
        branches=builder.branches,
        exact=False,
        open=tuple(open_),
        visited=(start.name,),
    )


def subscriber_option(model: Model, text: str, named: DestinationName) -> Client:
    """``SERVER:DEST`` of --subscriber; DEST may leave out its type, which is that of the message's destination."""
    kind = named.type
    server, destination = model.split_server(text)
    if not destination:
        raise UsageError(f"--subscriber takes SERVER:DEST, not {text!r} (for example --subscriber EAST:{kind}:orders).")
    place = model.locate(server)
    type_, typed, name = destination.partition(":")
    if typed and (type_ == "address") != (kind == "address") and type_ in DESTINATION_TYPES:
        raise UsageError(f"--subscriber {text}: the message goes to {kind}:NAME. Did you mean {server}:{kind}:{name}?")
    return Client(place.name, destination if typed else f"{kind}:{destination}", source=replace(NOWHERE, file=GIVEN))


def fold(model: Model, start: Place, message: Message, trace: Trace, budget: Budget) -> PropagateAnswer:
    """Who gets the message, as a trace tells it. Linear in the steps of its deliveries."""
    part = start.part
    folding = Folding(trace)
    return PropagateAnswer(
        **model.common(part),
        exact=trace.exact,
        assumptions=trace.assumptions,
        warnings=cautions(model, start, trace, budget),
        from_=start.name,
        system=start.system,
        message=message.to_dict(),
        deliveries=tuple(_deliveries(folding)),
        stopped=tuple(
            Stopped(
                end.text("at"),
                end.text("to"),
                end.text("condition"),
                end.text("guard"),
                end.text("value"),
                step.source,
                step.rule,
                step.system,
                end.text("destination"),
            )
            for end, step in folding.stops()
        ),
        received=trace.visited[1:],
        undetermined=left_open(trace),
        sender=sender_of(trace),
        alternatives=tuple(_alternative(folding, course) for course in folding.courses),
    )


def cautions(model: Model, start: Place, trace: Trace, budget: Budget) -> tuple[Caution, ...]:
    """The warnings of an answer about a message."""
    part = start.part
    visited = (part.graph.server_number[name] for name in trace.visited)
    return (
        *model.warnings,
        *incomplete_servers(part.graph, visited),
        *(doubled(part.system) if trace.doubled else ()),
        *(Caution(note.rule, note.text, note.source) for note in trace.notes),
        *cut(budget, "the message may get to more servers, in more copies, than are listed"),
    )


def left_open(trace: Trace) -> tuple[Undetermined, ...]:
    """The servers that nothing certain is said of."""
    return tuple(Undetermined(one.server, one.because, one.source, one.system) for one in trace.open)


def sender_of(trace: Trace) -> Sender | None:
    """What the sender sees, where the system tells it."""
    seen: SenderView | None = trace.sender
    if seen is None:
        return None
    return Sender(seen.outcome, seen.condition, seen.text, seen.rule, seen.source or NOWHERE)


def _alternative(folding: Folding, course: Branch) -> Alternative:
    received: dict[str, int] = {}
    deposited: dict[str, dict[str, int]] = {}
    paths: dict[str, list[tuple[str, ...]]] = {}
    for one in folding.arrivals():
        if one.course != course.id:
            continue
        name, copies = one.ending.text("receiver"), one.ending.count("copies")
        paths.setdefault(name, []).append(one.path)
        if one.ending.outcome is Outcome.DELIVERED:
            received[name] = received.get(name, 0) + copies
        else:
            there, address = deposited.setdefault(name, {}), one.ending.text("address")
            there[address] = there.get(address, 0) + copies
    shown = {name: tuple(sorted(each, key=lambda path: (len(path), path))) for name, each in paths.items()}
    return Alternative(course.condition, course.sender, received, deposited, shown)


def _deliveries(folding: Folding) -> list[Delivery]:
    """One entry for each that takes the message, and each path that one course gives it; by hops, then server and receiver."""
    groups: dict[tuple[object, ...], list[Arrival]] = {}
    for one in folding.arrivals():
        who = one.ending.text("receiver") or one.ending.text("server")
        depends = folding.depends_on(one.branch.id)
        decided = -1 if depends is None else depends.id
        group = one.course, decided, one.ending.outcome, who, one.ending.text("destination")
        groups.setdefault(group, []).append(one)
    made: dict[tuple[object, ...], Delivery] = {}
    seen_in: dict[tuple[object, ...], set[int]] = {}
    courses = {course.id for course in folding.courses}
    hops: dict[int, Step] = {}
    for arrivals in groups.values():
        depends = folding.depends_on(arrivals[0].branch.id)
        delivery = _delivery(arrivals, "always" if depends is None else str(depends.kind), hops)
        key = (
            delivery.choice,
            delivery.outcome,
            delivery.receiver,
            delivery.server,
            delivery.destination,
            delivery.copies,
            delivery.path,
            delivery.paths,
        )
        known = made.setdefault(key, delivery)
        if known.decisions != delivery.decisions:
            decisions = tuple(dict.fromkeys((*known.decisions, *delivery.decisions)))
            made[key] = replace(known, decisions=decisions)
        if arrivals[0].course in courses:
            seen_in.setdefault(key, set()).add(arrivals[0].course)
    # A course that was not looked at may be one without the delivery.
    every = len(courses) if folding.trace.exact else len(courses) + 1
    for seen_key, seen in seen_in.items():
        if len(seen) < every:
            made[seen_key] = replace(made[seen_key], choice="one_of")
    chosen = made.values()
    return sorted(chosen, key=lambda one: (one.outcome != Outcome.DEPOSITED, one.hops, one.server, one.receiver))


def _delivery(arrivals: Sequence[Arrival], choice: str, hops: dict[int, Step]) -> Delivery:
    """The copies that one receiver or container gets in one course: over the shortest path first. ``hops`` are kept from delivery to delivery."""
    if len(arrivals) > 1:
        arrivals = sorted(arrivals, key=lambda one: (len(one.path), one.path))
    first = arrivals[0]
    taken = first.hops
    for step in taken:
        if step.id not in hops:
            hops[step.id] = hop(step)
    ending = first.ending
    return Delivery(
        server=ending.text("server"),
        destination=ending.text("destination"),
        outcome=ending.outcome,
        hops=len(taken),
        path=first.path,
        copies=sum(one.ending.count("copies") for one in arrivals),
        subscriber=ending.text("subscriber"),
        steps=tuple([hops[step.id] for step in taken]),
        receiver=ending.text("receiver"),
        paths=tuple(one.path for one in arrivals) if len(arrivals) > 1 else (),
        decisions=tuple(
            dict.fromkeys(
                Decision(step.at, step.text, step.rule, step.source)
                for one in arrivals
                if one.path == first.path
                for step in one.decisions
            )
        ),
        source=first.evidence.source,
        system=first.evidence.system,
        choice=choice,
    )


def hop(step: TracedStep) -> Step:
    """A step from server to server as an entry of an answer."""
    return Step(
        step.at, step.to, step.zone, step.rule, step.confidence, step.guards, step.source, step.cost, step.system
    )
