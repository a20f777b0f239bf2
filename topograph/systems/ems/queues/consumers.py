"""Who takes messages from queues: the consumers that are declared, and those that running
servers listed (R101-R104).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.ems.destinations.subscribers import SUBSCRIBER_ROLES, called
from topograph.systems.ems.network.observations import Observations, at_servers
from topograph.systems.ems.queues.model import split_owner
from topograph.tracing.trace import Ending, Taker


@record
class Consumer:
    """A consumer of a queue at a server. ``known`` is ``declared`` or ``observed``; ``unsure``
    says why it is not known whether it takes a message; ``user`` is whose permissions count,
    empty where nobody asks: one that was listed is attached; ``called`` is its name in words,
    empty where it has none, or where one stands for several that were listed."""

    server: str
    queue: str
    known: str
    selector: str = ""
    unsure: str = ""
    user: str = ""
    source: Source = Source("")
    called: str = ""

    @property
    def described(self) -> str:
        """How it is known and what it is called, after what it consumes; often empty."""
        listed = " that the server listed" if self.known == "observed" else ""
        return f"{listed}: {self.called}" if self.called else listed

    def gets_it(self) -> Ending:
        """The message is taken by this consumer."""
        arguments = {"destination": f"queue:{self.queue}", "subscriber": self.known}
        named = (Taker(self.called, self.known, self.source),) if self.called else ()
        return Ending(Outcome.DELIVERED, arguments, named)


_NOT_SHOWN = "a consumer that {} listed may have a selector: its list does not show that"
_HAS_ONE = "a consumer that {} listed has a selector, which is not shown"


def consumed(client: Client) -> str:
    """The queue that a client takes messages from; empty for a client of something else."""
    type_, colon, name = client.destination.partition(":")
    return split_owner(name)[0] if colon and type_ == "queue" else ""


def consumers_of(clients: Sequence[Client], seen: Observations) -> list[Consumer]:
    """All that are known. Of those that a server listed for one queue the one that is known
    best: without a selector, else any. Linear.
    """
    found = [
        Consumer(
            client.server,
            consumed(client),
            "declared",
            client.selector,
            "",
            client.user,
            client.source,
            called(client),
        )
        for client in clients
        if client.role in SUBSCRIBER_ROLES and consumed(client)
    ]
    listed: dict[tuple[str, str], Consumer] = {}
    for row in seen.consumers:
        key = row.server, row.name
        other = listed.get(key)
        if other is None or (row.selector == "no" and other.unsure):
            unsure = (
                ""
                if row.selector == "no"
                else (_HAS_ONE if row.selector == "yes" else _NOT_SHOWN).format(row.server)
            )
            listed[key] = Consumer(
                row.server, row.name, "observed", unsure=unsure, source=row.source
            )
        listed[key] = replace(listed[key], called="" if other else called(row))
    return found + list(listed.values())


def at_that_moment(name: str, seen: Observations) -> list[Assumption]:
    """What an answer about the queue ``name`` rests on that takes listed consumers for those
    there are.
    """
    found = []
    if seen.consumers_whole:
        first = seen.consumers_whole[min(seen.consumers_whole)]
        text = (
            f"the consumers of queue:{name} at {at_servers(seen.consumers_whole)} are those "
            f"listed at one moment ({first})"
        )
        found.append(
            Assumption(
                "R104",
                "M",
                text,
                (
                    "a consumer that attaches later takes the message instead, one that is "
                    "gone does not"
                ),
            )
        )
    if seen.consumers_cut:
        why, first = seen.consumers_cut[min(seen.consumers_cut)]
        text = (
            f"queue:{name} has no other consumers at {at_servers(seen.consumers_cut)}, of "
            f"whose consumers not all may be listed ({why}; {first})"
        )
        found.append(
            Assumption("R104", "L", text, "another consumer there may take the message instead")
        )
    return found
