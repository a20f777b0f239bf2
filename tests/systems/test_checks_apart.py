"""Checks that need nothing compiled, run beside compiling: together both find what compiling alone
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from systems import two_systems

from topograph.facts import Fact
from topograph.findings import Finding
from topograph.opening.folders import read_snapshot
from topograph.side_inputs import SideInputs
from topograph.systems import (
    CheckedApart,
    CompiledNetwork,
    checked,
    compile_network,
    has_checks_apart,
)
from topograph.systems.ems import compilation, estate

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def failing(*_: object) -> None:
    raise KeyError("B")


def both(
    facts: Sequence[Fact], side_inputs: SideInputs
) -> tuple[CompiledNetwork, list[CheckedApart]]:
    """What compiling finds without such checks, and what they find before it goes on."""
    apart: list[CheckedApart] = []
    compiled = compile_network(
        facts, side_inputs, beside=lambda name, checks: apart.append(checked(name, checks))
    )
    return compiled, apart


def found(findings: Sequence[Finding]) -> list[str]:
    return sorted(map(repr, findings))


@pytest.mark.parametrize("example", ["estate", "orders", "routers"])
def test_both_together_find_what_compiling_alone_does(example: str) -> None:
    snapshot = read_snapshot(EXAMPLES / example)
    facts, side_inputs = snapshot.facts(example), snapshot.side_inputs(example)
    alone = compile_network(facts, side_inputs)
    rest, apart = both(facts, side_inputs)
    assert [each.system for each in apart] == [
        name for name in alone.systems if has_checks_apart(name)
    ]
    beside = [finding for each in apart for finding in each.findings]
    assert found(alone.findings) == found([*rest.findings, *beside])
    assert rest.tables == alone.tables
    assert [each.errors for each in apart] == [()] * len(apart)


def test_only_ems_has_such_checks() -> None:
    names = ("ems", "amq_interconnect", "ibm_mq", "mqe", "sibus")
    assert [name for name in names if has_checks_apart(name)] == ["ems"]


@pytest.fixture
def network(tmp_path: Path) -> tuple[Sequence[Fact], SideInputs]:
    two_systems.write(tmp_path)
    (tmp_path / "LON" / "topics.conf").write_text("other global\n")
    (tmp_path / "topograph.yaml").write_text(
        "clients: [{server: NOWHERE, destination: 'topic:orders', role: subscriber}]\n"
    )
    snapshot = read_snapshot(tmp_path)
    (name,) = snapshot.networks
    return snapshot.facts(name), snapshot.side_inputs(name)


def test_such_a_check_that_fails_costs_its_own_findings_only(
    network: tuple[Sequence[Fact], SideInputs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "lint_servers", failing)
    rest, (apart,) = both(*network)
    assert [(error.what, error.lost) for error in apart.errors] == [
        ("the checks of TIBCO EMS", "Findings may be missing.")
    ]
    assert list(apart.findings) == [error.finding for error in apart.errors]
    assert rest.errors == ()
    alone = compile_network(*network)
    assert [error.what for error in alone.errors] == ["the checks of TIBCO EMS"]
    assert "side-inputs-unknown-server" in kinds(
        alone.findings
    )  # which only a lost server would hide


def test_of_a_system_that_cannot_be_compiled_they_find_nothing(
    network: tuple[Sequence[Fact], SideInputs], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, (apart,) = both(*network)
    assert "global-at-one-end" in kinds(apart.findings)
    monkeypatch.setattr(estate, "configuration_of", failing)
    compiled, none = both(*network)
    assert none == []
    assert [error.what for error in compiled.errors] == ["the rules of TIBCO EMS"]


def kinds(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.kind for finding in findings}
