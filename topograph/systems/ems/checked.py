"""What lint rules of EMS look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from topograph.records import record

if TYPE_CHECKING:
    from topograph.findings import Source
    from topograph.forwarding.graph import ForwardingGraph
    from topograph.systems.contract.cycles import CyclicPart
    from topograph.systems.ems.destinations.guards import ServerSettings
    from topograph.systems.ems.network.configured import Configured
    from topograph.systems.ems.network.links import EmsConfiguration

# What works these out is imported when a check runs: what a rule says needs none of it.


@record(slots=False)
class Checked:
    """The servers of a network and their links."""

    estate: EmsConfiguration

    @cached_property
    def known(self) -> Mapping[str, ServerSettings]:
        """The settings of each loaded server."""
        from topograph.systems.ems.destinations.guards import settings

        return {name: settings(configured) for name, configured in self.estate.servers.items()}

    @property
    def servers(self) -> Iterator[Configured]:
        """The loaded servers, by name."""
        return (configured for _, configured in sorted(self.estate.servers.items()))


@record(slots=False)
class CheckedGraph(Checked):
    """The same, for rules that walk: with the graph."""

    graph: ForwardingGraph

    @cached_property
    def parts(self) -> Sequence[CyclicPart]:
        """See ``legality.cyclic_parts``."""
        from topograph.systems.ems.network.legality import cyclic_parts

        return cyclic_parts(self.graph)


def topic_source(side: ServerSettings, pattern: str) -> Source:
    """Where a topic of a server is configured."""
    return side.topic_sources.get(pattern, side.source)


def listed(names: Iterable[str], most: int = 5) -> str:
    """Names for a message, the rest as a number.

    >>> listed("ABC", 2)
    'A, B and 1 more'
    """
    found = list(names)
    return ", ".join(found[:most]) + (f" and {len(found) - most} more" if len(found) > most else "")
