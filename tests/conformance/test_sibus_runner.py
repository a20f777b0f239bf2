"""What a bus vector configures reaches the importer whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conformance.sibus_files import facts_of
from conformance.test_vectors import FOLDER

from topograph.facts.sibus import Incomplete, SibusDestination

VECTORS = [
    pytest.param(vector, id=str(vector.get("id")))
    for file in sorted(FOLDER.glob("sibus*vectors.json"))
    for vector in json.loads(file.read_text("utf-8"))
]


@pytest.mark.parametrize("vector", VECTORS)
def test_the_importer_understands_all_of_what_a_vector_configures(vector: Any) -> None:
    found = facts_of(vector["given"])
    assert [one.reason for one in found if isinstance(one, Incomplete)] == []
    wanted = sum(len(bus["destinations"]) for bus in vector["given"]["buses"])
    assert len([one for one in found if isinstance(one, SibusDestination)]) == wanted
