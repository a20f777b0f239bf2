"""What static shovels declare before they start (RQ-30), and which of them do not start."""

from __future__ import annotations

from topograph.facts import Pairs
from topograph.facts import rabbitmq as f
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place

Binding = tuple[str, str, str, Pairs]
Known = dict[Place, set[Binding]]
"""The bindings out of exchanges that static shovels bind to, each by its end, key and arguments."""


class _Refused(Exception):
    """What a broker refuses; ``missing`` is what the shovel may wait for."""

    def __init__(self, why: str, missing: Place | None = None) -> None:
        super().__init__(why)
        self.missing = missing


def declare_all(configuration: Configuration) -> dict[tuple[str, str], str]:
    """Declare what static shovels declare, at the clusters that are loaded; and of those that do
    not start, by cluster and name, why. A shovel that misses what another one declares tries again
    until that is there. Linear in the declarations."""
    static = [one for one in configuration.shovels if isinstance(one, f.RabbitStaticShovel)]
    todo = [(one, 0) for one in reversed(static)]
    waiting: dict[Place, list[tuple[f.RabbitStaticShovel, int]]] = {}
    why: dict[tuple[str, str], str] = {}
    known: Known = {}
    while todo:
        one, at = todo.pop()
        key = (one.server, one.name)
        why.pop(key, None)
        try:
            while at < len(one.declares):
                made = _declare(configuration, one, one.declares[at], known)
                todo += waiting.pop(made, []) if made is not None else []
                at += 1
            _asks_for_its_queue(configuration, one)
        except _Refused as error:
            why[key] = str(error)
            if error.missing is not None:
                waiting.setdefault(error.missing, []).append((one, at))
    return why


def _asks_for_its_queue(configuration: Configuration, one: f.RabbitStaticShovel) -> None:
    """That the queue is there that a shovel takes from. Raises _Refused."""
    start = configuration.brokers.place(one.taken_at, one, one.from_type, one.from_, None)
    if one.from_type == QUEUE and configuration.lists_vhosts(start.server):
        _there(configuration, start)


def _there(configuration: Configuration, place: Place) -> None:
    """That an exchange or queue is there. Raises _Refused."""
    if not configuration.has(place):
        raise _Refused(f"{place.server} has no {place.label}", place)


def _declare(
    configuration: Configuration,
    one: f.RabbitStaticShovel,
    declared: f.RabbitDeclared,
    known: Known,
) -> Place | None:
    """What a declaration makes that was not there; None where it makes nothing, or its cluster is
    not loaded. Raises _Refused."""
    addresses = one.taken_at if declared.end == "source" else one.put_at
    what = QUEUE if declared.what == "queue" else EXCHANGE
    place = configuration.brokers.place(addresses, one, what, declared.name, None)
    if place.server not in configuration.files:
        return None
    if not configuration.has_vhost(place.server, place.vhost):
        raise _Refused(f"{place.server} has no virtual host {place.vhost}")
    if declared.what == "binding":
        _bind(configuration, one, declared, place, known)
        return None
    if declared.passive:
        _there(configuration, place)
        return None
    if configuration.has(place):
        type_ = configuration.type_of(place) if what == EXCHANGE else declared.type
        if type_ != declared.type:
            raise _Refused(f"{place.label} is of type {type_}, not {declared.type}")
        return None
    if what == QUEUE:
        configuration.queues.declare(place, _queue(one, declared, place))
        return place
    if declared.name.startswith("amq.") or declared.name == DEFAULT_EXCHANGE:
        raise _Refused(f"no client declares {place.label}")
    configuration.exchanges[place] = f.RabbitExchange(
        bundle=one.bundle,
        server=place.server,
        source=one.source,
        vhost=place.vhost,
        name=place.name,
        type=declared.type,
        internal=declared.internal,
        arguments=declared.arguments,
    )
    return place


def _queue(one: f.RabbitStaticShovel, declared: f.RabbitDeclared, place: Place) -> f.RabbitQueue:
    types = [value for name, value in declared.arguments if name == "x-queue-type"]
    return f.RabbitQueue(
        bundle=one.bundle,
        server=place.server,
        source=one.source,
        vhost=place.vhost,
        name=place.name,
        type=types[0].strip('"') if types else "",
        arguments=declared.arguments,
    )


def _bind(
    configuration: Configuration,
    one: f.RabbitStaticShovel,
    declared: f.RabbitDeclared,
    exchange: Place,
    known: Known,
) -> None:
    """A binding, once; of the default exchange there is none. Raises _Refused."""
    end = Place(exchange.server, exchange.vhost, declared.type, declared.to)
    for place in (exchange, end):
        _there(configuration, place)
    if exchange.name == DEFAULT_EXCHANGE:
        raise _Refused(f"no client binds {end.label} to the default exchange")
    binding = f.RabbitBinding(
        bundle=one.bundle,
        server=exchange.server,
        source=one.source,
        vhost=exchange.vhost,
        name=exchange.name,
        to_type=declared.type,
        to=declared.to,
        key=declared.key,
        arguments=declared.arguments,
    )
    if exchange not in known:
        known[exchange] = set(map(_same, configuration.out_of(exchange).facts))
    if _same(binding) not in known[exchange]:
        known[exchange].add(_same(binding))
        configuration.bound.add(exchange, binding)


def _same(one: f.RabbitBinding) -> Binding:
    return one.to_type, one.to, one.key, one.arguments
