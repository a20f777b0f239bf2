"""Rules of RabbitMQ by their numbers, asked of definitions as files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.errors import UsageError
from topograph.network import Network

Entry = dict[str, Any]
Write = Callable[..., Network]


def _dashed(named: Mapping[str, Any]) -> Entry:
    return {name.replace("_", "-"): value for name, value in named.items()}


def exchange(name: str, type_: str = "direct", vhost: str = "/", **arguments: str) -> Entry:
    return {"name": name, "vhost": vhost, "type": type_, "arguments": _dashed(arguments)}


def queue(name: str, vhost: str = "/", **arguments: Any) -> Entry:
    return {"name": name, "vhost": vhost, "arguments": _dashed(arguments)}


def binding(source: str, to: str, key: str = "", to_type: str = "queue") -> Entry:
    found = {"source": source, "vhost": "/", "destination": to, "destination_type": to_type}
    return {**found, "routing_key": key, "arguments": {}}


def policy(name: str, pattern: str, priority: int = 0, **definition: Any) -> Entry:
    shared = {"vhost": "/", "name": name, "pattern": pattern, "apply-to": "all"}
    return {**shared, "priority": priority, "definition": _dashed(definition)}


def parameter(component: str, name: str, **value: Any) -> Entry:
    return {"component": component, "vhost": "/", "name": name, "value": _dashed(value)}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """The network of some brokers, each by its entries."""

    def made(**brokers: Mapping[str, list[Entry]]) -> Network:
        for name, entries in brokers.items():
            lists = {"vhosts": [{"name": "/"}, {"name": "v"}], "exchanges": [], "queues": []}
            head = {"rabbitmq_version": "3.10.8", "bindings": [], **lists, **entries}
            (tmp_path / f"{name}.json").write_text(json.dumps(head, indent=1))
        return topograph.read(tmp_path)

    return made


def ends(network: Network, start: str, to: str, key: str | None = None, **headers: Any) -> set[str]:
    answer = network.trace(start, to, headers, routing_key=key)
    return {str(one) for one in answer.outcomes}


def kinds(network: Network) -> set[str]:
    return {finding["kind"] for finding in network.check().findings}


def test_rq_1_names_are_told_with_their_virtual_hosts(write: Write) -> None:
    network = write(b={"exchanges": [exchange("x", vhost="v")], "queues": [queue("q", vhost="v")]})
    with pytest.raises(UsageError, match="Did you mean exchange:v/x"):
        network.trace("b", "exchange:x")
    assert ends(network, "b", "queue:v/q") == {"DELIVERED(queue:v/q)"}


def test_rq_3_without_a_key_what_compares_keys_is_undetermined(write: Write) -> None:
    entries = {
        "exchanges": [exchange("x")],
        "queues": [queue("q")],
        "bindings": [binding("x", "q", "k")],
    }
    network = write(b=entries)
    assert ends(network, "b", "exchange:x") == {"UNDETERMINED"}
    assert ends(network, "b", "exchange:x", "k") == {"DELIVERED(queue:q)"}
    assert "DISCARDED(unroutable)" in ends(network, "b", "exchange:x", "other")


def test_rq_10_one_of_what_is_bound_gets_it(write: Write) -> None:
    entries = {
        "exchanges": [exchange("x", "x-consistent-hash")],
        "queues": [queue("q"), queue("r")],
        "bindings": [binding("x", "q", "1"), binding("x", "r", "1"), binding("x", "r", "2")],
    }
    answer = write(b=entries).trace("b", "exchange:x", routing_key="k")
    assert {branch.kind for branch in answer.branches} >= {"one_of"}
    assert {str(one) for one in answer.outcomes} == {"DELIVERED(queue:q)", "DELIVERED(queue:r)"}


def test_rq_11_how_an_exchange_of_another_type_routes_is_undetermined(write: Write) -> None:
    entries = {
        "exchanges": [exchange("x", "x-odd")],
        "queues": [queue("q")],
        "bindings": [binding("x", "q")],
    }
    network = write(b=entries)
    assert ends(network, "b", "exchange:x", "k") == {"UNDETERMINED"}
    assert "exchange-type-not-known" in kinds(network)


def test_rq_17_policies_of_one_priority_leave_open_what_holds(write: Write) -> None:
    entries = {
        "exchanges": [exchange("x"), exchange("one", "fanout"), exchange("two", "fanout")],
        "policies": [
            policy("p", "^x", alternate_exchange="one"),
            policy("o", "x$", alternate_exchange="two"),
            policy("n", "nothing", max_length=1),
        ],
    }
    network = write(b=entries)
    assert not network.trace("b", "exchange:x", routing_key="k").exact
    assert {"policies-of-equal-priority", "policy-matches-nothing"} <= kinds(network)


def test_rq_19_and_20_shovels_move_and_go_round(write: Write) -> None:
    there = {"src_uri": "amqp://", "src_queue": "q", "dest_uri": "amqp://c", "dest_queue": "r"}
    back = {"src_uri": "amqp://", "src_queue": "r", "dest_uri": "amqp://b", "dest_queue": "q"}
    network = write(
        b={"queues": [queue("q")], "parameters": [parameter("shovel", "s", **there)]},
        c={"queues": [queue("r")], "parameters": [parameter("shovel", "t", **back)]},
    )
    assert ends(network, "b", "queue:q") == {"LOOP(queue:q at b)"}
    assert {one.server for one in network.reach("b").servers if one.certain} == {"c"}
    assert "shovel-circle" in kinds(network)


def test_rq_19_a_shovel_waits_for_queues_that_are_predeclared(write: Write) -> None:
    ways = {"src_uri": "amqp://", "dest_uri": "amqp://", "src_queue": "q", "dest_queue": "other"}
    waits = parameter("shovel", "s", **ways, dest_predeclared=True)
    network = write(b={"queues": [queue("q")], "parameters": [waits]})
    assert "HELD(queue:q, b)" in ends(network, "b", "queue:q")
    assert "shovel-target-missing" in kinds(network)
    declares = parameter("shovel", "s", **ways)
    network = write(b={"queues": [queue("q")], "parameters": [declares]})
    assert "DELIVERED(queue:other)" in ends(network, "b", "queue:q")


@pytest.mark.parametrize(
    ("version", "dest", "ends_there"),
    [
        ("3.13.7", "amqp091", True),
        ("4.0.1", "amqp091", False),
        ("4.0.1", "local", True),
        ("", "amqp091", False),
    ],
)
def test_rq_14_deaths_begin_anew_behind_a_client_from_4_0_on(
    write: Write, version: str, dest: str, ends_there: bool
) -> None:
    """``q`` gives to ``held``, a shovel moves that to ``rest``, which gives to ``q``."""
    letters = {"x_message_ttl": 5, "x_dead_letter_exchange": ""}
    ways = {"src_uri": "amqp://", "dest_uri": "amqp://", "src_queue": "held", "dest_queue": "rest"}
    back = parameter("shovel", "s", **ways, dest_protocol=dest)
    first = queue("q", **letters, x_dead_letter_routing_key="held")
    queues = [first, queue("held"), queue("rest", **letters, x_dead_letter_routing_key="q")]
    stated = {"rabbitmq_version": version} if version else {"rabbitmq_version": None}
    network = write(b={**stated, "queues": queues, "parameters": [back]})
    found = ends(network, "b", "queue:q")
    assert ("DISCARDED(dead letter cycle)" in found) is ends_there, found


@pytest.mark.parametrize(("version", "known"), [("3.13.1", False), ("3.13.3", True)])
def test_rq_14_the_order_of_deaths_was_left_to_chance(
    write: Write, version: str, known: bool
) -> None:
    back = {"x_dead_letter_exchange": "", "x_dead_letter_routing_key": "a"}
    letters = {"x_dead_letter_exchange": "", "x_dead_letter_routing_key": "b"}
    queues = [queue("a", **letters), queue("b", x_message_ttl=5, **back)]
    network = write(b={"rabbitmq_version": version, "queues": queues})
    answer = network.trace("b", "queue:a")
    assert ("is left to chance" not in json.dumps(answer.to_dict())) is known


def test_rq_19_a_shovel_to_nowhere_leaves_messages_where_they_are(write: Write) -> None:
    value = {"src_uri": "amqp://", "src_queue": "q", "dest_uri": "amqp:///v", "dest_exchange": "x"}
    network = write(b={"queues": [queue("q")], "parameters": [parameter("shovel", "s", **value)]})
    assert ends(network, "b", "queue:q") == {"HELD(queue:q, b)"}
    assert {"shovel-target-missing", "shovel-between-virtual-hosts"} <= kinds(network)


@pytest.mark.parametrize(("hops", "reached"), [(1, {"c"}), (2, {"c", "d"}), (9, {"c", "d"})])
def test_rq_22_max_hops(write: Write, hops: int, reached: set[str]) -> None:
    def federated(up: str) -> Mapping[str, list[Entry]]:
        return {
            "exchanges": [exchange("x", "fanout")],
            "queues": [queue("q")],
            "bindings": [binding("x", "q")],
            "policies": [policy("f", "^x$", federation_upstream="u")],
            "parameters": [
                parameter("federation-upstream", "u", uri=f"amqp://u:secret@{up}", max_hops=hops)
            ],
        }

    network = write(b=federated("d"), c=federated("b"), d=federated("c"))
    answer = network.trace("b", "exchange:x", routing_key="")
    taken = {step.at for step in answer.steps if step.outcome == "DELIVERED(queue:q)"}
    assert taken == {"b", *reached}


def test_rq_24_an_upstream_that_is_not_there(write: Write) -> None:
    entries = {
        "exchanges": [exchange("x", "fanout")],
        "policies": [policy("f", "^x$", federation_upstream="gone")],
    }
    assert "unknown-upstream" in kinds(write(b=entries))


def test_rq_27_what_lies_behind_a_broker_that_is_not_loaded_is_undetermined(write: Write) -> None:
    value = {
        "src_uri": "amqp://",
        "src_queue": "q",
        "dest_uri": "amqp://far:5673",
        "dest_queue": "r",
    }
    network = write(b={"queues": [queue("q")], "parameters": [parameter("shovel", "s", **value)]})
    assert ends(network, "b", "queue:q") == {"UNDETERMINED"}
    assert "broker-not-loaded" in kinds(network)


def test_other_findings(write: Write) -> None:
    entries = {
        "exchanges": [
            exchange("x", alternate_exchange="gone"),
            exchange("y"),
            exchange("z", "topic"),
        ],
        "queues": [
            queue("q", x_dead_letter_exchange="gone"),
            queue("r", x_dead_letter_exchange="y", x_dead_letter_routing_key="k"),
            queue("s", x_dead_letter_exchange="", x_dead_letter_routing_key="s", x_message_ttl=9),
        ],
        "bindings": [binding("x", "gone", "k"), binding("y", "q", "other")],
        "policies": [policy("bad", "(")],
    }
    assert kinds(write(b=entries)) == {
        "no-alternate-exchange",
        "black-hole-exchange",
        "no-dead-letter-exchange",
        "dead-letters-unroutable",
        "dead-letter-circle",
        "binding-end-missing",
        "pattern-not-understood",
    }


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"order.eu.#"', '"order.us.#"', "exchange:orders with the key order.eu"),
        ('"tier": 1}', '"tier": 2}', "exchange:by-customer with the headers tier=1"),
        ('"write": "^orders$"', '"write": "^x$"', "by shop"),
        ('"order.*.new"', '"order.#.new"', "exchange:orders with the key order.new"),
    ],
)
def test_a_change_is_seen_by_what_bindings_and_permissions_ask(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    example = Path(__file__).parents[3] / "examples" / "rabbitmq"
    after = tmp_path / "after"
    shutil.copytree(example, after)
    text = (after / "north.json").read_text()
    assert old in text
    (after / "north.json").write_text(text.replace(old, new))
    found = topograph.compare(str(example), str(after)).to_dict()
    assert told in json.dumps(found)


@pytest.mark.parametrize("length", [{}, {"x_max_length": 50}])
@pytest.mark.parametrize("overflow", ["drop-head", "reject-publish", "reject-publish-dlx"])
def test_rq_16_a_queue_of_no_bytes_holds_messages_without_a_body(
    write: Write, overflow: str, length: Entry
) -> None:
    limits = {**length, "x_max_length_bytes": 0, "x_overflow": overflow}
    network = write(b={"queues": [queue("q", **limits)]})
    gone = "REFUSED(maxlen)" if overflow == "reject-publish" else "DISCARDED(maxlen)"
    assert ends(network, "b", "queue:q") == {"DELIVERED(queue:q)", gone}
    assert "one_of" in {branch.kind for branch in network.trace("b", "queue:q").branches}


def test_rq_18_a_limit_of_deliveries_below_0_is_none(write: Write) -> None:
    limited = queue("q", x_queue_type="quorum", x_delivery_limit=-1)
    network = write(b={"queues": [limited], "policies": [policy("p", "q", delivery_limit=-1)]})
    answer = network.trace("b", "queue:q")
    assert "delivered more than" not in json.dumps(answer.to_dict())


def test_rq_14_what_a_federation_link_publishes_is_no_dead_letter_any_more(write: Write) -> None:
    dying = queue("d", x_message_ttl=9, x_dead_letter_exchange="x")
    upstream = parameter("federation-upstream", "u", uri="amqp:///%2F") | {"vhost": "v"}
    network = write(
        b={
            "exchanges": [exchange("x", "fanout"), exchange("x", "fanout", vhost="v")],
            "queues": [dying, queue("d", vhost="v")],
            "bindings": [binding("x", "d") | {"vhost": "v"}],
            "policies": [policy("p", "x", federation_upstream="u") | {"vhost": "v"}],
            "parameters": [upstream],
        }
    )
    assert ends(network, "b", "queue:d") == {"DELIVERED(queue:d)", "DELIVERED(queue:v/d)"}


def test_rq_17_a_policy_for_queues_that_only_clients_declare_is_no_mistake(write: Write) -> None:
    waiting = policy("w", "^jobs", max_length=1) | {"apply-to": "queues"}
    network = write(b={"policies": [waiting], "exchanges": [exchange("jobs")]})
    found = [one for one in network.check().findings if one["kind"] == "policy-matches-nothing"]
    assert [one["severity"] for one in found] == ["info"]
    entries = {"policies": [waiting], "queues": [queue("other")]}
    found = [one for one in write(b=entries).check().findings if one["rule"] == "RQ-17"]
    assert [one["severity"] for one in found] == ["warning"]
    for named in ("^mqtt", "^stomp-", "gen-"):
        by_plugins = policy("w", named, max_length=1) | {"apply-to": "queues"}
        network = write(b={"policies": [by_plugins], "queues": [queue("other")]})
        assert "policy-matches-nothing" not in kinds(network)


def test_rq_28_an_unknown_word_is_told_where_it_stands_first(write: Write) -> None:
    entries = {
        "queues": [queue("q")],
        "policies": [policy("a", "q", 9, x_odd=1), policy("b", "q", 1, x_odd=1)],
    }
    found = [one for one in write(b=entries).check().findings if one["kind"] == "unknown-word"]
    others = {one["source"]["line"] for one in write(b=entries).check().findings} - {0}
    assert [one["source"]["line"] for one in found] == [min(others)]


def test_rq_21_copies_over_two_links_of_one_upstream_are_two(write: Write) -> None:
    """Recorded: both come to a queue that is bound behind both of the federated exchanges."""
    upstream = parameter("federation-upstream", "u", uri="amqp:///%2F", exchange="x")
    there = {"vhost": "v"}
    network = write(
        b={
            "exchanges": [
                exchange("x", "direct"),
                *(exchange(name, "fanout", vhost="v") for name in ("first", "second")),
            ],
            "queues": [queue("q", vhost="v")],
            "bindings": [
                binding("first", "second") | {"destination_type": "exchange"} | there,
                binding("second", "q") | there,
            ],
            "policies": [
                policy(name, f"^{name}$", federation_upstream="u") | there
                for name in ("first", "second")
            ],
            "parameters": [upstream | there],
        }
    )
    trace = network.trace("b", "exchange:x", routing_key="")
    assert [one.ending for one in trace.branches if "DELIVERED" in one.ending] == [
        "DELIVERED(queue:v/q)",
        "DELIVERED(queue:v/q)",
    ]


def test_rq_28_a_later_parameter_or_policy_replaces_one_of_its_name(write: Write) -> None:
    common = {"src_uri": "amqp://", "dest_uri": "amqp://", "src_queue": "q"}
    shovels = [parameter("shovel", "s", **common, dest_queue=to) for to in ("old", "new")]
    policies = [policy("p", "r", dead_letter_exchange="x"), policy("p", "none", max_length=1)]
    queues = [queue("q"), queue("old"), queue("new"), queue("r", x_message_ttl=9)]
    network = write(b={"queues": queues, "parameters": shovels, "policies": policies})
    assert "DELIVERED(queue:new)" in ends(network, "b", "queue:q")
    assert "DELIVERED(queue:old)" not in ends(network, "b", "queue:q")
    assert ends(network, "b", "queue:r") == {"DELIVERED(queue:r)", "DISCARDED(expired)"}
