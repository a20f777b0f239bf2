"""Local queues that take whatever is put to them: most queues of most queue managers. What becomes
of a message there follows from the definition, without the questions of name resolution; it is the
same as ``resolution.opened`` gives.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts.ibm_mq import Queue
from topograph.outcomes import Outcome
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import ANY_QUEUE, OPEN, MqPosition
from topograph.systems.ibm_mq.routing.ways import one_way
from topograph.tracing.states import Transition
from topograph.tracing.trace import Ending

_DECIDING = frozenset(
    {"CLUSNL", "CLUSTER", "CURDEPTH", "MAXDEPTH", "PUT", "STREAMQ", "STRMQOS", "USAGE"}
)
"""Attributes of a local queue that resolution looks at before the queue takes a message."""


def taken(estate: Lookup, at: MqPosition) -> Transition | None:
    """The way of a message to such a queue, at its own queue manager; None of other positions.
    Linear in the queues of a queue manager, once for each."""
    if at.phase != OPEN or at.queue_manager != at.server:
        return None
    queue = plain(estate, at.server).get(at.name)
    if queue is None:
        return None
    key = at.server, at.name
    if key not in estate.taken:
        estate.taken[key] = _takes(queue)
    return estate.taken[key]


def plain(estate: Lookup, server: str) -> Mapping[str, Queue]:
    """Such queues of a queue manager, by name. Linear in its queues, once."""
    if server not in estate.plain:
        estate.plain[server] = _plain(estate, server)
    return estate.plain[server]


def _plain(estate: Lookup, server: str) -> Mapping[str, Queue]:
    """Of a queue manager that is in no cluster and of whose queues nothing shows the depth."""
    network, clusters = estate.network, estate.clusters
    if server not in network.managers or network.queue_status.of(server):
        return {}
    in_cluster = clusters.receivers(server) or clusters.membership(server) is not None
    if in_cluster or network.cluster_queues.of(server):
        return {}
    return {
        one.name: one
        for one in network.queues.of(server)
        if _is_plain(one) and len(network.objects_named(server, one.name)) == 1
    }


def _is_plain(queue: Queue) -> bool:
    """Whether a definition is that of a local queue, whole, and says nothing that decides."""
    doubtful = queue.template or queue.unknown or queue.like or queue.doubt or queue.partial
    return (
        queue.noun == "QLOCAL"
        and queue.verb == "DEFINE"
        and queue.name != ANY_QUEUE
        and not doubtful
        and all(one.name not in _DECIDING for one in queue.attributes)
    )


def _takes(queue: Queue) -> Transition:
    at = f"{queue.name}@{queue.server}"
    said = {"destination": at, "queue": queue.name, "queue_manager": queue.server}
    text = f"local queue {queue.name} of {queue.server} takes it"
    return one_way(Ending(Outcome.DELIVERED, said), text, "NR1", queue.source)
