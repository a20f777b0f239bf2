"""Ordered pairs of servers that a failure separates, as many as there are: by groups of servers
that lose the same others, since a hub of thousands separates tens of millions of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from itertools import islice
from typing import NamedTuple, overload

from topograph.records import record
from topograph.sequences import EqualByEntries


class Pair(NamedTuple):
    """An ordered pair, and what becomes of messages between the two meanwhile."""

    start: str
    end: str
    outcome: str


@record
class Group:
    """Each of ``starts`` no longer reaches each of ``ends``, both by name; ``outcome`` is what
    becomes of messages between them."""

    starts: tuple[str, ...]
    ends: tuple[str, ...]
    outcome: str


class SeparatedPairs(EqualByEntries[Pair]):
    """The pairs of some groups, which have none in common, by name. Its length is counted, and its
    pairs are made each time they are gone through; a pair asked for by number makes all before it.
    """

    def __init__(self, groups: Sequence[Group] = ()) -> None:
        self.groups = tuple(one for one in groups if one.starts and one.ends)

    @classmethod
    def of(cls, outcomes: Mapping[tuple[str, str], str]) -> SeparatedPairs:
        """Pairs with their outcomes. O(n log n)."""
        found: dict[tuple[str, str], list[str]] = {}
        for (start, end), outcome in sorted(outcomes.items()):
            found.setdefault((start, outcome), []).append(end)
        return cls([Group((a,), tuple(ends), told) for (a, told), ends in found.items()])

    def turned_round(self) -> SeparatedPairs:
        """Each pair with its servers in the other order. O(n log n) in the servers of groups."""
        return SeparatedPairs(
            [
                Group(tuple(sorted(one.ends)), tuple(sorted(one.starts)), one.outcome)
                for one in self.groups
            ]
        )

    def __len__(self) -> int:
        return sum(len(one.starts) * len(one.ends) for one in self.groups)

    def __iter__(self) -> Iterator[Pair]:
        for start, ends in self.by_start():
            rows = ([Pair(start, end, outcome) for end in own] for outcome, own in ends.items())
            yield from merge(*rows)

    def by_start(self) -> Iterator[tuple[str, Mapping[str, tuple[str, ...]]]]:
        """Each first server, by name, with those that it no longer reaches by outcome; servers that
        lose the same ones have the same object. Linear in the servers of the groups."""
        groups_of: dict[str, list[int]] = {}
        for number, one in enumerate(self.groups):
            for start in one.starts:
                groups_of.setdefault(start, []).append(number)
        made: dict[tuple[int, ...], Mapping[str, tuple[str, ...]]] = {}
        for start, numbers in sorted(groups_of.items()):
            key = tuple(numbers)
            if key not in made:
                made[key] = self._ends(numbers)
            yield start, made[key]

    def _ends(self, numbers: Sequence[int]) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[tuple[str, ...]]] = {}
        for number in numbers:
            found.setdefault(self.groups[number].outcome, []).append(self.groups[number].ends)
        return {
            outcome: own[0] if len(own) == 1 else tuple(merge(*own))
            for outcome, own in found.items()
        }

    @cached_property
    def _kept(self) -> list[Pair]:
        return list(self)

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pair]: ...
    def __getitem__(self, index: int | slice) -> Pair | Sequence[Pair]:
        if isinstance(index, int) and index >= 0:
            for one in islice(self, index, index + 1):
                return one
            raise IndexError(index)
        return self._kept[index]
