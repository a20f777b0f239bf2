"""How a package from outside becomes known, and what happens where it is not."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from type_checks import mypy

import topograph
from topograph import extensions
from topograph.errors import UnknownSystem, UsageError
from topograph.facts.rows import decode, encode
from topograph.findings import Source
from topograph.forwarding.graph import GraphTables
from topograph.importers import plan
from topograph.opening.folders import read_snapshot
from topograph.pipeline.package import write_added
from topograph.systems import assemble, system

ROOT = Path(__file__).parents[2]
TOY = ROOT / "examples" / "toy_system"


@pytest.fixture
def nothing_added() -> Iterator[None]:
    before = dict(extensions.packages())
    extensions.use({})
    yield
    extensions.use(before)


def run(script: str, *path: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_topographs_own_systems_have_every_module() -> None:
    for name in extensions.OWN:
        for part in ("facts", "importer", "rules"):
            assert extensions.module(name, part).__name__.startswith("topograph.")


@pytest.mark.parametrize(
    "system", ["ems", "amq_interconnect", "Relay", "relay.rules", "../relay", ""]
)
def test_a_name_that_is_taken_or_no_name_is_refused(system: str) -> None:
    with pytest.raises(UsageError):
        extensions.register(system, "relay")


def test_what_no_package_answers_for_is_said_by_name(nothing_added: None) -> None:
    with pytest.raises(UnknownSystem, match="'semaphore' is none of topograph's own") as raised:
        assemble(GraphTables("semaphore", [], [], []))
    assert raised.value.exit_code == 3
    with pytest.raises(UnknownSystem, match=r"docs/extending\.md"):
        system("semaphore")


def test_facts_of_a_package_that_is_gone_are_not_guessed_at(relay: Path) -> None:
    rows = [encode(fact) for fact in read_snapshot(relay).facts("estate")]
    assert [encode(decode(row)) for row in rows] == rows
    with pytest.raises(UnknownSystem, match="no facts of the kind 'lamp'"):
        decode({**rows[0], "kind": "lamp"})
    extensions.use({})
    with pytest.raises(UnknownSystem, match="'relay' is none"):
        decode(rows[0])


def test_files_of_a_package_that_is_gone_are_not_read(nothing_added: None) -> None:
    with pytest.raises(topograph.errors.InputError, match="none is the main file"):
        topograph.read(TOY / "estate")


def test_a_package_that_cannot_be_imported_is_named(nothing_added: None, tmp_path: Path) -> None:
    extensions.register("semaphore", "no_such_package")
    (tmp_path / "a.txt").write_text("anything\n")
    with pytest.raises(
        UnknownSystem, match=r"answers for semaphore cannot be used: no_such_package\.importer"
    ):
        topograph.read(tmp_path)


def test_an_importer_from_outside_that_raises_ends_no_import(
    relay: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from relay import importer

    def broken(*_: object) -> None:
        raise ValueError("no")

    monkeypatch.setattr(importer, "read", broken)
    findings = topograph.read(relay).check().findings
    assert {entry["kind"] for entry in findings} == {"importer-failed"}
    assert "a mistake in the package that adds this system" in str(findings[0]["message"])


def test_a_file_of_words_that_another_importer_would_guess_at_goes_to_who_claims_it(
    relay: Path,
) -> None:
    text = b"relay a\nforward b\n"
    found = plan.recognise("topics.conf", text)
    assert (found.role, found.system, found.server) == (plan.Role.MAIN, "relay", "a")


def test_reading_and_asking_about_topographs_own_systems_searches_no_packages() -> None:
    script = (
        "import importlib.metadata as m\n"
        "def fail(*a, **k): raise AssertionError('searched')\n"
        "m.entry_points = fail\n"
        "import topograph\n"
        "network = topograph.read('examples/routers/london.conf')\n"
        "print(network.reach('LON').from_)\n"
    )
    assert run(script) == "LON\n"


@pytest.mark.slow
def test_an_installed_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "installed"
    source.mkdir()
    for file in (TOY / "pyproject.toml", *sorted((TOY / "relay").glob("*.py"))):
        copy = source / file.relative_to(TOY)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes())
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--target",
    ]
    done = subprocess.run([*pip, target, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    script = (
        "import sys, topograph\n"
        f"network = topograph.read({str(TOY / 'estate')!r})\n"
        "print(*(entry.server for entry in network.reach('pier').servers))\n"
    )
    assert run(script, target) == "harbour lighthouse mole\n"


@pytest.mark.slow
def test_the_toy_system_keeps_the_contracts_as_mypy_sees_them(tmp_path: Path) -> None:
    checked = tmp_path / "contracts.py"
    checked.write_text(
        "from topograph.importers.reading import Importer\n"
        "from topograph.systems.contract.system import System\n"
        "from relay import importer, rules\n"
        "contracts: tuple[Importer, System] = (importer, rules.SYSTEM)\n"
    )
    code, said = mypy(tmp_path, checked, TOY / "relay", found_in=TOY)
    assert code == 0, said


def test_the_folder_of_a_package_travels_whole_and_equal_packages_make_equal_zips(
    relay: Path, tmp_path: Path
) -> None:
    one, two = (
        write_added(tmp_path / "one.zip", "relay"),
        write_added(tmp_path / "two.zip", "relay.rules"),
    )
    assert one is not None
    assert two is not None
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert archive.namelist() == sorted(
            f"relay/{file.name}" for file in (TOY / "relay").glob("*.py")
        )


def test_what_lies_in_no_folder_is_not_sent_and_what_is_not_there_is_an_error(
    tmp_path: Path,
) -> None:
    assert write_added(tmp_path / "none.zip", "typing") is None
    with pytest.raises(ImportError, match="no package is called no_such_package"):
        write_added(tmp_path / "none.zip", "no_such_package.rules")


def test_a_source_is_kept_with_every_fact_of_the_toy_system(relay: Path) -> None:
    facts = read_snapshot(relay).facts("estate")
    assert Source("harbour.relay", 4, 1) in {fact.source for fact in facts}
