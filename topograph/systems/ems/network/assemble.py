"""The forwards between EMS points: R13 as compressed rows (ems.md 6.1).

An origin may take every link; a message that arrived over link l of zone z may take every other
link, except, if z is 1hop, all links of z. At a big hub "every link but one" would be d(d-1)
forwards; there the outgoing links, ordered by zone, are the leaves of a binary tree of connectors,
and "all but an interval" is at most 2 log d of its nodes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.forwarding.points import Ints, PointColumns
from topograph.forwarding.rows import spans

BIG_HUB = 64
"""Servers with more links than this get connectors. Below it, d(d-1) forwards are cheaper than
the tree (measured at 10-100 links).
"""


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of EMS tables. Time and space: the forwards at servers with up to
    BIG_HUB links, d log d at bigger ones.

    The arrivals ordered by (server left, zone, number) hold what leaves each server as one span,
    and each zone of it as a span of that. The row of an arrival is its server's span without the
    span it may not take; both are found for all arrivals at once.
    """
    # Columns, not points: a snapshot of 10,000 servers is then assembled without building its
    # 102,000 points.
    columns = PointColumns.of(tables.points)
    count, servers = len(columns), len(tables.servers)
    arrivals = np.flatnonzero(_texts(columns.kind.values, "arrival")[columns.kind.codes])
    left, zone = (
        columns.previous[arrivals],
        _rank(columns.zone.values)[columns.zone.codes[arrivals]],
    )
    # By server left and zone; arrivals of equal ones stay in the order of their numbers.
    order = np.argsort(left * np.int64(len(columns.zone.values)) + zone, kind="stable")
    leaving = arrivals[order].astype(np.int32)
    place = np.empty(count, np.int64)
    place[leaving] = np.arange(len(leaving))
    bounds = np.zeros(servers + 1, np.int64)
    np.cumsum(np.bincount(left, minlength=servers), out=bounds[1:])

    # What an arrival may not take: back over its link, where the link's other arrival stands, or in
    # a 1hop zone all of that zone.
    back = place[_other_arrival(columns.link, arrivals)]
    one_hop = _texts(columns.zone_type.values, "1hop")[columns.zone_type.codes[arrivals]]
    zone_low, zone_high = _zone_spans(left[order], zone[order])
    low = np.where(one_hop, zone_low[back], back)
    high = np.where(one_hop, zone_high[back], back + 1)
    at = columns.server[arrivals]

    # The row of a node is two spans of ``pool``: before and behind what it may not take. An origin
    # takes all: its second span is empty.
    begin, end = np.zeros((2, count), np.int64), np.zeros((2, count), np.int64)
    begin[0, :servers], end[0, :servers] = bounds[:-1], bounds[1:]
    begin[0, arrivals], end[0, arrivals] = bounds[at], low
    begin[1, arrivals], end[1, arrivals] = high, bounds[at + 1]
    forward_count = int((end - begin).sum())
    pool, begin, end = _with_connectors(leaving, bounds, arrivals, (at, low, high), begin, end)
    sizes = (end - begin).T.ravel()
    starts = np.zeros(begin.shape[1] + 1, np.int64)
    np.cumsum((end - begin).sum(axis=0), out=starts[1:])
    ends = pool[spans(begin.T.ravel(), sizes)]
    graph = ForwardingGraph(
        "ems",
        tables.servers,
        tables.points,
        tables.guards,
        starts,
        ends,
        forward_count,
        links=tables.links,
    )
    graph.columns = columns
    return graph


Longs = NDArray[np.int64]


def _texts(values: tuple[str, ...], wanted: str) -> NDArray[np.bool_]:
    """Which of the texts is the wanted one."""
    return np.fromiter((value == wanted for value in values), np.bool_, len(values))


def _rank(values: tuple[str, ...]) -> Longs:
    """The place of each text among them all in order."""
    ranks = np.empty(len(values), np.int64)
    ranks[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
    return ranks


def _other_arrival(link: Ints, arrivals: Longs) -> Longs:
    """For each arrival the one over the same link the other way. Every link has two."""
    order = np.argsort(link[arrivals], kind="stable").reshape(-1, 2)
    other = np.empty(len(arrivals), np.int64)
    other[order[:, 0]], other[order[:, 1]] = arrivals[order[:, 1]], arrivals[order[:, 0]]
    return other


def _zone_spans(server: Ints, zone: Longs) -> tuple[Longs, Longs]:
    """For each place among the leaving arrivals, where the links of its server and zone begin
    and end.
    """
    first = np.ones(len(server), np.bool_)
    first[1:] = (server[1:] != server[:-1]) | (zone[1:] != zone[:-1])
    begins = np.flatnonzero(first)
    sizes = np.diff(np.append(begins, len(server)))
    return np.repeat(begins, sizes), np.repeat(begins + sizes, sizes)


def _with_connectors(
    leaving: Ints,
    bounds: Longs,
    arrivals: Longs,
    barred: tuple[Ints, Longs, Longs],
    begin: Longs,
    end: Longs,
) -> tuple[Ints, Longs, Longs]:
    """The pool and the spans, with the rows of big hubs replaced by rows over their connectors,
    which become further nodes.

    ``barred`` are the server of each arrival and the span of ``leaving`` that it may not take."""
    at, low, high = barred
    big = np.flatnonzero(np.diff(bounds) > BIG_HUB).tolist()
    if not big:
        return leaving, begin, end
    count = begin.shape[1]
    replaced: dict[int, list[int]] = {}
    connectors: list[list[int]] = []
    for server in big:
        offset = int(bounds[server])
        tree = _Tree(leaving[offset : bounds[server + 1]].tolist(), connectors, count)
        replaced[server] = tree.outside(0, 0)
        for row in np.flatnonzero(at == server).tolist():
            replaced[int(arrivals[row])] = tree.outside(
                int(low[row]) - offset, int(high[row]) - offset
            )
    rows = [*replaced.values(), *connectors]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    bound = np.concatenate(([0], np.cumsum(sizes))) + len(leaving)
    nodes = np.concatenate(
        (np.fromiter(replaced, np.int64, len(replaced)), np.arange(count, count + len(connectors)))
    )
    wider_begin, wider_end = (
        np.zeros((2, count + len(connectors)), np.int64),
        np.zeros((2, count + len(connectors)), np.int64),
    )
    wider_begin[:, :count], wider_end[:, :count] = begin, end
    wider_begin[:, nodes] = wider_end[:, nodes] = 0
    wider_begin[0, nodes], wider_end[0, nodes] = bound[:-1], bound[1:]
    added = np.fromiter((end for row in rows for end in row), np.int32, int(sizes.sum()))
    return np.concatenate((leaving, added)), wider_begin, wider_end


class _Tree:
    """A binary tree over the leaves ``leaving``: node k of the implicit heap stands for all
    leaves below it.
    """

    def __init__(self, leaving: list[int], connectors: list[list[int]], points: int) -> None:
        """Adds the rows of its connectors to ``connectors``; their nodes are numbered from
        ``points`` on.
        """
        self.size = len(leaving)
        first = points + len(connectors)
        # Inner heap nodes 1..size-1 become connectors; heap node size+i is leaf i.
        self.name = [0] + [first + node - 1 for node in range(1, self.size)] + leaving
        connectors.extend(
            [self.name[2 * node], self.name[2 * node + 1]] for node in range(1, self.size)
        )

    def outside(self, low: int, high: int) -> list[int]:
        """Nodes that together stand for all leaves except those in [low, high)."""
        return self._covering(0, low) + self._covering(high, self.size)

    def _covering(self, low: int, high: int) -> list[int]:
        low, high = low + self.size, high + self.size
        found = []
        while low < high:
            if low & 1:
                found.append(self.name[low])
                low += 1
            if high & 1:
                high -= 1
                found.append(self.name[high])
            low //= 2
            high //= 2
        return found
