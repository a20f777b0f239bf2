"""Each finding of severity error or warning says what it does to messages, and answers show it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from systems.amq_interconnect.bearings import ELSEWHERE, LINKS, MESSAGES, Sent, Shown

import topograph
from topograph.findings import Severity
from topograph.network import Network
from topograph.rules import FindingKind
from topograph.rules import amq_interconnect_findings as rules

KINDS = {
    name: one
    for name, one in vars(rules).items()
    if isinstance(one, FindingKind) and one.severity is not Severity.INFO
}


def read(folder: Path, files: Mapping[str, str]) -> Network:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return topograph.read(folder)


def found(network: Network, kind: FindingKind) -> bool:
    return any(one["kind"] == kind.kind for one in network.check().findings)


def test_every_kind_says_what_it_is_about_and_what_it_does_to_messages():
    assert [name for name, one in KINDS.items() if one.about is None or one.bearing is None] == []


def test_every_effect_is_shown():
    shown = [*(one.kind for one in (*LINKS, *MESSAGES)), *ELSEWHERE]
    missing = [
        name
        for name, one in KINDS.items()
        if one.bearing is not None and one.bearing.effect != "nothing" and one not in shown
    ]
    assert missing == []
    assert [one.kind for one in shown if one.bearing is None or one.bearing.reason] == []


def test_what_other_tests_show_is_there():
    here = Path(__file__).parent
    missing = [
        test for file, test in ELSEWHERE.values() if f"def {test}(" not in (here / file).read_text()
    ]
    assert missing == []


@pytest.mark.parametrize("shown", LINKS, ids=lambda one: one.id)
def test_reach_shows_the_bearing_of_a_finding(tmp_path: Path, shown: Shown):
    network = read(tmp_path, shown.files)
    assert found(network, shown.kind)
    answer = network.reach(shown.start)
    reached = shown.other in {one.server for one in answer.servers}
    undetermined = shown.other in {one.server for one in answer.undetermined}
    assert (True if reached else None if undetermined else False) == shown.reached
    assert not shown.assumed or shown.assumed in {one.rule for one in answer.assumptions}
    if undetermined:
        why = next(one for one in answer.undetermined if one.server == shown.other)
        assert why.because
        assert why.source.file
    assert shown.kind.bearing is not None
    expected = {"stops": (False,), "opens": (None,)}.get(shown.kind.bearing.effect)
    assert expected is None or shown.reached in expected


@pytest.mark.parametrize(
    "shown",
    [one for one in LINKS if one.kind.about == "link" and one.reached is False],
    ids=lambda one: one.id,
)
def test_a_connection_that_gives_no_link_stays_as_a_row_that_says_why(tmp_path, shown):
    network = read(tmp_path, shown.files)
    rows = [row for row in network.show("links").rows if row["state"] == "down"]
    if shown.kind not in (rules.SELF_CONNECTION, rules.EDGE_CONNECTOR_NOT_ON_EDGE):
        assert [bool(row["because"]) for row in rows] == [True]
    assert network.show("routes").rows == ()


@pytest.mark.parametrize("sent", MESSAGES, ids=lambda one: one.id)
def test_propagate_shows_the_bearing_of_a_finding(tmp_path: Path, sent: Sent):
    network = read(tmp_path / "with", sent.files)
    assert found(network, sent.kind)
    answer = network.propagate("A", f"address:{sent.address}")
    ends = tuple(one.receiver for one in answer.deliveries if one.subscriber != "assumed")
    assert ends == sent.ends
    other = read(tmp_path / "without", sent.without)
    before = other.propagate("A", f"address:{sent.address}")
    assert not found(other, sent.kind)
    assert before.to_dict() != answer.to_dict()
