"""Which publishers a failure separates from which subscribers, and at which link messages between
them then end (R121).

On a legal network the path of a pair is unique and nothing goes round what failed: each link that
breaks separates those from whom messages come to it from those to whom they go on. On an illegal
one another path may be left, so that the paths of each pair are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.records import record
from topograph.systems.ems.network.walks import shortest_from


@record(slots=False)
class Broken:
    """What fails: server numbers, and rows of the links table. ``arrivals`` are those that
    nothing enters because a route is suspended (R53).
    """

    servers: frozenset[int] = frozenset()
    links: frozenset[int] = frozenset()
    arrivals: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    """Links, of ``links`` too, that the other member of a fault-tolerant pair does not have
    (R7).
    """


@record(slots=False)
class Cut:
    """The pairs whose messages end before arrival ``point``: of server numbers. ``all_pairs``:
    each publisher with each subscriber.
    """

    point: int
    publishers: frozenset[int]
    subscribers: frozenset[int]
    some: frozenset[tuple[int, int]] | None = None

    @property
    def count(self) -> int:
        """The number of pairs."""
        return len(self.publishers) * len(self.subscribers) if self.some is None else len(self.some)

    def groups(self) -> Iterator[tuple[Collection[int], Collection[int]]]:
        """Publishers that lose the same subscribers, with these."""
        if self.some is None:
            yield self.publishers, self.subscribers
            return
        found: dict[int, list[int]] = defaultdict(list)
        for here, there in self.some:
            found[here].append(there)
        yield from (((here,), there) for here, there in found.items())


def broken_points(graph: ForwardingGraph, shut: Closed, broken: Broken) -> list[int]:
    """The arrivals that are open as things are and that no message of a living server enters any
    more. Linear in the arrivals.
    """
    columns = graph.columns
    failed = np.zeros(len(graph.servers) + 1, np.bool_)
    failed[list(broken.servers)] = True
    cut = failed[columns.server] | np.isin(columns.link, list(broken.links))
    cut[list(broken.arrivals)] = True
    cut &= (columns.previous >= 0) & ~failed[columns.previous]
    is_open = graph.open_points(shut)
    if is_open is not None:
        cut &= is_open
    found: list[int] = np.flatnonzero(cut).tolist()
    return found


def cuts(
    graph: ForwardingGraph,
    walker: Walker,
    shut: Closed,
    broken: Broken,
    ends: tuple[Collection[int], Collection[int]],
    budget: Budget,
    *,
    unique: bool,
) -> list[Cut]:
    """The cuts between the publishers and the subscribers (``ends``, server numbers; what failed
    publishes nothing), under what is ``shut`` as things are. Those without a pair are left out.
    Two walks for each link that breaks where paths are ``unique``, else two for each publisher
    and a search. Raises BudgetSpent."""
    publishers, subscribers = frozenset(ends[0]) - broken.servers, frozenset(ends[1])
    points = broken_points(graph, shut, broken) if publishers and subscribers else []
    if not points:
        return []
    made = _unique(graph, walker, shut, broken, points, budget) if unique else None
    if made is not None:
        found = [
            Cut(point, before & publishers, behind & subscribers) for point, before, behind in made
        ]
    else:
        found = _compared(graph, walker, shut, broken, (publishers, subscribers), budget)
    return [cut for cut in found if cut.count]


def _unique(
    graph: ForwardingGraph,
    walker: Walker,
    shut: Closed,
    broken: Broken,
    points: list[int],
    budget: Budget,
) -> Iterator[tuple[int, frozenset[int], frozenset[int]]]:
    """Per broken arrival the servers whose messages come there first of all that is broken, and
    those behind it.
    """
    failed = points_of(graph, broken)
    origins = len(graph.servers)
    for point in points:
        budget.spend()
        behind = walker.walk([point], shut)
        back = walker.walk_back(
            [point], Closed(shut.guards, shut.servers, shut.points | (failed - {point}))
        )
        before = frozenset(back.points[back.points < origins].tolist())
        yield point, before, frozenset(graph.point_server[behind.points].tolist())


def _compared(
    graph: ForwardingGraph,
    walker: Walker,
    shut: Closed,
    broken: Broken,
    ends: tuple[frozenset[int], frozenset[int]],
    budget: Budget,
) -> list[Cut]:
    """The same by looking at each publisher before and after."""
    publishers, subscribers = ends
    failed = points_of(graph, broken)
    after = Closed(shut.guards, shut.servers, shut.points | failed)
    separated: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for start in sorted(publishers - shut.servers):
        budget.spend()
        was = shortest_from(graph, walker, start, shut, budget).paths
        now = shortest_from(graph, walker, start, after, budget).paths
        for end in sorted(subscribers & was.keys() - now.keys()):
            point = next(point for point in was[end] if point in failed)
            separated[point].add((start, end))
    return [
        Cut(point, frozenset(a for a, _ in pairs), frozenset(b for _, b in pairs), frozenset(pairs))
        for point, pairs in sorted(separated.items())
    ]


def points_of(graph: ForwardingGraph, broken: Broken) -> frozenset[int]:
    """The points that are gone while the failure lasts."""
    columns = graph.columns
    gone = np.isin(columns.server, list(broken.servers)) | np.isin(columns.link, list(broken.links))
    gone[list(broken.arrivals)] = True
    return frozenset(np.flatnonzero(gone).tolist())
