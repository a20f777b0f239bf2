"""Configurations that people run, where they are beside the project: their networks answer with
file and line, and nothing in them is unexplained.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import topograph

ROOT = Path(__file__).parents[3]
SAMPLES = (
    Path(os.environ.get("TOPOGRAPH_SAMPLES_DIR") or ROOT.parent / "shared" / "samples")
    / "amq_interconnect"
)
SEVEN = SAMPLES / "rhsyseng_amq7"
HOSTS = (
    "hosts:\n  interconnect-eu.amq.svc.cluster.local: EU\n  "
    "interconnect-us.amq.svc.cluster.local: US\n"
)

pytestmark = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample configurations are not here"
)


@pytest.fixture
def seven(tmp_path: Path) -> topograph.Network:
    """The seven routers, with which host is which."""
    shutil.copytree(SEVEN, tmp_path / "seven")
    (tmp_path / "seven" / "topograph.yaml").write_text(HOSTS)
    return topograph.read(tmp_path / "seven")


def places(answer) -> set[str]:
    return {
        str(step.source)
        for delivery in answer.deliveries
        for step in (*delivery.steps, *delivery.decisions)
    }


def ends(answer) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {one.receiver: (str(one.outcome), one.path) for one in answer.deliveries}


def test_a_multicast_message_goes_over_both_hubs_of_the_seven(seven):
    answer = seven.propagate(
        "UK", "address:multicast.x", subscribers=["DE:multicast.x", "CA:multicast.x"]
    )
    assert ends(answer) == {
        "receiver at DE": ("DELIVERED", ("UK", "EU", "DE")),
        "receiver at CA": ("DELIVERED", ("UK", "EU", "US", "CA")),
    }
    assert {"qdrouterd_uk.conf:35:1", "qdrouterd_eu.conf:36:1", "qdrouterd_us.conf:43:1"} <= places(
        answer
    )
    told = seven.trace("UK", "address:multicast.x", subscribers=["CA:multicast.x"])
    assert told.outcome == "DELIVERED"
    assert all(step.source.line for step in told.steps[:-1])
    assert (str(told.steps[-1].source), told.steps[-1].outcome) == (
        "--subscriber",
        "DELIVERED(receiver at CA)",
    )


def test_equally_close_receivers_of_the_seven_are_one_of(seven):
    answer = seven.propagate(
        "UK", "address:closest.x", subscribers=["DE:closest.x", "AU:closest.x", "CA:closest.x"]
    )
    assert {(one.receiver, one.choice) for one in answer.deliveries} == {
        ("receiver at DE", "one_of"),
        ("receiver at AU", "one_of"),
    }


def test_without_knowing_which_host_is_which_nothing_is_said_for_certain():
    answer = topograph.read(SEVEN).propagate(
        "UK", "address:multicast.x", subscribers=["DE:multicast.x"]
    )
    assert answer.sender.outcome == "UNDETERMINED"
    assert not answer.exact
    assert "DE" in {one.server for one in answer.undetermined}


def test_the_training_pair_is_one_network_by_an_assumption_that_is_told(tmp_path):
    for number in (1, 2):
        shutil.copy(SAMPLES / f"amq7_training_{number}.conf", tmp_path)
    pair = topograph.read(tmp_path)
    first, second = pair.server_names()
    answer = pair.propagate(first, "address:multicast.x", subscribers=[f"{second}:multicast.x"])
    assert ends(answer) == {f"receiver at {second}": ("DELIVERED", (first, second))}
    assert "amq7_training_1.conf:71:1" in places(answer)
    assert {row["kind"] for row in pair.check().findings if row["severity"] != "info"} == {
        "waypoint-without-autolink"
    }
    assert "host-assumed" in {row["kind"] for row in pair.check().findings}


def test_a_queue_behind_one_of_three_routers_keeps_messages_of_all():
    answer = topograph.read(SAMPLES / "ppatierno_redundancy").propagate(
        "Router.C", "address:my_queue"
    )
    assert ends(answer)["127.0.0.1:5672"] == ("DEPOSITED", ("Router.C", "Router.A", "Router.B"))
    assert "A.conf:48:1" in places(answer)


def test_a_sharded_queue_keeps_a_message_in_one_of_its_brokers():
    answer = topograph.read(SAMPLES / "ppatierno_sharded_queue.conf").propagate(
        "Router.A", "address:my_queue"
    )
    stored = [one for one in answer.deliveries if one.outcome == "DEPOSITED"]
    assert {(one.receiver, one.choice) for one in stored} == {
        ("127.0.0.1:5672", "one_of"),
        ("127.0.0.1:5673", "one_of"),
    }


@pytest.mark.parametrize(
    "name",
    sorted(file.relative_to(SAMPLES).as_posix() for file in SAMPLES.rglob("*.conf"))
    if SAMPLES.is_dir()
    else [],
)
def test_every_file_is_read_and_each_finding_has_a_rule_and_a_place(name):
    network = topograph.read(SAMPLES / name)
    (report,) = network.show("files").rows
    assert (report["status"], report["unsupported"]) == ("read", 0)
    for row in network.check().findings:
        assert row["rule"], row
        assert row["source"]["line"], row
