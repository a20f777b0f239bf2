"""The answers to questions about estates that are drawn (``drawn_answers.txt``)."""

from __future__ import annotations

import pytest
from digest_tables import differing, table
from drawn_answers import answers, table_of

EXPECTED = table(table_of("ibm_mq"))


@pytest.mark.parametrize("name", EXPECTED)
def test_these_are_the_answers_about_a_drawn_estate(name: str) -> None:
    assert differing(EXPECTED[name], answers("ibm_mq", name)) == []
