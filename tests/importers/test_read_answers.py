"""What is read from each of many small inputs, whole (``*/read_answers.txt``)."""

from __future__ import annotations

import pytest
from answer_tables import Case, cases
from read_answers import TABLES, answer


@pytest.mark.parametrize(
    "case", [case for table in TABLES for case in cases(table)], ids=lambda case: case.id
)
def test_this_is_read_and_nothing_else(case: Case) -> None:
    assert answer(case) == case.expected
