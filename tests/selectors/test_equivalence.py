"""Selectors that match the same messages: proven only where no message tells them apart."""

from __future__ import annotations

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from selectors_drawn import conditions, values

from topograph.outcomes import Truth
from topograph.selectors.equivalence import match_alike
from topograph.selectors.selector import parse

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a = 1"], ["1 = a"]),
        (["NOT (a IS NULL)"], ["a IS NOT NULL"]),
        (["a > 1", "a > 3"], ["a > 3"]),
        (["a > -1"], ["a > -1 AND a > -2"]),
        (["qty BETWEEN 1 AND 9 OR c = 'x'", "c = 'x'"], ["c = 'x'"]),
        (["a IN ('x', 'y')"], ["a = 'x' OR a = 'y'"]),
        (["NOT (a = 'x') AND a IS NULL"], ["FALSE"]),
        (["a LIKE 'x%' AND b = 1"], ["b = 1", "a LIKE 'x%'"]),
        ([""], ["TRUE"]),
    ],
)
def test_what_matches_the_same_messages_is_proven(one: list[str], other: list[str]) -> None:
    assert match_alike([*map(parse, one)], [*map(parse, other)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a > 5", "a >= 5"),
        ("NOT (a > 5)", "a <= 5"),  # an ordering of unlike types is FALSE
        ("a < 5", "a < 5.5"),
        ("a <> 'x'", "NOT (a = 'x')"),  # unlike types are FALSE in both comparisons
        ("a NOT IN ('x')", "a <> 'x'"),
        ("a = a", ""),  # not for NULL, not for NaN
        ("a > 1 OR a <= 1", "a IS NOT NULL"),
        ("a > 9007199254740993", "a > 9007199254740992"),
        ("a LIKE 'x%'", "a LIKE 'x_'"),
        ("a / 2 = 1", "a / 2.0 = 1"),  # 3 / 2 is 1 in whole numbers
        ("a + 1 > 2", "a > 1"),  # true of numbers, and not proven
    ],
)
def test_what_differs_or_is_beyond_a_proof_is_not(one: str, other: str) -> None:
    assert not match_alike([parse(one)], [parse(other)])


def test_more_messages_than_are_compared_prove_nothing() -> None:
    many = parse(" AND ".join(f"p{n} = {n}" for n in range(12)))
    assert not match_alike([many], [many, parse("p0 = 0")])


@settings(max_examples=draws(133), deadline=None)
@given(
    st.lists(conditions, min_size=1, max_size=2),
    st.lists(conditions, min_size=1, max_size=2),
    st.lists(st.dictionaries(st.sampled_from("abc"), values), max_size=30),
)
def test_nothing_is_proven_that_a_message_refutes(
    one: list[str], other: list[str], messages: list[dict[str, object]]
) -> None:
    left, right = [*map(parse, one)], [*map(parse, other)]
    if match_alike(left, right):
        for message in messages:
            assert all(each.evaluate(message) is Truth.TRUE for each in left) == all(
                each.evaluate(message) is Truth.TRUE for each in right
            )
