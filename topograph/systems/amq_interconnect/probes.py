"""Messages by which two configurations of a network of routers can be told apart."""

from __future__ import annotations

from topograph.address_patterns import trimmed
from topograph.facts.amq_interconnect import ADDRESS, Entity
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.systems.changing import Probe, Probes
from topograph.systems.protocol import Change


def probes_of(before: ForwardingGraph, after: ForwardingGraph, change: Change, budget: Budget) -> Probes:
    """See ``Changes.probes``."""
    found: dict[tuple[str, str], Probe] = {}
    for fact in (*change.removed, *change.added):
        if isinstance(fact, Entity) and fact.type in (ADDRESS, "linkRoute", "autoLink", "exchange"):
            address = _example(fact)
            for router in sorted({*before.server_number, *after.server_number}):
                found.setdefault((router, address), Probe(f"address:{address}", {}, fact.source, router))
    return Probes(tuple(found.values()))


def _example(fact: Entity) -> str:
    text = fact.get("address") or fact.get("prefix") or fact.get("pattern")
    return "/".join(
        "example" if token == "*" else token for token in trimmed(text).replace(".", "/").split("/") if token != "#"
    )
