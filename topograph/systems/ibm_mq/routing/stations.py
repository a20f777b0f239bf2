"""What of a queue manager has a message on its way: the object that decides in a state, in the
words of IBM MQ.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts.ibm_mq import Queue
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.objects.clusters import is_alias_of_queue_manager
from topograph.systems.ibm_mq.routing.arrival import receiving
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import XMIT, MqPosition, position
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Station

_NOUNS: Mapping[str, str] = {
    "QALIAS": "alias queue",
    "QREMOTE": "remote queue",
    "QMODEL": "model queue",
}
_CHANNELS: Mapping[str, str] = {
    "RCVR": "receiver channel",
    "RQSTR": "requester channel",
    "CLUSRCVR": "cluster-receiver channel",
}


def station(estate: Lookup, state: State, way: Way) -> Station:
    """The object that has a message in a state which goes this way. Where the loaded files do not
    show what it is, it is only what its name is looked for as. Constant."""
    at = position(state)
    try:
        return _shown(estate, at, state, way)
    except NotShownHere:
        if at.phase == "arrive":
            return Station("channel", at.arrival.channel if at.arrival else "")
        if at.queue_manager != at.server:
            return Station("queue manager", at.queue_manager)
        return Station("queue", at.name)


def _shown(estate: Lookup, at: MqPosition, state: State, way: Way) -> Station:
    match at.phase:
        case "put":
            return Station("reply-to queue", at.reply[0])
        case "open":
            return _opened(estate, at, state, way)
        case "transmission queue":
            return Station("transmission queue", at.queue)
        case "arrive":
            channel = at.arrival.channel if at.arrival else ""
            receiver = receiving(estate, at.server, channel)
            kind = _CHANNELS.get(receiver.channel_type, "channel") if receiver else "channel"
            return Station(kind, channel)
        case "publish":
            return Station("topic", at.name)
        case "taken":
            return Station("subscription", at.queue)
        case _:
            return Station("", state.object)


def _opened(estate: Lookup, at: MqPosition, state: State, way: Way) -> Station:
    """Where a name is resolved: the object of that name, else what the name is one of."""
    if at.queue_manager != at.server:
        alias = estate.network.queue(at.server, at.queue_manager)
        if alias is not None and is_alias_of_queue_manager(alias):
            return Station("queue manager alias", at.queue_manager)
        return Station("queue manager", at.queue_manager)
    queue = estate.network.queue(at.server, at.name)
    if queue is None:
        return Station("cluster queue" if _is_sent_on(way) else "queue", state.object)
    if queue.noun == "QLOCAL":
        return Station(_local(queue, way), queue.name)
    return Station(_NOUNS.get(queue.noun, "queue"), queue.name)


def _local(queue: Queue, way: Way) -> str:
    if _is_sent_on(way):
        # The workload algorithm chose among the instances of a cluster queue.
        return "cluster queue"
    try:
        return "transmission queue" if is_transmission_queue(queue) else "local queue"
    except NotShownHere:
        return "local queue"


def _is_sent_on(way: Way) -> bool:
    return isinstance(way.to, State) and position(way.to).phase == XMIT
