"""The shovels of a network (RQ-19): out of which queue each takes, and where it publishes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from topograph.facts import rabbitmq as f
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place

AMQP_10 = "address"


class Shovels:
    """The shovels by the queue that they take from. One that takes from an exchange has a queue of
    its own, which it binds."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.out_of: Mapping[Place, Sequence[f.RabbitShovel]] = self._by_queue()

    def _by_queue(self) -> dict[Place, list[f.RabbitShovel]]:
        found: dict[Place, list[f.RabbitShovel]] = {}
        for one in self.configuration.shovels:
            start = self.start(one)
            if one.from_type == EXCHANGE:
                start = self._bound(one, start)
            found.setdefault(start, []).append(one)
            self.target(one)
        return found

    def _bound(self, one: f.RabbitShovel, exchange: Place) -> Place:
        """The queue of a shovel that takes from an exchange, bound to it."""
        queue = exchange.queue(f"(of shovel {one.name})")
        common: dict[str, Any] = {
            "bundle": one.bundle,
            "server": exchange.server,
            "source": one.source,
        }
        if queue not in self.configuration.queues and exchange.server in self.configuration.files:
            fact = f.RabbitQueue(**common, vhost=queue.vhost, name=queue.name, type="classic")
            self.configuration.queues.declare(queue, fact)
            binding = f.RabbitBinding(
                **common,
                vhost=exchange.vhost,
                name=exchange.name,
                to_type=QUEUE,
                to=queue.name,
                key=one.from_key,
            )
            self.configuration.bound.add(exchange, binding)
        return queue

    def start(self, one: f.RabbitShovel) -> Place:
        """What a shovel takes from."""
        return self.configuration.brokers.place(one.taken_at, one, one.from_type, one.from_, None)

    def target(self, one: f.RabbitShovel) -> Place:
        """Where a shovel publishes; an exchange without a name where it names none."""
        return self.configuration.brokers.place(one.put_at, one, one.to_type, one.to or "", None)

    def leads_to(self, one: f.RabbitShovel) -> Place:
        """The same, but for one that publishes to the default exchange with a key: then the queue
        that is called so."""
        to = self.target(one)
        by_default = one.to == DEFAULT_EXCHANGE and to.type == EXCHANGE and one.key is not None
        return to.queue(str(one.key)) if by_default else to

    @cached_property
    def keep_exchange(self) -> bool:
        """Whether a shovel publishes to the exchange that a message was published to before."""
        return any(one.to_type == EXCHANGE and one.to is None for one in self.configuration.shovels)
