"""A small network: its servers in an order around a circle, each drawn inwards by its links.

The order is that of a walk around a tree of links, with what hangs on a server in the order of
zones and names. One server or link more or less moves few servers in that order, and the others by
one step around the circle, which is at most a gap. Nothing starts from a middle that could become
another one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.components import connected, neighbours_of
from topograph.viz.layout.blocks import GAP, Spot, pushed_apart
from topograph.viz.layout.meshes import Zones

_PIN = 1.0
"""How strongly a server is held at its place on the circle, where a link counts 1; it is shared
among its links."""

_SAVED = 1 / 50
"""Crossings of links that moving one server along the circle must save, by the square of the
servers: one among 7, four among 13.
"""

OVAL = 1.3
"""How much wider than a circle, and how much lower, the order is drawn."""

_MOVES = 4
"""Servers that are moved along the circle at most."""

_ASIDE = 1.2
"""How many gaps two servers are apart that share neither a link nor a zone: outlines of zones are
drawn between them."""

Neighbours = Mapping[int, Collection[int]]


def place_circle(servers: Sequence[int], neighbours: Neighbours, zones: Zones) -> dict[int, Spot]:
    """A place for each server of a small network, whose parts stand beside each other. Cubic in
    the servers.
    """
    tree = _tree(servers, neighbours, zones)
    deciding = _deciding(servers, neighbours, zones, tree)
    order = _uncrossed(_around(servers, neighbours, zones, tree), deciding)
    size = len(order)
    if size == 1:
        return {order[0]: (0.0, 0.0)}
    radius = GAP / 2 / math.sin(math.pi / size)
    on_circle: dict[int, Spot] = {}
    for at, server in enumerate(order):
        angle = 2 * math.pi * at / size
        on_circle[server] = (
            -radius * math.cos(angle) * OVAL,
            -radius * math.sin(angle) / OVAL,
        )
    inwards = _drawn_inwards(servers, neighbours_of(deciding), on_circle)
    spots = pushed_apart(np.array(inwards), _reach(servers, neighbours, zones))
    return {server: (x, y) for server, (x, y) in zip(servers, spots.tolist(), strict=True)}


def deciding_neighbours(
    servers: Sequence[int], neighbours: Neighbours, zones: Zones
) -> dict[int, set[int]]:
    """For each server those it is joined with by links that decide where servers stand. Cubic in
    the servers.
    """
    tree = _tree(servers, neighbours, zones)
    found: dict[int, set[int]] = {server: set() for server in servers}
    for a, b in _deciding(servers, neighbours, zones, tree):
        found[a].add(b)
        found[b].add(a)
    return found


def _around(
    servers: Sequence[int],
    neighbours: Neighbours,
    zones: Zones,
    links: Neighbours,
) -> list[int]:
    """The order of servers around the circle, the first by name at its start. In it the servers
    of each branch of a tree of links follow each other, so that these do not cross.
    """
    tree = {server: set(links[server]) for server in servers}
    parts = connected(tree, tree)
    middle = -1
    usual = ""
    if len(parts) > 1:
        # The busiest servers of all parts hang on a server that is not there: what loses its only
        # link stays beside the server that it most likely had it to.
        heads = [min(part, key=lambda one: (-len(neighbours[one]), one)) for part in parts]
        tree[middle] = set(heads)
        for head in heads:
            tree[head].add(middle)
        busiest = min(heads, key=lambda one: (-len(neighbours[one]), one))
        usual = _most(
            Counter(
                zones[min(busiest, other), max(busiest, other)] for other in neighbours[busiest]
            )
        )

    @cache
    def first(server: int, branch: int) -> int:
        """The first server by name of a branch, as seen from a server."""
        own = [branch] if branch != middle else []
        return min(own + [first(branch, other) for other in tree[branch] if other != server])

    @cache
    def inner(server: int, branch: int) -> Counter[str]:
        """How many links of each zone a branch has."""
        found: Counter[str] = Counter()
        for other in tree[branch]:
            if other != server:
                found += inner(branch, other)
                if middle not in (branch, other):
                    found[zones[min(branch, other), max(branch, other)]] += 1
        return found

    def key(server: int, branch: int) -> tuple[str, int]:
        link = min(server, branch), max(server, branch)
        zone = _most(inner(server, branch)) or zones.get(link, usual)
        return zone, first(server, branch)

    branches = {server: sorted(tree[server], key=lambda one: key(server, one)) for server in tree}

    def walk(server: int, came: int | None) -> Iterator[int]:
        """The servers behind a link, clockwise; each stands before its own first branch."""
        own = branches[server]
        start = own.index(came) + 1 if came is not None else 0
        for branch in (*own[start:], *own[:start]):
            if branch == own[0] and server != middle:
                yield server
            if branch != came:
                yield from walk(branch, server)
        if not own:
            yield server

    order = list(walk(min(servers), None))
    start = order.index(min(servers))
    return order[start:] + order[:start]


def _tree(servers: Sequence[int], neighbours: Neighbours, zones: Zones) -> dict[int, set[int]]:
    """The links that decide the order, one tree for each part: first those whose ends both have
    other links of their zone, then those of which one end has, and of these those of servers with
    many links of the zone."""
    links = [(a, b) for a in servers for b in neighbours[a] if a < b]
    in_zone = Counter((server, zones[link]) for link in links for server in link)

    def key(link: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
        alone = sum(in_zone[server, zones[link]] == 1 for server in link)
        return alone, -max(in_zone[server, zones[link]] for server in link), link

    kept: dict[int, set[int]] = {server: set() for server in servers}
    group = {server: server for server in servers}
    for a, b in sorted(links, key=key):
        if group[a] != group[b]:
            kept[a].add(b)
            kept[b].add(a)
            group = {one: group[a] if own == group[b] else own for one, own in group.items()}
    return kept


def _deciding(
    servers: Sequence[int], neighbours: Neighbours, zones: Zones, tree: Neighbours
) -> list[tuple[int, int]]:
    """The links that decide where servers stand: those of the tree, and those of a zone of which
    one of their ends has another link. One across zones moves nobody."""
    links = [(a, b) for a in servers for b in neighbours[a] if a < b]
    in_zone = Counter((server, zones[link]) for link in links for server in link)
    return [
        (a, b)
        for a, b in sorted(links)
        if b in tree[a] or in_zone[a, zones[a, b]] > 1 or in_zone[b, zones[a, b]] > 1
    ]


def _most(zones: Counter[str]) -> str:
    """The zone with the most links, of several the first."""
    return min(zones, key=lambda zone: (-zones[zone], zone), default="")


def _uncrossed(order: Sequence[int], links: Sequence[tuple[int, int]]) -> list[int]:
    """The order with single servers moved along it where that saves enough crossings of links.
    More are asked for in a larger network: each move is a place that a change can undo.
    """
    best = list(order)
    least = len(order) ** 2 * _SAVED
    crossings = _crossings(best, links)
    for _ in range(_MOVES):
        if crossings < least:
            break
        tried = [
            (_crossings(moved, links), moved)
            for server in order
            for moved in _with_moved(best, server)
        ]
        fewest, moved = min(tried, key=lambda one: one[0])
        if crossings - fewest < least:
            break
        best, crossings = moved, fewest
    start = best.index(order[0])
    return best[start:] + best[:start]


def _with_moved(order: Sequence[int], server: int) -> Iterator[list[int]]:
    """The orders in which one server stands elsewhere, the others as they are."""
    rest = [other for other in order if other != server]
    return ([*rest[:at], server, *rest[at:]] for at in range(len(rest)) if order[at] != server)


def _crossings(order: Sequence[int], links: Sequence[tuple[int, int]]) -> int:
    """How many pairs of links cross inside of the circle."""
    at = {server: number for number, server in enumerate(order)}
    ends = np.sort(np.array([(at[a], at[b]) for a, b in links]).reshape(-1, 2), axis=1)
    first, last = ends[:, 0], ends[:, 1]
    between = (first[:, None] < first) & (first < last[:, None]) & (last[:, None] < last)
    return int(between.sum())


def _reach(servers: Sequence[int], neighbours: Neighbours, zones: Zones) -> NDArray[np.float64]:
    """How far apart every two servers stand at least."""
    of: dict[int, set[str]] = {server: set() for server in servers}
    for link, zone in zones.items():
        for server in of.keys() & set(link):
            of[server].add(zone)
    return np.array(
        [
            [GAP if b in neighbours[a] or of[a] & of[b] else _ASIDE * GAP for b in servers]
            for a in servers
        ]
    )


def _drawn_inwards(
    servers: Sequence[int], neighbours: Neighbours, held: Mapping[int, Spot]
) -> list[Spot]:
    """Where servers come to rest between their places on the circle and those they have links
    to: sums of squares of all distances are smallest."""
    number = {server: at for at, server in enumerate(servers)}
    rows = []
    for server in servers:
        links = len(neighbours.get(server, ()))
        pin = _PIN / max(1, links)
        row = [0.0] * len(servers)
        row[number[server]] = links + pin
        for other in neighbours.get(server, ()):
            row[number[other]] = -1.0
        rows.append([*row, pin * held[server][0], pin * held[server][1]])
    # Elimination without a choice of rows: the diagonal is larger than the rest of each.
    for at, pivot in enumerate(rows):
        for row in rows[at + 1 :]:
            share = row[at] / pivot[at]
            if share:
                row[at:] = [a - share * b for a, b in zip(row[at:], pivot[at:], strict=True)]
    spots: list[Spot] = []
    for at in reversed(range(len(rows))):
        known = rows[at][at + 1 : len(rows)]
        x, y = (
            (rows[at][axis] - sum(a * spot[way] for a, spot in zip(known, spots, strict=True)))
            / rows[at][at]
            for way, axis in enumerate((-2, -1))
        )
        spots.insert(0, (x, y))
    return spots
