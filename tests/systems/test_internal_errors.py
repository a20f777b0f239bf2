"""A fault of the rules of a system: a finding of its network with a report, while everything
else is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from systems import two_systems

import topograph
from topograph import extensions
from topograph.errors import TopographError
from topograph.facts import Fact
from topograph.opening.folders import read_snapshot
from topograph.process.internal_errors import InternalError
from topograph.side_inputs import SideInputs
from topograph.systems import compile_network
from topograph.systems.amq_interconnect import estate as routers
from topograph.systems.ems import estate as ems

BRITTLE = "crane p\nin redirect soon in\n"
"""A number that is none: reading it raises ValueError in the rules."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    root = tmp_path / "estate"
    root.mkdir()
    two_systems.write(root)
    return root


@pytest.fixture
def cranes(folder: Path) -> Iterator[Path]:
    before = dict(extensions.packages())
    extensions.register("crane", "crane")
    extensions.register("barge", "barge")
    yield folder
    extensions.use(before)


def failing(*_: object, **__: object) -> None:
    raise KeyError("B")


def internal(network: topograph.Network) -> list[str]:
    return [
        str(row["message"]) for row in network.check().findings if row["kind"] == "internal-error"
    ]


def test_a_check_that_fails_costs_its_findings_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = topograph.read(folder).check()
    monkeypatch.setattr(routers, "lint", failing)
    network = topograph.read(folder)
    (message,) = internal(network)
    assert message.startswith(
        "Internal error (bug) in the checks of AMQ Interconnect: KeyError. Findings may be missing."
    )
    assert network.reach("HQ").servers
    assert network.reach("PAR").servers
    assert network.reach("PAR").warnings == ()
    kept = {row["kind"] for row in network.check().findings} - {"internal-error"}
    assert kept <= {row["kind"] for row in before.findings}


def test_a_system_whose_rules_fail_is_left_out_and_every_answer_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routers, "connect", failing)
    network = topograph.read(folder)
    assert internal(network)[0].startswith(
        "Internal error (bug) in the rules of AMQ Interconnect: KeyError. Nothing of"
    )
    answer = network.reach("HQ")
    assert [entry.server for entry in answer.servers] == ["LON"]
    (warning,) = answer.warnings
    assert (warning.rule, "Nothing of AMQ Interconnect is answered" in warning.message) == (
        "internal-error",
        True,
    )


def test_the_report_holds_the_traceback_and_no_secrets(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(*_: object) -> None:
        raise ValueError("password=hidden of amqp://user:hidden@host")

    monkeypatch.setattr(ems, "compiled", leaking)
    network = topograph.read(folder)
    (message,) = internal(network)
    report = folder.parent / "home" / message.rpartition("Details: ")[2]
    written = report.read_text("utf-8")
    assert "topograph/systems/ems/estate.py" in written
    assert "ValueError: password=(removed) of amqp://(removed)@host" in written
    assert str(folder) not in written
    assert report.stat().st_mode & 0o777 == 0o600
    assert internal(topograph.read(folder)) == [message]


def test_a_network_of_which_nothing_is_left_is_an_internal_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ems, "compiled", failing)
    monkeypatch.setattr(routers, "connect", failing)
    with pytest.raises(
        TopographError, match=r"rules of AMQ Interconnect: KeyError.*\n.*rules of TIBCO EMS"
    ) as raised:
        topograph.read(folder)
    assert raised.value.exit_code == 5


def test_of_systems_that_share_a_graph_only_those_that_fail_are_left_out(cranes: Path) -> None:
    (cranes / "p.crane").write_text(BRITTLE)
    (cranes / "q.barge").write_text("barge quay\n")
    network = topograph.read(cranes)
    assert internal(network)[0].startswith(
        "Internal error (bug) in the rules of Crane: ValueError."
    )
    assert {"quay", "HQ"} <= set(network.server_names())
    assert "p" not in network.server_names()
    assert [warning.rule for warning in network.reach("quay").warnings] == ["internal-error"]


def test_a_graph_that_cannot_be_made_of_a_snapshot_costs_its_system_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topograph.network import network_of
    from topograph.systems.amq_interconnect.routes import tables

    snapshot = read_snapshot(folder)
    monkeypatch.setattr(tables, "kind_mask", failing)
    network = network_of(snapshot, snapshot.networks[0])
    assert [entry.server for entry in network.reach("HQ").servers] == ["LON"]
    assert "Nothing of AMQ Interconnect is answered" in network.reach("HQ").warnings[0].message


def test_equal_faults_have_equal_reports(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts: list[Fact] = list(read_snapshot(folder).facts("estate"))
    monkeypatch.setattr(routers, "lint", failing)
    first, second = (compile_network(facts, SideInputs()).errors for _ in range(2))
    assert first == second
    assert isinstance(first[0], InternalError)
