"""What selectors say of messages (ems.md 3.8); the positions of topograph.selectors.values
included.
"""

from __future__ import annotations

import pytest

from topograph.outcomes import Truth
from topograph.selectors import parse

T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNKNOWN


def check(table, properties):
    assert {text: parse(text).evaluate(properties) for text in table} == table


@pytest.mark.parametrize("text", ["", "   ", "\t\r\n"])
def test_a_blank_text_is_no_selector_and_always_true(text):
    assert parse(text).evaluate({}) is T
    assert parse(text).identifiers == frozenset()
    assert parse(text).constant() is T


def test_a_missing_property_makes_comparison_arithmetic_and_membership_unknown():
    check(
        {
            "a = 1": U,
            "a <> 1": U,
            "NOT (a = 1)": U,
            "a + 1 > 0": U,
            "-a < 0": U,
            "a": U,
            "NOT a": U,
            "a IN ('x')": U,
            "a NOT IN ('x')": U,
            "a LIKE '%'": U,
            "a NOT LIKE '%'": U,
            "a BETWEEN 1 AND 2": U,
            "a NOT BETWEEN 1 AND 2": U,
            "3 BETWEEN 5 AND a": F,
            "3 NOT BETWEEN 5 AND a": T,
            "a IS NULL": T,
            "a IS NOT NULL": F,
        },
        {},
    )


def test_three_valued_and_or_not():
    check(
        {
            "f AND u": F,
            "u AND f": F,
            "t AND u": U,
            "u AND u": U,
            "t OR u": T,
            "u OR t": T,
            "f OR u": U,
            "u OR u": U,
            "NOT u": U,
            "NOT NOT t": T,
            "t AND t AND f": F,
            "f OR f OR t": T,
            "t OR f AND f": T,
            "NOT f AND f": F,
            "(t OR f) AND f": F,
        },
        {"t": True, "f": False},
    )


def test_unlike_types_are_false_and_their_negation_true():
    check(
        {
            "s = 1": F,
            "s <> 1": F,
            "NOT (s <> 1)": T,
            "s > 1": F,
            "s BETWEEN 1 AND 3": F,
            "s NOT BETWEEN 1 AND 3": F,
            "NOT (s BETWEEN 1 AND 3)": T,
            "b = 1": F,
            "b = 'true'": F,
            "n IN ('2')": F,
            "n NOT IN ('2')": T,
            "n LIKE '2'": F,
            "n NOT LIKE '2'": T,
            "s": F,
            "NOT s": T,
            "n": F,
            "b > s": F,
            "s > s": F,
            "s = s": T,
        },
        {"s": "2", "n": 2, "b": True},
    )


def test_arithmetic_on_a_string_or_boolean_has_no_value():
    check({"s + 1 = 3": U, "b * 1 = 1": U, "-s = -2": U, "+s = '2'": U}, {"s": "2", "b": True})


def test_booleans_compare_with_conditions():
    check(
        {
            "vip = TRUE": T,
            "true <> vip": F,
            "(a = 1) = vip": T,
            "vip = (a = 2)": F,
            "(x = 1) = TRUE": U,
            "FALSE": F,
        },
        {"vip": True, "a": 1},
    )


def test_exact_division_truncates_toward_zero_and_has_no_value_by_zero():
    check(
        {
            "7 / 2 = 3": T,
            "-7 / 2 = -3": T,
            "7 / -2 = -3": T,
            "-7 / -2 = 3": T,
            "7 / 2 * 2 = 6": T,
            "1 / 0 = 1": U,
            "NOT (1 / 0 = 1)": U,
            "7 / 2. = 3.5": T,
            "1 / 0. > 9E300": T,
            "-1 / 0. < 0": T,
            "1 / -0. < 0": T,
            "0. / 0 = 0. / 0": F,
            "0. / 0 <> 0. / 0": T,
        },
        {},
    )


def test_exact_numbers_are_java_longs_and_wrap():
    check(
        {
            "9223372036854775807 + 1 = -9223372036854775808": T,
            "-9223372036854775808 - 1 = 9223372036854775807": T,
            "-(-9223372036854775808) = -9223372036854775808": T,
            "-9223372036854775808 / -1 = -9223372036854775808": T,
            "4611686018427387904 * 2 < 0": T,
            "- -9223372036854775808L < 0": T,
            "2147483647 + 1 = 2147483648": T,
        },
        {},
    )


def test_number_literals_are_written_as_in_java():
    check(
        {
            "0x1F = 31": T,
            "0XffL = 255": T,
            "010 = 8": T,
            "00 = 0": T,
            "7. = 7": T,
            ".5 = 1/2.": T,
            "-95.7 < 0": T,
            "7E3 = 7000": T,
            "7e-1 = 0.7": T,
            "1.0f = 1d": T,
            "5L = 5": T,
            "0x7FFFFFFFFFFFFFFF = 9223372036854775807": T,
            "09. = 9": T,
            "a=5AND 1=1": T,
        },
        {"a": 5},
    )


def test_an_exact_number_beside_an_approximate_one_becomes_a_double():
    check(
        {"n = 9007199254740992.0": T, "n = 9007199254740992": F, "n + 0. = 9007199254740992": T},
        {"n": 2**53 + 1},
    )


def test_like_takes_one_and_any_characters_and_an_escape():
    table = {
        "p LIKE '12%3'": T,
        "p LIKE '1__9_'": T,
        "p LIKE '1_9_'": F,
        "p LIKE '%'": T,
        "p LIKE '%%3%%'": T,
        "p LIKE ''": F,
        "p LIKE '12993_'": F,
        "u LIKE '\\_%' ESCAPE '\\'": T,
        "p LIKE '\\_%' ESCAPE '\\'": F,
        "q LIKE '%''%'": T,
        "l LIKE 'a_b'": T,
        "l LIKE 'A%'": F,
        "e LIKE ''": T,
        "e LIKE '_'": F,
        "r LIKE '.*'": F,
        "o LIKE 'a!bc' ESCAPE '!'": T,
        "o LIKE 'a%%c' ESCAPE '%'": F,
    }
    check(
        table,
        {"p": "12993", "u": "_foo", "q": "it's", "l": "a\nb", "e": "", "r": "abc", "o": "abc"},
    )


def test_like_does_not_blow_up_on_many_wildcards():
    selector = parse("s LIKE '" + "%a" * 60 + "%b'")
    assert selector.evaluate({"s": "a" * 20_000}) is F


def test_keywords_have_any_case_and_identifiers_keep_theirs():
    check(
        {
            "Name is NOT null aNd nAmE IS null": T,
            "name IS NULL": T,
            "orders = 1 OR android = 1 oR Notes like '%'": T,
            "$x = 1 AND _y = 2 AND été = 3": T,
            "ИМЯ = 4": T,
        },
        {"Name": "x", "orders": 1, "Notes": "n", "$x": 1, "_y": 2, "été": 3, "ИМЯ": 4},
    )


def test_strings_hold_doubled_quotes_and_keywords():
    check(
        {"a = 'it''s'": T, "b = ''": T, "c IN ('AND', 'x OR y')": T},
        {"a": "it's", "b": "", "c": "x OR y"},
    )


def test_header_fields_and_defined_and_provider_properties_may_be_named():
    text = (
        "JMSDeliveryMode = 'PERSISTENT' AND JMSPriority > 4 AND JMSMessageID IS NULL AND "
        "JMSTimestamp > 0"
        " AND JMSCorrelationID = 'c' AND JMSType = 't' AND JMSXGroupID = 'g' AND "
        "JMS_TIBCO_COMPRESS = TRUE"
    )
    message = {
        "JMSDeliveryMode": "PERSISTENT",
        "JMSPriority": 5,
        "JMSTimestamp": 1,
        "JMSCorrelationID": "c",
        "JMSType": "t",
        "JMSXGroupID": "g",
        "JMS_TIBCO_COMPRESS": True,
    }
    assert parse(text).evaluate(message) is T
    assert parse(text).identifiers == frozenset(message) | {"JMSMessageID"}


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("1 = 1", T),
        ("1 = 2", F),
        ("1 / 0 = 1", U),
        ("x = 1", None),
        ("x = 1 OR TRUE", T),
        ("x = 1 AND 1 > 2", F),
        ("NOT (x = 1 AND FALSE)", T),
        ("TRUE AND 1 / 0 = 1", U),
        ("x = 1 OR FALSE", None),
        ("x IS NULL", None),
    ],
)
def test_a_selector_that_is_the_same_for_every_message_says_so(text, truth):
    assert parse(text).constant() is truth


def test_a_property_outside_64_bits_does_not_stop_an_evaluation():
    check({"n > 1.5": T, "-n < 1.5": T, "n = 'x'": F}, {"n": 10**400})


@pytest.mark.parametrize(
    ("text", "properties", "truth", "undecided"),
    [
        ("JMSPriority = 4 AND JMSDeliveryMode = 'PERSISTENT'", {}, T, ()),
        ("JMSPriority > 4", {}, F, ()),
        ("JMSPriority > 4", {"JMSPriority": 5}, T, ()),
        ("JMSTimestamp > 0", {}, U, ("JMSTimestamp",)),
        ("JMSTimestamp > 0", {"JMSTimestamp": 1}, T, ()),
        ("JMSTimestamp > 0", {"JMSTimestamp": None}, U, ()),
        ("JMSTimestamp IS NULL", {"JMSTimestamp": None}, T, ()),
        ("JMSMessageID IS NULL", {}, U, ("JMSMessageID",)),
        ("NOT (JMSMessageID LIKE 'ID:%')", {}, U, ("JMSMessageID",)),
        ("JMSTimestamp + 1 BETWEEN 0 AND 9", {}, U, ("JMSTimestamp",)),
        ("x = 1 AND JMSTimestamp > 0", {"x": 2}, F, ()),
        ("x = 1 AND JMSTimestamp > 0", {}, U, ()),
        ("NOT (x = 1 AND JMSTimestamp > 0)", {}, U, ("JMSTimestamp",)),
        ("x = 1 OR JMSTimestamp > 0", {"x": 1}, T, ()),
        ("JMSMessageID = 'a' OR JMSTimestamp > 0", {}, U, ("JMSMessageID", "JMSTimestamp")),
        ("JMSXDeliveryCount = 1", {}, U, ("JMSXDeliveryCount",)),
        ("JMSCorrelationID IS NULL AND JMSType IS NULL AND JMSXGroupID IS NULL", {}, T, ()),
    ],
)
def test_header_fields_have_a_value_that_the_question_does_not_set(
    text, properties, truth, undecided
):
    judged = parse(text).judge(properties)
    assert (judged.truth, judged.undecided) == (truth, undecided)


def test_a_header_field_that_is_taken_at_its_default_is_named():
    assert parse("JMSPriority > 4 OR qty > 1").judge({"qty": 2}).defaults == ("JMSPriority",)
    assert parse("JMSPriority > 4").judge({"JMSPriority": 4}).defaults == ()
