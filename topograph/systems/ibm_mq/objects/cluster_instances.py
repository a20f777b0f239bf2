"""The instances of a cluster queue, and what the workload algorithm leaves (M-20 to M-28)."""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.facts.ibm_mq import Channel, Queue
from topograph.findings import Source
from topograph.records import record
from topograph.systems.contract.ambiguities import Ambiguity
from topograph.systems.ibm_mq.objects.attributes import (
    keyword,
    number,
)


@record(slots=False)
class Instance:
    """A queue (or queue manager) that a cluster offers: the queue manager it is at, the object
    that advertises it, and the cluster-receiver channel to it; both None where only the local
    repository shows them."""

    server: str
    queue: Queue | None = None
    channel: Channel | None = None
    observed: str = ""
    """The channel, where the repository shows it."""
    address: str = ""
    source: Source = Source("")
    local: bool = False

    @property
    def channel_name(self) -> str:
        return self.channel.name if self.channel else self.observed

    def number(self, name: str) -> int:
        """A workload attribute of the channel."""
        return number(self.channel, name) if self.channel else 0

    def queue_number(self, name: str) -> int:
        """A workload attribute of the queue, alias or remote queue."""
        return number(self.queue, name) if self.queue else 0

    @property
    def is_gateway(self) -> bool:
        """Whether a remote queue or an alias of a queue manager advertises it, which leads on
        from there (M-28).
        """
        return self.queue is not None and self.queue.noun == "QREMOTE"

    @property
    def takes_puts(self) -> bool:
        return self.queue is None or keyword(self.queue, "PUT") != "DISABLED"


@dataclass
class Choice:
    """What the workload algorithm leaves, and what it eliminated: (queue manager, step). One
    instance a queue manager is left, or one for each order of its steps that may hold.
    """

    instances: list[Instance]
    eliminated: list[tuple[str, str]] = field(default_factory=list)
    preferred: bool = False
    """Whether the local instance was preferred."""
    open: tuple[Ambiguity, ...] = ()
    """The positions on the order of its steps that make a difference here."""

    def told(self, name: str) -> str:
        """The eliminated candidates, in words."""
        left = {one.server for one in self.instances}
        gone = dict.fromkeys(
            (server, step) for server, step in self.eliminated if server not in left
        )
        return "; ".join(f"{name}@{server}: {step}" for server, step in gone)
