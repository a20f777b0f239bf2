"""The names that servers hold (R21 to R23) before and after a change: what is learned from
another neighbour than before, or no longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topograph.audit.differences import LISTED, Compared
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.walks_together import WalksTogether
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import InterestChanged, InterestMoved
from topograph.records import record
from topograph.systems import system_of

Longs = NDArray[np.int64]

MOST_ASKED = 200
"""Servers that are asked for their names: those first at which reach, or the number of hops,
differs.
"""


@record(slots=False)
class InterestCompared:
    """Names gained and lost by server; ``complete`` is False where the budget ended first."""

    moved: InterestChanged = InterestChanged()
    cautions: tuple[Caution, ...] = ()
    complete: bool = True


def interest_compared(
    before: ForwardingGraph, after: ForwardingGraph, pairs: Compared, budget: Budget
) -> InterestCompared:
    """What servers that both graphs have, loaded, hold in only one of them. A walk a server and
    graph on a legal network.
    """
    if system_of(before).capabilities.names is None or _same_links(before, after):
        return InterestCompared()
    names = [
        server.name for server in after.servers if server.loaded and _loaded(before, server.name)
    ]
    cautions: tuple[Caution, ...] = ()
    if len(names) > MOST_ASKED:
        text = (
            f"from which neighbours names come was compared at {MOST_ASKED} of "
            f"{len(names):,} servers"
        )
        cautions = (Caution("not-compared", text, Source("")),)
        concerned = _concerned(pairs)
        names = sorted(sorted(names, key=lambda name: name not in concerned)[:MOST_ASKED])
    gained, lost = _Moved(), _Moved()
    complete = True
    try:
        every = sorted({server.name for graph in (before, after) for server in graph.servers})
        held = [_Holding(graph, names, every, budget) for graph in (before, after)]
        for name in names:
            was, now = (known(name) for known in held)
            for moved, one, other in ((gained, now, was), (lost, was, now)):
                moved.add(name, _without(one, other), held[0])
    except BudgetSpent:
        complete = False
    changed = InterestChanged(tuple(gained.rows), tuple(lost.rows), gained.count, lost.count)
    return InterestCompared(changed, cautions if complete else (), complete)


@dataclass
class _Moved:
    """How many names moved, and the first ``LISTED`` of them."""

    rows: list[InterestMoved] = field(default_factory=list)
    count: int = 0

    def add(self, server: str, held: Longs, holding: _Holding) -> None:
        """Those that a server holds on one side alone. Sorts them where there is room."""
        self.count += len(held)
        if room := LISTED - len(self.rows):
            entries = sorted(holding.entries(held))[:room]
            self.rows += [InterestMoved(server, *entry) for entry in entries]


def _same_links(before: ForwardingGraph, after: ForwardingGraph) -> bool:
    """Whether two graphs have the same servers and links: who learns which name from whom
    depends on nothing else. Linear in the links.
    """
    if before is after:
        return True
    if len(before.servers) != len(after.servers) or len(before.links) != len(after.links):
        return False
    return before.server_number == after.server_number and list(before.links) == list(after.links)


def _loaded(graph: ForwardingGraph, name: str) -> bool:
    number = graph.server_number.get(name, -1)
    return number >= 0 and graph.servers[number].loaded


def _concerned(pairs: Compared) -> Collection[str]:
    """The servers that are reached from others, or over other numbers of hops, than before."""
    found = {end for rows in (pairs.reach.gained, pairs.reach.lost) for _, end in rows}
    return found | {row.to for rows in (pairs.hops.longer, pairs.hops.shorter) for row in rows}


class _Holding:
    """The names that servers of a graph hold, each with the neighbour that it comes from, as
    numbers that two graphs have in common: the place of the owner among all servers of both
    (``every``), times their number, and the place of the neighbour.
    """

    def __init__(
        self, graph: ForwardingGraph, asked: Sequence[str], every: Sequence[str], budget: Budget
    ) -> None:
        names = system_of(graph).capabilities.names
        assert names is not None
        self._graph, self._budget, self._names = graph, budget, names()
        self._closed = self._names.links_down(graph)
        origins = [graph.server_number[name] for name in asked]
        self._walker = WalksTogether(graph, origins, self._closed, budget)
        self._every = every
        place = {name: number for number, name in enumerate(every)}
        self._places = np.array([place[server.name] for server in graph.servers], np.int64)

    def __call__(self, server: str) -> Longs:
        """What a server holds, in ascending order. Raises BudgetSpent."""
        self._budget.check()
        number = self._graph.server_number[server]
        held = self._names.names_held(self._graph, self._walker, number, self._closed, self._budget)
        if held.undecided:
            raise BudgetSpent
        owners, vias, _ = held.columns()
        return np.sort(self._places[owners] * len(self._every) + self._places[vias])

    def entries(self, held: Longs) -> Iterator[tuple[str, str]]:
        """The same as texts: a name, and the neighbour."""
        for owner, via in zip(
            *(one.tolist() for one in divmod(held, len(self._every))), strict=True
        ):
            yield self._names.name_of(self._every[owner]), self._every[via]


def _without(numbers: Longs, others: Longs) -> Longs:
    """The numbers that are none of the others, which are in ascending order."""
    if not len(others):
        return numbers
    places = np.minimum(np.searchsorted(others, numbers), len(others) - 1)
    left: Longs = numbers[others[places] != numbers]
    return left
