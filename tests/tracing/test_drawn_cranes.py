"""What becomes of messages in networks of cranes that are drawn (``drawn_cranes.txt``)."""

from __future__ import annotations

import pytest
from digest_tables import differing, table
from drawn_cranes import TABLE, answers

EXPECTED = table(TABLE)


@pytest.mark.parametrize("number", EXPECTED)
def test_this_becomes_of_messages_in_a_drawn_network(number: str) -> None:
    assert differing(EXPECTED[number], answers(int(number))) == []
