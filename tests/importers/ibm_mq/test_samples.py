"""The sample estates, where they lie beside this checkout."""

import os
from pathlib import Path

import pytest
from ibm_mq_texts import read

from topograph.facts.ibm_mq import (
    Channel,
    ChannelRule,
    ChannelStatus,
    Listener,
    Queue,
    QueueManager,
)

SAMPLES = Path(
    os.environ.get("TOPOGRAPH_SAMPLES_DIR")
    or Path(__file__).resolve().parents[4] / "shared" / "samples"
)
pytestmark = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the samples are not beside this checkout"
)


@pytest.mark.parametrize("name", ["FR1", "FR2", "PR1", "PR2", "PR3", "PR4"])
def test_the_demo_of_dspmqrtj_is_read_whole(name: str) -> None:
    text = (SAMPLES / "mq_dspmqrtj_demo" / f"{name}.mqsc").read_text()
    reading = read(text, f"{name}.mqsc")
    assert reading.findings == ()
    assert {fact.server for fact in reading.facts} == {name}
    if name == "FR1":
        assert [(queue.name, queue.source.line) for queue in reading.facts if isinstance(queue,
            Queue)] == [
            ("LOOP.ALIAS", 41), ("LOOP.INPUT", 42), ("LOOP.OUTPUT", 43), ("FR2.XMIT", 44),
                ("DEAD.END", 52), ("FR2.DEAD.XMIT", 53),
        ]  # fmt: skip


def test_the_output_of_display_is_read_whole() -> None:
    (path,) = (SAMPLES / "mq_display").iterdir()
    reading = read(path.read_text(), path.name)
    (manager,) = [fact for fact in reading.facts if isinstance(fact, QueueManager)]
    assert (manager.name, manager.dump, manager.get("DEADQ")) == (
        "QM1",
        True,
        "DEV.DEAD.LETTER.QUEUE",
    )
    kinds = (Channel, Listener, ChannelRule, ChannelStatus)
    assert [sum(isinstance(fact, kind) for fact in reading.facts) for kind in kinds] == [
        14,
        3,
        6,
        1,
    ]
    assert {finding.kind for finding in reading.findings} == {"line-not-read"}
