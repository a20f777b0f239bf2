"""What definitions of a real broker were after scripts, against the scripts applied to those
before (tests/golden/rabbitmq_scripts).
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from rabbitmq_changes import KINDS, applied, content, written

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq_scripts"
RECORDS = [
    json.loads(line)
    for file in sorted(GOLDEN.glob("*.jsonl.gz"))
    for line in gzip.decompress(file.read_bytes()).decode().splitlines()
]


@pytest.mark.parametrize("part", range(4))
def test_a_script_leaves_what_the_broker_had(part: int, tmp_path: Path) -> None:
    assert len(RECORDS) >= 40
    for record in RECORDS[part::4]:
        folder = tmp_path / str(record["seed"])
        folder.mkdir()
        network = written(record["before"], folder / "before")
        after = written(record["after"], folder / "after")
        script = "".join(f"{one['lines']}\n" for one in record["commands"])
        facts, results = applied(network, script)
        expected = content(after._model.parts[0].facts_of("rabbitmq").facts(KINDS), types=False)
        found = content(facts.facts(KINDS), types=False)
        assert found == expected, (record["seed"], found - expected, expected - found)
        said = [one["said"] for one in record["commands"] if not one["taken"]]
        refused = [why for _, why in results if why != "taken"]
        assert len(refused) == len(said), (record["seed"], refused, said)
        assert not any(why.startswith("undetermined") for why in refused)
