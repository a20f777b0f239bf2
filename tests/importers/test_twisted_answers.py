"""What is read from each of many small inputs with changes (``twisted``)."""

from __future__ import annotations

import pytest
from answer_tables import Case, cases
from read_answers import TABLES
from twisted import differing, key, table

CASES = [
    pytest.param(case, digests.get(key(case), ""), id=case.id)
    for path in TABLES
    for digests in [table(path.with_name("twisted_answers.txt"))]
    for case in cases(path)
]


@pytest.mark.parametrize(("case", "expected"), CASES)
def test_what_is_read_stays_where_more_is_changed(case: Case, expected: str) -> None:
    assert differing(case, expected) == []
