"""What of a queue manager has a message on its way: the queue or connection that decides in a
state, in the words of MQ Everyplace.
"""

from __future__ import annotations

from topograph.systems.mqe.configuration import MqeConfiguration
from topograph.systems.mqe.positions import MqePhase, MqePosition, position_of
from topograph.systems.mqe.resolution import resolve
from topograph.tracing.states import State, Way
from topograph.tracing.trace import Station

_TYPES = {
    "local": "local queue",
    "admin": "administration queue",
    "remote": "remote queue",
    "saf": "store-and-forward queue",
    "home": "home-server queue",
    "bridge": "MQ bridge queue",
}


def station(configuration: MqeConfiguration, state: State, way: Way) -> Station:
    """The object that has a message in a state which goes this way. Constant but for the aliases of
    a queue manager."""
    at = position_of(state)
    match at.phase:
        case MqePhase.PUT:
            return _put(configuration, at, way)
        case MqePhase.REMOTE:
            return Station("remote queue", at.address)
        case MqePhase.DISCOVERED:
            return Station("discovered remote queue", at.address)
        case MqePhase.STORED:
            return Station("store-and-forward queue", at.toward)
        case MqePhase.SEND:
            return Station("connection", at.toward)
        case MqePhase.COLLECTED:
            queue = at.keeper.queue if at.keeper is not None else at.queue
            if way.rule == "E-15" and _found(configuration, at):
                return Station("local queue", at.queue)
            return Station("home-server queue", queue)


def _found(configuration: MqeConfiguration, at: MqePosition) -> bool:
    """Whether the queue manager has the queue of a collected message."""
    here = configuration.get(at.server)
    key = at.queue, at.server
    return here is not None and (key in here.exact or key in here.by_alias)


def _put(configuration: MqeConfiguration, at: MqePosition, way: Way) -> Station:
    """Where the message is presented: an alias of the queue manager, or what takes it there."""
    here = configuration.get(at.server)
    if way.rule == "E-01":
        return Station("queue manager alias", at.manager)
    match = resolve(here, at.queue, at.manager, configuration.readings) if here else None
    if match is None or not match.rule:
        return Station("queue", at.address)
    if match.rule == "E-03":
        return Station("queue alias", at.address)
    if match.rule == "E-04":
        to = position_of(way.to) if isinstance(way.to, State) else None
        name = to.toward if to is not None and to.toward else match.queues[0].name
        return Station("store-and-forward queue", name)
    (queue,) = match.queues
    kind = _TYPES.get(queue.type, "queue")
    return Station(kind, at.queue if queue.type in ("local", "admin") else at.address)
