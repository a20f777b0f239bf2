"""What selectors mean that are drawn (``drawn_selectors.txt``)."""

from __future__ import annotations

import pytest
from digest_tables import differing, table
from drawn_selectors import TABLE, answers

EXPECTED = table(TABLE)


@pytest.mark.parametrize("number", EXPECTED)
def test_this_is_what_drawn_selectors_mean(number: str) -> None:
    assert differing(EXPECTED[number], answers(int(number))) == []
