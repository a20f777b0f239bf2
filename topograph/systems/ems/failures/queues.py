"""What failures do to routed queues: their messages wait at the server that they were sent at until home and route are back (R105)."""

from __future__ import annotations

from collections.abc import Iterator

from topograph.facts.ems import EmsDestination
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.ems.failures.cuts import Broken
from topograph.systems.ems.subscribers import Facts, in_use
from topograph.systems.ems.topics import is_wildcard
from topograph.systems.protocol import Interrupted, StorageBound

_NO_LIMIT = "there is no limit, and no error to senders beyond maxbytes and maxmsgs (R105)"


def waiting(facts: Facts, graph: ForwardingGraph, broken: Broken) -> Iterator[Interrupted]:
    """The routed queues at living servers whose home fails, or whose route to it does. Linear in the links, and in the destinations of the servers at
    those that fail; zones do not matter (R18, R103)."""
    for number, link in enumerate(graph.links):
        for at, home in ((link.a, link.b), (link.b, link.a)):
            over = home in broken.servers or number in broken.links
            if at in broken.servers or not over or not graph.servers[at].loaded:
                continue
            name, owner = graph.servers[at].name, graph.servers[home].name
            for fact in in_use(facts(("server", "destination"), name)):
                if isinstance(fact, EmsDestination) and fact.owner == owner and not is_wildcard(fact.name):
                    yield _row(fact, "home" if home in broken.servers else "route to its home")


def _row(queue: EmsDestination, failed: str) -> Interrupted:
    rejects = any(key.lower() == "overflowpolicy" and value == "rejectIncoming" for key, value in queue.properties)
    reason = (
        f"the {failed} is down: {queue.server} keeps what is sent there, and consumers at {queue.server} get nothing"
    )
    if rejects:
        reason += "; whether its own rejectIncoming then applies is not documented (A26)"
    return Interrupted(
        at=queue.server,
        neighbour=queue.owner,
        destination=f"queue:{queue.name}@{queue.owner}",
        kept=True,
        duplicates=False,
        rule="R105",
        confidence="L" if rejects else "H",
        reason=reason,
        source=queue.source,
        publishers=(queue.server,),
        subscribers=(),
        bound=StorageBound(None, None, _NO_LIMIT, queue.source),
    )
