"""Hops between the zones of a network: one walk from every server, folded by zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topograph.questions.model import Model
from topograph.questions.reach import hop_rows
from topograph.reporting.report import HopRange, Matrix, ZoneRow

MOST_GROUPS = 24
"""Rows and columns that stand in a report."""

MOST_SERVERS = 3_000
"""Servers of a network for which the matrix is made: it takes one walk from each."""

_UNREACHED, _OPEN = -1, -2


def matrix_of(model: Model, zones: Sequence[ZoneRow]) -> Matrix | None:
    """The matrix of zones, or of servers where there are no zones; None above MOST_SERVERS
    servers. One walk a server, then linear in pairs.
    """
    names = model.server_names()
    if not 1 < len(names) <= MOST_SERVERS:
        return None
    hops = _hops(model, len(names))
    at = {name: number for number, name in enumerate(names)}
    several = sorted({zone.name for zone in zones})
    if len(several) > 1:
        members = {
            zone: sorted({at[one] for row in zones if row.name == zone for one in row.servers})
            for zone in several
        }
        groups = sorted(members, key=lambda zone: (-len(members[zone]), zone))
        noun = "zone"
    else:
        members = {name: [number] for number, name in enumerate(names)}
        groups, noun = list(names), "server"
    shown = sorted(groups[:MOST_GROUPS])
    unsure = _unsure(model)
    open_ = (hops == _OPEN) | ((hops == _UNREACHED) & (unsure[:, None] | unsure[None, :]))
    others = ~np.eye(len(names), dtype=bool)
    cells = tuple(
        tuple(_cell(hops, open_, members[first], members[second], names) for second in shown)
        for first in shown
    )
    return Matrix(
        tuple(shown),
        tuple(len(members[group]) for group in shown),
        cells,
        len(groups),
        noun,
        int(((hops > 0) & others).sum()),
        len(names) * (len(names) - 1),
        int((open_ & others).sum()),
        any(part.form == "stepping" for part in model.parts),
    )


def _hops(model: Model, size: int) -> NDArray[Any]:
    """Hops from each server (row) to each (column)."""
    found = np.full((size, size), _UNREACHED, np.int32)
    at = {name: number for number, name in enumerate(model.server_names())}
    for server, row in hop_rows(model):
        found[at[server]] = [
            _OPEN if hop == "unknown" else _UNREACHED if hop is None else hop for hop in row
        ]
    return found


def _unsure(model: Model) -> NDArray[Any]:
    """The servers whose links the loaded files do not all show: what they do not reach they may
    reach.
    """
    return np.array(
        [bool(place.server.incomplete) or not place.server.loaded for place in model.places()], bool
    )


def _cell(
    hops: NDArray[Any],
    open_: NDArray[Any],
    rows: Sequence[int],
    columns: Sequence[int],
    names: Sequence[str],
) -> HopRange | None:
    own = hops[np.ix_(rows, columns)]
    others = np.asarray(rows)[:, None] != np.asarray(columns)[None, :]
    pairs = int(others.sum())
    if not pairs:
        return None
    reached = (own > 0) & others
    undecided = int((open_[np.ix_(rows, columns)] & others).sum())
    if not reached.any():
        return HopRange(0, 0, 0, pairs, undecided, ())
    farthest = int(np.where(reached, own, -1).argmax())
    first, second = divmod(farthest, len(columns))
    return HopRange(
        int(own[reached].min()),
        int(own[reached].max()),
        int(reached.sum()),
        pairs,
        undecided,
        (names[rows[first]], names[columns[second]]),
    )
