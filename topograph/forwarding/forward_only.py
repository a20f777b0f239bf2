"""Hops between all servers of a graph whose walks never come back to a point: worked out for all
servers together, from the points where walks end to those where they begin.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.points import Ints
from topograph.forwarding.rows import distinct, successors

MOST_SERVERS = 4_096
"""Servers up to which all rows are made at once: 32 MB."""

DEEPEST = 2_000
"""Forwards of the longest walk, at most."""

COLUMNS = 128
"""Servers whose hops are worked out at once."""

_NEVER = 30_000
"""Hops where there is no walk: more than ``DEEPEST``, and with these no overflow."""

Shorts = NDArray[np.int16]


def hops_of_all(graph: ForwardingGraph, closed: Closed, check: Callable[[], None]) -> Shorts | None:
    """The rows of hops of all servers (``paths.hop_row``): by start and server, -1 where there is
    no walk. None where a walk comes back to a point, or is too long, or there are too many servers,
    or connectors. Linear in the forwards times the servers, with few steps of Python; ``check`` is
    called now and then, and may raise."""
    size, servers = len(graph.points), len(graph.servers)
    if graph.node_count > size or servers > MOST_SERVERS:
        return None
    starts, ends = _open(graph, closed)
    levels = _last_first(starts, ends, check)
    if levels is None:
        return None
    found = np.full((servers, servers), -1, np.int16)
    for first in range(0, servers, COLUMNS):
        some = range(first, min(first + COLUMNS, servers))
        found[:, first : some.stop] = _hops(graph, starts, ends, levels, some, check)
    np.fill_diagonal(found, 0)
    return found


def _open(graph: ForwardingGraph, closed: Closed) -> tuple[NDArray[np.int64], Ints]:
    """The forwards into open points, in compressed rows."""
    is_open = graph.open_points(closed)
    if is_open is None:
        return graph.starts, graph.ends
    kept = is_open[graph.ends]
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept, dtype=np.int64)])
    return before[graph.starts], graph.ends[kept]


def _last_first(
    starts: NDArray[np.int64], ends: Ints, check: Callable[[], None]
) -> list[Ints] | None:
    """The points in levels, each level after all that its forwards lead to; None where there are
    too many, or some lead back to themselves."""
    size = len(starts) - 1
    left = np.diff(starts)
    order = np.argsort(ends, kind="stable")
    begins = np.repeat(np.arange(size, dtype=np.int32), left)[order]
    back = np.searchsorted(ends[order], np.arange(size + 1)).astype(np.int64)
    levels = [np.flatnonzero(left == 0).astype(np.int32)]
    done = len(levels[0])
    while len(levels[-1]) and len(levels) <= DEEPEST:
        check()
        before = successors(back, begins, levels[-1])
        left = left - np.bincount(before, minlength=size)
        some = distinct(before)
        levels.append(some[left[some] == 0])
        done += len(levels[-1])
    return levels if done == size else None


def _hops(
    graph: ForwardingGraph,
    starts: NDArray[np.int64],
    ends: Ints,
    levels: list[Ints],
    some: range,
    check: Callable[[], None],
) -> Shorts:
    """The hops from all servers to some of them."""
    found = np.full((len(graph.points), len(some)), _NEVER, np.int16)
    at = graph.point_server - some.start
    for points in levels:
        check()
        sizes = starts[points + 1] - starts[points]
        if len(points) and sizes[0]:
            behind = found[successors(starts, ends, points)]
            rows = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)[:-1]])
            found[points] = np.minimum.reduceat(behind, rows, axis=0) + 1
        own = points[(at[points] >= 0) & (at[points] < len(some))]
        found[own, at[own]] = 0
    origins = found[: len(graph.servers)]
    return np.where(origins >= _NEVER, np.int16(-1), origins)
