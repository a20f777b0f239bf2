"""The forwarding graph as columns.

A *point* is a place where a message can be, with what it arrived by. A *forward* is one permitted
step between two points. A *guard* is a predicate on the message; a forward is taken only if all its
guards hold. Points, guards and servers are numbered from 0 in table order; those numbers are what
engines and questions exchange.

For topics a point is an origin (a client publishes at the server) or an arrival (server, link it
came over), ems.md 6.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.findings import Source
from topograph.forwarding.points import Ints, PlainForwards, Point, PointColumns
from topograph.outcomes import Confidence
from topograph.records import record

Bools = NDArray[np.bool_]

STEPPING = "stepping"
"""The name of the graph that all systems of a network share whose messages go step by step;
servers in it have systems of their own.
"""

STANDBY = "standby"
"""The role of a link that carries nothing as long as another one works."""

STOPPED = "stopped"
"""The role of a link that does not come up, for the reason that its guards give: no point names it
as its link."""

OPEN = "open"
"""The kind of guards of which it is not known, whatever the message is, whether they let it pass: a
finding leaves open whether the link comes up. Walks that have to be certain leave it out.
"""

UNDECIDED = "undecided"
"""Kind of guards that the loaded files do not decide, whatever the message: ``payload`` says why,
or ``text`` where there is none."""

DOWN = "link"
"""The kind of guards that let nothing pass, whatever the message is: the link is configured and
does not come up.
"""

POSITION = "position"
"""The kind of guards that ask nothing of a message: a position that whatever passes rests on."""

WAITS = "waits"
"""The kind of positions that hold messages: what is to pass is stored before it, and goes on once
something happens. What lies behind it comes later."""

POSITIONS = frozenset({POSITION, WAITS})

HOLDING = frozenset({WAITS, "later"})
"""Kinds of guards before which messages wait until something happens."""

EXPLICIT_FORWARDS_LIMIT = 5_000_000
"""Above this many forwards a network is not published and its forwards are not written out
(DESIGN section 2.1).
"""


@record
class Server:
    """A server (or router) of the network. ``loaded`` is False for one that is only named by
    others' routes. ``incomplete`` says why an answer about a loaded server is incomplete (a
    named sub-file was not found), empty where it is complete. ``open_ended`` is True if it may
    have links that the loaded files do not show: it could lead anywhere."""

    name: str
    system: str
    loaded: bool
    source: Source
    incomplete: str = ""
    open_ended: bool = False


@record
class Link:
    """A configured connection between two servers, whether messages use it or not.

    ``a`` and ``b`` are server numbers; ``one_way``: messages pass from ``a`` to ``b`` only.
    ``role`` says what kind of link it is where a system has several, ``name`` what it is called in
    the configuration where it has a name. ``carries`` is False for one that carries nothing as
    things are: a standby, or one that leads out of the loaded files. ``configured_by`` is the
    server whose file has it, or ``active-active``; ``cost`` is None where the system has none.
    ``guards`` carry the positions it rests on, and say where it does not come up, or may not.
    """

    a: int
    b: int
    zone: str = ""
    zone_type: str = ""
    cost: int | None = None
    role: str = ""
    configured_by: str = ""
    rule: str = ""
    confidence: Confidence = Confidence.H
    guards: tuple[int, ...] = ()
    source: Source = Source("")
    carries: bool = True
    one_way: bool = False
    name: str = ""


@record
class Guard:
    """A predicate on the message. ``kind`` says which evaluator of the system reads ``payload``
    (JSON text); ``text`` is for people.
    """

    id: str
    kind: str
    text: str
    payload: str = ""
    source: Source = Source("")


@record
class Forward:
    """One permitted step, written out: the row of the forwards table and of the database's
    ``FORWARDS`` relationship.

    ``start`` and ``end`` are point numbers, ``guards`` guard numbers; ``branch`` is ``copy``,
    ``one_of``, ``else``, ``opaque`` or ``later``. ``steps`` are those inside the server before
    this one, as JSON text; empty where there are none."""

    key: str
    start: int
    end: int
    guards: tuple[int, ...]
    rule: str
    confidence: Confidence
    source: Source
    hop: bool = True
    cost: int = 0
    branch: str = "copy"
    steps: str = ""


@record
class Closed:
    """What is closed for one question: guards that do not hold, servers that are down, points that
    are left out.

    ``guards`` are guard numbers, ``servers`` server numbers, ``points`` point numbers. A point
    whose server is closed is closed.
    """

    guards: frozenset[int] = frozenset()
    servers: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()


@record(slots=False)
class Walk:
    """Points reached from the starts (starts included), each once, ordered by (hops, number);
    ``hops`` in network hops.
    """

    points: Ints
    hops: Ints

    def __len__(self) -> int:
        return len(self.points)


@record(slots=False)
class GraphTables:
    """The servers, points, guards and links of one system in one network: enough for
    ``systems.assemble`` to rebuild the graph.

    ``forwards`` are those of systems that go step by step; where a rule gives them there are
    none here."""

    system: str
    servers: Sequence[Server]
    points: Sequence[Point]
    guards: Sequence[Guard]
    links: Sequence[Link] = ()
    forwards: Sequence[Forward] = ()


@dataclass
class ForwardingGraph:
    """Servers, points, guards, and the forwards in compressed rows.

    ``starts``/``ends`` are the rows: the successors of node n are ``ends[starts[n]:starts[n +
    1]]``. Nodes 0..len(points)-1 are the points; nodes from len(points) on are *connectors*, which
    stand for "all but one" of a big hub without d(d-1) forwards (ems.md 6.1) and are never part of
    an answer. Entering a point costs one hop unless it is a start, entering a connector none.
    Guards stand on the point entered: every forward into a point carries the point's guards.
    ``forward_count`` is the number of point-to-point forwards (connectors expanded).
    """

    system: str
    servers: Sequence[Server]
    points: Sequence[Point]
    guards: Sequence[Guard]
    starts: NDArray[np.int64]
    ends: Ints
    forward_count: int
    forward_of: Callable[[int, int], Forward] | None = None
    """Describes the forward between two points where it is not described by the point entered
    (costs differ).
    """
    links: Sequence[Link] = ()
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What systems worked out once from this graph and keep with it, by the name of the system
    and of the thing.
    """

    @property
    def node_count(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def server_number(self) -> dict[str, int]:
        return {server.name: number for number, server in enumerate(self.servers)}

    @cached_property
    def columns(self) -> PointColumns:
        """The points as arrays: no copy where they were loaded as columns, else linear in the
        points.
        """
        return PointColumns.of(self.points)

    @cached_property
    def point_server(self) -> Ints:
        """The server number of every point."""
        return self.columns.server

    @cached_property
    def servers_of_points(self) -> list[int]:
        """The same as a list, which is read several times faster one by one."""
        listed: list[int] = self.point_server.tolist()
        return listed

    @cached_property
    def points_of_server(self) -> dict[int, list[int]]:
        table: dict[int, list[int]] = {}
        for number, server in enumerate(self.servers_of_points):
            table.setdefault(server, []).append(number)
        return table

    @cached_property
    def guard_sets(self) -> tuple[Ints, list[tuple[int, ...]]]:
        """(guard-set number of every point, the distinct guard sets): many points share one set."""
        return self.columns.guard_sets()

    @cached_property
    def _guards_by_kind(self) -> dict[str, frozenset[int]]:
        numbers: dict[str, list[int]] = {}
        for number, guard in enumerate(self.guards):
            numbers.setdefault(guard.kind, []).append(number)
        return {kind: frozenset(each) for kind, each in numbers.items()}

    def guards_of(self, *kinds: str) -> frozenset[int]:
        """The numbers of the guards of some kinds. Linear in the guards the first time."""
        by_kind = self._guards_by_kind
        found = [by_kind[kind] for kind in kinds if kind in by_kind]
        return found[0] if len(found) == 1 else frozenset().union(*found)

    @cached_property
    def holding(self) -> frozenset[int]:
        """The guards before which messages wait, by number."""
        return self.guards_of(*HOLDING)

    def open_points(self, closed: Closed) -> Bools | None:
        """Which points may be entered, or None if all may. Linear in the guard sets plus one
        gather over the points.
        """
        if not (closed.guards or closed.servers or closed.points):
            return None
        is_open: Bools = ~self._shut_sets(closed.guards)[self.guard_sets[0]]
        if closed.servers:
            down = np.zeros(len(self.servers), np.bool_)
            down[list(closed.servers)] = True
            is_open &= ~down[self.point_server]
        if closed.points:
            is_open[list(closed.points)] = False
        return is_open

    @cached_property
    def _guard_set_rows(self) -> tuple[Ints, Ints]:
        """The guard sets one after another, and the set each entry belongs to."""
        sets = self.guard_sets[1]
        values = np.fromiter((guard for guards in sets for guard in guards), np.int32)
        return values, np.repeat(
            np.arange(len(sets), dtype=np.int32), [len(guards) for guards in sets]
        )

    def _shut_sets(self, guards: frozenset[int]) -> Bools:
        """Which guard sets hold a closed guard. Nearly linear in the entries of the sets,
        without a Python step each.
        """
        values, owners = self._guard_set_rows
        closed = np.isin(values, np.fromiter(guards, np.int32, len(guards)))
        shut = np.zeros(len(self.guard_sets[1]), np.bool_)
        shut[owners[closed]] = True
        return shut

    def successors(self, point: int) -> Iterator[int]:
        """The points one forward away from ``point``, connectors expanded, guards not applied."""
        count = len(self.points)
        stack = [point]
        while stack:
            node = stack.pop()
            for end in self.ends[self.starts[node] : self.starts[node + 1]].tolist():
                if end < count:
                    yield end
                else:
                    stack.append(end)

    def forward(self, start: int, end: int) -> Forward:
        """The forward from point ``start`` to point ``end``, which must be one of its
        successors.
        """
        if self.forward_of is not None:
            return self.forward_of(start, end)
        return _into(self.points[start].key, start, end, self.points[end])

    def permission(self, start: int, end: int) -> Forward | Point:
        """What says with its rule, confidence, source, cost and guards why ``forward`` is
        permitted: the point entered, where that describes it, so that no key is written for it."""
        return self.points[end] if self.forward_of is None else self.forward_of(start, end)

    def forwards(self) -> Iterator[Forward]:
        """Every forward written out, by start. At most EXPLICIT_FORWARDS_LIMIT are meant to be
        asked for.
        """
        points = list(self.points)
        for start, point in enumerate(points):
            for end in sorted(self.successors(start)):
                yield (
                    self.forward_of(start, end)
                    if self.forward_of
                    else _into(point.key, start, end, points[end])
                )

    def plain_forwards(self, size: int) -> Iterator[PlainForwards]:
        """What ``forwards`` gives, as columns of at least ``size`` rows, the last one of fewer;
        only where ``forward_of`` is None. Without a step for each where there are no connectors.
        """
        if self.node_count == len(self.points):
            begins = np.repeat(np.arange(self.node_count, dtype=np.int32), np.diff(self.starts))
            order = np.lexsort((self.ends, begins))
            for at in range(0, max(1, len(order)), size):
                rows = order[at : at + size]
                yield PlainForwards(self.columns, begins[rows], self.ends[rows])
            return
        starts: list[int] = []
        counts: list[int] = []
        ends: list[int] = []
        for start in range(len(self.points)):
            found = sorted(self.successors(start))
            if found:
                starts.append(start)
                counts.append(len(found))
                ends += found
            if len(ends) >= size:
                yield self._plain(starts, counts, ends)
                starts, counts, ends = [], [], []
        yield self._plain(starts, counts, ends)

    def _plain(self, starts: list[int], counts: list[int], ends: list[int]) -> PlainForwards:
        start = np.repeat(np.array(starts, np.int32), counts)
        return PlainForwards(self.columns, start, np.array(ends, np.int32))


def _into(start_key: str, start: int, end: int, point: Point) -> Forward:
    """The forward described by the point it enters."""
    return Forward(
        key=f"{start_key}>{point.key}",
        start=start,
        end=end,
        guards=point.guards,
        rule=point.rule,
        confidence=point.confidence,
        source=point.source,
        cost=point.cost,
    )
