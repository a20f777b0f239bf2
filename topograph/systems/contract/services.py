"""What a system with services answers ``services`` with: the listeners of its servers, whose
clients are connected with connectors of the same name, anywhere in the network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from topograph.findings import Source
from topograph.records import record

if TYPE_CHECKING:
    from topograph.forwarding.budget import Budget
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.forwarding.walker import Walker


@record
class Shared:
    """A listener with several names: its own ``name``, the line that it stands in, and what its
    files say of how one of them is chosen. ``strategy`` is ``priority`` (the one with the greatest
    ``value`` of those that have a connector), ``weighted`` (each with a share of the connections as
    its ``value`` says), else not known."""

    name: str
    strategy: str
    value: int
    rule: str
    source: Source


@record
class ServiceEnd:
    """A listener, or a connector, of ``server``. ``kind`` is what the files call it; ``outside``
    the host and port that clients connect to, or that the connector connects to; ``destination``
    the name that joins both. ``receiver`` is what traces call a connector. ``closed`` says why
    nobody gets in at a listener, by the rule ``closed_by``, where output shows that. ``shared`` is
    the listener whose clients get connections by other names too."""

    server: str
    kind: str
    name: str
    outside: str
    destination: str
    listens: bool
    source: Source
    receiver: str = ""
    closed: str = ""
    closed_by: str = ""
    shared: Shared | None = None


@record
class Spill:
    """When a server gets connections too that others are preferred for, by which rule."""

    when: str
    rule: str
    source: Source


@runtime_checkable
class Serving(Protocol):
    """An estate with services."""

    def service_ends(self) -> Sequence[ServiceEnd]:
        """The listeners and connectors of servers that run, by server and place."""
        ...

    def spills(
        self, graph: ForwardingGraph, walker: Walker, path: Sequence[str], destination: str, /
    ) -> Mapping[str, Spill]:
        """By server what else connections can get to from the servers of a path, beside those
        that get the next one.
        """
        ...

    def needed(self, budget: Budget, /) -> Mapping[Source, Sequence[str]]:
        """By the place of each listener (of ``shared`` ones theirs) whose clients are known to be
        served, the single failures that leave them without any connector, as ``impact --fail``
        takes them. Raises BudgetSpent.
        """
        ...
