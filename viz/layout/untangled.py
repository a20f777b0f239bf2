"""Servers of a network of few links change places in pairs where fewer links cross so, and fewer
pass over servers. What the places are does not change, only who has them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topograph.viz.layout.blocks import GAP, Spot
from topograph.viz.layout.trees import LANE

LARGEST = 150
"""Servers up to which it is tried: of more it would take more than a second."""

FEW_LINKS = 2.0
"""Links for each server up to which it is tried: those of meshes cross wherever they are."""

_FAR = 4 * GAP
"""How far apart two servers are that change places, at most."""

_SWEEPS = 2

_LENGTH = 1 / (10 * GAP)
"""What a unit of length counts, where a crossing counts 1: of like places the nearer are taken."""

_SAVED = 0.9

Places = NDArray[np.float64]


def untangled(
    spots: Mapping[int, Spot],
    neighbours: Mapping[int, Collection[int]],
    zones: Mapping[tuple[int, int], str],
) -> dict[int, Spot]:
    """The spots with some of them exchanged, between servers of the same zones. Cubic in the
    servers at worst, for at most LARGEST of them; else nothing is exchanged."""
    servers = sorted(spots)
    links = [(a, b) for a in servers for b in sorted(neighbours[a]) if a < b and b in spots]
    if len(servers) > LARGEST or not links or len(links) > FEW_LINKS * len(servers):
        return dict(spots)
    number = {server: at for at, server in enumerate(servers)}
    of: list[set[str]] = [set() for _ in servers]
    for link in links:
        for server in link:
            of[number[server]].add(zones[link])
    places = np.array([spots[server] for server in servers])
    tangle = _Tangle(places, np.array([(number[a], number[b]) for a, b in links]))
    for _ in range(_SWEEPS):
        if not sum(tangle.improve(at, of) for at in range(len(servers))):
            break
    return {
        server: (float(x), float(y))
        for server, (x, y) in zip(servers, places.tolist(), strict=True)
    }


class _Tangle:
    """Places of servers, by number, which change, and the links between them."""

    def __init__(self, places: Places, ends: NDArray[np.int64]) -> None:
        self._places = places
        self._ends = ends
        self._links = [np.flatnonzero((ends == at).any(axis=1)) for at in range(len(places))]

    def improve(self, at: int, of: Sequence[set[str]]) -> bool:
        """Lets a server change places with the one with which most is saved, if anything is."""
        places = self._places
        if not self._tangled(self._links[at], np.array([at])):
            return False
        away = ((places - places[at]) ** 2).sum(axis=1)
        best, saved = -1, _SAVED
        for other in np.flatnonzero(away < _FAR * _FAR).tolist():
            if other == at or of[other] != of[at]:
                continue
            links = np.union1d(self._links[at], self._links[other])
            before = self._cost(links, [at, other])
            if before < saved:
                continue
            places[[at, other]] = places[[other, at]]
            gain = before - self._cost(links, [at, other])
            places[[at, other]] = places[[other, at]]
            if gain > saved:
                best, saved = other, gain
        if best < 0:
            return False
        places[[at, best]] = places[[best, at]]
        return True

    def _cost(self, links: NDArray[np.int64], servers: Sequence[int]) -> float:
        """Crossings of these links, how often one passes over a server or one over these servers,
        and their length."""
        ends, places = self._ends, self._places
        lengths = np.linalg.norm(places[ends[links, 0]] - places[ends[links, 1]], axis=1)
        return self._tangled(links, np.array(servers)) + float(lengths.sum()) * _LENGTH

    def _tangled(self, links: NDArray[np.int64], servers: NDArray[np.int64]) -> float:
        return (
            self._crossings(links)
            + self._passed(links, np.arange(len(self._places)))
            + self._passed(np.arange(len(self._ends)), servers)
        )

    def _crossings(self, links: NDArray[np.int64]) -> float:
        ends, places = self._ends, self._places
        own, others = ends[links][:, None], ends[None]
        a, b = places[own[..., 0]], places[own[..., 1]]
        c, d = places[others[..., 0]], places[others[..., 1]]
        cross = (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)
        # Of two of these links a crossing is found twice.
        return float(cross.sum() - 0.5 * cross[:, links].sum())

    def _passed(self, links: NDArray[np.int64], servers: NDArray[np.int64]) -> float:
        ends, places = self._ends[links], self._places
        a, b = places[ends[:, 0]][:, None], places[ends[:, 1]][:, None]
        to, at = b - a, places[servers][None] - a
        square = (to * to).sum(axis=-1)
        along = (at * to).sum(axis=-1)
        beside = np.abs(at[..., 0] * to[..., 1] - at[..., 1] * to[..., 0])
        passed = (along > 0) & (along < square) & (beside < LANE * np.sqrt(square))
        return float((passed & (ends[:, None] != servers[None, :, None]).all(axis=-1)).sum())


def _side(a: Places, b: Places, c: Places) -> Places:
    """On which side of the line from ``a`` to ``b`` ``c`` is."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )
