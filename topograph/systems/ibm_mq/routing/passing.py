"""Messages that only pass a queue manager, or end there, where nothing but the names in their
headers tells them apart (``tracing.states.Passage``).

A queue manager through which a message goes on looks up the name of the queue manager in the
header, and not that of the queue; where it has no object of the first, either, all such messages
leave it alike. What becomes of them is worked out once, by the rules themselves, for a header with
marks in place of names (``QUEUE``, ``MANAGER``), which no object has: every other message passes
the same with its own names. What may depend on more is not told here: clusters, guards and choices,
what is refused or held, and queue managers that are shown in part.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache

from topograph.facts.ibm_mq import Queue
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.routing import plain_queues
from topograph.systems.ibm_mq.routing.cluster_passing import OverCluster, over_cluster_channel
from topograph.systems.ibm_mq.routing.entries import entries, known_names
from topograph.systems.ibm_mq.routing.lookup import Lookup, over_cluster, stands_alone
from topograph.systems.ibm_mq.routing.onward import by_rules
from topograph.systems.ibm_mq.routing.positions import (
    ANY_OTHER,
    ANY_QUEUE,
    ARRIVE,
    OPEN,
    XMIT,
    ChannelArrival,
    MqPosition,
    arrival_key,
    ended_here,
    position,
)
from topograph.systems.ibm_mq.routing.resolution import queues_leading_on
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.tracing.states import Ended, State, Way
from topograph.tracing.trace import Ending, Kind

QUEUE, MANAGER = "\ud800", "\ud801"
"""Stand for the names of a header: half a pair of UTF-16 each, which no name that was read has."""

LONGEST = 12
"""Steps inside a queue manager of messages that are told here; those that take more are stepped."""

FARTHEST = 100
"""Queue managers on the way of a message of which it is asked whether it is delivered."""


@record
class Chain:
    """What becomes of messages, whose names may be marks: the ways inside the queue manager and
    the positions that these lead to, then the way out and where it leads; without it they end."""

    inside: tuple[Way, ...] = ()
    between: tuple[MqPosition, ...] = ()
    out: Way | None = None
    to: MqPosition | None = None


ENDS = Chain()
"""Of a message to a queue that takes whatever is put to it."""


class Passing:
    """A message on a chain, with its own names (``tracing.states.Passage``); ``received`` is the
    way to where the chain begins of one that came in over a channel."""

    __slots__ = ("_chain", "_name", "_queue_manager", "_received")

    def __init__(
        self,
        chain: Chain,
        name: str = QUEUE,
        queue_manager: str = MANAGER,
        received: tuple[Way, MqPosition] | None = None,
    ) -> None:
        self._chain, self._name, self._queue_manager = chain, name, queue_manager
        self._received = received

    @property
    def inside(self) -> Sequence[Way]:
        """See ``Passage``."""
        inside = self._chain.inside
        return inside if self._received is None else (self._received[0], *inside)

    @property
    def named(self) -> Sequence[tuple[str, str]]:
        """See ``Passage``."""
        return (QUEUE, self._name), (MANAGER, self._queue_manager)

    @property
    def out(self) -> Way | None:
        """See ``Passage``."""
        return self._chain.out

    @property
    def server(self) -> str:
        """See ``Passage``."""
        return self._to.server

    def between(self) -> Sequence[Hashable]:
        """See ``Passage``."""
        first = () if self._received is None else (self._received[1],)
        own = (*first, *self._chain.between)
        return [_named(one, self._name, self._queue_manager).key for one in own]

    def key(self) -> Hashable:
        """See ``Passage``."""
        to = self._to
        assert to.arrival is not None
        name = self._name if to.name == QUEUE else to.name
        manager = self._queue_manager if to.queue_manager == MANAGER else to.queue_manager
        return arrival_key(to.server, to.arrival.channel, manager, name)

    def position(self) -> MqPosition:
        """Where a message gets to that leaves."""
        return _named(self._to, self._name, self._queue_manager)

    def state(self) -> State:
        """See ``Passage``."""
        return self.position().state()

    @property
    def _to(self) -> MqPosition:
        assert self._chain.to is not None
        return self._chain.to


def _named(at: MqPosition, name: str, queue_manager: str) -> MqPosition:
    """A bare position with names in place of its marks."""
    name = name if at.name == QUEUE else at.name
    queue_manager = queue_manager if at.queue_manager == MANAGER else at.queue_manager
    came = at.arrival
    if came is not None and at.phase == ARRIVE:
        came = ChannelArrival(came.channel, came.sender, came.queue, name, queue_manager)
    return MqPosition(at.server, at.phase, name, queue_manager, queue=at.queue, arrival=came)


def passing(estate: Lookup, state: State) -> Passing | OverCluster | None:
    """What becomes of a message that only passes a queue manager; None of others."""
    at = position(state)
    if at.phase == XMIT:
        return over_cluster_channel(estate, at) if at.member else None
    return passing_from(estate, at)


def passing_from(estate: Lookup, at: MqPosition) -> Passing | None:
    """The same from a position."""
    if not _is_bare(at) or at.excluded or QUEUE in at.name or MANAGER in at.queue_manager:
        return None
    found = _passages(estate, at.server)
    if found is None:
        return None
    if at.phase == OPEN:
        return found.opened(at)
    return found.arrived(at) if at.phase == ARRIVE and at.arrival is not None else None


def beginning(estate: Lookup) -> Iterator[State | Ended]:
    """``entries``, with ``Ended`` in place of the messages to queues that take whatever is put to
    them (``ENDS``). Linear in the objects."""

    def of_queue(server: str, name: str) -> Ended | None:
        ends = name in _ending_at(server) and not name.startswith("*") and QUEUE not in name
        return ended_here(server, name) if ends else None

    @lru_cache(maxsize=1)
    def _ending_at(server: str) -> Container[str]:
        alone = server and MANAGER not in server and stands_alone(estate, server)
        return plain_queues.plain(estate, server) if alone else ()

    return entries(estate, ended=of_queue)


def fans_alike(estate: Lookup, state: State) -> bool:
    """Whether a message to any queue came over a channel that does not matter to its ways: each of
    these leads to one that only passes, or is told without it."""
    at = position(state)
    if at.name != ANY_QUEUE or at.phase != OPEN or at.arrival is None or not _is_bare(at):
        return False
    found = _passages(estate, at.server)
    return found is not None and found.fans_alike(at)


def _passages(estate: Lookup, server: str) -> Passages | None:
    if server not in estate.passing:
        own = Passages(estate, server) if stands_alone(estate, server) else None
        estate.passing[server] = own
    found: Passages | None = estate.passing[server]
    return found


def is_delivered(estate: Lookup, at: MqPosition) -> bool:
    """Whether a message is delivered for certain, having passed queue managers only: where it is
    not known at once, it may be all the same. Linear in the queue managers, at most ``FARTHEST``.
    """
    for _ in range(FARTHEST):
        passage = passing_from(estate, at)
        if passage is None:
            return False
        if passage.out is None:
            return True
        at = passage.position()
    return False


def _marked(at: MqPosition) -> MqPosition:
    """A bare position with marks in place of its names."""
    return MqPosition(at.server, at.phase, QUEUE, MANAGER, queue=at.queue, arrival=at.arrival)


def _is_bare(at: MqPosition) -> bool:
    """Whether a message says nothing but the names of its header, and for which it is not. How a
    queue was bound decides among the queues of a cluster alone."""
    return not (
        at.blank
        or at.member
        or at.channel
        or at.reply
        or at.copy
        or at.published
        or (at.queue and at.phase != XMIT)
    )


class Passages:
    """What becomes of messages that pass one queue manager, each kind once it is asked for."""

    def __init__(self, estate: Lookup, server: str) -> None:
        self.estate, self.server = estate, server
        self._here: dict[tuple[str, bool], Chain | None] = {}
        self._as_put: dict[str, bool] = {}
        self._onward: dict[str, Chain | None] = {}
        self._received: dict[str, Way | None] = {}
        self._sent: dict[tuple[str, str], tuple[Way, MqPosition] | None] = {}
        self._alike: dict[str, bool] = {}
        self._fans: dict[bool, bool] = {}

    def fans_alike(self, at: MqPosition) -> bool:
        """See ``fans_alike``: of a message to any queue of this queue manager, or of any that it
        knows nothing of. Linear in the queues here, once for each."""
        here = at.queue_manager == self.server
        if not here and at.queue_manager != ANY_OTHER:
            return False
        if here not in self._fans:
            names = queues_leading_on(self.estate, at) if here else ()
            others = () if here else known_names(self.estate, self.server)
            came = at.arrival
            onward = [
                MqPosition(self.server, OPEN, one, self.server, arrival=came) for one in names
            ]
            onward += [MqPosition(self.server, OPEN, ANY_QUEUE, one) for one in others]
            self._fans[here] = all(self._chain_of(one) is not None for one in onward)
        return self._fans[here]

    def opened(self, at: MqPosition) -> Passing | None:
        """Of a message whose names are resolved."""
        chain = self._chain_of(at)
        return None if chain is None else Passing(chain, at.name, at.queue_manager)

    def arrived(self, at: MqPosition) -> Passing | None:
        """Of one that came in over a channel."""
        assert at.arrival is not None
        channel = at.arrival.channel
        chain = self._chain_of(at) if at.queue_manager else None
        if channel not in self._received:
            self._received[channel] = self._only_way(_marked(at))
        received = self._received[channel]
        if chain is None or received is None or not isinstance(received.to, State):
            return None
        opens = position(received.to)
        return Passing(chain, at.name, at.queue_manager, (received, opens))

    def _chain_of(self, at: MqPosition) -> Chain | None:
        """What becomes of a message from where its names are resolved on. A model queue takes
        nothing that came over a channel."""
        if at.queue_manager != self.server:
            return self._towards(at.queue_manager)
        if at.name.startswith("*"):
            return None
        if at.name in plain_queues.plain(self.estate, self.server):
            return ENDS
        came = None if at.arrival is None or self._is_as_put(at, at.arrival.channel) else at.arrival
        key = at.name, came is not None
        if key not in self._here:
            opens = MqPosition(self.server, OPEN, at.name, self.server, arrival=came)
            self._here[key] = self._followed(opens)
        return self._here[key]

    def _is_as_put(self, at: MqPosition, channel: str) -> bool:
        """Whether what becomes of a message that came in over a channel is what becomes of one that
        was put here: model queues and clusters tell them apart."""
        if channel not in self._as_put:
            has_models = any(one.noun == "QMODEL" for one in self._queues)
            self._as_put[channel] = not (has_models or over_cluster(self.estate, at))
        return self._as_put[channel]

    def _towards(self, queue_manager: str) -> Chain | None:
        """Of one to any queue of another queue manager."""
        if queue_manager.startswith("*"):
            return None
        of_class = self._class_of(queue_manager)
        if of_class not in self._onward:
            begin = MqPosition(self.server, OPEN, QUEUE, of_class)
            self._onward[of_class] = self._followed(begin)
        return self._onward[of_class]

    def _class_of(self, queue_manager: str) -> str:
        """The name of a queue manager if an object here may have it; MANAGER stands for all
        others."""
        known = queue_manager in self._names or queue_manager.startswith("SYSTEM.")
        return queue_manager if known else MANAGER

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of all queue objects here, also of those that are refused or deleted."""
        return frozenset(one.name for one in self._queues)

    @cached_property
    def _queues(self) -> Sequence[Queue]:
        queues = self.estate.network.queues
        return (*queues.of(self.server), *queues.refused(self.server))

    def _followed(self, at: MqPosition) -> Chain | None:
        """A chain from where names are resolved on. Linear in its steps, at most ``LONGEST``."""
        inside: list[Way] = []
        between: list[MqPosition] = []
        while len(inside) < LONGEST:
            if at.phase == XMIT:
                sent = self._sent_on(at)
                return None if sent is None else Chain(tuple(inside), tuple(between), *sent)
            way = self._only_way(at)
            if way is None:
                return None
            if isinstance(way.to, Ending):
                is_taken = way.to.outcome is Outcome.DELIVERED
                return Chain(tuple(inside), tuple(between)) if is_taken else None
            assert isinstance(way.to, State)
            at = position(way.to)
            looks_up_mark = at.phase == OPEN and at.name == QUEUE
            if at.phase not in (OPEN, XMIT) or at.server != self.server:
                return None
            if at.excluded or not _is_bare(at):
                return None
            if looks_up_mark and at.queue_manager == self.server:
                return None
            inside.append(way)
            between.append(at)
        return None

    def _only_way(self, at: MqPosition) -> Way | None:
        """The way that all messages in a position take; None where there are more, where one is
        refused, or where anything else decides."""
        transition = plain_queues.taken(self.estate, at)
        if transition is None:
            try:
                transition = by_rules(self.estate, at)
            except (PutRefused, NotShownHere):
                return None
        if len(transition.ways) != 1 or transition.open_end is not None:
            return None
        (way,) = transition.ways
        decided = way.guard or way.choice or way.position or way.perhaps_taken
        if decided or way.kind is not Kind.COPY or not isinstance(way.to, State | Ending):
            return None
        return way

    def _sent_on(self, at: MqPosition) -> tuple[Way, MqPosition] | None:
        """The way from a transmission queue to another queue manager, and where it leads."""
        alike = self._leads_alike(at.queue)
        if at.queue_manager == MANAGER and not alike:
            return None
        manager = MANAGER if alike else at.queue_manager
        key = at.queue, manager
        if key not in self._sent:
            marked = MqPosition(self.server, XMIT, QUEUE, manager, queue=at.queue)
            self._sent[key] = self._over_channel(marked)
        found = self._sent[key]
        if found is None:
            return None
        way, to = found
        return way, _named(to, at.name, at.queue_manager)

    def _over_channel(self, at: MqPosition) -> tuple[Way, MqPosition] | None:
        way = self._only_way(at)
        if way is None or not isinstance(way.to, State):
            return None
        to = position(way.to)
        came = to.arrival
        if to.phase != ARRIVE or came is None or to.bind or to.excluded or not _is_bare(to):
            return None
        names = at.name, at.queue_manager
        as_sent = (to.name, to.queue_manager) == (came.name, came.queue_manager) == names
        leaves = to.server != self.server and to.server in self.estate.network.managers
        return (way, to) if leaves and as_sent else None

    def _leads_alike(self, queue: str) -> bool:
        """Whether the channels that read a transmission queue lead to the same whatever queue
        manager a message is for: each has one other end (``Channels.leads``)."""
        if queue not in self._alike:
            channels = self.estate.channels
            try:
                readers = channels.readers(self.server, queue)
            except NotShownHere:
                readers = []
            shown = not self.estate.network.partly_shown
            ends = [len(channels.partners(one)) for one in readers]
            self._alike[queue] = shown and bool(ends) and all(number == 1 for number in ends)
        return self._alike[queue]
