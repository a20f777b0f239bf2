"""What is read from each of many small inputs, whole (``*/read_answers.txt``)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from answer_tables import Case, cases
from edited import differing
from read_answers import EDITS, TABLES, answer

CASES = [case for table in TABLES for case in cases(table)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_this_is_read_and_nothing_else(case: Case) -> None:
    assert answer(case) == case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_ends_of_lines_of_windows_change_nothing(case: Case) -> None:
    files = tuple((name, text.replace("\n", "\r\n")) for name, text in case.files)
    assert answer(replace(case, files=files)) == case.expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_read_stays_where_there_is_a_slip(case: Case) -> None:
    assert differing(case, EDITS, answer) == []
