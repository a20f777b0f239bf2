"""The messages of senders that say nothing more: to each destination at its own bus and, over
links, at each other one. What a bus does with a name that it does not have counts as well: one that
no bus has, and those that only others have, are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from topograph.records import record
from topograph.systems.sibus.ambiguities import A1
from topograph.systems.sibus.buses.carried import ANY, GRAPH, NONE, Carried
from topograph.systems.sibus.buses.configuration import Bus
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.tracing.states import Begins, Pairs, State


def begins(estate: BusEstate) -> Begins:
    """The messages as ``enter`` has them; one to any destination of a bus that is not loaded."""
    sending = _Sending(estate, {name: named(bus) for name, bus in estate.buses.items()})
    return Begins((sending.absent(), sending.far(), sending.far_absent()), sending.each())


def named(bus: Bus) -> Sequence[str]:
    """The destinations of a bus that have a name, in order, with those of which it is not known
    whether they are there: the system exception destination of an engine that is not known has
    none."""
    return sorted(
        name
        for name in {**bus.destinations, **bus.refused}
        if bus.engines or name != bus.system_exception("")
    )


@record
class _Sending:
    """Messages at the buses of one network; ``names`` are those of the destinations of each."""

    estate: BusEstate
    names: Mapping[str, Sequence[str]]

    def each(self) -> Iterator[State]:
        """To each destination of a bus, one that no bus has, those of other buses that it defines,
        and one that a bus which it leads to does not have, or any where that is not loaded."""
        for server, bus in self.estate.buses.items():
            for name in (*self.names[server], NONE):
                yield self._to(server, name)
            for other, name in sorted(bus.elsewhere):
                yield self._to(server, name, other)
            for other in sorted(bus.routes):
                if self.estate.server_of(other) in self.names:
                    yield self._to(server, NONE, other)
                else:
                    yield self._to_any(server, other)

    def absent(self) -> Pairs:
        """To each name at the buses that do not have it."""
        every = self._every()

        def states(servers: Collection[str]) -> Iterator[State]:
            for server in self._of(servers):
                own = {*self.names[server]}
                yield from (self._to(server, name) for name in every if name not in own)

        count = sum(len(every) - len(own) for own in self.names.values())
        return Pairs("messages to destinations that only other buses have", count, states)

    def far(self) -> Pairs:
        """To each destination of each other bus that a bus leads to; in their stead one to any of
        each."""

        def states(servers: Collection[str]) -> Iterator[State]:
            for server, other, names in self._links(servers):
                yield from self._over(server, other, names)

        def any_of() -> Iterator[State]:
            for server, other, _ in self._links(self.names):
                yield self._to_any(server, other)

        count = sum(len(names) for _, _, names in self._links(self.names))
        return Pairs("messages over links to destinations of other buses", count, states, any_of)

    def far_absent(self) -> Pairs:
        """To each name at the other buses that a bus leads to and that do not have it."""
        every = self._every()

        def states(servers: Collection[str]) -> Iterator[State]:
            for server, other, names in self._links(servers):
                own = {*names}
                yield from self._over(server, other, [one for one in every if one not in own])

        count = sum(len(every) - len(names) for _, _, names in self._links(self.names))
        what = "messages over links to destinations that the other bus does not have"
        return Pairs(what, count, states)

    def _every(self) -> Sequence[str]:
        return sorted({name for names in self.names.values() for name in names})

    def _of(self, servers: Collection[str]) -> Iterator[str]:
        return (server for server in self.names if server in servers)

    def _links(self, servers: Collection[str]) -> Iterator[tuple[str, str, Sequence[str]]]:
        """The buses, those they lead to that are loaded, by the names they have for them, and the
        destinations there."""
        for server in self._of(servers):
            for other in sorted(self.estate.buses[server].routes):
                names = self.names.get(self.estate.server_of(other))
                if names is not None:
                    yield server, other, names

    def _over(self, server: str, other: str, names: Sequence[str]) -> Iterator[State]:
        defined = self.estate.buses[server].elsewhere
        yield from (self._to(server, one, other) for one in names if (other, one) not in defined)

    def _to(self, server: str, name: str, other: str = "", mode: str = "") -> State:
        carried = Carried(
            mode=mode or self.estate.reading(A1, server),
            path_bus=self.estate.buses[server].name,
            target_bus=other,
        )
        return carried.at(server, name, self.estate.paths)

    def _to_any(self, server: str, other: str) -> State:
        return self._to(server, ANY, other, GRAPH)
