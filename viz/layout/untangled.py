"""Servers of a network of few links change places in pairs where fewer links cross so, and fewer
pass over servers. What the places are does not change, only who has them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

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
    alike = np.array([[one == other for other in of] for one in of])
    places = np.array([spots[server] for server in servers])
    tangle = _Tangle(places, np.array([(number[a], number[b]) for a, b in links]))
    for _ in range(_SWEEPS):
        if not sum(tangle.improve(at, alike[at]) for at in range(len(servers))):
            break
    return {
        server: (float(x), float(y))
        for server, (x, y) in zip(servers, places.tolist(), strict=True)
    }


class _Tangle:
    """Places of servers, by number, which change, and the links between them: which of the links
    cross (links x links) and which pass over which servers (links x servers)."""

    def __init__(self, places: Places, ends: NDArray[np.int64]) -> None:
        self._places = places
        self._ends = ends
        self._of = (ends[:, 0] == np.arange(len(places))[:, None]) | (
            ends[:, 1] == np.arange(len(places))[:, None]
        )
        self._read()

    def _read(self) -> None:
        """Reads of the places as they are what crosses, what is passed over, and lengths."""
        a, b = self._places[self._ends[:, 0]], self._places[self._ends[:, 1]]
        self._crosses = _cross(a[:, None], b[:, None], a[None], b[None]).astype(np.float64)
        over = _passes(a[:, None], b[:, None], self._places[None])
        self._passed = (over & ~self._of.T).astype(np.float64)
        self._lengths = np.linalg.norm(a - b, axis=1)

    def improve(self, at: int, alike: NDArray[np.bool_]) -> bool:
        """Lets a server change places with the one of those ``alike`` with which most is saved,
        if anything is."""
        if not self._tangled(self._of[[at]], np.array([[at]]))[0]:
            return False
        away = ((self._places - self._places[at]) ** 2).sum(axis=1)
        near = alike & (away < _FAR * _FAR)
        near[at] = False
        others = np.flatnonzero(near)
        pairs = np.stack([np.full_like(others, at), others], axis=1)
        moved = self._of[at] | self._of[others]
        before = self._tangled(moved, pairs) + (moved @ self._lengths) * _LENGTH
        worth = before >= _SAVED
        pairs, moved, before = pairs[worth], moved[worth], before[worth]
        if not len(pairs):
            return False
        saved = before - self._exchanged(moved, pairs)
        best = int(saved.argmax())
        if saved[best] <= _SAVED:
            return False
        self._places[pairs[best]] = self._places[pairs[best][::-1]]
        self._read()
        return True

    def _tangled(self, links: NDArray[np.bool_], servers: NDArray[np.int64]) -> Places:
        """For each row of links (rows x links) and servers (rows x some): crossings of the links,
        how often one passes over a server, and how often any passes over one of the servers."""
        chosen = links.astype(np.float64)
        crossings = chosen @ self._crosses
        # Of two of these links a crossing is found twice.
        twice = (crossings * chosen).sum(axis=1)
        passed = chosen @ self._passed.sum(axis=1) + self._passed.sum(axis=0)[servers].sum(axis=1)
        tangled: Places = crossings.sum(axis=1) - 0.5 * twice + passed
        return tangled

    def _exchanged(self, moved: NDArray[np.bool_], pairs: NDArray[np.int64]) -> Places:
        """What each pair of servers would cost if they changed places, of the links that move then
        (pairs x links)."""
        places = np.repeat(self._places[None], len(pairs), axis=0)
        rows = np.arange(len(pairs))[:, None]
        places[rows, pairs] = places[rows, pairs[:, ::-1]]
        a, b = places[:, self._ends[:, 0]], places[:, self._ends[:, 1]]
        of, link = np.nonzero(moved)
        own_a, own_b = a[of, link], b[of, link]
        cross = _cross(own_a[:, None], own_b[:, None], a[of], b[of])
        crossings = cross.sum(axis=1) - 0.5 * (cross & moved[of]).sum(axis=1)
        over = _passes(own_a[:, None], own_b[:, None], places[of]) & ~self._of.T[link]
        lengths = np.linalg.norm(own_a - own_b, axis=1) * _LENGTH
        counted = np.bincount(of, crossings + over.sum(axis=1) + lengths, len(pairs))
        under = _passes(a[:, :, None], b[:, :, None], places[rows, pairs][:, None])
        own = self._of.T[:, pairs].transpose(1, 0, 2)
        cost: Places = counted + (under & ~own).sum(axis=(1, 2))
        return cost


def _cross(a: Places, b: Places, c: Places, d: Places) -> NDArray[np.bool_]:
    """Whether the line from ``a`` to ``b`` crosses that from ``c`` to ``d``."""
    return (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)


def _passes(a: Places, b: Places, at: Places) -> NDArray[np.bool_]:
    """Whether the line from ``a`` to ``b`` passes nearer than a lane to ``at``."""
    to, off = b - a, at - a
    square = (to * to).sum(axis=-1)
    along = (off * to).sum(axis=-1)
    beside = np.abs(off[..., 0] * to[..., 1] - off[..., 1] * to[..., 0])
    passes: NDArray[np.bool_] = (along > 0) & (along < square) & (beside < LANE * np.sqrt(square))
    return passes


def _side(a: Places, b: Places, c: Places) -> Places:
    """On which side of the line from ``a`` to ``b`` ``c`` is."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )
