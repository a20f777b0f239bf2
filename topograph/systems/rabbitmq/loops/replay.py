"""One circle as a broker lets a message go round it: for ever, or until something ends it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, cycle, islice

from topograph.records import record
from topograph.systems.rabbitmq.loops.rounds import Edge, Node
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Ending

MOST_ROUNDS = 60
"""Rounds that are followed: a message has been in each state of its past by then."""


@record
class Replayed:
    """What became of a message on a circle: it goes round for ever, or it was stopped before a way
    (``at``), by another one where there is one (``by``)."""

    goes_round: bool
    at: Edge | None = None
    by: Way | None = None

    @property
    def ending(self) -> Ending | None:
        """How it ended, where a broker ended it."""
        return self.by.to if self.by is not None and isinstance(self.by.to, Ending) else None


def replayed(network: Network, entry: Sequence[Edge], round_: Sequence[Edge]) -> Replayed:
    """What becomes of a message that takes the ways of an entry, then those of a circle again and
    again. Linear in the ways times the rounds."""
    first = (entry or round_)[0].start
    node = Node.with_past(first.place, first.travel._replace(traced=True))
    seen: set[Node] = set()
    ways = chain(entry, islice(cycle(round_), len(round_) * MOST_ROUNDS))
    for number, edge in enumerate(ways):
        along = number - len(entry)
        if along >= 0 and along % len(round_) == 0:
            if node in seen:
                return Replayed(goes_round=True)
            seen.add(node)
        onward, by = _taken(network, node, edge)
        if onward is None:
            return Replayed(goes_round=False, at=edge, by=by)
        node = onward
    return Replayed(goes_round=False)


def _taken(network: Network, node: Node, edge: Edge) -> tuple[Node | None, Way | None]:
    """Where a message with a past is when it took a way; how it ended instead, where it did."""
    wanted = Node.of(*edge.to)
    by: Way | None = None
    for way in network.step(node.travel.at(node.place)).ways:
        if isinstance(way.to, State):
            place, travel = decoded(way.to)
            same = (way.condition, way.link) == (edge.way.condition, edge.way.link)
            if same and Node.of(place, travel) == wanted:
                return Node.with_past(place, travel), None
        elif isinstance(way.to, Ending) and edge.way.text in way.text:
            by = way
    return None, by
