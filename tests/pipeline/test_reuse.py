"""``--previous`` within a network: what is taken of files that did not change makes the same
snapshot as reading all of them."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN

from topograph.importers.plan import read_bundle
from topograph.opening.folders import read_snapshot
from topograph.pipeline import kept_parts, stamps
from topograph.pipeline.file_columns import table_of
from topograph.pipeline.import_run import run_import
from topograph.pipeline.snapshot_writer import keep
from topograph.store.names import DIGESTS

Files = dict[str, str]


@pytest.fixture(autouse=True)
def settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(stamps, "_SETTLED", 0)


@pytest.fixture
def bundles_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bundles that are read from now on."""
    read: list[str] = []

    def noted(bundle: Any, *others: Any) -> Any:
        read.append(bundle.id)
        return read_bundle(bundle, *others)

    monkeypatch.setattr("topograph.pipeline.reading_tasks.read_bundle", noted)
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


THREE = {
    **{
        f"{name}/tibemsd.conf": f"server = {name}\nrouting = enabled\nroutes = routes.conf\n"
        for name in "ABC"
    },
    "A/routes.conf": "[B]\nurl = tcp://b:7222\n",
    "B/routes.conf": "[C]\nurl = tcp://c:7222\n",
    "C/routes.conf": "",
}


def test_only_what_is_made_of_files_that_changed_is_read(
    tmp_path: Path, bundles_read: list[str]
) -> None:
    def again(change: Callable[[], Any] = lambda: None, **options: Any) -> list[str]:
        change()
        bundles_read.clear()
        made(estate, tmp_path / "s", tmp_path / "s", **options)
        return sorted(bundles_read)

    estate = tmp_path / "estate"
    write(estate, THREE)
    bundles = [f"{name}/tibemsd.conf" for name in "ABC"]
    made(estate, tmp_path / "s", nothing_kept(tmp_path))
    assert again(lambda: write(estate, {"B/routes.conf": ""})) == ["B/tibemsd.conf"]
    assert again(lambda: write(estate, {"topograph.yaml": "hosts: {b: B}\n"})) == []
    assert again((estate / "C" / "routes.conf").unlink) == ["C/tibemsd.conf"]
    assert again(lambda: (estate / "A").rename(estate / "Z")) == ["Z/tibemsd.conf"]
    bundles = sorted([*bundles[1:], "Z/tibemsd.conf"])
    assert again(strict=True) == bundles
    assert again(strict=True) == []
    (run,) = (path for path in (tmp_path / "s" / "data").iterdir() if path.is_dir())
    parts = run / kept_parts.PARTS
    parts.write_bytes(parts.read_bytes().replace(b"A", b"B"))
    assert again(strict=True) == bundles


def test_nothing_is_kept_that_looks_like_a_credential(tmp_path: Path) -> None:
    estate = tmp_path / "estate"
    write(estate, THREE)
    write(
        estate,
        {
            "D/tibemsd.conf": "server = D\nroutes = ftp://joe:hunter2@files/routes.conf\n"
            "password = hunter2\nserver_password = hunter2\n",
            "E/tibemsd.conf": "server = tcp://joe:hunter2@e:7222\n",
        },
    )
    first = made(estate, tmp_path / "s", nothing_kept(tmp_path))
    (run,) = (path for path in (tmp_path / "s" / "data").iterdir() if path.is_dir())
    kept = kept_parts.Kept(run, json.loads((run / kept_parts.LISTED).read_text())["tool"])
    text = zlib.decompress(kept.part("estate", "shapes")).decode()
    # The other parts are rows of the snapshot's tables.
    for name in ("files", "bundles"):
        text += str(table_of(kept.part("estate", name)).to_pylist())
    assert "routes.conf" in text
    assert "hunter2" not in text
    assert made(estate, tmp_path / "s", tmp_path / "s") == first


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
