"""What a fact holds as JSON: as Python's own encoder writes it, with sorted keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.facts.ems import EmsGroup, RouteFault
from topograph.facts.plain import to_plain
from topograph.facts.rows import encode
from topograph.findings import Severity, Source
from topograph.opening.folders import read_snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"
OUTER = ("bundle", "server", "source")


def expected(fact: Any) -> str:
    inner = {name: value for name, value in to_plain(fact).items() if name not in OUTER}
    return json.dumps(inner, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


PLACES = st.builds(Source, st.text(), st.integers(), st.integers())
SIMPLE = (
    st.text() | st.integers() | st.booleans() | st.none() | st.floats() | st.sampled_from(Severity)
)
VALUES = st.recursive(
    SIMPLE | PLACES | st.builds(RouteFault, st.text(), PLACES),
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), SIMPLE),
    max_leaves=12,
)


@given(value=VALUES)
def test_whatever_a_field_holds_is_written_as_json(value: Any) -> None:
    fact = EmsGroup(bundle="b", server="s", source=Source("f", 1, 2), name=value)
    assert encode(fact)["payload"] == expected(fact)


@pytest.mark.parametrize("example", ["estate", "orders", "routers", "mixed"])
def test_facts_of_examples_are_written_as_json(example: str) -> None:
    for data in read_snapshot(EXAMPLES / example).data.values():
        for fact in data.facts:
            assert encode(fact)["payload"] == expected(fact)
