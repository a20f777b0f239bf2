"""Every question on every network of the corpus: the whole answers of the memory engine and of Neo4j are equal.

The corpus: the examples, the networks of the EMS vectors (legal and illegal), random estates, the recorded networks of routers, and the sample
routers where they are present. Questions that are computed in memory whatever the engine (their answer says ``engine: memory``): ``impact``, whose
failures change the routes themselves.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from brute_force.ems_estate import estates
from conformance import ems_cases
from hypothesis import HealthCheck, Phase, given, settings
from systems import two_systems

from topograph.engines.neo4j import Neo4jEngine
from topograph.network import Network, network_of
from topograph.questions.answers import Answer
from topograph.store.database import Database, DatabaseSnapshot
from topograph.store.publishing import publish_snapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.systems import assemble
from topograph.workspace import read_snapshot

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT.parent / "shared" / "samples" / "amq_interconnect" / "rhsyseng_amq7"
VECTORS = json.loads((ROOT / "tests" / "vectors" / "ems_vectors.json").read_text(encoding="utf-8"))
EXAMPLES = [
    "estate",
    "mhop-star/legal",
    "mhop-star/with-b-d",
    "orders",
    "routers",
    "two-1hop-zones/legal",
    "two-1hop-zones/with-g-a",
]

RECORDED = sorted(file.parent.name for file in (ROOT / "tests" / "golden" / "amq_interconnect").glob("*/configs"))

MEMORY_ONLY = frozenset({"impact", "impact sweep"})


def questions(network: Network) -> Iterator[tuple[str, Callable[[Network], Answer]]]:
    """Each kind of question with several parameters."""
    names = network.server_names()
    topics = [name for name in names if _runs(network, name, "ems")]
    yield "cycles", lambda n: n.cycles()
    yield "cycles strict", lambda n: n.cycles(strict=True)
    yield "check", lambda n: n.check()
    yield "hops_matrix", lambda n: n.hops_matrix()
    ems = "ems" in {row["system"] for row in network.show("servers").rows}
    if ems:
        yield "interests", lambda n: n.interests()
    routers = "amq_interconnect" in {row["system"] for row in network.show("servers").rows}
    if routers:
        yield from _about_addresses(network)
    for what in ("servers", "routes", "zones", "destinations", "selectors", "access", "files"):
        yield f"show {what}", lambda n, what=what: n.show(what)
    for name in names[:8]:
        yield f"reach {name}", lambda n, name=name: n.reach(name)
        yield f"reply {name}", lambda n, name=name: n.reach(name, reply=True)
    for name in topics[:8]:
        if ems:
            for topic in ("T", "orders", "orders.created", "news"):
                yield (
                    f"propagate {name} {topic}",
                    lambda n, name=name, topic=topic: n.propagate(
                        name, f"topic:{topic}", {"country": "Canada", "a": 1}
                    ),
                )
                some = [f"{server}:topic:{topic}" for server in topics[::2]]
                yield (
                    f"trace {name} {topic}",
                    lambda n, name=name, topic=topic: n.trace(name, f"topic:{topic}", {"country": "Canada", "a": 1}),
                )
                yield (
                    f"propagate {name} {topic} to some",
                    lambda n, name=name, topic=topic, some=some: n.propagate(name, f"topic:{topic}", subscribers=some),
                )
    for first in names[:6]:
        for second in names[-4:]:
            yield f"hops {first} {second}", lambda n, a=first, b=second: n.hops(a, b)
            yield f"paths {first} {second}", lambda n, a=first, b=second: n.paths(a, b, maximum=5)


def _runs(network: Network, label: str, system: str) -> bool:
    """Whether the server that is called so runs a system."""
    return network.reach(label, label).system == system


def _about_addresses(network: Network) -> Iterator[tuple[str, Callable[[Network], Answer]]]:
    """Messages from every router to every address that the network names, with receivers known and unknown; and failures."""
    sound = {row["server"] for row in network.show("servers").rows if row["loaded"] and not row["incomplete"]}
    names = [name for name in network.server_names() if _runs(network, name, "amq_interconnect")]
    loaded = [name for name in names if name.rpartition(":")[2] in sound]
    named = {str(row["name"]).replace("#", "x").replace("*", "x") for row in network.show("destinations").rows}
    for address in ["other", *sorted(named)[:12]]:
        for name in loaded[:8]:
            some = [f"{server}:{address}" for server in loaded[::2]]
            for question in ("propagate", "trace"):
                yield (
                    f"{question} {name} {address}",
                    lambda n, q=question, name=name, a=address: getattr(n, q)(name, f"address:{a}"),
                )
                yield (
                    f"{question} {name} {address} to some",
                    lambda n, q=question, name=name, a=address, some=some: getattr(n, q)(
                        name, f"address:{a}", {"subject": "a.b"}, subscribers=some
                    ),
                )
    yield "impact sweep", lambda n: n.impact(sweep=True)
    if loaded:
        yield "impact", lambda n: n.impact([f"server:{loaded[0]}"])


def compare(snapshot: MemorySnapshot, database: Database) -> int:
    """Ask everything of both engines; the number of answers compared."""
    publish_snapshot(database, snapshot, assemble)
    (name,) = snapshot.networks
    memory = network_of(snapshot, name)
    walked = network_of(snapshot, name, lambda graph: Neo4jEngine(database, snapshot.id, name, graph))
    count = 0
    for label, ask in questions(memory):
        here, there = ask(memory), ask(walked)
        assert there.engine == ("memory" if label in MEMORY_ONLY else "neo4j"), label
        assert plain(there) == plain(here), label
        count += 1
    return count


def plain(answer: Answer) -> dict[str, Any]:
    return dataclasses.replace(answer, engine="").to_dict()


def named(snapshot: MemorySnapshot, name: str) -> MemorySnapshot:
    """The snapshot with its one network under a name no other test uses: tests share the database."""
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
    opened = network_of(published, network_name, lambda graph: Neo4jEngine(database, snapshot.id, network_name, graph))
    for address in ("alerts", "prices", "orders", "archive.2026", "retired", "jobs"):
        answer = opened.trace("LON", f"address:{address}")
        assert answer.engine == "neo4j"
        assert plain(answer) == plain(memory.trace("LON", f"address:{address}"))


def test_a_network_of_two_systems_that_share_a_name(database: Database, network_name: str, tmp_path: Path) -> None:
    two_systems.write(tmp_path)
    assert compare(named(read_snapshot(tmp_path), network_name), database) > 100


def _networks() -> list[Any]:
    """The distinct networks of the EMS vectors."""
    distinct: dict[str, Any] = {}
    for vector in VECTORS:
        if vector["given"].get("links"):
            distinct.setdefault(json.dumps(vector["given"], sort_keys=True), vector)
    return [pytest.param(vector["given"], id=vector["id"]) for vector in distinct.values()]


@pytest.mark.parametrize("network", _networks())
def test_the_networks_of_the_vectors(network: Any, database: Database, network_name: str, tmp_path: Path) -> None:
    root = tmp_path / "estate"
    root.mkdir()
    ems_cases.write(network, root)
    assert compare(named(read_snapshot(root), network_name), database) > 10


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(estate=estates())
def test_random_estates(estate: Any, database: Database, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("estate")
    estate.write(root)
    assert compare(named(read_snapshot(root), f"random-{root.name}"), database) > 10
