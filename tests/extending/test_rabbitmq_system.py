"""RabbitMQ as a package from outside: each of its rules by its number, with the whole answer and
the line that it rests on.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from type_checks import mypy

import topograph
from topograph import extensions
from topograph.cli.main import exit_code
from topograph.errors import NotApplicable, UsageError
from topograph.message import Message
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database
from topograph.store.publication import publish_snapshot
from topograph.systems import assemble
from topograph.systems.rule_texts import all_rules

ROOT = Path(__file__).parents[2]
SYSTEM = ROOT / "examples" / "rabbitmq_system"
Entry = dict[str, Any]
Write = Callable[..., Network]


def exchange(name: str, type_: str = "direct", **arguments: str) -> Entry:
    return {"name": name, "vhost": "/", "type": type_, "arguments": _dashed(arguments)}


def queue(name: str, **arguments: str) -> Entry:
    return {"name": name, "vhost": "/", "arguments": _dashed(arguments)}


def binding(
    source: str, to: str, key: str = "", *, to_type: str = "queue", **arguments: Any
) -> Entry:
    return {
        "source": source,
        "vhost": "/",
        "destination": to,
        "destination_type": to_type,
        "routing_key": key,
        "arguments": _dashed(arguments),
    }


def policy(name: str, pattern: str, priority: int = 0, **definition: str) -> Entry:
    shared = {"vhost": "/", "name": name, "pattern": pattern, "apply-to": "all"}
    return {**shared, "priority": priority, "definition": _dashed(definition)}


def parameter(component: str, name: str, **value: Any) -> Entry:
    return {"component": component, "vhost": "/", "name": name, "value": _dashed(value)}


def _dashed(named: Mapping[str, Any]) -> Entry:
    return {name.replace("_", "-"): value for name, value in named.items()}


def definitions(cluster: str, entries: Mapping[str, list[Entry]]) -> str:
    """A file with an entry a line, in the order given, from line 3 on."""
    lists = {"exchanges": [], "queues": [], "bindings": [], **entries}
    name = json.dumps([{"name": "cluster_name", "value": cluster}])
    body = (
        f"{json.dumps(key)}: [\n" + ",\n".join(map(json.dumps, value)) + "]"
        for key, value in lists.items()
    )
    return f'{{"global_parameters": {name},\n' + ",\n".join(body) + "}\n"


@pytest.fixture
def write(rabbitmq: Path, tmp_path: Path) -> Write:
    """The network of some brokers, each by its entries."""

    def made(**brokers: Mapping[str, list[Entry]]) -> Network:
        for name, entries in brokers.items():
            (tmp_path / f"{name}.json").write_text(definitions(name, entries))
        return topograph.read(tmp_path)

    return made


def message(destination: str, key: str | None = None, **headers: Any) -> Message:
    further = {} if key is None else {"routing_key": key}
    return Message.to(destination, headers, further=further)


def told(network: Network, start: str, sent: Message) -> list[tuple[str, str, str]]:
    """Every step of a trace: rule, outcome, place."""
    steps = network.trace(start, sent).steps
    return [(step.rule, step.outcome, str(step.source)) for step in steps]


def ends(network: Network, start: str, sent: Message) -> tuple[str, ...]:
    return network.trace(start, sent).outcomes


# The estate


def test_the_files_of_the_estate_are_read_whole(rabbitmq: Path) -> None:
    network = topograph.read(rabbitmq)
    assert network.server_names() == ("farholm", "millbrook", "northquay")
    assert {row["status"] for row in network.show("files").rows} == {"read"}
    assert network.check().findings == ()


def test_a_key_that_two_patterns_match_goes_two_ways_and_over_the_shovel(rabbitmq: Path) -> None:
    sent = message("exchange:orders", "order.eu.new", priority="high")
    network = topograph.read(rabbitmq)
    assert told(network, "northquay", sent) == [
        ("RB-5", "", "northquay.json:35:3"),
        ("RB-5", "", "northquay.json:36:3"),
        ("RB-1", "DELIVERED(queue:new-orders)", "northquay.json:24:3"),
        ("RB-10", "", "northquay.json:24:3"),
        ("RB-13", "FORWARDED(farholm)", "northquay.json:15:3"),
        ("RB-3", "", "northquay.json:38:3"),
        ("RB-6", "", "farholm.json:28:3"),
        ("RB-6", "", "farholm.json:29:3"),
        ("RB-1", "DELIVERED(queue:failed-orders)", "northquay.json:27:3"),
        ("RB-1", "DELIVERED(queue:urgent)", "farholm.json:20:3"),
        ("RB-4", "", "farholm.json:30:3"),
        ("RB-1", "DELIVERED(queue:archive)", "farholm.json:21:3"),
    ]


def test_reach_names_the_shovel_and_the_federation_link(rabbitmq: Path) -> None:
    answer = topograph.read(rabbitmq).reach("northquay")
    (shovel,), (federation,) = (entry.steps for entry in answer.servers)
    assert (shovel.to, shovel.rule) == ("farholm", "RB-13")
    assert shovel.guards == ("routing_key matches order.eu.#",)
    assert (federation.to, federation.rule) == ("millbrook", "RB-14")
    assert federation.guards == ("routing_key matches order.us.#",)
    assert answer.undecided() == ()


def test_no_message_goes_back(rabbitmq: Path) -> None:
    network = topograph.read(rabbitmq)
    assert network.reach("farholm").unreachable == ("millbrook", "northquay")
    with pytest.raises(NotApplicable, match="reply-to"):
        network.reach("northquay", reply=True)


def test_the_options_of_a_message_are_on_the_command_line(
    rabbitmq: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(rabbitmq))
    words = ["trace", "northquay", "--destination", "exchange:orders", "--routing-key", "stock"]
    assert exit_code(words) == 0
    out = capsys.readouterr().out
    assert "A message to exchange:orders sent at northquay is delivered at northquay." in out
    assert "on to its alternate exchange" in out


def test_destinations_are_listed_as_questions_name_them(rabbitmq: Path) -> None:
    rows = topograph.read(rabbitmq).show("destinations").rows
    assert [f"{row['type']}:{row['name']}" for row in rows if row["server"] == "farholm"] == [
        "exchange:intake",
        "exchange:everything",
        "queue:urgent",
        "queue:archive",
    ]


# Each rule


def test_rb_1_a_name_that_nobody_publishes_to_is_refused(write: Write) -> None:
    hidden = {**exchange("hidden"), "internal": True}
    network = write(a={"exchanges": [hidden], "queues": [queue("q")]})
    for name in ("exchange:hidden", "exchange:q", "queue:none"):
        with pytest.raises(UsageError, match=f"No client of a publishes to {name}"):
            network.trace("a", message(name, ""))


def test_rb_1_exchanges_that_every_virtual_host_has_need_no_entry(write: Write) -> None:
    bindings = [binding("amq.topic", "q", "a.*"), binding("amq.nothing", "q")]
    network = write(a={"queues": [queue("q")], "bindings": bindings})
    assert ends(network, "a", message("exchange:amq.topic", "a.b")) == ("DELIVERED(queue:q)",)
    assert [one["kind"] for one in network.check().findings] == ["unknown-end"]


def test_rb_1_a_binding_to_what_is_not_declared_is_a_finding(write: Write) -> None:
    network = write(a={"exchanges": [exchange("x")], "bindings": [binding("x", "gone", "k")]})
    (found,) = network.check().findings
    assert (found["kind"], found["rule"], found["source"]["line"]) == ("unknown-end", "RB-1", 7)
    assert ends(network, "a", message("exchange:x", "k")) == ("DISCARDED(unroutable)",)


def test_rb_2_a_queue_is_sent_to_over_the_default_exchange_by_its_name(write: Write) -> None:
    dead = queue("q", x_dead_letter_exchange="x")
    network = write(
        a={
            "exchanges": [exchange("x")],
            "queues": [dead, queue("r")],
            "bindings": [binding("x", "r", "q")],
        }
    )
    assert told(network, "a", message("queue:q", "ignored")) == [
        ("RB-1", "DELIVERED(queue:q)", "a.json:5:1"),
        ("RB-10", "", "a.json:5:1"),
        ("RB-3", "", "a.json:8:1"),
        ("RB-1", "DELIVERED(queue:r)", "a.json:6:1"),
    ]


@pytest.mark.parametrize(("key", "outcome"), [("k", "DELIVERED(queue:q)"), ("k.k", "DISCARDED")])
def test_rb_3_a_direct_exchange_compares_keys(write: Write, key: str, outcome: str) -> None:
    network = write(
        a={
            "exchanges": [exchange("x")],
            "queues": [queue("q")],
            "bindings": [binding("x", "q", "k"), binding("x", "q", "l")],
        }
    )
    assert ends(network, "a", message("exchange:x", key))[0].startswith(outcome)


def test_rb_4_a_fanout_exchange_asks_nothing(write: Write) -> None:
    network = write(
        a={
            "exchanges": [exchange("x", "fanout")],
            "queues": [queue("q"), queue("r")],
            "bindings": [binding("x", "q", "k"), binding("x", "r")],
        }
    )
    answer = network.trace("a", message("exchange:x"))
    assert answer.outcomes == ("DELIVERED(queue:q)", "DELIVERED(queue:r)")
    assert answer.undecided() == ()


def test_rb_5_without_a_routing_key_it_is_undecided_what_a_topic_matches(rabbitmq: Path) -> None:
    answer = topograph.read(rabbitmq).trace("northquay", message("exchange:orders"))
    assert answer.outcome == "UNDETERMINED"
    assert {(one.server, str(one.source)) for one in answer.undecided()} >= {
        ("northquay", "northquay.json:35:3"),
        ("millbrook", "millbrook.json:15:3"),
    }
    assert {one.because.rpartition("; ")[2] for one in answer.undecided()} == {
        "the question sets no routing_key"
    }


WORDS = st.lists(st.sampled_from(["a", "b", ""]), max_size=4).map(".".join)
PATTERNS = st.lists(st.sampled_from(["a", "b", "", "*", "#"]), min_size=1, max_size=5)


@given(pattern=PATTERNS, key=WORDS)
def test_rb_5_topics_match_as_every_choice_of_words_for_wildcards_does(
    pattern: list[str], key: str
) -> None:
    """Brute force: put every sequence of words of the key's alphabet in place of wildcards."""
    with imported():
        from rabbitmq.matching import topic_matches
    words = key.split(".")
    alphabet = sorted(set(words))
    sequences = [list(one) for n in range(len(words) + 1) for one in product(alphabet, repeat=n)]
    options = {"*": [[word] for word in alphabet], "#": sequences}
    texts = {()}
    for part in pattern:
        texts = {
            (*text, *more)
            for text in texts
            for more in options.get(part, [[part]])
            if len(text) + len(more) <= len(words)
        }
    assert topic_matches(".".join(pattern), key) == (tuple(words) in texts)


@pytest.mark.parametrize(
    ("arguments", "headers", "matches"),
    [
        ({"size": 7, "kind": "fish"}, {"size": 7, "kind": "fish"}, True),
        ({"size": 7, "kind": "fish"}, {"size": 7}, False),
        ({"x_match": "any", "size": 7, "kind": "fish"}, {"size": 7}, True),
        ({"x_match": "any", "size": 7}, {"size": "7"}, False),
        ({"flag": True}, {"flag": 1}, False),
        ({"x_note": "n"}, {}, True),
        ({"x_match": "all-with-x", "x_note": "n"}, {}, False),
        ({"x_match": "any", "x_note": "n"}, {"x-note": "n"}, False),
        ({"x_match": "any-with-x", "x_note": "n"}, {"x-note": "n"}, True),
    ],
)
def test_rb_6_headers(
    write: Write, arguments: Entry, headers: Mapping[str, Any], matches: bool
) -> None:
    network = write(
        a={
            "exchanges": [exchange("x", "headers")],
            "queues": [queue("q")],
            "bindings": [binding("x", "q", **arguments)],
        }
    )
    expected = "DELIVERED(queue:q)" if matches else "DISCARDED(unroutable)"
    assert ends(network, "a", message("exchange:x", **headers)) == (expected,)


def test_rb_7_a_queue_gets_one_copy_however_bindings_lead_there(write: Write) -> None:
    network = write(
        a={
            "exchanges": [exchange("x", "fanout"), exchange("y", "fanout")],
            "queues": [queue("q")],
            "bindings": [
                binding("x", "q"),
                binding("x", "q", "again"),
                binding("x", "y", to_type="exchange"),
                binding("y", "x", to_type="exchange"),
                binding("y", "q"),
            ],
        }
    )
    (delivery,) = network.propagate("a", message("exchange:x")).deliveries
    assert (delivery.destination, delivery.copies) == ("queue:q", 1)


def test_rb_7_of_an_exchange_behind_a_binding_it_is_open_whether_a_message_is_returned(
    write: Write,
) -> None:
    network = write(
        a={
            "exchanges": [exchange("x", "fanout"), exchange("y")],
            "bindings": [binding("x", "y", to_type="exchange")],
        }
    )
    sent = message("exchange:x", "k")
    assert ends(network, "a", sent) == ("DISCARDED(unroutable)",)
    wanted = replace(sent, further={"routing_key": "k", "mandatory": "yes"})
    (doubt,) = network.trace("a", wanted).undecided()
    assert doubt.because.endswith("returned, unless another binding led to a queue")


def test_rb_8_what_no_binding_matches_goes_to_the_alternate_exchange(rabbitmq: Path) -> None:
    assert told(topograph.read(rabbitmq), "northquay", message("exchange:orders", "stock")) == [
        ("RB-8", "", "northquay.json:21:3"),
        ("RB-4", "", "northquay.json:37:3"),
        ("RB-1", "DELIVERED(queue:unrouted)", "northquay.json:26:3"),
    ]


def test_rb_8_alternate_exchanges_in_a_circle_and_those_that_are_not_there(write: Write) -> None:
    network = write(
        a={
            "exchanges": [
                exchange("x", alternate_exchange="y"),
                exchange("y", alternate_exchange="x"),
                exchange("z", alternate_exchange="gone"),
            ]
        }
    )
    (circle,) = ends(network, "a", message("exchange:x", "k"))
    assert circle.startswith("DISCARDED")
    (found,) = network.check().findings
    assert (found["kind"], found["source"]["line"]) == ("no-alternate", 5)
    assert ends(network, "a", message("exchange:z", "k")) == ("DISCARDED(unroutable)",)


@pytest.mark.parametrize(
    ("mandatory", "outcome"), [("yes", "REJECTED(NO_ROUTE)"), ("no", "DISCARDED(unroutable)")]
)
def test_rb_9_unroutable(write: Write, mandatory: str, outcome: str) -> None:
    network = write(a={"exchanges": [exchange("x")]})
    sent = Message.to("exchange:x", further={"routing_key": "k", "mandatory": mandatory})
    assert told(network, "a", sent) == [("RB-9", outcome, "a.json:3:1")]
    with pytest.raises(UsageError, match="mandatory is yes or no"):
        network.trace("a", replace(sent, further={"mandatory": "perhaps"}))


def test_rb_10_dead_letters_have_the_key_that_the_queue_sets(rabbitmq: Path) -> None:
    answer = topograph.read(rabbitmq).propagate(
        "northquay", message("exchange:orders", "order.us.new")
    )
    assert [(one.destination, one.choice) for one in answer.deliveries] == [
        ("queue:new-orders", "always"),
        ("queue:failed-orders", "later"),
        ("queue:us-orders", "always"),
    ]


def test_rb_10_without_the_exchange_dead_letters_are_dropped_with_a_finding(write: Write) -> None:
    network = write(a={"queues": [queue("q", x_dead_letter_exchange="gone")]})
    assert told(network, "a", message("queue:q")) == [
        ("RB-1", "DELIVERED(queue:q)", "a.json:5:1"),
        ("RB-10", "DISCARDED(no dead letter exchange)", "a.json:5:1"),
    ]
    assert [one["kind"] for one in network.check().findings] == ["no-dead-letter-exchange"]


def test_rb_11_a_circle_of_dead_letters_ends(write: Write) -> None:
    network = write(a={"queues": [queue("q", x_dead_letter_exchange="")]})
    assert told(network, "a", message("queue:q")) == [
        ("RB-1", "DELIVERED(queue:q)", "a.json:5:1"),
        ("RB-10", "", "a.json:5:1"),
        ("RB-2", "", "a.json:5:1"),
        ("RB-11", "LOOP(queue:q at a)", "a.json:5:1"),
    ]


def test_rb_12_arguments_then_the_policy_of_highest_priority(write: Write) -> None:
    def network(**arguments: str) -> Network:
        names = ("mine", "low", "high")
        return write(
            a={
                "exchanges": [
                    *(exchange(name, "fanout") for name in names),
                    exchange("x", **arguments),
                ],
                "queues": [queue(name) for name in names],
                "bindings": [binding(name, name) for name in names],
                "policies": [
                    policy("one", "^x$", 1, alternate_exchange="low"),
                    policy("two", "x", 2, alternate_exchange="high"),
                ],
            }
        )

    sent = message("exchange:x", "k")
    assert ends(network(), "a", sent) == ("DELIVERED(queue:high)",)
    assert ends(network(alternate_exchange="mine"), "a", sent) == ("DELIVERED(queue:mine)",)


def test_rb_12_policies_of_one_priority_are_a_finding(write: Write) -> None:
    policies = [policy("one", "x", message_ttl="1"), policy("two", "x", max_length="1")]
    (found,) = write(a={"exchanges": [exchange("x")], "policies": policies}).check().findings
    assert (found["rule"], found["message"]) == (
        "RB-12",
        "exchange:x: one and two match it with the same priority.",
    )


def shovel(name: str, start: str, **to: str) -> Entry:
    return parameter("shovel", name, src_uri="amqp://", src_queue=start, **to)


def test_rb_13_a_shovel_moves_with_an_assumption_and_its_targets_may_be_missing(
    write: Write,
) -> None:
    network = write(
        a={
            "queues": [queue("q"), queue("r")],
            "parameters": [
                shovel("s", "q", dest_uri="amqp://b", dest_queue="new"),
                shovel("t", "r", dest_uri="amqp://b", dest_exchange="gone"),
            ],
        },
        b={},
    )
    answer = network.trace("a", message("queue:q"))
    assert answer.outcomes == ("DELIVERED(queue:new)",)
    assert [one.text for one in answer.assumptions] == ["only shovels take from queue:q of a"]
    assert ends(network, "a", message("queue:r")) == ("DELIVERED(queue:r)",)
    assert [one["kind"] for one in network.check().findings] == ["no-such-target"]


def test_rb_13_a_circle_of_shovels_is_a_loop_and_two_shovels_are_a_choice(write: Write) -> None:
    network = write(
        a={
            "queues": [queue("q"), queue("r")],
            "parameters": [
                shovel("s", "q", dest_uri="amqp://b", dest_queue="q"),
                shovel("t", "r", dest_uri="amqp://b", dest_queue="one"),
                shovel("u", "r", dest_uri="amqp://b", dest_queue="two"),
            ],
        },
        b={
            "queues": [queue("q")],
            "parameters": [shovel("back", "q", dest_uri="amqp://a", dest_queue="q")],
        },
    )
    assert ends(network, "a", message("queue:q")) == ("LOOP(queue:q)",)
    assert network.trace("a", message("queue:r")).outcome == "ONE_OF"


def test_rb_13_a_shovel_from_an_exchange_takes_what_its_key_matches(write: Write) -> None:
    taken = parameter(
        "shovel",
        "s",
        src_uri="amqp://",
        src_exchange="x",
        src_exchange_key="a.*",
        dest_uri="amqp://b/other",
        dest_queue="q",
    )
    network = write(a={"exchanges": [exchange("x", "topic")], "parameters": [taken]}, b={})
    assert ends(network, "a", message("exchange:x", "a.b")) == ("DELIVERED(queue:other/q)",)
    assert ends(network, "a", message("exchange:x", "b")) == ("DISCARDED(unroutable)",)


def test_rb_13_what_lies_behind_a_broker_that_is_not_loaded_is_undetermined(write: Write) -> None:
    away = shovel("s", "q", dest_uri="amqps://user:pass@far.example:5671/%2F", dest_queue="q")
    network = write(a={"queues": [queue("q")], "parameters": [away]}, b={"queues": [queue("q")]})
    assert network.reach("a").unreachable == ()
    assert [one.server for one in network.reach("a").undetermined] == ["b"]
    assert network.trace("a", message("queue:q")).outcome == "UNDETERMINED"
    assert [one["kind"] for one in network.check().findings] == ["unknown-broker"]


def federated(upstream: str, max_hops: int = 1) -> dict[str, list[Entry]]:
    """A broker whose topic exchange ``x`` and queue ``q`` are federated with those of another."""
    return {
        "exchanges": [exchange("x", "topic")],
        "queues": [queue("q")],
        "bindings": [binding("x", "q", "#")],
        "policies": [policy("federate", "^x$", federation_upstream_set="all")],
        "parameters": [
            parameter("federation-upstream", "up", uri=f"amqp://{upstream}", max_hops=max_hops)
        ],
    }


def test_rb_14_a_federated_exchange_gets_what_its_bindings_match(write: Write) -> None:
    below = {**federated("a"), "bindings": [binding("x", "q", "eu.#")]}
    network = write(a={"exchanges": [exchange("x", "topic")]}, b=below)
    assert told(network, "a", message("exchange:x", "eu.new")) == [
        ("RB-14", "FORWARDED(b)", "b.json:11:1"),
        ("RB-5", "", "b.json:7:1"),
        ("RB-1", "DELIVERED(queue:q)", "b.json:5:1"),
    ]
    assert ends(network, "a", message("exchange:x", "us")) == ("DISCARDED(unroutable)",)
    assert network.check().findings == ()


@pytest.mark.parametrize(("named", "gets"), [("up", True), ("away", False)])
def test_rb_14_upstreams_by_a_set(write: Write, named: str, gets: bool) -> None:
    below = federated("a")
    below["parameters"].append(
        {**parameter("federation-upstream-set", "near"), "value": [{"upstream": named}]}
    )
    below["policies"] = [policy("federate", "^x$", federation_upstream_set="near")]
    network = write(a={"exchanges": [exchange("x", "topic")]}, b=below)
    sent = message("exchange:x", "k")
    assert ends(network, "a", sent) == ("DELIVERED(queue:q)" if gets else "DISCARDED(unroutable)",)


def test_rb_14_exchanges_of_two_types_are_a_finding(write: Write) -> None:
    network = write(a={"exchanges": [exchange("x", "fanout")]}, b=federated("a"))
    (found,) = network.check().findings
    assert found["message"] == "exchange:x is topic, its upstream fanout."


@pytest.mark.parametrize(("max_hops", "reached"), [(1, ["b"]), (2, ["b", "c"]), (9, ["b", "c"])])
def test_rb_15_links_are_limited_and_no_broker_is_met_twice(
    write: Write, max_hops: int, reached: list[str]
) -> None:
    network = write(
        a=federated("c", max_hops), b=federated("a", max_hops), c=federated("b", max_hops)
    )
    answer = network.propagate("a", message("exchange:x", "k"))
    assert sorted(one.server for one in answer.deliveries) == ["a", *reached]
    assert {one.copies for one in answer.deliveries} == {1}


def test_rb_16_a_federated_queue_and_its_upstream_share_messages(write: Write) -> None:
    def peer(other: str) -> dict[str, list[Entry]]:
        return {
            "queues": [queue("q")],
            "policies": [policy("federate", "^q$", federation_upstream="up")],
            "parameters": [parameter("federation-upstream", "up", uri=f"amqp://{other}")],
        }

    answer = write(a=peer("b"), b=peer("a")).propagate("a", message("queue:q"))
    assert [(one.server, one.choice) for one in answer.deliveries] == [
        ("a", "one_of"),
        ("b", "one_of"),
    ]


def test_rb_17_how_the_exchange_of_a_plugin_routes_is_undecided(write: Write) -> None:
    network = write(
        a={
            "exchanges": [exchange("x", "x-random")],
            "queues": [queue("q")],
            "bindings": [binding("x", "q")],
            "parameters": [shovel("s", "q", dest_uri="amqp://b", dest_queue="q")],
        },
        b={},
    )
    answer = network.trace("a", message("exchange:x", "k"))
    assert (answer.outcome, [one.server for one in answer.undetermined]) == ("UNDETERMINED", ["b"])


def test_every_rule_is_listed_in_words_and_has_a_test(rabbitmq: Path) -> None:
    import rabbitmq as package

    words = re.findall(r"^\* (RB-\d+)  ?", package.__doc__ or "", re.MULTILINE)
    tested = {name for name in globals() if name.startswith("test_rb_")}
    assert list(all_rules()["rabbitmq"]) == words
    for number in words:
        assert any(name.startswith(f"test_{number.lower().replace('-', '_')}_") for name in tested)


# The importer


@contextmanager
def imported() -> Iterator[None]:
    """The package importable, once for all examples of a test."""
    before = dict(extensions.packages())
    extensions.register("rabbitmq", "rabbitmq")
    sys.path.insert(0, str(SYSTEM))
    try:
        yield
    finally:
        sys.path.remove(str(SYSTEM))
        extensions.use(before)


def bundle_of(path: str, server: str) -> Any:
    from topograph.importers.reading import Bundle, BundleFile

    return Bundle(path, "rabbitmq", server, (BundleFile("main", path),))


def read_bytes(data: bytes) -> Any:
    from rabbitmq import importer

    from topograph.importers.reading import Options

    found = importer.recognise("f.json", data)
    return found, importer.read(bundle_of("f.json", "a"), {"f.json": data}, Options())


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
LISTS = ("exchanges", "queues", "bindings", "policies", "parameters", "users", "global_parameters")
KEYS = (
    "name", "vhost", "type", "arguments", "source", "destination", "destination_type", "pattern",
    "definition", "priority", "component", "value", "uri", "src-uri", "src-queue", "dest-uri",
)  # fmt: skip
ENTRIES = st.dictionaries(
    st.sampled_from(KEYS), st.sampled_from(["shovel", "federation-upstream", "(", "a"]) | JSON
)


@given(data=st.binary())
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    with imported():
        read_bytes(data)


@pytest.mark.slow
@given(lists=st.dictionaries(st.sampled_from(LISTS), st.lists(ENTRIES | JSON)), cut=st.integers(0))
def test_any_definitions_are_facts_or_findings_at_their_place(
    lists: dict[str, list[Any]], cut: int
) -> None:
    from topograph.facts.rows import decode, encode

    text = json.dumps(lists)
    with imported():
        for data in (text.encode(), text[: cut % (len(text) + 1)].encode()):
            _, reading = read_bytes(data)
            (report,) = reading.files
            assert report.read + report.unsupported == len(reading.facts) + len(reading.findings)
            assert all(finding.source.file == "f.json" for finding in reading.findings)
            assert [decode(encode(fact)) for fact in reading.facts] == list(reading.facts)
        _, whole = read_bytes(text.encode())
        entries = sum(map(len, lists.values()))
        (report,) = whole.files
        assert len(whole.facts) - 1 + report.ignored + len(whole.findings) == entries


def test_what_is_not_understood_is_a_finding_and_makes_the_broker_doubtful(write: Write) -> None:
    odd = [{"name": "p", "vhost": "/", "pattern": "(", "definition": {}}]
    limits = [parameter("vhost-limits", "limits", max_queues=9)]
    network = write(a={"queues": [queue("q")], "policies": odd, "parameters": limits}, b={})
    (found,) = [one for one in network.check().findings if one["kind"] == "not-understood"]
    assert found["message"].startswith("This entry of policies is not understood (")
    assert found["source"] == {"file": "a.json", "line": 9, "column": 1}
    assert [row["status"] for row in network.show("files").rows] == ["partly-read", "read"]
    (doubt,) = network.reach("a").undecided()
    assert doubt.because.startswith("a: 1 of its entries are not understood")


def test_a_file_without_a_cluster_name_is_called_like_the_file(
    rabbitmq: Path, tmp_path: Path
) -> None:
    (tmp_path / "one.json").write_text('{"exchanges": [], "queues": [], "bindings": []}')
    assert topograph.read(tmp_path).server_names() == ("one",)


def test_hosts_are_redacted_and_answers_stay(rabbitmq: Path) -> None:
    plain, redacted = topograph.read(rabbitmq), topograph.read(rabbitmq, redact=True)
    for name in plain.server_names():
        before, after = plain.reach(name), redacted.reach(name)
        assert [one.path for one in before.servers] == [one.path for one in after.servers]


def test_no_password_of_a_uri_is_kept(rabbitmq: Path) -> None:
    kept = repr(read_snapshot(rabbitmq).facts("estate"))
    assert "mq.farholm.example" in kept
    assert "not-a-password" not in kept
    assert "shipping" not in kept


# Everywhere alike


def answers(network: Network) -> dict[str, Any]:
    """Everything that walks and traces decide, without the name of the engine."""
    names = network.server_names()
    made = {f"reach {name}": network.reach(name).to_dict() for name in names}
    made |= {f"paths {a} {b}": network.paths(a, b).to_dict() for a in names for b in names}
    made["matrix"] = network.hops_matrix().to_dict()
    made["check"] = network.check().to_dict()
    made["destinations"] = network.show("destinations").to_dict()
    for key in ("order.eu.new", "order.us.new", "stock", None):
        sent = message("exchange:orders", key, priority="high")
        made[f"trace {key}"] = network.trace("northquay", sent).to_dict()
        made[f"propagate {key}"] = network.propagate("northquay", sent).to_dict()
    for answer in made.values():
        del answer["engine"]
    return made


@pytest.mark.neo4j
def test_both_engines_answer_alike(rabbitmq: Path, database: Database) -> None:
    from topograph.engines.neo4j import Neo4jEngine

    snapshot = read_snapshot(rabbitmq)
    publish_snapshot(database, snapshot, assemble)
    walked = network_of(
        snapshot, "estate", lambda graph: Neo4jEngine(database, snapshot.id, "estate", graph)
    )
    assert walked.engine_name == "neo4j"
    assert answers(walked) == answers(topograph.read(rabbitmq))


@pytest.mark.slow
def test_it_keeps_the_contracts_as_mypy_sees_them(tmp_path: Path) -> None:
    checked = tmp_path / "contracts.py"
    checked.write_text(
        "from topograph.importers.reading import Importer\n"
        "from topograph.systems.contract.system import System\n"
        "from rabbitmq import importer, rules\n"
        "contracts: tuple[Importer, System] = (importer, rules.SYSTEM)\n"
    )
    code, said = mypy(tmp_path, checked, SYSTEM / "rabbitmq", found_in=SYSTEM)
    assert code == 0, said
