"""Archives as an attacker makes them, each with what has to be said of it and which members are
still read.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CONTENT = b"server = X\n"


@dataclass(frozen=True)
class Hostile:
    """An archive: its file name, its bytes (or what makes them, where they are many), the (kind,
    place in it) of every finding, the members that are read."""

    name: str
    made: bytes | Callable[[], bytes]
    findings: frozenset[tuple[str, str]]
    members: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        return self.made if isinstance(self.made, bytes) else self.made()


def zipped(*members: tuple[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", packing) as archive:
        warnings.simplefilter("ignore", UserWarning)  # it warns of a name that is there already
        for name, data in members:
            archive.writestr(name, data)
    return target.getvalue()


def tarred(*members: tuple[str | tarfile.TarInfo, bytes], mode: str = "w:gz") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for given, data in members:
            entry = tarfile.TarInfo(given) if isinstance(given, str) else given
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return target.getvalue()


def special(name: str, kind: bytes, link: str = "") -> tuple[tarfile.TarInfo, bytes]:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, link
    return entry, b""


def changed(data: bytes, *changes: tuple[int, bytes]) -> bytes:
    made = bytearray(data)
    for at, to in changes:
        made[at : at + len(to) if at + len(to) else None] = to
    return bytes(made)


def header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, raw_size: bytes = b"") -> bytes:
    """The header of a tar member, with a size field of one's own."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.size = kind, size
    block = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    if raw_size:
        block[124:136] = raw_size
        block[148:156] = b"%06o\0 " % (sum(block[:148]) + 8 * 32 + sum(block[156:512]))
    return bytes(block)


def hostile_archives() -> Sequence[Hostile]:
    """All of them. The big ones are made when they are asked for their bytes."""
    return [*_names(), *_kinds_of_members(), *_damaged(), *_bombs(), *_other_formats()]


def _case(
    name: str,
    data: bytes | Callable[[], bytes],
    *findings: tuple[str, str],
    members: tuple[str, ...] = (),
) -> Hostile:
    return Hostile(name, data, frozenset(findings), members)


def _names() -> list[Hostile]:
    out = [
        "../up",
        "a/../../b",
        "..",
        "C:\\x",
        "!/x",
        "x" * 5_000,
        "/".join("d" for _ in range(3_000)),
    ]
    refused = ("archive-member-refused", "")
    both = [(name, CONTENT) for name in [*out, "ok"]]
    cases = [
        _case(f"names.{kind}", data, refused, members=("ok",))
        for kind, data in (("zip", zipped(*both)), ("tgz", tarred(*both)))
    ]
    twice = (("a", b"1"), ("./a", b"2"))
    case = (("Routes.conf", b"1"), ("routes.conf", b"2"))
    for kind, pack in (("zip", zipped), ("tar.gz", tarred)):
        cases += [
            _case(f"twice.{kind}", pack(*twice), ("archive-member-twice", "a"), members=("a",)),
            _case(
                f"case.{kind}",
                pack(*case),
                ("archive-names-differ-in-case", "routes.conf"),
                members=("Routes.conf", "routes.conf"),
            ),
        ]
    latin = io.BytesIO()
    with tarfile.open(
        fileobj=latin, mode="w:gz", format=tarfile.GNU_FORMAT, encoding="latin-1"
    ) as archive:
        entry = tarfile.TarInfo("caf\u00e9")
        archive.addfile(entry)
    cp437 = zipped(("cafe", b""), packing=zipfile.ZIP_STORED).replace(b"cafe", b"caf\x82")
    no_utf8 = zipped(("caf\u00e9", b""), packing=zipfile.ZIP_STORED).replace(
        "caf\u00e9".encode(), b"caf\xe9x"
    )
    return [
        *cases,
        _case(
            "latin.tgz", latin.getvalue(), ("file-name-not-text", "caf\\xe9"), members=("caf\\xe9",)
        ),
        _case("cp437.zip", cp437, ("file-name-not-text", "caf\u00e9"), members=("caf\u00e9",)),
        _case("no-utf8.zip", no_utf8, ("archive-unreadable", "")),
    ]


def _kinds_of_members() -> list[Hostile]:
    specials = {
        "symlink": (tarfile.SYMTYPE, "/etc/passwd"),
        "hardlink": (tarfile.LNKTYPE, "../../etc/passwd"),
        "character": (tarfile.CHRTYPE, ""),
        "block": (tarfile.BLKTYPE, ""),
        "pipe": (tarfile.FIFOTYPE, ""),
        "sparse": (tarfile.GNUTYPE_SPARSE, ""),
    }
    packed = tarred(*(special(name, *kind) for name, kind in specials.items()), ("ok", CONTENT))
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    linked = io.BytesIO()
    with zipfile.ZipFile(linked, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("ok", CONTENT)
    two = zipped(("a", CONTENT), ("ok", CONTENT))
    encrypted = changed(two, (two.find(b"PK\x01\x02") + 8, b"\x01"))
    zip64 = io.BytesIO()
    with (
        zipfile.ZipFile(zip64, "w") as archive,
        archive.open("ok", "w", force_zip64=True) as member,
    ):
        member.write(CONTENT)
    refused = "archive-member-refused"
    return [
        _case("special.tgz", packed, *((refused, name) for name in specials), members=("ok",)),
        _case("link.zip", linked.getvalue(), (refused, "link"), members=("ok",)),
        _case("encrypted.zip", encrypted, (refused, "a"), members=("ok",)),
        _case("lzma.zip", zipped(("a", CONTENT), packing=zipfile.ZIP_LZMA), (refused, "a")),
        _case("zip64.zip", zip64.getvalue(), members=("ok",)),
        _case("devices.tar", header("c", tarfile.CHRTYPE) + bytes(1024), (refused, "c")),
    ]


def _damaged() -> list[Hostile]:
    noise = os.urandom(50_000)
    packed = tarred(("a", CONTENT), ("b", noise))
    plain = tarred(("a", CONTENT), ("b", CONTENT), mode="w")
    stored = zipped(("a", CONTENT), ("ok", b"fine"), packing=zipfile.ZIP_STORED)
    two = zipped(("a", b"y" * 100), ("b", b"z" * 100))
    second = two.find(b"PK\x01\x02", two.find(b"PK\x01\x02") + 4)
    lying = zipped(("a", b"y" * 100_000))
    small = struct.pack("<L", 5)
    unreadable = ("archive-unreadable", "")
    return [
        _case(
            "wrong-crc.zip",
            changed(stored, (stored.find(CONTENT), b"S")),
            ("archive-unreadable", "a"),
            members=("ok",),
        ),
        _case(
            "overlapping.zip",
            changed(two, (second + 42, bytes(4))),
            ("archive-unreadable", "b"),
            members=("a",),
        ),
        _case(
            "lying.zip",
            changed(
                lying,
                (lying.find(b"PK\x01\x02") + 24, small),
                (lying.find(b"PK\x03\x04") + 22, small),
            ),
            ("archive-unreadable", "a"),
        ),
        _case("cut.zip", two[: len(two) // 2], unreadable),
        _case("empty.zip", b"", unreadable),
        _case("cut.tgz", packed[: len(packed) - 20_000], unreadable, members=("a",)),
        _case("wrong-crc.tgz", changed(packed, (-8, b"\0\0\0\0")), unreadable, members=("a", "b")),
        _case(
            "wrong-length.tgz", changed(packed, (-4, b"\0\0\0\0")), unreadable, members=("a", "b")
        ),
        _case("garbage-behind.tgz", packed + b"garbage", unreadable, members=("a", "b")),
        _case(
            "second-behind.tgz",
            packed + tarred(("c", CONTENT)),
            ("archive-trailing-data", ""),
            members=("a", "b"),
        ),
        _case(
            "behind-the-end.tar",
            plain[:3072] + CONTENT.ljust(512, b"\0"),
            ("archive-trailing-data", ""),
            members=("a", "b"),
        ),
        _case("cut-in-header.tar", plain[:1124], unreadable, members=("a",)),
        _case("cut-between.tar", plain[:2048], unreadable, members=("a", "b")),
        _case(
            "damaged-header.tar",
            changed(plain, (1024 + 148, b"999999")),
            unreadable,
            members=("a",),
        ),
        _case("empty.tar", b"", unreadable),
        _case("no-gzip.tgz", plain, unreadable),
        _case("negative.tar", header("n", raw_size=b"\xff" * 12) + bytes(1024), unreadable),
    ]


def _bombs() -> list[Hostile]:
    def zeros() -> tuple[str, bytes]:
        return "a", bytes(80_000_000)

    def many() -> list[tuple[str, bytes]]:
        return [(f"f{number}", b"") for number in range(20_001)]

    def long_names() -> bytes:
        one = header("././@LongLink", tarfile.GNUTYPE_LONGNAME, 5) + b"abcd".ljust(512, b"\0")
        return gzip.compress(one * 5_000)

    names = tuple(sorted(f"f{number}" for number in range(20_000)))
    limit = ("archive-limit", "")
    deep = zipped(("in.zip", zipped(("in.zip", zipped(("a", CONTENT))))))
    endless = header("n", raw_size=b"\x80" + bytes(3) + b"\x7f" * 8)
    return [
        _case("bomb.zip", lambda: zipped(zeros()), ("file-too-large", "a")),
        _case("bomb.tgz", lambda: tarred(zeros()), ("file-too-large", "a")),
        _case(
            "many.zip", lambda: zipped(*many(), packing=zipfile.ZIP_STORED), limit, members=names
        ),
        _case("many.tgz", lambda: tarred(*many()), limit, members=names),
        _case("deep.zip", deep, ("archive-limit", "in.zip!/in.zip")),
        _case("long-names.tgz", long_names, ("archive-unreadable", "")),
        _case(
            "endless.tar",
            endless + bytes(10_240),
            ("archive-unreadable", ""),
            ("file-too-large", "n"),
        ),
    ]


def _other_formats() -> list[Hostile]:
    """What is no archive to us is a file like any other: its recognition says what it is."""
    plain = tarred(("a", CONTENT), mode="w")
    return [
        Hostile("packed.tar.bz2", bz2.compress(plain), frozenset(), ("",)),
        Hostile("alone.conf.gz", gzip.compress(CONTENT), frozenset(), ("",)),
        Hostile("renamed.conf", zipped(("a", CONTENT)), frozenset(), ("",)),
    ]
