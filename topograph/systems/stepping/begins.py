"""The messages that are followed in two configurations, and how many are too many for that.

What is configured, all of it is followed. Messages that are as many as servers times names are
followed while they are not too many; of more, those of the servers that the change touches, and
the others are counted by kind: nobody can say of them that nothing changes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from topograph.inexact import LeftOut
from topograph.records import record
from topograph.systems.stepping.failures import Begin, FollowedEstate
from topograph.tracing.states import Begins, State, Stepping

MOST_OF_A_KIND = 20_000
"""Messages of one kind that are followed, where they are as many as servers times names: several
times what the default budget is enough for.
"""

Key = tuple[str, str, str]
"""A message by the system, the server it begins at, and what it is sent to."""


@dataclass
class Tally:
    """How many messages of each kind were not looked at. Those of one place count once, however
    often they are met: the most that were ever left out there."""

    _counts: dict[str, dict[Hashable, int]] = field(default_factory=dict)

    def add(self, place: Hashable, left_out: LeftOut | None) -> None:
        """Note what was left out at a place, if anything."""
        if left_out is not None and left_out.count > 0:
            there = self._counts.setdefault(left_out.kind, {})
            there[place] = max(there.get(place, 0), left_out.count)

    def all(self) -> tuple[LeftOut, ...]:
        """What was left out, by kind."""
        return tuple(LeftOut(kind, sum(one.values())) for kind, one in self._counts.items())


@record
class BothBegin:
    """Where messages begin in two configurations, and what was left out of that."""

    found: Mapping[Key, tuple[Begin, Begin]]
    left_out: Tally


def both_begin(
    before: FollowedEstate, after: FollowedEstate, touched: Collection[str]
) -> BothBegin:
    """Where messages begin at servers of both configurations, by system, server and address;
    ``touched`` are the servers that the change is about. Where only one configuration has an entry
    of that address, messages begin in its state in both: what the other makes of them is the
    answer."""
    left_out = Tally()
    servers = [
        {(name, one.name) for name, own in steps.systems.items() for one in own.servers}
        for steps in (before, after)
    ]
    both = servers[0] & servers[1]
    sides: list[dict[Key, Begin]] = [{}, {}]
    for side, steps in zip(sides, (before, after), strict=True):
        for name, own in steps.systems.items():
            for state in _states(name, own, touched, left_out):
                key = name, state.server, own.address(state)
                if key[:2] in both and key not in side:
                    # What the system made of the text is of its own configuration.
                    side[key] = name, State(state.server, state.object, state.data)
    found = {
        key: (sides[0].get(key) or sides[1][key], sides[1].get(key) or sides[0][key])
        for key in {**sides[0], **sides[1]}
    }
    return BothBegin(found, left_out)


def _states(
    system: str, own: Stepping, touched: Collection[str], left_out: Tally
) -> Iterator[State]:
    """The states in which the messages of a system begin that are followed."""
    begins = Begins((), own.entries()) if own.begins is None else own.begins()
    every = {one.name for one in own.servers}
    for pairs in begins.pairs:
        if pairs.count <= MOST_OF_A_KIND:
            yield from pairs.states(every)
            continue
        some = list(islice(pairs.states(touched), MOST_OF_A_KIND))
        left_out.add(system, LeftOut(pairs.kind, pairs.count - len(some)))
        yield from some
        yield from pairs.instead()
    yield from begins.each
