"""One network of RabbitMQ: its clusters, and the step out of each state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from topograph.findings import Source
from topograph.forwarding.graph import Server
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.exchanges import Exchanges
from topograph.systems.rabbitmq.federation import Federation
from topograph.systems.rabbitmq.kept import Kept
from topograph.systems.rabbitmq.out_of_order import Part
from topograph.systems.rabbitmq.places import EXCHANGE, Place
from topograph.systems.rabbitmq.publishing import Publishing
from topograph.systems.rabbitmq.queues import Queues
from topograph.systems.rabbitmq.static_shovels import declare_all
from topograph.systems.rabbitmq.travel import decoded
from topograph.tracing.states import Ended, State, Transition

_KEPT = Kept()


class Network:
    """The clusters of one network."""

    def __init__(
        self,
        configuration: Configuration,
        rounds: int = 1,
        failed: Collection[Part] = frozenset(),
    ) -> None:
        self.configuration = configuration
        stopped = declare_all(configuration)
        self.federation = Federation(configuration)
        self.exchanges = Exchanges(configuration, self.federation, failed)
        self.queues = Queues(configuration, self.federation, self.exchanges.onward, rounds, stopped)
        self.publishing = Publishing(configuration)

    def step(self, state: State) -> Transition:
        """The ways out of a state."""
        place, travel = decoded(state)
        if travel.user is not None:
            return self.publishing.step(place, travel)
        if place.type == EXCHANGE:
            return self.exchanges.step(place, travel)
        return self.queues.step(place, travel)

    def passing(self, state: State) -> Kept | None:
        """What becomes of a message where nothing leads to another broker."""
        place, travel = decoded(state)
        return _KEPT if travel.user is None and self._stays(place) else None

    def beginning(self) -> Iterator[State | Ended]:
        """The states in which messages begin."""
        for state in self.publishing.entries():
            if self._stays(decoded(state)[0]):
                yield Ended(state.server, state.object, state.data)
            else:
                yield state

    def _stays(self, place: Place) -> bool:
        """Whether no message gets from a place to another broker."""
        if place in self.exchanges.onward.leaving:
            return False
        return not any(one.left_out for one in self.configuration.files.get(place.server, ()))

    def servers(self) -> Iterator[Server]:
        """The clusters with a file, and those that addresses name. One without a file may send
        messages anywhere; so may one of whose entries some are not understood."""
        own = self.configuration
        for name, files in own.files.items():
            left_out = sum(one.left_out for one in files)
            why = f"{left_out} of its entries are not understood" if left_out else ""
            yield Server(name, "rabbitmq", True, files[0].source, why, open_ended=bool(why))
        for name, source in self.named().items():
            yield Server(name, "rabbitmq", False, source, "its definitions are not loaded", True)

    def named(self) -> Mapping[str, Source]:
        """The clusters that are only named, each with the first place that does."""
        ends = {link.upstream.server: link.source for link in self.federation.links}
        files = self.configuration.files
        by_links = {name: source for name, source in ends.items() if name not in files}
        return by_links | self.configuration.brokers.named
