"""``--previous``: what an earlier import spares, and that the snapshot is the same."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored_estate import tables, write_estate

from topograph.errors import UsageError
from topograph.pipeline import earlier, import_run, stamps
from topograph.pipeline.import_report import ImportReport
from topograph.pipeline.import_run import run_import
from topograph.store import listing
from topograph.store.parquet import open_snapshot

Import = Callable[..., ImportReport]


@pytest.fixture
def estate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three networks: a, b and c, whose files no longer change."""
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(stamps, "_SETTLED", 0)
    for name in "abc":
        write_estate(tmp_path / "estate" / name)
    (tmp_path / "estate" / "b" / "topograph.yaml").write_text("hosts: {zipped: A}\n")
    return tmp_path / "estate"


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> Import:
    """``run_import`` of the networks, where Spark must not be asked for."""

    def refused(*_: object, **__: object) -> object:
        raise AssertionError("Spark is started")

    monkeypatch.setattr(import_run, "spark_starting", refused)

    def run(estate: Path, output: Path, **options: Any) -> ImportReport:
        return run_import(sorted(estate.iterdir()), output, neo4j="none", **options)

    return run


def files_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose content is read from now on."""
    read: list[str] = []
    opened = listing.opened
    monkeypatch.setattr(listing, "opened", lambda path: [read.append(path), opened(path)][1])
    return read


@pytest.mark.spark
def test_only_the_network_that_changed_is_read_and_the_snapshot_is_the_same(
    importing: Callable[..., Any],
    without_spark: Import,
    estate: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = sorted(estate.iterdir())
    importing(paths, tmp_path / "first")
    (estate / "b" / "a" / "routes.conf").write_text("[UNDER]\nurl = tcp://under:7222\n")
    read = files_read(monkeypatch)
    again = without_spark(estate, tmp_path / "again", previous=tmp_path / "first")
    # Of the others, listing reads the patterns of files to leave out.
    others = {str(estate / name / ".topographignore") for name in "ac"}
    assert {path for path in read if not path.startswith(str(estate / "b"))} == others
    full = importing(paths, tmp_path / "full")
    assert again.snapshot == full.snapshot
    assert again.networks == full.networks
    assert tables(tmp_path / "again") == tables(tmp_path / "full")
    manifests = [
        json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("again", "full")
    ]
    assert manifests[0]["networks"] == manifests[1]["networks"]
    one, other = open_snapshot(tmp_path / "again"), open_snapshot(tmp_path / "full")
    for name in "abc":
        assert one.facts(name) == other.facts(name)
        assert one.findings(name) == other.findings(name)
        assert one.files(name) == other.files(name)
        assert one.origin(name).digests == other.origin(name).digests


def test_each_kind_of_change_is_noticed(
    without_spark: Import, estate: Path, tmp_path: Path
) -> None:
    """A network is kept only if a full import would make the same of it."""

    def changes() -> list[Callable[[], Any]]:
        main = estate / "a" / "a" / "tibemsd.conf"
        text, status = main.read_text(), main.stat()

        def same_size_and_time() -> None:
            main.write_text(text.replace("= A", "= Z"))
            os.utime(main, ns=(status.st_atime_ns, status.st_mtime_ns))

        return [
            same_size_and_time,
            lambda: (estate / "a" / "new.conf").write_text("server = N\n"),
            (estate / "a" / "new.conf").unlink,
            lambda: (estate / "a" / "large.txt").rename(estate / "a" / "larger.txt"),
            lambda: (estate / "a" / ".topographignore").write_text("*.bak\nlarger.txt\n"),
            lambda: (estate / "a" / ".hidden").write_text(""),
            lambda: (estate / "a" / "topograph.yaml").write_text("hosts: {zipped: A}\n"),
            lambda: (estate / "a" / "dump.zip").write_bytes(b"no archive"),
            lambda: (estate / "a" / "link").symlink_to(estate / "a" / "larger.txt"),
        ]

    def told(**options: Any) -> str:
        lines: list[str] = []
        without_spark(estate, snapshot, previous=snapshot, progress=lines.append, **options)
        (line,) = (line for line in lines if line.startswith("Comparing"))
        return line

    snapshot = tmp_path / "s"
    shutil.copytree(empty_snapshot(estate, tmp_path), snapshot)
    assert "0 of 3 networks unchanged" in told()
    assert "3 of 3 networks unchanged" in told()
    for change in changes():
        change()
        assert "2 of 3 networks unchanged" in told(), change
        assert "3 of 3 networks unchanged" in told(), change
    assert len(list((snapshot / "data").iterdir())) == 2  # one run with its lease
    for path in sorted((estate / "a").rglob("*")):
        os.utime(path, follow_symlinks=False)
    assert "3 of 3 networks unchanged" in told()  # the same contents
    assert "0 of 3 networks unchanged" in told(strict=True)


def empty_snapshot(estate: Path, tmp_path: Path) -> Path:
    """A snapshot of a folder, which does not say when its files changed."""
    from topograph.opening.folders import read_snapshot
    from topograph.pipeline.snapshot_writer import keep

    keep(read_snapshot(estate / "a"), tmp_path / "kept")
    return tmp_path / "kept"


def test_a_file_that_may_still_be_changing_is_read(
    without_spark: Import, estate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "_SETTLED", 10**12)
    without_spark(estate, tmp_path / "s", previous=empty_snapshot(estate, tmp_path))
    main = estate / "a" / "a" / "tibemsd.conf"
    status = main.stat()
    assert not stamps.stamps_of(listing.list_inputs(estate / "a").files).values.any()
    main.write_text(main.read_text().replace("= A", "= Z"))
    os.utime(main, ns=(status.st_atime_ns, status.st_mtime_ns))
    again = without_spark(estate, tmp_path / "s", previous=tmp_path / "s")
    assert "Z" in {fact.server for fact in open_snapshot(again.path).facts("a")}


def test_another_version_of_topograph_reads_all_again(
    without_spark: Import, estate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_spark(estate, tmp_path / "s", previous=empty_snapshot(estate, tmp_path))
    monkeypatch.setattr(earlier, "tool", lambda: ["another"])
    lines: list[str] = []
    without_spark(estate, tmp_path / "s", previous=tmp_path / "s", progress=lines.append)
    assert any("0 of 3 networks unchanged: it was made by another version" in x for x in lines)


def test_what_cannot_be_compared_is_refused(
    without_spark: Import, estate: Path, tmp_path: Path
) -> None:
    lines: list[str] = []
    with pytest.raises(AssertionError, match="Spark is started"):  # all is read
        without_spark(estate, tmp_path / "s", previous=tmp_path / "none", progress=lines.append)
    assert lines[0] == f"All files are read: {tmp_path}/none is not a finished snapshot yet."
    with pytest.raises(UsageError, match="--previous does not go with --redact"):
        without_spark(estate, tmp_path / "s", previous=tmp_path / "none", redact=True)
    assert not (tmp_path / "s").exists()
