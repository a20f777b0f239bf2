"""What is read from small inputs, and that the ends of lines change nothing of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from answer_tables import Case, cases
from read_answers import TABLES, answer

CASES = [case for table in TABLES for case in cases(table)]
INPUTS = [
    case
    for table in sorted((Path(__file__).parents[1] / "estates" / "read").glob("*.txt"))
    for case in cases(table)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_this_is_read_and_nothing_else(case: Case) -> None:
    assert answer(case) == case.expected


@pytest.mark.parametrize("case", INPUTS, ids=lambda case: case.id)
def test_the_ends_of_lines_of_windows_change_nothing(case: Case) -> None:
    files = tuple((name, text.replace("\n", "\r\n")) for name, text in case.files)
    assert answer(replace(case, files=files)) == answer(case)
