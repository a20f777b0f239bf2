"""What an answer leaves open is asked of the answer, whatever the question."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.findings import Source
from topograph.message import Message
from topograph.questions.answers.base import Doubt

PEER = Source("mole.relay", 3, 1)
BEHIND = "lighthouse: its file is not loaded: where it sends messages is not known"


@pytest.fixture
def closed(tmp_path: Path, relay: Path) -> Path:
    """Two relays of which all files are loaded."""
    (tmp_path / "a.relay").write_text("relay a\nforward b when kind = fish\n")
    (tmp_path / "b.relay").write_text("relay b\n")
    return tmp_path


def test_answers_that_leave_nothing_open_have_no_doubts(closed: Path) -> None:
    network = topograph.read(closed)
    message = Message.to("topic:any", {"kind": "fish"})
    assert network.reach("a").undecided() == ()
    assert network.hops("a", "b").undecided() == ()
    assert network.trace("a", message).undecided() == ()
    assert network.propagate("a", message).undecided() == ()


def test_servers_behind_files_that_are_not_loaded_are_named_with_the_reason(relay: Path) -> None:
    network = topograph.read(relay)
    doubts = network.reach("lighthouse").undecided()
    assert [(one.server, one.source) for one in doubts[:3]] == [
        ("harbour", PEER),
        ("mole", PEER),
        ("pier", PEER),
    ]
    assert str(network.hops_matrix().undecided()[-1]) == "lighthouse: its files are not loaded"


def test_a_message_that_ends_at_a_server_without_a_file_leaves_that_end_open(relay: Path) -> None:
    doubts = topograph.read(relay).trace("pier", Message.to("topic:any")).undecided()
    assert Doubt("lighthouse", BEHIND, PEER) in doubts
    assert str(Doubt("lighthouse", BEHIND, PEER)) == f"lighthouse: {BEHIND} (mole.relay:3:1)"


def test_what_is_chosen_at_run_time_is_not_certain(tmp_path: Path) -> None:
    for file in (Path(__file__).parents[2] / "examples" / "queue_managers").iterdir():
        text = file.read_text().replace("RNAME('ORDER')", "RNAME('ORDERS')")
        (tmp_path / file.name).write_text(text)
    network = topograph.read(tmp_path)
    answer = network.reach("STORE2")
    assert [one.server for one in answer.servers if not one.certain] == ["EAST", "WEST"]
    unsure, other = answer.undecided()[:2], answer.undecided()[2:]
    assert [(one.server, one.because) for one in unsure] == [
        ("EAST", "a message does not get there for certain"),
        ("WEST", "a message does not get there for certain"),
    ]
    assert [one.server for one in other] == [one.server for one in answer.undetermined]


def test_why_an_answer_is_not_exact_is_about_no_server(relay: Path) -> None:
    answer = topograph.read(relay).within(1e-9).reach("harbour")
    assert not answer.exact
    assert "" in {one.server for one in answer.undecided()}
