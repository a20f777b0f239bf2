"""From the tables that ``closure`` made, also those that come back out of a snapshot, to their
graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter

import numpy as np

from topograph.forwarding.graph import (
    HOLDING,
    OPEN,
    STEPPING,
    UNDECIDED,
    Forward,
    ForwardingGraph,
    GraphTables,
)
from topograph.forwarding.lazy_graph import LazyGraph, Rows
from topograph.forwarding.lazy_rows import ForwardRows, as_read
from topograph.forwarding.points import PointColumns

AT_RUN_TIME = frozenset({"one_of", "opaque", "later", UNDECIDED})
"""Kinds of guards that stand for what is chosen at run time, or that the loaded files do not
decide: what lies behind one is not certain.
"""

PERHAPS_TAKEN = "perhaps taken/"
"""How the id of a guard begins that stands nowhere and says of a server that nothing which is not
loaded takes messages on from it; the number of the server follows, and ``/``.
"""

PERHAPS_JOINED = "perhaps joined/"
"""How the id of a guard begins that stands nowhere and says of servers that no other one, which is
not loaded, joins them; their numbers follow, with commas, and ``/``.
"""


def not_decided(graph: ForwardingGraph) -> dict[int, str]:
    """By the number of the guard, what is said of a server behind one that the loaded files do
    not decide. Linear in the guards."""
    return {
        number: f"whether a message gets there is not known: {guard.payload or guard.text}"
        for number, guard in enumerate(graph.guards)
        if guard.kind == UNDECIDED
    }


def is_certain(graph: ForwardingGraph, path: Iterable[int]) -> bool:
    """Whether messages that meet the conditions of a path take it for certain: no link of it is
    chosen at run time, or left open by the loaded files. Linear in the guards of the path."""
    kinds = {graph.guards[guard].kind for point in path for guard in graph.points[point].guards}
    return OPEN not in kinds and kinds.isdisjoint(AT_RUN_TIME)


def is_later(graph: ForwardingGraph, path: Iterable[int]) -> bool:
    """Whether messages that take a path wait on it, and nothing else about it is chosen at run
    time or left open. Linear in the guards of the path."""
    if not graph.holding:
        return False
    kinds = {graph.guards[guard].kind for point in path for guard in graph.points[point].guards}
    return not HOLDING.isdisjoint(kinds) and (kinds & AT_RUN_TIME) <= HOLDING


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The graph of tables that ``close`` made, also of those that come back out of a snapshot;
    points and forwards only when they are asked for. Linear in the forwards."""
    return LazyGraph.of(
        STEPPING, tables.servers, tables.guards, tables.links, partial(_rows_of, tables)
    )


def _rows_of(tables: GraphTables) -> Rows:
    forwards = as_read(tables.forwards)
    if isinstance(forwards, ForwardRows):
        begin, end = forwards.start, forwards.end
    else:
        begin, end = (
            np.fromiter(map(attrgetter(name), forwards), np.int32, len(forwards))
            for name in ("start", "end")
        )
    order = np.lexsort((end, begin))
    begin, end = begin[order], end[order]
    points = PointColumns.of(as_read(tables.points))
    starts = np.searchsorted(begin, np.arange(len(points) + 1))

    def described(from_: int, to: int) -> Forward:
        row = starts[from_] + np.searchsorted(end[starts[from_] : starts[from_ + 1]], to)
        return forwards[int(order[row])]

    return Rows(points, starts, end, described)
