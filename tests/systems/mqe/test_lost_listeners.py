"""A transmission-queue listener that is not understood (E-31): whether it reads a queue of IBM MQ
is not known, and nothing is said to stay there for certain.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

EXAMPLE = Path(__file__).parents[3] / "examples" / "mixed"


@pytest.fixture
def with_slip(tmp_path: Path) -> topograph.Network:
    for file in EXAMPLE.iterdir():
        text = file.read_text("utf-8").replace("mqQueueManager: HQ", "mqQueueManagr: HQ")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    return topograph.read(tmp_path)


def test_who_may_read_the_queue_may_be_reached(with_slip: topograph.Network) -> None:
    whole = topograph.read(EXAMPLE)
    assert [one.server for one in whole.reach("HQ").servers if one.system == "mqe"]
    answer = with_slip.reach("HQ", "SCANNER1")
    assert "SCANNER1" not in answer.unreachable
    (step, *_) = answer.servers[0].steps
    assert (step.to, step.rule, step.confidence) == ("GATE", "E-31", "L")


def test_a_message_may_stay_and_may_be_read(with_slip: topograph.Network) -> None:
    answer = with_slip.trace("HQ", "queue:ANSWERS", queue_manager="SCANNER1")
    assert {branch.kind for branch in answer.branches} >= {"opaque"}
    assert any(outcome.startswith("HELD(GATE.XMITQ") for outcome in answer.outcomes)
    assert len(answer.outcomes) > 1
