"""The networks that engines are compared on, of all systems: the examples, the vectors, the
recorded networks, and those made for tests. Every pair of servers is asked of the page and of
the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from brute_force.test_impact_counts_equal_brute_force import parallel
from conformance import ems_cases, ibm_mq_cases, mqe_cases
from conformance.sibus_files import facts_of
from drawn.all_systems import drawn
from portable.comparing import Counts, compare, models_of
from portable.node_engine import NodeEngine, node_engine
from systems import (
    doubtful_estate,
    listed_estate,
    open_links,
    three_systems,
    two_systems,
    undecided_routers,
)

from topograph.opening.folders import network_data, read_snapshot
from topograph.questions.reach import hops_matrix
from topograph.side_inputs import SideInputs
from topograph.store.snapshot import MemorySnapshot, Snapshot
from topograph.systems import system_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ("mixed", "mqe_devices", "queue_managers", "routers", "sibus_orders")
RECORDED = sorted(
    file.parent.name for file in (ROOT / "tests" / "golden" / "amq_interconnect").glob("*/configs")
)
MOST_SERVERS = 20
WAITING = {"ems": (11, 30, 54, 57), "mqe": (1, 2, 43, 53)}
"""Numbers of drawn estates in which messages wait before a server that they get to."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def every_pair(engine: NodeEngine, snapshot: Snapshot) -> Counts:
    """Compare the answers about all pairs, replies included where there are any."""
    counts = Counts()
    for model in models_of(snapshot):
        names = model.server_names()[:MOST_SERVERS]
        asked: list[dict[str, Any]] = [
            {"question": "reach", "from": name, "to": None} for name in names
        ]
        asked += [
            {"question": kind, "from": a, "to": b}
            for a in names
            for b in names
            for kind in ("hops", "paths")
        ]
        asked += [
            {"question": "paths", "from": a, "to": b, "maximum": 1}
            for a in names
            for b in names[:3]
        ]
        asked += [{"question": "reach", "from": a, "to": b} for a in names for b in names]
        if all(system_of(part.graph).name in ("ems", "amq_interconnect") for part in model.parts):
            asked += [{**one, "reply": True} for one in asked if one["question"] == "reach"]
        assert compare(engine, model, asked, counts) == []
    return counts


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_other_systems(example: str, engine: NodeEngine) -> None:
    counts = every_pair(engine, read_snapshot(ROOT / "examples" / example))
    assert counts.declined["reach"] == counts.declined["hops"] == 0


WRITTEN: dict[str, Callable[[Path], Any]] = {
    "doubtful": doubtful_estate.write,
    "listed": listed_estate.write,
    "two": two_systems.write,
    "undecided": undecided_routers.write,
    "three": three_systems.write,
    "ibm_mq": lambda folder: three_systems.write(folder, "ibm_mq"),
    "mqe": lambda folder: three_systems.write(folder, "mqe"),
    "sibus": lambda folder: three_systems.write(folder, "sibus"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_networks_that_leave_much_open(name: str, engine: NodeEngine, tmp_path: Path) -> None:
    WRITTEN[name](tmp_path)
    assert every_pair(engine, read_snapshot(tmp_path)).answered.total() > 10


@pytest.mark.parametrize("system", ["ems", "mqe"])
@pytest.mark.parametrize("seed", range(4))
def test_networks_on_which_messages_wait(
    system: str, seed: int, engine: NodeEngine, tmp_path: Path
) -> None:
    """Routes that are suspended (R53), and queue managers that cannot be reached at the moment."""
    for name, content in drawn(system, "one", WAITING[system][seed]).files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    snapshot = read_snapshot(tmp_path)
    assert any(hops_matrix(model).later for model in models_of(snapshot))
    assert every_pair(engine, snapshot).answered.total() > 10


def test_servers_that_are_not_set_up_yet(engine: NodeEngine, tmp_path: Path) -> None:
    """Every answer says what it rests on."""
    for name, content in drawn("ems", "one", WAITING["ems"][0]).files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    with (tmp_path / "topograph.yaml").open("a", encoding="utf-8") as file:
        file.write("new: {NEW1: {routing: enabled}, NEW2: {listen: tcp://n:1}}\n")
    snapshot = read_snapshot(tmp_path)
    assert every_pair(engine, snapshot).answered.total() > 10
    for model in models_of(snapshot):
        asked = [
            {"question": "propagate", "from": name, "destination": "topic:T", "properties": {}}
            for name in model.server_names()
        ]
        assert compare(engine, model, asked, Counts()) == []


@pytest.mark.parametrize("seed", range(12))
def test_networks_whose_links_may_not_come_up(
    seed: int, engine: NodeEngine, tmp_path: Path
) -> None:
    """What a message does there is the command's own answer too."""
    open_links.write(tmp_path, seed, mixed=True)
    snapshot = read_snapshot(tmp_path)
    assert every_pair(engine, snapshot).answered.total() > 10
    asked = [
        {"question": "propagate", "from": name, "destination": "topic:T", "properties": {}}
        for name in open_links.SERVERS
    ]
    for model in models_of(snapshot):
        assert compare(engine, model, asked, Counts()) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", RECORDED)
def test_the_recorded_networks_of_routers(case: str, engine: NodeEngine) -> None:
    counts = every_pair(
        engine, read_snapshot(ROOT / "tests" / "golden" / "amq_interconnect" / case / "configs")
    )
    assert counts.declined.total() == 0


def given_by(*files: str) -> list[Any]:
    """The distinct networks of vectors."""
    found: dict[str, Any] = {}
    for file in files:
        for vector in json.loads(
            (ROOT / "tests" / "vectors" / f"{file}.json").read_text(encoding="utf-8")
        ):
            if vector.get("given"):
                found.setdefault(json.dumps(vector["given"], sort_keys=True), vector["given"])
    return list(found.values())


@pytest.mark.slow
def test_the_networks_of_the_vectors(engine: NodeEngine, tmp_path: Path) -> None:
    counts = Counts()
    writers = (
        (("ems_vectors",), ems_cases.write, lambda given: given.get("links")),
        (("ibm_mq_vectors",), ibm_mq_cases.write, bool),
        (("mqe_vectors",), mqe_cases.write, bool),
    )
    for files, write, wanted in writers:
        for number, given in enumerate(filter(wanted, given_by(*files))):
            folder = tmp_path / f"{files[0]}-{number}"
            folder.mkdir()
            write(given, folder)
            counts += every_pair(engine, read_snapshot(folder))
    for given in given_by("sibus_vectors"):
        facts = facts_of(given)
        snapshot = MemorySnapshot(
            "vector", "buses", {"vector": network_data(facts, SideInputs(), (), ())}
        )
        counts += every_pair(engine, snapshot)
    print(f"\nvectors: {counts}; {counts.why.most_common(3)}")
    assert counts.answered.total() > 5_000


@pytest.mark.parametrize("seed", range(8))
def test_several_channels_between_two_queue_managers(
    seed: int, engine: NodeEngine, tmp_path: Path
) -> None:
    texts, _ = parallel(seed)
    for name, text in texts.items():
        (tmp_path / f"{name}.mqsc").write_text(text)
    counts = every_pair(engine, read_snapshot(tmp_path))
    assert counts.answered["paths"] == counts.asked["paths"]
