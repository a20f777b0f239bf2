"""Tables as bytes: whatever is packed comes back, column by column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.forwarding.points import Labels
from topograph.store.entries import pack, unpack
from topograph.store.records import Kind, Lists

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBERS = st.integers(-(2**31), 2**31 - 1)
OF_KIND = {
    Kind.TEXT: TEXTS,
    Kind.LABEL: st.sampled_from(["", "a", "ä b", "日本"]),
    Kind.NUMBER: NUMBERS,
    Kind.NUMBERS: st.lists(NUMBERS, max_size=4),
    Kind.FLAG: st.booleans(),
}


def column(kind: Kind, values: list):
    if kind is Kind.LABEL:
        return Labels.of(values, len(values))
    if kind is Kind.NUMBER:
        return np.array(values, np.int32)
    return Lists.of(values) if kind is Kind.NUMBERS else values


@st.composite
def tables(draw):
    count = draw(st.integers(0, 12))
    return {
        f"{kind.value}-{number}": (kind, draw(st.lists(of, min_size=count, max_size=count)))
        for kind, of in OF_KIND.items()
        for number in range(draw(st.integers(0, 2)))
    } | {"text": (Kind.TEXT, draw(st.lists(TEXTS, min_size=count, max_size=count)))}


@given(st.lists(tables(), max_size=3))
def test_what_is_packed_comes_back(drawn) -> None:
    keys = [("facts", "network", "ems", str(number)) for number in range(len(drawn))]
    made = (
        (key, {name: (kind, column(kind, values)) for name, (kind, values) in table.items()})
        for key, table in zip(keys, drawn, strict=True)
    )
    about, found = unpack(memoryview(pack({"ä": [1, None]}, made)))
    assert about == {"ä": [1, None]}
    assert list(found) == keys
    for table, given_ in zip(found.values(), drawn, strict=True):
        rows = np.arange(len(table))[::-2]
        for name, (kind, values) in given_.items():
            assert len(table) == len(values)
            assert table.listed(name) == values
            if kind is not Kind.NUMBERS:
                assert table.chosen(name, rows) == [values[row] for row in rows.tolist()]
            if kind in (Kind.TEXT, Kind.LABEL):
                assert table.labels(name).texts() == values
            if kind is Kind.TEXT:
                texts = table.texts(name)
                assert list(texts) == [texts[row] for row in range(len(values))] == values


def test_a_number_of_more_than_32_bits_is_refused() -> None:
    with pytest.raises(OverflowError):
        pack({}, [(("points", "n", "ems", ""), {"cost": (Kind.NUMBER, np.array([2**31]))})])
