"""What a real broker did with messages, against the importer and the step function
(tests/golden/rabbitmq).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from rabbitmq_replay import Found, results, stepping

from topograph.errors import UsageError

SENDER_SELECTED = {"CC", "BCC"}

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


def estates(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def agrees(found: Found, sent: Mapping[str, Any]) -> bool:
    """Whether one result is what was recorded."""
    if found.unknown or found.refused is not sent["publisher"].startswith("refused"):
        return False
    if sent["endless"]:
        return found.endless
    nacked = sent["publisher"] == "nacked"
    return dict(found.queues) == sent["queues"] and not found.endless and found.nacked <= nacked


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_messages_are_where_the_broker_put_them(path: Path) -> None:
    count, different = 0, []
    for estate in estates(path):
        own = stepping(estate["definitions"])
        for sent in estate["messages"]:
            count += 1
            if sent["publisher"] == "refused 404":
                with pytest.raises(UsageError, match="has no exchange"):
                    results(own, sent)
                continue
            if SENDER_SELECTED & (sent["headers"] or {}).keys():
                with pytest.raises(UsageError, match="names more routing keys"):
                    results(own, sent)
                continue
            if not any(agrees(found, sent) for found in results(own, sent)):
                different.append((estate["seed"], sent["id"], sent["features"]))
    assert count
    assert different == []
