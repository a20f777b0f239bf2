"""Shovels of ``advanced.config`` (RQ-30): as dynamic ones where they say the same; and what only
they do.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import topograph
from topograph.network import Network

QUEUES = ("p", "q", "r")
EXCHANGES = {"d": "direct", "t": "topic", "f": "fanout"}


def definitions(**more: Any) -> dict[str, Any]:
    bound = [("d", "q", "k"), ("t", "r", "k.#"), ("f", "p", "")]
    return {
        "rabbitmq_version": "3.10.8",
        "vhosts": [{"name": "/"}, {"name": "v"}],
        "exchanges": [{"name": name, "vhost": "/", "type": type_, "arguments": {}}
                      for name, type_ in EXCHANGES.items()],
        "queues": [{"name": name, "vhost": "/", "arguments": {}} for name in QUEUES],
        "bindings": [{"source": source, "vhost": "/", "destination": to,
                      "destination_type": "queue", "routing_key": key, "arguments": {}}
                     for source, to, key in bound],
        **more,
    }  # fmt: skip


def network(folder: Path, said: dict[str, Any], *shovels: str, **files: str) -> Network:
    """The network of one cluster with some static shovels."""
    folder.mkdir(exist_ok=True)
    (folder / "b.json").write_text(json.dumps(said))
    listed = ",\n".join(shovels)
    text = f"%% c\n[{{rabbitmq_shovel, [{{shovels, [\n{listed}]}}]}}].\n"
    (folder / "advanced.config").write_text(text)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    return topograph.read(folder)


def shovel(
    name: str, queue: str, fields: str = "", source: str = "[]", destination: str = "[]"
) -> str:
    return (
        f'{{{name}, [{{source, [{{uris, ["amqp://u:p@"]}}, {{declarations, {source}}}, '
        f'{{queue, <<"{queue}">>}}]}}, {{destination, [{{uris, ["amqp://"]}}, '
        f"{{declarations, {destination}}}, {{publish_fields, [{fields}]}}]}}]}}"
    )


def ends(network: Network, to: str, key: str | None = None) -> set[str]:
    return {str(one) for one in network.trace("b", to, routing_key=key).outcomes}


def test_a_static_shovel_does_what_a_dynamic_one_does(tmp_path: Path) -> None:
    draw = random.Random(11)
    for number in range(12):
        exchange = draw.choice([None, *EXCHANGES])
        key = draw.choice([None, "k", "k.a"])
        queue = draw.choice(QUEUES)
        value: dict[str, Any] = {"src-uri": "amqp://", "src-queue": queue, "dest-uri": "amqp://"}
        fields = []
        if exchange is not None:
            value["dest-exchange"] = exchange
            fields.append(f'{{exchange, <<"{exchange}">>}}')
        if key is not None:
            value["dest-exchange-key"] = key
            fields.append(f'{{routing_key, <<"{key}">>}}')
        parameter = {"component": "shovel", "vhost": "/", "name": "s", "value": value}
        static = network(
            tmp_path / f"s{number}", definitions(), shovel("s", queue, ", ".join(fields))
        )
        dynamic = network(tmp_path / f"d{number}", definitions(parameters=[parameter]))
        for to, sent in [*((f"queue:{one}", None) for one in QUEUES), ("exchange:d", "k"),
                         ("exchange:t", "k.x"), ("exchange:f", "")]:  # fmt: skip
            assert ends(static, to, sent) == ends(dynamic, to, sent), (value, to, sent)


def test_a_queue_of_its_own_is_bound_and_emptied(tmp_path: Path) -> None:
    declares = (
        "['queue.declare', {'queue.bind', [{exchange, <<\"d\">>}, {queue, <<>>}, "
        '{routing_key, <<"x">>}]}]'
    )
    fields = '{exchange, <<>>}, {routing_key, <<"r">>}'
    one = network(tmp_path, definitions(), shovel("s", "", fields, declares))
    assert ends(one, "exchange:d", "x") == {"DELIVERED(queue:r)"}
    assert ends(one, "exchange:d", "k") == {"DELIVERED(queue:q)"}
    steps = one.trace("b", "exchange:d", routing_key="x").to_dict()["steps"]
    moved = next(step for step in steps if step["rule"] == "RQ-30")
    assert moved["source"] == {"file": "advanced.config", "line": 3, "column": 1}


def test_the_old_form_and_what_it_declares_at_both_ends(tmp_path: Path) -> None:
    old = (
        "{'s 1', [{sources, [{broker, \"amqp://\"}, {declarations, [{'queue.declare', [{queue, "
        '<<"new">>}, durable]}]}]}, {destinations, [{brokers, ["amqp:///v"]}, {declarations, ['
        '{\'exchange.declare\', [{exchange, <<"e">>}, {type, <<"fanout">>}]}, '
        '{\'queue.declare\', [{queue, <<"far">>}, {arguments, [{<<"x-max-length">>, long, 5}]}]}, '
        '{\'queue.bind\', [{exchange, <<"e">>}, {queue, <<"far">>}]}]}]}, {queue, <<"new">>}, '
        '{publish_fields, [{exchange, <<"e">>}]}]}'
    )
    one = network(tmp_path, definitions(), old)
    assert ends(one, "queue:new") >= {"DELIVERED(queue:v/far)"}


def test_a_shovel_that_the_broker_refuses_leaves_messages_where_they_are(tmp_path: Path) -> None:
    wrong = '[{\'exchange.declare\', [{exchange, <<"t">>}, {type, <<"direct">>}]}]'
    missing = '[{\'queue.bind\', [{exchange, <<"nobody">>}, {queue, <<"q">>}]}]'
    for number, declares in enumerate((wrong, missing)):
        one = network(tmp_path / str(number), definitions(), shovel("s", "p", destination=declares))
        assert all(end.startswith("HELD") for end in ends(one, "queue:p"))
        assert "static-shovel-stopped" in {each["kind"] for each in one.check().findings}


def test_a_shovel_waits_for_what_another_one_declares(tmp_path: Path) -> None:
    first = shovel("s1", "late", '{exchange, <<>>}, {routing_key, <<"q">>}')
    then = shovel("s2", "p", '{exchange, <<>>}, {routing_key, <<"late">>}',
                  destination="[{'queue.declare', [{queue, <<\"late\">>}]}]")  # fmt: skip
    one = network(tmp_path, definitions(), first, then)
    assert ends(one, "queue:p") == {"DELIVERED(queue:q)"}
    assert "static-shovel-stopped" not in {each["kind"] for each in one.check().findings}


def test_a_circle_over_the_default_exchange_is_found(tmp_path: Path) -> None:
    there = shovel("a", "q", '{exchange, <<>>}, {routing_key, <<"r">>}')
    back = shovel("b", "r", '{exchange, <<"d">>}, {routing_key, <<"k">>}')
    for number, listed in enumerate(((there, back), (there,))):
        one = network(tmp_path / str(number), definitions(), *listed)
        round_ = [end for end in ends(one, "queue:q") if end.startswith("LOOP")]
        circles = [each for each in one.check().findings if each["kind"] == "shovel-circle"]
        assert (len(round_), len(circles)) == ((1, 2) if len(listed) == 2 else (0, 0))


def test_what_is_not_understood_leaves_open_what_may_be_moved(tmp_path: Path) -> None:
    odd = shovel("s", "q").replace("publish_fields, []", "publish_properties, [{exchange, <<>>}]")
    one = network(tmp_path, definitions(), odd)
    assert ends(one, "queue:q") == {"UNDETERMINED"}
    assert "static-shovel-not-understood" in {each["kind"] for each in one.check().findings}


def test_settings_of_nodes_decide(tmp_path: Path) -> None:
    said = definitions(queues=[{"name": "q", "vhost": "/", "arguments":
                                {"x-dead-letter-exchange": "f", "x-overflow": "reject-publish-dlx",
                                 "x-max-length": 1}}])  # fmt: skip
    said["rabbitmq_version"] = "4.1.0"
    plain = network(tmp_path / "a", said)
    quorum = network(tmp_path / "b", said, rabbitmq_conf="default_queue_type = quorum\n")
    texts = [json.dumps(one.trace("b", "queue:q").to_dict()) for one in (plain, quorum)]
    assert ["delivered more than 20 times" in text for text in texts] == [False, True]
    value: dict[str, Any] = {"src-uri": "amqp://", "src-queue": "q", "dest-uri": "amqp://"}
    value["dest-queue"] = "new"
    moved = {"component": "shovel", "vhost": "/", "name": "s", "value": value}
    with_shovel = definitions(parameters=[moved])
    declared = network(tmp_path / "c", with_shovel)
    waits = network(tmp_path / "d", with_shovel, rabbitmq_conf="shovel.topology.predeclared = true")
    assert ends(declared, "queue:q") == {"DELIVERED(queue:new)"}
    assert ends(waits, "queue:q") != ends(declared, "queue:q")
    value["dest-predeclared"] = False
    said_so = network(
        tmp_path / "e", with_shovel, rabbitmq_conf="shovel.topology.predeclared = true"
    )
    assert ends(said_so, "queue:q") == {"DELIVERED(queue:new)"}
