"""Laws that hold for every selector and every message, searched for counterexamples."""

from __future__ import annotations

import re

import pytest
from draws import draws
from hypothesis import HealthCheck, settings
from hypothesis import given as given_any
from hypothesis import strategies as st
from selectors_drawn import conditions, names, strings, sums, values

from topograph.errors import InvalidSelector
from topograph.outcomes import Truth
from topograph.selectors import parse

pytestmark = pytest.mark.slow

# A busy machine or the first import of lark must not look like a counterexample.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def given(*strategies):
    """Search for a counterexample without a time limit per example."""
    return lambda test: patient(given_any(*strategies)(test))


messages = st.dictionaries(names, values)


def truth(text, message):
    return parse(text).evaluate(message)


@given(conditions, messages)
def test_a_double_negation_changes_nothing(text, message):
    assert truth(f"NOT NOT ({text})", message) is truth(text, message)


@given(conditions, conditions, messages)
def test_de_morgan_holds_under_three_values(left, right, message):
    assert truth(f"NOT (({left}) AND ({right}))", message) is truth(
        f"NOT ({left}) OR NOT ({right})", message
    )
    assert truth(f"NOT (({left}) OR ({right}))", message) is truth(
        f"NOT ({left}) AND NOT ({right})", message
    )


@given(conditions, conditions, conditions, messages)
def test_and_binds_tighter_than_or(first, second, third, message):
    flat = truth(f"({first}) OR ({second}) AND ({third})", message)
    assert flat is truth(f"({first}) OR (({second}) AND ({third}))", message)


@given(sums, sums, sums, messages)
def test_between_is_a_pair_of_comparisons(operand, low, high, message):
    assert truth(f"{operand} BETWEEN {low} AND {high}", message) is truth(
        f"{operand} >= {low} AND {operand} <= {high}", message
    )
    assert truth(f"{operand} NOT BETWEEN {low} AND {high}", message) is truth(
        f"{operand} < {low} OR {operand} > {high}", message
    )


@given(names, strings, strings, messages)
def test_in_is_a_chain_of_equalities(name, first, second, message):
    assert truth(f"{name} IN ({first}, {second})", message) is truth(
        f"{name} = {first} OR {name} = {second}", message
    )
    assert truth(f"{name} NOT IN ({first})", message) is truth(f"NOT ({name} = {first})", message)


@given(conditions, messages)
def test_only_the_named_identifiers_matter(text, message):
    selector = parse(text)
    named = {name: value for name, value in message.items() if name in selector.identifiers}
    assert selector.evaluate(named) is selector.evaluate(message)


@given(conditions, messages)
def test_a_constant_selector_has_that_truth_for_every_message(text, message):
    selector = parse(text)
    assert selector.constant() in (None, selector.evaluate(message))


@given(st.text("ab%_", max_size=8), st.text("ab", max_size=8))
def test_like_is_the_regular_expression_it_abbreviates(pattern, value):
    expression = "".join({"%": ".*", "_": "."}.get(character, character) for character in pattern)
    expected = re.fullmatch(expression, value, re.DOTALL) is not None
    assert (truth(f"s LIKE '{pattern}'", {"s": value}).value == "TRUE") is expected


KEYWORDS = ["AND", "or", "Not", "BETWEEN", "IN", "LIKE", "IS", "NULL", "ESCAPE", "TRUE"]
PIECES = [
    "a",
    "JMSPriority",
    "JMSReplyTo",
    "1",
    "0x",
    "09",
    "1e5",
    "9223372036854775808",
    "'x'",
    "\ud800",
    "\x00",
]
words = st.sampled_from([*"()'\"=<>+-*/.,!;%_$ \n\t\u00a0\u2019é²", *KEYWORDS, *PIECES])


@settings(patient, max_examples=draws(133))
@given_any(
    st.text()
    | st.lists(words, max_size=12).map("".join)
    | st.lists(words, max_size=12).map(" ".join)
)
def test_any_text_is_a_selector_or_an_invalid_selector(text):
    try:
        selector = parse(text)
    except InvalidSelector as error:
        column = error.column
    else:
        column = 1
        assert selector.text == text
        assert selector.evaluate({}).value in ("TRUE", "FALSE", "UNKNOWN")
    assert 1 <= column <= len(text) + 1


@given(st.data())
def test_what_is_undecided_covers_every_value_that_a_header_field_can_have(data):
    leaves = [
        "JMSTimestamp > 5",
        "JMSTimestamp IS NULL",
        "JMSTimestamp IN ('a')",
        "x = 1",
        "x IS NULL",
        "NOT (JMSTimestamp = 7)",
    ]
    text = data.draw(
        st.recursive(
            st.sampled_from(leaves),
            lambda inner: (
                st.builds("({}) {} ({})".format, inner, st.sampled_from(["AND", "OR"]), inner)
                | inner.map("NOT ({})".format)
            ),
            max_leaves=6,
        )
    )
    properties = data.draw(st.sampled_from([{}, {"x": 1}, {"x": 2}]))
    value = data.draw(st.sampled_from([None, 0, 6, 7]))
    judged = parse(text).judge(properties)
    actual = parse(text).evaluate({**properties, "JMSTimestamp": value})
    assert judged.undecided or (judged.truth is Truth.TRUE) == (actual is Truth.TRUE)
