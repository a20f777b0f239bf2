"""Texts that are no selectors: always InvalidSelector, with the place and a reason a person can
use.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from topograph.errors import InvalidSelector
from topograph.outcomes import Truth
from topograph.selectors import parse
from topograph.selectors.parser import MAX_DEPTH, MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("a >", 4, "the text ends where"),
        ("(a = 1", 7, "ends too early"),
        ("a BETWEEN 1", 12, "ends too early"),
        ("a == 1", 4, "equality is a single ="),
        ("a != 1", 3, "not equal is written <>"),
        ("a = 1 && b = 2", 7, "write AND"),
        ("a = ‘x’", 5, "ASCII single quotes"),
        ('a = "x"', 5, "ASCII single quotes"),
        ("a = 'x", 5, "no closing quote"),
        ("a\u00a0= 1", 2, "write an ASCII space"),
        ("a = \u20135", 5, "ASCII hyphen"),
        ("a.b = 1", 2, "cannot contain a dot"),
        ("a = NULL", 5, "IS NULL"),
        ("x AND or = 2", 7, "keyword or is not allowed here"),
        ("a = b = c", 7, "= is not allowed here"),
        ("a IN ()", 7, ") is not allowed here"),
        ("a IN (1)", 7, "1 is not allowed here"),
        ("1 IN ('a')", 1, "name of a property"),
        ("'x' LIKE 'y'", 1, "name of a property"),
        ("a + 1 IS NULL", 1, "name of a property"),
        ("a LIKE b", 8, "b is not allowed here"),
        ("a LIKE 'x' ESCAPE 'xy'", 19, "exactly one character"),
        ("a LIKE 'x' ESCAPE ''", 19, "exactly one character"),
        ("a LIKE 'x!' ESCAPE '!'", 8, "escapes nothing"),
        ("5", 1, "a condition is needed"),
        ("'text'", 1, "a condition is needed"),
        ("a + 1", 1, "a condition is needed"),
        ("vip AND 'x'", 9, "a condition is needed"),
        ("NOT 5", 5, "a condition is needed"),
        ("a > 'x'", 5, "> takes numbers"),
        ("TRUE < a", 1, "< takes numbers"),
        ("a BETWEEN 'x' AND 'y'", 11, "BETWEEN takes numbers"),
        ("a + 'x' = 1", 5, "+ takes numbers"),
        ("-'x' = 1", 2, "- takes numbers"),
        ("(a = 1) * 2 = 2", 2, "* takes numbers"),
        ("a = 09", 5, "octal"),
        ("a = 9223372036854775808", 5, "fit 64 bits"),
        ("a - 9223372036854775808 = 1", 5, "fit 64 bits"),
        ("a = -9223372036854775809", 6, "fit 64 bits"),
        ("a = 0x8000000000000000", 5, "fit 64 bits"),
        ("a = " + "9" * 5000, 5, "fit 64 bits"),
        ("a = 1e999", 5, "range of a double"),
        ("a = 1e-999", 5, "range of a double"),
        ("JMSReplyTo = 'x'", 1, "JMSReplyTo cannot be used"),
        ("JMSDestination = 'x'", 1, "JMSDestination cannot be used"),
        ("JMSExpiration > 1", 1, "JMSExpiration cannot be used"),
        ("JMSRedelivered", 1, "JMSRedelivered cannot be used"),
        ("a = 1; b = 2", 6, "; has no meaning"),
        ("a = 1 b = 2", 7, "b is not allowed here"),
        ("a = 1 /* comment */", 8, "* is not allowed here"),
        ("a = 'x' || 'y'", 9, "strings cannot be joined"),
        ("²a = 1", 1, "SUPERSCRIPT TWO"),
    ],
)
def test_an_invalid_text_is_refused_at_its_place_with_a_reason(text, column, reason):
    with pytest.raises(InvalidSelector) as caught:
        parse(text)
    assert caught.value.column == column
    assert reason in str(caught.value)


def test_the_message_shows_the_place_with_a_caret():
    with pytest.raises(InvalidSelector) as caught:
        parse("country == 'Canada'")
    assert str(caught.value) == (
        "Not a selector, column 10: two comparison operators follow each other; equality "
        "is a single =.\n"
        "  country == 'Canada'\n"
        "           ^"
    )


def test_the_place_in_a_long_text_is_shown_with_what_surrounds_it():
    text = "a = 1 OR " * 100 + "? OR a = 2" + " OR a = 3" * 100
    with pytest.raises(InvalidSelector) as caught:
        parse(text)
    _, excerpt, pointer = str(caught.value).split("\n")
    assert caught.value.column == 901
    assert excerpt.startswith("  ...")
    assert excerpt.endswith("...")
    assert excerpt[pointer.index("^")] == "?"


def test_redundant_brackets_do_not_count_as_nesting():
    assert parse("(" * 20_000 + "a = 1" + ")" * 20_000).evaluate({"a": 1}) is Truth.TRUE


def test_long_chains_do_not_count_as_nesting():
    assert parse(" OR ".join(f"a = {n}" for n in range(5_000))).evaluate({"a": 4_999}) is Truth.TRUE
    assert parse("1" + "+1" * 9_999 + " = 10000").evaluate({}) is Truth.TRUE


@pytest.mark.parametrize(
    "text",
    [
        "NOT " * 5_000 + "a",
        "-" * 5_000 + "1 = 1",
        "(1+" * 5_000 + "1" + ")" * 5_000 + " = 1",
        "NOT (a OR " * 3_000 + "b" + ")" * 3_000,
        "(" * 60_000,
    ],
)
def test_deep_nesting_is_refused_and_never_overflows_the_stack(text):
    with pytest.raises(InvalidSelector):
        parse(text)


def test_nesting_up_to_the_limit_evaluates():
    text = "NOT " * (MAX_DEPTH - 2) + "(a = 1)"
    assert parse(text).evaluate({"a": 1}) is Truth.TRUE
    with pytest.raises(InvalidSelector, match="nested more than"):
        parse("NOT NOT " + text)


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(InvalidSelector, match="at most 65,536"):
        parse("a = '" + "x" * MAX_LENGTH + "'")


def test_lark_is_imported_by_the_first_text_that_needs_the_grammar_and_not_before():
    code = (
        "import sys, topograph.selectors as s; assert 'lark' not in sys.modules; s.parse('');"
        "s.parse('a=1 AND b=2'); assert 'lark' not in sys.modules;"
        "s.parse('NOT a=1'); assert 'lark' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
