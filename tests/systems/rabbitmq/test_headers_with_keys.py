"""Where headers are compared behind a routing key, an audit tells each change of a message that has
both (``systems/rabbitmq/tried.py``)."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import topograph

KEYS = ("k1", "k2")
HEADERS: tuple[dict[str, object], ...] = ({"tier": 1}, {"tier": 2})
EXCHANGES = {"orders": "topic", "first": "headers", "second": "headers", "third": "direct"}


def definitions(random: Random) -> dict[str, Any]:
    own = {"vhost": "/", "durable": True, "auto_delete": False, "arguments": {}}
    bindings = []
    for _ in range(random.randint(3, 7)):
        source = random.choice([*EXCHANGES])
        to = random.choice([*EXCHANGES, "q1", "q1", "q2"])
        by_headers = EXCHANGES[source] == "headers"
        bindings.append(
            {
                "vhost": "/",
                "source": source,
                "destination": to,
                "destination_type": "exchange" if to in EXCHANGES else "queue",
                "routing_key": "" if by_headers else random.choice(KEYS),
                "arguments": random.choice(HEADERS) if by_headers else {},
            }
        )
    return {
        "rabbit_version": "3.13.7",
        "vhosts": [{"name": "/"}],
        "queues": [{**own, "name": name} for name in ("q1", "q2")],
        "exchanges": [{**own, "name": name, "type": type_} for name, type_ in EXCHANGES.items()],
        "bindings": bindings,
    }


def read(folder: Path, random: Random) -> topograph.Network:
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(definitions(random)), encoding="utf-8")
    return topograph.read(folder)


def delivered(network: topograph.Network, exchange: str, key: str, headers: dict[str, Any]) -> Any:
    found = network.propagate("one", f"exchange:{exchange}", headers, routing_key=key)
    return sorted((one.destination, str(one.outcome)) for one in found.deliveries)


@pytest.mark.parametrize("seed", range(12))
def test_a_message_with_key_and_headers_that_ends_otherwise_is_told(
    seed: int, tmp_path: Path
) -> None:
    random = Random(seed)
    one, other = read(tmp_path / "a", random), read(tmp_path / "b", random)
    told = {row.destination for row in topograph.compare(one, other).outcomes}
    for exchange, key, headers in itertools.product(EXCHANGES, KEYS, HEADERS):
        if delivered(one, exchange, key, headers) != delivered(other, exchange, key, headers):
            tier = headers["tier"]
            named = {
                f"exchange:{exchange} with the key {key} and the headers tier={tier}",
                f"exchange:{exchange} with the headers tier={tier}",
                f"exchange:{exchange} with the key {key}",
            }
            assert named & told, (seed, exchange, key, headers, told)
