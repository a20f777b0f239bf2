"""``propagate`` for systems that follow a message course by course: where a server chooses at run time, every choice is listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from topograph.errors import NotApplicable
from topograph.message import DestinationName, Message, Value
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    Alternative,
    Assumption,
    Caution,
    Decision,
    Delivery,
    PropagateAnswer,
    Sender,
    Step,
    Undetermined,
)
from topograph.questions.model import Model, Part
from topograph.questions.steps import incomplete_servers
from topograph.side_inputs import Client
from topograph.systems import answering


def follow(
    model: Model,
    part: Part,
    from_: str,
    named: DestinationName,
    properties: Mapping[str, Value],
    clients: Sequence[Client],
    *,
    user: str = "",
    anonymous: bool = False,
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message at ``from_``; ``clients`` are those of the question, beside topograph.yaml's and observed ones.

    Raises NotApplicable where the server sends nothing: its files are not loaded, or it does not start.
    """
    system = answering(part.system)
    graph = part.graph
    start = graph.server_number[from_]
    server = graph.servers[start]
    if not server.loaded:
        raise NotApplicable(f"No file of {from_} is loaded, so that nothing can be said of what is sent there.")
    if system.does_not_run(graph, start):
        raise NotApplicable(f"{from_} takes no messages: {server.incomplete or 'it does not run'} ({server.source}).")
    for client in clients:
        model.part_of(client.server)
    known, left_out = _attached(part, named, [*model.side_inputs.clients, *clients])
    found = system.follow_message(
        graph,
        part.engine,
        model.source.facts,
        model.side_inputs,
        known,
        from_,
        named.name,
        properties,
        anonymous=anonymous,
        assume=assume,
        kept=part.kept,
    )
    left_open = system.left_open(graph, part.engine, start)
    sender = _sender(system, found)
    if sender.outcome == Outcome.NO_CREDIT and left_open:
        text = "nobody is known to take the message here; whether somebody does beyond what is loaded is not known"
        sender = Sender(
            Outcome.UNDETERMINED, description=text, rule=system.WAITING[0], source=next(iter(left_open.values()))[1]
        )
    ways = (*found.ways, *found.assumed)
    passed = {router for way in ways for end in way.ends for router in end.path}
    return PropagateAnswer(
        **model.common(part),  # type: ignore[arg-type]
        exact=found.complete and sender.outcome != Outcome.UNDETERMINED,
        assumptions=tuple(
            Assumption(one.rule, str(one.confidence), one.text, one.alternative) for one in found.positions
        ),
        warnings=(
            *model.warnings,
            *left_out,
            *incomplete_servers(graph, (graph.server_number[name] for name in sorted(passed | {from_}))),
            *(Caution(one.rule, one.text, one.source) for one in found.notes),
        ),
        from_=from_,
        message=Message(named, MappingProxyType(dict(properties)), user, anonymous).to_dict(),
        deliveries=tuple(_deliveries(found, named)),
        stopped=(),
        received=tuple(sorted(passed - {from_})),
        undetermined=tuple(
            Undetermined(graph.servers[number].name, because, source)
            for number, (because, source) in sorted(left_open.items(), key=lambda item: graph.servers[item[0]].name)
        ),
        sender=sender,
        alternatives=tuple(_alternative(way) for way in found.ways) if len(found.ways) > 1 else (),
    )


def _attached(part: Part, named: DestinationName, clients: Sequence[Client]) -> tuple[list[Client], list[Caution]]:
    """The clients that are attached to servers of this part which run; a warning for each other one of the message's destination."""
    graph, system = part.graph, answering(part.system)
    known, left_out = [], []
    for client in clients:
        number = graph.server_number.get(client.server)
        if number is not None and graph.servers[number].loaded and not system.does_not_run(graph, number):
            known.append(client)
        elif client.destination == str(named):
            why = "takes no clients"
            if number is None:
                why = "is no such server here"
            elif not graph.servers[number].loaded:
                why = "has no file that is loaded"
            left_out.append(
                Caution("client-not-counted", f"a client of {named} is left out: {client.server} {why}", client.source)
            )
    return known, left_out


def _sender(system: Any, found: Any) -> Sender:
    if found.refusal is not None:
        refusal = found.refusal
        return Sender(Outcome.REFUSED, refusal.condition, refusal.description, refusal.rule, refusal.source)
    if not found.credit:
        rule, waiting = system.WAITING
        return Sender(Outcome.NO_CREDIT, description=waiting, rule=rule)
    outcomes = sorted({way.outcome for way in found.ways})
    return Sender(" or ".join(outcomes))


def _alternative(way: Any) -> Alternative:
    received: dict[str, int] = {}
    deposited: dict[str, dict[str, int]] = {}
    paths: dict[str, list[tuple[str, ...]]] = {}
    for end in way.ends:
        paths.setdefault(end.name, []).append(end.path)
        if end.outcome is Outcome.DELIVERED:
            received[end.name] = received.get(end.name, 0) + end.copies
        else:
            there = deposited.setdefault(end.name, {})
            there[end.address] = there.get(end.address, 0) + end.copies
    shown = {name: tuple(sorted(each, key=lambda path: (len(path), path))) for name, each in paths.items()}
    return Alternative(way.if_, way.outcome, received, deposited, shown)


def _deliveries(found: Any, named: DestinationName) -> list[Delivery]:
    """One entry for each receiver or container, and each path that one choice gives it; by hops, then server and receiver."""
    made: dict[tuple[Any, ...], Delivery] = {}
    seen_in: dict[tuple[Any, ...], int] = {}
    for way in (*found.ways, *found.assumed):
        each: dict[tuple[str, str, str], list[Any]] = {}
        for end in way.ends:
            each.setdefault((end.outcome, end.name, end.address), []).append(end)
        for ends in each.values():
            delivery = _delivery(ends, named)
            key = (
                delivery.outcome,
                delivery.receiver,
                delivery.destination,
                delivery.copies,
                delivery.path,
                delivery.paths,
            )
            made.setdefault(key, delivery)
            seen_in[key] = seen_in.get(key, 0) + (1 if way in found.ways else 0)
    chosen = [
        delivery if len(found.ways) < 2 or seen_in[key] in (0, len(found.ways)) else replace(delivery, choice="one_of")
        for key, delivery in made.items()
    ]
    return sorted(chosen, key=lambda one: (one.outcome != Outcome.DEPOSITED, one.hops, one.server, one.receiver))


def _delivery(ends: Sequence[Any], named: DestinationName) -> Delivery:
    """The copies that one receiver or container gets: over the shortest path first."""
    ends = sorted(ends, key=lambda end: (len(end.path), end.path))
    first = ends[0]
    there = named.name if first.outcome is Outcome.DELIVERED else first.address
    return Delivery(
        server=first.server,
        destination=f"{named.type}:{there}",
        outcome=first.outcome,
        hops=max(len(first.path) - 1, 0),
        path=first.path,
        copies=sum(end.copies for end in ends),
        subscriber=first.known,
        steps=tuple(
            Step(hop.from_, hop.to, "", hop.rule, str(hop.confidence), (), hop.source, hop.cost) for hop in first.hops
        ),
        receiver=first.name,
        paths=tuple(end.path for end in ends) if len(ends) > 1 else (),
        decisions=tuple(Decision(one.at, one.text, one.rule, one.source) for one in first.decisions),
    )
