"""Topic patterns, headers and patterns of policies against slow and independent ways."""

from __future__ import annotations

import json
import re
from itertools import chain, product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from topograph.systems.rabbitmq.circles import circles
from topograph.systems.rabbitmq.headers import headers_match
from topograph.systems.rabbitmq.patterns import fault, matches
from topograph.systems.rabbitmq.topics import Trie, topic_matches

WORDS = st.lists(st.sampled_from(["a", "b", "", "*", "#", "a*"]), max_size=5)
PATTERNS = WORDS.map(".".join)
KEYS = st.lists(st.sampled_from(["a", "b", "", "*"]), max_size=5).map(".".join)


def by_every_choice(pattern: str, key: str) -> bool:
    """Put every possible row of words in place of each wildcard."""
    words = pattern.split(".") if pattern else []
    parts = key.split(".") if key else []
    rows = {
        "*": [[part] for part in parts],
        "#": [parts[i:j] for i in range(len(parts) + 1) for j in range(i, len(parts) + 1)],
    }
    choices = [rows.get(word, [[word]]) for word in words]
    return any(list(chain(*chosen)) == parts for chosen in product(*choices))


@given(pattern=PATTERNS, key=KEYS)
def test_topics_match_as_every_choice_of_words_for_wildcards_does(pattern: str, key: str) -> None:
    assert topic_matches(pattern, key) is by_every_choice(pattern, key)


@given(patterns=st.lists(PATTERNS, max_size=8), key=KEYS)
def test_a_trie_finds_what_a_look_at_each_pattern_finds(patterns: list[str], key: str) -> None:
    trie = Trie((pattern, number) for number, pattern in enumerate(patterns))
    assert sorted(trie.matching(key)) == [
        number for number, pattern in enumerate(patterns) if topic_matches(pattern, key)
    ]


VALUES = st.sampled_from([1, 2, 1.0, 1.5, True, False, "1", "a", None])
NAMES = st.sampled_from(["a", "b", "x-a"])


def by_the_words_of_the_documents(
    asked: dict[str, object], headers: dict[str, object], how: str, *, exact: bool
) -> bool:
    def equal(one: object, other: object) -> bool:
        if one is None:
            return True
        types = {type(one), type(other)}
        if types == {int, float} and not exact:
            return float(str(one)) == float(str(other))
        return type(one) is type(other) and one == other

    counted = {
        name: value
        for name, value in asked.items()
        if how.endswith("with-x") or not name.startswith("x-")
    }
    hits = [name in headers and equal(counted[name], headers[name]) for name in counted]
    return any(hits) if how.startswith("any") else False not in hits


@given(
    asked=st.dictionaries(NAMES, VALUES),
    headers=st.dictionaries(NAMES, VALUES),
    how=st.sampled_from(["all", "any", "all-with-x", "any-with-x"]),
    exact=st.booleans(),
)
def test_headers_match_as_the_documents_say(
    asked: dict[str, Any], headers: dict[str, Any], how: str, exact: bool
) -> None:
    arguments = tuple(
        (name, json.dumps(value)) for name, value in {**asked, "x-match": how}.items()
    )
    expected = by_the_words_of_the_documents(asked, headers, how, exact=exact)
    assert headers_match(arguments, headers, exact=exact) is expected


ATOMS = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", r"\.", r"\w", r"\d", "^", "$", r"\b", "a|b", "", "A", "[a-c]"]
)
PIECES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "*?"])).map(
            lambda one: f"(?:{one[0]}){one[1]}"
        ),
        inner.map("(?!{})".format),
        inner.map("(?={})".format),
        inner.map("(?i:{})".format),
        inner.map("({})".format),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
    ),
    max_leaves=6,
)


@given(pattern=PIECES, name=st.text("abA.1\n", max_size=6))
def test_patterns_are_found_as_another_engine_finds_them(pattern: str, name: str) -> None:
    assert fault(pattern) == ""
    assert matches(pattern, name) is bool(re.search(pattern, name, re.ASCII))


def test_what_a_pattern_has_that_is_not_followed_is_said() -> None:
    for pattern in (r"(a)\1", "a++", "(", "*", "[a", "a{3,1}", r"\p{L}", "(?>a)", "(*ACCEPT)", ")"):
        assert fault(pattern)
        assert matches(pattern, "a") is None


def test_no_pattern_takes_long() -> None:
    assert matches("^(a+)+$", "a" * 60 + "b") is False
    assert matches("^(a|a)*(a|a)*(a|a)*c", "a" * 60) is False


EDGES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


@given(edges=EDGES)
def test_circles_are_what_reaches_itself(edges: list[tuple[int, int]]) -> None:
    onward = {node: [end for start, end in edges if start == node] for node in range(7)}
    reached = {node: set(onward[node]) for node in onward}
    for _ in onward:
        for ends in reached.values():
            ends |= {more for end in list(ends) for more in reached[end]}
    assert sorted(circles(onward, onward.__getitem__)) == [
        node for node in onward if node in reached[node]
    ]
