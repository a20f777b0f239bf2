"""Server-simple walks: walks that never return to a server they have visited (R16).

On a legal network every walk is server-simple and plain reachability is enough. On an illegal one a walk can come back round a cycle;
then the shortest walk to each point is looked at, and only where it is not server-simple a bounded search decides (ems.md 6.2).

All functions work on an adjacency (point to successors) that either engine supplied, and on the server of each point.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Adjacency = Mapping[int, Sequence[int]]
Path = tuple[int, ...]

ServerOf = Sequence[int] | NDArray[np.int32]
"""The server number of every point."""

DEFAULT_BUDGET = 200_000
"""Search steps one question may take; each is one breadth-first search of what is left of the network."""


class BudgetSpent(Exception):
    """A search ended because its budget was spent."""


@dataclass
class Budget:
    """Steps left for the searches of one question."""

    left: int = DEFAULT_BUDGET

    def spend(self) -> None:
        """Take one step. Raises BudgetSpent when none is left."""
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1


@dataclass
class SimpleWalks:
    """``paths``: every point that a server-simple walk from the start reaches, with the shortest such walk (points, start included; among
    equally short ones the one whose points come first by number). ``undecided``: points for which the budget did not suffice.
    ``unique``: no server was entered twice, so every walk is server-simple and the only one to its end."""

    paths: dict[int, Path]
    undecided: set[int] = field(default_factory=set)
    unique: bool = False


def simple_walks(start: int, adjacency: Adjacency, server_of: ServerOf, budget: Budget) -> SimpleWalks:
    """The server-simple walks from ``start``.

    Breadth-first over the adjacency, then one bounded search for each point whose shortest walk found is not server-simple. Linear where all
    are; exponential in the worst case, cut by ``budget``.
    """
    parent = breadth_first(start, adjacency)
    paths: dict[int, Path] = {start: (start,)}
    servers: dict[int, frozenset[int]] = {start: frozenset({server_of[start]})}
    open_questions = []
    for point in parent:
        if point == start:
            continue
        before = parent[point]
        if before in servers and server_of[point] not in servers[before]:
            paths[point] = (*paths[before], point)
            servers[point] = servers[before] | {server_of[point]}
        elif server_of[point] != server_of[start]:
            open_questions.append(point)
    result = SimpleWalks(paths)
    if not open_questions:
        return result
    backward = reverse(adjacency)
    for point in open_questions:
        try:
            found = next(simple_paths(start, {point}, adjacency, backward, server_of, budget), None)
        except BudgetSpent:
            result.undecided.add(point)
            continue
        if found is not None:
            result.paths[point] = found
    return result


def breadth_first(start: int, adjacency: Adjacency) -> dict[int, int]:
    """Every reachable point with its predecessor on a shortest walk, in breadth-first order; the start is its own predecessor."""
    parent = {start: start}
    queue = deque([start])
    while queue:
        point = queue.popleft()
        for end in adjacency.get(point, ()):
            if end not in parent:
                parent[end] = point
                queue.append(end)
    return parent


def reverse(adjacency: Adjacency) -> dict[int, list[int]]:
    """The adjacency with all forwards turned round."""
    turned: dict[int, list[int]] = {}
    for point, ends in adjacency.items():
        for end in ends:
            turned.setdefault(end, []).append(point)
    return turned


def simple_paths(
    start: int,
    targets: set[int],
    adjacency: Adjacency,
    backward: Adjacency,
    server_of: ServerOf,
    budget: Budget,
) -> Iterator[Path]:
    """All server-simple walks from ``start`` that end in a target, shortest first, then by point numbers.

    Iterative deepening; at every step the distance to the targets over unvisited servers bounds the search, so that no step is taken that
    cannot end in a target by reachability. A walk ends at the first target it enters of that target's server. Raises BudgetSpent.
    """
    longest = len({server_of[point] for point in adjacency} | {server_of[point] for point in backward})
    length = _distance(start, targets, backward, server_of, frozenset()).get(start)
    while length is not None and length <= longest:
        next_length: int | None = None
        stack: list[tuple[Path, frozenset[int]]] = [((start,), frozenset({server_of[start]}))]
        while stack:
            path, visited = stack.pop()
            point, taken = path[-1], len(path) - 1
            if point in targets and taken:
                if taken == length:
                    yield path
                continue
            budget.spend()
            distance = _distance(point, targets, backward, server_of, visited)
            for end in sorted(adjacency.get(point, ()), reverse=True):
                left = distance.get(end)
                if left is None or server_of[end] in visited:
                    continue
                total = taken + 1 + left
                if total <= length:
                    stack.append(((*path, end), visited | {server_of[end]}))
                elif next_length is None or total < next_length:
                    next_length = total
        length = next_length


def _distance(
    point: int, targets: set[int], backward: Adjacency, server_of: ServerOf, visited: frozenset[int]
) -> dict[int, int]:
    """Steps to the nearest target of every point that reaches one over servers not in ``visited`` (``point`` itself is always entered)."""
    distance = {target: 0 for target in targets if server_of[target] not in visited or target == point}
    queue = deque(distance)
    while queue:
        here = queue.popleft()
        if here == point and distance[here]:
            continue
        for before in backward.get(here, ()):
            if before not in distance and (before == point or server_of[before] not in visited):
                distance[before] = distance[here] + 1
                queue.append(before)
    return distance
