"""What people saw of their brokers, told in public threads, as small estates of our own: the rules
say the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rabbitmq_replay import Found, results, stepping

import topograph
from topograph.errors import TopographError
from topograph.network import Network

Object = dict[str, Any]


def queue(name: str, vhost: str = "/", **arguments: object) -> Object:
    """A queue; ``_`` in the names of arguments stands for ``-``, and ``x-`` comes before."""
    return {"name": name, "vhost": vhost, "durable": True, "arguments": named(arguments, "x-")}


def exchange(name: str, type_: str, vhost: str = "/", **arguments: object) -> Object:
    return {"name": name, "vhost": vhost, "type": type_, "arguments": named(arguments)}


def binding(source: str, to: str, key: str = "", vhost: str = "/") -> Object:
    return {
        "source": source, "vhost": vhost, "destination": to, "destination_type": "queue",
        "routing_key": key, "arguments": {},
    }  # fmt: skip


def policy(pattern: str, kind: str, vhost: str = "/", **definition: object) -> Object:
    return {
        "name": "p", "vhost": vhost, "pattern": pattern, "apply-to": kind, "priority": 0,
        "definition": named(definition),
    }  # fmt: skip


def parameter(component: str, name: str, vhost: str = "/", **value: object) -> Object:
    return {"component": component, "name": name, "vhost": vhost, "value": named(value)}


def named(given: Mapping[str, object], before: str = "") -> Object:
    return {before + key.replace("_", "-"): value for key, value in given.items()}


def broker(version: str, *entries: Sequence[Object], vhosts: Sequence[str] = ("/",)) -> Object:
    """Definitions: exchanges, queues and bindings, then policies and parameters."""
    names = ("exchanges", "queues", "bindings", "policies", "parameters")[: len(entries)]
    lists = dict(zip(names, entries, strict=True))
    return {"rabbit_version": version, "vhosts": [{"name": one} for one in vhosts], **lists}


def sent(
    exchange: str, key: str, vhost: str = "/", *, rejected: Mapping[str, int] | None = None
) -> Object:
    """A message, and how often consumers of queues reject it."""
    acts = [{"queue": at, "do": "reject", "times": n} for at, n in (rejected or {}).items()]
    message = {"vhost": vhost, "exchange": exchange, "key": key, "headers": {}, "expiration": ""}
    return {**message, "acts": acts}


def only(definitions: Object, message: Object) -> Found:
    """What becomes of a message where nothing is chosen at run time."""
    (found,) = results(stepping(definitions), message)
    assert not found.unknown
    return found


def read(folder: Path, **brokers: Object) -> Network:
    for name, definitions in brokers.items():
        (folder / f"{name}.json").write_text(json.dumps(definitions))
    return topograph.read(folder)


def rules(network: Network) -> set[str]:
    return {str(one["rule"]) for one in network.check().findings}


BACK = {"dead_letter_exchange": "jobs", "dead_letter_routing_key": "go"}


def rested(press: Object) -> Object:
    """A queue whose dead letters rest for a while and come back to it."""
    return broker(
        "3.10.8",
        [exchange("jobs", "direct"), exchange("rest", "direct")],
        [
            press,
            queue("pause", message_ttl=30, **BACK),
        ],
        [binding("jobs", "press", "go"), binding("rest", "pause", "later")],
    )


LETTERS = {"dead_letter_exchange": "rest", "dead_letter_routing_key": "later"}


def test_a_queue_drops_what_expired_before_and_comes_back_by_itself(tmp_path: Path) -> None:
    """https://github.com/rabbitmq/rabbitmq-server/issues/737: the retry queue drops its messages
    when their time is over, and nobody can see why. They had expired in the first queue too."""
    definitions = rested(queue("press", message_ttl=20, **LETTERS))
    assert only(definitions, sent("jobs", "go")).queues == {}
    assert "RQ-14" in rules(read(tmp_path, one=definitions))


def test_a_queue_takes_back_what_a_consumer_rejected(tmp_path: Path) -> None:
    """The same thread, and https://github.com/rabbitmq/rabbitmq-server/issues/1061: the circle is
    meant to work when a consumer rejects the message, and the documentation says so."""
    definitions = rested(queue("press", **LETTERS))
    found = only(definitions, sent("jobs", "go", rejected={"//press": 1}))
    assert found.queues == {"//press": 1}
    assert "RQ-14" not in rules(read(tmp_path, one=definitions))


def chained(version: str, hops: int) -> Object:
    """Three virtual hosts of one broker, each federated with the one before."""
    names = ("north", "middle", "south")
    return broker(
        version,
        [exchange("news", "fanout", one) for one in names],
        [queue("board", one) for one in names],
        [binding("news", "board", "", one) for one in names],
        [policy("^news$", "exchanges", one, federation_upstream_set="all") for one in names[1:]],
        [
            parameter("federation-upstream", "before", at, uri=f"amqp:///{up}", max_hops=hops)
            for at, up in (("middle", "north"), ("south", "middle"))
        ],
        vhosts=names,
    )


@pytest.mark.parametrize(
    ("version", "hops", "boards"),
    [("3.8.2", 2, 2), ("3.7.5", 3, 2), ("3.8.9", 2, 3), ("3.10.8", 2, 3), ("3.10.8", 1, 2)],
)
def test_old_brokers_federate_their_own_virtual_hosts_over_one_link_only(
    version: str, hops: int, boards: int
) -> None:
    """https://github.com/rabbitmq/rabbitmq-federation/issues/116 and 81: with ``max-hops`` of 2 or
    3 a message gets to the second virtual host, and not to the third. Changed in 3.8.9."""
    found = only(chained(version, hops), sent("news", "", "north"))
    reached = ("north/board", "middle/board", "south/board")[:boards]
    assert found.queues == dict.fromkeys(reached, 1)


def till(**shovel: object) -> Object:
    """A till whose refused sales a shovel brings back."""
    return broker(
        "3.10.8",
        [exchange("shop", "direct"), exchange("refused", "direct")],
        [queue("till", dead_letter_exchange="refused"), queue("refusals")],
        [binding("shop", "till", "sale"), binding("refused", "refusals", "sale")],
        [],
        [
            parameter(
                "shovel", "back", src_uri="amqp://", dest_uri="amqp://", src_queue="refusals",
                **shovel,
            )
        ],
    )  # fmt: skip


def test_a_shovel_to_a_queue_changes_the_key_that_dead_letters_are_routed_by() -> None:
    """https://github.com/arobson/rabbot/issues/103: rejected once a message gets to the queue of
    rejected ones, is shovelled back, rejected again, and then is gone."""
    once, twice = (sent("shop", "sale", rejected={"//till": times}) for times in (1, 2))
    assert only(till(dest_queue="till"), once).queues == {"//till": 1}
    assert only(till(dest_queue="till"), twice).queues == {}
    kept = only(till(dest_exchange="shop", dest_exchange_key="sale"), twice)
    assert kept.endless


def test_an_exchange_without_bindings_drops_what_is_published(tmp_path: Path) -> None:
    """https://github.com/dapr/components-contrib/issues/4257: messages to an exchange without
    bindings are dropped silently, and the publisher would like to know before."""
    network = read(tmp_path, one=broker("4.1.0", [exchange("orders", "fanout")], [], []))
    answer = network.propagate("one", "exchange:orders", routing_key="x")
    assert answer.deliveries == ()
    assert "RQ-9" in rules(network)


def pulling(pattern: str) -> dict[str, Object]:
    """Two brokers; the queue of one is to be federated with that of the other."""
    tasks = [queue("Night.Tasks", queue_type="quorum")]
    return {
        "upper": broker("3.13.7", [], tasks, []),
        "lower": broker(
            "3.13.7",
            [],
            tasks,
            [],
            [policy(pattern, "queues", federation_upstream="upper")],
            [parameter("federation-upstream", "upper", uri="amqp://upper")],
        ),
    }


def test_a_policy_that_differs_in_case_federates_nothing(tmp_path: Path) -> None:
    """https://knowledge.broadcom.com/external/article/439441: the upstream queue keeps its
    messages, as the name in the pattern of the policy differs from that of the queue in case."""
    network = read(tmp_path, **pulling(r"^night\.tasks$"))
    answer = network.propagate("upper", "queue:Night.Tasks")
    assert [(one.server, one.choice) for one in answer.deliveries] == [("upper", "always")]
    assert "RQ-17" in rules(network)
    network = read(tmp_path, **pulling(r"^Night\.Tasks$"))
    answer = network.propagate("upper", "queue:Night.Tasks")
    assert {(one.server, one.choice) for one in answer.deliveries} == {
        ("upper", "one_of"),
        ("lower", "one_of"),
    }
    assert "RQ-17" not in rules(network)


@pytest.mark.parametrize("hops", [1, 2])
def test_a_full_mesh_of_federated_exchanges_gives_as_many_copies_as_hops(hops: int) -> None:
    """https://github.com/noxdafox/rabbitmq-message-deduplication/issues/99: every broker is
    federated with every other one; a message arrives as often as ``max-hops`` says."""
    names = ("rio", "oslo", "bonn")
    definitions = broker(
        "3.10.8",
        [exchange("prices", "topic", one) for one in names],
        [queue("desk", one) for one in names],
        [binding("prices", "desk", "#", one) for one in names],
        [policy("^prices$", "exchanges", one, federation_upstream_set="all") for one in names],
        [
            parameter("federation-upstream", up, at, uri=f"amqp:///{up}", max_hops=hops)
            for at in names
            for up in names
            if at != up
        ],
        vhosts=names,
    )
    found = only(definitions, sent("prices", "gold", "rio"))
    assert found.queues == {"rio/desk": 1, "oslo/desk": hops, "bonn/desk": hops}


def test_an_alternate_exchange_routes_by_the_same_key() -> None:
    """https://github.com/pika/pika/issues/1350: a direct alternate exchange has a binding with a
    key of its own; what the first exchange does not route is lost all the same."""

    def catching(type_: str) -> Object:
        return broker(
            "3.10.8",
            [exchange("desk", "direct", alternate_exchange="spare"), exchange("spare", type_)],
            [queue("in"), queue("lost")],
            [binding("desk", "in", "in"), binding("spare", "lost", "lost")],
        )

    assert only(catching("direct"), sent("desk", "unheard")).queues == {}
    assert only(catching("fanout"), sent("desk", "unheard")).queues == {"//lost": 1}
    assert only(catching("direct"), sent("desk", "in")).queues == {"//in": 1}


@pytest.mark.parametrize(
    "definitions",
    [
        {"vhosts": [{"name": "/"}], "queues": [queue("q")]},
        {"queues": [queue("q")], "bindings": [binding("amq.direct", "q", "k")]},
        {"rabbit_version": "4.1.0", "policies": [policy("^q", "queues", max_length=5)]},
    ],
)
def test_parts_of_definitions_are_read(tmp_path: Path, definitions: Object) -> None:
    """As they stand in public repositories, for brokers to load at their start."""
    network = read(tmp_path, one=definitions)
    answer = network.propagate("one", "exchange:amq.direct", routing_key="k")
    assert len(answer.deliveries) == ("bindings" in definitions)


def test_what_the_api_says_of_a_broker_is_no_definitions(tmp_path: Path) -> None:
    totals = {"rabbitmq_version": "4.1.0", "object_totals": {"queues": 1, "exchanges": 8}}
    with pytest.raises(TopographError):
        read(tmp_path, one=totals)


def test_a_delayed_exchange_routes_dead_letters_by_their_key(tmp_path: Path) -> None:
    """A queue whose letters go elsewhere by their key is on no circle."""
    delayed = {**exchange("later", "x-delayed-message"), "arguments": {"x-delayed-type": "direct"}}
    letters = {"dead_letter_exchange": "later", "dead_letter_routing_key": "done"}
    definitions = broker(
        "3.13.7",
        [delayed],
        [queue("task", message_ttl=5, **letters), queue("done")],
        [binding("later", "task", "task"), binding("later", "done", "done")],
    )
    assert "RQ-14" not in rules(read(tmp_path, one=definitions))
