"""Faults of the rules of a system on Spark's workers: the networks that have none are imported,
and Spark is not blamed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from systems import two_systems

from topograph import extensions
from topograph.errors import BackendError, TopographError, UnknownServer
from topograph.network import open_network, read
from topograph.pipeline import stages, tasks

pytestmark = pytest.mark.spark

ESTATE = Path(__file__).resolve().parents[2] / "examples" / "routers"


@pytest.fixture
def brittle(tmp_path: Path) -> Iterator[Path]:
    """A folder whose rules raise ValueError."""
    before = dict(extensions.packages())
    extensions.register("crane", "crane")
    folder = tmp_path / "brittle"
    folder.mkdir()
    (folder / "p.crane").write_text("crane p\nin redirect soon in\n")
    yield folder
    extensions.use(before)


def test_other_systems_and_networks_are_imported_as_in_one_process(
    brittle: Path, importing: Any, tmp_path: Path
) -> None:
    mixed = tmp_path / "mixed"
    shutil.copytree(ESTATE, mixed)
    shutil.copy(brittle / "p.crane", mixed)
    report = importing([brittle, mixed], tmp_path / "s")
    assert ["ValueError" in warning and "Crane" in warning for warning in report.warnings] == [
        True,
        True,
    ]
    assert Path(report.warnings[0].rpartition("Details: ")[2]).is_file()
    kept, here = open_network(str(tmp_path / "s"), "mixed", engine="memory"), read(mixed)
    assert kept.check().findings == here.check().findings
    assert kept.reach("PAR").servers == here.reach("PAR").servers
    assert kept.reach("PAR").warnings == here.reach("PAR").warnings != ()
    with pytest.raises(UnknownServer):
        open_network(str(tmp_path / "s"), "brittle", engine="memory").reach("p")


def test_an_import_of_which_nothing_is_left_is_an_internal_error(
    brittle: Path, importing: Any, tmp_path: Path
) -> None:
    with pytest.raises(
        TopographError, match=r"Internal error \(bug\) in the rules of Crane: ValueError"
    ) as raised:
        importing([brittle], tmp_path / "s")
    assert not isinstance(raised.value, BackendError)
    assert raised.value.exit_code == 5
    assert not (tmp_path / "s").exists()


def failing(*_: object) -> None:
    raise KeyError("B")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("topograph.systems.ems.compilation.lint_servers", "the checks of TIBCO EMS: KeyError"),
        ("topograph.systems.ems.compilation.lint_network", "the checks of TIBCO EMS: KeyError"),
        ("topograph.systems.ems.estate.compiled", "the rules of TIBCO EMS: KeyError"),
        ("topograph.systems.ems.estate.configuration_of", "the rules of TIBCO EMS: KeyError"),
    ],
)
def test_checks_that_run_beside_compiling_fail_as_in_one_process(
    place: str, expected: str, importing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rules fail, nothing is said of what the checks would have found."""
    folder = tmp_path / "net"
    folder.mkdir()
    two_systems.write(folder)
    (folder / "LON" / "topics.conf").write_text("other global\n")  # a finding of lint_servers
    monkeypatch.setattr(stages, "_APART", 1)
    monkeypatch.setattr(stages.Stages, "_mapped", _compiled_here(stages.Stages._mapped))
    monkeypatch.setattr(place, failing)
    report = importing([folder], tmp_path / "s")
    kept, here = open_network(str(tmp_path / "s"), engine="memory"), read(folder)
    assert kept.check().findings == here.check().findings
    assert [expected in warning for warning in report.warnings] == [True]


def _compiled_here(mapped: Any) -> Any:
    """``_mapped`` that compiles in this process, where rules can be made to fail."""

    def here(self: Any, task: Any, values: Any) -> Any:
        if task is not tasks.compile_networks:
            return mapped(self, task, values)
        done = list(task(iter(values)))
        return SimpleNamespace(collect=lambda: done)

    return here
