"""Pairs of servers that a change separates or joins, told by few servers: the network falls into
parts, and the smaller part is what is cut off.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

from topograph.questions.texts.layout import count, listed
from topograph.viz.scene.records import GroupDrawn, Mark, RowDrawn
from topograph.words.visible import clean

NAMED = 8
"""Servers that a note names; the rest is counted."""

ROWS = 200
"""Rows of a group that a page holds; all are counted."""


def by_start(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The second servers of ordered pairs by the first, in the order given."""
    found: dict[str, list[str]] = {}
    for start, end in pairs:
        found.setdefault(start, []).append(end)
    return found


def standing_out(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Few servers of which every pair has one: the server of most pairs, then that of most pairs
    among the rest, of equals the first by name. Of pairs that share no server with others both
    stand out. O(n log n)."""
    others: dict[str, set[str]] = {}
    for first, second in pairs:
        others.setdefault(first, set()).add(second)
        others.setdefault(second, set()).add(first)
    alone = {
        name for name, near in others.items() if len(near) == 1 == len(others[next(iter(near))])
    }
    queue = [(-len(near), name) for name, near in others.items()]
    heapq.heapify(queue)
    found: set[str] = set()
    while queue:
        number, name = heapq.heappop(queue)
        near = others[name]
        if not near:
            continue
        if -number != len(near):
            heapq.heappush(queue, (-len(near), name))
            continue
        found.add(name)
        if name in alone:
            found.update(near)
        for other in near:
            others[other].discard(name)
        others[name] = set()
    return frozenset(found)


def apart_from(pairs: Iterable[tuple[str, str]], to: str, of: str) -> Mapping[str, str]:
    """Of each server in words the servers that it is the first of a pair with (``to``), and the
    second (``of``).
    """
    ordered = list(pairs)
    ends, starts = by_start(ordered), by_start((end, start) for start, end in ordered)
    found = {}
    for server in sorted({*ends, *starts}):
        theirs, own = sorted(ends.get(server, ())), sorted(starts.get(server, ()))
        if theirs == own:
            found[server] = f"{to}, and is {of}, {listed(theirs, NAMED)}"
            continue
        said = [f"{to} {listed(theirs, NAMED)}"] if theirs else []
        said += [f"{of} {listed(own, NAMED)}"] if own else []
        found[server] = "; ".join(said)
    return found


def pairs_group(
    heading: str, state: Mark, pairs: Sequence[tuple[str, str]], total: int
) -> GroupDrawn:
    """Ordered pairs as a list beside the picture; ``total`` counts them where not all are given."""
    rows = pair_rows(pairs)
    cut = len(rows) > ROWS or len(pairs) < total
    return GroupDrawn(heading, state, rows[:ROWS], total, count(total, "ordered pair"), cut)


def pair_rows(pairs: Iterable[tuple[str, str]]) -> tuple[RowDrawn, ...]:
    """A row for each first server."""
    return tuple(
        RowDrawn((start,), clean(f"to {listed(ends, 8)}"))
        for start, ends in by_start(pairs).items()
    )
