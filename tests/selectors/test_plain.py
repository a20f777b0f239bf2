"""That selectors of the plainest form are what the grammar makes of them."""

from __future__ import annotations

import random

import pytest

from topograph.errors import InvalidSelector
from topograph.selectors.expressions import Expression
from topograph.selectors.parser import expression_of
from topograph.selectors.plain import plain_expression

WORDS = [
    "a", "shard", "AND", "and", "Or", "OR", "NOT", "=", "<>", "<", ">=", "<=", ">", "1", "0", "07",
    "10", "1.5", "1L", "-1", "999999999999999999", "9223372036854775807", "'x'", "'it''s'", "''",
    "'a AND b'", "JMSPriority", "JMSXUserID", "JMSFoo", "TRUE", "null", "IN", "('a')", "(", ")",
    "\u00e9", "'\u00e9'", "$x_1", "a.b", "1x", "\u00a0", "+", "LIKE", "IS NULL",
]  # fmt: skip
NAMES, SYMBOLS, VALUES = (
    ["a", "b$", "_c", "JMSType"],
    ["=", "<>", "<", ">="],
    ["1", "'x'", "0", "'é'"],
)
GAPS = ["", " ", "  ", "\t", "\n"]


def grammar(text: str) -> Expression | None:
    try:
        return expression_of(text)
    except InvalidSelector:
        return None


def drawn(chance: random.Random) -> str:
    words: list[str] = []
    for _ in range(chance.randrange(1, 6)):
        words += [chance.choice(NAMES), chance.choice(SYMBOLS), chance.choice(VALUES)]
        words.append(chance.choice([" AND ", " or ", " OR "]))
    words.pop()
    if chance.random() < 0.5:
        for _ in range(chance.randrange(1, 3)):
            words[chance.randrange(len(words))] = chance.choice(WORDS)
    gap = chance.choice(GAPS)
    return gap + chance.choice((gap, " ")).join(words) + gap


@pytest.mark.parametrize("number", range(40))
def test_what_is_plain_is_what_the_grammar_reads(number: int) -> None:
    chance = random.Random(number)
    plain = 0
    for _ in range(100):
        text = drawn(chance)
        if (found := plain_expression(text)) is not None:
            plain += 1
            assert found == grammar(text), text
    assert plain > 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a = 1 AND",
        "a = 1 AND (b = 2)",
        "NOT a = 1",
        "a < 'x'",
        "a = b",
        "JMSFoo = 1",
        "a = 1x",
    ],
)
def test_what_is_not_plain_is_left_to_the_grammar(text: str) -> None:
    assert plain_expression(text) is None


def test_a_long_text_is_left_to_the_grammar() -> None:
    assert plain_expression(" AND ".join(["a = 1"] * 1_000)) is None
