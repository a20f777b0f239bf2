"""The servers that one server reaches, as columns. See ``answers``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

from topograph.questions.answers.base import Step, ZoneHops
from topograph.questions.answers.paths import ReachedServer
from topograph.sequences import EqualByEntries


class ReachedServers(EqualByEntries[ReachedServer]):
    """The servers that one server certainly reaches, each over one path, where every path is that
    to the server before and one step more. An entry is made when one is read: those of a hundred
    thousand servers take longer to make than to find and to write.

    Columns are by place in the walk, whose first server is the one asked from: the ``names`` of
    servers, which place is ``before`` each (always an earlier one), and the ``zones`` of the steps
    to them. ``order`` are the places of the servers in the order of the entries. ``steps`` makes
    the steps to the servers at some places."""

    def __init__(
        self,
        names: Sequence[str],
        before: Sequence[int],
        zones: Sequence[str],
        order: Sequence[int],
        system: str,
        steps: Callable[[Sequence[int]], Sequence[Step]],
    ) -> None:
        self.system = system
        self.names, self.before, self.zones, self.order = names, before, zones, order
        self.steps = steps

    def __len__(self) -> int:
        return len(self.order)

    def __iter__(self) -> Iterator[ReachedServer]:
        return iter(self._entries)

    @overload
    def __getitem__(self, index: int) -> ReachedServer: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ReachedServer]: ...
    def __getitem__(self, index: int | slice) -> ReachedServer | Sequence[ReachedServer]:
        return self._entries[index]

    def places_to(self, place: int) -> list[int]:
        """The places along the path to one, that of the server asked from left out."""
        passed = []
        while place:
            passed.append(place)
            place = self.before[place]
        return passed[::-1]

    @cached_property
    def _entries(self) -> tuple[ReachedServer, ...]:
        """All entries. Linear in the lengths of the paths."""
        count = len(self.names)
        own = self.steps(range(1, count))
        made: list[tuple[tuple[str, ...], tuple[Step, ...]]] = [((self.names[0],), ())]
        for place in range(1, count):
            path, steps = made[self.before[place]]
            made.append(((*path, self.names[place]), (*steps, own[place - 1])))
        zone_hops = self._zone_hops
        return tuple(
            ReachedServer(path[-1], len(steps), zone_hops[place], path, steps, system=self.system)
            for place in self.order
            for path, steps in (made[place],)
        )

    @cached_property
    def _zone_hops(self) -> list[tuple[ZoneHops, ...]]:
        """Hops inside each zone, by place; the count starts anew where the zone changes."""
        made: list[tuple[ZoneHops, ...]] = [()]
        for before, zone in zip(self.before[1:], self.zones[1:], strict=True):
            earlier = made[before]
            if not zone:
                made.append(earlier)
            elif earlier and self.zones[before] == zone:
                made.append((*earlier[:-1], ZoneHops(zone, earlier[-1].hops + 1)))
            else:
                made.append((*earlier, ZoneHops(zone, 1)))
        return made
