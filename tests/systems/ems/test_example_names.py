"""Names that patterns tell apart: those that trying every combination of words finds, and found in
patterns of any length.
"""

from __future__ import annotations

from itertools import islice, product

from hypothesis import given
from hypothesis import strategies as st

from topograph.systems.ems.destinations.example_names import MOST_TOPICS, _grid, names_of
from topograph.systems.ems.destinations.topics import matches

PATTERNS = st.lists(
    st.lists(st.sampled_from(["a", "b", "", "*", ">"]), min_size=1, max_size=4).map(".".join),
    min_size=1,
    max_size=4,
)


def every_combination(patterns: list[str]) -> list[str]:
    split = [one.split(".") for one in patterns]
    words = []
    for place in range(1 + max(map(len, split))):
        own = {one[place] for one in split if len(one) > place} - {"*", ">"}
        words.append(["example", *sorted(own)])
    names = (
        ".".join(chosen)
        for length in range(1, len(words) + 1)
        for chosen in product(*words[:length])
    )
    fitting = (name for name in names if any(matches(one, name) for one in patterns))
    return list(islice(fitting, MOST_TOPICS + 1))


@given(PATTERNS)
def test_the_names_are_those_of_all_combinations(patterns: list[str]) -> None:
    assert list(_grid(patterns)) == every_combination(patterns)


def test_patterns_of_many_elements_are_told_apart() -> None:
    long = ".".join(["a"] * 300)
    names, complete = names_of([f"{long}.*"], [f"{long}.b", "*.a.>"], ["a.>", ">.x"])
    assert f"{long}.b" in names
    assert not complete
