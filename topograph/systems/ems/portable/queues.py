"""What becomes of copies that bridges put on queues, worked out for every message at once: a page
needs no queues.

A message to a queue goes the same way whatever it is, but for the selectors on its way: of those
each answer is tried.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from topograph.forwarding.graph import ForwardingGraph, Guard
from topograph.message import DestinationName, Message
from topograph.outcomes import Outcome, Truth
from topograph.systems.contract.portable_messages import (
    PortableFork,
    PortableSubscriber,
    PortableWay,
)
from topograph.systems.ems.destinations.topics import is_temporary, is_wildcard
from topograph.systems.ems.queues.steps import BRIDGED, QueueSteps, queue_state
from topograph.tracing.exploration import explore
from topograph.tracing.states import Stepping, Verdict
from topograph.tracing.trace import Trace

MOST_SELECTORS = 4
"""Selectors on the way of one copy of which each answer is tried; with more the page leaves the
copy to the command.
"""

Selector = tuple[str, str]
"""Its text, and why its line is not understood."""


class _Asked(Exception):
    """A selector is asked that nothing was assumed of."""

    def __init__(self, selector: Selector) -> None:
        super().__init__(selector)
        self.selector = selector


def onward(
    steps: QueueSteps,
    graph: ForwardingGraph,
    subscribers: Iterable[PortableSubscriber],
    number: Callable[[str, str], int],
) -> Mapping[tuple[int, str], PortableWay]:
    """What becomes of each copy that a bridge puts on a queue and that is not just kept there,
    by server and queue; of those too that bridges of these queues make. ``number`` numbers
    selectors. At most 3 to the power of ``MOST_SELECTORS`` explorations a queue."""
    waiting = [
        (one.server, one.copy.name)
        for one in subscribers
        if one.copy is not None and one.copy.followed and one.copy.type == "queue"
    ]
    stepping = steps.stepping()
    found: dict[tuple[int, str], PortableWay] = {}
    seen: set[tuple[int, str]] = set()
    while waiting:
        place = waiting.pop()
        if place in seen or is_temporary(place[1]) or is_wildcard(place[1]):
            continue
        seen.add(place)
        way = _way(stepping, graph, place, {}, number)
        if way is not None:
            found[place] = way
            waiting += _copies(way, graph, place[0])
    return found


def _way(
    stepping: Stepping,
    graph: ForwardingGraph,
    place: tuple[int, str],
    said: Mapping[Selector, Truth],
    number: Callable[[str, str], int],
) -> PortableWay | None:
    """What becomes of a copy if selectors say what is ``said``; None where that is not known
    within bounds.
    """

    def evaluate(guard: Guard, message: Message) -> Verdict:
        if guard.kind == "acl":
            return stepping.evaluate(guard, message)
        text, fault, wanted = json.loads(guard.payload)
        truth = Truth.TRUE if not text and not fault else said.get((text, fault))
        if truth is None:
            raise _Asked((text, fault))
        if wanted == Truth.TRUE:
            return Verdict(truth)
        return Verdict(Truth.TRUE if truth == wanted else Truth.FALSE)

    server, queue = place
    message = Message(DestinationName("queue", queue))
    state = queue_state(graph.servers[server].name, queue, BRIDGED)
    try:
        told = explore(
            {graph.system: replace(stepping, evaluate=evaluate)}, graph.system, state, message
        )
    except _Asked as asked:
        if len(said) == MOST_SELECTORS:
            return None
        ways = {
            str(truth): _way(stepping, graph, place, {**said, asked.selector: truth}, number)
            for truth in Truth
        }
        told_all = {name: way for name, way in ways.items() if way is not None}
        return (
            PortableFork(number(*asked.selector), told_all) if len(told_all) == len(ways) else None
        )
    return told if told.exact else None


def _copies(way: PortableWay, graph: ForwardingGraph, start: int) -> list[tuple[int, str]]:
    """The queues on which bridges put copies on a way."""
    if not isinstance(way, Trace):
        return [place for one in way.ways.values() for place in _copies(one, graph, start)]
    found = []
    for branch in way.branches:
        if branch.ending is not None and branch.ending.outcome is Outcome.PUBLISHED:
            type_, _, name = branch.ending.text("destination").partition(":")
            server = branch.ending.text("server")
            if type_ == "queue":
                found.append((graph.server_number[server] if server else start, name))
    return found
