"""What real brokers did with messages, against the importer and the step function
(tests/golden/rabbitmq).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rabbitmq_replay import HOSTS, SECOND, SERVER, differences, message_of, server_and_vhost

import topograph
from topograph.systems.rabbitmq.places import shown

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq"
FILES = sorted(GOLDEN.glob("*.jsonl.gz"))


def estates(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_messages_are_where_the_broker_put_them(path: Path) -> None:
    count, different = 0, []
    for estate in estates(path):
        count += len(estate["messages"])
        different += differences(estate)
    assert count
    assert different == []


def test_a_recording_that_was_changed_is_told() -> None:
    estate = next(estates(FILES[0]))
    sent = next(one for one in estate["messages"] if one["outcome"] == "delivered")
    sent["queues"] = {"north1/elsewhere": 1}
    (line,) = differences({**estate, "messages": [sent]})
    assert line.startswith(f"seed {estate['seed']}, {sent['id']} to ")
    assert "recorded accepted delivered {'north1/elsewhere': 1}, answered {" in line


def test_two_clusters_as_files_with_their_ports_in_topograph_yaml(tmp_path: Path) -> None:
    both = [one for path in FILES for one in estates(path) if SECOND in one]
    asked = 0
    for estate in both[:3]:
        folder = tmp_path / str(estate["seed"])
        folder.mkdir()
        (folder / f"{SERVER}.json").write_text(json.dumps(estate["definitions"]))
        (folder / f"{SECOND}.json").write_text(json.dumps(estate[SECOND]))
        hosts = "".join(f'  "{host}": {server}\n' for host, server in HOSTS.items())
        (folder / "topograph.yaml").write_text(f"hosts:\n{hosts}")
        network = topograph.read(folder)
        for sent in estate["messages"]:
            if sent["acts"] or sent["choice"] or sent["outcome"] != "delivered":
                continue
            server, _ = server_and_vhost(sent["vhost"])
            message = message_of(sent)
            answer = network.trace(
                server, str(message.destination), message.properties, routing_key=sent["key"]
            )
            found = {str(one) for one in answer.outcomes}
            there = [server_and_vhost(one)[1].rpartition("/") for one in sent["queues"]]
            expected = {f"DELIVERED(queue:{shown(vhost, name)})" for vhost, _, name in there}
            assert expected <= found, (estate["seed"], sent["id"])
            asked += 1
    assert asked > 20
