"""A question ends within its budget, says what it left out, and claims nothing of that. Times
are CPU times, with room for a slow machine.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import adversarial
import pytest
from click.testing import CliRunner

import topograph
from topograph.cli.group import topograph as command
from topograph.errors import UnknownServer
from topograph.forwarding.budget import Budget
from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.questions.answers import Answer
from topograph.questions.text import text

SECONDS = 0.5
MARGIN = 4.0
"""CPU seconds beyond the budget: a last step that is long, and putting the answer together."""

QUESTIONS: dict[str, Callable[[Network], Answer]] = {
    "reach": lambda network: network.reach("S000"),
    "hops": lambda network: network.hops("S000", network.server_names()[-1]),
    "hops --matrix": lambda network: network.hops_matrix(),
    "paths": lambda network: network.paths("S000", network.server_names()[-1]),
    "paths --max 100000": lambda network: network.paths(
        "S000", network.server_names()[-1], 100_000
    ),
    "cycles": lambda network: network.cycles(),
    "interests": lambda network: network.interests(),
    "propagate": lambda network: network.propagate("S000", "topic:orders"),
    "trace": lambda network: network.trace("S000", "topic:orders"),
}


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Network]:
    """The adversarial networks by name, each read once."""
    made: dict[str, Network] = {}

    def network(name: str) -> Network:
        if name not in made:
            made[name] = topograph.read(
                adversarial.written(adversarial.GRAPHS[name](), tmp_path_factory.mktemp(name))
            )
        return made[name]

    return network


LONG = ("complete-60", "dense-200", "grid-12")
"""Those of ``adversarial.GRAPHS`` of which to read alone takes long."""


@pytest.fixture(scope="module")
def zoned(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """Twelve servers, each linked with each, in four zones of one hop and one of several:
    shortest walks come back to servers.
    """

    def zone(a: int, b: int) -> tuple[str, str]:
        return (f"Z{(a * b) % 4}", "1hop") if (a + b) % 5 else ("M", "mhop")

    return topograph.read(
        adversarial.written(adversarial.complete(12), tmp_path_factory.mktemp("zoned"), zone)
    )


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(one, marks=pytest.mark.slow if one in LONG else ())
        for one in adversarial.GRAPHS
    ],
)
def test_every_question_ends_within_its_budget(
    networks: Callable[[str], Network], graph: str, question: str
) -> None:
    network = networks(graph).within(SECONDS)
    began = time.process_time()
    answer = QUESTIONS[question](network)
    assert time.process_time() - began < SECONDS + MARGIN
    said = [caution.message for caution in answer.warnings if caution.rule == "budget"]
    # A quick machine comes to the longest list that is written before the time is over.
    assert (
        said
        or answer.exact
        or any("the list of duplicates ends" in one.message for one in answer.warnings)
    )
    assert answer.exact is not bool(answer.inexact_because)
    if said:
        assert "budget" in {one.cause for one in answer.inexact_because}
        assert f"after {SECONDS:g} s (--budget)" in said[0]
        assert said[0] in text(answer)


@pytest.mark.slow
def test_names_on_a_complete_network_are_all_found(networks: Callable[[str], Network]) -> None:
    answer = networks("complete-60").within(60).interests()
    assert answer.exact
    assert {len(names) for names in answer.servers.values()} == {59 * 59}
    assert {
        entry.hops for entry in answer.servers["S000"] if entry.name == f"$TMP$.{entry.via}.>"
    } == {1}
    assert {
        entry.hops for entry in answer.servers["S000"] if entry.name != f"$TMP$.{entry.via}.>"
    } == {2}


def test_the_first_paths_of_a_grid_are_found_without_listing_all(
    networks: Callable[[str], Network],
) -> None:
    answer = networks("grid-12").within(60).paths("S000", "S143", 5)
    assert (answer.exact, answer.truncated, len(answer.paths)) == (True, True, 5)
    found = [path.servers for path in answer.paths]
    assert found == sorted(found)
    assert found[0] == tuple(adversarial.name(n) for n in (*range(12), *range(23, 144, 12)))


class Steps:
    """A clock that goes on by one second each time it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture(params=[1, 2, 3, 5, 9, 17, 33, 65, 129, 257, 1_025, 4_097])
def looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """A budget that ends once the clock has been looked at so many times, whatever the machine."""

    def ticking(cls: type[Budget], seconds: float | None = None) -> Budget:
        return cls(None, seconds, Steps())

    monkeypatch.setattr(Budget, "of_seconds", classmethod(ticking))
    return request.param


@pytest.mark.parametrize("graph", ["zoned", "dense-30"])
@pytest.mark.parametrize(
    "question", [question for question in QUESTIONS if question != "paths --max 100000"]
)
def test_an_answer_that_was_cut_is_part_of_the_whole_one(
    networks: Callable[[str], Network], zoned: Network, looks: int, graph: str, question: str
) -> None:
    network = zoned if graph == "zoned" else networks(graph)
    cut = QUESTIONS[question](network.within(looks)).to_dict()
    whole = _whole(network, question)
    assert whole["exact"]
    if cut["exact"]:
        assert cut == whole
    else:
        PARTS[question](cut, whole)


_KNOWN: dict[tuple[int, str], dict] = {}


def _whole(network: Network, question: str) -> dict:
    """The answer of steps without an end; the same for every budget."""
    key = id(network), question
    if key not in _KNOWN:
        _KNOWN[key] = QUESTIONS[question](network.within(None)).to_dict()
    return _KNOWN[key]


def _reach(cut: dict, whole: dict) -> None:
    reached = {entry["server"]: entry["hops"] for entry in whole["servers"]}
    assert all(reached[entry["server"]] <= entry["hops"] for entry in cut["servers"])
    assert set(cut["unreachable"]) <= set(whole["unreachable"])
    named = [
        *(entry["server"] for entry in (*cut["servers"], *cut["undetermined"])),
        *cut["unreachable"],
    ]
    assert sorted(named) == sorted([*reached, *whole["unreachable"]])


def _hops(cut: dict, whole: dict) -> None:
    assert cut["reachable"] in ("unknown", whole["reachable"])
    assert cut["route_hops"] in (None, whole["route_hops"])


def _matrix(cut: dict, whole: dict) -> None:
    for row, other in zip(cut["hops"], whole["hops"], strict=True):
        assert all(hop in ("unknown", known) for hop, known in zip(row, other, strict=True))


def _paths(cut: dict, whole: dict) -> None:
    assert cut["truncated"]
    found, known = (
        [entry["route_hops" if len(cut["paths"]) == 1 else "servers"] for entry in answer["paths"]]
        for answer in (cut, whole)
    )
    assert found == known[: len(found)]
    assert cut["paths"] or cut["undetermined"]


def _cycles(cut: dict, whole: dict) -> None:
    assert cut["legal"] in ("unknown", whole["legal"])
    known = {(entry["server"], entry["name"]): set(entry["via"]) for entry in whole["duplicates"]}
    assert all(
        set(entry["via"]) <= known[entry["server"], entry["name"]] for entry in cut["duplicates"]
    )


def _interests(cut: dict, whole: dict) -> None:
    open_ = {entry["server"] for entry in cut["undetermined"]}
    for server, names in whole["servers"].items():
        listed = cut["servers"].get(server, [])
        assert all(entry in names for entry in listed)
        assert server in open_ or listed == names
    assert not cut["unexpected"]


def _propagate(cut: dict, whole: dict) -> None:
    got = {entry["server"] for entry in cut["deliveries"]}
    known = {entry["server"] for entry in whole["deliveries"]}
    open_ = {entry["server"] for entry in cut["undetermined"]}
    assert got <= known <= got | open_
    assert all(entry["to"] not in known for entry in cut["stopped"])


def _trace(cut: dict, whole: dict) -> None:
    arrived = {outcome for outcome in cut["outcomes"] if outcome.startswith("DELIVERED")}
    assert arrived <= set(whole["outcomes"])
    assert cut["undetermined"] or arrived


PARTS = {
    "reach": _reach,
    "hops": _hops,
    "hops --matrix": _matrix,
    "paths": _paths,
    "cycles": _cycles,
    "interests": _interests,
    "propagate": _propagate,
    "trace": _trace,
}


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments)
    return result.exit_code, result.stdout


def test_what_was_cut_is_never_as_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = tmp_path / "snapshot"
    keep(read_snapshot(adversarial.written(adversarial.complete(5), tmp_path / "estate")), snapshot)
    monkeypatch.setattr(
        Budget, "of_seconds", classmethod(lambda cls, seconds=None: cls(None, 0.5, Steps()))
    )
    for expected in ("reachable", "unreachable"):
        code, _ = _run(
            "reach", "S000", "S004", "--expect", expected, "-s", str(snapshot), "--budget", "0.5"
        )
        assert code == 1
    code, out = _run("cycles", "-s", str(snapshot), "--format", "json")
    assert (code, json.loads(out)["legal"], json.loads(out)["exact"]) == (1, "unknown", False)
    code, out = _run("hops", "--matrix", "-s", str(snapshot), "--format", "jsonl")
    head, *rows, last = map(json.loads, out.splitlines())
    assert code == 0
    assert "exact" not in head
    assert next(row for row in rows if "hops" in row) == {"hops": {"S000": [0, *["unknown"] * 4]}}
    assert last["exact"] is False
    assert "5 of 5 rows" in last["warnings"][0]["message"]


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "1e400", "ten", "", "1e9"])
def test_a_budget_is_a_positive_number_of_seconds(value: str) -> None:
    result = CliRunner().invoke(command, ["reach", "A", f"--budget={value}"])
    assert result.exit_code == 2
    assert "is not a number of seconds" in result.stderr


def test_the_garbage_collector_pauses_for_a_question_and_runs_again_also_after_one_that_fails(
    networks: Callable[[str], Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = networks("grid-12")
    seen: list[bool] = []
    locate = type(network._model).locate

    def watched(model: Any, text: str) -> Any:
        seen.append(gc.isenabled())
        return locate(model, text)

    monkeypatch.setattr(type(network._model), "locate", watched)
    with pytest.raises(UnknownServer):
        network.reach("NOBODY")
    assert (seen, gc.isenabled()) == ([False], True)
