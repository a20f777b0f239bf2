"""Route computation: least-cost trees and valid origins (rules T-4 to T-8).

A link is (router, router, effective cost); links carry traffic both ways. Of several links between
two routers the cheapest counts here; that such a network is unstable (T-11) is noted where links
are discovered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush

from topograph.records import record

Adjacency = Mapping[str, Mapping[str, int]]


@record
class LeastCostRoute:
    """How a router reaches a destination: the sum of link costs (T-7), the neighbour it hands
    messages to (T-5), all routers from first to last, and the origins whose own tree path to the
    destination passes this router (T-8), by id."""

    cost: int
    next_hop: str
    path: tuple[str, ...]
    valid_origins: tuple[str, ...]


@record
class RouteTable:
    """All routes of one router by destination id, reachable ones only; ``radius`` is the largest
    number of hops of any (M-4).
    """

    routes: Mapping[str, LeastCostRoute]
    radius: int


@record(slots=False)
class LeastCostTree:
    """The least-cost tree of one router: per reachable other router its cost, hops and
    predecessor, in order of (cost, id).
    """

    root: str
    cost: Mapping[str, int]
    hops: Mapping[str, int]
    before: Mapping[str, str]

    @cached_property
    def next_hop(self) -> Mapping[str, str]:
        """The first router on the way to every destination. Linear: predecessors come first in
        ``before``.
        """
        first: dict[str, str] = {}
        for router, before in self.before.items():
            first[router] = router if before == self.root else first[before]
        return first

    def path(self, destination: str) -> tuple[str, ...]:
        """The routers from the root to a reachable destination, both included."""
        path = [destination]
        while path[-1] != self.root:
            path.append(self.before[path[-1]])
        return tuple(reversed(path))


def adjacency(links: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """Neighbours and costs of every router; links of a router to itself are left out."""
    neighbours: dict[str, dict[str, int]] = {}
    for a, b, cost in links:
        if a == b:
            continue
        for here, there in ((a, b), (b, a)):
            known = neighbours.setdefault(here, {})
            known[there] = min(cost, known.get(there, cost))
    return neighbours


def tree(neighbours: Adjacency, root: str) -> LeastCostTree:
    """The tree of ``root`` (T-4): routers are settled in order of (cost, id), ids compared as
    strings, and a predecessor is replaced only by a strictly smaller cost. O(links log links)."""
    cost, hops, before = {root: 0}, {root: 0}, {}
    settled: dict[str, None] = {}
    waiting = [(0, root)]
    while waiting:
        so_far, here = heappop(waiting)
        if here in settled:
            continue
        settled[here] = None
        for there, step in neighbours.get(here, {}).items():
            if there not in settled and (there not in cost or so_far + step < cost[there]):
                cost[there], hops[there], before[there] = so_far + step, hops[here] + 1, here
                heappush(waiting, (cost[there], there))
    others = [router for router in settled if router != root]
    return LeastCostTree(
        root,
        {router: cost[router] for router in others},
        {router: hops[router] for router in others},
        {router: before[router] for router in others},
    )


def equal_paths(
    neighbours: Adjacency, start: str, end: str, maximum: int
) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """The number of least-cost paths between two routers, and the first ``maximum`` of them by
    router ids; no router has more than one of them in use (T-4). Linear in the links beside the
    tree, and in the paths listed."""
    to_end = tree(neighbours, end)
    far = {end: 0, **to_end.cost}
    if start not in far:
        return 0, ()
    onward = {
        here: sorted(
            there
            for there, cost in neighbours.get(here, {}).items()
            if far.get(there, far[here]) + cost == far[here]
        )
        for here in far
    }
    number = {end: 1}
    for here in to_end.cost:  # nearest first: costs are at least 1
        number[here] = sum(number[there] for there in onward[here])
    found: list[tuple[str, ...]] = []
    waiting: list[tuple[str, ...]] = [(start,)]
    while waiting and len(found) < maximum:
        path = waiting.pop()
        if path[-1] == end:
            found.append(path)
        waiting += ((*path, there) for there in reversed(onward[path[-1]]))
    return number[start], tuple(found)


def all_trees(links: Iterable[tuple[str, str, int]]) -> dict[str, LeastCostTree]:
    """The tree of every router that has a link. O(routers * links log links): 0.1 s for 128
    routers.
    """
    neighbours = adjacency(links)
    return {router: tree(neighbours, router) for router in sorted(neighbours)}


def valid_origins(trees: Mapping[str, LeastCostTree], at: str) -> dict[str, tuple[str, ...]]:
    """For every destination the origins whose tree path to it passes ``at`` (T-8), by id.
    O(routers squared).
    """
    origins: dict[str, list[str]] = {router: [] for router in trees if router != at}
    for origin in sorted(origins):
        below = {at}
        for router, before in trees[origin].before.items():
            if before in below:
                below.add(router)
                origins[router].append(origin)
    return {router: tuple(found) for router, found in origins.items()}


def compute_routes(links: Iterable[tuple[str, str, int]], at: str) -> RouteTable:
    """The route table of router ``at`` (T-4, T-5, T-7, T-8) and its radius; empty for a router
    without links.
    """
    trees = all_trees(links)
    own = trees.get(at)
    if own is None:
        return RouteTable({}, 0)
    origins = valid_origins(trees, at)
    routes = {
        router: LeastCostRoute(
            own.cost[router], own.next_hop[router], own.path(router), origins[router]
        )
        for router in sorted(own.cost)
    }
    return RouteTable(routes, max(own.hops.values(), default=0))
