"""The answers to questions about estates that are drawn (``drawn_answers.txt``)."""

from __future__ import annotations

import pytest
from digest_tables import differing, table
from drawn_answers import TABLE, answers

EXPECTED = table(TABLE)


@pytest.mark.parametrize("number", EXPECTED)
def test_these_are_the_answers_about_a_drawn_estate(number: str) -> None:
    assert differing(EXPECTED[number], answers(int(number))) == []
