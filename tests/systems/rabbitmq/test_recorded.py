"""What real brokers did with messages, against the importer and the step function
(tests/golden/rabbitmq).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rabbitmq_replay import differences

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


def estates(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_messages_are_where_the_broker_put_them(path: Path) -> None:
    count, different = 0, []
    for estate in estates(path):
        count += len(estate["messages"])
        different += differences(estate)
    assert count
    assert different == []


def test_a_recording_that_was_changed_is_told() -> None:
    estate = next(estates(FILES[0]))
    sent = next(one for one in estate["messages"] if one["outcome"] == "delivered")
    sent["queues"] = {"north1/elsewhere": 1}
    (line,) = differences({**estate, "messages": [sent]})
    assert line.startswith(f"seed {estate['seed']}, {sent['id']} to ")
    assert "recorded accepted delivered {'north1/elsewhere': 1}, answered {" in line
