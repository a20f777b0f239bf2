"""What makes large files quick leaves every answer as it is: places that no message leaves their
cluster from are not stepped for a graph, and queues and bindings are read when they are asked for.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from draws import some

from topograph.facts import Fact
from topograph.importers.plan import Bundle, BundleFile
from topograph.importers.rabbitmq.file_reading import read
from topograph.importers.reading import Options
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.rabbitmq import late_facts
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.stepping import stepping_of
from topograph.tracing.closure import close
from topograph.tracing.states import Stepping

GOLDEN = Path(__file__).parents[2] / "golden" / "rabbitmq"


def recorded() -> list[dict[str, Any]]:
    """The definitions of the estates that were recorded, with several virtual hosts each."""
    estates: list[dict[str, Any]] = []
    for path in sorted(GOLDEN.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            estates += (json.loads(line)["definitions"] for line in file)
    assert estates
    return estates


def facts_of(definitions: dict[str, Any], name: str) -> tuple[Fact, ...]:
    path = f"{name}/definitions.json"
    bundle = Bundle(path, "rabbitmq", name, (BundleFile("main", path),))
    return read(bundle, {path: json.dumps(definitions).encode()}, Options()).facts


def by_clusters(definitions: dict[str, Any]) -> Iterator[Fact]:
    """The same estate with a cluster in place of each virtual host; addresses lead there."""
    text = re.sub(r"amqp://[^\"/]*/(\w+)", r"amqp://\1:5672/\1", json.dumps(definitions))
    whole = json.loads(text)
    for vhost in [one["name"] for one in whole["vhosts"]]:
        own = {
            section: [one for one in entries if one.get("vhost", one.get("name")) == vhost]
            if section != "users"
            else entries
            for section, entries in whole.items()
            if isinstance(entries, list)
        }
        yield from facts_of(own, vhost)


def graph(stepping: Stepping) -> dict[str, Any]:
    """What a graph says, with the guards in words, and without the rows of guards that stand
    nowhere."""
    tables = close({"rabbitmq": stepping}, work=20_000).tables
    ids = [one.id for one in tables.guards]

    def told(row: Any) -> Any:
        return replace(row, guards=tuple(sorted(ids[one] for one in row.guards)))

    return {
        "servers": list(tables.servers),
        "points": [told(one) for one in tables.points],
        "links": [told(one) for one in tables.links],
        "forwards": [told(one) for one in tables.forwards],
    }


def test_a_graph_is_that_of_stepping_everywhere() -> None:
    links = crossing = 0
    for definitions in some(recorded(), 60):
        stepping = stepping_of(
            Configuration(FactList(list(by_clusters(definitions))), SideInputs())
        )
        found = graph(stepping)
        everywhere = graph(replace(stepping, passing=None, beginning=None))
        if any("not all its ways" in server.incomplete for server in everywhere["servers"]):
            continue
        assert [what for what in found if found[what] != everywhere[what]] == []
        links += len(found["links"])
        crossing += bool(found["links"])
    assert links > crossing > 5


@pytest.mark.parametrize("most", [1, 3, 1000])
def test_what_is_read_by_name_is_what_is_read_at_once(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(late_facts, "MOST_READS", most)
    at, compared = random.Random(7), Counter[str]()
    for definitions in some(recorded(), 30):
        facts = FactList(list(facts_of(definitions, "broker")))
        whole, late = (Configuration(facts, SideInputs()) for _ in range(2))
        queues, exchanges = list(whole.queues), [*whole.bound, *whole.exchanges]
        for place in at.sample(exchanges, len(exchanges)):
            assert late.out_of(place).facts == whole.out_of(place).facts
            compared["exchanges"] += 1
        for place in at.sample(queues, len(queues)):
            assert late.queues.get(place) is whole.queues.get(place) is not None
            assert not late.has(place.queue(f"{place.name} of nobody"))
            compared["queues"] += 1
        assert (list(late.queues), set(late.bound)) == (queues, set(whole.bound))
    assert min(compared.values()) > 60
