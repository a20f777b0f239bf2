"""Is a set of routes legal (R20-R29)? Where not, which servers would hold a name over two routes?

Any two paths between two servers enclose a cycle, and a cycle lies inside one biconnected part of
the link graph. A part that is one link, or all of whose links are in one 1hop zone, is legal (R27);
only the others are walked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import rustworkx

from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.systems.contract.cycles import CyclicPart, DoubledName, Duplicates
from topograph.systems.ems.network.walks import entered_twice, is_arrival, walks_from


def cyclic_parts(graph: ForwardingGraph, walker: Walker | None = None) -> list[CyclicPart]:
    """The biconnected parts with more than one link that are not wholly inside one 1hop zone, by
    their first server: each holds a cycle over several zones, or one in an mhop zone. Linear in the
    links, plus one walk a server of each such part.

    With a ``walker`` that walks ahead the verdict is that of its walks from every server (R25 by
    ems.md 6.2). Where the walker's budget ends, parts that were not walked are neither legal nor
    illegal (None)."""
    in_memory = walker is None or isinstance(walker, RowWalks)
    known: list[CyclicPart] | None = graph.kept.get(_KEPT) if in_memory else None
    if known is None:
        known = _cyclic_parts(graph, walker or RowWalks(graph))
        if in_memory and all(part.legal is not None for part in known):
            graph.kept[_KEPT] = known
    return known


_KEPT = "ems.cyclic_parts"


def _cyclic_parts(graph: ForwardingGraph, walker: Walker) -> list[CyclicPart]:
    columns = graph.columns
    arrivals = np.flatnonzero(is_arrival(graph))
    # The first arrival over each link stands for it.
    numbers, first = np.unique(columns.link[arrivals], return_index=True)
    examples = arrivals[first]
    ends = list(
        zip(columns.previous[examples].tolist(), columns.server[examples].tolist(), strict=True)
    )
    zones = list(
        zip(
            columns.zone.codes[examples].tolist(),
            columns.zone_type.codes[examples].tolist(),
            strict=True,
        )
    )
    undirected = rustworkx.PyGraph(multigraph=False)
    undirected.add_nodes_from(range(len(graph.servers)))
    undirected.add_edges_from([(*pair, None) for pair in ends])
    row_of = {(min(pair), max(pair)): row for row, pair in enumerate(ends)}
    grouped: dict[int, set[int]] = defaultdict(set)
    for (left, right), part in rustworkx.biconnected_components(undirected).items():
        grouped[part].add(row_of[min(left, right), max(left, right)])
    everyone = range(len(graph.servers))
    ahead = walker.ahead(everyone, Closed())
    legal = ahead is not None and _none_twice(graph, ahead, everyone, Closed()) is True
    parts = []
    for rows in grouped.values():
        in_zones = {zones[row] for row in rows}
        if len(rows) == 1 or (
            len(in_zones) == 1 and columns.zone_type.values[next(iter(in_zones))[1]] == "1hop"
        ):
            continue
        links = frozenset(int(numbers[row]) for row in rows)
        servers = sorted({end for row in rows for end in ends[row]})
        parts.append(
            CyclicPart(tuple(servers), links, legal or _legal_inside(graph, walker, links, servers))
        )
    return sorted(parts, key=lambda part: part.servers)


def is_legal(graph: ForwardingGraph) -> bool:
    """Whether no two permitted paths join any two servers (R25), all links up. Linear in the
    links, as ``cyclic_parts``.
    """
    return all(part.legal for part in cyclic_parts(graph))


def _legal_inside(
    graph: ForwardingGraph, walker: Walker, links: Collection[int], servers: list[int]
) -> bool | None:
    """No walk from a server of the part over its links enters a server twice (R25 by ems.md
    6.2).
    """
    inside = np.isin(graph.columns.link, np.array(sorted(links)))
    outside = frozenset(np.flatnonzero(is_arrival(graph) & ~inside).tolist())
    closed = Closed(points=outside)
    return _none_twice(graph, walker.ahead(servers, closed) or walker, servers, closed)


def _none_twice(
    graph: ForwardingGraph, walker: Walker, servers: Sequence[int], closed: Closed
) -> bool | None:
    """No walk from any of the servers enters a server twice; None where the walker's budget
    ended before that was known.
    """
    try:
        return not any(entered_twice(graph, walker.walk([server], closed)) for server in servers)
    except BudgetSpent:
        return None


def duplicates(
    graph: ForwardingGraph, walker: Walker, closed: Closed, budget: Budget, limit: int
) -> Duplicates:
    """Every (server, name) that arrives over two or more neighbours (R23 on server-simple paths),
    up to ``limit`` entries.

    One walk from every server that a cyclic part can be reached from; on a legal network none is
    needed and none is made.
    """
    if all(part.legal for part in cyclic_parts(graph, walker)):
        return Duplicates([], True)
    walker = walker.ahead(range(len(graph.servers)), closed) or walker
    found: list[DoubledName] = []
    complete = True
    for owner in range(len(graph.servers)):
        try:
            walks = walks_from(graph, walker, owner, closed, budget)
        except BudgetSpent:
            complete = False
            break
        complete &= not walks.undecided
        found.extend(_doubled(graph, owner, walks.found))
        if len(found) > limit:
            return Duplicates(sorted(found[:limit], key=lambda d: (d.server, d.owner)), False)
    return Duplicates(sorted(found, key=lambda d: (d.server, d.owner)), complete)


def _doubled(graph: ForwardingGraph, owner: int, paths: dict[int, Path]) -> Iterator[DoubledName]:
    arrivals: dict[int, list[Path]] = defaultdict(list)
    for point, path in paths.items():
        if len(path) > 1:
            arrivals[graph.points[point].server].append(path)
    for server, ways in arrivals.items():
        if len(ways) > 1:
            ordered = sorted(ways, key=lambda path: graph.points[path[-1]].previous)
            yield DoubledName(
                server,
                owner,
                tuple(graph.points[path[-1]].previous for path in ordered),
                tuple(ordered),
            )
