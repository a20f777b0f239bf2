"""What is read from small inputs that were searched for (``*/searched.jsonl``)."""

from __future__ import annotations

import pytest
from searched import TABLES, Entry, differing, entries

BATCHES = [
    pytest.param(found[first : first + 10], id=f"{path.parent.name} {first + 1}")
    for path in TABLES
    for found in [entries(path)]
    for first in range(0, len(found), 10)
]


@pytest.mark.parametrize("batch", BATCHES)
def test_what_is_read_stays_where_conditions_go_another_way(batch: list[Entry]) -> None:
    assert [shown for case, expected in batch for shown in differing(case, expected)] == []
