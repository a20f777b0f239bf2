"""What messages pass otherwise on the way to endings that they come to in two configurations, told
by the states that many messages share (``endings.SharedEndings``): which words those are, a walk
over the states tells; their order and first steps, a trace of those states alone on whose ways they
are.

That holds where equal states are passed in equal words, and no way is taken later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from topograph.records import record
from topograph.tracing.comparison import EndingAt, WayComparison, way_comparison
from topograph.tracing.ending_nodes import At
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.ending_table import numbers as numbers_of
from topograph.tracing.endings import SharedEndings
from topograph.tracing.endings_compared import Through, behind_too
from topograph.tracing.states import State, queue_at
from topograph.tracing.trace import TracedStep

Passed = Mapping[EndingAt, Mapping[str, TracedStep]]
"""By ending what a message passes on the way to it, each in words with its first step."""


@record
class _Walked:
    """The states that a message gets to on the way to some endings, by number, each with those of
    them that it leads to, as bits; and by words the same of all states that are told so."""

    leads: Mapping[int, int]
    words: Mapping[str, int]


def ways_apart(
    sides: Sequence[SharedEndings],
    begins: Sequence[At],
    shared: int,
    traced: Callable[[int, Callable[[str, State], bool]], Passed],
) -> WayComparison | None:
    """See ``comparison.ways_compared``, of a message that begins in one state on each side, among
    the endings ``shared``. ``traced`` tells what is passed on a side within some states. Linear in
    the states that lead to these endings."""
    numbers = [one.number[at] for one, at in zip(sides, begins, strict=True)]
    walked = [_walked(one, number, shared) for one, number in zip(sides, numbers, strict=True)]
    alone = [_alone(walked[0].words, walked[1].words), _alone(walked[1].words, walked[0].words)]
    apart = reduce(or_, (bits for one in alone for bits in one.values()), 0)
    if not apart:
        return None
    table = sides[0].table
    ends = table.sorted(apart)
    gone, come = (
        _in_order(ends, table, own, traced(side, _on_the_way(sides[side], walked[side], own)))
        if own
        else {}
        for side, own in enumerate(alone)
    )
    return way_comparison([one.in_words for one in ends], gone, come)


MOST_PAIRS = 4_096
"""Words times endings that are told apart for all messages together."""

Traced = Callable[[int, At, Callable[[str, State], bool]], Passed]
"""What a message that begins in a state of a side passes within some states."""


@dataclass
class WaysApart:
    """The same of all messages that begin in one state on both sides and share their ways:
    ``through`` are, by state of each side, endings that it comes to over a way which the other does
    not have. Linear in the states and in their words, once; for each message in its ways to the
    first state where they part."""

    sides: Sequence[SharedEndings]
    through: Sequence[Through]
    traced: Traced
    _masks: dict[int, int] = field(default_factory=dict)
    _told: dict[Hashable, dict[str, TracedStep]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._bits: dict[tuple[str, int], int] = {}
        self._ends = reduce(or_, (one for own in self.through for one in own.all.values()), 0)
        found = [self._candidates(side) for side in (0, 1)]
        self._has: Sequence[Mapping[int, int]] | None = None
        if None not in found:
            words = set().union(*(one for one in found if one is not None))
            own = [self._pairs(side, words) for side in (0, 1)]
            if len(self._bits) <= MOST_PAIRS:
                self._own = own
                self._has = [
                    behind_too(one, pairs) for one, pairs in zip(self.sides, own, strict=True)
                ]
        self._pair = [*self._bits]

    @property
    def tells(self) -> bool:
        """Whether words and endings are few enough."""
        return self._has is not None

    def told(self, begin: At, shared: int) -> WayComparison | None:
        """What a message passes otherwise on its way to some endings."""
        assert self._has is not None
        numbers = [one.number[begin] for one in self.sides]
        has = [own.get(number, 0) for own, number in zip(self._has, numbers, strict=True)]
        mask = self._of_endings(shared)
        alone = [has[0] & ~has[1] & mask, has[1] & ~has[0] & mask]
        if not alone[0] | alone[1]:
            return None
        apart = reduce(or_, (1 << self._pair[one][1] for one in numbers_of(alone[0] | alone[1])))
        ends = self.sides[0].table.sorted(apart)
        gone, come = (self._in_order(side, numbers[side], alone[side], apart) for side in (0, 1))
        return way_comparison([one.in_words for one in ends], gone, come)

    def _of_endings(self, shared: int) -> int:
        if shared not in self._masks:
            self._masks[shared] = reduce(
                or_, (bit for (_, end), bit in self._bits.items() if shared >> end & 1), 0
            )
        return self._masks[shared]

    def _in_order(self, side: int, number: int, alone: int, apart: int) -> dict[str, TracedStep]:
        """What is passed on a side alone, in the order of a trace: that of the state where ways
        part that lead there, or where something is passed, as nothing is before."""
        assert self._has is not None
        if not alone:
            return {}
        endings, has, own = self.sides[side], self._has[side], self._own[side]
        while not own.get(number, 0) & alone:
            onward = {to for to in endings.onward(number) if has.get(to, 0) & alone}
            if len(onward) != 1:
                break
            (number,) = onward
        key = side, number, alone, apart
        if key not in self._told:
            words: dict[str, int] = {}
            for one in numbers_of(alone):
                name, end = self._pair[one]
                words[name] = words.get(name, 0) | 1 << end
            walked = _walked(endings, number, reduce(or_, words.values()))
            passed = self.traced(side, endings.states[number], _on_the_way(endings, walked, words))
            ends = endings.table.sorted(apart)
            self._told[key] = _in_order(ends, endings.table, words, passed)
        return self._told[key]

    def _candidates(self, side: int) -> set[str] | None:
        """What may be passed on the way to an ending on one side alone: in states behind one that
        has ways of its own, and in those that come to other endings there. None where that is too
        much."""
        endings, others = self.sides[side], self.sides[1 - side]
        chosen = _got_to(self.through[side].own, endings.onward)
        for number, at in enumerate(endings.states):
            other = others.number.get(at)
            if other is None or self._come_to(side, number) != self._come_to(1 - side, other):
                chosen.add(number)
        found = {
            one
            for number in chosen
            if self._come_to(side, number)
            for one in _words(endings, number)
        }
        return found if len(found) <= MOST_PAIRS else None

    def _come_to(self, side: int, number: int) -> int:
        ends = self.sides[side].ends_of(number)
        return 0 if ends is None else ends.possible & self._ends

    def _pairs(self, side: int, words: Collection[str]) -> dict[int, int]:
        """By state, the bits of its words among some, each with an ending that it comes to."""
        endings = self.sides[side]
        found: dict[int, int] = {}
        for number in range(len(endings.states)):
            for one in _words(endings, number):
                if one in words:
                    for end in numbers_of(self._come_to(side, number)):
                        bit = self._bits.setdefault((one, end), 1 << len(self._bits))
                        found[number] = found.get(number, 0) | bit
                    if len(self._bits) > MOST_PAIRS:
                        return found
        return found


def _words(endings: SharedEndings, number: int) -> Sequence[str]:
    _, state = endings.states[number]
    return queue_at(state.object, state.server)


def _walked(endings: SharedEndings, begin: int, wanted: int) -> _Walked:
    leads: dict[int, int] = {}
    words: dict[str, int] = {}
    waiting = [begin]
    while waiting:
        number = waiting.pop()
        if number in leads:
            continue
        ends = endings.ends_of(number)
        assert ends is not None  # what a message gets to whose endings are known is known
        bits = leads[number] = ends.possible & wanted
        if bits:
            _, state = endings.states[number]
            for one in queue_at(state.object, state.server):
                words[one] = words.get(one, 0) | bits
            waiting.extend(endings.onward(number))
    return _Walked(leads, words)


def _alone(words: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """What is passed in one configuration alone, with the endings."""
    found = ((one, bits & ~others.get(one, 0)) for one, bits in words.items())
    return {one: bits for one, bits in found if bits}


def _on_the_way(
    endings: SharedEndings, walked: _Walked, alone: Mapping[str, int]
) -> Callable[[str, State], bool]:
    """Whether a state is on the way to an ending, before or behind one in which something is passed
    in this configuration alone; a message that leaves what is loaded ends."""
    wanted = reduce(or_, alone.values(), 0)
    among = {number for number, bits in walked.leads.items() if bits & wanted}
    chosen = set[int]()
    for number in among:
        _, state = endings.states[number]
        bits = walked.leads[number]
        if any(alone.get(one, 0) & bits for one in queue_at(state.object, state.server)):
            chosen.add(number)
    before: dict[int, list[int]] = {}
    for number in among:
        for to in endings.onward(number):
            before.setdefault(to, []).append(number)
    kept = _got_to(chosen, lambda one: before.get(one, ()))
    kept |= _got_to(chosen, lambda one: filter(among.__contains__, endings.onward(one)))

    def within(system: str, state: State) -> bool:
        number = endings.number.get((system, state))
        return number is None or number in kept

    return within


def _got_to(numbers: Iterable[int], onward: Callable[[int], Iterable[int]]) -> set[int]:
    found = set(numbers)
    waiting = list(found)
    while waiting:
        for to in onward(waiting.pop()):
            if to not in found:
                found.add(to)
                waiting.append(to)
    return found


def _in_order(
    ends: Sequence[EndingAt], table: EndingTable, alone: Mapping[str, int], passed: Passed
) -> dict[str, TracedStep]:
    """What is passed in one configuration alone, in the order of a trace."""
    found: dict[str, TracedStep] = {}
    for ending in ends:
        for words, step in passed.get(ending, {}).items():
            if table.holds(ending, alone.get(words, 0)):
                found[words] = step
    return found
