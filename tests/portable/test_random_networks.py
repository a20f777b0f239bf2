"""Random questions on random networks: what the engine of pages answers is what the command
answers, and on whole, legal networks it answers everything.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from brute_force.test_ibm_mq_equals_brute_force import estate
from conformance.ibm_mq_cases import write
from portable.comparing import Counts, about_pairs, compare, counted, models_of
from portable.networks import MANY, Made, made, write_random_routers
from portable.node_engine import NodeEngine, node_engine

from topograph.opening.folders import read_snapshot
from topograph.questions.model import Model


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def read(network: Made) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        network.write(Path(folder))
        (model,) = models_of(read_snapshot(folder))
        return model


def asked_of(engine: NodeEngine, networks: range, questions: int) -> dict[str, Counts]:
    return counted(
        engine,
        ((seed, made(seed).name, [read(made(seed))]) for seed in networks),
        about_pairs,
        questions,
    )


def check(counts: dict[str, Counts]) -> None:
    assert counts["legal-whole"].declined.total() == 0
    together = sum(counts.values(), Counts())
    assert set(together.asked) == {"reach", "hops", "paths"}
    assert all(together.declined[name] for name in together.asked), "some networks are illegal"
    # Whatever is declined has more than one path; files that are missing decide no more than they
    # do in the command.
    assert all(why.startswith("More than one path leads from ") for why in together.why)


def test_the_page_answers_on_twenty_four_networks_as_the_command_does(engine: NodeEngine) -> None:
    check(asked_of(engine, range(24), 40))


@pytest.mark.slow
def test_a_hundred_questions_on_each_of_many_networks(engine: NodeEngine) -> None:
    counts = asked_of(engine, range(1000, 1000 + MANY), 100)
    check(counts)
    assert sum(counts.values(), Counts()).asked.total() >= 98 * MANY


def test_a_big_hub(engine: NodeEngine, tmp_path: Path) -> None:
    """Its forwards go over connectors, which cost no hop and are in no answer."""
    spokes = [f"S{number:03}" for number in range(90)]
    hub = tmp_path / "HUB"
    hub.mkdir()
    lines = [
        (
            f"[{name}]\n  url = tcp://{name}:7222\n  zone_name = Z{at % 3}\n  zone_type = "
            f"{'1hop' if at % 3 else 'mhop'}\n"
        )
        for at, name in enumerate(spokes)
    ]
    (hub / "routes.conf").write_text("".join(lines), encoding="utf-8")
    for name in ("HUB", *spokes):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        text = f"server = {name}\nrouting = enabled\n" + (
            "routes = routes.conf\n" if name == "HUB" else ""
        )
        (folder / "tibemsd.conf").write_text(text, encoding="utf-8")
    (model,) = models_of(read_snapshot(tmp_path))
    graph = model.parts[0].graph
    assert graph.node_count > len(graph.points)
    counts = Counts()
    assert (
        compare(engine, model, about_pairs(model.server_names(), random.Random(1), 120), counts)
        == []
    )
    assert counts.declined.total() == 0


def asked_of_written(
    engine: NodeEngine, write: Callable[[Path, int], object], seeds: range, questions: int
) -> Counts:
    counts = Counts()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), seed)
            (model,) = models_of(read_snapshot(folder))
            asked = about_pairs(model.server_names(), random.Random(seed), questions)
            if "ibm_mq" in write.__name__:
                asked = [{**one, "reply": False} if "reply" in one else one for one in asked]
            asked += [{**one, "maximum": 2} for one in asked if one["question"] == "paths"]
            assert compare(engine, model, asked, counts) == [], seed
    print(f"\n{write.__name__}: {counts}; {counts.why.most_common(2)}")
    return counts


@pytest.mark.slow
def test_routers_with_many_ways_of_one_cost(engine: NodeEngine) -> None:
    counts = asked_of_written(engine, write_random_routers, range(30), 40)
    assert counts.declined.total() == 0


def write_ibm_mq(folder: Path, seed: int) -> None:
    write(estate(seed), folder)


def test_queue_managers_joined_in_many_ways(engine: NodeEngine) -> None:
    counts = asked_of_written(engine, write_ibm_mq, range(15), 20)
    assert counts.declined.total() == 0


@pytest.mark.slow
def test_many_routers_and_queue_managers(engine: NodeEngine) -> None:
    some = range(100, 100 + MANY // 2)
    assert asked_of_written(engine, write_random_routers, some, 60).declined.total() == 0
    assert asked_of_written(engine, write_ibm_mq, some, 30).declined.total() == 0
