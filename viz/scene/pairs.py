"""Pairs of servers that a change separates or joins, told by few servers: the network falls into
parts, and the smaller part is what is cut off.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from topograph.questions.texts.layout import count, listed
from topograph.records import record
from topograph.systems.contract.separated import SeparatedPairs
from topograph.viz.scene.records import GroupDrawn, Mark, RowDrawn
from topograph.words.visible import clean

NAMED = 8
"""Servers that a note names; the rest is counted."""

ROWS = 200
"""Rows of a group that a page holds; all are counted."""


@record(slots=False)
class PairsDrawn:
    """Ordered pairs of servers, by the first server those that it is the first of a pair with
    (``ends``), by the second those that it is the second with (``starts``), and how many there
    are. Servers with the same others have the same object, so that millions of pairs are a few
    lists."""

    ends: Mapping[str, Sequence[str]]
    starts: Mapping[str, Sequence[str]]
    count: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> PairsDrawn:
        """Pairs in the order given. Linear in them."""
        ends: dict[str, list[str]] = {}
        starts: dict[str, list[str]] = {}
        for start, end in pairs:
            ends.setdefault(start, []).append(end)
            starts.setdefault(end, []).append(start)
        return cls(ends, starts, sum(map(len, ends.values())))

    @classmethod
    def of_groups(cls, pairs: SeparatedPairs) -> PairsDrawn:
        """Pairs by name. Linear in the servers of their groups."""
        return cls(_others(pairs), _others(pairs.turned_round()), len(pairs))

    def others(self) -> dict[str, tuple[frozenset[str], bool]]:
        """By server all that it is in a pair with, and whether it is in one that is not there in
        both orders. Linear in the distinct lists."""
        made: dict[tuple[int, int], tuple[frozenset[str], bool]] = {}
        found = {}
        for server in {**self.ends, **self.starts}:
            ends, starts = self.ends.get(server, ()), self.starts.get(server, ())
            key = id(ends), id(starts)
            if key not in made:
                theirs, own = frozenset(ends), frozenset(starts)
                made[key] = theirs | own, theirs != own
            found[server] = made[key]
        return found


def _others(pairs: SeparatedPairs) -> dict[str, Sequence[str]]:
    """The servers that each first server of a pair loses, by name."""
    made: dict[int, Sequence[str]] = {}
    found = {}
    for start, ends in pairs.by_start():
        if id(ends) not in made:
            made[id(ends)] = tuple(heapq.merge(*ends.values()))
        found[start] = made[id(ends)]
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


def apart_from(pairs: PairsDrawn, to: str, of: str) -> Mapping[str, str]:
    """Of each server in words the servers that it is the first of a pair with (``to``), and the
    second (``of``). Linear in the distinct lists, sorting aside.
    """
    made: dict[tuple[int, int], str] = {}
    found = {}
    for server in sorted({*pairs.ends, *pairs.starts}):
        ends, starts = pairs.ends.get(server, ()), pairs.starts.get(server, ())
        key = id(ends), id(starts)
        if key not in made:
            made[key] = _apart(sorted(ends), sorted(starts), to, of)
        found[server] = made[key]
    return found


def _apart(theirs: Sequence[str], own: Sequence[str], to: str, of: str) -> str:
    if theirs == own:
        return f"{to}, and is {of}, {listed(theirs, NAMED)}"
    said = [f"{to} {listed(theirs, NAMED)}"] if theirs else []
    said += [f"{of} {listed(own, NAMED)}"] if own else []
    return "; ".join(said)


def pairs_group(heading: str, state: Mark, pairs: PairsDrawn, total: int) -> GroupDrawn:
    """Ordered pairs as a list next to the picture; ``total`` counts them where not all are
    given."""
    cut = len(pairs.ends) > ROWS or pairs.count < total
    words = count(total, "ordered pair")
    return GroupDrawn(heading, state, pair_rows(pairs, ROWS), total, words, cut)


def pair_rows(pairs: PairsDrawn, most: int) -> tuple[RowDrawn, ...]:
    """A row for each first server, at most ``most``."""
    return tuple(
        RowDrawn((start,), clean(f"to {listed(ends, 8)}"))
        for start, ends in islice(pairs.ends.items(), most)
    )
