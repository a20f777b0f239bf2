"""Where the messages begin that are tried for circles: at each exchange and queue from which one
may be got to, with the keys and headers that stand for all others there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topograph.facts import Pairs
from topograph.facts import rabbitmq as f
from topograph.records import record
from topograph.systems.rabbitmq import headers
from topograph.systems.rabbitmq.loops.keys import MOST_TRIED, headers_tried, keys_tried
from topograph.systems.rabbitmq.loops.reach import Reach, queues_of
from topograph.systems.rabbitmq.loops.rounds import Node
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.travel import Travel


@record
class Group:
    """Places that lead to each other, or some to others of them, and the messages that begin there.
    ``complete`` is False where more would have to be tried."""

    places: Sequence[Place]
    begins: Sequence[Node]
    complete: bool


MOST_BEGINS = 200_000
"""Messages that are tried of one group of places at most."""


def groups_of(network: Network, reach: Reach, most: int = MOST_BEGINS) -> Iterator[Group]:
    """The groups of places from which a message may get to where it comes back, with at most so
    many messages that begin in each. Linear in places and bindings, and in what is tried."""
    wanted = reach.before(reach.circling)
    senders = {place: None for place in network.configuration.senders() if place in wanted}
    for places in reach.joined(wanted):
        if len(places) > most:
            yield Group(sorted(places), (), complete=False)
            continue
        there = frozenset(places)
        beginning = [one for one in senders if one in there]
        yield group_of(network, reach, sorted(places), beginning, most)


def _comparing_headers(network: Network, reach: Reach) -> Collection[Place]:
    """The places from which a message may get to a headers exchange."""
    found = [
        one for one in network.configuration.bound if network.exchanges.routes_as(one) == "headers"
    ]
    return reach.before(found)


def group_of(
    network: Network,
    reach: Reach,
    places: Sequence[Place],
    senders: Sequence[Place],
    most: int = MOST_BEGINS,
) -> Group:
    """Some places with the messages that begin at some of them. The keys and headers are those of
    the bindings between them."""
    patterns, literal, asked = _asked(network, frozenset(places))
    keys = keys_tried(patterns, literal, min(most, MOST_TRIED))
    tried = headers_tried(asked, min(most, MOST_TRIED))
    keeps = network.exchanges.onward.shovels.keep_exchange
    compares = _comparing_headers(network, reach)
    begins: list[Node] = []
    for place in senders:
        named = place.type == QUEUE
        for said in tried.values if place in compares else ((),):
            exchange = place.name if keeps and not named else ""
            begins += [
                Node(place, Travel(str(key), expiration="", exchange=exchange, headers=said))
                for key in ([place.name] if named else keys.values)
            ]
            if len(begins) > most:
                return Group(places, begins[:most], complete=False)
    return Group(places, begins, keys.complete and tried.complete)


def _asked(
    network: Network, within: Collection[Place]
) -> tuple[dict[str, None], dict[str, None], list[Pairs]]:
    """The patterns of keys, single keys, and headers that bindings between some places ask for."""
    patterns: dict[str, None] = {}
    literal: dict[str, None] = {}
    asked: list[Pairs] = []
    for place in within:
        if place.type != EXCHANGE:
            continue
        if place.name == DEFAULT_EXCHANGE:
            own = (one for one in within if one[:2] == place[:2])
            literal |= dict.fromkeys(queues_of(own))
            continue
        type_ = network.exchanges.routes_as(place)
        for one in _bindings(network, place, within):
            if type_ == "topic":
                patterns[one.key] = None
            elif type_ == "direct":
                literal[one.key] = None
            elif type_ == "headers":
                asked += _each(one.arguments)
    return patterns, literal, asked


def _bindings(
    network: Network, place: Place, within: Collection[Place]
) -> Iterator[f.RabbitBinding]:
    """Those out of an exchange that lead to one of some places, its own and those that links
    asked for."""
    for one in network.configuration.out_of(place).facts:
        if Place(place.server, place.vhost, one.to_type, one.to) in within:
            yield one
    for link in network.federation.out_of.get(place, ()):
        if link.downstream in within:
            yield from network.federation.bindings(link).facts


def _each(arguments: Pairs) -> Iterator[Pairs]:
    """The headers that the binding of a headers exchange asks for, of which one is enough: each."""
    found = tuple(sorted(
        (name, headers.tried_value(value)) for name, value in headers.asked(arguments).items()
    ))  # fmt: skip
    if headers.how(arguments).startswith("any"):
        yield from ((one,) for one in found)
    else:
        yield found
