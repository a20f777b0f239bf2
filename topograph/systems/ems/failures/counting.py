"""What every single failure separates, all at once: for a legal network, on which the part behind
an arrival does not depend on the publisher.

How many servers messages come from to an arrival, and how many lie behind it, are two passes over
the forwards for all arrivals (``Flow``); what a failure separates is a sum of products over the
arrivals that it breaks. Nothing is computed anew for a failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.flow import Counts, Flow
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph
from topograph.records import record
from topograph.systems.ems.failures.outcomes import interruption
from topograph.systems.ems.network.walks import is_arrival

TOGETHER = 64
"""Topics that are counted in one pass: bounds the memory."""


@record(slots=False)
class Traffic:
    """One topic, or all of which nothing is known: what is closed for it, the server numbers
    that it comes from and goes to, and the arrivals before which a static durable stores it
    (F8)."""

    shut: Closed
    publishers: Sequence[int]
    subscribers: Sequence[int]
    static: frozenset[int] = frozenset()


@record(slots=False)
class Separated:
    """By server, or by link: ordered pairs of living servers that lose each other; pairs of a
    publisher and a subscriber whose messages are missed, are stored, may come twice; ordered
    pairs that reach each other as things are and that a server is an end of."""

    lost: NDArray[np.int64]
    gaps: NDArray[np.int64]
    kept: NDArray[np.int64]
    duplicates: NDArray[np.int64]
    own: NDArray[np.int64]

    @classmethod
    def none(cls, number: int) -> Separated:
        """Nothing for so many servers or links."""
        lost, gaps, kept, duplicates, own = (np.zeros(number, np.int64) for _ in range(5))
        return cls(lost, gaps, kept, duplicates, own)


@record(slots=False)
class Sweeping:
    """Counts every single failure of a server and of a link. ``shut`` is closed whatever the
    topic is: links that are down, servers that are not loaded."""

    graph: ForwardingGraph
    flow: Flow
    shut: Closed

    def counted(self, traffic: Iterable[Traffic]) -> tuple[Separated, Separated]:
        """By server and by link. Linear in the forwards times the topics."""
        graph, columns = self.graph, self.graph.columns
        places = (columns.server[self._arrivals], columns.link[self._arrivals])
        found = Separated.none(len(graph.servers)), Separated.none(len(graph.links))
        before, behind = self._of_all
        coming, going = before[self._arrivals], behind[self._arrivals]
        np.add.at(found[0].lost, places[0], coming * np.maximum(going - 1, 0))
        np.add.at(found[1].lost, places[1], coming * going)
        found[0].own[:] = self.own
        for some in _in_lots(traffic):
            pairs = np.multiply(*(flow[self._arrivals] for flow in self._flows(some)))
            for column, one in enumerate(some):
                kept, twice = self._stored(one.static)
                for counts, where in zip(found, places, strict=True):
                    np.add.at(counts.gaps, where, np.where(kept, 0, pairs[:, column]))
                    np.add.at(counts.kept, where, np.where(kept, pairs[:, column], 0))
                    np.add.at(counts.duplicates, where, np.where(twice, pairs[:, column], 0))
        return found

    @cached_property
    def reached(self) -> int:
        """The ordered pairs of loaded servers of which the first reaches the second as things
        are. Linear in the forwards.
        """
        return int(self._of_all[1][: len(self.graph.servers)].sum())

    @cached_property
    def own(self) -> NDArray[np.int64]:
        """By server, such pairs that it is an end of. Linear in the forwards."""
        before, behind = self._of_all
        own = behind[: len(self.graph.servers)].copy()
        np.add.at(own, self.graph.columns.server[self._arrivals], before[self._arrivals])
        return own

    @cached_property
    def _of_all(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Per point the loaded servers that its messages come from, and those at it or behind
        it; at an origin only those behind it.
        """
        number = len(self.graph.servers)
        loaded = [one for one in range(number) if one not in self.shut.servers]
        before, behind = self._flows([Traffic(self.shut, loaded, loaded)])
        return before[:, 0], behind[:, 0]

    @cached_property
    def _arrivals(self) -> NDArray[np.int64]:
        return np.flatnonzero(is_arrival(self.graph))

    def _flows(self, some: Sequence[Traffic]) -> tuple[Counts, Counts]:
        """Per point and topic how many publishers its messages come from, and how many
        subscribers are at it and behind it.
        """
        graph, points = self.graph, len(self.graph.points)
        is_open = np.ones((points, len(some)), np.bool_)
        coming, going = (
            np.zeros((points, len(some)), np.int64),
            np.zeros((points, len(some)), np.int64),
        )
        for column, one in enumerate(some):
            openness = graph.open_points(one.shut)
            if openness is not None:
                is_open[:, column] = openness
            coming[list(one.publishers), column] = 1
            wanting = np.zeros(len(graph.servers), np.int64)
            wanting[list(one.subscribers)] = 1
            going[self._arrivals, column] = wanting[graph.point_server[self._arrivals]]
        return self.flow.before(coming, is_open), self.flow.behind(going, is_open)

    def _stored(self, static: frozenset[int]) -> tuple[Bools, Bools]:
        """Per arrival whether what cannot enter it is stored before it, and whether some may
        come twice (R120).
        """
        kept, twice = self._by_route
        if static:
            kept, twice = kept.copy(), twice.copy()
            for place in np.flatnonzero(np.isin(self._arrivals, list(static))).tolist():
                kept[place], twice[place] = self._said(int(self._arrivals[place]), static=True)
        return kept, twice

    @cached_property
    def _by_route(self) -> tuple[Bools, Bools]:
        said = [self._said(point, static=False) for point in self._arrivals.tolist()]
        return np.array([kept for kept, _ in said], np.bool_), np.array(
            [twice for _, twice in said], np.bool_
        )

    def _said(self, point: int, *, static: bool) -> tuple[bool, bool]:
        columns, servers = self.graph.columns, self.graph.servers
        ends = servers[int(columns.previous[point])].name, servers[int(columns.server[point])].name
        said = interruption(*ends, columns.configured_by[point], server=True, static=static)
        return said.kept, said.duplicates


def _in_lots(traffic: Iterable[Traffic]) -> Iterator[list[Traffic]]:
    waiting = iter(traffic)
    while some := list(islice(waiting, TOGETHER)):
        yield some
