"""The places that a message may come back to, and those from which it gets there, whatever it is:
a graph without keys, of which the rest is worked out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from topograph.systems.rabbitmq.circles import circles
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place


class Reach:
    """Which place leads to which. Linear in the exchanges, queues and bindings."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.own = network.configuration
        self.onward = network.exchanges.onward

    def leads_to(self, place: Place) -> Iterator[Place]:
        """See ``Onward.leads_to``; a shovel that publishes to the exchange that a message was
        published to before may lead to each exchange of the virtual host."""
        for one in self.onward.leads_to(place):
            yield one
            if (
                one.type == EXCHANGE
                and one.name == DEFAULT_EXCHANGE
                and self.onward.shovels.keep_exchange
            ):
                yield from self._exchanges.get(one[:2], ())

    @cached_property
    def _exchanges(self) -> Mapping[tuple[str, str], list[Place]]:
        found: dict[tuple[str, str], list[Place]] = {}
        for place in dict.fromkeys((*self.own.exchanges, *self.own.bound)):
            found.setdefault(place[:2], []).append(place)
        return found

    @cached_property
    def places(self) -> list[Place]:
        """All exchanges and queues, the default exchanges included."""
        named = dict.fromkeys((*self.own.exchanges, *self.own.queues, *self.own.bound))
        hubs = {place.exchange(DEFAULT_EXCHANGE): None for place in named}
        return [*named, *hubs]

    @cached_property
    def circling(self) -> Collection[Place]:
        """Those that a message may come back to."""
        return dict.fromkeys(circles(self.places, self.leads_to))

    def before(self, ends: Iterable[Place]) -> dict[Place, None]:
        """The places from which a message may get to some, these included."""
        found = dict.fromkeys(ends)
        waiting = list(found)
        while waiting:
            for one in self._sources.get(waiting.pop(), ()):
                if one not in found:
                    found[one] = None
                    waiting.append(one)
        return found

    def behind(self, starts: Iterable[Place]) -> dict[Place, None]:
        """The places that a message may get to from some, these included."""
        found = dict.fromkeys(starts)
        waiting = list(found)
        while waiting:
            for one in self._ends(waiting.pop()):
                if one not in found:
                    found[one] = None
                    waiting.append(one)
        return found

    def _ends(self, place: Place) -> Collection[Place]:
        return self._onward.get(place, ())

    @cached_property
    def _onward(self) -> Mapping[Place, Collection[Place]]:
        return {place: tuple(dict.fromkeys(self.leads_to(place))) for place in self.places}

    @cached_property
    def _sources(self) -> Mapping[Place, Collection[Place]]:
        found: dict[Place, dict[Place, None]] = {}
        for place, ends in self._onward.items():
            for end in ends:
                found.setdefault(end, {})[place] = None
        return found

    def joined(self, places: Collection[Place]) -> Iterator[list[Place]]:
        """Some places in groups, between which none leads to another."""
        left = dict.fromkeys(places)
        while left:
            start = next(iter(left))
            del left[start]
            group, waiting = [start], [start]
            while waiting:
                place = waiting.pop()
                for one in (*self._ends(place), *self._sources.get(place, ())):
                    if one in left:
                        del left[one]
                        group.append(one)
                        waiting.append(one)
            yield group


def queues_of(places: Iterable[Place]) -> Iterator[str]:
    """The names of the queues among some places."""
    return (place.name for place in places if place.type == QUEUE)
