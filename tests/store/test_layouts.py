"""Layout files: what is written is read back, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.errors import InputError
from topograph.store.layouts import FARTHEST, KeptLayout, layout_text, read_layout

COORDINATES = st.floats(-FARTHEST, FARTHEST, allow_nan=False)
NAMES = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(NAMES, st.tuples(COORDINATES, COORDINATES), max_size=8))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, spots: dict[str, tuple[float, float]]
):
    file = tmp_path_factory.mktemp("layout") / "places.json"
    file.write_text(layout_text(spots), encoding="utf-8")
    assert read_layout(file) == spots


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "Expecting value"),
        ("[" * 100_000, "not a layout"),
        ("{}", 'no "format"'),
        (
            '{"format": "topograph-layout", "version": 2, "servers": {}}',
            "its version is 2, this topograph reads version 1",
        ),
        ('{"format": "topograph-layout", "version": 1}', '"servers" is not an object'),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": [1]}}',
            "the place of 'A' is not a list",
        ),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": [1, NaN]}}',
            "the place of 'A'",
        ),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": [NaN, 1]}}',
            "the place of 'A'",
        ),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": [1e8, 1]}}',
            "the place of 'A'",
        ),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": [true, 1]}}',
            "the place of 'A'",
        ),
        (
            '{"format": "topograph-layout", "version": 1, "servers": {"A": ["1", 1]}}',
            "the place of 'A'",
        ),
    ],
)
def test_another_file_is_refused_with_what_is_wrong_in_it(tmp_path: Path, text: str, wrong: str):
    file = tmp_path / "places.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_layout(file)
    assert wrong in str(raised.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_layout(tmp_path / "none.json")


def test_places_are_computed_once_and_then_read(tmp_path: Path):
    file = tmp_path / "layout.json"
    asked: list[str] = []

    def place(earlier: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        assert not earlier
        asked.append("placed")
        return {"A": (0.0, 0.0), "B": (100.0, 0.0)}

    kept = KeptLayout(file)
    first = kept.places(["A", "B"], place)
    assert kept.places(["A", "B"], place) == first
    assert KeptLayout(file).places(["A", "B"], place) == first
    assert asked == ["placed"]
    assert [path.name for path in tmp_path.iterdir()] == ["layout.json"]


@pytest.mark.parametrize("kept", ["", "{"])
def test_a_kept_file_that_is_damaged_counts_as_absent(tmp_path: Path, kept: str):
    file = tmp_path / "layout.json"
    file.write_text(kept, encoding="utf-8")
    placed = {"A": (0.0, 0.0), "B": (100.0, 0.0)}
    assert KeptLayout(file).places(["A", "B"], lambda earlier: {**placed, **earlier}) == placed
    assert read_layout(file) == placed


@pytest.mark.parametrize("earlier", [{"A": (5.0, 5.0)}, {"A": (5.0, 5.0), "C": (9.0, 9.0)}])
def test_places_kept_of_other_servers_are_the_start_of_new_ones(
    tmp_path: Path, earlier: dict[str, tuple[float, float]]
):
    file = tmp_path / "layout.json"
    file.write_text(layout_text(earlier), encoding="utf-8")
    started: list[object] = []

    def place(start: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        started.append(start)
        return {"A": start["A"], "B": (100.0, 0.0)}

    assert KeptLayout(file).places(["A", "B"], place) == {"A": (5, 5), "B": (100, 0)}
    assert started == [earlier]
    assert read_layout(file) == {"A": (5, 5), "B": (100, 0)}


def test_where_nothing_can_be_written_places_are_computed(tmp_path: Path):
    kept = KeptLayout(tmp_path / "gone" / "layout.json")
    assert kept.places(["A"], lambda _: {"A": (0.0, 0.0)}) == {"A": (0.0, 0.0)}
