"""Where headers are compared behind a routing key, an audit tells each change of a message that has
both (``systems/rabbitmq/tried.py``)."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import topograph

KEYS = ("k1", "k2")
HEADERS: tuple[dict[str, object], ...] = ({"tier": 1}, {"tier": 2})
EXCHANGES = {
    "orders": "topic", "first": "headers", "second": "headers", "third": "direct", "all": "fanout",
}  # fmt: skip
INTERNAL = ("second", "third")
"""What clients do not publish to: messages get there by bindings, or as dead letters."""


def definitions(random: Random) -> dict[str, Any]:
    own = {"vhost": "/", "durable": True, "auto_delete": False, "arguments": {}}
    dead = {"x-dead-letter-exchange": random.choice([*EXCHANGES])}
    bindings = []
    for _ in range(random.randint(4, 9)):
        source = random.choice([*EXCHANGES])
        to = random.choice([*EXCHANGES, "q1", "q1", "q2", "waiting"])
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
        "queues": [
            *({**own, "name": name} for name in ("q1", "q2")),
            {**own, "name": "waiting", "arguments": dead | {"x-message-ttl": 9}},
        ],
        "exchanges": [
            {**own, "name": name, "type": type_, "internal": name in INTERNAL}
            for name, type_ in EXCHANGES.items()
        ],
        "bindings": bindings,
    }


def read(folder: Path, random: Random) -> topograph.Network:
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(definitions(random)), encoding="utf-8")
    return topograph.read(folder)


def delivered(network: topograph.Network, exchange: str, key: str, headers: dict[str, Any]) -> Any:
    found = network.propagate("one", f"exchange:{exchange}", headers, routing_key=key)
    return sorted((one.destination, str(one.outcome)) for one in found.deliveries)


_TOLD = re.compile(r"exchange:(\w+)(?: with the key (.*?))?(?: and| with)?(?: the headers (.*))?$")


def messages(told: Iterable[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Exchange, key and headers of the messages that an answer names."""
    for one in told:
        found = _TOLD.match(one)
        if found is not None:
            pairs = (pair.split("=") for pair in (found[3] or "").split(", ") if pair)
            yield found[1], found[2] or "", {name: int(value) for name, value in pairs}


@pytest.mark.parametrize("seed", range(25))
def test_a_message_with_key_and_headers_that_ends_otherwise_is_told(
    seed: int, tmp_path: Path
) -> None:
    """Told is one to the same exchange of which the same becomes before and after, or one with the
    same key or the same headers: which keys and headers count together is looked at in each of the
    two states."""
    random = Random(seed)
    one, other = read(tmp_path / "a", random), read(tmp_path / "b", random)
    told: set[tuple[object, ...]] = set()
    for name, key, headers in messages(
        row.destination for row in topograph.compare(one, other).outcomes
    ):
        message = name, key, headers
        told |= {(name, str(delivered(one, *message)), str(delivered(other, *message)))}
        told |= {(name, key), (name, str(headers))}
    published = [name for name in EXCHANGES if name not in INTERNAL]
    for name, key, headers in itertools.product(published, KEYS, HEADERS):
        was, now = delivered(one, name, key, headers), delivered(other, name, key, headers)
        accepted = {(name, str(was), str(now)), (name, key), (name, str(headers))}
        assert was == now or accepted & told, (name, key, headers, was, now)
