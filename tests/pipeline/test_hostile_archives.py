"""Hostile archives through Spark: the same findings as in one process, and the servers beside
them are read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store.hostile_archives import hostile_archives, zipped

from topograph.opening.folders import read_snapshot
from topograph.store.parquet import open_snapshot

pytestmark = pytest.mark.spark

CONF = "server = {0}\nrouting = enabled\n"


def test_an_import_goes_on_beside_hostile_archives(
    importing: Callable[..., Any], tmp_path: Path
) -> None:
    root = tmp_path / "net"
    (root / "a").mkdir(parents=True)
    (root / "a" / "tibemsd.conf").write_text(CONF.format("A"))
    (root / "good.zip").write_bytes(zipped(("b/tibemsd.conf", CONF.format("B").encode())))
    expected = set()
    for archive in hostile_archives():
        if archive.name.startswith("many"):
            continue  # 20,000 findings that say one thing; counted in the tests of the listing
        (root / archive.name).write_bytes(archive.data)
        expected |= {
            (kind, f"{archive.name}!/{place}" if place else archive.name)
            for kind, place in archive.findings
        }
    report = importing([root], tmp_path / "snapshot")
    kept, here = open_snapshot(tmp_path / "snapshot"), read_snapshot(root)
    assert report.snapshot == kept.id == here.id
    assert sorted(map(repr, kept.findings("net"))) == sorted(map(repr, here.findings("net")))
    assert sorted(map(repr, kept.files("net"))) == sorted(map(repr, here.files("net")))
    assert expected <= {(finding.kind, finding.source.file) for finding in kept.findings("net")}
    assert {"A", "B"} <= {fact.server for fact in kept.facts("net", kinds=("server",))}
    assert {path.name for path in tmp_path.iterdir()} <= {"net", "snapshot", "home"}


def test_an_archive_that_changes_between_listing_and_reading_is_a_finding(
    importing: Callable[..., Any], tmp_path: Path
) -> None:
    root = tmp_path / "net"
    root.mkdir()
    (root / "tibemsd.conf").write_text(CONF.format("A"))
    (root / "late.zip").write_bytes(zipped(("b/tibemsd.conf", CONF.format("B").encode())))

    def replaced(line: str) -> None:
        if line.startswith("Listing files"):
            (root / "late.zip").write_bytes(zipped(("other.txt", b"nothing")))

    importing([root], tmp_path / "snapshot", progress=replaced)
    snapshot = open_snapshot(tmp_path / "snapshot")
    assert {fact.server for fact in snapshot.facts("net", kinds=("server",))} == {"A"}
    (finding,) = (
        finding for finding in snapshot.findings("net") if finding.kind == "unreadable-file"
    )
    assert finding.source.file == "late.zip!/b/tibemsd.conf"
    assert "no longer in its archive" in finding.message
    (file,) = (file for file in snapshot.files("net") if file.path == "late.zip!/b/tibemsd.conf")
    assert file.status == "not-read"
