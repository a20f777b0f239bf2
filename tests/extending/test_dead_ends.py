"""A state without a way out is never taken for the end of a message's way."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.forwarding.graph import Guard
from topograph.message import Message
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.outcomes import Outcome, Truth
from topograph.store.database import Database
from topograph.store.publication import publish_snapshot
from topograph.systems import assemble
from topograph.tracing.states import Verdict

SAID = "mole: a message has no way out"


@pytest.fixture
def mole(relay: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The toy system, whose rules say nothing of messages at mole. The estate is one of its own: a
    database that holds it does not answer for the one of the example.
    """
    from relay import rules

    estate = shutil.copytree(relay, tmp_path / "estate")
    with (estate / "mole.relay").open("a", encoding="utf-8") as file:
        file.write("# a dead end\n")

    stated = rules.Relays.step

    def step(relays: Any, state: Any) -> Any:
        found = stated(relays, state)
        return replace(found, ways=()) if state.server == "mole" else found

    monkeypatch.setattr(rules.Relays, "step", step)
    return estate


def traced(network: Network, **properties: str) -> Any:
    return network.trace("harbour", Message.to("topic:any", properties))


def test_it_is_a_finding_of_its_server(mole: Path) -> None:
    (finding,) = topograph.read(mole).check(rule="no-way-out").findings
    assert (finding["severity"], finding["server"]) == ("warning", "mole")
    assert finding["source"] == {"file": "mole.relay", "line": 1, "column": 1}
    assert finding["message"] == (
        "At mole a message has no way out: what happens to it is not stated. Answers over it "
        "are not complete."
    )


def test_what_lies_behind_it_is_undetermined(mole: Path) -> None:
    answer = topograph.read(mole).reach("harbour")
    assert [entry.server for entry in answer.servers] == ["mole", "pier"]
    assert topograph.read(mole).reach("mole", "pier").unreachable == ()
    (entry,) = topograph.read(mole).reach("mole", "pier").undetermined
    assert entry.server == "pier"
    assert entry.because.startswith(SAID)


def test_a_message_that_gets_there_is_undetermined_and_may_get_anywhere(mole: Path) -> None:
    answer = traced(topograph.read(mole))
    (step,) = [step for step in answer.steps if step.outcome.startswith(Outcome.UNDETERMINED)]
    assert (step.at, step.text, str(step.source)) == ("mole", SAID, "mole.relay:1:1")
    assert [(entry.server, entry.because) for entry in answer.undetermined] == [
        ("lighthouse", SAID),
        ("pier", SAID),
    ]


def test_a_message_that_may_get_there_may_get_anywhere(
    mole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from relay import rules

    def guard(peer: Any) -> Guard:
        return Guard(f"to {peer.name}", "property", f"to {peer.name}", source=peer.source)

    monkeypatch.setattr(rules, "_guard", guard)
    monkeypatch.setattr(rules, "evaluate", lambda *_: Verdict(Truth.UNKNOWN, known=False))
    assert {one.server: one.because for one in traced(topograph.read(mole)).undetermined} == {
        "lighthouse": SAID,
        "mole": "whether it goes that way is not known: to mole",
        "pier": "whether it goes that way is not known: to pier",
    }


@pytest.mark.neo4j
def test_both_engines_say_so(mole: Path, database: Database) -> None:
    from topograph.engines.neo4j import Neo4jEngine

    snapshot = read_snapshot(mole)
    publish_snapshot(database, snapshot, assemble)
    walked = network_of(
        snapshot, "estate", lambda graph: Neo4jEngine(database, snapshot.id, "estate", graph)
    )
    here = topograph.read(mole)
    for name in here.server_names():
        assert replace(walked.reach(name), engine="memory") == here.reach(name)
