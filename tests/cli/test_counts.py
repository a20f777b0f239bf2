"""Counts that several commands give: one definition each, so that they cannot contradict each
other.
"""

from __future__ import annotations

from pathlib import Path

import topograph
from topograph.files import FileReport, tally
from topograph.findings import Finding, Severity, Source, count_by_severity, distinct
from topograph.forwarding.graph import EXPLICIT_FORWARDS_LIMIT
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.store.graph_rows import zone_rows
from topograph.store.listing import list_inputs
from topograph.store.parquet import open_snapshot


def shared(root: Path) -> Path:
    """Two servers that share a sub-file with a mistake in it, a file that nobody names, and one
    that is hidden.
    """
    for name in ("A", "B"):
        (root / name).mkdir(parents=True)
        (root / name / "tibemsd.conf").write_text(
            f"server = {name}\nrouting = enabled\ntopics = ../topics.conf\n"
        )
    (root / "topics.conf").write_text("orders global, nonsense=1\n")
    (root / "notes.txt").write_text("nothing\n")
    (root / ".hidden").write_text("nothing\n")
    return root


def test_a_file_that_several_servers_share_counts_once_and_the_sum_is_what_is_listed(
    tmp_path: Path,
) -> None:
    root = shared(tmp_path / "estate")
    snapshot = read_snapshot(root)
    listing = list_inputs(root)
    reports = snapshot.files("estate")
    assert sum(report.path == "topics.conf" for report in reports) == 2
    assert sum(tally(reports).values()) == len(listing.files) + len(listing.skipped)
    keep(snapshot, tmp_path / "s")
    (entry,) = open_snapshot(tmp_path / "s").manifest.networks
    assert entry.files == len(listing.files) + len(listing.skipped)


def test_of_a_shared_file_the_worst_counts() -> None:
    reports = [
        FileReport("a", "read"),
        FileReport("a", "not-read"),
        FileReport("b", "read"),
        FileReport("c", "skipped"),
    ]
    assert tally(reports) == {"not-read": 1, "read": 1, "skipped": 1}


def test_findings_are_kept_once_and_counted_as_check_counts_them(tmp_path: Path) -> None:
    root = shared(tmp_path / "estate")
    findings = read_snapshot(root).findings("estate")
    assert len(findings) == len(set(findings))
    assert count_by_severity(findings) == topograph.read(root).check().counts


def test_equal_findings_are_one() -> None:
    one = Finding("k", Severity.INFO, "m", Source("f", 1))
    assert distinct([one, Finding("k", Severity.INFO, "m", Source("f", 1))]) == [one]
    assert count_by_severity([one]) == {"error": 0, "warning": 0, "info": 1}


def test_zones_are_told_apart_by_name_and_type_wherever_they_are_counted(tmp_path: Path) -> None:
    for name, other, kind in (
        ("A", "B", "1hop"),
        ("B", "A", "1hop"),
        ("C", "D", "mhop"),
        ("D", "C", "mhop"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tibemsd.conf").write_text(
            f"server = {name}\nrouting = enabled\nroutes = routes.conf\n"
        )
        route = f"[{other}]\nurl = tcp://{other.lower()}:7222\nzone_name = Z\nzone_type = {kind}\n"
        (tmp_path / name / "routes.conf").write_text(route)
    network = topograph.read(tmp_path)
    shown = {(row["zone"], row["type"]) for row in network.show("zones").rows}
    (tables,) = read_snapshot(tmp_path).graph_tables(tmp_path.name)
    assert len(tables.points) < EXPLICIT_FORWARDS_LIMIT
    rows = [
        {
            "network": "n",
            "system": "ems",
            "server": p.server,
            "previous": p.previous,
            "zone": p.zone,
            "zone_type": p.zone_type,
        }
        for p in tables.points
    ]
    published = [(row["name"], row["type"], row["server"]) for row in zone_rows(rows)]
    assert {(name, kind) for name, kind, _ in published} == shown == {("Z", "1hop"), ("Z", "mhop")}
    assert len(published) == 4
