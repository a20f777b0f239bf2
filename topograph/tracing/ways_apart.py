"""What messages pass otherwise on the way to endings that they come to in two configurations, told
by the states that many messages share (``endings.SharedEndings``): which words those are, a walk
over the states tells; their order and first steps, a trace of those states alone on whose ways they
are.

That holds where equal states are passed in equal words, and no way is taken later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from topograph.records import record
from topograph.tracing.comparison import EndingAt, WayComparison, way_comparison
from topograph.tracing.ending_nodes import At
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.endings import SharedEndings
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
