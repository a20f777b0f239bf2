"""Every question on every network of the corpus: the whole answers of the memory engine and of
Neo4j are equal.

The corpus: the examples, the networks of the EMS vectors (legal and illegal), random estates, drawn
estates of every system, the recorded networks of routers, the sample routers where they are
present, networks of IBM MQ, MQ Everyplace and service integration buses, each alone and all
together, and those of their vectors.
Questions that are computed in memory whatever the engine (their answer says ``engine: memory``):
``impact``, whose failures change the routes themselves.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from brute_force.ems_estate import estates
from certainty.views import views
from drawn import skupper
from drawn.all_systems import DRAWN, drawn
from draws import draws, share
from engines.corpus import GROUPS, RECORDED, Corpus, Published, published
from every_question import questions
from hypothesis import HealthCheck, Phase, given, settings
from systems import (
    listed_estate,
    two_systems,
)

from topograph.engines.neo4j import Neo4jEngine
from topograph.network import network_of
from topograph.opening.folders import read_snapshot
from topograph.questions.answers import Answer, CyclesAnswer
from topograph.questions.records import QUESTIONS
from topograph.store.database import Database, DatabaseSnapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.systems.registry import system

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT.parent / "shared" / "samples" / "amq_interconnect" / "rhsyseng_amq7"
VECTORS = json.loads((ROOT / "tests" / "vectors" / "ems_vectors.json").read_text(encoding="utf-8"))
EXAMPLES = [
    "estate",
    "mhop-star/legal",
    "mhop-star/with-b-d",
    "mixed",
    "mqe_devices",
    "orders",
    "rabbitmq",
    "routers",
    "sibus_orders",
    "two-1hop-zones/legal",
    "two-1hop-zones/with-g-a",
]

MEMORY_ONLY = {question.name for question in QUESTIONS if "neo4j" not in question.engines}


def compare(network: Published, database: Database) -> int:
    """Ask everything of both engines; the number of answers compared."""
    snapshot, name = network.snapshot, network.name
    memory = network_of(snapshot, name)
    walked = network_of(
        snapshot, name, lambda graph: Neo4jEngine(database, snapshot.id, name, graph)
    )
    count = 0
    walks = any(system(place.system).capabilities.cycles for place in memory._model.places())
    for label, ask in questions(memory):
        here, there = ask(memory), ask(walked)
        # Redundant paths of systems without a rule on cycles are found on the links, and messages
        # that come back on what the files say: no engine walks these.
        in_memory = label.split(" ")[0] in MEMORY_ONLY or (
            isinstance(here, CyclesAnswer) and not walks
        )
        assert there.engine == ("memory" if in_memory else "neo4j"), label
        assert plain(there) == plain(here), label
        count += 1
    return count


def plain(answer: Answer) -> dict[str, Any]:
    return dataclasses.replace(answer, engine="").to_dict()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples(example: str, database: Database, corpus: Corpus) -> None:
    assert compare(corpus.of("examples", example), database) > 20


def test_the_seven_sample_routers(database: Database, network_name: str) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the sample configurations are not part of the project and are not beside it")
    assert compare(published(database, read_snapshot(SAMPLES), network_name), database) > 20


@pytest.mark.parametrize("case", RECORDED)
def test_the_recorded_networks_of_routers(case: str, database: Database, corpus: Corpus) -> None:
    assert compare(corpus.of("recorded", case), database) > 10


def test_a_network_opened_from_the_database_follows_messages_as_one_in_memory_does(
    database: Database, corpus: Corpus
) -> None:
    routers = corpus.of("examples", "routers")
    there = DatabaseSnapshot(database, routers.snapshot.id)
    memory = network_of(routers.snapshot, routers.name)
    opened = network_of(
        there,
        routers.name,
        lambda graph: Neo4jEngine(database, routers.snapshot.id, routers.name, graph),
    )
    for address in ("alerts", "prices", "orders", "archive.2026", "retired", "jobs"):
        answer = opened.trace("LON", f"address:{address}")
        assert answer.engine == "neo4j"
        assert plain(answer) == plain(memory.trace("LON", f"address:{address}"))


def test_a_network_of_two_systems_that_share_a_name(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    two_systems.write(tmp_path)
    assert compare(published(database, read_snapshot(tmp_path), network_name), database) > 100


@pytest.mark.parametrize("name", GROUPS["open"])
def test_networks_that_their_files_leave_open(
    name: str, database: Database, corpus: Corpus
) -> None:
    assert compare(corpus.of("open", name), database) > 50


def test_an_estate_whose_servers_listed_who_wants_what(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    listed_estate.write(tmp_path)
    assert compare(published(database, read_snapshot(tmp_path), network_name), database) > 50


@pytest.mark.parametrize("systems", GROUPS["stepping"])
def test_networks_whose_messages_go_step_by_step(
    systems: str, database: Database, corpus: Corpus
) -> None:
    assert compare(corpus.of("stepping", systems), database) > 20


@pytest.mark.parametrize(
    ("system", "vector"),
    share(
        [(system, one) for system in ("ems", "ibm_mq", "mqe", "sibus") for one in GROUPS[system]], 2
    ),
)
def test_the_networks_of_the_vectors(
    system: str, vector: str, database: Database, corpus: Corpus
) -> None:
    assert compare(corpus.of(system, vector), database) > 10


@settings(
    max_examples=draws(7),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(estate=estates())
def test_random_estates(
    estate: Any, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("estate")
    estate.write(root)
    network = published(database, read_snapshot(root), f"random-{root.name}")
    assert compare(network, database) > 10


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize(
    ("system", "way"), [(system, way) for system, ways in DRAWN.items() for way in ways]
)
def test_drawn_estates_of_every_system(
    system: str, way: str, number: int, database: Database, network_name: str, tmp_path: Path
) -> None:
    snapshot = written(drawn(system, way, number).files, tmp_path / "estate")
    assert compare(published(database, snapshot, network_name), database) > 10


@pytest.mark.parametrize("form", ["a file a site", "version 1", "status of version 2"])
def test_drawn_networks_of_skupper(
    form: str, database: Database, network_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "estate"
    folder.mkdir()
    skupper.FORMS[form](skupper.drawn(11), folder)
    assert compare(published(database, read_snapshot(folder), network_name), database) > 10


def written(files: Mapping[str, str], folder: Path) -> MemorySnapshot:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return read_snapshot(folder)


@pytest.mark.parametrize(
    ("system", "number"),
    [("sibus", 489), *((system, number) for system in DRAWN for number in range(3))],
)
def test_parts_of_drawn_estates(
    system: str, number: int, database: Database, network_name: str, tmp_path: Path
) -> None:
    """A view of another kind with each number; of one bus a list of its destinations, one shown."""
    estate = drawn(system, "one", number)
    parts = list(views(estate.files, list(estate.servers), random.Random(f"{system} {number}")))
    part = parts[-1 if number == 489 else number % len(parts)]
    snapshot = written(part.files, tmp_path / "estate")
    assert compare(published(database, snapshot, network_name), database) > 0
