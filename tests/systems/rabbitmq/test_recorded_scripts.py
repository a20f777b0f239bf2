"""What definitions of a real broker were after scripts, against the scripts applied to those
before (tests/golden/rabbitmq_scripts).
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from rabbitmq_changes import KINDS, applied, content, written

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq_scripts"
RECORDS = [
    json.loads(line)
    for file in sorted(GOLDEN.glob("*.jsonl.gz"))
    for line in gzip.decompress(file.read_bytes()).decode().splitlines()
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["seed"]))
def test_a_script_leaves_what_the_broker_had(record: dict[str, Any], tmp_path: Path) -> None:
    network = written(record["before"], tmp_path / "before")
    after = written(record["after"], tmp_path / "after")
    script = "".join(f"{one['lines']}\n" for one in record["commands"])
    facts, results = applied(network, script)
    expected = content(after._model.parts[0].facts_of("rabbitmq").facts(KINDS))
    found = content(facts.facts(KINDS))
    assert found == expected, (found - expected, expected - found, results)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["seed"]))
def test_what_the_broker_refused_is_refused(record: dict[str, Any], tmp_path: Path) -> None:
    network = written(record["before"], tmp_path / "before")
    script = "".join(f"{one['lines']}\n" for one in record["commands"])
    _, results = applied(network, script)
    lines = [one for one in record["commands"] if not one["taken"]]
    assert sum(result != "taken" for _, result in results) == len(lines), (results, lines)
