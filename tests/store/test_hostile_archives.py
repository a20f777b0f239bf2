"""Every hostile archive gives its findings, and nothing is raised, hangs or is written."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest
from store.hostile_archives import Hostile, header, hostile_archives, zipped

from topograph.store.archives import ArchiveLimits
from topograph.store.listing import list_inputs, read_bytes

pytestmark = pytest.mark.slow

ARCHIVES = hostile_archives()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name)
def test_a_hostile_archive_gives_findings_and_what_is_sound_in_it(
    tmp_path: Path, archive: Hostile
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / archive.name).write_bytes(archive.data)
    listing = list_inputs(root)
    assert {(finding.kind, finding.source.file) for finding in listing.findings} == {
        (kind, f"{archive.name}!/{place}" if place else archive.name)
        for kind, place in archive.findings
    }
    assert (
        tuple(file.path.removeprefix(archive.name).removeprefix("!/") for file in listing.files)
        == archive.members
    )
    for file in listing.files[:10]:
        assert len(read_bytes(file)) == file.size
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")] == [
        "root",
        f"root/{archive.name}",
    ]


def test_bombs_of_many_small_archives_are_cut_where_all_of_them_reach_the_limit(
    tmp_path: Path,
) -> None:
    inner = zipped(("a", bytes(40_000)))
    (tmp_path / "nested.zip").write_bytes(
        zipped(*((f"{number}.zip", inner) for number in range(10)))
    )
    listing = list_inputs(tmp_path, limits=ArchiveLimits(archive_bytes=100_000))
    assert [finding.kind for finding in listing.findings] == ["archive-limit"]
    assert len(listing.files) == 2


def test_what_a_tar_says_about_a_member_may_not_be_big_without_end(tmp_path: Path) -> None:
    (tmp_path / "a.tgz").write_bytes(
        gzip.compress(header("p", tarfile.XHDTYPE, 4_000_000) + bytes(3_000_000))
    )
    listing = list_inputs(tmp_path, limits=ArchiveLimits(archive_bytes=1_000_000))
    assert [finding.kind for finding in listing.findings] == ["archive-limit"]


def test_names_of_members_that_a_message_quotes_are_short_and_printable(tmp_path: Path) -> None:
    names = ["/\x1b[31m" + "x" * 3_000, "../" + "y" * 10_000]
    (tmp_path / "a.zip").write_bytes(zipped(*((name, b"") for name in names)))
    for finding in list_inputs(tmp_path).findings:
        assert finding.message.isprintable()
        assert len(finding.message) < 400
