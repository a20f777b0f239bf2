"""A connected network as a tree of discs: blocks and single links around the servers they hang on,
and nothing across anything else.

What hangs on a server is placed in wedges around it, each wide enough for the disc that holds it; a
network without cycles is drawn without crossings, and a block (``blocks``) is one disc in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topograph.records import record
from topograph.viz.layout.blocks import (
    GAP,
    ServerRoom,
    Shape,
    Spot,
    cycle_from,
    place_around,
    place_block,
)

LEAVES_AROUND = 14
"""Neighbours with nothing behind them that stand around a server one by one; more of them stand
in rings.
"""

_BACK = math.radians(60)
"""Kept free towards the server from which the tree came."""

_SPARE = math.radians(24)
"""Free room between two wedges, at most: what hangs on a server that is not the first stays on
the far side of it.
"""

_FULL = 2 * math.pi

MIDDLE = -1
"""The root of a tree of blocks whose middle is a ring: no server, all of the ring hang on it."""

Key = Callable[[int, tuple[int, ...]], Any]
"""Orders what hangs on a server: of the server, and of the other servers of a block."""


@record
class BlockTree:
    """The blocks of a connected network, hung on its first server. ``below`` has for each server
    the blocks that hang on it, each as its other servers; ``order`` has every server before
    those below it."""

    root: int
    below: Mapping[int, Sequence[tuple[int, ...]]]
    order: Sequence[int]


@record
class _Item:
    """What hangs on a server: a block or a single neighbour, the disc it needs, and how near
    that disc's centre may come, also where it is ``alone``. ``parts`` are the discs of a block's
    servers (x, y, radius) as they are when the server stands in the block."""

    servers: tuple[int, ...]
    radius: float
    near: float
    alone: float
    shape: Shape | None = None
    parts: tuple[tuple[float, float, float], ...] = ()

    def width(self, distance: float) -> float:
        """The angle that it takes as seen from the server, its disc's centre at ``distance``."""
        if self.shape is None:
            return 2 * math.asin(min(1.0, self.radius / distance))
        shift = distance - self.shape.centre
        return 2 * max(
            abs(math.atan2(y, x + shift))
            + math.asin(min(1.0, radius / max(math.hypot(x + shift, y), radius)))
            for x, y, radius in self.parts
        )


@record
class _Hung:
    """An item with its place: direction, and distance of its disc's centre."""

    item: _Item
    angle: float
    distance: float


@record
class _Around:
    """Everything around one server, which looks to the right."""

    hung: Sequence[_Hung]
    leaves: Sequence[tuple[int, float, float]]
    disc: ServerRoom


def by_zone(neighbours: Mapping[int, Collection[int]], zones: Mapping[tuple[int, int], str]) -> Key:
    """What hangs on a server by the zone that leads there, so that zones do not interleave."""

    def key(server: int, others: tuple[int, ...]) -> tuple[str, int]:
        beside = min(other for other in others if other in neighbours[server])
        return zones[min(server, beside), max(server, beside)], others[0]

    return key


def hang(
    root: int,
    blocks_at: Mapping[int, Sequence[int]],
    blocks: Sequence[Sequence[int]],
    key: Key,
) -> BlockTree:
    """The tree of blocks seen from ``root``; what hangs on a server is in the order of
    ``key(server, block)``.
    """
    below: dict[int, list[tuple[int, ...]]] = {root: []}
    order = [root]
    used: set[int] = set()
    for server in order:
        for number in blocks_at.get(server, ()):
            if number not in used:
                used.add(number)
                others = tuple(member for member in blocks[number] if member != server)
                below[server].append(others)
                for member in others:
                    below[member] = []
        if len(below[server]) > 1:
            below[server].sort(key=lambda others: key(server, others))
        order.extend(member for others in below[server] for member in others)
    return BlockTree(root, below, order)


def place_tree(tree: BlockTree, neighbours: Mapping[int, Collection[int]]) -> dict[int, Spot]:
    """A place for each server, the root at (0, 0); if that is MIDDLE, the ring that hangs on it
    around there. Linear in the servers, apart from blocks."""
    around: dict[int, _Around] = {}
    for server in reversed(tree.order):
        if server == MIDDLE:
            continue
        discs = {member: around[member].disc for others in tree.below[server] for member in others}
        items = [_item(server, others, neighbours, discs) for others in tree.below[server]]
        around[server] = _arrange(items, first=server == tree.root)
    spots: dict[int, Spot] = {}
    facing: dict[int, float] = {}
    if tree.root == MIDDLE:
        (members,) = tree.below[MIDDLE]
        order = cycle_from(min(members), members, neighbours)
        shape = place_around(order, {member: around[member].disc for member in order})
        for member, (x, y, outwards) in shape.spots.items():
            spots[member], facing[member] = (x, y), outwards
    else:
        spots[tree.root], facing[tree.root] = (0.0, 0.0), 0.0
    for server in tree.order:
        if server == MIDDLE:
            continue
        here, turned = spots[server], facing[server]
        for leaf, x, y in around[server].leaves:
            spots[leaf], facing[leaf] = _moved(here, turned, x, y), turned
        for hung in around[server].hung:
            angle = turned + hung.angle
            _put(hung, here, angle, around, spots, facing)
    return spots


def _put(
    hung: _Hung,
    here: Spot,
    angle: float,
    around: Mapping[int, _Around],
    spots: dict[int, Spot],
    facing: dict[int, float],
) -> None:
    item = hung.item
    if item.shape is None:
        (server,) = item.servers
        spots[server] = _moved(here, angle, hung.distance - around[server].disc.behind, 0.0)
        facing[server] = angle
        return
    shift = hung.distance - item.shape.centre
    for server, (x, y, outwards) in item.shape.spots.items():
        spots[server] = _moved(here, angle, x + shift, y)
        facing[server] = angle + outwards


def _moved(here: Spot, angle: float, x: float, y: float) -> Spot:
    cosine, sine = math.cos(angle), math.sin(angle)
    return here[0] + x * cosine - y * sine, here[1] + x * sine + y * cosine


def _item(
    server: int,
    others: tuple[int, ...],
    neighbours: Mapping[int, Collection[int]],
    discs: Mapping[int, ServerRoom],
) -> _Item:
    if len(others) == 1:
        disc = discs[others[0]]
        near = max(GAP + disc.behind, disc.radius + GAP / 2)
        return _Item(others, disc.radius, near, disc.clear + disc.behind)
    shape = place_block(server, others, neighbours, discs)
    parts = []
    for member, (x, y, outwards) in shape.spots.items():
        disc = discs[member]
        parts.append(
            (
                x + disc.behind * math.cos(outwards),
                y + disc.behind * math.sin(outwards),
                disc.radius,
            )
        )
    return _Item(others, shape.radius, shape.centre, shape.centre, shape, tuple(parts))


def _arrange(items: Sequence[_Item], *, first: bool) -> _Around:
    """Put the items around a server, within a full circle for the first one and away from where
    the tree came for the others.
    """
    room = _FULL if first else _FULL - _BACK
    alone = [item for item in items if item.shape is None and item.radius <= GAP / 2]
    leaves: list[tuple[int, float, float]] = []
    inner = 0.0
    if len(alone) > LEAVES_AROUND:
        crowd = {item.servers for item in alone}
        items = [item for item in items if item.servers not in crowd]
        leaves, inner = _rings([item.servers[0] for item in alone], room, first=first)
    if not items and not leaves:
        return _Around((), (), ServerRoom())
    if first and len(items) == 1 and items[0].shape is None:
        # nothing else is there for it to keep away from
        items = [replace(items[0], near=items[0].alone)]
    hung = _wedges(items, room, inner, first=first)
    circles = [(0.0, 0.0, inner + GAP / 2)]
    circles += [
        (
            entry.distance * math.cos(entry.angle),
            entry.distance * math.sin(entry.angle),
            entry.item.radius,
        )
        for entry in hung
    ]
    return _Around(hung, leaves, _enclosing(circles))


def _wedges(items: Sequence[_Item], room: float, inner: float, *, first: bool) -> list[_Hung]:
    """Directions and distances: as near as the wedges allow. Everything moves outwards by one
    factor until they fit.
    """
    if not items:
        return []
    near = [max(item.near, inner + GAP / 2 + item.radius if inner else 0.0) for item in items]

    def distances(factor: float) -> list[float]:
        if factor == 1.0:
            return near
        # A server that does not stand in its block stands outside of the block's disc.
        return [
            max(least, item.radius + GAP / 2) * factor
            for item, least in zip(items, near, strict=True)
        ]

    def widths(factor: float) -> list[float]:
        return [
            item.width(distance) for item, distance in zip(items, distances(factor), strict=True)
        ]

    low, high = 1.0, 1.0
    while sum(widths(high)) > room:
        low, high = high, high * 1.5
    if high > 1.0:
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if sum(widths(middle)) <= room else (middle, high)
    wide = widths(high)
    spare = (room - sum(wide)) / len(items)
    spare = spare if first else min(spare, _SPARE)
    total = sum(wide) + spare * len(items)
    angle = -total / 2
    hung = []
    for item, distance, width in zip(items, distances(high), wide, strict=True):
        hung.append(_Hung(item, angle + (width + spare) / 2, distance))
        angle += width + spare
    # The first server's middle item is straight ahead of it.
    ahead = hung[len(items) // 2].angle if first else 0.0
    return [_Hung(entry.item, entry.angle - ahead, entry.distance) for entry in hung]


def _rings(
    servers: Sequence[int], room: float, *, first: bool
) -> tuple[list[tuple[int, float, float]], float]:
    """Many servers with nothing behind them, in rings around the one they hang on; the radius of
    the outer ring.
    """
    placed: list[tuple[int, float, float]] = []
    radius = 0.0
    left = list(servers)
    turn = 0
    while left:
        radius += GAP
        slots = int(room * radius / GAP) + (0 if first else 1)
        now, left = left[:slots], left[slots:]
        step = room / len(now) if first else room / max(1, len(now) - 1)
        start = -room / 2 + (step / 2 * (turn % 2) if first else 0.0)
        for number, server in enumerate(now):
            angle = start + step * number if len(now) > 1 or first else 0.0
            placed.append((server, radius * math.cos(angle), radius * math.sin(angle)))
        turn += 1
    return placed, radius


def _enclosing(circles: Sequence[tuple[float, float, float]]) -> ServerRoom:
    """The smallest disc with its centre straight ahead that holds all circles."""

    def need(x: float) -> float:
        return max(math.hypot(cx - x, cy) + radius for cx, cy, radius in circles)

    low = min(cx - radius for cx, _, radius in circles)
    high = max(cx + radius for cx, _, radius in circles)
    for _ in range(40):
        third = (high - low) / 3
        low, high = (
            (low, high - third) if need(low + third) <= need(high - third) else (low + third, high)
        )
    middle = max(0.0, (low + high) / 2)
    return ServerRoom(need(middle), middle, _clear(circles))


def _clear(circles: Sequence[tuple[float, float, float]]) -> float:
    """How far to the left of the server another one touches none of the circles."""
    clear = GAP
    for x, y, radius in circles:
        room = (radius + GAP / 2) ** 2 - y * y
        if room > 0:
            clear = max(clear, math.sqrt(room) - x)
    return clear
