"""The Neo4j engine: the walks as Cypher, in read-only sessions, for one published snapshot.

The answers are those of the memory engine, by contract. The database holds a graph's points under
their numbers, so numbers go in and come out; which guards are closed goes in as a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from topograph.engines import Ran
from topograph.errors import SnapshotNotPublished
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph, Walk
from topograph.store.database import Database, check_published, find_snapshot, rows

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

T = TypeVar("T")

SINGLE_WALKS = 3
"""From so many starts or fewer, one statement a start is faster than one statement a level
(equal at four on 10,000 servers).
"""


AHEAD_SERVERS = 2_000
"""Servers up to which a walk from each of them is made in the database (3 s at 1,000 servers);
above, memory answers.
"""

AHEAD_STARTS = 100
"""Starts of one statement: fewer cost round trips, more only memory."""


class Neo4jEngine:
    """Walks one graph of one network of a published snapshot. Raises SnapshotNotPublished where the
    database does not hold it.

    Every answer is of one publishing run, whose nodes never change, and whose mark is looked at
    after the last statement.
    """

    name = "neo4j"

    def __init__(
        self, database: Database, snapshot_id: str, network: str, graph: ForwardingGraph
    ) -> None:
        held = find_snapshot(database, snapshot_id)
        if network not in held.networks:
            raise SnapshotNotPublished(
                f"The network {network} of the snapshot {snapshot_id} is not published."
            )
        self._database = database
        self._graph = graph
        self._held = held
        self._prefix = f"{network}/{graph.system}/"
        self._ran: dict[str, Ran] = {}
        self.budget: Budget | None = None

    def ran(self) -> Sequence[Ran]:
        """See ``Engine.ran``."""
        return tuple(self._ran.values())

    def _rows(
        self, transaction: ManagedTransaction, statement: str, **parameters: Any
    ) -> list[dict[str, Any]]:
        return rows(transaction, statement, **self._noted(statement, **parameters))

    def _noted(self, statement: str, **parameters: Any) -> dict[str, Any]:
        """The parameters of a statement that is about to run, for ``ran``."""
        known = self._ran.get(statement)
        self._ran[statement] = Ran(
            statement, known.parameters if known else parameters, known.times + 1 if known else 1
        )
        return parameters

    def walk(self, starts: Sequence[int], closed: Closed) -> Walk:
        """See ``Engine.walk``. A statement a start, or a statement a level where there are many
        starts.
        """
        return _ordered(self._hops("walk", "step", {int(start) for start in starts}, closed))

    def walk_back(self, targets: Sequence[int], closed: Closed) -> Walk:
        """See ``Engine.walk_back``. Guards are on the forwards into a point, so those of the
        last points back are applied here.
        """
        is_open = self._graph.open_points(closed)
        wanted = {int(target) for target in targets}
        entered = wanted if is_open is None else {target for target in wanted if is_open[target]}
        hops = self._hops("walk_back", "step_back", entered, closed)
        if is_open is not None:
            hops = {point: count for point, count in hops.items() if is_open[point]}
        return _ordered(hops | dict.fromkeys(wanted, 0))

    def adjacency(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """See ``Engine.adjacency``. One statement."""

        def work(transaction: ManagedTransaction) -> list[dict[str, Any]]:
            return self._checked(
                transaction,
                lambda: self._rows(
                    transaction,
                    "adjacency",
                    frontier=self._keys(points),
                    among=sorted({int(point) for point in points}),
                    **self._parameters(closed),
                ),
            )

        found = {row["n"]: row["successors"] for row in self._reading(work)}
        return {point: found.get(point, []) for point in points}

    def onward(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """See ``Engine.onward``. One statement."""
        return self.adjacency(points, closed)

    def _reading(self, work: Callable[[ManagedTransaction], T]) -> T:
        """One transaction, which the server ends when the budget of the question does."""
        return self._database.reading(work, self.budget)

    def ahead(self, starts: Sequence[int], closed: Closed) -> WalksAhead | None:
        """See ``Engine.ahead``. A statement for each AHEAD_STARTS starts; None above
        AHEAD_SERVERS servers.
        """
        return (
            WalksAhead(self, starts, closed) if len(self._graph.servers) <= AHEAD_SERVERS else None
        )

    def walks(self, starts: Sequence[int], closed: Closed) -> dict[int, Walk]:
        """The walk from each of ``starts`` alone. One statement."""

        def work(transaction: ManagedTransaction) -> list[dict[str, Any]]:
            keys = self._keys(starts)
            return self._checked(
                transaction,
                lambda: self._rows(transaction, "walks", starts=keys, **self._parameters(closed)),
            )

        hops: dict[int, dict[int, int]] = {start: {} for start in starts}
        for row in self._reading(work):
            hops[row["start"]].update(dict.fromkeys(row["points"], row["hops"]))
        return {start: _ordered(found | {start: 0}) for start, found in hops.items()}

    def all_adjacency(self, closed: Closed) -> Mapping[int, Sequence[int]]:
        """The open forwards between all points."""
        return self.adjacency(range(len(self._graph.points)), closed)

    def _hops(self, single: str, level: str, starts: set[int], closed: Closed) -> dict[int, int]:
        """The least hops to every point from any start; starts have 0."""
        parameters = self._parameters(closed)
        if len(starts) <= SINGLE_WALKS:
            return self._one_by_one(single, starts, parameters)
        return self._reading(
            lambda transaction: self._checked(
                transaction, lambda: self._level_by_level(transaction, level, starts, parameters)
            )
        )

    def _one_by_one(
        self, statement: str, starts: set[int], parameters: dict[str, Any]
    ) -> dict[int, int]:
        """A statement a start, each alone; each also reads the snapshot's mark, last."""
        hops: dict[int, int] = {}
        published = False
        for key in self._keys(starts):
            own: dict[int, int] = {}
            published = False
            said = self._noted(statement, start=key, **parameters)
            for row in self._database.read_once(statement, self.budget, **said):
                own.update(dict.fromkeys(row["points"], row["hops"]))
                published = row["published"]
            if hops:
                own.update(
                    (point, count)
                    for point, count in hops.items()
                    if count < own.get(point, count + 1)
                )
            hops = own
        if not published:  # or nothing was reached last, so that no row could say it
            self._reading(
                lambda transaction: check_published(transaction, self._held.publish, self._held.id)
            )
        hops.update(dict.fromkeys(starts, 0))
        return hops

    def _level_by_level(
        self,
        transaction: ManagedTransaction,
        statement: str,
        starts: set[int],
        parameters: dict[str, Any],
    ) -> dict[int, int]:
        hops = dict.fromkeys(starts, 0)
        frontier: Iterable[int] = starts
        count = 0
        while frontier:
            count += 1
            found = self._rows(transaction, statement, frontier=self._keys(frontier), **parameters)[
                0
            ]["points"]
            frontier = [point for point in found if point not in hops]
            hops.update(dict.fromkeys(frontier, count))
        return hops

    def _checked(self, transaction: ManagedTransaction, work: Callable[[], T]) -> T:
        """What ``work`` reads. The mark was there when the engine was made and, once gone, never
        comes back: where it is there afterwards, it was there all the time."""
        answer = work()
        check_published(transaction, self._held.publish, self._held.id)
        return answer

    def _keys(self, points: Iterable[int]) -> list[str]:
        return [f"{self._prefix}{point}" for point in points]

    def _parameters(self, closed: Closed) -> dict[str, Any]:
        """What is closed, as every statement takes it: the closed guards, or those that hold if
        they are fewer.
        """
        count = len(self._graph.guards)
        holding = 2 * len(closed.guards) > count
        guards = (
            sorted(set(range(count)) - closed.guards)
            if holding
            else [int(guard) for guard in sorted(closed.guards)]
        )
        return {
            "publish": self._held.publish,
            "guards": guards,
            "holding": holding,
            "servers": [int(server) for server in sorted(closed.servers)],
            "points": [int(point) for point in sorted(closed.points)],
        }


class WalksAhead:
    """Walks from known starts under one ``Closed``, fetched many at a time as the first of them
    is asked for; other walks are the engine's.
    """

    def __init__(self, engine: Neo4jEngine, starts: Sequence[int], closed: Closed) -> None:
        self._engine, self._closed = engine, closed
        self._starts = [int(start) for start in starts]
        self._place = {start: place for place, start in enumerate(self._starts)}
        self._found: dict[int, Walk] = {}
        self._adjacency: Mapping[int, Sequence[int]] | None = None

    def walk(self, starts: Sequence[int], closed: Closed) -> Walk:
        """See ``Walker.walk``. A walk that was fetched ahead is given once."""
        place = (
            self._place.get(int(starts[0])) if len(starts) == 1 and closed == self._closed else None
        )
        if place is None:
            return self._engine.walk(starts, closed)
        start = self._starts[place]
        if start not in self._found:
            self._found = self._engine.walks(self._starts[place : place + AHEAD_STARTS], closed)
        return self._found.pop(start)

    def walk_back(self, targets: Sequence[int], closed: Closed) -> Walk:
        """See ``Walker.walk_back``."""
        return self._engine.walk_back(targets, closed)

    def adjacency(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """See ``Walker.adjacency``. That of all points is fetched once."""
        if closed != self._closed:
            return self._engine.adjacency(points, closed)
        wanted, onward = set(points), self.onward(points, closed)
        return {point: [end for end in onward[point] if end in wanted] for point in points}

    def onward(self, points: Sequence[int], closed: Closed) -> Mapping[int, Sequence[int]]:
        """See ``Walker.onward``. The forwards of all points are fetched once."""
        if closed != self._closed:
            return self._engine.onward(points, closed)
        if self._adjacency is None:
            self._adjacency = self._engine.all_adjacency(closed)
        return self._adjacency

    def ahead(self, starts: Sequence[int], closed: Closed) -> WalksAhead | None:
        """See ``Walker.ahead``."""
        return self._engine.ahead(starts, closed)


def _ordered(hops: Mapping[int, int]) -> Walk:
    points = np.fromiter(hops.keys(), np.int32, len(hops))
    counts = np.fromiter(hops.values(), np.int32, len(hops))
    order = np.lexsort((points, counts))
    return Walk(points[order], counts[order])
