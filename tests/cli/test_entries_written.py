"""Sequences that write their own entries write what their records would be written as."""

from __future__ import annotations

import json

import numpy as np
import pytest

from topograph.forwarding.reached import LEFT_OPEN, NOT_DECIDED
from topograph.questions.answers import Lost, LostPairs, NamesListed, plain
from topograph.questions.reach import written_hops
from topograph.sequences import WritesEntries
from topograph.systems.contract.separated import Group, SeparatedPairs

NAMES = ('$TMP$.Ä"1.>', "$TMP$.B.>", "$TMP$.C.>")
COLUMNS = tuple(np.array(own, np.int32) for own in ([2, 0], [1, 1], [1, 12]))
GROUPS = [
    Group(("A", 'B"'), ("C", "E"), "lost: Ä"),
    Group(("A", 'B"'), ("D",), "stored"),
    Group(("C",), ("A",), "stored"),
]

WRITTEN = [
    LostPairs(SeparatedPairs(GROUPS), "ems"),
    LostPairs(SeparatedPairs(), "ems"),
    NamesListed((NAMES, ('Ä"1', "B", "C")), (COLUMNS[0], COLUMNS[1], COLUMNS[2])),
]


@pytest.mark.parametrize("entries", WRITTEN)
def test_entries_are_written_as_their_records(entries: WritesEntries[Lost]) -> None:
    assert [*entries.written(json.dumps)] == [json.dumps(plain(one)) for one in entries]


def test_names_are_read_as_a_list_is() -> None:
    names = WRITTEN[2]
    assert [names[0], names[-1]] == list(names) == names[:2] == names[::1]
    assert len(names) == 2
    assert names[1:] == [names[1]]


@pytest.mark.parametrize(
    "row", [[], [0], [0, 1, 12, 100], [0, -1, 3], [NOT_DECIDED, 0, LEFT_OPEN, 10], [-1]]
)
def test_a_row_of_hops_is_written_as_its_entries_are(row: list[int]) -> None:
    unknown = (NOT_DECIDED, LEFT_OPEN)
    entries = ["unknown" if one in unknown else None if one < 0 else one for one in row]
    assert written_hops(np.array(row, np.int16)) == json.dumps(entries)
