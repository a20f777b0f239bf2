"""What an import finds under its roots, and what it says of everything it does not open."""

from __future__ import annotations

import io
import os
import socket
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from topograph.errors import InputError
from topograph.files import FileReport
from topograph.store.archives import ArchiveLimits
from topograph.store.listing import list_inputs, read_bytes


def write(root: Path, **files: bytes) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def contents(listing):
    return {file.path: read_bytes(file, limits=listing.limits) for file in listing.files}


def noticed(listing):
    return [
        (finding.kind, str(finding.severity), finding.source.file) for finding in listing.findings
    ]


def zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def test_every_file_is_listed_by_path_whatever_its_name(tmp_path):
    write(
        tmp_path,
        **{
            "b/_SUCCESS": b"1",
            "b/a b.conf": b"22",
            "a.conf": b"",
            "b/[x]{y}*?.conf": b"3",
            "B/été": b"4",
        },
    )
    listing = list_inputs(tmp_path)
    assert [(file.path, file.size) for file in listing.files] == [
        ("B/été", 1),
        ("a.conf", 0),
        ("b/[x]{y}*?.conf", 1),
        ("b/_SUCCESS", 1),
        ("b/a b.conf", 2),
    ]
    assert listing.findings == ()
    assert contents(listing)["b/a b.conf"] == b"22"


def test_an_empty_folder_gives_an_empty_listing(tmp_path):
    listing = list_inputs(tmp_path)
    assert (listing.files, listing.findings) == ((), ())


def test_nothing_at_the_root_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        list_inputs(tmp_path / "absent")


def test_a_single_file_is_a_root_even_if_hidden(tmp_path):
    write(tmp_path, **{".tibemsd.conf": b"server = A", "other": b""})
    listing = list_inputs(tmp_path / ".tibemsd.conf")
    assert contents(listing) == {".tibemsd.conf": b"server = A"}


def test_hidden_files_and_folders_are_findings_and_not_entered(tmp_path):
    write(tmp_path, **{".git/config": b"", "a/.hidden": b"", "a/shown": b""})
    listing = list_inputs(tmp_path)
    assert [file.path for file in listing.files] == ["a/shown"]
    assert noticed(listing) == [
        ("hidden-file", "info", ".git"),
        ("hidden-file", "info", "a/.hidden"),
    ]
    assert listing.skipped == {".git": "hidden-file", "a/.hidden": "hidden-file"}
    assert listing.reports[0] == FileReport(".git", "skipped", note="hidden-file")


def test_a_link_out_of_the_root_is_never_opened(tmp_path):
    write(tmp_path, **{"outside/secret": b"s", "root/in": b"", "rooted/x": b""})
    (tmp_path / "root/file").symlink_to(tmp_path / "outside/secret")
    (tmp_path / "root/folder").symlink_to("../outside")
    (tmp_path / "root/near").symlink_to("../rooted")
    (tmp_path / "root/nowhere").symlink_to("gone")
    (tmp_path / "root/self").symlink_to("self")
    listing = list_inputs(tmp_path / "root")
    assert [file.path for file in listing.files] == ["in"]
    assert noticed(listing) == [
        ("link-out-of-root", "warning", "file"),
        ("link-out-of-root", "warning", "folder"),
        ("link-out-of-root", "warning", "near"),
        ("link-broken", "warning", "nowhere"),
        ("link-broken", "warning", "self"),
    ]


def test_links_inside_the_root_are_other_names_and_loops_end(tmp_path):
    write(tmp_path, **{"shared/topics.conf": b"t", "a/tibemsd.conf": b"m"})
    (tmp_path / "a/topics.conf").symlink_to("../shared/topics.conf")
    (tmp_path / "a/loop").symlink_to("..")
    (tmp_path / "b").symlink_to("a")
    listing = list_inputs(tmp_path)
    assert [file.path for file in listing.files] == ["a/tibemsd.conf", "shared/topics.conf"]
    assert listing.aliases == (("a/loop", ""), ("a/topics.conf", "shared/topics.conf"), ("b", "a"))
    assert {finding.kind for finding in listing.findings} == {"link-followed"}
    assert listing.skipped == {}


def test_links_into_hidden_folders_are_read_once_at_the_link(tmp_path):
    """The layout of a mounted Kubernetes ConfigMap."""
    write(tmp_path, **{"..2024/tibemsd.conf": b"m", "..2024/sub/topics.conf": b"t"})
    (tmp_path / "..data").symlink_to("..2024")
    (tmp_path / "tibemsd.conf").symlink_to("..data/tibemsd.conf")
    (tmp_path / "sub").symlink_to("..data/sub")
    (tmp_path / "whole").symlink_to("..data")
    listing = list_inputs(tmp_path)
    assert contents(listing) == {"tibemsd.conf": b"m", "sub/topics.conf": b"t"}
    assert listing.aliases == (("whole/sub", "sub"), ("whole/tibemsd.conf", "tibemsd.conf"))


def test_pipes_and_sockets_are_findings_and_never_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
        listing = list_inputs(tmp_path)
    assert listing.files == ()
    assert noticed(listing) == [
        ("special-file", "warning", "pipe"),
        ("special-file", "warning", "socket"),
    ]


def test_a_file_above_the_limit_is_a_finding(tmp_path):
    write(tmp_path, big=b"x" * 11, fits=b"x" * 10)
    listing = list_inputs(tmp_path, limits=ArchiveLimits(file_bytes=10))
    assert [file.path for file in listing.files] == ["fits"]
    assert noticed(listing) == [("file-too-large", "warning", "big")]
    (tmp_path / "fits").write_bytes(b"x" * 12)
    with pytest.raises(OSError, match="more than 10 bytes"):
        read_bytes(listing.files[0], limits=listing.limits)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_or_folder_is_a_finding(tmp_path):
    write(tmp_path, **{"file": b"", "folder/x": b""})
    (tmp_path / "file").chmod(0)
    (tmp_path / "folder").chmod(0)
    listing = list_inputs(tmp_path)
    (tmp_path / "folder").chmod(0o700)
    assert listing.files == ()
    assert noticed(listing) == [
        ("unreadable-file", "error", "file"),
        ("unreadable-folder", "error", "folder"),
    ]


def test_a_file_that_has_gone_since_is_an_os_error(tmp_path):
    write(tmp_path, gone=b"")
    listing = list_inputs(tmp_path)
    (tmp_path / "gone").unlink()
    with pytest.raises(FileNotFoundError):
        read_bytes(listing.files[0])


def test_a_file_replaced_by_a_link_after_the_listing_is_not_followed(tmp_path):
    write(tmp_path, **{"root/x": b"", "secret": b"s"})
    listing = list_inputs(tmp_path / "root")
    (tmp_path / "root/x").unlink()
    (tmp_path / "root/x").symlink_to("../secret")
    with pytest.raises(OSError, match="x"):
        read_bytes(listing.files[0])


def test_a_name_that_is_no_text_is_written_out_and_can_be_read(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.conf")).write_bytes(b"x")
    listing = list_inputs(tmp_path)
    assert contents(listing) == {"a\\xff.conf": b"x"}
    assert noticed(listing) == [("file-name-not-text", "info", "a\\xff.conf")]
    listing.files[0].path.encode("utf-8")


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("e.zip", zipped),
        ("e.tar.gz", tarred),
        ("e.TGZ", tarred),
        ("e.tar", lambda members: tarred(members, "w")),
    ],
)
def test_archives_are_opened_with_archives_in_them(tmp_path, name, pack):
    inner = pack({"x/routes.conf": b"[B]"})
    write(
        tmp_path,
        **{f"in/{name}": pack({"a/tibemsd.conf": b"server = A", f"deep/{name}": inner}), "z": b""},
    )
    listing = list_inputs(tmp_path)
    assert listing.findings == ()
    assert contents(listing) == {
        f"in/{name}!/a/tibemsd.conf": b"server = A",
        f"in/{name}!/deep/{name}!/x/routes.conf": b"[B]",
        "z": b"",
    }
    assert [file.member for file in listing.files] == [True, True, False]


def test_an_archive_can_be_the_root(tmp_path):
    write(tmp_path, **{"estate.zip": zipped({"a.conf": b"1"})})
    assert contents(list_inputs(tmp_path / "estate.zip")) == {"estate.zip!/a.conf": b"1"}


@pytest.mark.parametrize(("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred)])
def test_member_names_count_from_the_top_of_the_archive(tmp_path, name, pack):
    write(tmp_path, **{name: pack({"/site/a.conf": b"1", "//b.conf": b"2"})})
    listing = list_inputs(tmp_path)
    assert contents(listing) == {f"{name}!/site/a.conf": b"1", f"{name}!/b.conf": b"2"}
    assert noticed(listing) == []


@pytest.mark.parametrize(("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred)])
@pytest.mark.parametrize("member", ["../x", "a/../../x", "/../x", "C:\\x", "..\\x", "a\\..\\..\\x"])
def test_member_names_that_lead_out_of_the_archive_are_refused(tmp_path, name, pack, member):
    write(tmp_path, **{name: pack({member: b"evil", "good": b"ok"})})
    listing = list_inputs(tmp_path)
    assert contents(listing) == {f"{name}!/good": b"ok"}
    assert noticed(listing) == [("archive-member-refused", "warning", name)]
    assert listing.reports == (FileReport(name, "partly-read", note="archive-member-refused"),)


def test_windows_separators_in_member_names_are_folders(tmp_path):
    write(tmp_path, **{"e.zip": zipped({"a\\b.conf": b"1"})})
    assert contents(list_inputs(tmp_path)) == {"e.zip!/a/b.conf": b"1"}


def test_hidden_members_links_and_encrypted_members_are_findings(tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo(".hidden/x"))
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    secret = bytearray(zipped({"locked": b"x"}))
    secret[secret.index(b"PK\x01\x02") + 8] |= 1
    write(tmp_path, **{"a.tgz": packed.getvalue(), "b.zip": bytes(secret)})
    listing = list_inputs(tmp_path)
    assert listing.files == ()
    assert noticed(listing) == [
        ("hidden-file", "info", "a.tgz!/.hidden/x"),
        ("archive-member-refused", "warning", "a.tgz!/link"),
        ("archive-member-refused", "warning", "b.zip!/locked"),
    ]


@pytest.mark.parametrize(("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred)])
def test_an_archive_that_expands_beyond_the_limit_is_cut_there(tmp_path, name, pack):
    write(tmp_path, **{name: pack({f"{n:02}": bytes(100_000) for n in range(20)})})
    listing = list_inputs(
        tmp_path, limits=ArchiveLimits(file_bytes=100_000, archive_bytes=1_000_000)
    )
    assert 5 <= len(listing.files) <= 10
    assert noticed(listing) == [("archive-limit", "error", name)]


@pytest.mark.parametrize(("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred)])
def test_the_limits_hold_over_archives_in_archives(tmp_path, name, pack):
    inner = pack({f"{n}": bytes(100_000) for n in range(4)})
    write(tmp_path, **{name: pack({f"{n}{name}": inner for n in range(10)})})
    listing = list_inputs(tmp_path, limits=ArchiveLimits(archive_bytes=1_000_000))
    assert sum(file.size for file in listing.files) <= 1_000_000
    assert noticed(listing) == [("archive-limit", "error", name)]


@pytest.mark.parametrize(("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred)])
def test_members_are_counted_and_measured(tmp_path, name, pack):
    write(tmp_path, **{name: pack({"big": bytes(1_001), **{f"{n}": b"" for n in range(5)}})})
    listing = list_inputs(tmp_path, limits=ArchiveLimits(file_bytes=1_000, archive_members=4))
    assert len(listing.files) == 3
    assert noticed(listing) == [
        ("archive-limit", "error", name),
        ("file-too-large", "warning", f"{name}!/big"),
    ]


def test_archives_deeper_than_the_limit_are_findings(tmp_path):
    packed = zipped({"x": b""})
    for _ in range(3):
        packed = zipped({"a.zip": packed})
    write(tmp_path, **{"a.zip": packed})
    listing = list_inputs(tmp_path)
    assert listing.files == ()
    assert noticed(listing) == [("archive-limit", "warning", "a.zip!/a.zip!/a.zip")]


@pytest.mark.parametrize(
    ("name", "pack"), [("e.zip", zipped), ("e.tar.gz", tarred), ("e.tar", tarred)]
)
@pytest.mark.parametrize("kept", [0, 1, 30, 0.5, 0.9])
def test_a_cut_off_archive_is_a_finding_or_gives_what_is_whole(tmp_path, name, pack, kept):
    whole = pack({f"{n}": os.urandom(3_000) for n in range(5)})
    write(tmp_path, **{name: whole[: kept if isinstance(kept, int) else int(len(whole) * kept)]})
    listing = list_inputs(tmp_path)
    assert all(file.size == 3_000 for file in listing.files)
    assert {finding.kind for finding in listing.findings} == {"archive-unreadable"}


def test_a_damaged_member_does_not_hide_the_others(tmp_path):
    packed = bytearray(zipped({"bad": b"b" * 100, "good": b"g"}))
    packed[packed.index(b"bad") + 4] ^= 0xFF
    write(tmp_path, **{"e.zip": bytes(packed)})
    listing = list_inputs(tmp_path)
    assert contents(listing) == {"e.zip!/good": b"g"}
    assert noticed(listing) == [("archive-unreadable", "error", "e.zip!/bad")]


def test_a_zip_that_announces_a_huge_table_of_contents_is_refused_unread(tmp_path):
    packed = bytearray(zipped({"x": b""}))
    struct.pack_into("<L", packed, packed.rindex(b"PK\x05\x06") + 12, 2**31)
    write(tmp_path, **{"e.zip": bytes(packed)})
    listing = list_inputs(tmp_path)
    assert listing.files == ()
    assert noticed(listing) == [("archive-limit", "error", "e.zip")]


def test_a_changed_archive_is_read_anew(tmp_path):
    write(tmp_path, **{"e.zip": zipped({"x": b"1"})})
    before = list_inputs(tmp_path)
    write(tmp_path, **{"e.zip": zipped({"y": b"22"})})
    after = list_inputs(tmp_path)
    assert contents(after) == {"e.zip!/y": b"22"}
    with pytest.raises(FileNotFoundError, match="no longer in its archive"):
        read_bytes(before.files[0])


PACKED = {
    "e.zip": zipped({"a/b.conf": b"b" * 300, "in.zip": zipped({"c": b"c"}), "d": b""}),
    "e.tgz": tarred({"a/b.conf": b"b" * 300, "in.tgz": tarred({"c": b"c"}), "d": b""}),
    "e.tar": tarred({"a/b.conf": b"b" * 300, "in.tar": tarred({"c": b"c"}, "w"), "d": b""}, "w"),
}


@settings(deadline=None, max_examples=draws(75), suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(sorted(PACKED)),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=4),
    st.integers(0, 20_000),
)
def test_no_damage_to_an_archive_stops_the_listing(tmp_path_factory, name, changes, cut):
    packed = bytearray(PACKED[name])
    for place, value in changes:
        packed[place % len(packed)] = value
    root = tmp_path_factory.mktemp("damaged")
    (root / name).write_bytes(packed if cut % 3 else packed[: cut % len(packed)])
    listing = list_inputs(root)
    assert listing.files or listing.findings
    assert all(len(read_bytes(file)) == file.size for file in listing.files)
