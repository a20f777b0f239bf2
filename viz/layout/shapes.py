"""Networks of a plain shape: a chain, a ring, a star, a tree, and rings that hang on each other.

Each is drawn as what it is: a chain in rows that go to and fro, a ring as a circle, a star as a hub
in the middle of circles, a tree around its middle or in layers, whichever is shown larger. What is
drawn does not depend on names beyond the order of branches.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from topograph.forwarding.components import biconnected, blocks_by_server
from topograph.viz.layout.blocks import GAP, Neighbours, Spot, cycle_from
from topograph.viz.layout.bubbles import MIDDLE, Key, hang, place_tree
from topograph.viz.layout.fields import filled, fit, mirrored
from topograph.viz.layout.trees import LANE, directions, place_layers, place_radial

ONE_ROW = 6
"""Servers of a chain up to which it is one row."""

ONE_CIRCLE = 40
"""Leaves up to which a star is one circle."""

LARGEST = 400
"""Servers up to which trees, stars and rings that hang on each other are drawn as such: circles
of more would be too far out, and a field is filled better by clusters."""

LARGEST_RING = 120
"""Servers up to which a ring is a circle."""

RING_OVAL = 1.25
"""How much wider than high a ring is: it is still seen as one, and fills more of the field."""

EVEN_OVAL = 8
"""Servers of a ring from which it is an oval: of fewer the sides would not be of one length."""

_ROW = 1.2 * GAP
"""Between two rows of a chain."""


def place_shape(
    part: Sequence[int], neighbours: Neighbours, wide: float, key: Key, ring: int = 3
) -> dict[int, Spot] | None:
    """A place for each server of a connected part, if it is of a plain shape: a tree, or rings
    and trees that hang on each other. ``wide`` is how much wider than high the place of a server
    is (``placing.stretch``), ``key`` orders what hangs on a server, ``ring`` is how many servers
    the longest of several rings has at least. Quadratic for trees, else O(servers log servers).
    """
    size = len(part)
    if size == 1:
        return {part[0]: (0.0, 0.0)}
    most = max(len(neighbours[server]) for server in part)
    links = sum(len(neighbours[server]) for server in part) // 2
    if links == size - 1 and most <= 2:
        return _chain(part, neighbours, wide)
    if links == size - 1 and most == size - 1:
        return _star(part, neighbours, wide, key) if most <= LARGEST else None
    if size > LARGEST:
        return None
    if links == size - 1:
        return _tree(part, neighbours, wide, key)
    if links == size and most == 2:
        return (
            _ring(cycle_from(min(part), part, neighbours), wide) if size <= LARGEST_RING else None
        )
    if 2 * links > 3 * (size - 1):
        return None
    return _rings(part, neighbours, wide, key, ring)


def _tree(part: Sequence[int], neighbours: Neighbours, wide: float, key: Key) -> dict[int, Spot]:
    """Of several ways to draw a tree, the one that is shown largest."""
    root = _middle(part, neighbours)
    found = [
        place_layers(root, neighbours, wide, key),
        mirrored(place_layers(root, neighbours, 1.0, key), wide),
        place_radial(root, neighbours, wide, key),
    ]
    discs = _discs(root, part, neighbours, key)
    found.append({server: (x * wide, y) for server, (x, y) in discs.items()})
    return filled(max((spots for spots in found if spots), key=lambda spots: round(fit(spots), 6)))


def _chain(part: Sequence[int], neighbours: Neighbours, wide: float) -> dict[int, Spot]:
    """Rows that go to and fro, as many as show it largest."""
    first = min(server for server in part if len(neighbours[server]) == 1)
    order = _walk(first, neighbours)
    size = len(order)
    across = GAP * wide
    tried = []
    for rows in range(1, 1 + (1 if size <= ONE_ROW else math.ceil(math.sqrt(size)))):
        columns = math.ceil(size / rows)
        spots = {}
        for at, server in enumerate(order):
            row, column = divmod(at, columns)
            spots[server] = (
                across * (columns - 1 - column if row % 2 else column),
                _ROW * row,
            )
        tried.append(spots)
    return max(tried, key=lambda spots: round(fit(spots), 6))


def _walk(first: int, neighbours: Neighbours) -> list[int]:
    """The servers of a chain from one end to the other."""
    order = [first]
    before = None
    while True:
        ahead = [other for other in neighbours[order[-1]] if other != before]
        if not ahead:
            return order
        before = order[-1]
        order.append(ahead[0])


def _ring(order: Sequence[int], wide: float) -> dict[int, Spot]:
    """An oval with all sides of one length, the first server at the left as small networks have
    it; of few servers a circle."""
    size = len(order)
    if size < EVEN_OVAL:
        return _circle(order, GAP * wide / 2 / math.sin(math.pi / size))
    direction = directions(RING_OVAL)
    angles = [direction((at / size + 0.75) % 1) for at in range(size)]
    unit = [(RING_OVAL * math.cos(angle), math.sin(angle)) for angle in angles]
    least = min(math.dist(a, b) for a, b in pairwise([*unit, unit[0]]))
    radius = GAP * wide / least
    return {server: (radius * x, radius * y) for server, (x, y) in zip(order, unit, strict=True)}


def _circle(order: Sequence[int], radius: float, turned: float = math.pi) -> dict[int, Spot]:
    step = 2 * math.pi / len(order)
    return {
        server: (
            radius * math.cos(turned + step * at),
            radius * math.sin(turned + step * at),
        )
        for at, server in enumerate(order)
    }


def _star(part: Sequence[int], neighbours: Neighbours, wide: float, key: Key) -> dict[int, Spot]:
    """The hub in the middle. Each leaf has a direction of its own; many leaves stand on several
    circles, in turn, so that each link leads between the leaves of the inner ones.
    """
    hub = max(part, key=lambda server: (len(neighbours[server]), -server))
    leaves = sorted(neighbours[hub], key=lambda leaf: key(hub, (leaf,)))
    size = len(leaves)
    apart = GAP * wide
    spots = {hub: (0.0, 0.0)}
    if size <= ONE_CIRCLE:
        radius = max(GAP, 1.3 * GAP if size > 3 else GAP, apart * size / (2 * math.pi) * 1.05)
        return {**spots, **_circle(leaves, radius, _start(size))}
    least = LANE / math.sin(2 * math.pi / size)

    def inner(circles: int) -> float:
        return max(least, apart / 2 / math.sin(math.pi / math.ceil(size / circles)))

    def outer(circles: int) -> float:
        return inner(circles) + (circles - 1) * GAP

    count = min(range(1, 10), key=lambda circles: (round(outer(circles), 3), circles))
    # A number of leaves that the circles do not share evenly leaves gaps in the outer ones only.
    slots = math.ceil(size / count) * count
    radius = max(inner(count), LANE / math.sin(2 * math.pi / slots))
    places = sorted(range(slots), key=lambda slot: (slot % count, slot))[:size]
    for leaf, slot in zip(leaves, sorted(places), strict=True):
        angle = -math.pi / 2 + 2 * math.pi * slot / slots
        here = radius + GAP * (slot % count)
        spots[leaf] = here * math.cos(angle), here * math.sin(angle)
    return spots


def _start(size: int) -> float:
    """The direction of the first leaf: so that left and right look alike, and four leaves lie
    to the four sides."""
    return math.pi if size == 2 or size % 4 == 0 else -math.pi / 2


def _middle(part: Sequence[int], neighbours: Neighbours) -> int:
    """The server of a tree from which the farthest is nearest; of two the one with more
    neighbours."""
    degree = {server: len(neighbours[server]) for server in part}
    left = set(part)
    ends = [server for server in part if degree[server] == 1]
    while len(left) > 2:
        left.difference_update(ends)
        following = []
        for end in ends:
            for other in neighbours[end]:
                if other in left:
                    degree[other] -= 1
                    if degree[other] == 1:
                        following.append(other)
        ends = following
    return min(left, key=lambda server: (-len(neighbours[server]), server))


def _discs(root: int, part: Sequence[int], neighbours: Neighbours, key: Key) -> dict[int, Spot]:
    within = biconnected(part, neighbours)
    return place_tree(hang(root, blocks_by_server(within), within, key), neighbours)


def _rings(
    part: Sequence[int], neighbours: Neighbours, wide: float, key: Key, ring: int
) -> dict[int, Spot] | None:
    """Rings and trees that hang on each other, around the ring or server in the middle of them;
    None where a block is no ring, or none is as long as ``ring``."""
    blocks = biconnected(part, neighbours)
    if max(map(len, blocks)) < ring:
        return None
    for block in blocks:
        if len(block) > 2:
            inside = set(block)
            if any(len(inside.intersection(neighbours[one])) != 2 for one in block):
                return None
    at = blocks_by_server(blocks)
    middle = _middle_block(blocks, at)
    if isinstance(middle, tuple):
        blocks = [(MIDDLE, *block) if block == middle else block for block in blocks]
        tree = hang(MIDDLE, blocks_by_server(blocks), blocks, key)
    else:
        tree = hang(middle, at, blocks, key)
    return {server: (x * wide, y * wide) for server, (x, y) in place_tree(tree, neighbours).items()}


def _middle_block(
    blocks: Sequence[tuple[int, ...]], at: Mapping[int, Sequence[int]]
) -> int | tuple[int, ...]:
    """The ring or the server in the middle of a tree of blocks."""
    joints: dict[int, set[int]] = {
        number: {one for one in block if len(at[one]) > 1} for number, block in enumerate(blocks)
    }
    open_at = {server: len(numbers) for server, numbers in at.items() if len(numbers) > 1}
    left = set(range(len(blocks)))
    ends = [number for number in left if len(joints[number]) <= 1]
    last: list[int] = ends
    while len(left) > 1 and ends:
        left.difference_update(ends)
        last = ends
        touched = {one for number in ends for one in joints[number]}
        for number in ends:
            for one in joints[number]:
                open_at[one] -= 1
        if not left:
            # Several blocks end at one server, which is the middle.
            return min(touched)
        ends = []
        for number in sorted(left):
            joints[number] = {one for one in joints[number] if open_at[one] > 1}
            if len(joints[number]) <= 1:
                ends.append(number)
    middle = blocks[min(left) if left else min(last)]
    if len(middle) > 2:
        return middle
    return min(middle, key=lambda one: (-len(at[one]), one))
