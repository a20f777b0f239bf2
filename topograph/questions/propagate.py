"""``propagate``: who gets a message, who does not, and which guard decides it: a fold of the
message's trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    Alternative,
    Decision,
    DeliveredTo,
    Delivery,
    PropagateAnswer,
    Step,
    Stopped,
)
from topograph.questions.following import cautions, followed, inexact_because, left_open, sender_of
from topograph.questions.model import Model, Place, within_budget
from topograph.side_inputs import Client
from topograph.tracing.outcomes import Arrival, Folding
from topograph.tracing.trace import Branch, Trace, TracedStep


@within_budget
def propagate(
    model: Model,
    budget: Budget,
    from_: str,
    message: Message,
    *,
    subscribers: str | Sequence[str] = (),
    clients: Sequence[Client] = (),
    assume: bool = True,
) -> PropagateAnswer:
    """Follow one message published at ``from_``.

    ``subscribers`` (``SERVER:DEST``) and ``clients`` are added to those of topograph.yaml and of
    the configuration. If no client is known at all and ``assume`` holds, every server counts as
    having a subscriber. Raises UnknownServer, UsageError for a wildcard (R85), NotApplicable for
    destinations that the server's system does not have.
    """
    start = model.locate(from_, message.destination.type)
    told = followed(model, budget, start, message, subscribers, clients, assume=assume)
    return fold(model, start, message, told, budget)


def fold(
    model: Model, start: Place, message: Message, trace: Trace, budget: Budget
) -> PropagateAnswer:
    """Who gets the message, as a trace tells it. Linear in the steps of its deliveries."""
    part = start.part
    folding = Folding(trace)
    hops: dict[int, Step] = {}
    return PropagateAnswer(
        **model.common(part),
        exact=trace.exact,
        inexact_because=inexact_because(trace, start.part),
        assumptions=trace.assumptions,
        warnings=cautions(model, start, trace, budget),
        from_=start.name,
        system=start.system,
        message=message.to_dict(),
        deliveries=tuple(_deliveries(folding, hops)),
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
                folding.path(step.id) or (step.at,),
                _hops(folding.hops(step.id), hops),
            )
            for end, step in folding.stops()
        ),
        received=trace.visited[1:],
        undetermined=left_open(trace, part),
        sender=sender_of(trace),
        alternatives=tuple(_alternative(folding, course) for course in folding.courses),
    )


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
    shown = {
        name: tuple(sorted(each, key=lambda path: (len(path), path)))
        for name, each in paths.items()
    }
    return Alternative(course.condition, course.sender, received, deposited, shown)


def _deliveries(folding: Folding, hops: dict[int, Step]) -> list[Delivery]:
    """One entry for each that takes the message, and each path that one course gives it; by
    hops, then server and receiver.
    """
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
    return sorted(
        chosen,
        key=lambda one: (one.outcome != Outcome.DEPOSITED, one.hops, one.server, one.receiver),
    )


def _delivery(arrivals: Sequence[Arrival], choice: str, hops: dict[int, Step]) -> Delivery:
    """The copies that one receiver or container gets in one course: over the shortest path
    first. ``hops`` are kept from delivery to delivery.
    """
    if len(arrivals) > 1:
        arrivals = sorted(arrivals, key=lambda one: (len(one.path), one.path))
    first = arrivals[0]
    taken = first.hops
    ending = first.ending
    return Delivery(
        server=ending.text("server"),
        destination=ending.text("destination"),
        outcome=ending.outcome,
        hops=len(taken),
        path=first.path,
        copies=sum(one.ending.count("copies") for one in arrivals),
        subscriber=ending.text("subscriber"),
        steps=_hops(taken, hops),
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
        delivered_to=tuple(
            dict.fromkeys(
                DeliveredTo(taker.name, taker.known, taker.source)
                for one in arrivals
                for taker in one.ending.takers
            )
        ),
    )


def _hops(taken: Sequence[TracedStep], hops: dict[int, Step]) -> tuple[Step, ...]:
    """Steps of a trace as entries of an answer; ``hops`` keeps each for all that share it."""
    for step in taken:
        if step.id not in hops:
            hops[step.id] = hop(step)
    return tuple([hops[step.id] for step in taken])


def hop(step: TracedStep) -> Step:
    """A step from server to server as an entry of an answer."""
    return Step(
        step.at,
        step.to,
        step.zone,
        step.rule,
        step.confidence,
        step.guards,
        step.source,
        step.cost,
        step.system,
    )
