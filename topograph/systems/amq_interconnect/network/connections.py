"""How the routers of a network are connected, as records: links, uplinks, connectors that lead
outside, and connections that give no link. ``links`` finds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from topograph.assumptions import Assumption
from topograph.findings import Finding
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.amq_interconnect.network.connectors import Place, Settled
from topograph.systems.amq_interconnect.network.observed_links import Running
from topograph.systems.amq_interconnect.network.routers import RouterEndpoint


@record
class RouterLink:
    """A working inter-router link; ``cost`` is the effective one (T-3)."""

    connector: RouterEndpoint
    listener: RouterEndpoint
    cost: int
    rule: str
    confidence: Confidence
    positions: tuple[Assumption, ...] = ()

    @property
    def ends(self) -> tuple[str, str]:
        """The two routers by name."""
        first, second = sorted((self.connector.router, self.listener.router))
        return first, second


@record
class Uplink:
    """The active connection of an edge router to its interior router (E-1)."""

    connector: RouterEndpoint
    listener: RouterEndpoint
    confidence: Confidence
    positions: tuple[Assumption, ...] = ()


@record
class Outside:
    """A connector of role inter-router or edge whose other end is no loaded router."""

    connector: RouterEndpoint
    name: str
    because: str


@record(slots=False)
class Connections:
    """How the routers of a network are connected. ``links`` by ends and cost, so that of
    parallel links the cheapest is first.
    """

    links: tuple[RouterLink, ...]
    uplinks: tuple[Uplink, ...]
    outside: tuple[Outside, ...]
    findings: tuple[Finding, ...]
    running: Running
    standby: tuple[Uplink, ...] = ()
    """The other uplinks of edge routers, in the order in which they would take over (E-1)."""
    undecided: tuple[RouterLink, ...] = ()
    """Links of which it is not known what they carry: of routers that share their id with
    another router of the same network (T-10), of roles whose routing is not followed (E-8, S-6),
    and those that may not come up (T-14). No route uses them."""
    undecided_routers: frozenset[str] = frozenset()
    """The routers by which links are undecided."""
    stopped: tuple[RouterLink, ...] = ()
    """Connections between routers that do not open or give no link, their positions saying why
    (``Bearing`` ``stops``): no cost, route or uplink counts them."""
    settled: Mapping[Place, Settled] = field(default_factory=dict)
    """The hosts that were told by elimination (T-13)."""
