"""A server of Liberty as it is published, where it is to be had."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import topograph

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = (
    Path(os.environ.get("TOPOGRAPH_SAMPLES_DIR") or ROOT.parent / "shared" / "samples") / "liberty"
)

pytestmark = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample configurations are not here"
)


def test_a_published_server_of_liberty_answers():
    network = topograph.read(SAMPLES)
    (bus,) = network.server_names()
    assert network.trace(bus, "queue:QUEUE1").outcomes == (f"DELIVERED(QUEUE1@{bus})",)
    assert network.trace(bus, "queue:NewTopic3", topic="a").outcomes == (
        f"PUBLISHED(NewTopic3/a@{bus})",
    )
    poison = network.trace(bus, "queue:QUEUE1", rollbacks=-1)
    assert poison.outcomes == (f"EXCEPTIONED(_SYSTEM.Exception.Destination@{bus}, 35)",)
