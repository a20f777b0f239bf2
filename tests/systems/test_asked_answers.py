"""How the answers to many questions about small estates begin (``*/asked_answers.txt``)."""

from __future__ import annotations

import pytest
from answer_tables import Case, cases
from asked_answers import TABLES, answers

CASES = [case for table in TABLES for case in cases(table)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_these_are_the_answers_about_an_estate(case: Case) -> None:
    assert answers(case) == case.expected
