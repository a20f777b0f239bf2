"""Where servers stand in a picture: the same places for the same network, whatever is asked, on every machine and in every run.

A network is drawn as a tree of its blocks (``bubbles``, ``blocks``), so that a mesh is a ring, a zone stays together, and links seldom cross.
Nothing is random and nothing depends on the order of a hash; places are whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from topograph.forwarding.components import biconnected, blocks_by_server, connected
from topograph.viz.blocks import GAP, Spot
from topograph.viz.bubbles import hang, place_tree
from topograph.viz.clusters import place_clusters

LARGE = 60
"""Servers above which a connected part is drawn as clusters and not as one tree of discs, which would leave much of the field empty."""

CHARACTER = 7.0
"""Layout units that a character of a label takes at the size in which a small network is shown."""

LONGEST_LABEL = 30
"""Characters up to which labels make room for themselves."""

ASPECT = 1.5
"""Width by height of the field on which parts without links to each other are laid out."""

_BESIDE = 88.0
"""Two servers at a distance of GAP whose heights differ by less than a label's height are this far apart across, at least."""


def place_servers(names: Sequence[str], links: Iterable[tuple[tuple[str, str], str]]) -> dict[str, Spot]:
    """A place for each server of ``names``; ``links`` are ends and zones.

    Neighbours are about GAP apart, and no two servers are nearer. Linear in servers and links, apart from blocks that are no mesh, which are quadratic.
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
    parts = [_place_part(part, neighbours, zones) for part in connected(neighbours, neighbours)]
    wide = stretch(names)
    placed = _side_by_side([{at: (x * wide, y) for at, (x, y) in part.items()} for part in parts])
    return {name: (float(round(placed[at][0])), float(round(placed[at][1]))) for at, name in enumerate(names)}


def _place_part(
    part: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    zones: Mapping[tuple[int, int], str],
) -> dict[int, Spot]:
    """A place for each server of one connected part."""
    blocks = biconnected(part, neighbours)

    def by_zone(server: int, others: tuple[int, ...]) -> tuple[str, int]:
        """What hangs on a server by the zone that leads there, so that zones do not interleave."""
        beside = min(other for other in others if other in neighbours[server])
        return zones[min(server, beside), max(server, beside)], others[0]

    if len(part) > LARGE:
        return _turned(place_clusters(part, neighbours, blocks, by_zone))
    blocks_at = blocks_by_server(blocks)
    root = _balance(part, blocks_at, blocks)
    return place_tree(hang(root, blocks_at, blocks, by_zone), neighbours)


def _turned(spots: Mapping[int, Spot]) -> dict[int, Spot]:
    """Turned so that the picture is wider than high."""
    x = sum(spot[0] for spot in spots.values()) / len(spots)
    y = sum(spot[1] for spot in spots.values()) / len(spots)
    wide = sum((spot[0] - x) ** 2 - (spot[1] - y) ** 2 for spot in spots.values())
    across = sum((spot[0] - x) * (spot[1] - y) for spot in spots.values())
    angle = math.atan2(2 * across, wide) / 2
    cosine, sine = math.cos(angle), math.sin(angle)
    return {server: (x * cosine + y * sine, y * cosine - x * sine) for server, (x, y) in spots.items()}


def _balance(part: Sequence[int], blocks_at: Mapping[int, Sequence[int]], blocks: Sequence[tuple[int, ...]]) -> int:
    """The server from which the largest thing that hangs on it is smallest; of several the one with most blocks, then the first by name."""
    tree = hang(part[0], blocks_at, blocks, lambda _, others: others)
    behind: dict[int, int] = {}
    best = (len(part), 0, part[0])
    for server in reversed(tree.order):
        sizes = [sum(behind[other] for other in others) for others in tree.below[server]]
        behind[server] = 1 + sum(sizes)
        largest = max([*sizes, len(part) - behind[server]])
        best = min(best, (largest, -len(blocks_at.get(server, ())), server))
    return best[2]


def stretch(names: Sequence[str]) -> float:
    """How much wider than high the picture becomes, so that nine labels of ten do not touch their neighbours'."""
    if not names:
        return 1.0
    lengths = sorted(min(len(name), LONGEST_LABEL) for name in names)
    usual = lengths[math.ceil(len(lengths) * 0.9) - 1]
    return max(1.0, (usual * CHARACTER + 12) / _BESIDE)


def _side_by_side(parts: Sequence[Mapping[int, Spot]]) -> dict[int, Spot]:
    """Parts without links to each other, in rows of about equal width, the first part's root in the middle of the picture or near it."""
    if len(parts) == 1:
        return dict(parts[0])
    boxes = []
    for part in parts:
        xs, ys = [x for x, _ in part.values()], [y for _, y in part.values()]
        boxes.append((min(xs) - GAP / 2, min(ys) - GAP / 2, max(xs) - min(xs) + GAP, max(ys) - min(ys) + GAP))
    area = sum(width * height for _, _, width, height in boxes)
    row_width = max([math.sqrt(area * ASPECT), *(width for _, _, width, _ in boxes)])
    spots: dict[int, Spot] = {}
    left = top = height = 0.0
    for part, (x, y, width, high) in zip(parts, boxes, strict=True):
        if left and left + width > row_width:
            left, top, height = 0.0, top + height + GAP, 0.0
        for server, (here_x, here_y) in part.items():
            spots[server] = (left + here_x - x, top + here_y - y)
        left += width + GAP
        height = max(height, high)
    return spots
