"""Patterns against an independent reading of A-2 and A-7: regular expressions, and comparing of
choices token by token.
"""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.facts.amqp_addresses import (
    PatternTree,
    address_tokens,
    covers,
    overlap,
    plain_address,
    stored_tokens,
)

TOKENS = st.lists(st.sampled_from(["a", "b", "*", "#"]), min_size=1, max_size=5)
ADDRESSES = [tokens for length in range(6) for tokens in itertools.product("abc", repeat=length)]
"""Every address of up to five tokens; ``c`` stands for all tokens that no pattern names."""


def expression(tokens):
    """A stored pattern as a regular expression over tokens that each end in a slash."""
    parts = {"*": "[^/]*/", "#": "(?:[^/]*/)*"}
    return re.compile("".join(parts.get(token, f"{token}/") for token in tokens))


def matched(tokens, address):
    return expression(tokens).fullmatch("".join(f"{token}/" for token in address)) is not None


def stored(tokens):
    return stored_tokens("/".join(tokens), is_prefix=False)


@given(TOKENS)
def test_a_pattern_matches_what_its_regular_expression_matches_before_and_after_normalisation(
    tokens,
):
    tree = PatternTree()
    tree.add(stored(tokens), True)
    for address in ADDRESSES:
        found = any(tree.matches(address))
        assert found == matched(tokens, address) == matched(stored(tokens), address), (
            tokens,
            address,
        )


@given(st.lists(TOKENS, min_size=2, max_size=6))
def test_the_best_match_is_the_one_whose_earliest_different_choice_is_better(patterns):
    kept = {stored(tokens): None for tokens in patterns}
    tree = PatternTree()
    for tokens in kept:
        tree.add(tokens, tokens)
    rank = {"*": 1, "#": 2}
    for address in ADDRESSES[: 1 + 3 + 9 + 27]:
        matching = [tokens for tokens in kept if matched(tokens, address)]
        found = list(tree.matches(address))
        assert sorted(found) == sorted(matching)
        for better, worse in itertools.pairwise(found):
            # behind a common # the shorter consumption decides first, so that only differences
            # before it are compared
            pairs = itertools.takewhile(
                lambda pair: pair != ("#", "#"), zip(better, worse, strict=False)
            )
            different = next((pair for pair in pairs if pair[0] != pair[1]), None)
            if different is not None:
                assert rank.get(different[0], 0) < rank.get(different[1], 0), (address, found)


def test_inside_a_hash_the_shortest_consumption_comes_first():
    tree = PatternTree()
    for text in ("#/a/a", "#/a/*/a"):
        tree.add(stored_tokens(text, is_prefix=False), text)
    assert list(tree.matches(("a", "a", "a"))) == ["#/a/*/a", "#/a/a"]


@given(TOKENS, TOKENS)
def test_overlap_and_covering_are_those_of_all_short_addresses(first, second):
    one, other = stored(first), stored(second)
    both = [address for address in ADDRESSES if matched(one, address) and matched(other, address)]
    outside = [
        address for address in ADDRESSES if matched(other, address) and not matched(one, address)
    ]
    if both:
        assert overlap(one, other)
    if outside:
        assert not covers(one, other)
    if len(one) + len(other) <= 5:  # then an address of five tokens would show it
        assert overlap(one, other) == bool(both)
        assert covers(one, other) == (not outside)


@pytest.mark.parametrize(
    ("address", "plain", "tokens"),
    [
        ("a.b/c", "a.b/c", ("a", "b", "c")),
        ("amqp:/a/b", "a/b", ("a", "b")),
        ("amqps://host:5671/a", "a", ("a",)),
        ("//a/", "a", ("a",)),
        ("a//b", "a//b", ("a", "", "b")),
        ("", "", ()),
        ("/", "", ()),
    ],
)
def test_scheme_host_and_outer_separators_are_no_part_of_an_address(address, plain, tokens):
    assert (plain_address(address), address_tokens(address)) == (plain, tokens)
