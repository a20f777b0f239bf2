"""A connected network as clusters: a mesh, or a server with the servers that have no other
neighbour, is one disc that stays together.

Clusters hang together by a tree of links (``backbone``). Its first picture is radial, without
crossings; then distances on paper are brought near to those along the links, which fills the field
evenly, and discs that overlap are pushed apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.components import biconnected, blocks_by_server
from topograph.records import record
from topograph.viz.layout.backbone import Backbone, backbone
from topograph.viz.layout.blocks import GAP, Spot, apart, relax, spread_out
from topograph.viz.layout.bubbles import by_zone, hang, place_tree
from topograph.viz.layout.fields import squeezed, turned_flat
from topograph.viz.layout.meshes import Zones, heads, is_mesh

CLUSTERS = 1_000
"""The most clusters of a network, as the distances between all of them are weighed: of more,
small ones are joined.
"""

WHEEL = 5, 40
"""Servers of a mesh with one way out that is drawn as a wheel, with that server in the middle: of
more, the links of all others would cover it.
"""

LEAF_ROOM = 0.75 * GAP
"""Room around a mesh from which single servers hang outwards: those of two meshes that face each
other stand a GAP apart.
"""

_NEARER = 0.8
"""Far clusters need not be as far apart on paper as along the links: the exponent that draws
them together.
"""

_TURNS = 72
"""Turns of a cluster that are tried to keep its servers off the links that leave it."""

_BESIDE = 0.3 * GAP
"""How near to a link a server stands in its way."""

_LANE = 0.2 * GAP
"""What is kept free on either side of a link out of the hub of a wheel."""

_MEMBER = 3
"""Links into another cluster from which on a server is one of that cluster, too."""

_CLOSINGS = 150
"""Links that close cycles, above which every step between clusters counts the same."""


@record
class Cluster:
    """Servers that stand together, by their places around the middle of the disc that holds
    them, apart from single servers that stand up to ``beyond`` outside of it. The servers of
    ``ring`` stand on it in any order, around the ``hub`` if there is one (else -1); of
    ``leaves`` each hangs on a server of the cluster alone."""

    spots: Mapping[int, Spot]
    radius: float
    beyond: float = 0.0
    ring: Sequence[int] = ()
    hub: int = -1
    leaves: Mapping[int, int] = field(default_factory=dict)


def place_clusters(
    part: Sequence[int], neighbours: Mapping[int, Collection[int]], zones: Zones
) -> dict[int, Spot]:
    """A place for each server of a connected part, the middle of the network at (0, 0). Linear
    in servers and links, quadratic in clusters.
    """
    head = heads(part, neighbours, zones)
    while True:
        groups: dict[int, list[int]] = {}
        for server in part:
            groups.setdefault(head[server], []).append(server)
        # In the order of their heads, so that a server that hangs on one does not change it.
        clusters = [groups[first] for first in sorted(groups)]
        of = {server: at for at, group in enumerate(clusters) for server in group}
        between = [(a, b) for a in part for b in neighbours[a] if a < b and of[a] != of[b]]
        bones = backbone(clusters, of, between)
        if len(clusters) <= CLUSTERS:
            break
        head = _joined(clusters, bones, len(part) // CLUSTERS)
    gates: list[list[tuple[int, int]]] = [[] for _ in clusters]
    for a, b in (*bones.tree, *bones.closing):
        gates[of[a]].append((a, of[b]))
        gates[of[b]].append((b, of[a]))
    made = [
        _cluster(group, [server for server, _ in gates[at]], neighbours, zones, of)
        for at, group in enumerate(clusters)
    ]
    radii = np.array([cluster.radius for cluster in made])
    beyond = np.array([cluster.beyond for cluster in made])
    field_ = dict(enumerate(map(tuple, _field(bones, of, radii).tolist())))
    wide = squeezed(turned_flat(field_))
    centres = apart(np.array([wide[at] for at in range(len(made))]), radii + beyond + GAP / 4)
    centres -= centres[bones.order[0]]
    spots: dict[int, Spot] = {}
    for at, cluster in enumerate(made):
        x, y = float(centres[at, 0]), float(centres[at, 1])
        leads = [
            (server, (float(centres[to, 0]) - x, float(centres[to, 1]) - y))
            for server, to in gates[at]
        ]
        own = _facing(cluster, leads)
        turned = 0.0 if cluster.ring else _turn(cluster, leads)
        cosine, sine = math.cos(turned), math.sin(turned)
        for server, (dx, dy) in own.items():
            spots[server] = (x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)
    return spots


def _joined(clusters: Sequence[Sequence[int]], bones: Backbone, least: int) -> dict[int, int]:
    """The first server of each cluster, with small clusters joined to the one they hang on, from
    the ends of the tree inwards.
    """
    size = [len(cluster) for cluster in clusters]
    into = list(range(len(clusters)))
    most = 2 * max(least, 2 * min(size))
    for here in reversed(bones.order[1:]):
        before = bones.parent[here]
        if size[here] + size[before] <= most:
            size[before] += size[here]
            into[here] = before
    for here in bones.order[1:]:
        into[here] = into[into[here]]
    first: dict[int, int] = {}
    for at, cluster in enumerate(clusters):
        first[into[at]] = min(first.get(into[at], cluster[0]), cluster[0])
    return {server: first[into[at]] for at, cluster in enumerate(clusters) for server in cluster}


def _cluster(
    group: Sequence[int],
    gates: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    zones: Zones,
    of: Mapping[int, int],
) -> Cluster:
    """The servers of a cluster: a wheel around its one gate, a ring, or a tree of discs."""
    if len(group) == 1:
        return Cluster({group[0]: (0.0, 0.0)}, GAP / 2)
    inside = set(group)
    core = [server for server in group if len(inside.intersection(neighbours[server])) > 1]
    leaves = {
        server: min(inside.intersection(neighbours[server]))
        for server in group
        if server not in core
    }
    if len(core) > 2 and len(set(leaves.values())) == len(leaves) and is_mesh(core, neighbours):
        wheel = WHEEL[0] <= len(core) <= WHEEL[1] and len(set(gates)) == 1 and gates[0] in core
        if wheel and not _is_of_another(gates[0], neighbours, of):
            return _wheel(core, leaves, gates[0], len(gates))
        return _ring(core, leaves)
    within = biconnected(group, neighbours)
    at = blocks_by_server(within)

    root = max(group, key=lambda server: (len(at.get(server, ())), gates.count(server), -server))
    spots = place_tree(
        hang(root, at, within, by_zone(neighbours, zones)),
        {s: inside.intersection(neighbours[s]) for s in group},
    )
    xs, ys = [x for x, _ in spots.values()], [y for _, y in spots.values()]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    placed = {server: (here[0] - x, here[1] - y) for server, here in spots.items()}
    return Cluster(placed, max(math.hypot(*spot) for spot in placed.values()) + GAP / 2)


def _is_of_another(
    server: int, neighbours: Mapping[int, Collection[int]], of: Mapping[int, int]
) -> bool:
    """Whether a server is also one of another cluster (``of``): in the middle of its own, the area
    of the other would cover servers around it."""
    there = Counter(of[one] for one in neighbours[server] if of[one] != of[server])
    return max(there.values(), default=0) >= _MEMBER


def _wheel(core: Sequence[int], leaves: Mapping[int, int], hub: int, leads: int) -> Cluster:
    """A mesh around one of its servers; what hangs on that one stands among the others, and its
    links leave between them.
    """
    rim = [server for server in core if server != hub] + [
        leaf for leaf, on in leaves.items() if on == hub
    ]
    outside = {leaf: on for leaf, on in leaves.items() if on != hub}
    radius = max(GAP, _radius(len(rim) + 2 * leads * _LANE / GAP))
    spots = {hub: (0.0, 0.0), **_around(rim, _evenly(len(rim)), outside, radius)}
    return Cluster(spots, radius + GAP / 2, _room(outside), rim, hub, outside)


def _ring(core: Sequence[int], leaves: Mapping[int, int]) -> Cluster:
    radius = _radius(len(core))
    return Cluster(
        _around(core, _evenly(len(core)), leaves, radius),
        radius + GAP / 2,
        _room(leaves),
        core,
        leaves=leaves,
    )


def _radius(size: float) -> float:
    return GAP / 2 / math.sin(math.pi / size)


def _room(leaves: Mapping[int, int]) -> float:
    return LEAF_ROOM if leaves else 0.0


def _evenly(size: int) -> list[float]:
    """The directions of so many places around a circle."""
    return [2 * math.pi * (number + 0.5) / size for number in range(size)]


def _around(
    ring: Sequence[int], directions: Sequence[float], leaves: Mapping[int, int], radius: float
) -> dict[int, Spot]:
    """Servers on a circle, and each leaf outside of the one it hangs on."""
    spots = {
        server: (radius * math.cos(angle), radius * math.sin(angle))
        for server, angle in zip(ring, directions, strict=True)
    }
    for leaf, on in leaves.items():
        x, y = spots[on]
        spots[leaf] = (x * (radius + GAP) / radius, y * (radius + GAP) / radius)
    return spots


def _facing(cluster: Cluster, leads: Sequence[tuple[int, Spot]]) -> Mapping[int, Spot]:
    """The places in a cluster. Around a hub they leave room for its links; those on a ring are
    given to the servers whose links leave it first, nearest to where these lead."""
    if not cluster.ring or not leads:
        return cluster.spots
    radius = cluster.radius - GAP / 2
    if cluster.hub >= 0:
        directions = _between(
            [math.atan2(y, x) for _, (x, y) in leads], math.asin(_LANE / radius), len(cluster.ring)
        )
        return {
            cluster.hub: (0.0, 0.0),
            **_around(cluster.ring, directions, cluster.leaves, radius),
        }
    wanted: dict[int, list[Spot]] = {}
    for server, (x, y) in leads:
        length = math.hypot(x, y) or 1.0
        wanted.setdefault(cluster.leaves.get(server, server), []).append((x / length, y / length))
    free = list(range(len(cluster.ring)))
    at: dict[int, int] = {}
    for server in sorted(wanted):
        x, y = sum(x for x, _ in wanted[server]), sum(y for _, y in wanted[server])
        best = max(free, key=lambda one: (round(_along(one, len(cluster.ring), (x, y)), 6), -one))
        free.remove(best)
        at[best] = server
    rest = iter(server for server in cluster.ring if server not in wanted)
    order = [at[one] if one in at else next(rest) for one in range(len(cluster.ring))]
    return _around(order, _evenly(len(order)), cluster.leaves, radius)


def _between(leads: Sequence[float], beside: float, size: int) -> list[float]:
    """So many directions around a circle, none nearer than ``beside`` to one of ``leads``, and
    otherwise evenly.
    """
    kept = sorted(lead % (2 * math.pi) for lead in leads)
    arcs = []
    for number, lead in enumerate(kept):
        following = kept[number + 1] if number + 1 < len(kept) else kept[0] + 2 * math.pi
        arcs.append((lead + beside, max(0.0, following - lead - 2 * beside)))
    step = sum(length for _, length in arcs) / size
    directions: list[float] = []
    done = 0.0
    for start, length in arcs:
        while len(directions) < size and (len(directions) + 0.5) * step <= done + length:
            directions.append(start + (len(directions) + 0.5) * step - done)
        done += length
    return directions + [arcs[-1][0]] * (size - len(directions))


def _along(place: int, size: int, direction: Spot) -> float:
    """How far a place on the ring lies in a direction."""
    angle = 2 * math.pi * (place + 0.5) / size
    return direction[0] * math.cos(angle) + direction[1] * math.sin(angle)


def _field(
    bones: Backbone, of: Mapping[int, int], radii: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The middles of the clusters, some of which may overlap yet."""
    size = len(radii)
    if size == 1:
        return np.zeros((1, 2))
    distances = np.zeros((size, size))
    depth = np.zeros(size)
    for step, here in enumerate(bones.order[1:], 1):
        before = bones.parent[here]
        length = radii[here] + radii[before] + GAP
        depth[here] = depth[before] + length
        seen = bones.order[:step]
        distances[here, seen] = distances[seen, here] = distances[before, seen] + length
    if len(bones.closing) > _CLOSINGS:
        distances = _steps(bones, of, size) * float(2 * radii.mean() + GAP)
    else:
        for a, b in bones.closing:
            one, other = of[a], of[b]
            across = (
                distances[:, one, None]
                + (radii[one] + radii[other] + GAP)
                + distances[None, other, :]
            )
            distances = np.minimum(distances, np.minimum(across, across.T))
    places = (
        spread_out(distances) if bones.cyclic else _radial(bones.order, bones.parent, depth, radii)
    )
    wanted = np.maximum(
        distances**_NEARER * float(np.median(radii) * 2 + GAP) ** (1 - _NEARER),
        radii[:, None] + radii[None, :],
    )
    np.fill_diagonal(wanted, 0.0)
    return relax(places, wanted)


def _steps(bones: Backbone, of: Mapping[int, int], size: int) -> NDArray[np.float64]:
    """The distances between clusters in links."""
    import rustworkx as rx

    graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from_no_data([(of[a], of[b]) for a, b in (*bones.tree, *bones.closing)])
    return np.asarray(rx.distance_matrix(graph), dtype=np.float64)


def _radial(
    order: Sequence[int],
    parent: Mapping[int, int],
    depth: NDArray[np.float64],
    radii: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Every cluster at its distance from the middle, in a sector as wide as what hangs on it is
    large.
    """
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


def _turn(cluster: Cluster, leads: Sequence[tuple[int, Spot]]) -> float:
    """The turn that brings the gates of a cluster nearest to where their links lead, and then as
    little farther as keeps its other servers off them.
    """
    if len(cluster.spots) == 1 or not leads:
        return 0.0
    across = along = 0.0
    for server, (dx, dy) in leads:
        x, y = cluster.spots[server]
        length = math.hypot(dx, dy) or 1.0
        across += (x * dy - y * dx) / length
        along += (x * dx + y * dy) / length
    best = math.atan2(across, along) if math.hypot(across, along) > 1.0 else 0.0
    if len(leads) * len(cluster.spots) > 5_000:
        return best
    found: list[tuple[int, int, float]] = []
    for step in sorted(range(-_TURNS // 4, _TURNS // 4 + 1), key=lambda step: (abs(step), step)):
        turn = best + 2 * math.pi / _TURNS * step
        found.append((_in_the_way(cluster, leads, turn), len(found), turn))
        if not found[-1][0]:
            break
    return min(found)[2]


def _in_the_way(cluster: Cluster, leads: Sequence[tuple[int, Spot]], turn: float) -> int:
    """How many servers of a turned cluster stand on a link that leaves it."""
    cosine, sine = math.cos(turn), math.sin(turn)
    found = 0
    for gate, (to_x, to_y) in leads:
        # The link's end, as seen from the cluster before it is turned.
        end_x, end_y = to_x * cosine + to_y * sine, to_y * cosine - to_x * sine
        x, y = cluster.spots[gate]
        dx, dy = end_x - x, end_y - y
        length = math.hypot(dx, dy) or 1.0
        for server, (here_x, here_y) in cluster.spots.items():
            far = ((here_x - x) * dx + (here_y - y) * dy) / length
            beside = abs((here_x - x) * dy - (here_y - y) * dx) / length
            found += server != gate and 0 < far < length and beside < _BESIDE
    return found
