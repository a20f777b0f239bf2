"""The whole rows of ``show``, findings of ``check`` and additions to a published network, for a
small estate with every kind of fact (``row_answers.txt``).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.command_answers import Case, cases
from systems.row_answers import answer


@pytest.mark.parametrize(
    "case", cases(Path(__file__).with_name("row_answers.txt")), ids=lambda case: case.id
)
def test_an_estate_has_these_rows_and_no_others(case: Case) -> None:
    assert answer(case, "ems") == case.expected
