"""How the servers of one block stand: a part in which every two servers have several ways to each
other (a biconnected component).

Each server brings a disc that holds it and everything behind it. Positions are relative to the
*entry*, the server by which the block hangs on the rest, at (0, 0); the block extends to the right
of it. Plain arithmetic in a fixed order: equal input gives equal positions on every platform.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.components import undirected
from topograph.records import record

Spot = tuple[float, float]
Neighbours = Mapping[int, Collection[int]]

GAP = 100.0
"""Between two neighbours, and so the diameter of a single server's disc."""

RING_DENSITY = 0.8
"""Share of all possible links from which a block is drawn as a ring: in a mesh no server is
nearer to another than the rest.
"""

STRESS_LIMIT = 2_000
"""Servers up to which distances in the block decide its shape (quadratic); a larger one is drawn
as rings.
"""

_SWEEPS = 60
_PUSHES = 200
_STRETCHED = 1.03
"""By how much a picture in which discs still overlap is stretched, rather than pushed further."""


@record
class ServerRoom:
    """Room for a server and all that hangs on it: radius, and how far behind the server, as seen
    from the block, its centre is. ``clear`` is how near another server may come from the front,
    if nothing else does."""

    radius: float = GAP / 2
    behind: float = 0.0
    clear: float = GAP


@record
class Shape:
    """A placed block. ``spots`` are the servers' places with the direction (radians) in which
    what hangs on them extends; the block lies within ``radius`` of the point ``centre`` to the
    right of the entry."""

    spots: Mapping[int, tuple[float, float, float]]
    centre: float
    radius: float


def place_block(
    entry: int,
    others: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    discs: Mapping[int, ServerRoom],
) -> Shape:
    """Place the servers ``others`` of a block around, ``entry`` excluded. Linear for a ring,
    else quadratic in the servers.
    """
    size = len(others) + 1
    members = {entry, *others}
    links = sum(len(members.intersection(neighbours[server])) for server in members) // 2
    if links == size and size > 3:
        return _ring(cycle_from(entry, members, neighbours)[1:], discs)
    if links >= RING_DENSITY * size * (size - 1) / 2 or size > STRESS_LIMIT:
        return _ring(others, discs)
    return _by_distance(entry, others, neighbours, discs)


def cycle_from(first: int, ring: Collection[int], neighbours: Neighbours) -> list[int]:
    """The servers of a ring in their order around it, from one of them to the smaller of its
    neighbours. Linear.
    """
    order = [first, min(other for other in neighbours[first] if other in ring)]
    while len(order) < len(ring):
        order.append(
            next(other for other in neighbours[order[-1]] if other in ring and other != order[-2])
        )
    return order


def place_around(others: Sequence[int], discs: Mapping[int, ServerRoom]) -> Shape:
    """The servers of a ring, in its order, around the middle of everything, each with as much of
    the circle as its disc needs. Linear.
    """

    def width(server: int, radius: float) -> float:
        disc = discs[server]
        return 2 * math.asin(min(1.0, disc.radius / (radius + disc.behind)))

    least = max(GAP / 2, *(discs[server].radius - discs[server].behind for server in others))
    radius = _smallest(
        lambda radius: sum(width(server, radius) for server in others), 2 * math.pi, least
    )
    spare = (2 * math.pi - sum(width(server, radius) for server in others)) / len(others)
    spots: dict[int, tuple[float, float, float]] = {}
    angle = -math.pi / 2 - width(others[0], radius) / 2 - spare / 2
    for server in others:
        wide = width(server, radius) + spare
        angle += wide / 2
        spots[server] = (radius * math.cos(angle), radius * math.sin(angle), angle)
        angle += wide / 2
    far = max(radius + discs[server].behind + discs[server].radius for server in others)
    return Shape(spots, 0.0, far)


def _ring(others: Sequence[int], discs: Mapping[int, ServerRoom]) -> Shape:
    """The entry at the left end of a circle, the others around it, each with as much of the
    circle as its disc needs.
    """

    def width(server: int, radius: float) -> float:
        disc = discs[server]
        return 2 * math.asin(min(1.0, disc.radius / (radius + disc.behind)))

    def need(radius: float) -> float:
        """How much of a full circle the servers take."""
        return 2 * math.asin(min(1.0, GAP / 2 / radius)) + sum(
            width(server, radius) for server in others
        )

    # No disc covers the middle of the ring, so that angles keep discs apart.
    least = max(GAP / 2, *(discs[server].radius - discs[server].behind for server in others))
    radius = _smallest(need, 2 * math.pi, least)
    own = math.asin(min(1.0, GAP / 2 / radius))
    spots: dict[int, tuple[float, float, float]] = {}
    # Along the circle; what is left over is shared out evenly.
    spare = (2 * math.pi - 2 * own - sum(width(server, radius) for server in others)) / (
        len(others) + 1
    )
    angle = own - math.pi
    for server in others:
        wide = width(server, radius)
        angle += spare + wide / 2
        spots[server] = (radius + radius * math.cos(angle), radius * math.sin(angle), angle)
        angle += wide / 2
    far = max(radius + discs[server].behind + discs[server].radius for server in others)
    return Shape(spots, radius, far)


def _smallest(need: Callable[[float], float], room: float, least: float) -> float:
    """The smallest value from ``least`` up at which the falling function ``need`` is at most
    ``room``.
    """
    low, high = least, least
    while need(high) > room:
        low, high = high, high * 2
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if need(middle) <= room else (middle, high)
    return high


def _by_distance(
    entry: int,
    others: Sequence[int],
    neighbours: Mapping[int, Collection[int]],
    discs: Mapping[int, ServerRoom],
) -> Shape:
    """Distances on paper follow the hops between servers, discs do not overlap, and the entry is
    turned to the left.
    """
    order = [entry, *others]
    radii = np.array([GAP / 2, *(discs[server].radius for server in others)])
    hops = _hops(order, neighbours)
    wanted = hops * GAP * 1.25 + (radii[:, None] + radii[None, :] - GAP)
    np.fill_diagonal(wanted, 0.0)
    places = apart(relax(spread_out(hops) * GAP, wanted), radii)
    places = places - places[0]
    towards = places[1:].sum(axis=0) / len(others)
    length = math.hypot(towards[0], towards[1]) or 1.0
    cosine, sine = towards[0] / length, towards[1] / length
    turned = [(x * cosine + y * sine, y * cosine - x * sine) for x, y in places.tolist()]
    middle = sum(x for x, _ in turned) / len(turned)
    spots: dict[int, tuple[float, float, float]] = {}
    far = 0.0
    for number, server in enumerate(order):
        x, y = turned[number]
        if server == entry:
            continue
        angle = math.atan2(y, x - middle) if (x, y) != (middle, 0.0) else 0.0
        behind = discs[server].behind
        spots[server] = (x - behind * math.cos(angle), y - behind * math.sin(angle), angle)
        far = max(far, math.hypot(x - middle, y) + discs[server].radius)
    return Shape(spots, middle, far)


def _hops(order: Sequence[int], neighbours: Mapping[int, Collection[int]]) -> NDArray[np.float64]:
    import rustworkx as rx

    return np.asarray(rx.distance_matrix(undirected(order, neighbours)), dtype=np.float64)


def spread_out(hops: NDArray[np.float64]) -> NDArray[np.float64]:
    """A first picture without folds: two pairs of servers far apart span the axes; what
    coincides is moved apart a little.
    """
    size = len(hops)
    left = 0
    right = int(np.argmax(hops[left]))
    left = int(np.argmax(hops[right]))
    middle = np.abs(hops[left] - hops[right]) * size - (hops[left] + hops[right])
    top = int(np.argmin(middle))
    bottom = int(np.argmax(hops[top] * size - np.abs(hops[left] - hops[right])))
    places = np.stack([hops[left] - hops[right], hops[top] - hops[bottom]], axis=1) / 2
    number = np.arange(size)
    return (
        places
        + np.stack([(number * 0.6180339887498949) % 1, (number * 0.7548776662466927) % 1], axis=1)
        * 0.5
    )


def relax(places: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stress majorisation, server by server (Gansner, Koren, North 2004): far pairs weigh less."""
    size = len(places)
    np.fill_diagonal(wanted, 1.0)
    weights = 1.0 / (wanted * wanted)
    np.fill_diagonal(weights, 0.0)
    total = weights.sum(axis=1)
    x, y = places[:, 0].copy(), places[:, 1].copy()
    for _ in range(_SWEEPS):
        for at in range(size):
            dx, dy = x[at] - x, y[at] - y
            distance = np.sqrt(dx * dx + dy * dy)
            distance[distance < 1e-6] = 1e-6
            pull = wanted[at] / distance
            x[at] = (weights[at] * (x + pull * dx)).sum() / total[at]
            y[at] = (weights[at] * (y + pull * dy)).sum() / total[at]
    return np.stack([x, y], axis=1)


def apart(places: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Discs that overlap are pushed apart, pair by pair, until hardly any do; the rest is
    stretched away.
    """
    return pushed_apart(places, radii[:, None] + radii[None, :])


def pushed_apart(places: NDArray[np.float64], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every two places at least ``reach`` apart: pushed, pair by pair, and stretched at last."""
    for _ in range(_PUSHES):
        dx = places[:, 0][:, None] - places[:, 0][None, :]
        dy = places[:, 1][:, None] - places[:, 1][None, :]
        distance = np.sqrt(dx * dx + dy * dy)
        np.fill_diagonal(distance, np.inf)
        np.maximum(distance, 1e-6, out=distance)
        stretch = float((reach / distance).max())
        if stretch <= _STRETCHED:
            return places * max(1.0, stretch)
        push = np.maximum(reach - distance, 0.0) * 0.525 / distance
        places = places + np.stack([(push * dx).sum(axis=1), (push * dy).sum(axis=1)], axis=1) * 0.5
    return places * stretch
