"""What is read from each of many small inputs, whole (``*/read_answers.txt``)."""

from __future__ import annotations

import pytest
from answer_tables import Case, cases
from edited import differing
from read_answers import EDITS, TABLES, answer

CASES = [case for table in TABLES for case in cases(table)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_this_is_read_and_nothing_else(case: Case) -> None:
    assert answer(case) == case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_read_stays_where_there_is_a_slip(case: Case) -> None:
    assert differing(case, EDITS, answer) == []
