"""Hops between the zones of a network: one walk from every server, folded by zone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import Bools
from topograph.questions.model import Model
from topograph.questions.reach import hop_arrays
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
    hops, later = _hops(model, len(names))
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
    pairs = _Pairs(hops, open_, later)
    cells = tuple(
        tuple(_cell(pairs, members[first], members[second], names) for second in shown)
        for first in shown
    )
    return Matrix(
        tuple(shown),
        tuple(len(members[group]) for group in shown),
        cells,
        len(groups),
        noun,
        int(((hops > 0) & others & ~later).sum()),
        len(names) * (len(names) - 1),
        int((open_ & others).sum()),
        any(part.form == "stepping" for part in model.parts),
        int(later.sum()),
    )


class _Pairs(NamedTuple):
    """From each server (row) to each (column): the hops, whether that is left open, and whether
    messages get there later."""

    hops: NDArray[Any]
    open: Bools
    later: Bools


def _hops(model: Model, size: int) -> tuple[NDArray[Any], Bools]:
    """Hops from each server (row) to each (column), and to which messages get later."""
    found = np.full((size, size), _UNREACHED, np.int32)
    later = np.zeros((size, size), np.bool_)
    at = {name: number for number, name in enumerate(model.server_names())}
    for server, row, undecided, reached_later in hop_arrays(model):
        found[at[server]] = np.where(undecided, _OPEN, np.maximum(row, _UNREACHED))
        later[at[server], [at[one] for one in reached_later]] = True
    return found, later


def _unsure(model: Model) -> NDArray[Any]:
    """The servers whose links the loaded files do not all show: what they do not reach they may
    reach.
    """
    return np.array(
        [bool(place.server.incomplete) or not place.server.loaded for place in model.places()], bool
    )


def _cell(
    pairs_of: _Pairs, rows: Sequence[int], columns: Sequence[int], names: Sequence[str]
) -> HopRange | None:
    own, open_, later = (each[np.ix_(rows, columns)] for each in pairs_of)
    others = np.asarray(rows)[:, None] != np.asarray(columns)[None, :]
    pairs = int(others.sum())
    if not pairs:
        return None
    reached = (own > 0) & others
    undecided = int((open_ & others).sum())
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
        int(later.sum()),
    )
