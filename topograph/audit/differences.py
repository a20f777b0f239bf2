"""Who reaches whom before and after, over how many hops: two graphs of one network compared row
by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.components import joined_systems
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph
from topograph.forwarding.labels import server_labels
from topograph.forwarding.row_differences import Difference, RowDifferences
from topograph.questions.answers.audit import HopsChanged, HopsMoved, Pair, ReachChanged
from topograph.systems import paths_of, system_of
from topograph.systems.contract.names import Names
from topograph.systems.contract.system import Altering

LISTED = 10_000
"""Pairs that each list of an answer names; the others are counted."""


@dataclass
class _Pairs:
    """Pairs, of which so many are kept and all are counted."""

    kept: list[tuple[int, ...]] = field(default_factory=list)
    count: int = 0

    def add(self, start: int, ends: NDArray[np.integer], *values: NDArray[np.integer]) -> None:
        """Add pairs of one first server, each with its entry of some values."""
        self.count += len(ends)
        room = LISTED - len(self.kept)
        if room > 0 and len(ends):
            columns = [one[:room].tolist() for one in (ends, *values)]
            self.kept += [(start, *rest) for rest in zip(*columns, strict=True)]


@dataclass
class Compared:
    """What comparing gave; ``complete`` is False where the budget ended first."""

    reach: ReachChanged
    hops: HopsChanged
    complete: bool = True


def compared(before: ForwardingGraph, after: ForwardingGraph, budget: Budget) -> Compared:
    """All ordered pairs of servers before and after. Only rows of hops that differ are made where
    the system can tell them apart (``Altering``), else two a server; a step only for each pair that
    is listed.

    A pair that is lost could still be joined by routes that no file shows, through servers that
    are not loaded. In a network that was legal, and without a new link or zone, such a path would
    have been a second one before (R20): elsewhere, and where a server that was loaded is no
    longer, that is left open. Where no rule is
    against a second path, it is always. The last comparison of a graph is kept with it: after the
    last command of a script the same two are asked for once more."""
    other, known = before.kept.get(_KEPT, (None, None))
    if known is not None and other() is after:
        found: Compared = known
        return found
    found = _compared(before, after, budget)
    if found.complete:
        before.kept[_KEPT] = ref(after), found
    return found


_KEPT = "audit.compared"


def _compared(before: ForwardingGraph, after: ForwardingGraph, budget: Budget) -> Compared:
    called = server_labels((before, after))
    names = sorted({name for own in called for name in own})
    gained, lost, open_, longer, shorter = (_Pairs() for _ in range(5))
    doubt: _Doubt | _Unreached | None = None
    if system_of(after).capabilities.names is None:
        doubt = _Unreached(after, called[1], names, budget)
    elif not _would_have_been_second(before, after):
        doubt = _Doubt(after, names)
    complete = True
    try:
        for start, whole, farther in _rows_that_differ(before, after, budget):
            budget.check()
            row = whole.without(start)  # whether there is such a server is no matter of reach
            for found, places in ((gained, row.gained), (lost, row.lost)):
                left_open = row.undecided[places]
                if found is lost and doubt is not None and len(places):
                    left_open = left_open | doubt.open(start)[row.ends[places]]
                found.add(start, row.ends[places[~left_open]])
                open_.add(start, row.ends[places[left_open]])
            open_.add(start, row.ends[row.unsettled])
            for moved, places in ((longer, row.longer), (shorter, row.shorter)):
                moved.add(
                    start,
                    row.ends[places],
                    row.before[places] + farther,
                    row.after[places] + farther,
                )
    except BudgetSpent:
        complete = False
    return Compared(
        ReachChanged(
            _named(gained, names),
            _named(lost, names),
            _named(open_, names),
            gained.count,
            lost.count,
            open_.count,
        ),
        HopsChanged(_moved(longer, names), _moved(shorter, names), longer.count, shorter.count),
        complete,
    )


def lost_pairs(
    before: ForwardingGraph, after: ForwardingGraph, budget: Budget
) -> tuple[tuple[Pair, ...], int]:
    """The ordered pairs that the one graph connects and the other does not: some of them, and
    how many.
    """
    found = compared(before, after, budget).reach
    return found.lost, found.lost_count


def _named(pairs: _Pairs, names: Sequence[str]) -> tuple[Pair, ...]:
    return tuple((names[start], names[end]) for start, end in pairs.kept)


def _moved(pairs: _Pairs, names: Sequence[str]) -> tuple[HopsMoved, ...]:
    return tuple(
        HopsMoved(names[start], names[end], was, now) for start, end, was, now in pairs.kept
    )


def _rows_that_differ(
    before: ForwardingGraph, after: ForwardingGraph, budget: Budget
) -> Iterator[Difference]:
    """What is different in the rows of hops, as the system tells it, or out of all rows. Raises
    BudgetSpent.
    """
    if before is after:
        return
    paths = paths_of(before)
    if before.system == after.system and isinstance(paths, Altering):
        yield from paths.differing_rows(before, after, budget)
        return
    beside = RowDifferences((before, after))
    rows = [partial(_rows_of, graph, budget) for graph in (before, after)]
    yield from beside.of_rows(np.ones(len(beside.names), np.bool_), (rows[0], rows[1]))


def _rows_of(
    graph: ForwardingGraph, budget: Budget, wanted: Sequence[int]
) -> Iterator[NDArray[np.integer]]:
    """The rows of some servers of a graph. Those that come before they are wanted are kept."""
    rows = enumerate(paths_of(graph).hop_rows(graph, MemoryEngine(graph, budget), budget))
    early: dict[int, NDArray[np.integer]] = {}
    for number in wanted:
        while number not in early:
            made, row = next(rows)
            early[made] = row
        yield early.pop(number)


def _would_have_been_second(before: ForwardingGraph, after: ForwardingGraph) -> bool:
    """Whether a path over routes that no file shows, by which a lost pair is joined after the
    change, would have been a second one before it: no link, zone or open-ended server comes, and
    the network was legal (R20, R25)."""
    grown = _links(after) - _links(before) or _open(after) - _open(before)
    return not grown and _rule_of(before).names_are_unique(before)


def _rule_of(graph: ForwardingGraph) -> Names:
    rule = system_of(graph).capabilities.names
    assert rule is not None
    return rule()


def _links(graph: ForwardingGraph) -> set[tuple[frozenset[str], str, str]]:
    names = [server.name for server in graph.servers]
    return {
        (frozenset((names[link.a], names[link.b])), link.zone, link.zone_type)
        for link in graph.links
    }


def _open(graph: ForwardingGraph) -> set[str]:
    """The servers that may have links which the loaded files do not show."""
    return {server.name for server in graph.servers if server.open_ended}


class _Doubt:
    """What the loaded files leave open of one graph, its servers set beside ``names``."""

    def __init__(self, graph: ForwardingGraph, names: Sequence[str]) -> None:
        self._names = names
        self._unknowns = _rule_of(graph).unknowns(graph, MemoryEngine(graph), Closed())
        self._numbers = [graph.server_number.get(name, -1) for name in names]
        self._known = np.array(self._numbers) >= 0

    def open(self, start: int) -> Bools:
        """To which of the names "not reached" is not certain from one of them: because of routes
        that no file shows, or one of the two is not loaded.
        """
        nowhere = np.zeros(len(self._names), np.bool_)
        if self._unknowns.open_ended and self._known[start]:
            left_open = self._unknowns.unreached_from(self._numbers[start])
            nowhere[self._known] = left_open[np.array(self._numbers)[self._known]]
        return nowhere


class _Unreached:
    """The same by what ``reach`` says of the graph, whose servers are ``called`` so: a walk for
    each server that is asked about. What is only reached by a choice at run time, or as code
    decides, may be reached.
    """

    def __init__(
        self, graph: ForwardingGraph, called: Sequence[str], names: Sequence[str], budget: Budget
    ) -> None:
        self._graph, self._called, self._names = graph, called, names
        self._budget = budget
        self._numbers = {name: number for number, name in enumerate(called)}
        self._joined = joined_systems(graph)

    def open(self, start: int) -> Bools:
        """See ``_Doubt.open``. Raises BudgetSpent."""
        number = self._numbers.get(self._names[start], -1)
        if number < 0:
            return np.zeros(len(self._names), np.bool_)
        walker = MemoryEngine(self._graph, self._budget)
        reached = paths_of(self._graph).reach_from(self._graph, walker, number, self._budget)
        servers = self._graph.servers
        apart = {
            to
            for to, one in enumerate(servers)
            if one.system not in self._joined[servers[number].system]
        }
        left_open = {*reached.undetermined, *reached.uncertain, *(apart - reached.paths.keys())}
        named = {self._called[one] for one in left_open}
        return np.array([name in named for name in self._names], np.bool_)
