"""Wildcards, containment, overlap (R80-R82) against enumeration; inherited properties (R83,
R84).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.facts.ems import EmsDestination
from topograph.findings import Source
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import (
    contained,
    covered,
    matches,
    overlap,
    properties_in_effect,
    store_conflicts,
)

ELEMENTS = st.sampled_from(["a", "b", "*"])
PATTERNS = st.builds(
    lambda parts, tail: ".".join([*parts, *tail]),
    st.lists(ELEMENTS, max_size=3),
    st.sampled_from([[], [">"]]),
).filter(bool)
NAMES = [".".join(parts) for length in range(1, 6) for parts in product("abc", repeat=length)]
"""Every name of up to five elements over three letters: one letter more than patterns use, so
that ``*`` differs from all literals.
"""


@given(PATTERNS, PATTERNS)
def test_containment_and_overlap_are_those_of_the_names_matched(first: str, second: str) -> None:
    left = {name for name in NAMES if matches(first, name)}
    right = {name for name in NAMES if matches(second, name)}
    assert contained(first, second) == (left <= right)
    assert overlap(first, second) == bool(left & right)


@given(st.lists(PATTERNS, max_size=6), PATTERNS)
def test_a_set_of_patterns_answers_as_its_patterns_do_one_by_one(
    patterns: list[str], pattern: str
) -> None:
    asked = PatternSet(patterns)
    each = sorted(set(patterns))
    assert asked.overlapping(pattern) == [other for other in each if overlap(pattern, other)]
    assert asked.containing(pattern) == [other for other in each if contained(pattern, other)]
    assert asked.overlaps(pattern) == any(overlap(pattern, other) for other in each)
    assert asked.contains(pattern) == any(contained(pattern, other) for other in each)
    assert asked.covers(pattern) == covered(pattern, each)


def test_a_set_of_patterns_takes_more_elements_than_python_calls_functions() -> None:
    long = ".".join(["a"] * 100_000)
    asked = PatternSet([long, f"{long}.>"])
    assert asked.containing(f"{long}.b") == [f"{long}.>"]
    assert asked.overlaps(f"{long}.*")


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        (">", "a.b", True),
        ("a.>", "a", False),
        ("a.*", "a.b.c", False),
        ("a*", "ab", False),
        ("a*", "a*", True),
        ("a.>.b", "a.x.b", False),
        ("*.b", "a.b", True),
    ],
)
def test_matching(pattern: str, name: str, expected: bool) -> None:
    assert matches(pattern, name) is expected


def entry(name: str, **properties: str) -> EmsDestination:
    pairs = tuple((key.removesuffix("_"), value) for key, value in properties.items())
    return EmsDestination(
        bundle="b",
        server="A",
        source=Source("topics.conf", 1),
        type="topic",
        name=name,
        properties=pairs,
    )


def test_the_smallest_inherited_value_wins_and_the_own_value_overrides() -> None:
    entries = [
        entry(">", maxbytes="10MB"),
        entry("a.*", maxbytes="2KB", global_="true"),
        entry("a.b", maxbytes="1GB"),
    ]
    assert properties_in_effect(entries, "a.c") == {"maxbytes": 2048, "global": True}
    assert properties_in_effect(entries, "a.b") == {"maxbytes": 2**30, "global": True}


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ([{"maxbytes": "0"}, {"maxbytes": "200"}], {"maxbytes": 200}),
        ([{"maxmsgs": "7"}, {"maxmsgs": "0"}], {"maxmsgs": 7}),
        ([{"maxmsgs": "0"}], {"maxmsgs": 0}),
        ([{"prefetch": "10"}, {"prefetch": "0"}], {"prefetch": 10}),
        ([{"prefetch": "0"}], {}),
        ([{"prefetch": "none"}, {"prefetch": "3"}], {"prefetch": 3}),
        ([{"maxRedelivery": "9"}, {"maxRedelivery": "4"}], {"maxRedelivery": 4}),
        ([{"flowControl": "true"}, {"flowControl": "1MB"}], {"flowControl": 256 * 1024}),
        ([{"flowControl": "true"}, {"flowControl": "1KB"}], {"flowControl": 1024}),
        ([{"flowControl": "true"}], {"flowControl": 256 * 1024}),
        ([{"expiration": "4day"}], {"expiration": "4day"}),
    ],
)
def test_of_inherited_numbers_nought_sets_no_limit(
    properties: list[dict[str, str]], expected: dict[str, Any]
) -> None:
    entries = [entry(name, **one) for name, one in zip((">", "a.*"), properties, strict=False)]
    assert properties_in_effect(entries, "a.b") == expected


def test_an_own_size_of_flow_control_overrides_the_flag_of_a_pattern() -> None:
    entries = [entry(">", flowControl="true"), entry("a.b", flowControl="1MB")]
    assert properties_in_effect(entries, "a.b") == {"flowControl": 2**20}


def test_overflow_policy_follows_its_own_precedence() -> None:
    entries = [
        entry(">", overflowPolicy="discardOld"),
        entry("a.*", overflowPolicy="rejectIncoming"),
    ]
    assert properties_in_effect(entries, "a.b") == {"overflowPolicy": "rejectIncoming"}
    own = [*entries, entry("a.b", overflowPolicy="default")]
    assert properties_in_effect(own, "a.b") == {"overflowPolicy": "rejectIncoming"}


def test_temporary_topics_inherit_only_from_their_own_patterns() -> None:
    entries = [entry(">", global_="true", maxmsgs="9"), entry("$TMP$.>", maxmsgs="5")]
    assert properties_in_effect(entries, "$TMP$.A.1") == {"maxmsgs": 5}


def test_overlapping_patterns_with_different_stores_conflict() -> None:
    first, second, third = entry("a.>", store="x"), entry("a.*", store="y"), entry("b", store="y")
    assert store_conflicts([first, second, third]) == [(first, second)]
