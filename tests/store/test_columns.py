"""Columns built from buffers are those that pyarrow makes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.store.columns import LABEL, column, integers, labels, lists

NUMBERS = st.integers(-(2**31), 2**31 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(
    st.lists(TEXTS),
    st.lists(st.booleans()),
    st.lists(NUMBERS),
    st.lists(st.lists(NUMBERS)),
    st.lists(st.binary()),
)
def test_a_column_holds_its_values(
    texts: list[str],
    flags: list[bool],
    numbers: list[int],
    listed: list[list[int]],
    raw: list[bytes],
) -> None:
    for values, type_ in (
        (texts, pa.string()),
        (raw, pa.binary()),
        (flags, pa.bool_()),
        (numbers, pa.int32()),
        (listed, pa.list_(pa.int32())),
    ):
        made = column(values, type_)
        made.validate(full=True)
        assert made.equals(pa.array(values, type_))
    made = column(texts, LABEL)
    made.validate(full=True)
    assert made.equals(pa.array(texts, pa.string()).dictionary_encode())


def test_numpy_values_are_taken_in_any_layout() -> None:
    values = np.arange(10, dtype=np.int64)[::2]
    assert integers(values).to_pylist() == [0, 2, 4, 6, 8]
    assert labels(np.array([1, 0, 1], np.int32), ["a", "b"]).to_pylist() == ["b", "a", "b"]
    assert lists(np.array([0, 2, 2], np.int32), np.array([7, 8], np.int32)).to_pylist() == [
        [7, 8],
        [],
    ]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(OverflowError):
        column([2**31], pa.int32())
    with pytest.raises(UnicodeEncodeError):
        column(["\ud800"], pa.string())
    with pytest.raises(TypeError, match="no columns of double"):
        column([1.0], pa.float64())
