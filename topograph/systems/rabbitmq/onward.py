"""Where a message arrives, and what of its past it takes along (RQ-7, RQ-13, RQ-20).

Only what decides something later is kept: queues from which nothing leads on need no routing key,
and acts that cannot come again need no mark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from topograph.outcomes import Outcome
from topograph.systems.rabbitmq.circles import circles
from topograph.systems.rabbitmq.configuration import FEDERATION_EXCHANGE, Configuration
from topograph.systems.rabbitmq.federation import Federation
from topograph.systems.rabbitmq.out_of_order import Part
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.policies import STREAM
from topograph.systems.rabbitmq.shovels import Shovels
from topograph.systems.rabbitmq.travel import Travel
from topograph.tracing.states import State
from topograph.tracing.trace import Ending

DISORDERED = Ending(Outcome.UNDETERMINED, {"reason": "the order of deaths is left to chance"})
"""How one ends that was rejected before, in the versions that mix up what came first."""

CYCLE = Ending(Outcome.DISCARDED, {"reason": "dead letter cycle"})
"""How a dead letter ends that comes back to a queue without a rejection on the way."""


class Onward:
    """What leads on from the exchanges and queues of a network."""

    def __init__(
        self,
        configuration: Configuration,
        federation: Federation,
        failed: Collection[Part] = frozenset(),
    ) -> None:
        self.configuration, self.federation, self.failed = configuration, federation, failed
        self.shovels = Shovels(configuration)
        self._letters: dict[Place, Place | None] = {}

    def goes_on(self, place: Place) -> bool:
        """Whether anything leads on from a place."""
        if place.type == EXCHANGE:
            return True
        return (
            place in self.shovels.out_of
            or place in self.federation.out_of
            or self.dead_letters(place) is not None
        )

    def dead_letters(self, queue: Place) -> Place | None:
        """The exchange of the dead letters of a queue; None where it has none."""
        if queue not in self._letters:
            stream = self.configuration.queue_type(queue) == STREAM
            setting = None if stream else self.configuration.setting(queue, "dead-letter-exchange")
            self._letters[queue] = setting and queue.exchange(str(setting.value))
        return self._letters[queue]

    def arrived(self, end: Place, travel: Travel) -> State | Ending:
        """Where a message that was routed to a place is then. RQ-14: a dead letter that no consumer
        rejected, and that comes back to where it was, ends there."""
        if travel.fresh:
            travel = travel._replace(fresh=False)
        if end.type == EXCHANGE:
            return travel.at(end)
        disorders = self.configuration.version(end.server).disorders_deaths
        if disorders and travel.was_rejected_and_comes_back(end.name):
            return DISORDERED
        if travel.dying:
            if travel.comes_back_by_itself(end.name):
                return CYCLE
            travel = travel._replace(dying=False)
        if not travel.traced and not self.goes_on(end):
            travel = Travel()
        return travel.at(end)

    def published(
        self,
        end: Place,
        travel: Travel,
        act: str,
        mark: str,
        start: Place,
        *,
        by_client: bool = False,
    ) -> State:
        """The state of a message that ``act`` publishes again at a place, having taken it from
        ``start``. ``mark`` is that of the act, by what the message was before. Brokers of new
        versions take over no deaths from a client (RQ-14)."""
        if by_client and self.configuration.version(end.server).forgets_deaths:
            travel = travel._replace(deaths=())
        exchange = ""
        if self.shovels.keep_exchange and end.type == EXCHANGE:
            exchange = end.name
        if travel.traced:
            travel = travel._replace(acts=(*travel.acts, mark), exchange=exchange)
        else:
            by = act if start in self.circling else ""
            travel = travel._replace(by=by, fresh=bool(by), exchange=exchange)
        return travel.at(end)

    @cached_property
    def leaving(self) -> Collection[Place]:
        """The places from which a message may get to another cluster, or of which that is not
        known. Linear in the exchanges, queues and bindings, and no work where there are no links to
        other clusters."""
        own = self.configuration
        places = list(dict.fromkeys((*own.exchanges, *own.queues, *own.bound)))
        hubs = {place.exchange(DEFAULT_EXCHANGE) for place in places}
        found = {place for place in (*places, *hubs) if self._leaves(place)}
        if not found:
            return found
        before: dict[Place, list[Place]] = {}
        for place in (*places, *hubs):
            for end in self.leads_to(place):
                before.setdefault(end, []).append(place)
        waiting = list(found)
        while waiting:
            new = [one for one in before.get(waiting.pop(), ()) if one not in found]
            found.update(new)
            waiting += new
        return found

    def _leaves(self, place: Place) -> bool:
        """Whether a link to another cluster begins at a place, or it is not known what holds
        there."""
        own = self.configuration
        ends = [one.downstream for one in self.federation.out_of.get(place, ())]
        for shovel in self.shovels.out_of.get(place, ()):
            if shovel.other_protocol:
                return True
            ends.append(self.shovels.target(shovel))
        fact = own.exchanges.get(place)
        if fact is not None and fact.type == FEDERATION_EXCHANGE:
            return True
        doubtful = own.doubt(place) is not None
        return doubtful or any(end.server != place.server for end in ends)

    @cached_property
    def circling(self) -> Mapping[Place, None]:
        """The places that a message may come back to, whatever it is."""
        places = [*self.configuration.exchanges, *self.configuration.queues]
        return dict.fromkeys(circles(places, self.leads_to))

    @cached_property
    def names_circling(self) -> frozenset[str]:
        """The names of queues that a message may come back to."""
        return frozenset(place.name for place in self.circling if place.type == QUEUE)

    def leads_to(self, place: Place) -> Iterator[Place]:
        """What a message may get to from a place, whatever it is: queues of one name count as one,
        for so do the dead letters of brokers."""
        own = self.configuration
        if place.type == EXCHANGE and place.name == DEFAULT_EXCHANGE:
            yield from (one for one in own.queues if one[:2] == place[:2])
        elif place.type == EXCHANGE:
            for one in own.out_of(place).facts:
                yield Place(place.server, place.vhost, one.to_type, one.to)
            other = own.setting(place, "alternate-exchange", "alternate-exchange")
            if other is not None:
                yield place.exchange(str(other.value))
        elif place in own.queues:
            yield from (one for one in self._named.get(place.name, ()) if one != place)
            letters = self.dead_letters(place)
            if letters is not None:
                yield from self._by_default(letters, place)
            for shovel in self.shovels.out_of.get(place, ()):
                yield self.shovels.target(shovel)
        yield from (one.downstream for one in self.federation.out_of.get(place, ()))

    def _by_default(self, letters: Place, queue: Place) -> Iterator[Place]:
        """The exchange of the dead letters of a queue; of the default one the queue that they go
        to, where their key is stated."""
        key = self.configuration.setting(queue, "dead-letter-routing-key")
        if letters.name == DEFAULT_EXCHANGE and key is not None:
            yield letters.queue(str(key.value))
        else:
            yield letters

    @cached_property
    def _named(self) -> Mapping[str, tuple[Place, ...]]:
        found: dict[str, list[Place]] = {}
        for place in self.configuration.queues:
            found.setdefault(place.name, []).append(place)
        return {name: tuple(places) for name, places in found.items() if len(places) > 1}
