"""What many failures cut off, counted at once, is what a walk for each of them finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topograph.tracing.cut_off import CutOff, Sender
from topograph.tracing.ending_nodes import Ways

TAKERS = 5


@st.composite
def networks(draw: st.DrawFn) -> tuple[Ways, list[list[int]], list[list[int]]]:
    """States whose ways lead to those of lower numbers; the beginnings of senders, of which some
    take messages themselves; and the states that each failure breaks."""
    size = draw(st.integers(1, 12))
    states = st.integers(0, size - 1)
    onward = [
        tuple(sorted(draw(st.sets(st.integers(0, number - 1), max_size=3)))) if number else ()
        for number in range(size)
    ]
    taking = [draw(st.sampled_from([0, 0, 1, 2, 4, 8, 16, 3])) for _ in range(size)]
    of_senders = draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    senders = [[at for at, own in enumerate(of_senders) if own == sender] for sender in range(4)]
    broken = draw(st.lists(st.lists(states, unique=True, max_size=3), min_size=1, max_size=70))
    return Ways(list(range(size)), onward, taking), senders, broken


def behind(ways: Ways, begins: list[int], broken: list[int]) -> tuple[int, int]:
    """The servers that take messages which begin in some states, as bits, and how many of these
    get to a broken state."""
    taking = met = 0
    for begin in begins:
        found, waiting = {begin}, [begin]
        while waiting:
            now = waiting.pop()
            if now in broken:
                continue
            taking |= ways.taking[now]
            for to in ways.onward[now]:
                if to not in found:
                    found.add(to)
                    waiting.append(to)
        met += not found.isdisjoint(broken)
    return taking, met


@given(networks(), st.lists(st.integers(-1, TAKERS - 1), min_size=4, max_size=4), st.data())
def test_counts_are_those_of_a_walk_for_each_failure(
    network: tuple[Ways, list[list[int]], list[list[int]]], places: list[int], data: st.DataObject
) -> None:
    ways, begins, broken = network
    failures = len(broken)
    fails = st.sets(st.integers(0, failures - 1), max_size=3)
    gone = [sum(1 << one for one in data.draw(fails)) for _ in range(TAKERS)]
    senders = [
        Sender(own, place, gone[place] if place >= 0 else 0)
        for own, place in zip(begins, places, strict=False)
    ]
    by_state: dict[int, int] = {}
    for bit, states in enumerate(broken):
        for state in states:
            by_state[state] = by_state.get(state, 0) | 1 << bit
    counting = CutOff(ways, failures, by_state, gone)
    counting.count(senders, lambda: None)
    pairs, messages = [], []
    for bit, states in enumerate(broken):
        lost = moved = 0
        for sender in senders:
            if sender.gone >> bit & 1:
                continue
            before, _ = behind(ways, list(sender.begins), [])
            after, met = behind(ways, list(sender.begins), states)
            moved += met
            lost += sum(
                1
                for taker in range(TAKERS)
                if taker != sender.place
                and before & ~after & 1 << taker
                and not gone[taker] >> bit & 1
            )
        pairs.append(lost)
        messages.append(moved)
    assert (counting.pairs, counting.messages) == (pairs, messages)
