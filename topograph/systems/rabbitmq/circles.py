"""The nodes of a directed graph that lie on a circle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def circles(nodes: Iterable[Node], onward: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """Every node from which a way leads back to it. Linear in the nodes and edges."""
    return [node for part in components(nodes, onward) for node in part]


def components(
    nodes: Iterable[Node], onward: Callable[[Node], Iterable[Node]]
) -> Iterator[list[Node]]:
    """The parts of which each node leads back to itself, and to all others of its part. Linear in
    the nodes and edges (Tarjan's strongly connected components, without recursion)."""
    numbers: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    within: set[Node] = set()
    to_itself: set[Node] = set()
    for start in nodes:
        if start in numbers:
            continue
        work: list[tuple[Node, Iterator[Node]]] = []
        _begin(start, onward, numbers, low, stack, within, work)
        while work:
            node, rest = work[-1]
            for one in rest:
                if one == node:
                    to_itself.add(node)
                if one not in numbers:
                    _begin(one, onward, numbers, low, stack, within, work)
                    break
                if one in within:
                    low[node] = min(low[node], numbers[one])
            else:
                work.pop()
                if work:
                    before = work[-1][0]
                    low[before] = min(low[before], low[node])
                if low[node] == numbers[node]:
                    part: list[Node] = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        within.discard(part[-1])
                    if len(part) > 1 or node in to_itself:
                        yield part


def _begin(
    node: Node,
    onward: Callable[[Node], Iterable[Node]],
    numbers: dict[Node, int],
    low: dict[Node, int],
    stack: list[Node],
    within: set[Node],
    work: list[tuple[Node, Iterator[Node]]],
) -> None:
    numbers[node] = low[node] = len(numbers)
    stack.append(node)
    within.add(node)
    work.append((node, iter(onward(node))))
