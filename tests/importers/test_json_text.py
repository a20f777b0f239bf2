"""How deep JSON may be."""

from __future__ import annotations

import pytest

from topograph.importers.positions.json_text import MAX_DEPTH, parse


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_brackets_in_brackets_are_read_down_to_a_depth(opened: str, closed: str) -> None:
    times = MAX_DEPTH // (len(closed))
    deepest = f"{opened * times}1{closed * times}"

    assert parse(deepest).error == ""
    too_deep = parse(f"{opened * (times + 1)}1{closed * (times + 1)}")
    assert too_deep.error == f"nested deeper than {MAX_DEPTH}"
