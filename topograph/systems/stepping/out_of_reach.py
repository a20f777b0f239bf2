"""Messages that get to no server which a change touches: what becomes of them is as before. The
graph of the network before knows them, in walks back from these servers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topograph.forwarding.graph import POSITIONS, Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.systems.stepping.messages import Begin, FollowedEstate
from topograph.tracing.endings_compared import Touched
from topograph.tracing.states import State

Walked = tuple[ForwardingGraph, Walker]
"""A graph, and what walks over it."""

Place = tuple[str, str]
"""A server, after its system."""


@dataclass
class OutOfReach:
    """Which messages are known to get to none of the servers that are ``touched``, of one system
    whose graph leaves out no way (``Stepping.touched_by``). Linear in the graph, once."""

    graph: ForwardingGraph
    walker: Walker
    estate: FollowedEstate
    touched: Touched

    def __post_init__(self) -> None:
        texts, servers = self.graph.columns.state, self.graph.point_server
        self._code_of = {text: code for code, text in enumerate(texts.values)}
        self._number_of = {(one.system, one.name): n for n, one in enumerate(self.graph.servers)}
        self._place_of_points = servers.astype(np.int64) * len(texts.values) + texts.codes
        self._known = frozenset(self._place_of_points.tolist())
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._places = frozenset(
            (system, server) for system, servers in self.touched.items() for server in servers
        )

    def is_apart(self, at: Begin) -> bool:
        """Whether a message in a state is known to get to none of the servers."""
        return self._is_apart(at, self._leading, self._places)

    def is_apart_for_any_name(self, at: Begin) -> bool:
        """The same whatever name it is for, of a state that stands for many names: it gets to no
        server, either, from which a message to a name there gets to one."""
        return self._is_apart(at, self._leading_for_some_name, self._with_names)

    def is_apart_from_here(self, system: str, server: str) -> bool:
        """Whether no message to a name that begins at a server gets to one of the servers."""
        return (system, server) in self._number_of and (system, server) not in self._with_names

    def apart_from(self, places: Collection[Place]) -> Callable[[Begin], bool]:
        """Whether a message is known to get to none of the servers, and of some more."""
        every = self._places | {*places}
        leading = self._leading_to(every)
        return lambda at: self._is_apart(at, leading, every)

    def _is_apart(self, at: Begin, leading: Collection[int], places: Collection[Place]) -> bool:
        system, state = at
        if (system, state.server) in places:
            return False
        key = system, state.server, state.data
        if key not in self._numbers:
            self._numbers[key] = self._number(at)
        number = self._numbers[key]
        return number >= 0 and number not in leading

    def _number(self, at: Begin) -> int:
        """The number of the points in a state, or in that in which a message begins which gets to
        the same servers; -1 where there are none."""
        system, state = at
        server = self._number_of.get((system, state.server))
        if server is None:
            return -1
        code = self._code_of.get(state.data)
        if code is None:
            own = self.estate.systems[system].standing
            begun = None if own is None else own.begun(state)
            code = None if begun is None else self._code_of.get(begun.data)
        found = -1 if code is None else server * len(self._code_of) + code
        return found if found in self._known else -1

    @cached_property
    def _leading(self) -> frozenset[int]:
        return self._leading_to(self._places)

    @cached_property
    def _with_names(self) -> frozenset[Place]:
        """The servers, and those from which a message to a name there gets to one of them."""
        begins = self.graph.columns.kind.codes != self._code_of_arrivals
        points = np.flatnonzero(np.isin(self._place_of_points, [*self._leading]) & begins)
        found = set(self._places)
        texts = self.graph.columns.state
        for point in points.tolist():
            server = self.graph.servers[self.graph.servers_of_points[point]]
            place = server.system, server.name
            if place not in found and (text := texts[point]):
                own = self.estate.systems[server.system].standing
                if own is None or not own.is_one(State(server.name, "", text)):
                    found.add(place)
        return frozenset(found)

    @property
    def _code_of_arrivals(self) -> int:
        kinds = self.graph.columns.kind.values
        return kinds.index("arrival") if "arrival" in kinds else -1

    @cached_property
    def _leading_for_some_name(self) -> frozenset[int]:
        return self._leading_to(self._with_names)

    def _leading_to(self, places: Iterable[Place]) -> frozenset[int]:
        """The places of the points from which a message gets to some servers."""
        targets = [
            point
            for place in places
            for point in self.graph.points_of_server.get(self._number_of.get(place, -1), ())
        ]
        points = self.walker.walk_back(targets, Closed()).points
        return frozenset(self._place_of_points[points].tolist())


def out_of_reach(walked: Walked, estate: FollowedEstate, touched: Touched) -> OutOfReach | None:
    """What a graph says of messages that get to none of some servers; None where it does not have
    all ways of some server, and of several systems."""
    graph, walker = walked
    if len(estate.systems) != 1 or is_cut(graph, estate):
        return None
    return OutOfReach(graph, walker, estate, touched)


def is_plain(graph: ForwardingGraph) -> bool:
    """Whether all servers of a graph are loaded and known whole, and nothing is asked of messages
    on the way between them. Linear in points, links and servers."""
    return (
        not graph.columns.guard_values.size
        and not any(one.kind in POSITIONS for one in graph.guards)
        and not any(one.guards for one in graph.links)
        and all(one.loaded and not one.open_ended for one in graph.servers)
    )


def is_cut(graph: ForwardingGraph, estate: FollowedEstate) -> bool:
    """Whether the graph says of a server that not all its ways are known, which its system does
    not."""
    open_ended = {
        (system, one.name)
        for system, own in estate.systems.items()
        for one in own.servers
        if one.open_ended or not one.loaded
    }
    return any(
        one.open_ended and one.loaded and (one.system, one.name) not in open_ended
        for one in graph.servers
    )
