"""The recordings of mosquitto are what their README says, and what the recorder would draw again
(``tests/golden/mosquitto/README.md``). No broker is started.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from golden.recorders.mosquitto.drawn import drawn

FOLDER = Path(__file__).parent / "mosquitto"
FEATURES = (
    "acl", "acl-bridge", "acl-pattern", "attempt-unsubscribe", "both", "chain", "cleansession",
    "client-id", "dollar", "double", "in", "in-and-out", "include-dir", "mesh", "mixed",
    "mount-point", "mqttv31", "mqttv311", "mqttv50", "notifications", "out", "outgoing-retain",
    "overlap", "password", "per-listener", "prefix", "refused", "ring", "several-topics",
    "single-topic", "size", "star", "take-over", "tree", "try-private-false", "two-paths",
)  # fmt: skip
OUTCOMES = {"delivered", "partly", "local", "dropped", "endless"}

Record = dict[str, Any]


@functools.cache
def records() -> tuple[Record, ...]:
    return tuple(
        json.loads(line)
        for file in sorted(FOLDER.glob("*.jsonl.gz"))
        for line in gzip.decompress(file.read_bytes()).decode().splitlines()
    )


def test_a_seed_draws_the_same_estate_every_time_and_another_seed_another_one() -> None:
    assert repr(drawn(7)) == repr(drawn(7))
    assert repr(drawn(7)) != repr(drawn(27))


def test_the_seeds_of_the_recordings_draw_what_was_recorded() -> None:
    for record in records()[::11]:
        estate = drawn(record["seed"])
        assert record["files"] == estate.files({})
        assert record["features"] == sorted(estate.features)
        assert record["bridges"] == {one.label: one.state for one in estate.connections}
        fields = ("id", "user", "topic", "size")
        asked = [tuple(getattr(one, name) for name in fields) for one in estate.messages]
        assert [tuple(one[name] for name in fields) for one in record["messages"]] == asked


def test_there_are_enough_recordings_of_every_feature_and_they_are_small() -> None:
    messages = [one for record in records() for one in record["messages"]]
    counts = Counter(feature for record in records() for feature in record["features"])
    assert len(records()) >= 400
    assert len(messages) >= 2_000
    assert {name: counts[name] for name in FEATURES if counts[name] < 10} == {}
    assert sum(one["outcome"] != "delivered" for one in messages) >= 0.3 * len(messages)
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 2_000_000


@pytest.mark.parametrize("outcome", sorted(OUTCOMES))
def test_every_outcome_was_recorded(outcome: str) -> None:
    assert sum(one["outcome"] == outcome for each in records() for one in each["messages"]) >= 50


def test_each_message_has_the_form_that_the_readme_describes() -> None:
    for record in records():
        brokers = set(record["files"])
        for message in record["messages"]:
            where, reached = (record["seed"], message["id"]), set(message["copies"])
            assert reached <= brokers, where
            outcome = {
                "delivered": reached == brokers,
                "partly": bool(reached - {message["broker"]}) and reached != brokers,
                "local": reached == {message["broker"]} != brokers,
                "dropped": not reached,
                "endless": not reached,
            }
            assert outcome[message["outcome"]], where
            assert all(0 < n <= 60 for one in message["copies"].values() for n in one.values())


def test_every_bridge_that_is_up_has_a_control_which_arrived() -> None:
    for record in records():
        shown = {
            one["control"]
            for one in record["messages"]
            if one["control"] and one["outcome"] in ("delivered", "partly", "endless")
        }
        assert shown == {name for name, state in record["bridges"].items() if state == "up"}
