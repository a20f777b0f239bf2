"""``--previous`` within a network: what is taken of files that did not change makes the same
snapshot as reading all of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN

from topograph.opening.folders import read_snapshot
from topograph.pipeline import reading_tasks, stamps
from topograph.pipeline.import_run import run_import
from topograph.pipeline.snapshot_writer import keep
from topograph.store.names import DIGESTS

Files = dict[str, str]
MAIN = "server = {0}\nrouting = enabled\nusers = users.conf\npassword = {1}\n"


@pytest.fixture(autouse=True)
def settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(stamps, "_SETTLED", 0)


@pytest.fixture
def bundles_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bundles that are read from now on."""
    read: list[str] = []
    one = reading_tasks.read_bundle

    def noted(bundle: Any, *others: Any) -> Any:
        read.append(bundle.id)
        return one(bundle, *others)

    monkeypatch.setattr(reading_tasks, "read_bundle", noted)
    return read


def write(folder: Path, files: Files) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def made(folder: Path, output: Path, previous: Path, **options: Any) -> Any:
    """All that a snapshot says, but for the names of its run and of its files."""
    run_import([folder], output, neo4j="none", previous=previous, **options)
    manifest = json.loads((output / "manifest.json").read_text())
    digests = (output / "data" / manifest.pop("run") / DIGESTS).read_text()
    for table in manifest["tables"].values():
        for file in table["files"]:
            del file["path"]
    return manifest, digests


def nothing_kept(tmp_path: Path) -> Path:
    """A snapshot of which nothing can be taken, so that all is read in this process."""
    write(tmp_path / "other", {"tibemsd.conf": "server = X\n"})
    keep(read_snapshot(tmp_path / "other"), tmp_path / "nothing")
    return tmp_path / "nothing"


def changes(at: random.Random, files: Files, others: Files) -> list[Callable[[Path], Any]]:
    """Ways to change a folder of files: one file is altered, added, named anew or taken away."""

    def some(folder: Path) -> Path:
        return at.choice(sorted(path for path in folder.rglob("*") if path.is_file()))

    def altered(folder: Path) -> None:
        file = some(folder)
        lines = file.read_text().splitlines(keepends=True)
        at.shuffle(lines)
        file.write_text("".join(lines[1:]))

    def added(folder: Path) -> None:
        name = at.choice(sorted(others))
        write(folder, {f"added/{name}": others[name]})

    def renamed(folder: Path) -> None:
        file = some(folder)
        file.rename(file.with_name(f"x-{file.name}"))

    def swapped(folder: Path) -> None:
        one, other = some(folder), some(folder)
        text = one.read_text()
        one.write_text(other.read_text())
        other.write_text(text)

    def declared(folder: Path) -> None:
        write(folder, {"topograph.yaml": "hosts: {a: A}\nsuspended: [A]\n"})

    def gone(folder: Path) -> None:
        if sum(1 for path in folder.rglob("*") if path.is_file()) > 2:
            some(folder).unlink()

    return [altered, added, renamed, swapped, declared, gone]


@pytest.mark.parametrize("system", DRAWN)
def test_what_is_taken_of_files_that_did_not_change_is_what_they_say(
    system: str, tmp_path: Path
) -> None:
    number = random.randrange(10**6)
    check(system, number, tmp_path)


def check(system: str, number: int, tmp_path: Path) -> None:
    at = random.Random(number)
    ways = DRAWN[system]
    files = dict(ways[at.choice(sorted(ways))](number).files)
    write(tmp_path / "estate", files)
    write(tmp_path / "estate", MINIMAL)
    nothing = nothing_kept(tmp_path)
    others = dict(ways["one"](number + 1).files)
    made(tmp_path / "estate", tmp_path / "again", nothing)
    for change in at.sample(changes(at, files, others), 3):
        change(tmp_path / "estate")
        full = made(tmp_path / "estate", tmp_path / "full", nothing)
        again = made(tmp_path / "estate", tmp_path / "again", tmp_path / "again")
        assert again == full, (system, number, change)


MINIMAL = {"more/a/tibemsd.conf": "server = MORE\nrouting = enabled\n"}
"""A server that is there whatever happens to the others."""
