"""A large connected network as clusters: a mesh, or a server with the servers that have no other neighbour, is one disc that stays together.

Clusters hang together as a tree. Its first picture is radial, without crossings; then distances on paper are brought near to those along the
tree, which fills the field evenly, and discs that overlap are pushed apart.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.components import biconnected, blocks_by_server, connected
from topograph.viz.blocks import GAP, RING_DENSITY, Spot, apart, relax
from topograph.viz.bubbles import Key, hang, place_tree

CLUSTERS = 1_000
"""The most clusters of a network, as the distances between all of them are weighed: of more, small ones are joined."""

WHEEL = 5
"""Servers from which a mesh with one way out is drawn as a wheel, with that server in the middle."""

_NEARER = 0.8
"""Far clusters need not be as far apart on paper as along the tree: the exponent that draws them together."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Servers that stand together, by their places around the middle of the disc that holds them."""

    spots: Mapping[int, Spot]
    radius: float


def place_clusters(
    part: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    blocks: Sequence[tuple[int, ...]],
    key: Key,
) -> dict[int, Spot]:
    """A place for each server of a connected part. Linear in servers and links, quadratic in clusters."""
    member_of = _membership(part, neighbours, blocks)
    groups: dict[int, list[int]] = {}
    for server in part:
        groups.setdefault(member_of[server], []).append(server)
    number = {head: at for at, head in enumerate(groups)}
    gates: list[list[tuple[int, int]]] = [[] for _ in groups]
    for server in part:
        here = number[member_of[server]]
        gates[here] += [
            (server, number[member_of[other]])
            for other in sorted(neighbours[server])
            if member_of[other] != member_of[server]
        ]
    clusters = [
        _cluster(group, [server for server, _ in gates[at]], neighbours, key)
        for at, group in enumerate(groups.values())
    ]
    radii = np.array([cluster.radius for cluster in clusters])
    centres = _field([sorted({other for _, other in found}) for found in gates], radii)
    spots: dict[int, Spot] = {}
    for at, cluster in enumerate(clusters):
        x, y = float(centres[at, 0]), float(centres[at, 1])
        turned = _towards(cluster, gates[at], centres, at)
        cosine, sine = math.cos(turned), math.sin(turned)
        for server, (dx, dy) in cluster.spots.items():
            spots[server] = (x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)
    return spots


def _membership(
    part: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    blocks: Sequence[tuple[int, ...]],
) -> dict[int, int]:
    """The first server of the cluster that each server is in: of its largest block, or of the only server it is linked to."""
    member_of: dict[int, int] = {}
    for block in sorted(blocks, key=lambda block: (-len(block), block)):
        free = [server for server in block if server not in member_of]
        # Without the servers that a larger block has, what is left may hang together no more.
        for group in connected(free, neighbours) if len(block) > 2 else ():
            member_of.update(dict.fromkeys(group, group[0]))
    for server in part:
        if server not in member_of and len(neighbours[server]) > 1:
            member_of[server] = server
    for server in part:
        if server not in member_of:
            member_of[server] = member_of.get(next(iter(neighbours[server]), server), server)
    return _joined(part, neighbours, member_of)


def _joined(
    part: Sequence[int], neighbours: Mapping[int, Collection[int]], member_of: dict[int, int]
) -> dict[int, int]:
    """The membership with small clusters joined to the one they hang on, from the ends of the tree inwards, until there are at most CLUSTERS."""
    most = len(part) // CLUSTERS
    while len(heads := sorted(set(member_of.values()))) > CLUSTERS:
        most *= 2
        number = {head: at for at, head in enumerate(heads)}
        size = [0] * len(heads)
        linked: list[set[int]] = [set() for _ in heads]
        for server in part:
            here = number[member_of[server]]
            size[here] += 1
            linked[here].update(
                number[member_of[other]] for other in neighbours[server] if member_of[other] != heads[here]
            )
        order, before = _tree([sorted(found) for found in linked])
        into = list(range(len(heads)))
        for here in reversed(order[1:]):
            if size[here] + size[before[here]] <= most:
                size[before[here]] += size[here]
                into[here] = before[here]
        for here in order[1:]:
            into[here] = into[into[here]]
        member_of = {server: heads[into[number[head]]] for server, head in member_of.items()}
    return member_of


def _cluster(
    group: Sequence[int],
    gates: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    key: Key,
) -> Cluster:
    """The servers of a cluster: a wheel around its one gate, or a tree of discs of its own."""
    inside = set(group)
    links = sum(len(inside.intersection(neighbours[server])) for server in group) // 2
    mesh = links >= RING_DENSITY * len(group) * (len(group) - 1) / 2
    if mesh and len(group) >= WHEEL and len(set(gates)) == 1:
        return _wheel(group, gates[0])
    within = biconnected(group, neighbours)
    at = blocks_by_server(within)
    root = max(group, key=lambda server: (len(at.get(server, ())), gates.count(server), -server))
    spots = place_tree(hang(root, at, within, key), {s: inside.intersection(neighbours[s]) for s in group})
    xs, ys = [x for x, _ in spots.values()], [y for _, y in spots.values()]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    placed = {server: (here[0] - x, here[1] - y) for server, here in spots.items()}
    return Cluster(placed, max(math.hypot(*spot) for spot in placed.values()) + GAP / 2)


def _wheel(group: Sequence[int], hub: int) -> Cluster:
    rim = [server for server in group if server != hub]
    radius = max(GAP, GAP / 2 / math.sin(math.pi / len(rim)))
    spots: dict[int, Spot] = {hub: (0.0, 0.0)}
    for number, server in enumerate(rim):
        angle = 2 * math.pi * (number + 0.5) / len(rim)
        spots[server] = (radius * math.cos(angle), radius * math.sin(angle))
    return Cluster(spots, radius + GAP / 2)


def _field(linked: Sequence[Sequence[int]], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middles of the clusters, which ``linked`` joins to a tree."""
    size = len(linked)
    if size == 1:
        return np.zeros((1, 2))
    order, parent = _tree(linked)
    distances = np.zeros((size, size))
    depth = np.zeros(size)
    for step, here in enumerate(order[1:], 1):
        before = parent[here]
        length = radii[here] + radii[before] + GAP
        depth[here] = depth[before] + length
        seen = order[:step]
        distances[here, seen] = distances[seen, here] = distances[before, seen] + length
    places = _radial(order, parent, depth, radii)
    wanted = np.maximum(
        distances**_NEARER * float(np.median(radii) * 2 + GAP) ** (1 - _NEARER), radii[:, None] + radii[None, :]
    )
    np.fill_diagonal(wanted, 0.0)
    return apart(relax(places, wanted), radii + GAP / 4)


def _tree(linked: Sequence[Sequence[int]]) -> tuple[list[int], dict[int, int]]:
    """Clusters from the middle of the tree outwards, and for each the one before it."""

    def farthest(start: int) -> tuple[list[int], dict[int, int]]:
        order, before = [start], {start: -1}
        for here in order:
            for there in linked[here]:
                if there not in before:
                    before[there] = here
                    order.append(there)
        return order, before

    one_end = farthest(0)[0][-1]
    order, before = farthest(one_end)
    middle = [order[-1]]
    while before[middle[-1]] >= 0:
        middle.append(before[middle[-1]])
    return farthest(middle[len(middle) // 2])


def _radial(
    order: Sequence[int], parent: Mapping[int, int], depth: NDArray[np.float64], radii: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Every cluster at its distance from the middle, in a sector as wide as what hangs on it is large."""
    weight = radii.copy()
    children: dict[int, list[int]] = {}
    for here in reversed(order[1:]):
        weight[parent[here]] += weight[here]
        children.setdefault(parent[here], []).append(here)
    sector = {order[0]: (0.0, 2 * math.pi)}
    places = np.zeros((len(order), 2))
    for here in order:
        low, high = sector[here]
        angle = (low + high) / 2
        places[here] = depth[here] * math.cos(angle), depth[here] * math.sin(angle)
        below = children.get(here, [])
        total = sum(float(weight[child]) for child in below)
        for child in below:
            part = (high - low) * float(weight[child]) / total
            sector[child] = (low, low + part)
            low += part
    return places


def _towards(cluster: Cluster, gates: Sequence[tuple[int, int]], centres: NDArray[np.float64], at: int) -> float:
    """The turn that brings the gates of a cluster nearest to where their links lead."""
    across = along = 0.0
    for server, other in gates:
        x, y = cluster.spots[server]
        dx, dy = (float(value) for value in centres[other] - centres[at])
        length = math.hypot(dx, dy) or 1.0
        across += (x * dy - y * dx) / length
        along += (x * dx + y * dy) / length
    return math.atan2(across, along) if (across, along) != (0.0, 0.0) else 0.0
