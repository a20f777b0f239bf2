"""The answers to many questions about many small estates (``*/asked_answers.txt``)."""

from __future__ import annotations

import pytest
from answer_tables import Case, cases
from asked_answers import TABLES, answers


@pytest.mark.parametrize(
    "case", [case for table in TABLES for case in cases(table)], ids=lambda case: case.id
)
def test_these_are_the_answers_about_an_estate(case: Case) -> None:
    assert answers(case) == case.expected
