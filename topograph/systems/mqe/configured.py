"""What queue managers of MQ Everyplace have beside queues, for a database: connections, listeners,
and where their queues lead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topograph.facts import Fact
from topograph.facts.mqe import MqeConnection, MqeListener, MqeQueue
from topograph.forwarding.configured import (
    NOWHERE,
    Thing,
    Tie,
    declared,
    destination,
    leads_to,
    server,
)
from topograph.side_inputs import SideInputs


def configured(
    facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str]
) -> Iterator[Thing | Tie]:
    """See ``forwarding.configured.Configured``."""
    yield from declared(side_inputs, servers)
    local = {
        (fact.server, fact.name): fact.source
        for fact in facts
        if isinstance(fact, MqeQueue) and fact.type == "local"
    }
    for fact in facts:
        if isinstance(fact, MqeConnection):
            made = Thing(
                "Connection",
                fact.server,
                fact.name,
                fact.source,
                values=(
                    ("type", fact.type),
                    ("via", fact.via),
                    ("address", fact.address),
                    ("port", fact.port),
                    ("adapter", fact.adapter),
                    ("channel", fact.channel),
                ),
            )
            yield made
            yield Tie("CONNECTS_TO", made.end, server(fact.via or fact.name))
        elif isinstance(fact, MqeListener):
            values = (
                ("address", fact.address),
                ("port", fact.port),
                ("transport", fact.adapter),
            )
            yield Thing(
                "Listener", fact.server, fact.name, fact.source, f"{fact.name}/{fact.port}", values
            )
        elif isinstance(fact, MqeQueue) and fact.type in ("remote", "bridge"):
            start = destination(fact.server, fact.name, "queue", fact.source)
            place = local.get((fact.qmgr, fact.name), NOWHERE)
            end = destination(fact.qmgr, fact.name, source=place)
            yield leads_to(start, end, f"{fact.type} queue")
