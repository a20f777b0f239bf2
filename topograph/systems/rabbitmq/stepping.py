"""One network of RabbitMQ as a system whose messages go step by step
(``tracing.states.Stepping``).
"""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from functools import partial

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Guard
from topograph.message import Message
from topograph.outcomes import Confidence, Outcome, Truth
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource
from topograph.systems.rabbitmq.checks import checks
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.exchanges import HEADERS, KEY, NO, key_matches
from topograph.systems.rabbitmq.headers import headers_match
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.out_of_order import Part
from topograph.systems.rabbitmq.outages import asking, components, parts
from topograph.systems.rabbitmq.places import EXCHANGE
from topograph.systems.rabbitmq.publishing import TOPIC, topic_verdict
from topograph.systems.rabbitmq.sent import sent
from topograph.systems.rabbitmq.show import rows
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.circling import Circling
from topograph.tracing.states import ONCE, Begins, Loops, OnLoop, State, Stepping, Verdict, Way
from topograph.tracing.trace import Note, Station

NOTES = (
    Note(
        "RQ-12",
        "Who consumes, how many messages a queue holds, and headers CC and BCC are not known: "
        "what consumers reject, what expires and what a full queue gives up is told as what "
        "happens later.",
    ),
)


def evaluate(guard: Guard, message: Message) -> Verdict:
    """Whether a guard holds for a message."""
    if guard.kind == TOPIC:
        return topic_verdict(guard, message)
    said = json.loads(guard.payload)
    if guard.kind == HEADERS:
        exact, asked = said
        pairs = [tuple(map(tuple, one)) for one in asked]
        return _verdict(any(headers_match(one, message.properties, exact=exact) for one in pairs))
    if guard.kind == NO:
        return _verdict(False)
    assert guard.kind == KEY
    if message.routing_key is None:
        return Verdict(Truth.UNKNOWN, known=False, note="no --key is given")
    type_, keys = said
    return _verdict(key_matches(type_, keys, message.routing_key))


def _verdict(holds: bool) -> Verdict:
    return Verdict(Truth.TRUE if holds else Truth.FALSE)


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    """The clusters that the facts of one network configure."""
    return stepping_of(Configuration(source, side_inputs))


def stepping_of(
    configuration: Configuration, rounds: int = 1, failed: AbstractSet[Part] = frozenset()
) -> Stepping:
    """The same of a configuration. ``rounds``: see ``Queues``; ``failed`` is out of order."""
    network = Network(configuration, rounds, failed)
    asks = asking(network)
    return Stepping(
        servers=sorted(network.servers(), key=lambda server: server.name),
        entries=network.publishing.entries,
        enter=network.publishing.enter,
        step=network.step,
        evaluate=evaluate,
        on_loop=_on_loop,
        beyond=Outcome.UNDETERMINED,
        notes=NOTES,
        checks=checks(network),
        show=partial(rows, network),
        station=_station,
        plainer=_plainer,
        address=_address,
        sent=partial(sent, network),
        begins=lambda: Begins((), network.publishing.begins()),
        passing=network.passing,
        beginning=network.beginning,
        circling=partial(_circling, network),
        components=lambda: tuple(components(network)),
        without=lambda outage: stepping_of(configuration, rounds, parts(outage)),
        as_before=lambda state: failed.isdisjoint(asks.of(state) or ()),
        asking=asks,
    )


def _circling(network: Network, budget: Budget) -> Circling:
    from topograph.systems.rabbitmq.loops.telling import circling

    return circling(network, budget)


_ROUND = OnLoop(Loops.STATIC, rule="RQ-20", confidence=Confidence.M)


def _on_loop(state: State) -> OnLoop:
    """What it means that a state comes again: in one routing nothing more (RQ-7); what is published
    again as it was goes round (RQ-14, RQ-20)."""
    return _ROUND if decoded(state)[1].fresh else ONCE


def _plainer(state: State) -> State:
    """A message of a question as one that stands for all that are where it is."""
    place, travel = decoded(state)
    if not travel.traced:
        return state
    return travel._replace(acts=(), deaths=(), dying=False, traced=False).at(place)


def _address(state: State) -> str:
    """What a message was sent to: an exchange, with the routing key, the headers and the user where
    these are known."""
    place, travel = decoded(state)
    having = []
    if place.type == EXCHANGE and travel.key is not None:
        having.append(f"the key {travel.key or '(empty)'}")
    if travel.headers is not None:
        having.append(f"the headers {', '.join(map('='.join, travel.headers)) or '(none)'}")
    said = [state.object, *([f"with {' and '.join(having)}"] if having else [])]
    if travel.user:
        said.append(f"by {travel.user}")
    return " ".join(said)


def _station(state: State, way: Way) -> Station:  # noqa: ARG001
    place, _ = decoded(state)
    return Station(place.type, place.short)
