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
from topograph.viz.layout.fields import filled, widened
from topograph.viz.layout.meshes import Zones, meshes
from topograph.viz.layout.shapes import place_shape
from topograph.viz.layout.untangled import untangled

SMALL = 24
"""Servers up to which a network, or a connected part of a larger one, is drawn around one circle:
its middle would be empty with more.
"""

ALIGNED = 20
"""Servers up to which a small network has rows and columns."""

SMALL_RING = 7
"""Servers of a ring from which a small network of rings and trees is drawn as that: a link more
or less may make or break shorter ones."""

SMALL_MESH = 6
"""Servers of a mesh from which a small network that consists of several is drawn as these."""

ROUND = 1.25
"""How much clusters are stretched one way at most: meshes are still seen as circles."""

FILLING = 40
"""Servers up to which clusters are stretched: of more the field is full, and each new server would
move others."""

CHARACTER = 7.0
"""Layout units that a character of a label takes at the size in which a small network is shown."""

LONGEST_LABEL = 30
"""Characters up to which labels make room for themselves."""

_MOST_ROWS = 40

COLUMNS = 1.05
"""How much larger parts have to be shown in columns: rows are easier to read."""

_MANY = 200
"""Parts up to which all numbers of rows are tried."""

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
        if any(_of_meshes(part, neighbours, zones) for part in parts):
            return [_place_part(part, neighbours, zones, wide) for part in parts]
        return [_small(servers, neighbours, shown, zones, wide)]
    return [_place_part(part, neighbours, zones, wide) for part in parts]


def _place_part(
    part: Sequence[int], neighbours: Neighbours, zones: Zones, wide: float
) -> dict[int, Spot]:
    """A place for each server of one connected part."""
    shaped = place_shape(part, neighbours, wide, by_zone(neighbours, zones))
    if shaped:
        return shaped
    if len(part) > SMALL or _of_meshes(part, neighbours, zones):
        return _clustered(part, neighbours, zones, wide)
    return _small(part, neighbours, neighbours, zones, wide)


def _clustered(
    part: Sequence[int], neighbours: Neighbours, zones: Zones, wide: float
) -> dict[int, Spot]:
    placed = untangled(place_clusters(part, neighbours, zones), neighbours, zones)
    spots = {server: (x * wide, y) for server, (x, y) in placed.items()}
    return filled(spots, ROUND) if len(part) <= FILLING else spots


def _of_meshes(part: Sequence[int], neighbours: Neighbours, zones: Zones) -> bool:
    """Whether most servers of a connected part are in one of several meshes: on one circle they
    would be drawn through each other."""
    found = [mesh for mesh in meshes(part, neighbours, zones) if len(mesh) >= SMALL_MESH]
    return len(found) > 1 and 2 * sum(map(len, found)) > len(part)


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
    """Parts without links to each other in rows or columns, the largest first and where it would
    stand alone; as many in each as show them largest on a field of ASPECT."""
    if len(parts) < 2:
        return {server: spot for part in parts for server, spot in part.items()}
    boxes = []
    for part in parts:
        xs, ys = [x for x, _ in part.values()], [y for _, y in part.values()]
        boxes.append(
            (min(xs) - GAP / 2, min(ys) - GAP / 2, max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP)
        )
    tried = []
    for count in _counts(boxes):
        for high in (3, 2):
            order = [0, *sorted(range(1, len(parts)), key=lambda at: (-boxes[at][high], at))]
            # For columns width and height change places.
            sizes = [(boxes[at][5 - high], boxes[at][high]) for at in order]
            corners, size = _rows(sizes, _narrowest(sizes, count))
            if high == 2:
                corners, size = [(x, y) for y, x in corners], size[::-1]
            need = max(size[0], size[1] * ASPECT) * (COLUMNS if high == 2 else 1.0)
            tried.append((round(need), order, corners))
    _, order, corners = min(tried, key=lambda one: one[0])
    spots: dict[int, Spot] = {}
    for at, (left, top) in zip(order, corners, strict=True):
        x, y, _, _ = boxes[at]
        across = left - corners[0][0] + boxes[0][0] - x
        down = top - corners[0][1] + boxes[0][1] - y
        for server, (here_x, here_y) in parts[at].items():
            spots[server] = (here_x + across, here_y + down)
    return spots


def _counts(boxes: Sequence[tuple[float, float, float, float]]) -> Sequence[int]:
    """How many rows of boxes are tried: of many boxes about as many as a field of ASPECT has."""
    size = len(boxes)
    if size <= _MANY:
        return range(1, min(_MOST_ROWS, size) + 1)
    area = sum((width + _BETWEEN) * (height + _BETWEEN) for _, _, width, height in boxes)
    mean = sum(height + _BETWEEN for *_, height in boxes) / size
    usual = math.sqrt(area / ASPECT) / mean
    return sorted({max(1, round(usual * step / 8)) for step in range(5, 14)})


def _narrowest(sizes: Sequence[Spot], count: int) -> float:
    """The smallest width, within a unit, at which boxes in their order take no more rows."""
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
