"""The names that servers hold (R21 to R23) before and after a change: what is learned from
another neighbour than before, or no longer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from topograph.audit.differences import LISTED, Compared
from topograph.engines.memory import MemoryEngine
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.questions.answers import Caution
from topograph.questions.answers.audit import InterestChanged, InterestMoved
from topograph.systems import system_of

MOST_ASKED = 200
"""Servers that are asked for their names: those first at which reach, or the number of hops,
differs.
"""


@dataclass(frozen=True)
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
    gained: list[InterestMoved] = []
    lost: list[InterestMoved] = []
    complete = True
    try:
        held = [_Holding(graph, budget) for graph in (before, after)]
        for name in names:
            was, now = (known(name) for known in held)
            gained += [InterestMoved(name, *entry) for entry in sorted(now - was)]
            lost += [InterestMoved(name, *entry) for entry in sorted(was - now)]
    except BudgetSpent:
        complete = False
    moved = InterestChanged(tuple(gained[:LISTED]), tuple(lost[:LISTED]), len(gained), len(lost))
    return InterestCompared(moved, cautions if complete else (), complete)


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
    """The names that servers of a graph hold, each with the neighbour that it comes from."""

    def __init__(self, graph: ForwardingGraph, budget: Budget) -> None:
        names = system_of(graph).capabilities.names
        assert names is not None
        self._graph, self._budget, self._names = graph, budget, names()
        self._closed = self._names.links_down(graph)
        self._walker = MemoryEngine(graph, budget)
        self._name_of = cache(self._names.name_of)

    def __call__(self, server: str) -> set[tuple[str, str]]:
        """(name, via) of a server. Raises BudgetSpent."""
        self._budget.check()
        servers = self._graph.servers
        number = self._graph.server_number[server]
        held = self._names.names_held(self._graph, self._walker, number, self._closed, self._budget)
        if held.undecided:
            raise BudgetSpent
        return {
            (self._name_of(servers[owner].name), servers[via].name) for owner, via, _ in held.rows()
        }
