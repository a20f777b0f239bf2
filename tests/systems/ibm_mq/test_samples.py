"""The sample network of the specification (ibm_mq.md C5, RV1 to RV6) and output of a live queue
manager, where they are to be had.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import topograph
from topograph.network import Network
from topograph.questions.answers import TraceAnswer

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = Path(os.environ.get("TOPOGRAPH_SAMPLES_DIR") or ROOT.parent / "shared" / "samples")

pytestmark = pytest.mark.skipif(
    not (SAMPLES / "mq_dspmqrtj_demo").is_dir(), reason="the sample configurations are not here"
)

INSTANCES = tuple(f"DELIVERED(CLUS.WL.TEST@{name})" for name in ("PR2", "PR3", "PR4"))


@pytest.fixture(scope="module")
def demo() -> Network:
    return topograph.read(SAMPLES / "mq_dspmqrtj_demo")


def rules(answer: TraceAnswer) -> set[str]:
    return {rule for step in answer.steps for rule in step.rule.split(", ")}


def hops(answer: TraceAnswer) -> list[str]:
    return [step.to for step in answer.steps if step.to]


def test_rv1_a_message_that_comes_back_under_another_name_is_no_loop(demo: Network) -> None:
    answer = demo.trace("FR1", "queue:LOOP.ALIAS")
    assert answer.outcomes == ("DELIVERED(LOOP.OUTPUT@FR1)",)
    assert hops(answer) == ["FR2", "FR1"]
    assert "FR2.XMIT with header LOOP.RETURN@FR2" in answer.steps[1].text
    assert "channel FR2.SDRCV" in answer.steps[2].text
    assert {"NR5", "NR6", "M-11", "M-12", "NR1"} <= rules(answer)


def test_rv2_a_transmission_queue_that_no_channel_reads_holds(demo: Network) -> None:
    answer = demo.trace("FR1", "queue:DEAD.END")
    assert answer.outcomes == ("HELD(FR2.DEAD.XMIT, FR1, no channel)",)
    assert "M-11" in rules(answer)


@pytest.mark.parametrize("at", ["PR1", "FR1"], ids=["RV3", "RV5"])
def test_rv3_rv5_one_of_the_instances_takes_each_message(demo: Network, at: str) -> None:
    answer = demo.trace(at, "queue:CLUS.WL.TEST")
    assert (answer.outcome, answer.outcomes) == ("ONE_OF", INSTANCES)
    assert {"NR8", "M-21", "M-24"} <= rules(answer)
    chosen = [one.condition for one in answer.branches if one.kind == "one_of"]
    assert len(chosen) == 3
    assert all("chosen for each message (DEFBIND(NOTFIXED))" in one for one in chosen)


def test_rv4_the_local_instance_is_preferred(demo: Network) -> None:
    answer = demo.trace("PR2", "queue:CLUS.WL.TEST")
    assert answer.outcomes == INSTANCES[:1]
    assert "M-23" in rules(answer)
    assert [one.eliminated for one in answer.branches if one.eliminated] == [
        "CLUS.WL.TEST@PR3: local instance; CLUS.WL.TEST@PR4: local instance"
    ]


def test_rv6_a_queue_manager_without_an_object_of_its_name_is_found_in_the_cluster(
    demo: Network,
) -> None:
    answer = demo.trace("FR1", "LOOP.RETURN@FR2")
    assert answer.outcomes == ("DELIVERED(LOOP.OUTPUT@FR1)",)
    assert hops(answer) == ["FR2", "FR1"]
    assert {"NR12", "M-26"} <= rules(answer)


def test_output_of_display_without_queues_leaves_open_where_names_lead() -> None:
    network = topograph.read(SAMPLES / "mq_display")
    assert network.server_names() == ("QM1",)
    channels = {str(row["name"]) for row in network.show("channels").to_dict()["rows"]}
    assert "DEV.APP.SVRCONN" in channels
    answer = network.trace("QM1", "X@ELSEWHERE")
    assert answer.outcomes == ("UNDETERMINED",)
    assert not [one for one in answer.assumptions if "DEFXMITQ" in one.text]
