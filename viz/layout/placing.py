"""Where servers stand in a picture: the same places for the same network, whatever is asked, on
every machine and in every run.

A connected part of a plain shape is drawn as that (``shapes``): a chain, a ring, a star, a tree.
Any other small network is drawn in an order around an oval (``circle``), a larger one as clusters
that hang together by a tree of links (``clusters``): a mesh is a ring, a zone stays together, and
links seldom cross. Nothing is random and nothing depends on the order of a hash; places are whole
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from topograph.forwarding.components import connected
from topograph.viz.layout.aligned import aligned
from topograph.viz.layout.blocks import GAP, Neighbours, Spot
from topograph.viz.layout.bubbles import by_zone
from topograph.viz.layout.circle import deciding_neighbours, place_circle
from topograph.viz.layout.clusters import place_clusters
from topograph.viz.layout.fields import widened
from topograph.viz.layout.meshes import Zones
from topograph.viz.layout.shapes import place_shape

SMALL = 24
"""Servers up to which a network, or a connected part of a larger one, is drawn around one circle:
its middle would be empty with more.
"""

ALIGNED = 20
"""Servers up to which a small network has rows and columns."""

SMALL_RING = 7
"""Servers of a ring from which a small network of rings and trees is drawn as that: a link more
or less may make or break shorter ones."""

CHARACTER = 7.0
"""Layout units that a character of a label takes at the size in which a small network is shown."""

LONGEST_LABEL = 30
"""Characters up to which labels make room for themselves."""

_MOST_ROWS = 40

_BETWEEN = 0.4 * GAP
"""Between the boxes of two parts, which have half a GAP around their servers: room for outlines and
names."""

_NEARLY = 0.75
"""Share of the width from which the last row of parts is spread over all of it."""

ASPECT = 1.5
"""Width by height of the field on which parts without links to each other are laid out."""

_BESIDE = 88.0
"""Two servers at a distance of GAP whose heights differ by less than a label's height are this
far apart across, at least.
"""


def place_servers(
    names: Sequence[str], links: Iterable[tuple[tuple[str, str], str]]
) -> dict[str, Spot]:
    """A place for each server of ``names``; ``links`` are ends and zones.

    Neighbours are about GAP apart, and no two servers are nearer. Linear in servers and links,
    apart from blocks that are no mesh, which are quadratic.
    """
    number = {name: at for at, name in enumerate(names)}
    neighbours: dict[int, set[int]] = {at: set() for at in range(len(names))}
    zones: dict[tuple[int, int], str] = {}
    for (first, second), zone in links:
        a, b = number[first], number[second]
        if a != b:
            neighbours[a].add(b)
            neighbours[b].add(a)
            pair = min(a, b), max(a, b)
            zones[pair] = min(zones.get(pair, zone), zone)
    wide = stretch(names)
    parts = _placed_parts(neighbours, zones, wide) if names else []
    placed = _side_by_side(parts)
    return {
        name: (float(round(placed[at][0])), float(round(placed[at][1])))
        for at, name in enumerate(names)
    }


def _placed_parts(neighbours: Neighbours, zones: Zones, wide: float) -> list[dict[int, Spot]]:
    """The parts, the largest first, each with a place for each of its servers. A small network
    of which a part is of no plain shape is placed as one."""
    parts = connected(neighbours, neighbours)
    if len(neighbours) <= SMALL:
        servers = sorted(neighbours)
        shown = deciding_neighbours(servers, neighbours, zones)
        key = by_zone(shown, zones)
        shaped = [place_shape(part, shown, wide, key, SMALL_RING) for part in parts]
        if all(shaped):
            return [part for part in shaped if part]
        return [_small(servers, neighbours, shown, zones, wide)]
    return [_place_part(part, neighbours, zones, wide) for part in parts]


def _place_part(
    part: Sequence[int], neighbours: Neighbours, zones: Zones, wide: float
) -> dict[int, Spot]:
    """A place for each server of one connected part."""
    shaped = place_shape(part, neighbours, wide, by_zone(neighbours, zones))
    if shaped:
        return shaped
    if len(part) > SMALL:
        placed = place_clusters(part, neighbours, zones)
        return {server: (x * wide, y) for server, (x, y) in placed.items()}
    return _small(part, neighbours, neighbours, zones, wide)


def _small(
    servers: Sequence[int],
    neighbours: Neighbours,
    shown: Neighbours,
    zones: Zones,
    wide: float,
) -> dict[int, Spot]:
    """A place for each server of a small network of no plain shape; ``shown`` are the neighbours
    that decide where servers stand."""
    placed = place_circle(servers, neighbours, zones)
    if len(servers) <= ALIGNED:
        placed = aligned(placed, shown)
    return widened(placed, wide)


def stretch(names: Sequence[str]) -> float:
    """How much wider than high the picture becomes, so that nine labels of ten do not touch
    their neighbours'.
    """
    if not names:
        return 1.0
    lengths = sorted(min(len(name), LONGEST_LABEL) for name in names)
    usual = lengths[math.ceil(len(lengths) * 0.9) - 1]
    return max(1.0, (usual * CHARACTER + 12) / _BESIDE)


def _side_by_side(parts: Sequence[Mapping[int, Spot]]) -> dict[int, Spot]:
    """Parts without links to each other in rows, the largest first and where it would stand
    alone; as many in a row as show them largest on a field of ASPECT."""
    if len(parts) < 2:
        return {server: spot for part in parts for server, spot in part.items()}
    boxes = []
    for part in parts:
        xs, ys = [x for x, _ in part.values()], [y for _, y in part.values()]
        boxes.append(
            (min(xs) - GAP / 2, min(ys) - GAP / 2, max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP)
        )
    order = [0, *sorted(range(1, len(parts)), key=lambda at: (-boxes[at][3], at))]
    sizes = [(boxes[at][2], boxes[at][3]) for at in order]
    tried = [_rows(sizes, _narrowest(sizes, count)) for count in range(1, _MOST_ROWS + 1)]
    corners, _ = min(tried, key=lambda one: max(one[1][0], one[1][1] * ASPECT))
    spots: dict[int, Spot] = {}
    for at, (left, top) in zip(order, corners, strict=True):
        x, y, _, _ = boxes[at]
        across = left - corners[0][0] + boxes[0][0] - x
        down = top - corners[0][1] + boxes[0][1] - y
        for server, (here_x, here_y) in parts[at].items():
            spots[server] = (here_x + across, here_y + down)
    return spots


def _narrowest(sizes: Sequence[Spot], count: int) -> float:
    """The smallest width, within a unit, at which boxes in their order take at most so many rows."""
    low, high = max(width for width, _ in sizes), sum(width + _BETWEEN for width, _ in sizes)
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_filled_rows(sizes, middle)) <= count else (middle, high)
    return high


def _filled_rows(sizes: Sequence[Spot], most: float) -> list[list[Spot]]:
    rows: list[list[Spot]] = []
    left = math.inf
    for width, height in sizes:
        if left + width > most + 1:
            rows.append([])
            left = 0.0
        rows[-1].append((width, height))
        left += width + _BETWEEN
    return rows


def _rows(sizes: Sequence[Spot], most: float) -> tuple[list[Spot], Spot]:
    """The upper left corners of boxes in rows of at most a width, and the width and height of
    all. Each row is spread over the whole width, the last one if it is nearly full; in a row the
    boxes are at one height by their middles.
    """
    rows = _filled_rows(sizes, most)
    taken = [sum(width + _BETWEEN for width, _ in row) - _BETWEEN for row in rows]
    field = max(taken)
    corners: list[Spot] = []
    top = 0.0
    for row, own in zip(rows, taken, strict=True):
        spread = len(row) > 1 and (row is not rows[-1] or own > _NEARLY * field)
        between = _BETWEEN + ((field - own) / (len(row) - 1) if spread else 0.0)
        high = max(height for _, height in row)
        left = 0.0
        for width, height in row:
            corners.append((left, top + (high - height) / 2))
            left += width + between
        top += high + _BETWEEN
    return corners, (field, top - _BETWEEN)
