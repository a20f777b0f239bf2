"""Audits of MQSC scripts on the example queue managers: which queue manager a command is given
to, and what its messages do afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import topograph
from topograph.errors import UsageError
from topograph.findings import Source
from topograph.network import Network

ROOT = Path(__file__).resolve().parents[2]
CHANGES = ROOT / "examples" / "changes"


@pytest.fixture(scope="module")
def network() -> Network:
    return topograph.read(ROOT / "examples" / "queue_managers")


def test_a_script_gives_each_command_to_the_queue_manager_that_runmqsc_names(
    network: Network,
) -> None:
    answer = network.audit(CHANGES / "answers.sh")
    assert [(step.server, step.source.line, step.result) for step in answer.steps] == [
        ("HUB", 4, "accepted"),
        ("STORE1", 7, "accepted"),
        ("STORE1", 8, "accepted"),
    ]
    moved = {(one.server, one.destination): (one.before, one.after) for one in answer.outcomes}
    assert moved["STORE1", "ANSWERS"] == (
        ("DELIVERED(ANSWERS@STORE1) at STORE1",),
        ("LOOP(ANSWERS at STORE1) at STORE1",),
    )


def test_what_follows_a_refused_command_is_seen(network: Network) -> None:
    answer = network.audit(CHANGES / "new-order-queue.sh")
    assert (answer.verdict, [step.result for step in answer.steps]) == (
        "reject",
        ["accepted", "refused"],
    )
    till = next(
        one for one in answer.outcomes if (one.server, one.destination) == ("STORE1", "TILL")
    )
    assert till.after == ("DLQ(HUB.DEAD, HUB, 2085) at HUB",)


def test_a_header_says_the_queue_manager_as_well_as_an_argument_does(network: Network) -> None:
    answer = network.audit(CHANGES / "store2-orders.mqsc")
    assert (answer.verdict, answer.steps[0].server) == ("accept", "STORE2")
    given = network.audit("ALTER QREMOTE(ORDERS) RNAME(ORDERS)", at="STORE2")
    assert [replace(one, cause=Source("change", 1, 1)) for one in answer.outcomes] == [
        *given.outcomes
    ]


def test_a_script_that_names_no_queue_manager_has_to_be_given_to_one(network: Network) -> None:
    with pytest.raises(UsageError, match="does not say which server it runs on"):
        network.audit("DELETE QLOCAL(X)")


def test_a_queue_manager_that_is_not_loaded_leaves_the_verdict_open(network: Network) -> None:
    answer = network.audit(
        "runmqsc ELSEWHERE <<EOF\nDEFINE QLOCAL(X)\nEOF\nrunmqsc HUB <<EOF\nALTER QMGR "
        "DESCR('x')\nEOF\n"
    )
    assert answer.verdict == "undetermined"
    assert [(step.server, step.result) for step in answer.steps] == [
        ("ELSEWHERE", "undetermined"),
        ("HUB", "accepted"),
    ]
    assert "the configuration of ELSEWHERE is not loaded" in answer.rejections[0].message


def test_a_typing_error_on_line_3_is_a_refused_step_with_its_line(network: Network) -> None:
    answer = network.audit(
        "* one\nSTOP CHANNEL(HUB.STORE1)\nALTR QLOCAL(HUB.DEAD) PUT(DISABLED)\n", at="HUB"
    )
    assert (answer.verdict, [(step.source.line, step.result) for step in answer.steps]) == (
        "reject",
        [(2, "accepted"), (3, "refused")],
    )


def test_a_channel_that_is_stopped_holds_messages_and_one_that_is_started_again_does_not(
    network: Network,
) -> None:
    stopped = network.audit("STOP CHANNEL(STORE1.HUB)", at="STORE1")
    till = next(
        one for one in stopped.outcomes if (one.server, one.destination) == ("STORE1", "TILL")
    )
    assert till.after == ("HELD(HUB, STORE1, channel stopped) at STORE1",)
    assert ("STORE1", "HUB") in stopped.reach.lost
    again = network.audit("STOP CHANNEL(STORE1.HUB)\nSTART CHANNEL(STORE1.HUB)", at="STORE1")
    assert (again.outcomes, again.reach.lost_count) == ((), 0)
    assert again.steps[0].reach_lost_count > 0


def test_a_stopped_listener_holds_what_has_to_connect(network: Network) -> None:
    answer = network.audit("STOP LISTENER(TCP)", at="HUB")
    till = next(
        one for one in answer.outcomes if (one.server, one.destination) == ("STORE1", "TILL")
    )
    assert till.after == ("HELD(HUB, STORE1, no connection) at STORE1",)
