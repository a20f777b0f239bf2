"""Where a message has to be published to show what a change does to it: at servers that together
have every server that it comes to on one side only, and every line that decides about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from topograph.findings import Source
from topograph.forwarding.graph import Bools
from topograph.forwarding.row_differences import Reach, numbers_of
from topograph.records import record

MOST_PUBLISHERS = 20
"""Servers at which one message is published; with those the servers whose deliveries differ are
covered nearly always.
"""

Pairs = frozenset[tuple[bytes, bytes, tuple[int, ...]]]
"""The pairs of servers (numbers of names) that differ: the ends of some starts, those of them
that are opened (``RowDifference.reach``), and the starts.
"""


def pairs_of(rows: Iterable[Reach]) -> Pairs:
    """The pairs of rows that differ, by what differs."""
    starts: dict[tuple[bytes, bytes], list[int]] = {}
    for reach, own in rows:
        if reach[0]:
            starts.setdefault(reach, []).extend(own)
    return frozenset(
        (differs, opened, tuple(sorted(own))) for (differs, opened), own in starts.items()
    )


@record(slots=False)
class Publishers:
    """The servers to publish at. ``starts``: each server that gets the message on one side only
    gets it from one of them, and each that loses it loses it from one (``covered``). ``further``
    are those that show one more line that decides, ``lines`` by line. By server from how many
    others it ``loses`` and ``gains`` it."""

    starts: tuple[str, ...]
    covered: bool
    further: tuple[tuple[Source, str], ...]
    loses: Mapping[str, int]
    gains: Mapping[str, int]


def publishers_of(
    pairs: Pairs, names: Sequence[str], starts_of_line: Mapping[Source, Sequence[str]]
) -> Publishers:
    """See ``Publishers``. O(MOST_PUBLISHERS * groups * servers) with the pairs in groups, and the
    same for each line where there is more than one."""
    groups = sorted(pairs, key=lambda one: one[2])
    lost, gained = np.zeros((2, len(groups), len(names)), np.bool_)
    for number, (differs, opened, _) in enumerate(groups):
        lost[number, numbers_of(differs)] = True
        gained[number, numbers_of(opened)] = True
    lost &= ~gained
    both = np.concatenate((lost, gained), axis=1)
    chosen, covered = _covering(both)
    starts = [names[groups[number][2][0]] for number in chosen]
    further: tuple[tuple[Source, str], ...] = ()
    if len(starts_of_line) > 1:
        group_of = {names[start]: at for at, (_, _, own) in enumerate(groups) for start in own}
        further = tuple(_of_lines(both, group_of, starts_of_line, starts))
    sizes = np.array([len(own) for _, _, own in groups], np.int64)
    return Publishers(
        tuple(starts),
        covered,
        further,
        _counted(lost, sizes, names),
        _counted(gained, sizes, names),
    )


def _covering(rows: Bools) -> tuple[list[int], bool]:
    """Rows that together have all that any has, the one that adds most first; whether
    MOST_PUBLISHERS are enough.
    """
    left = rows.any(axis=0)
    chosen: list[int] = []
    while left.any() and len(chosen) < MOST_PUBLISHERS:
        best = int((rows & left).sum(axis=1).argmax())
        chosen.append(best)
        left &= ~rows[best]
    return chosen, not left.any()


def _of_lines(
    rows: Bools,
    group_of: Mapping[str, int],
    starts_of_line: Mapping[Source, Sequence[str]],
    published: Sequence[str],
) -> Iterable[tuple[Source, str]]:
    """For each line servers right before it, so that what it changes for any of them is shown,
    those left out at which the message is published anyway."""
    for line, starts in starts_of_line.items():
        own = [start for start in starts if start in group_of]
        if not own:
            continue
        numbers = [group_of[start] for start in own]
        wanted = rows[numbers]
        left = wanted.any(axis=0)
        for start, row in zip(own, wanted, strict=True):
            if start in published:
                left &= ~row
        while left.any():
            best = int((wanted & left).sum(axis=1).argmax())
            left &= ~wanted[best]
            yield line, own[best]


def _counted(rows: Bools, sizes: NDArray[np.int64], names: Sequence[str]) -> dict[str, int]:
    counts = sizes @ rows
    return {names[end]: int(counts[end]) for end in np.flatnonzero(counts).tolist()}
