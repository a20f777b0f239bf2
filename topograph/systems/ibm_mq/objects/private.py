"""Which objects nobody looks at but the queue manager that has them: what a change of these does to
messages, it does there.
"""

from __future__ import annotations

from collections.abc import Collection

from topograph.facts.fact import Fact
from topograph.facts.ibm_mq import Queue
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork


def touched_by(network: MqNetwork, facts: Collection[Fact]) -> Collection[str] | None:
    """The queue managers of queues that come or go, if others look at none of these; else None.

    Others look at the queues that clusters offer (M-21), at what such a queue rests on, that is
    other definitions of its name and the queue it is made like (C-9), and at all queues of a queue
    manager of which output is loaded, which may have more than is shown (C-6). Linear in the facts,
    and in the queues of their queue managers."""
    named: dict[str, set[str]] = {}
    for one in facts:
        if not isinstance(one, Queue) or one.partial or one.template or _is_offered(one):
            return None
        named.setdefault(one.server, set()).add(one.name)
    if not named.keys().isdisjoint(network.partly_shown):
        return None
    for server, names in named.items():
        for queue in network.queues.of(server):
            if _is_offered(queue) and (queue.name in names or queue.like in names):
                return None
    return named.keys()


def _is_offered(queue: Queue) -> bool:
    """Whether a definition names clusters."""
    return bool(queue.get("CLUSTER") or queue.get("CLUSNL"))
