"""Messages that stand for those which clients send, for what is told of each (``Stepping.sent``):
with routing keys that matter to the exchange they are published to, and to those behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from topograph.systems.rabbitmq.loops.keys import keys_tried
from topograph.systems.rabbitmq.loops.reach import Reach
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.travel import Travel
from topograph.systems.rabbitmq.tried import examples
from topograph.tracing.states import State

MOST_TOGETHER = 200
"""Patterns of which it is tried too what several of them match."""


def sent(network: Network) -> Iterator[State]:
    """To each queue one message; to each exchange one for each set of patterns of routing keys that
    is matched there or behind it; to a headers exchange one for each binding. Linear in the
    bindings behind each exchange, and quadratic in few patterns."""
    reach = Reach(network)
    for place in network.configuration.senders():
        if place.type == QUEUE:
            yield Travel(place.name).at(place)
        else:
            for key in _keys(network, reach.behind([place])):
                yield Travel(key, exchange=place.name).at(place)
    yield from network.publishing.by_headers()


def _keys(network: Network, places: Collection[Place]) -> Collection[str]:
    """The routing keys that matter to the exchanges among some places."""
    patterns: dict[str, None] = {}
    single: dict[str, None] = {}
    for place in places:
        if place.type == EXCHANGE:
            type_ = network.exchanges.routes_as(place)
            asked = [one.key for one in network.configuration.out_of(place).facts]
            if type_ == "topic":
                patterns |= dict.fromkeys(asked)
            elif type_ == "direct":
                single |= dict.fromkeys(asked)
    few = [*patterns][:MOST_TOGETHER]
    found = dict.fromkeys(map(str, keys_tried(few, single).values))
    for pattern in [*patterns][MOST_TOGETHER:]:
        found |= dict.fromkeys(examples(pattern))
    return found
