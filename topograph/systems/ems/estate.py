"""One network of EMS servers with its facts (``contract.system.Estate``).

What only some questions need is imported when one of them is asked: most commands ask one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.message import DestinationName
from topograph.records import record
from topograph.side_inputs import Client, SideInputs
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.names import ListedInterest
from topograph.systems.contract.system import Change, Compiled, FactSource, Failure, Row, Sending
from topograph.systems.ems.compilation import compiled
from topograph.systems.ems.network.links import EmsConfiguration, configuration_of
from topograph.systems.fact_sources import ChangedFacts

if TYPE_CHECKING:
    from topograph.systems.ems.failures.network import EmsFailures
    from topograph.systems.ems.failures.queues import ServerQueues
    from topograph.tracing.trace import Trace, TracedStep


@record(slots=False)
class EmsEstate:
    """The servers, routes, topics and permissions that the facts of one network configure."""

    source: FactSource
    side_inputs: SideInputs
    _queues: dict[str, ServerQueues] = field(default_factory=dict, compare=False, repr=False)
    """What the servers say of queues, by name: read when failures are first judged, and kept."""

    @cached_property
    def configuration(self) -> EmsConfiguration:
        """The servers and links, worked out once for compiling and for the checks beside it."""
        return configuration_of(self.source.facts(), self.side_inputs)

    def compile(self) -> Compiled:
        """See ``compilation.compiled``."""
        return compiled(self.configuration)

    def follow(self, graph: ForwardingGraph, walker: Walker, sending: Sending) -> Trace:
        """See ``topics.trace.follow``."""
        from topograph.systems.ems.topics.trace import follow

        return follow(self.source, self.side_inputs, graph, walker, sending)

    def reply(
        self, graph: ForwardingGraph, walker: Walker, taken: TracedStep, sending: Sending
    ) -> Trace | None:
        """See ``contract.system.Replying``. A reply is followed as the message to its destination
        that it is (R91, R92).
        """
        from topograph.systems.ems.topics.replies import reply_to, rests_on

        answer = reply_to(sending.message)
        if answer is None:
            return None
        told = self.follow(graph, walker, replace(sending, start=taken.at, message=answer))
        return replace(told, assumptions=(*told.assumptions, *rests_on(answer)))

    def without(self, failure: Failure, graph: ForwardingGraph) -> Closed | EmsEstate:
        """A server or route that fails only closes: nothing is routed round it (R4, R6). Where a
        member of a fault-tolerant pair fails, the network that the other member makes (R7); what
        fails beside it is closed in that. Linear in the arrivals, or in the facts of the pairs."""
        from topograph.systems.ems.failures.members import pairs_of, without_members
        from topograph.systems.ems.failures.suspended import arrivals

        change = without_members(self.source, pairs_of(self.source), failure.components)
        if change.removed:
            return self.apply(change)
        servers = frozenset(graph.server_number[name] for name in failure.servers)
        names = [server.name for server in graph.servers]
        gone = {
            number
            for number, link in enumerate(graph.links)
            if {names[link.a], names[link.b]} in failure.links
        }
        points = frozenset(n for n, link in enumerate(graph.columns.link.tolist()) if link in gone)
        return Closed(servers=servers, points=points | arrivals(graph, failure.components))

    def apply(self, change: Change) -> EmsEstate:
        """The network with other configuration."""
        return EmsEstate(ChangedFacts(self.source, change), self.side_inputs)

    def failures(
        self, graph: ForwardingGraph, walker: Walker, clients: Sequence[Client] = ()
    ) -> EmsFailures:
        """See ``failures``."""
        from topograph.systems.ems.failures.network import EmsFailures
        from topograph.systems.ems.network.assemble import assemble

        def swapped(failure: Failure) -> ForwardingGraph:
            after = self.without(failure, graph)
            return assemble(after.compile().tables) if isinstance(after, EmsEstate) else graph

        readings = Readings.of(self.side_inputs, "ems")
        return EmsFailures(
            self.source,
            self.side_inputs.clients,
            graph,
            walker,
            swapped,
            readings,
            given=clients,
            read=self._queues,
        )

    def listed_interest(
        self, graph: ForwardingGraph, walker: Walker, servers: Collection[str], budget: Budget
    ) -> ListedInterest:
        """See ``interest.listed_interest``."""
        from topograph.systems.ems.checks.interest import listed_interest

        return listed_interest(self.source, graph, walker, servers, budget)

    def show(self, what: str) -> Iterator[Row] | None:
        """See ``show.rows`` and ``factories.factory_rows``."""
        from topograph.systems.ems.factories import factory_rows
        from topograph.systems.ems.show import rows

        if what == "factories":
            return factory_rows(self.source, self.side_inputs)
        return rows(self.source, what)

    def access(self, named: DestinationName, user: str) -> Iterator[Row]:
        """See ``access.access``."""
        from topograph.systems.ems.access import access

        return access(self.source, named, user)
