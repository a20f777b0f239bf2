"""A message followed from the server it is sent at: what ``propagate`` and ``trace`` make their
answers of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.errors import NotApplicable, UnknownDestination, UnknownServer, UsageError
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.inexact import Inexact, budget_ended
from topograph.message import (
    DESTINATION_TYPES,
    OPTIONS,
    DestinationName,
    Message,
    is_destination_type,
)
from topograph.outcomes import Outcome
from topograph.questions.answers import Caution, Sender, Undetermined
from topograph.questions.cautions import doubled, incomplete_servers, inexact_where
from topograph.questions.doubts import decided_if, would_need
from topograph.questions.model import Model, Part, Place, cut
from topograph.side_inputs import Client
from topograph.systems.contract.system import Sending
from topograph.tracing.trace import NOWHERE, Ending, Kind, Open, SenderView, Trace, TraceBuilder
from topograph.words.several import several

GIVEN = "--subscriber"
"""What a delivery to a subscriber of the question cites as its evidence."""


def followed(
    model: Model,
    budget: Budget,
    start: Place,
    message: Message,
    subscribers: str | Sequence[str],
    clients: Sequence[Client],
    *,
    assume: bool = True,
) -> Trace:
    """The trace of a message. Raises what ``propagate`` raises."""
    return follow(
        start, sending_of(model, budget, start, message, subscribers, clients, assume=assume)
    )


def sending_of(
    model: Model,
    budget: Budget,
    start: Place,
    message: Message,
    subscribers: str | Sequence[str],
    clients: Sequence[Client],
    *,
    assume: bool = True,
) -> Sending:
    """What is sent, and who is known to want it. Raises what ``propagate`` raises."""
    part, named = start.part, message.destination
    if not part.follows(named.type):
        types = [f"{one}:{named.name}" for one in part.system.destinations if one]
        hint = part.system.instead(named) or (
            f"Did you mean {' or '.join(types)}?" if types else ""
        )
        raise NotApplicable(
            f"{named} at {start.name}, which runs {start.system}, is not covered yet. {hint}".rstrip()  # noqa: E501
        )
    for name in message.properties:
        if fault := part.system.property_fault(name):
            raise UsageError(
                f"No message of {part.system.title} has such a property: {fault}. Use the name "
                "that the sender sets."
            )
    for option in message.options():
        if option not in part.system.message_options:
            raise UsageError(
                f"{OPTIONS[option]} has no meaning for {part.system.title}, which {start.name} "
                "runs."
            )
    declared = {one.name for one in part.system.further_options}
    for name in sorted(message.further.keys() - declared):
        raise UsageError(
            f"The option {name} has no meaning for {part.system.title}, which {start.name} runs."
        )
    for client in clients:
        model.locate(client.server)
    added = (*clients, *(subscriber_option(model, text, named) for text in several(subscribers)))
    return Sending(start.name, message, added, assume, start.system, budget=budget)


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
        inexact=budget_ended(budget.ended),
        open=tuple(open_),
        visited=(start.name,),
    )


def subscriber_option(model: Model, text: str, named: DestinationName) -> Client:
    """``SERVER:DEST`` of --subscriber; DEST may leave out its type, which is that of the
    message's destination.
    """
    kind = named.type
    server, destination = model.split_server(text)
    if not destination:
        raise UsageError(
            f"--subscriber takes SERVER:DEST, not {text!r} (for example --subscriber "
            f"EAST:{kind}:orders)."
        )
    place = model.locate(server)
    type_, typed, name = destination.partition(":")
    if typed and not _together(type_, kind, place.part) and is_destination_type(type_):
        raise UsageError(
            f"--subscriber {text}: the message goes to {kind}:NAME. Did you mean "
            f"{server}:{kind}:{name}?"
        )
    return Client(
        place.name,
        destination if typed else f"{kind}:{destination}",
        source=replace(NOWHERE, file=GIVEN),
    )


def fitting(model: Model, from_: str, unknown: UnknownDestination) -> UnknownDestination:
    """The same of a message that is sent at a server, with the destinations that it has: of
    several types those of which the files name one that is called so."""
    try:
        place = model.locate(from_)
    except UnknownServer:
        return unknown
    if not unknown.name:
        return unknown
    from topograph.questions.known_destinations import known_destinations

    possible = [type_ for type_ in place.part.system.destinations if type_]
    named = {one.text for one in known_destinations(model)}
    known = [one for one in possible if f"{one}:{unknown.name}" in named]
    written = [f"{one}:{unknown.name}" for one in known or possible]
    hint = f" Did you mean {' or '.join(written)}?" if written else ""
    return UnknownDestination(unknown.said, unknown.name, hint)


def _together(type_: str, kind: str, part: Part) -> bool:
    """Whether a subscriber of a destination of ``type_`` may get what is sent to one of ``kind``:
    nobody passes messages between addresses and topics or queues; a system from outside says which
    types it has."""
    own = (*DESTINATION_TYPES, "")
    if type_ in own and kind in own:
        return (type_ == "address") == (kind == "address")
    return type_ in part.system.destinations


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


def left_open(trace: Trace, part: Part) -> tuple[Undetermined, ...]:
    """The servers that nothing certain is said of, each with the path up to the server whose
    files leave it open. Linear in the paths.
    """
    if not trace.open:
        return ()
    from topograph.questions.steps import PathBook

    book, numbers = PathBook(part), part.graph.server_number
    return tuple(
        Undetermined(
            one.server,
            one.because,
            one.source,
            one.system,
            book.servers(one.path),
            book.steps(one.path) if one.path else (),
            decided_if(one.decided),
            would_need(part.graph, one.needed, one.sent_at, numbers[one.server])
            if one.needed
            else (),
            one.destination,
        )
        for one in trace.open
    )


def inexact_because(trace: Trace, part: Part) -> tuple[Inexact, ...]:
    """Why a trace is not exact: the causes that it names, else what the loaded files leave open.
    Linear in the links and in what is open.
    """
    if trace.exact or trace.inexact:
        return trace.inexact
    return inexact_where([part.graph], ((one.because, one.source) for one in trace.open))


def sender_of(trace: Trace) -> Sender | None:
    """What the sender sees, where the system tells it."""
    seen: SenderView | None = trace.sender
    if seen is None:
        return None
    return Sender(seen.outcome, seen.condition, seen.text, seen.rule, seen.source or NOWHERE)
