"""Messages on the way from one member of a cluster to another (``tracing.states.Passage``): over
the channel that the cluster makes out of the definition of its receiving end, where nothing but
that decides. Members are very many pairs, and each channel has one receiving end.

What the sending queue manager may have to say, a channel of its own or a state that was observed,
is not told here; ``transport.sent`` gives the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.attributes import keyword
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ARRIVE,
    ChannelArrival,
    MqPosition,
    arrival_key,
)
from topograph.systems.ibm_mq.routing.ways import H
from topograph.tracing.states import State, Way


class OverCluster:
    """A message on a transmission queue of cluster channels (``tracing.states.Passage``)."""

    __slots__ = ("_at", "out")
    inside: Sequence[Way] = ()
    named: Sequence[tuple[str, str]] = ()

    def __init__(self, at: MqPosition, out: Way) -> None:
        self._at = at
        self.out: Way = out

    @property
    def server(self) -> str:
        """See ``Passage``."""
        return self._at.member

    def between(self) -> Sequence[Hashable]:
        """See ``Passage``."""
        return ()

    def key(self) -> Hashable:
        """See ``Passage``."""
        at = self._at
        said = at.blank, False, at.excluded
        return arrival_key(at.member, at.channel, at.queue_manager, at.name, said)

    def state(self) -> State:
        """See ``Passage``."""
        return _arrived(self._at).state()


def _arrived(at: MqPosition) -> MqPosition:
    named = "" if at.blank else at.queue_manager
    came = ChannelArrival(at.channel, at.server, at.queue, at.name, named)
    return MqPosition(
        at.member,
        ARRIVE,
        at.name,
        at.queue_manager,
        blank=at.blank,
        arrival=came,
        excluded=at.excluded,
    )


def over_cluster_channel(estate: Lookup, at: MqPosition) -> OverCluster | None:
    """The way of a message that a member of a cluster was chosen for; None where more decides."""
    if at.reply or at.copy or at.published or not at.member or estate.network.outage:
        return None
    here, receiving = (at.server, at.queue), (at.member, at.channel)
    if here not in estate.sending:
        estate.sending[here] = _named_here(estate, *here)
    named_here = estate.sending[here]
    if named_here is None or at.channel in named_here:
        return None
    if receiving not in estate.over_cluster:
        estate.over_cluster[receiving] = _way(estate, at)
    way = estate.over_cluster[receiving]
    return None if way is None else OverCluster(at, way)


def _named_here(estate: Lookup, server: str, queue: str) -> frozenset[str] | None:
    """The cluster-sender channels that a queue manager defines itself; None where the state of a
    channel, or the transmission queue, decides there."""
    network = estate.network
    if network.channel_status.of(server):
        return None
    try:
        found = network.queue(server, queue)
        if found is not None and keyword(found, "GET") == "DISABLED":
            return None
    except NotShownHere:
        return None
    return frozenset(
        one.name for one in network.channels.of(server) if one.channel_type == "CLUSSDR"
    )


def _way(estate: Lookup, at: MqPosition) -> Way | None:
    """The way over the channel to a member; None where it does not start for everyone."""
    network, channels = estate.network, estate.channels
    if at.member not in network.managers or network.channel_status.of(at.member):
        return None
    receiver = network.channel(at.member, at.channel, ("CLUSRCVR",))
    if receiver is None or network.channel_rules.of(at.member):
        return None
    try:
        if channels.cluster_hindrances(at.server, receiver, None):
            return None
        if not channels.answers(receiver, receiver, at.server):
            return None
    except NotShownHere:
        return None
    text = f"over cluster channel {at.channel} to {at.member}"
    to, source = _arrived(at).state(), receiver.source
    return Way(to, text, "M-11", H, source, link=at.channel, role="cluster channel")
