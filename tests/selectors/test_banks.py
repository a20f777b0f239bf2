"""Selectors that are asked about one message together say what each of them says alone."""

from __future__ import annotations

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from selectors_drawn import conditions, values

from topograph.message import Properties, Value
from topograph.selectors.banks import BY_NUMBER, FEWEST, SelectorBank
from topograph.selectors.selector import parse

ALIKE = [f"shard <> {n} AND (amount < {n * 2} OR NOT rate >= {n / 4})" for n in range(FEWEST + 2)]
APART = ["a = 1", "a = 1.0", "a = TRUE", "a <> 'x'", "a", "", "a IS NULL AND b IN ('x')"]
BEYOND = [f"a > {9_007_199_254_740_990 + n}" for n in range(FEWEST)]


def agree(texts: list[str], properties: Properties) -> None:
    selectors = [*map(parse, texts)]
    found = [BY_NUMBER[one] for one in SelectorBank(selectors).truths(properties).tolist()]
    assert found == [one.evaluate(properties) for one in selectors]


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"shard": 3},
        {"shard": 3, "amount": 7, "rate": 0.5},
        {"shard": 3.0, "amount": 2**70, "rate": 1},
        {"shard": True, "amount": "7", "rate": float("nan")},
        {"a": 1, "amount": -(2**70), "shard": float("inf")},
        {"a": 1.0, "b": "x"},
        {"a": True},
        {"a": 9_007_199_254_740_993},
        {"a": float(9_007_199_254_740_993)},
    ],
)
def test_selectors_of_one_shape_and_of_many_say_what_each_says(properties: Properties) -> None:
    agree([*ALIKE, *APART, *BEYOND], properties)


def test_no_selector_says_nothing() -> None:
    assert SelectorBank([]).truths({"a": 1}).tolist() == []


@pytest.mark.slow
@settings(max_examples=draws(100), deadline=None)
@given(
    st.lists(conditions, min_size=1, max_size=6),
    st.lists(st.dictionaries(st.sampled_from("abc"), values), max_size=10),
)
def test_drawn_selectors_say_what_each_says(
    texts: list[str], messages: list[dict[str, Value]]
) -> None:
    for message in messages:
        agree([*texts] * FEWEST, message)
