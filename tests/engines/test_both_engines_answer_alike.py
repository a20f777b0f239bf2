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
from conformance import ems_cases, ibm_mq_cases, mqe_cases
from conformance.sibus_files import facts_of
from drawn import skupper
from drawn.all_systems import DRAWN, drawn
from draws import draws
from every_question import questions
from hypothesis import HealthCheck, Phase, given, settings
from systems import (
    doubtful_estate,
    listed_estate,
    open_links,
    three_systems,
    two_systems,
    undecided_routers,
)

from topograph.engines.neo4j import Neo4jEngine
from topograph.network import network_of
from topograph.opening.folders import network_data, read_snapshot
from topograph.questions.answers import Answer, CyclesAnswer
from topograph.questions.records import QUESTIONS
from topograph.side_inputs import SideInputs
from topograph.store.database import Database, DatabaseSnapshot
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.systems import assemble

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
    "routers",
    "sibus_orders",
    "two-1hop-zones/legal",
    "two-1hop-zones/with-g-a",
]

RECORDED = sorted(
    file.parent.name for file in (ROOT / "tests" / "golden" / "amq_interconnect").glob("*/configs")
)

MEMORY_ONLY = {question.name for question in QUESTIONS if "neo4j" not in question.engines}


def compare(snapshot: MemorySnapshot, database: Database) -> int:
    """Ask everything of both engines; the number of answers compared."""
    publish_snapshot(database, snapshot, assemble)
    (name,) = snapshot.networks
    memory = network_of(snapshot, name)
    walked = network_of(
        snapshot, name, lambda graph: Neo4jEngine(database, snapshot.id, name, graph)
    )
    count = 0
    for label, ask in questions(memory):
        here, there = ask(memory), ask(walked)
        # Redundant paths of systems without a rule on cycles are found on the links, which no
        # engine walks.
        in_memory = label.split(" ")[0] in MEMORY_ONLY or (
            isinstance(here, CyclesAnswer) and not here.judged
        )
        assert there.engine == ("memory" if in_memory else "neo4j"), label
        assert plain(there) == plain(here), label
        count += 1
    return count


def plain(answer: Answer) -> dict[str, Any]:
    return dataclasses.replace(answer, engine="").to_dict()


def named(snapshot: MemorySnapshot, name: str) -> MemorySnapshot:
    """The snapshot with its one network under a name no other test uses: tests share the
    database.
    """
    (data,) = snapshot.data.values()
    return MemorySnapshot(f"{snapshot.id}-{name}", snapshot.name, {name: data})


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples(example: str, database: Database, network_name: str) -> None:
    snapshot = read_snapshot(ROOT / "examples" / example)
    assert compare(named(snapshot, network_name), database) > 20


def test_the_seven_sample_routers(database: Database, network_name: str) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the sample configurations are not part of the project and are not beside it")
    assert compare(named(read_snapshot(SAMPLES), network_name), database) > 20


@pytest.mark.parametrize("case", RECORDED)
def test_the_recorded_networks_of_routers(case: str, database: Database, network_name: str) -> None:
    snapshot = read_snapshot(ROOT / "tests" / "golden" / "amq_interconnect" / case / "configs")
    assert compare(named(snapshot, network_name), database) > 10


def test_a_network_opened_from_the_database_follows_messages_as_one_in_memory_does(
    database: Database, network_name: str
) -> None:
    snapshot = named(read_snapshot(ROOT / "examples" / "routers"), network_name)
    publish_snapshot(database, snapshot, assemble)
    published = DatabaseSnapshot(database, snapshot.id)
    memory = network_of(snapshot, network_name)
    opened = network_of(
        published,
        network_name,
        lambda graph: Neo4jEngine(database, snapshot.id, network_name, graph),
    )
    for address in ("alerts", "prices", "orders", "archive.2026", "retired", "jobs"):
        answer = opened.trace("LON", f"address:{address}")
        assert answer.engine == "neo4j"
        assert plain(answer) == plain(memory.trace("LON", f"address:{address}"))


def test_a_network_of_two_systems_that_share_a_name(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    two_systems.write(tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 100


def test_an_estate_that_leaves_much_open(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    doubtful_estate.write(tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 50


def test_an_estate_whose_servers_listed_who_wants_what(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    listed_estate.write(tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 50


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_networks_whose_links_may_not_come_up(
    seed: int, database: Database, network_name: str, tmp_path: Path
) -> None:
    open_links.write(tmp_path, seed, mixed=True)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 50


def test_routers_that_their_files_leave_undecided(
    database: Database, network_name: str, tmp_path: Path
) -> None:
    undecided_routers.write(tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 50


@pytest.mark.parametrize("systems", [(), ("ibm_mq",), ("mqe",), ("sibus",)], ids="-".join)
def test_networks_whose_messages_go_step_by_step(
    systems: tuple[str, ...], database: Database, network_name: str, tmp_path: Path
) -> None:
    three_systems.write(tmp_path, *systems)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 20


def _given(system: str) -> list[Any]:
    """The distinct networks of the vectors of a system."""
    vectors = json.loads(
        (ROOT / "tests" / "vectors" / f"{system}_vectors.json").read_text(encoding="utf-8")
    )
    distinct = {json.dumps(vector["given"], sort_keys=True): vector for vector in reversed(vectors)}
    return [
        pytest.param(vector["given"], id=vector["id"]) for vector in reversed(distinct.values())
    ]


@pytest.mark.parametrize("given", _given("ibm_mq"))
def test_the_networks_of_the_vectors_of_queue_managers(
    given: Any, database: Database, network_name: str, tmp_path: Path
) -> None:
    ibm_mq_cases.write(given, tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 10


@pytest.mark.parametrize("given", _given("mqe"))
def test_the_networks_of_the_vectors_of_devices(
    given: Any, database: Database, network_name: str, tmp_path: Path
) -> None:
    mqe_cases.write(given, tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 10


@pytest.mark.parametrize("given", _given("sibus"))
def test_the_networks_of_the_vectors_of_buses(
    given: Any, database: Database, network_name: str
) -> None:
    facts = facts_of(given)
    snapshot = MemorySnapshot(
        network_name, "buses", {network_name: network_data(facts, SideInputs(), (), ())}
    )
    assert compare(snapshot, database) > 10


def _networks() -> list[Any]:
    """The distinct networks of the EMS vectors."""
    distinct: dict[str, Any] = {}
    for vector in VECTORS:
        if vector["given"].get("links"):
            distinct.setdefault(json.dumps(vector["given"], sort_keys=True), vector)
    return [pytest.param(vector["given"], id=vector["id"]) for vector in distinct.values()]


@pytest.mark.parametrize("network", _networks())
def test_the_networks_of_the_vectors(
    network: Any, database: Database, network_name: str, tmp_path: Path
) -> None:
    root = tmp_path / "estate"
    root.mkdir()
    ems_cases.write(network, root)
    assert compare(named(read_snapshot(root), network_name), database) > 10


@settings(
    max_examples=draws(12),
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
    assert compare(named(read_snapshot(root), f"random-{root.name}"), database) > 10


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize(
    ("system", "way"), [(system, way) for system, ways in DRAWN.items() for way in ways]
)
def test_drawn_estates_of_every_system(
    system: str, way: str, number: int, database: Database, network_name: str, tmp_path: Path
) -> None:
    snapshot = written(drawn(system, way, number).files, tmp_path / "estate")
    assert compare(named(snapshot, network_name), database) > 10


@pytest.mark.parametrize("form", ["a file a site", "version 1", "status of version 2"])
def test_drawn_networks_of_skupper(
    form: str, database: Database, network_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "estate"
    folder.mkdir()
    skupper.FORMS[form](skupper.drawn(11), folder)
    assert compare(named(read_snapshot(folder), network_name), database) > 10


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
    assert compare(named(snapshot, network_name), database) > 0
