"""The recordings of RabbitMQ are what their README says, and what the recorder would draw again
(``tests/golden/rabbitmq/README.md``). No broker is started.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from golden.recorders.rabbitmq.drawn import drawn
from golden.recorders.rabbitmq.estate import Estate
from golden.recorders.recording import comparison, written

FOLDER = Path(__file__).parent / "rabbitmq"
FEATURES = (
    "alternate-argument", "alternate-chain", "alternate-circle", "alternate-not-used",
    "alternate-policy", "at-least-once", "carried-death", "consistent-hash", "dead-letter-circle",
    "dead-letter-chain", "dead-letter-circle-rejected", "dead-letter-key", "dead-letter-policy",
    "default",
    "delivery-limit", "direct", "duplicate-binding", "exchange-circle", "exchange-to-exchange",
    "fanout", "federated-exchange", "federated-queue", "federation-ring", "headers-all",
    "headers-all-with-x", "headers-any", "headers-any-with-x", "internal", "max-hops",
    "maxlen-bytes", "maxlen-drop-head", "maxlen-policy", "maxlen-reject-publish",
    "maxlen-reject-publish-dlx", "missing-exchange", "operator-merge", "operator-policy",
    "permission", "policy", "policy-apply-to", "policy-argument", "policy-equal",
    "policy-priority", "predeclared", "quorum",
    "random-exchange", "reject", "sender-selected", "shovel-after-dead-letter",
    "shovel-exchange-exchange",
    "shovel-exchange-queue", "shovel-key", "shovel-one-vhost", "shovel-queue-exchange",
    "shovel-queue-queue", "shovel-ring", "shovel-vhosts", "stream", "topic", "topic-permission",
    "ttl-message", "ttl-policy", "ttl-queue", "upstream-all", "upstream-pattern", "upstream-set",
)  # fmt: skip
OUTCOMES = {"delivered", "unroutable", "refused", "rejected", "dropped", "endless"}

Record = dict[str, Any]


@functools.cache
def records() -> tuple[Record, ...]:
    return tuple(
        json.loads(line)
        for file in sorted(FOLDER.glob("*.jsonl.gz"))
        for line in gzip.decompress(file.read_bytes()).decode().splitlines()
    )


def messages() -> Iterator[tuple[Record, Record]]:
    for record in records():
        for message in record["messages"]:
            yield record, message


def published(estate: Estate) -> Iterator[tuple[object, ...]]:
    for number, where in enumerate(estate.rounds):
        for one in where.messages:
            yield (one.id, number, one.vhost, one.user, one.exchange, one.key, one.headers,
                   one.expiration, list(one.features), one.choice)  # fmt: skip


def test_a_seed_draws_the_same_estate_every_time_and_another_seed_another_one() -> None:
    assert repr(drawn(7)) == repr(drawn(7))
    assert repr(drawn(7)) != repr(drawn(27))


def test_the_same_records_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        written([{"seed": 1, "messages": []}], tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_without_a_module_of_answers_nothing_is_compared() -> None:
    assert comparison("golden.no_such_replay") is None
    assert comparison("no_such_folder.replay") is None


def test_the_seeds_of_the_recordings_draw_what_was_recorded() -> None:
    for record in records()[::17]:
        estate = drawn(record["seed"])
        for name, drawn_ones in (("definitions", estate.first), ("second", estate.second)):
            definitions = drawn_ones and {"rabbit_version": "3.10.8", **drawn_ones}
            assert record.get(name) == json.loads(json.dumps(definitions))
        asked = {one[0]: one for one in published(estate)}
        fields = ("id", "round", "vhost", "user", "exchange", "key", "headers", "expiration",
                  "features", "choice")  # fmt: skip
        for message in record["messages"]:
            assert tuple(message[name] for name in fields) == asked[message["id"]]


def test_there_are_enough_recordings_of_every_feature_and_they_are_small() -> None:
    counts = Counter(feature for _, message in messages() for feature in message["features"])
    assert len(records()) >= 200
    assert {name: counts[name] for name in FEATURES if counts[name] < 200} == {}
    assert sum(len(one["messages"]) for one in records()) >= 10_000
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 4_000_000


def test_there_are_enough_estates_of_two_clusters() -> None:
    both = [record for record in records() if "second" in record]
    between = [one for _, one in messages() if "two-clusters" in one["features"]]
    assert len(both) >= 30
    assert len(between) >= 400
    assert any(
        one["vhosts"] == record["definitions"]["vhosts"]
        for record in both
        for one in [record["second"]]
    )
    assert {one["vhost"].startswith("second:") for one in between} == {False, True}
    assert any("declared" in record for record in both)


def test_a_third_of_the_messages_does_not_arrive() -> None:
    gone = Counter(message["outcome"] == "delivered" for _, message in messages())
    assert gone[False] >= 0.3 * gone.total()


@pytest.mark.parametrize("outcome", sorted(OUTCOMES))
def test_every_outcome_was_recorded(outcome: str) -> None:
    assert any(message["outcome"] == outcome for _, message in messages())


def test_each_message_has_the_form_that_the_readme_describes() -> None:
    for record, message in messages():
        definitions = record["definitions"]
        queues = {f"{one['vhost']}/{one['name']}" for one in definitions["queues"]}
        second = record.get("second", {"queues": []})
        queues |= {f"second:{one['vhost']}/{one['name']}" for one in second["queues"]}
        where = (record["seed"], message["id"])
        assert message["outcome"] in OUTCOMES, where
        assert set(message["queues"]) <= queues, where
        assert {act["queue"] for act in message["acts"]} <= queues, where
        assert message["user"] in {one["name"] for one in definitions["users"]}, where
        assert message["endless"] == (message["outcome"] == "endless"), where
        if message["outcome"] == "delivered":
            assert min(message["queues"].values()) >= 1, where
        elif message["outcome"] != "endless":
            assert not message["queues"], where


def test_what_did_not_arrive_has_a_control_of_the_same_round_which_did() -> None:
    for record in records():
        found = {one["id"]: one for one in record["messages"]}
        for message in record["messages"]:
            if message["outcome"] != "delivered":
                control = found[message["control"]]
                assert control["control"] is True
                assert (control["outcome"], control["round"]) == ("delivered", message["round"])
