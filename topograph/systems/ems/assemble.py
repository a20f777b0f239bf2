"""The forwards between EMS points: R13 as compressed rows (ems.md 6.1).

An origin may take every link; a message that arrived over link l of zone z may take every other link, except, if z is 1hop, all
links of z. At a big hub "every link but one" would be d(d-1) forwards; there the outgoing links, ordered by zone, are the leaves of a
binary tree of connectors, and "all but an interval" is at most 2 log d of its nodes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.forwarding.points import PointColumns

BIG_HUB = 64
"""Servers with more links than this get connectors. Below it, d(d-1) forwards are cheaper than the tree (measured at 10-100 links)."""


def assemble(tables: GraphTables) -> ForwardingGraph:
    """The forwarding graph of EMS tables. Time and space: the forwards at servers with up to BIG_HUB links, d log d at bigger ones."""
    servers, points = tables.servers, tables.points
    # Columns, not points: a snapshot of 10,000 servers is then assembled without building its 102,000 points.
    columns = PointColumns.of(points)
    zones, link = columns.zone.texts(), columns.link.tolist()
    one_hop = [zone_type == "1hop" for zone_type in columns.zone_type.texts()]
    outgoing: list[list[int]] = [[] for _ in servers]
    arrivals: list[list[int]] = [[] for _ in servers]
    ends = zip(columns.kind.texts(), columns.previous.tolist(), columns.server.tolist(), strict=True)
    for number, (kind, previous, server) in enumerate(ends):
        if kind == "arrival":
            outgoing[previous].append(number)
            arrivals[server].append(number)
    rows: list[list[int]] = [[] for _ in range(len(points))]
    forward_count = 0
    for server in range(len(servers)):
        leaving = sorted(outgoing[server], key=lambda n: (zones[n], n))
        interval = _intervals(zones, leaving)
        origin = server
        tree = _Tree(leaving, rows) if len(leaving) > BIG_HUB else None
        rows[origin] = leaving if tree is None else tree.outside(0, 0)
        forward_count += len(leaving)
        place_of_link = {link[n]: place for place, n in enumerate(leaving)}
        for arrival in arrivals[server]:
            place = place_of_link[link[arrival]]
            low, high = interval[zones[arrival]] if one_hop[arrival] else (place, place + 1)
            forward_count += len(leaving) - (high - low)
            rows[arrival] = leaving[:low] + leaving[high:] if tree is None else tree.outside(low, high)
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    successors = np.fromiter((end for row in rows for end in row), np.int32, int(starts[-1]))
    return ForwardingGraph("ems", servers, points, tables.guards, starts, successors, forward_count)


def _intervals(zones: Sequence[str], leaving: list[int]) -> dict[str, tuple[int, int]]:
    """Where each zone's links stand in ``leaving``, which is ordered by zone."""
    interval: dict[str, tuple[int, int]] = {}
    for place, number in enumerate(leaving):
        zone = zones[number]
        interval[zone] = (interval.get(zone, (place, place))[0], place + 1)
    return interval


class _Tree:
    """A binary tree over the leaves ``leaving``: node k of the implicit heap stands for all leaves below it."""

    def __init__(self, leaving: list[int], rows: list[list[int]]) -> None:
        self.leaves = leaving
        self.size = len(leaving)
        first = len(rows)
        # Inner heap nodes 1..size-1 become connectors; heap node size+i is leaf i.
        self.name = [0] + [first + node - 1 for node in range(1, self.size)] + leaving
        rows.extend([self.name[2 * node], self.name[2 * node + 1]] for node in range(1, self.size))

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
