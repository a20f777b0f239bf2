"""Pairs in groups are the pairs one by one."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from topograph.questions.answers import Lost, LostPairs
from topograph.systems.contract.separated import Group, Pair, SeparatedPairs

PAIRS = st.dictionaries(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), st.sampled_from(["HELD", "X"])
)


@given(PAIRS)
def test_pairs_with_outcomes_come_by_name(outcomes: dict[tuple[str, str], str]) -> None:
    made = SeparatedPairs.of(outcomes)
    assert list(made) == [Pair(*pair, outcomes[pair]) for pair in sorted(outcomes)]
    assert len(made) == len(outcomes)
    assert bool(made) is bool(outcomes)
    lost = LostPairs(made, "ems")
    assert lost == [Lost(*pair, outcomes[pair], "ems") for pair in sorted(outcomes)]
    assert [lost[number] for number in range(len(lost))] == list(lost)
    assert lost[1:3] == list(lost)[1:3]


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("wxyz")))))
def test_groups_are_all_their_pairs(drawn: list[tuple[set[str], set[str]]]) -> None:
    seen: set[tuple[str, str]] = set()
    groups = []
    for number, (starts, ends) in enumerate(drawn):
        own = set(itertools.product(starts, ends))
        if not own & seen:  # no pair is in two groups
            seen |= own
            told = "HELD" if number % 2 else "X"
            groups.append(Group(tuple(sorted(starts)), tuple(sorted(ends)), told))
    made = SeparatedPairs(groups)
    assert [(one.start, one.end) for one in made] == sorted(seen)
    assert len(made) == len(seen)
    assert {
        (start, end) for start, by in made.by_start() for ends in by.values() for end in ends
    } == seen
    told = {(a, b): one.outcome for one in groups for a in one.starts for b in one.ends}
    assert all(one.outcome == told[one.start, one.end] for one in made)


def test_servers_that_lose_the_same_have_one_object() -> None:
    made = SeparatedPairs(
        [Group(("a", "b"), ("x", "y"), "HELD"), Group(("a", "b"), ("z",), "HELD")]
    )
    (first, one), (second, other) = made.by_start()
    assert (first, second) == ("a", "b")
    assert one is other
    assert one == {"HELD": ("x", "y", "z")}
