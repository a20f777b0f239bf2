"""The cells of the buses, and the members and messaging engines of each bus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.facts.sibus import BusMember, MessagingEngine, SibusBus
from topograph.forwarding.graph import ForwardingGraph
from topograph.side_inputs import SideInputs
from topograph.systems.contract.groups import Held, ServerGroup
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class


def groups(
    source: FactSource,
    side_inputs: SideInputs,  # noqa: ARG001
    graph: ForwardingGraph,  # noqa: ARG001
) -> Sequence[ServerGroup]:
    """The buses of each cell, by its name, as far as a file says it. Linear in the buses."""
    found: dict[str, set[str]] = {}
    for bus in of_class(source, SibusBus):
        if bus.cell and bus.server:
            found.setdefault(bus.cell, set()).add(bus.server)
    return [
        ServerGroup(cell, "cell", tuple(sorted(buses))) for cell, buses in sorted(found.items())
    ]


def holds(source: FactSource, side_inputs: SideInputs) -> Iterator[Held]:  # noqa: ARG001
    """The members and the messaging engines of each bus. Linear in them."""
    for member in of_class(source, BusMember):
        yield Held(member.server, "bus member", member.label)
    for engine in of_class(source, MessagingEngine):
        yield Held(engine.server, "messaging engine", engine.name)
