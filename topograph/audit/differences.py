"""Who reaches whom before and after, over how many hops: two graphs of one network compared row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.questions.audit_answers import HopsChanged, HopsMoved, Pair, ReachChanged
from topograph.systems import paths_of, system_of

LISTED = 10_000
"""Pairs that each list of an answer names; the others are counted."""


NOT_REACHED = -1
"""What a row holds where a server is not certainly reached; below it, where that is not decided."""


@dataclass
class _Pairs:
    """Pairs, of which so many are kept and all are counted."""

    kept: list[Any] = field(default_factory=list)
    count: int = 0

    def add(self, start: str, ends: Sequence[Any]) -> None:
        """Add pairs of one first server."""
        self.count += len(ends)
        self.kept += [(start, end) for end in ends[: max(0, LISTED - len(self.kept))]]


@dataclass
class Compared:
    """What comparing gave; ``complete`` is False where the budget ended first."""

    reach: ReachChanged
    hops: HopsChanged
    complete: bool = True


def compared(before: ForwardingGraph, after: ForwardingGraph, budget: Budget) -> Compared:
    """All ordered pairs of servers before and after. A walk a server and graph, shared as in ``forwarding.all_pairs``; memory of a row.

    A pair that is lost could still be joined by routes that no file shows, through servers that are not loaded. Without a new link such a path would
    have been a second one before (R20): only where links come is that left open."""
    names = sorted({server.name for graph in (before, after) for server in graph.servers})
    gained, lost, open_, longer, shorter = (_Pairs() for _ in range(5))
    doubt = None if _links(after) <= _links(before) else _Doubt(after)
    complete = True
    try:
        for number, (was, now) in enumerate(
            zip(_rows(before, names, budget), _rows(after, names, budget), strict=True)
        ):
            start = names[number]
            was[number] = now[number] = 0  # a server reaches itself, also before it comes and after it goes
            for found, changed in ((gained, (was < 0) & (now >= 0)), (lost, (was >= 0) & (now < 0))):
                for end in np.flatnonzero(changed).tolist():
                    uncertain = found is lost and doubt is not None and doubt.open(start, names[end])
                    not_decided = min(was[end], now[end]) < NOT_REACHED
                    (open_ if uncertain or not_decided else found).add(start, [names[end]])
            for moved, changed in ((longer, (was >= 0) & (now > was)), (shorter, (now >= 0) & (now < was))):
                moved.add(
                    start, [(names[end], int(was[end]), int(now[end])) for end in np.flatnonzero(changed).tolist()]
                )
    except BudgetSpent:
        complete = False
    return Compared(
        ReachChanged(tuple(gained.kept), tuple(lost.kept), tuple(open_.kept), gained.count, lost.count, open_.count),
        HopsChanged(_moved(longer), _moved(shorter), longer.count, shorter.count),
        complete,
    )


def lost_pairs(before: ForwardingGraph, after: ForwardingGraph, budget: Budget) -> tuple[tuple[Pair, ...], int]:
    """The ordered pairs that the one graph connects and the other does not: some of them, and how many."""
    found = compared(before, after, budget).reach
    return found.lost, found.lost_count


def _moved(pairs: _Pairs) -> tuple[HopsMoved, ...]:
    return tuple(HopsMoved(start, end, was, now) for start, (end, was, now) in pairs.kept)


def _rows(graph: ForwardingGraph, names: Sequence[str], budget: Budget) -> Iterator[NDArray[Any]]:
    """The hops from each of ``names`` to each of them: negative where not reached, -2 where that is not decided."""
    places = np.array([graph.server_number.get(name, -1) for name in names])
    there = places >= 0
    nothing = np.full(len(names), -1, np.int64)
    rows = paths_of(graph).hop_rows(graph, MemoryEngine(graph, budget), budget)
    for place in places.tolist():
        if place < 0:
            yield nothing
            continue
        row = nothing.copy()
        row[there] = next(rows)[places[there]]
        yield row


def _links(graph: ForwardingGraph) -> set[frozenset[str]]:
    names = [server.name for server in graph.servers]
    return {frozenset((names[link.a], names[link.b])) for link in graph.links}


class _Doubt:
    """What the loaded files leave open of one graph."""

    def __init__(self, graph: ForwardingGraph) -> None:
        self.graph = graph
        names = system_of(graph).names
        self.unknowns = None if names is None else names().unknowns(graph, MemoryEngine(graph), Closed())

    def open(self, start: str, end: str) -> bool:
        """Whether "not reached" is not certain of two servers, or one of them is not loaded."""
        numbers = [self.graph.server_number.get(name, -1) for name in (start, end)]
        if self.unknowns is None or not self.unknowns.open_ended or min(numbers) < 0:
            return False
        if not all(self.graph.servers[number].loaded for number in numbers):
            return True
        return self.unknowns.unreached(*numbers) is not None
