"""The messages that are followed in two configurations, and how many are too many for that.

What is configured, all of it is followed. Messages that are as many as servers times names are
followed while they are not too many; of more, those of the servers that the change touches, and
the others are counted by kind: nobody can say of them that nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from topograph.inexact import LeftOut
from topograph.records import record
from topograph.systems.stepping.messages import Begin, FollowedEstate
from topograph.tracing.endings_compared import Touched
from topograph.tracing.states import Begins, Pairs, State, Stepping

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


Found = Mapping[Key, tuple[Begin, Begin]]
"""By message where it begins in two configurations."""

Wide = tuple[str, Pairs]
"""Messages of a system that are as many as servers times names."""


@record
class BothBegin:
    """Where messages begin in two configurations, and what was left out of that; ``wide`` are more
    messages of each, of which it is told later which a change may concern (``wide_begins``)."""

    found: Found
    left_out: Tally
    wide: tuple[Sequence[Wide], Sequence[Wide]] = ((), ())

    @property
    def count(self) -> int:
        """How many messages there are, or a few less."""
        return len(self.found) + sum(pairs.count for _, pairs in self.wide[1])


def both_begin(
    before: FollowedEstate,
    after: FollowedEstate,
    touched: Collection[str],
    differing: Touched | None,
) -> BothBegin:
    """Where messages begin at servers of both configurations, by system, server and address;
    ``touched`` are the servers that the change is about. Where only one configuration has an entry
    of that address, messages begin in its state in both: what the other makes of them is the
    answer. ``differing`` are the servers at which states may step otherwise, where these are known:
    messages of others that just end where they begin are left, and, of one system alone, messages
    that can be told apart later are ``wide``."""
    narrows = differing is not None and len(differing) == 1
    left_out = Tally()
    wide: tuple[list[Wide], list[Wide]] = ([], [])
    sides: list[list[Begin]] = [[], []]
    for side, steps in enumerate((before, after)):
        for name, own in steps.systems.items():
            begins = Begins((), own.entries()) if own.begins is None else own.begins()
            for pairs in begins.pairs:
                if narrows and pairs.narrowed is not None:
                    wide[side].append((name, pairs))
                else:
                    of_pairs = _of_pairs(name, own, pairs, touched, left_out)
                    sides[side] += ((name, state) for state in of_pairs)
            each = begins.each
            if differing is not None and begins.leaving is not None:
                each = begins.leaving(differing[name])
            sides[side] += ((name, state) for state in each)
    return BothBegin(_together(before, after, sides), left_out, wide)


def wide_begins(
    both: BothBegin,
    before: FollowedEstate,
    after: FollowedEstate,
    touched: Collection[str],
    names: Callable[[Wide], Collection[str] | None],
) -> Found:
    """The same of the messages that are ``wide``: those alone to the names that ``names`` gives,
    unless it gives None or these are too many."""
    sides: list[list[Begin]] = [[], []]
    told: dict[str, Collection[str] | None] = {}
    for one in chain.from_iterable(both.wide):
        found, known = names(one), told.get(one[0], ())
        told[one[0]] = None if found is None or known is None else {*known, *found}
    for side, steps in enumerate((before, after)):
        for system, pairs in both.wide[side]:
            assert pairs.narrowed is not None
            some = told[system]
            chosen = None if some is None else [*islice(pairs.narrowed.states(some), _MOST)]
            if chosen is None or len(chosen) == _MOST:
                own = steps.systems[system]
                chosen = [*_of_pairs(system, own, pairs, touched, both.left_out)]
            sides[side] += ((system, state) for state in chosen)
    return _together(before, after, sides)


_MOST = MOST_OF_A_KIND + 1


def _together(
    before: FollowedEstate, after: FollowedEstate, begins: Sequence[Iterable[Begin]]
) -> Found:
    """Messages by what they are sent to, at servers of both configurations."""
    servers = [
        {(name, one.name) for name, own in steps.systems.items() for one in own.servers}
        for steps in (before, after)
    ]
    both = servers[0] & servers[1]
    sides: list[dict[Key, Begin]] = [{}, {}]
    for side, steps, own in zip(sides, (before, after), begins, strict=True):
        for name, state in own:
            key = name, state.server, steps.systems[name].address(state)
            if key[:2] in both and key not in side:
                # What the system made of the text is of its own configuration.
                side[key] = name, State(state.server, state.object, state.data)
    return {
        key: (sides[0].get(key) or sides[1][key], sides[1].get(key) or sides[0][key])
        for key in {**sides[0], **sides[1]}
    }


def _of_pairs(
    system: str, own: Stepping, pairs: Pairs, touched: Collection[str], left_out: Tally
) -> Iterator[State]:
    """The states in which messages of servers and names begin that are followed."""
    if pairs.count <= MOST_OF_A_KIND:
        yield from pairs.states({one.name for one in own.servers})
        return
    some = list(islice(pairs.states(touched), MOST_OF_A_KIND))
    left_out.add(system, LeftOut(pairs.kind, pairs.count - len(some)))
    yield from some
    yield from pairs.instead()
