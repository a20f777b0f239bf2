"""Whether a change leaves who reaches whom, over how many hops, and all links as they are: then the
graph of the network before it says of servers what that of the network after it would.

The ways out of the servers that the change touches are looked at in both configurations. Where none
of them goes, and each that comes leads over a link that is there to servers that are reached anyway
over as few hops, nothing differs; where that is not sure, it is not said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from topograph.forwarding.budget import Budget
from topograph.forwarding.forward_only import hops_of_all
from topograph.forwarding.graph import Closed, Link
from topograph.forwarding.points import Ints
from topograph.records import record
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.out_of_reach import Walked, is_cut, is_plain
from topograph.systems.stepping.sharing import touched_servers
from topograph.tracing.states import State, Stepping, Way
from topograph.tracing.trace import Ending, Kind

MOST_STATES = 50_000
"""States, and points, that are looked at."""

MOST_PARTING = 64
"""Points at the servers of a change from which new ways lead."""

_FAR = 1 << 20
"""Hops where there is no walk."""


class _NotSure(Exception):
    """What a change does to walks is not known without the graph of the network after it."""


@record(eq=False)
class _Exit:
    """A way out of a server, by what is the same of it in two configurations."""

    to: State
    place: Hashable
    link: Link


def leaves_walks_as_they_are(
    walked: Walked, before: SteppingEstate, after: SteppingEstate, budget: Budget
) -> bool:
    """Whether the graph of the network before a change is known to say the same of all servers,
    pairs of them and links as that of the network after it. Linear in the states at the servers
    that the change touches and behind the ways that come, and in servers times such ways. Raises
    BudgetSpent."""
    graph, _ = walked
    touched = touched_servers(before, after)
    if touched is None or len(before.systems) != 1 or is_cut(graph, before):
        return False
    ((name, old),) = before.systems.items()
    new = after.systems[name]
    if [*old.servers] != [*new.servers] or not is_plain(graph):
        return False
    if any(True for _ in new.named()) or new.joined():
        return False
    try:
        return _Walks(walked, (old, new), frozenset(touched[name]), budget).are_as_before()
    except _NotSure:
        return False


@dataclass
class _Walks:
    walked: Walked
    sides: tuple[Stepping, Stepping]
    touched: frozenset[str]
    budget: Budget
    _looked_at: int = 0
    _behind: dict[Hashable, Mapping[int, int]] = field(default_factory=dict)
    _exits_new: dict[int, Sequence[_Exit]] = field(default_factory=dict)

    def are_as_before(self) -> bool:
        """See ``leaves_walks_as_they_are``. Raises _NotSure, BudgetSpent."""
        parting: list[tuple[int, Sequence[_Exit]]] = []
        begins = [self._begins(side) for side in self.sides]
        for place, state in begins[0].items():
            if place not in begins[1] and self._exits(0, state):
                return False
        for place, state in begins[1].items():
            was = self._exits(0, begins[0][place]) if place in begins[0] else []
            new = self._come(was, self._exits(1, state))
            if new:
                parting.append((self._origin_of(state.server), new))
        for point, state in self._arrivals():
            new = self._come(self._exits(0, state), self._exits(1, state))
            if new:
                parting.append((point, new))
                self._exits_new[point] = new
        if len(parting) > MOST_PARTING:
            raise _NotSure
        return not parting or self._all_are_near(parting)

    def _begins(self, side: Stepping) -> Mapping[Hashable, State]:
        found: dict[Hashable, State] = {}
        every = side.entries() if side.entries_at is None else side.entries_at(self.touched)
        for state in every:
            if state.server in self.touched:
                found.setdefault(side.loop_key(state), state)
        return found

    def _arrivals(self) -> Iterator[tuple[int, State]]:
        graph = self.walked[0]
        kinds, texts = graph.columns.kind, graph.columns.state
        for server in self.touched:
            for point in graph.points_of_server.get(graph.server_number[server], ()):
                if kinds[point] == "arrival":
                    yield point, State(server, "", texts[point])

    def _come(self, was: Sequence[_Exit], now: Sequence[_Exit]) -> Sequence[_Exit]:
        """The ways that come. Raises _NotSure where some go."""
        old, new = ({(one.place, id(one.link)) for one in each} for each in (was, now))
        if old - new:
            raise _NotSure
        return [one for one in now if (one.place, id(one.link)) not in old]

    def _exits(self, side: int, begin: State) -> Sequence[_Exit]:
        """The ways out of the server of a state, over all steps inside it. Raises _NotSure where
        anything but these steps decides."""
        own = self.sides[side]
        waiting, seen = deque([begin]), {own.loop_key(begin)}
        found: list[_Exit] = []
        while waiting:
            self._count()
            transition = own.step(waiting.popleft())
            if transition.is_dead_end or transition.open_end is not None:
                raise _NotSure
            for way in transition.ways:
                decided = way.guard or way.choice or way.position or way.perhaps_taken
                if decided or way.kind is not Kind.COPY or not isinstance(way.to, State | Ending):
                    if isinstance(way.to, Ending) and way.kind is not Kind.READING:
                        continue
                    raise _NotSure
                if isinstance(way.to, Ending):
                    continue
                place = own.loop_key(way.to)
                if way.to.server != begin.server:
                    found.append(_Exit(way.to, place, self._link(begin.server, way)))
                elif place not in seen:
                    seen.add(place)
                    waiting.append(way.to)
        return found

    def _link(self, server: str, way: Way) -> Link:
        """The link that a way goes over, which is in the graph. Raises _NotSure."""
        assert isinstance(way.to, State)
        link = self._links.get((server, way.to.server, way.source, way.role, way.link))
        said = way.zone, way.cost, way.rule, way.confidence
        if link is None or (link.zone, link.cost, link.rule, link.confidence) != said:
            raise _NotSure
        return link

    @cached_property
    def _links(self) -> Mapping[Hashable, Link]:
        graph = self.walked[0]
        names = [one.name for one in graph.servers]
        return {
            (names[one.a], names[one.b], one.source, one.role, one.name): one for one in graph.links
        }

    def _count(self) -> None:
        self._looked_at += 1
        if self._looked_at > MOST_STATES:
            raise _NotSure
        self.budget.spend()

    def _origin_of(self, server: str) -> int:
        graph = self.walked[0]
        points = graph.points_of_server[graph.server_number[server]]
        return next(one for one in points if graph.columns.kind[one] == "origin")

    def _all_are_near(self, parting: Sequence[tuple[int, Sequence[_Exit]]]) -> bool:
        """Whether all that new ways lead to is reached without them, over as few hops."""
        graph = self.walked[0]
        hops = hops_of_all(graph, Closed(), self.budget.check)
        if hops is None:
            raise _NotSure
        before = hops.astype(np.int32)
        before[before < 0] = _FAR
        for point, exits in parting:
            there = self._hops_to(point)
            for one in exits:
                for server, farther in self._hops_from(one).items():
                    over = there + 1 + farther
                    if ((over < before[:, server]) & (over < _FAR)).any():
                        return False
        return True

    def _hops_to(self, point: int) -> Ints:
        """By server the hops from it to a point."""
        graph = self.walked[0]
        found = np.full(len(graph.servers), _FAR, np.int32)
        waiting, seen, hops = [point], {point}, 0
        while waiting:
            for one in waiting:
                if self._is_origin[one]:
                    server = graph.servers_of_points[one]
                    found[server] = min(found[server], hops)
            onward: list[int] = []
            for one in waiting:
                self._count()
                first, last = self._back[0][one : one + 2]
                for to in self._back[1][first:last]:
                    if to not in seen:
                        seen.add(to)
                        onward.append(to)
            waiting, hops = onward, hops + 1
        return found

    @cached_property
    def _is_origin(self) -> list[bool]:
        kinds = self.walked[0].columns.kind
        code = kinds.values.index("origin")
        listed: list[bool] = (kinds.codes == code).tolist()
        return listed

    @cached_property
    def _back(self) -> tuple[list[int], list[int]]:
        """The points before each: where those of one begin, and all of them."""
        graph = self.walked[0]
        size = graph.node_count
        begins = np.repeat(np.arange(size), np.diff(graph.starts))
        order = np.argsort(graph.ends, kind="stable")
        starts = np.searchsorted(graph.ends[order], np.arange(size + 1))
        return starts.tolist(), begins[order].tolist()

    def _hops_from(self, first: _Exit) -> Mapping[int, int]:
        """By server the hops to it from where a new way leads, also over other new ways."""
        if first.place in self._behind:
            return self._behind[first.place]
        graph = self.walked[0]
        found: dict[int, int] = {}
        waiting: list[int | State] = [self._node(first.to)]
        seen: set[int | Hashable] = {self._key(waiting[0])}
        hops = 0
        while waiting:
            onward: list[int | State] = []
            for one in waiting:
                self._count()
                server = (
                    graph.servers_of_points[one]
                    if isinstance(one, int)
                    else graph.server_number[one.server]
                )
                found.setdefault(server, hops)
                for to in self._onward(one):
                    key = self._key(to)
                    if key not in seen:
                        seen.add(key)
                        onward.append(to)
            waiting, hops = onward, hops + 1
        self._behind[first.place] = found
        return found

    def _onward(self, at: int | State) -> Iterable[int | State]:
        if isinstance(at, State):
            return [self._node(one.to) for one in self._exits(1, at)]
        new = [self._node(one.to) for one in self._exits_new.get(at, ())]
        return (*self.walked[0].successors(at), *new)

    def _node(self, to: State) -> int | State:
        """The point in a state, or the state where the graph has none."""
        return self._point_of.get((to.server, to.data), to)

    def _key(self, node: int | State) -> Hashable:
        return node if isinstance(node, int) else self.sides[1].loop_key(node)

    @cached_property
    def _point_of(self) -> Mapping[tuple[str, str], int]:
        graph = self.walked[0]
        names = [one.name for one in graph.servers]
        kinds = graph.columns.kind
        arrivals = np.flatnonzero(kinds.codes == [*kinds.values, "arrival"].index("arrival"))
        servers = graph.point_server[arrivals].tolist()
        texts = graph.columns.state.at(arrivals)
        return {
            (names[server], text): point
            for point, server, text in zip(arrivals.tolist(), servers, texts, strict=True)
        }
