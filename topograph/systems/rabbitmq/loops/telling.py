"""Circles and what arrives twice, as answers tell them (``tracing.circling``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from topograph.assumptions import Assumption
from topograph.forwarding.budget import Budget
from topograph.outcomes import Confidence
from topograph.systems.rabbitmq.loops.finding import (
    BOUNDED,
    DROPPED,
    ENDLESS,
    REJECTED,
    Circle,
    Circles,
)
from topograph.systems.rabbitmq.loops.rounds import SHOVELLED, Edge, Node
from topograph.systems.rabbitmq.loops.twice import Doubled, Twice
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import EXCHANGE, QUEUE, Place
from topograph.tracing.circling import ArrivingTwice, CircleStep, Circling, MessageCircle


def circling(network: Network, budget: Budget) -> Circling:
    """What of the messages of a network comes back, and what arrives twice."""
    circles = Circles(network, budget).look()
    twice = Twice(network, budget)
    doubled = twice.look()
    ways = [one for each in circles.found for one in (*each.entry, *each.ways)]
    ways += [one for each in doubled for way in each.ways for one in way]
    return Circling(
        tuple(map(_circle, circles.found)),
        tuple(told for one in doubled for told in _twice(one)),
        circles.complete and twice.complete,
        tuple(sorted(circles.undecided | twice.undecided)),
        _assumptions(ways),
    )


def _assumptions(ways: Iterable[Edge]) -> tuple[Assumption, ...]:
    found = {one.way.position for one in ways if one.way.position is not None}
    return tuple(sorted(found, key=lambda one: (one.rule, one.text)))


def _step(edge: Edge) -> CircleStep:
    start, to, way = edge.start.place, edge.to.place, edge.way
    return CircleStep(
        start.server, start.label, to.server, to.label, way.text, way.rule, str(way.confidence),
        way.source, way.role, way.condition, edge.is_chosen,
    )  # fmt: skip


def _circle(circle: Circle) -> MessageCircle:
    ways = _turned(circle)
    rules = _rules(circle)
    return MessageCircle(
        circle.kind,
        circle.is_certain,
        tuple(map(_step, ways)),
        ", ".join(rules),
        str(
            Confidence.M
            if any(one.way.confidence != Confidence.H for one in ways)
            else Confidence.H
        ),
        _text(circle),
        circle.first.place.server,
        circle.first.place.label,
        _message(circle.first),
    )


def _turned(circle: Circle) -> Sequence[Edge]:
    """The ways of a circle from the first queue on, by name."""
    ways = circle.ways
    at = min(
        range(len(ways)), key=lambda one: (ways[one].start.place.type != QUEUE, ways[one].ends)
    )
    return (*circle.ways[at:], *circle.ways[:at])


def _rules(circle: Circle) -> list[str]:
    found: list[str] = []
    if circle.stopped is not None:
        found = [circle.stopped.by.rule if circle.stopped.by is not None else "RQ-23"]
    elif any(one.way.role == SHOVELLED for one in circle.ways):
        found = ["RQ-20"]
    if circle.kind in (REJECTED, ENDLESS) and any(one.is_dead_letter for one in circle.ways):
        found.append("RQ-14")
    return sorted({rule for one in found for rule in one.split(", ") if rule in _ENDING} or found)


_ENDING = ("RQ-14", "RQ-20", "RQ-22", "RQ-23")
"""The rules that say how a circle ends."""


def _text(circle: Circle) -> str:
    """What ends a circle, or that nothing does, in words."""
    if circle.kind == REJECTED:
        return "it goes round as often as consumers reject it"
    if circle.kind in (BOUNDED, DROPPED):
        stopped = circle.stopped
        if stopped is None or stopped.by is None or stopped.at is None:
            return "a federated queue takes no message back to where it was"
        if circle.kind == DROPPED and stopped.ending is not None and not stopped.at.is_federated:
            queue = stopped.at.to.place.label
            return f"it is dropped when it comes back to {queue} without a rejection"
        return f"it ends at {stopped.at.start.place.label}: {stopped.by.text.rpartition(': ')[2]}"
    text = "it goes round for ever"
    if any(one.is_dead_letter for one in circle.ways):
        text += " as often as queues give it up"
    if any(one.is_chosen for one in circle.ways):
        text += ", where it is this way that is taken"
    if any(one.is_rejection for one in circle.entry):
        text += ", once a consumer rejected it"
    elif any(one.is_later for one in circle.entry):
        text += ", once a queue gave it up"
    return text


def _message(node: Node) -> tuple[tuple[str, str], ...]:
    """What a message has, by what it is called."""
    found: list[tuple[str, str]] = []
    if node.place.type == EXCHANGE and node.travel.key is not None:
        found.append(("key", node.travel.key))
    found += [(f"header {name}", value) for name, value in node.travel.headers or ()]
    return tuple(found)


def _twice(one: Doubled) -> Iterator[ArrivingTwice]:
    by_server: dict[str, list[Place]] = {}
    for place in one.queues:
        by_server.setdefault(place.server, []).append(place)
    ways = (tuple(map(_step, one.ways[0])), tuple(map(_step, one.ways[1])))
    for server, places in by_server.items():
        yield ArrivingTwice(
            one.first.place.server,
            one.first.place.label,
            _message(one.first),
            server,
            tuple(place.label for place in places),
            ways,
        )
