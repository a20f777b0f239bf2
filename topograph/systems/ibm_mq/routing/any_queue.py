"""Messages to any queue of a queue manager, and the single queues that they stand for
(``tracing.states.Standing``).

On the way to another queue manager only its name decides; which queue a message is for matters
where it is looked up, at the queue manager of its header (M-12).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import fields, replace
from operator import attrgetter

from topograph.inexact import LeftOut
from topograph.systems.ibm_mq.objects.names import is_default
from topograph.systems.ibm_mq.routing.lookup import (
    Lookup,
    asks_cluster,
    needs_blank,
    stands_alone,
)
from topograph.systems.ibm_mq.routing.plain_queues import plain
from topograph.systems.ibm_mq.routing.positions import (
    ANY_OTHER,
    ANY_QUEUE,
    NO_QUEUE,
    OPEN,
    MqPosition,
    position,
)
from topograph.tracing.states import Names, State

MOST_OFFERED = 20_000
"""Queues that clusters offer, by queue managers, that are told apart; of more, those alone that a
queue manager has itself.
"""


_but_how_it_came = attrgetter(*(one.name for one in fields(MqPosition) if one.name != "arrival"))


def stands_for_any(state: State) -> bool:
    """Whether a state stands for whatever queue."""
    return position(state).name == ANY_QUEUE


def looked_up(estate: Lookup, state: State) -> Names | None:
    """Where any queue is looked up at its own queue manager: the same with each queue that it
    knows, and with one that it does not have. None for other states. Linear in these queues."""
    return _names(estate, position(state), ())


def leaving(estate: Lookup, state: State) -> Names | None:
    """The same without local queues that just take the message."""
    at = position(state)
    return _names(estate, at, plain(estate, at.server))


def _names(estate: Lookup, at: MqPosition, left: Collection[str]) -> Names | None:
    if at.phase != OPEN or at.name != ANY_QUEUE or at.queue_manager != at.server:
        return None
    own = (one.name for one in estate.network.queues.of(at.server))
    names = dict.fromkeys(name for name in own if not is_default(name))
    clusters = estate.clusters.receivers(at.server) if asks_cluster(estate, at) else ()
    offered = dict.fromkeys(name for one in clusters for name in estate.clusters.offered(one))
    left_out = None
    if len(offered) * len(estate.network.managers) <= MOST_OFFERED:
        names |= offered
    elif more := len(offered.keys() - names.keys()):
        left_out = LeftOut("messages to queues of a cluster at members that do not have them", more)
    states = [
        at.goes(name=name, blank=at.blank and needs_blank(estate, at.server, name))
        for name in (*names, NO_QUEUE)
        if name not in left
    ]
    return Names(states, left_out)


def begun(estate: Lookup, state: State) -> State | None:
    """The same message as one that begins at the queue manager that it came to, where its queue is
    looked up: without clusters, how it came decides only how it ends if it is refused (M-13)."""
    at = position(state)
    if at.arrival is None or at.phase != OPEN or at.queue_manager == ANY_OTHER:
        return None
    bare = MqPosition(at.server, OPEN, at.name, at.queue_manager, arrival=at.arrival)
    alone = at == bare and stands_alone(estate, at.server)
    if not alone or estate.network.queue_of_any_name(at.server) is not None:
        return None
    return MqPosition(at.server, OPEN, at.name, at.queue_manager).state()


def sent_to(begin: State, found: State) -> State:
    """The message to the queue of a state alone, which one to any queue leads to: it names the
    queue manager as that does, or as the header says where that stands for several."""
    at, there = position(begin), position(found)
    manager = at.queue_manager
    if manager.startswith("*"):
        header = there.arrival.queue_manager if there.arrival is not None else ""
        manager = header if header and not header.startswith("*") else there.server
    return replace(at, name=there.name, queue_manager=manager).state()


def sent_beyond(begin: State, name: str, server: str) -> State:
    """The message to one queue of a server of another system, to which one to any queue leads."""
    at = position(begin)
    manager = server if at.queue_manager.startswith("*") else at.queue_manager
    return replace(at, name=name, queue_manager=manager).state()


def alike(estate: Lookup, state: State) -> Hashable:
    """What decides in a state where a queue is looked up that came over a channel: who sent it does
    only where its sending end is defined there (NPMSPEED, M-13). None for other states."""
    at = position(state)
    came = at.arrival
    if at.phase != OPEN or came is None or at.queue_manager != at.server:
        return None
    own = came.sender and any(
        one.name == came.channel for one in estate.network.channels.of(came.sender)
    )
    return came.channel, came.sender if own else "", *_but_how_it_came(at)
