"""Traces of the bus vectors rest on the rules that the vectors name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conformance.sibus_cases import run
from conformance.test_vectors import FOLDER

VECTORS = [
    pytest.param(vector, id=str(vector.get("id")))
    for file in sorted(FOLDER.glob("sibus*vectors.json"))
    for vector in json.loads(file.read_text("utf-8"))
]


@pytest.mark.parametrize("vector", VECTORS)
def test_a_trace_names_the_rules_it_rests_on(vector: Any) -> None:
    assert set(vector["rules"]) - run(vector)["rules"] == set()
