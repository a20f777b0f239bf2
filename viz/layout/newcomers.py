"""Where servers stand that a change brings: beside their neighbours, in free places, without
moving the servers that stand already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from topograph.viz.layout.blocks import GAP, Spot
from topograph.viz.layout.placing import stretch

_DIRECTIONS = 12
"""Places that are tried on each circle around a neighbour."""


def place_newcomers(
    spots: Mapping[str, Spot], names: Sequence[str], links: Iterable[tuple[str, str]]
) -> dict[str, Spot]:
    """``spots`` with a place for each of ``names``, in their order: the first free one around a
    neighbour that has a place, on the side away from the others first; to the right of
    everything where no neighbour has one. ``links`` are the ends of all links. About linear in
    servers and links."""
    placed = dict(spots)
    if not names:
        return placed
    wide = stretch([*spots, *names])
    taken = _Taken(wide)
    for spot in placed.values():
        taken.add(spot)
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for first, second in links:
        for here, there in ((first, second), (second, first)):
            if here in neighbours and here != there:
                neighbours[here].add(there)
    middle = _middle(placed.values())
    waiting = list(names)
    while waiting:
        # One whose neighbour stands already comes before those that would have to wait for it.
        name = next(
            (one for one in waiting if any(other in placed for other in neighbours[one])),
            waiting[0],
        )
        waiting.remove(name)
        beside = min((other for other in neighbours[name] if other in placed), default=None)
        if beside is None:
            right = max((x for x, _ in placed.values()), default=-GAP)
            spot = taken.free((right + GAP * wide, middle[1]), middle)
        else:
            spot = taken.free(placed[beside], middle)
        placed[name] = spot
        taken.add(spot)
    return placed


def settle(spots: Mapping[str, Spot], fixed: Mapping[str, Spot]) -> dict[str, Spot]:
    """``spots`` with those of some servers ``fixed`` elsewhere: the others are moved as most of
    these were, and out of their way. About linear.
    """
    if not fixed:
        return dict(spots)
    moved_x = sorted(fixed[name][0] - spots[name][0] for name in fixed)[len(fixed) // 2]
    moved_y = sorted(fixed[name][1] - spots[name][1] for name in fixed)[len(fixed) // 2]
    taken = _Taken(stretch(list(spots)))
    for spot in fixed.values():
        taken.add(spot)
    middle = _middle(fixed.values())
    placed = dict(fixed)
    for name in sorted(spots.keys() - fixed.keys()):
        x, y = spots[name]
        placed[name] = taken.free((x + moved_x, y + moved_y), middle)
        taken.add(placed[name])
    return placed


class _Taken:
    """The places that are taken, by square, so that those near a place are few. ``wide`` is how
    much wider than high a picture is.
    """

    def __init__(self, wide: float) -> None:
        self._wide = wide
        self._squares: dict[tuple[int, int], list[Spot]] = {}

    def _square(self, spot: Spot) -> tuple[int, int]:
        return math.floor(spot[0] / (GAP * self._wide)), math.floor(spot[1] / GAP)

    def add(self, spot: Spot) -> None:
        self._squares.setdefault(self._square(spot), []).append(spot)

    def _is_free(self, spot: Spot) -> bool:
        column, row = self._square(spot)
        near = (
            other
            for x in range(column - 1, column + 2)
            for y in range(row - 1, row + 2)
            for other in self._squares.get((x, y), ())
        )
        return all(
            math.hypot((spot[0] - x) / self._wide, spot[1] - y) >= GAP * 0.95 for x, y in near
        )

    def free(self, centre: Spot, middle: Spot) -> Spot:
        """The first free place at ``centre`` or on circles around it, seen away from ``middle``
        first.
        """
        if self._is_free(centre):
            return centre
        away = math.atan2(centre[1] - middle[1], (centre[0] - middle[0]) / self._wide)
        ring = 1
        while True:
            for turn in range(_DIRECTIONS * ring):
                step = (turn + 1) // 2 * (1 if turn % 2 else -1)
                angle = away + step * 2 * math.pi / (_DIRECTIONS * ring)
                x = centre[0] + math.cos(angle) * GAP * 1.25 * ring * self._wide
                y = centre[1] + math.sin(angle) * GAP * 1.25 * ring
                spot = (float(round(x)), float(round(y)))
                if self._is_free(spot):
                    return spot
            ring += 1


def _middle(spots: Iterable[Spot]) -> Spot:
    all_ = list(spots)
    if not all_:
        return 0.0, 0.0
    return sum(x for x, _ in all_) / len(all_), sum(y for _, y in all_) / len(all_)
