"""``show`` lists what definitions hold, each entry once and with its line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from imported import EXAMPLES

import topograph
from topograph.systems.contract.system import Row
from topograph.systems.rabbitmq.places import Place

FILES = ("north.json", "south.json")


@pytest.fixture(scope="module")
def network() -> topograph.Network:
    return topograph.read(EXAMPLES / "rabbitmq")


def _said(of: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        (name.removesuffix(".json"), one)
        for name in FILES
        for one in json.loads((EXAMPLES / "rabbitmq" / name).read_text()).get(of, ())
    ]


def _label(server: str, vhost: str, type_: str, name: str) -> str:
    return Place(server, vhost, type_, name).label


def _place(row: Row) -> dict[str, Any]:
    place = row["source"]
    assert isinstance(place, dict)
    return place


def test_each_queue_stands_once_with_its_line(network: topograph.Network) -> None:
    rows = network.show("queues").rows
    shown = Counter((row["server"], f"queue:{row['name']}") for row in rows)
    assert shown == Counter(
        (server, _label(server, one["vhost"], "queue", one["name"]))
        for server, one in _said("queues")
    )
    for row in rows:
        place = _place(row)
        line = Path(EXAMPLES / "rabbitmq" / place["file"]).read_text().splitlines()
        assert str(row["name"]).rpartition("/")[2] in line[place["line"] - 1]


def test_each_binding_stands_once(network: topograph.Network) -> None:
    rows = network.show("bindings").rows
    assert Counter((row["server"], row["from"], row["to"], row["key"]) for row in rows) == Counter(
        (
            server,
            _label(server, one["vhost"], "exchange", one["source"]),
            _label(server, one["vhost"], one["destination_type"], one["destination"]),
            one["routing_key"],
        )
        for server, one in _said("bindings")
    )


def test_policies_of_both_kinds_with_what_they_set(network: topograph.Network) -> None:
    rows = {row["name"]: row for row in network.show("policies").rows}
    assert {one["name"] for _, one in _said("policies")} < set(rows)
    assert rows["bounds"]["type"] == "operator policy"
    assert rows["bounds"]["details"] == "max-length=100000"
    assert rows["short"]["pattern"] == "^biling"


def test_what_holds_for_a_queue(network: topograph.Network) -> None:
    rows = {row["name"]: row for row in network.show("queues").rows}
    assert rows["billing"]["leads_to"] == "exchange:dead"
    assert rows["billing"]["details"] == "policy retry, operator policy bounds"
    assert rows["billing.retry"]["leads_to"] == "exchange:amq.default"


def test_who_may_do_what(network: topograph.Network) -> None:
    rows = network.show("access").rows
    assert len(rows) == len(_said("permissions")) + len(_said("topic_permissions"))
    shop = next(row for row in rows if row["who"] == "shop" and "virtual" in str(row["what"]))
    assert shop["permissions"] == "configure() write(^orders$) read(^billing)"


def test_exchanges_and_queues_are_destinations_with_their_lines(network: topograph.Network) -> None:
    rows = network.show("destinations").rows
    names = {(row["type"], row["name"]) for row in rows}
    assert ("exchange", "orders") in names
    assert ("queue", "archive/history") in names
    assert all(_place(row)["line"] > 1 for row in rows)


def test_who_consumes_is_said_not_to_be_there(network: topograph.Network) -> None:
    (said,) = [one for one in network.show("subscribers").warnings if one.rule == "not-read"]
    assert "who consumes" in said.message


def test_a_value_in_which_a_credential_is_hidden_is_shown_and_followed(tmp_path: Path) -> None:
    """What is left of it need not be JSON."""
    secret = 'PASSWORD=tiger" and more'
    entry = {"vhost": "/", "durable": True, "auto_delete": False}
    definitions = {
        "rabbitmq_version": "3.13.7",
        "vhosts": [{"name": "/"}],
        "exchanges": [
            {**entry, "name": "x", "type": "headers", "arguments": {"alternate-exchange": secret}}
        ],
        "queues": [
            {**entry, "name": "q", "arguments": {"x-dead-letter-exchange": secret, "note": secret}}
        ],
        "bindings": [
            {"vhost": "/", "source": "x", "destination": "q", "destination_type": "queue",
             "routing_key": "", "arguments": {"x-match": secret, "note": secret}}
        ],
        "policies": [
            {"vhost": "/", "name": "p", "pattern": "q", "definition": {"overflow": secret}}
        ],
    }  # fmt: skip
    (tmp_path / "b.json").write_text(json.dumps(definitions, indent=1))
    network = topograph.read(tmp_path)
    for what in ("destinations", "queues", "bindings", "policies"):
        assert "tiger" not in str(network.show(what).to_dict())
    for to in ("queue:q", "exchange:x"):
        assert "tiger" not in str(network.propagate("b", to).to_dict())
    assert "tiger" not in str(network.check().to_dict())
