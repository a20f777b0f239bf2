"""Messages that wait in containers, and who takes them out: in autolinks, and receivers that a
link route attached (W-2 to W-4, F-4, L-11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from topograph.facts.amqp_addresses import plain_address
from topograph.systems.amq_interconnect.messages.attachment import attached_beyond
from topograph.systems.amq_interconnect.messages.model import AutoLink, MessageNetwork
from topograph.systems.amq_interconnect.messages.records import (
    OUTCOME,
    Copy,
    RouterDecision,
    RouterDelivery,
)
from topograph.systems.amq_interconnect.messages.rotation import Turns
from topograph.tracing.choices import Choices

ROUNDS = 16
"""Times the containers are asked anew, because one message took another's way into the next,
before it counts as going round.
"""

COPIES = 5_000
"""Copies that are taken out of containers in one course, beyond the messages that waited there,
before it is not followed any more: where each message that is taken out comes back as several,
every round multiplies them."""

TakesOut = Callable[[], list[Copy]]
"""Takes one message out of a container and says what becomes of it."""


@dataclass
class Containers:
    """What waits in each container under each address there. ``enter`` brings a message in over
    an autolink (router, autolink, container); ``has_credit`` says whether an in autolink may.
    ``cut`` says where the course was not followed any further."""

    network: MessageNetwork
    choices: Choices
    turns: Turns
    enter: Callable[[str, AutoLink, str], list[Copy]]
    has_credit: Callable[[str, AutoLink], bool]
    stored: dict[str, dict[str, int]] = field(default_factory=dict)
    cut: dict[RouterDecision, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for broker in self.network.brokers.values():
            self.stored[broker.name] = dict(broker.stored)

    def put(self, broker: str, address: str) -> None:
        """Store one message."""
        held = self.stored.setdefault(broker, {})
        held[address] = held.get(address, 0) + 1

    def waiting(self) -> tuple[tuple[str, str, int], ...]:
        """What waits: (container, address there, number), by name."""
        return tuple(
            (broker, address, number)
            for broker, addresses in sorted(self.stored.items())
            for address, number in sorted(addresses.items())
            if number
        )

    def drain(self) -> list[RouterDelivery]:
        """What is taken out of the containers, as long as there is credit (W-3, W-4, F-4)."""
        found: list[RouterDelivery] = []
        most = COPIES + sum(number for *_, number in self.waiting())
        for _ in range(ROUNDS):
            moved = [
                self._drain_one(broker.name, address, found, most)
                for broker in self.network.brokers.values()
                for address in sorted(self.stored.get(broker.name, {}))
                if broker.up
            ]
            if len(found) > most:
                self.cut[
                    RouterDecision(
                        "", f"containers give out more than {most:,} copies: they multiply", "W-3"
                    )
                ] = None
                return found
            if not any(moved):
                return found
        self.cut[
            RouterDecision("", f"messages still pass containers after {ROUNDS} rounds", "W-3")
        ] = None
        return found

    def _drain_one(self, broker: str, address: str, found: list[RouterDelivery], most: int) -> bool:
        """Offer each message that waits under an address once, until more than ``most`` copies
        are found; whether one is gone for good.
        """
        number = self.stored[broker][address]
        sources = list(self._sources(broker, address)) if number else []
        if not sources:
            return False
        moved = False
        key, names = ("container", broker, address), [str(place) for place in range(len(sources))]
        self.stored[broker][address] = 0
        for left in range(number, 0, -1):
            if len(found) > most:
                self.stored[broker][address] += left
                break
            place = self.turns.order(key, names)[0]
            self.turns.rotate(key, names)
            copies = sources[names.index(place)]()
            found += [delivery for delivery, _ in copies]
            if all(outcome == "released" for _, outcome in copies):
                # a container puts it back in front and would offer it again
                self.stored[broker][address] += 1
            else:
                moved = True
        return moved

    def _sources(self, broker: str, address: str) -> Iterator[TakesOut]:
        yield from self._auto_links_from(broker, address)
        yield from self._consumers_at(broker, address)

    def _auto_links_from(self, broker: str, address: str) -> Iterator[TakesOut]:
        """The in autolinks that bring what is stored under an address into the network, if they
        get credit there (W-2, W-4).
        """
        for router, configured in self.network.routers.items():
            for one in configured.auto_links:
                if (
                    one.direction != "in"
                    or one.at_container != address
                    or not self.has_credit(router, one)
                ):
                    continue
                for connection in self.network.open_connections(
                    router, one.connection, one.container
                ):
                    if connection.broker == broker:
                        yield partial(self.enter, router, one, broker)

    def _consumers_at(self, broker: str, address: str) -> Iterator[TakesOut]:
        """The receivers that a link route has attached to a container (L-1, L-11)."""
        for receiver, attached in attached_beyond(self.network):
            target = attached.targets[
                self.choices.pick(("attach", receiver.id), len(attached.targets))
            ]
            if target.broker == broker and target.address == address:
                text = f"linked to {broker} by a link route"
                decision = RouterDecision(
                    target.router,
                    text,
                    "L-11",
                    target.link_route.source,
                    "link route",
                    target.link_route.text,
                )
                way = tuple(reversed(attached.path))
                there = plain_address(receiver.address)
                delivery = RouterDelivery(
                    receiver.id, "", there, way, (decision,), receiver.source, waited=True
                )
                yield partial(list, [(delivery, OUTCOME[receiver.settle])])
