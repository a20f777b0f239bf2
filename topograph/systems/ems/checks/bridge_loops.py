"""TL-17: bridges of several servers that feed each other over routes (R114): a message goes
round without end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from topograph.facts.ems import EmsBridge
from topograph.findings import Finding
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.records import record
from topograph.rules.ems_findings import BRIDGES_FEED_EACH_OTHER, TL_17
from topograph.systems.ems.destinations.guards import ServerSettings
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.network.links import EmsConfiguration
from topograph.systems.ems.queues.model import Standing, queue_at, split_owner


def feeding_bridges(
    estate: EmsConfiguration, known: Mapping[str, ServerSettings], graph: ForwardingGraph
) -> Iterator[Finding]:
    """One finding for each loop, at its first bridge. Of the loops that a bridge is in, one of
    the shortest is told. Linear in the bridges times those that each may feed, plus one walk a
    server with bridges that may."""
    feeding = _Feeding(estate, known, graph)
    told: set[frozenset[int]] = set()
    for number in range(len(feeding.bridges)):
        loop = feeding.loop(number)
        if not loop or frozenset(loop) in told:
            continue
        told.add(frozenset(loop))
        first, *others = (feeding.bridges[each] for each in loop)
        names = "".join(
            f" and the bridge {one.label} of {one.server} ({one.source})" for one in others
        )
        yield TL_17.at(
            first.source,
            f"the bridge {first.label} of {first.server}{names} feed each other over the "
            "routes between them: a message goes round.",
            kind=BRIDGES_FEED_EACH_OTHER,
            server=first.server,
        )


@record(slots=False, eq=False)
class _Feeding:
    """Which bridge feeds which of another server."""

    estate: EmsConfiguration
    known: Mapping[str, ServerSettings]
    graph: ForwardingGraph

    @cached_property
    def bridges(self) -> Sequence[EmsBridge]:
        """All bridges, by server and file."""
        servers = sorted(self.estate.servers)
        return [one for name in servers for one in self.estate.servers[name].of(EmsBridge)]

    def loop(self, number: int) -> tuple[int, ...]:
        """A shortest loop that begins with a bridge and has none before it in it; empty where
        there is none.
        """
        before: dict[int, int] = {}
        waiting = deque([number])
        while waiting:
            one = waiting.popleft()
            for other in self._fed[one]:
                if other == number:
                    way = [one]
                    while way[-1] != number:
                        way.append(before[way[-1]])
                    return tuple(reversed(way))
                if other > number and other not in before:
                    before[other] = one
                    waiting.append(other)
        return ()

    @cached_property
    def _fed(self) -> Sequence[Sequence[int]]:
        """Per bridge those that it feeds."""
        by_source: dict[tuple[str, str], list[int]] = {}
        for number, bridge in enumerate(self.bridges):
            by_source.setdefault((bridge.source_type, bridge.source_name), []).append(number)
        sources = {
            kind: PatternSet(name for each, name in by_source if each == kind)
            for kind in ("topic", "queue")
        }

        @cache
        def taking(type_: str, name: str) -> list[int]:
            return sorted(
                number
                for source in sources[type_].containing(name)
                for number in by_source[type_, source]
            )

        return [
            [
                other
                for other in taking(one.target_type, split_owner(one.target_name)[0])
                if self.bridges[other].server != one.server
                and self._carried(one, self.bridges[other].server)
            ]
            for one in self.bridges
        ]

    def _carried(self, bridge: EmsBridge, to: str) -> bool:
        """Whether what a bridge makes gets to another server: to a topic over routes, to a queue
        if that is its home (R112).
        """
        name, owner = split_owner(bridge.target_name)
        if bridge.target_type == "topic":
            return all(self.known[at].global_set.contains(name) for at in (bridge.server, to)) and (
                self.graph.server_number[to] in self._reached(bridge.server)
            )
        if frozenset((bridge.server, to)) not in self._linked:
            return False
        return (owner or self._home(bridge.server, name)) == to

    def _home(self, server: str, name: str) -> str:
        """The server that a queue without ``@OWNER`` stays at or goes to."""
        if (server, name) not in self._homes:
            queue = queue_at(server, self.estate.servers[server].member.facts, name)
            self._homes[server, name] = queue.owner if queue.standing is Standing.ROUTED else server
        return self._homes[server, name]

    @cached_property
    def _homes(self) -> dict[tuple[str, str], str]:
        return {}

    @cached_property
    def _linked(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(link.ends) for link in self.estate.links)

    @cached_property
    def _walks(self) -> dict[str, frozenset[int]]:
        return {}

    def _reached(self, server: str) -> frozenset[int]:
        if server not in self._walks:
            walk = RowWalks(self.graph).walk([self.graph.server_number[server]], Closed())
            self._walks[server] = frozenset(self.graph.point_server[walk.points].tolist())
        return self._walks[server]
