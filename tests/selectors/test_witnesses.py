"""Messages by which selectors are told apart: a difference that random messages find is found at
the constants too.
"""

from __future__ import annotations

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.selectors.selector import parse
from topograph.selectors.witnesses import witnesses


def differ(left: str, right: str) -> list[dict[str, object]]:
    one, other = parse(left), parse(right)
    return [
        dict(tried)
        for tried in witnesses([one, other])
        if one.evaluate(tried) is not other.evaluate(tried)
    ]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a = 'x'", "a = 'y'"),
        ("a > 5", "a >= 5"),
        ("a < 5", "a <= 5"),
        ("a > 5.5", "a >= 5.5"),
        ("a BETWEEN 1 AND 9", "a BETWEEN 1 AND 10"),
        ("a IN ('x', 'y')", "a IN ('x')"),
        ("a LIKE 'x%'", "a LIKE 'x_'"),
        ("a LIKE 'x%'", "a = 'x'"),
        ("NOT (a = 'x')", "a LIKE 'x%' AND NOT (a = 'x')"),
        ("a NOT IN ('x', 'y')", "a LIKE 'x%' AND a NOT IN ('x', 'y')"),
        ("a NOT LIKE '%b%'", "a LIKE '_c%' AND a NOT LIKE '%b%'"),
        ("a IS NULL", "a IS NOT NULL"),
        ("a IS NULL", "b IS NULL"),
        ("a", "NOT a"),
        ("a = 1 AND b = 2", "a = 1 OR b = 2"),
        ("a = 1 AND b = 2 AND c = 3", "a = 1 AND b = 2"),
        ("a = b", "a <> b"),
        ("", "a = 1"),
    ],
)
def test_selectors_that_differ_are_told_apart(left: str, right: str) -> None:
    assert differ(left, right)


@pytest.mark.parametrize(
    ("left", "right"), [("a = 1", "1 = a"), ("NOT (a > 5)", "a <= 5"), ("a = 'x'", "a IN ('x')")]
)
def test_selectors_that_mean_the_same_are_not(left: str, right: str) -> None:
    assert differ(left, right) == []


def test_the_message_without_properties_is_first_and_no_more_are_tried_than_asked() -> None:
    selector = parse(" AND ".join(f"p{n} = {n}" for n in range(30)))
    tried = list(witnesses([selector], 100))
    assert tried[0] == {}
    assert len(tried) == 100
    assert all(len(one) == 1 for one in tried[1:91])


_CONDITIONS = st.sampled_from(
    [
        "a = 1",
        "a > 3",
        "a <= 3",
        "b = 'x'",
        "b LIKE 'x%'",
        "b IS NULL",
        "c",
        "a BETWEEN 2 AND 4",
        "b IN ('x', 'y')",
        "a <> 3",
    ]
)
_SELECTORS = st.recursive(
    _CONDITIONS,
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=4,
)
_MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "a": st.integers(-1, 6),
        "b": st.sampled_from(["x", "y", "xz", "w"]),
        "c": st.booleans(),
    },
)


@settings(max_examples=draws(100), deadline=None)
@given(_SELECTORS, _SELECTORS, _MESSAGES)
def test_what_a_random_message_tells_apart_the_constants_do_too(
    left: str, right: str, message: dict[str, object]
) -> None:
    one, other = parse(left), parse(right)
    if one.evaluate(message) is not other.evaluate(message):  # type: ignore[arg-type]
        assert differ(left, right)
