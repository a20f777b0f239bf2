"""Server-simple walks: walks that never return to a server they have visited (R16).

On a legal network every walk is server-simple and plain reachability is enough. On an illegal one a
walk can come back round a cycle; then the shortest walk to each point is looked at, and only where
it is not server-simple a bounded search decides (ems.md 6.2).

All functions work on an adjacency (point to successors) that either engine supplied, and on the
server of each point.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.records import record

Adjacency = Mapping[int, Sequence[int]]
Path = tuple[int, ...]

ServerOf = Sequence[int] | NDArray[np.int32]
"""The server number of every point. A list is read several times faster than an array."""


@dataclass
class SimpleWalks:
    """``found``: points that a server-simple walk from the start reaches, with the shortest
    such walk (points, start included; among equally short ones the one whose points come first
    by number). ``undecided``: points for which the budget did not suffice. ``unique``: no server
    was entered twice, so every walk is server-simple and the only one to its end."""

    found: dict[int, Path]
    undecided: set[int] = field(default_factory=set)
    unique: bool = False

    @property
    def paths(self) -> dict[int, Path]:
        """Every point that is reached: what is not here is not reached. Raises BudgetSpent where
        the budget left any open; then ``found`` and ``undecided`` have to be told apart."""
        if self.undecided:
            raise BudgetSpent
        return self.found


@dataclass
class ServerWalks:
    """``found``: servers that a server-simple walk reaches, with the shortest such walk
    (then first by point numbers), the server it begins at left out. ``undecided``: servers of
    which the budget left open whether one reaches them. ``longer``: servers with a path that may
    not be the shortest, for the same reason. ``unique`` as in ``SimpleWalks``."""

    found: Mapping[int, Path]
    undecided: set[int] = field(default_factory=set)
    longer: set[int] = field(default_factory=set)
    unique: bool = False

    @property
    def paths(self) -> Mapping[int, Path]:
        """Every server that is reached, each with its shortest walk. Raises BudgetSpent where the
        budget left any of that open."""
        if self.undecided or self.longer:
            raise BudgetSpent
        return self.found


def simple_walks(
    start: int, adjacency: Adjacency, server_of: ServerOf, budget: Budget
) -> SimpleWalks:
    """The server-simple walks from ``start`` to every point.

    Breadth-first over the adjacency; for each server with points whose shortest walk found is not
    server-simple once more without passing that server; then one bounded search for each point that
    is left. Linear where all shortest walks are simple; exponential in the worst case, cut by
    ``budget``. Raises BudgetSpent if that ends before the first of these.
    """
    search = _Walks((start,), adjacency, server_of, budget)
    before = search.breadth_first()
    result = SimpleWalks({start: (start,)})
    left_open: dict[int, list[int]] = {}
    for point in before:
        path = search.simple_path(point, before)
        if path is not None:
            result.found[point] = path
        else:
            left_open.setdefault(server_of[point], []).append(point)
    for server, points in left_open.items():
        try:
            around = search.breadth_first(to=server, until=set(points))
        except BudgetSpent:
            result.undecided.update(points)
            continue
        search.forget()
        for point in points:
            if point not in around:
                continue
            try:
                found = search.simple_path(point, around) or next(search.paths_to([point]), None)
            except BudgetSpent:
                result.undecided.add(point)
                continue
            if found is not None:
                result.found[point] = found
        search.forget()
    return result


def shortest_walks(
    path: Path,
    adjacency: Adjacency,
    server_of: ServerOf,
    wanted: Collection[int],
    points_of: Mapping[int, Sequence[int]],
    budget: Budget,
) -> ServerWalks:
    """The server-simple walks that begin with ``path`` to each of the servers ``wanted``, and to
    others met on the way.

    Breadth-first until all are found, then one bounded search for each server whose shortest walk
    found is not server-simple. ``points_of`` are the points of each server. Linear where they are;
    exponential in the worst case, cut by ``budget``; never raises.
    """
    search = _Walks(path, adjacency, server_of, budget)
    missing = set(wanted).difference(search.passed)
    paths: dict[int, Path] = {}
    result = ServerWalks(paths)
    before: dict[int, int] = {}
    first: dict[int, int] = {}
    try:
        for point in search.in_order(before):
            server = server_of[point]
            if server not in first:
                first[server] = point
                missing.discard(server)
                if not missing:
                    break
    except BudgetSpent:
        result.undecided = missing
    for server, point in first.items():
        walk = search.simple_path(point, before)
        if walk is not None:
            paths[server] = walk
            continue
        try:
            found = next(search.paths_to(points_of[server]), None)
        except BudgetSpent:
            known = next(
                (
                    one
                    for one in points_of[server]
                    if one in before and search.simple_path(one, before)
                ),
                None,
            )
            if known is None:
                result.undecided.add(server)
                continue
            result.longer.add(server)
            found = search.simple_path(known, before)
        if found is not None:
            paths[server] = found
    return result


class _Walks:
    """Walks over one adjacency that begin with a path, whose servers they do not enter again."""

    def __init__(
        self, path: Path, adjacency: Adjacency, server_of: ServerOf, budget: Budget
    ) -> None:
        self.path, self.adjacency, self.server_of, self.budget = path, adjacency, server_of, budget
        self.passed = frozenset(server_of[point] for point in path)
        self.forget()

    def forget(self) -> None:
        """Begin with another tree: ``simple_path`` keeps what it found of one."""
        self._simple: dict[int, tuple[Path, frozenset[int]] | None] = {
            self.path[-1]: (self.path, self.passed)
        }

    def in_order(self, before: dict[int, int], to: int | None = None) -> Iterator[int]:
        """Every point that a walk reaches, in breadth-first order, its predecessor on a shortest
        walk noted in ``before``. Points at server ``to`` are reached and not passed. Raises
        BudgetSpent."""
        adjacency, server_of, passed = self.adjacency, self.server_of, self.passed
        queue = deque(self.path[-1:])
        while queue:
            self.budget.check()
            point = queue.popleft()
            for end in adjacency[point]:
                if end not in before:
                    server = server_of[end]
                    if server in passed:
                        continue
                    before[end] = point
                    if server != to:
                        queue.append(end)
                    yield end

    def breadth_first(self, to: int | None = None, until: Collection[int] = ()) -> dict[int, int]:
        """Every point that a walk reaches with its predecessor, in breadth-first order; no more
        once all of ``until`` are among them.
        """
        before: dict[int, int] = {}
        missing = set(until)
        for point in self.in_order(before, to):
            if point in missing:
                missing.discard(point)
                if not missing:
                    break
        return before

    def simple_path(self, point: int, before: Mapping[int, int]) -> Path | None:
        """The walk of the tree ``before`` to a point, if it is server-simple."""
        chain = []
        while point not in self._simple:
            chain.append(point)
            point = before[point]
        for one in reversed(chain):
            known = self._simple[before[one]]
            server = self.server_of[one]
            self._simple[one] = (
                None
                if known is None or server in known[1]
                else ((*known[0], one), known[1] | {server})
            )
        found = self._simple[chain[0] if chain else point]
        return None if found is None else found[0]

    def paths_to(self, targets: Collection[int]) -> Iterator[Path]:
        """See ``simple_paths``."""
        return simple_paths(
            self.path, set(targets), self.adjacency, self._backward, self.server_of, self.budget
        )

    @cached_property
    def _backward(self) -> dict[int, list[int]]:
        """The forwards of all points that walks reach, turned round."""
        begin = self.path[-1]
        return reverse({point: self.adjacency[point] for point in (begin, *self.breadth_first())})


def reverse(adjacency: Adjacency) -> dict[int, list[int]]:
    """The adjacency with all forwards turned round."""
    turned: dict[int, list[int]] = {}
    for point, ends in adjacency.items():
        for end in ends:
            turned.setdefault(end, []).append(point)
    return turned


class _Node:
    """A way that a search has got to: the points that walks over one sequence of servers are at
    (several where links are parallel).
    """

    __slots__ = ("before", "length", "points", "visited")

    def __init__(
        self, points: Sequence[int], before: _Node | None, visited: frozenset[int]
    ) -> None:
        self.points, self.before, self.visited = points, before, visited
        self.length: int = 0 if before is None else before.length + 1


@record(slots=False)
class Links:
    """What tells walks apart where many of them are one path: ``link`` names the link of a
    forward, from point to point; of walks over the same links the one with the points of least
    ``weight`` together stands for all.
    """

    link: Callable[[int, int], Hashable]
    weight: Callable[[int], int]


def simple_paths(
    path: Path,
    targets: Collection[int],
    adjacency: Adjacency,
    backward: Adjacency,
    server_of: ServerOf,
    budget: Budget,
    rank: Sequence[int] | None = None,
    links: Links | None = None,
) -> Iterator[Path]:
    """All server-simple walks that begin with ``path`` and end in a target, shortest first, then by
    point numbers; with ``rank`` (the place of every server in an order) by the servers in that
    order first. ``targets`` are points of one server, which no walk passes before. With ``links``
    walks over the same servers and links are one.

    Iterative deepening; at every step the distance to the targets over unvisited servers bounds the
    search, so that no step is taken that cannot end in a target by reachability. Paths of the least
    length need no such look ahead: there the distance over all servers is enough. Raises
    BudgetSpent.
    """
    goal = next((server_of[target] for target in targets), None)
    visited = frozenset(server_of[point] for point in path)
    longest = len({server_of[point] for point in backward})
    anywhere = _distance(
        (), targets, backward, server_of, frozenset(), goal, backward.keys() | {path[-1]}
    )
    least = length = _distance(
        path[-1:], targets, backward, server_of, visited, goal, path[-1:]
    ).get(path[-1])
    while length is not None and length <= longest:
        next_length: int | None = None
        stack = [_Node(path[-1:], None, visited)]
        while stack:
            node = stack.pop()
            if node.length and server_of[node.points[0]] == goal:
                if node.length == length:
                    yield from _paths_of(node, adjacency, path[:-1], links)
                continue
            budget.spend()
            onward: dict[int, set[int]] = {}
            for point in node.points:
                for end in adjacency[point]:
                    if server_of[end] not in node.visited:
                        onward.setdefault(end if rank is None else rank[server_of[end]], set()).add(
                            end
                        )
            distance = anywhere
            if length != least:
                ends = {end for group in onward.values() for end in group}
                distance = _distance(
                    node.points, targets, backward, server_of, node.visited, goal, ends
                )
            for place in sorted(onward, reverse=True):
                group = sorted(end for end in onward[place] if end in distance)
                if not group:
                    continue
                total = node.length + 1 + min(distance[end] for end in group)
                if total <= length:
                    stack.append(_Node(group, node, node.visited | {server_of[group[0]]}))
                elif next_length is None or total < next_length:
                    next_length = total
        length = next_length


def _paths_of(
    node: _Node, adjacency: Adjacency, prefix: Path, links: Links | None
) -> Iterator[Path]:
    """The walks over the servers of a node, by point numbers: several where links are parallel."""
    levels: list[Sequence[int]] = []
    one: _Node | None = node
    while one is not None:
        levels.append(one.points)
        one = one.before
    levels.reverse()
    kept = [set(levels[-1])]
    for points in reversed(levels[:-1]):
        kept.append({point for point in points if not kept[-1].isdisjoint(adjacency[point])})
    kept.reverse()
    if links is not None:
        yield from ((*prefix, *walk) for walk in _by_links(kept, adjacency, links))
        return
    waiting: list[Path] = [(point,) for point in sorted(kept[0], reverse=True)]
    while waiting:
        walk = waiting.pop()
        if len(walk) == len(kept):
            yield (*prefix, *walk)
            continue
        ends = kept[len(walk)].intersection(adjacency[walk[-1]])
        waiting += [(*walk, end) for end in sorted(ends, reverse=True)]


def _by_links(kept: Sequence[set[int]], adjacency: Adjacency, links: Links) -> Iterator[Path]:
    """One walk over points ``kept``, a set for each server, for every sequence of links that
    walks take: all walks over the same links are followed together, as the points that they are
    at. O(forwards) for each sequence.
    """
    waiting: list[tuple[tuple[set[int], ...], tuple[Hashable, ...]]] = [((kept[0],), ())]
    while waiting:
        levels, taken = waiting.pop()
        if len(levels) == len(kept):
            yield _lightest(levels, taken, adjacency, links)
            continue
        over: dict[Hashable, set[int]] = {}
        for point in levels[-1]:
            for end in kept[len(levels)].intersection(adjacency[point]):
                over.setdefault(links.link(point, end), set()).add(end)
        waiting += [
            ((*levels, over[link]), (*taken, link))
            for link in sorted(over, key=lambda one: min(over[one]), reverse=True)
        ]


def _lightest(
    levels: Sequence[set[int]], taken: Sequence[Hashable], adjacency: Adjacency, links: Links
) -> Path:
    """Of the walks over some links the one whose points together weigh least, then by their
    numbers, the last ones first. O(forwards).
    """
    lightest = [{point: links.weight(point) for point in levels[0]}]
    befores: list[dict[int, list[int]]] = []
    for points, ends, link in zip(levels, levels[1:], taken, strict=False):
        before: dict[int, list[int]] = {}
        for point in sorted(points):
            for end in ends.intersection(adjacency[point]):
                if links.link(point, end) == link:
                    before.setdefault(end, []).append(point)
        weights = lightest[-1]
        lightest.append(
            {
                end: links.weight(end) + min(weights[point] for point in leading)
                for end, leading in before.items()
            }
        )
        befores.append(before)
    walk = [min(lightest[-1], key=lambda point: (lightest[-1][point], point))]
    for weights, before in zip(reversed(lightest[:-1]), reversed(befores), strict=True):
        walk.append(min(before[walk[-1]], key=weights.__getitem__))
    return tuple(reversed(walk))


def _distance(
    points: Sequence[int],
    targets: Collection[int],
    backward: Adjacency,
    server_of: ServerOf,
    visited: frozenset[int],
    goal: int | None,
    wanted: Collection[int],
) -> dict[int, int]:
    """Steps to the nearest target of every point that reaches one over servers not in
    ``visited`` (``points`` themselves are entered); no more once all of ``wanted`` have one."""
    distance = {target: 0 for target in targets if server_of[target] not in visited}
    missing = set(wanted).difference(distance)
    entered = set(points)
    queue = deque(distance)
    while queue and missing:
        here = queue.popleft()
        if here in entered:
            continue
        for before in backward.get(here, ()):
            if before not in distance:
                server = server_of[before]
                if before in entered or (server not in visited and server != goal):
                    distance[before] = distance[here] + 1
                    missing.discard(before)
                    queue.append(before)
    return distance
