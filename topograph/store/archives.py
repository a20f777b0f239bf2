"""Archives of an import: zip, tar and tar.gz, unpacked in memory within limits. Nothing is ever
written to disk.

Archives are hostile until proven otherwise: the expanded bytes, the members and the depth of
archives in archives are bounded over the whole outer archive, sizes that a header declares are not
believed, and names that climb out of the archive are refused.
"""

from __future__ import annotations

# The readers of archives are imported where they are used: most folders hold none.
import errno
import io
import os
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO

from topograph.findings import Finding, Severity, Source
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.unnumbered import (
    ARCHIVE_LIMIT,
    ARCHIVE_MEMBER_REFUSED,
    ARCHIVE_MEMBER_TWICE,
    ARCHIVE_NAMES_DIFFER_IN_CASE,
    ARCHIVE_TRAILING_DATA,
    ARCHIVE_UNREADABLE,
    FILE_NAME_NOT_TEXT,
    FILE_TOO_LARGE,
    HIDDEN_FILE,
)


@record
class ArchiveLimits:
    """Bounds of an import. Sizes in bytes: one file; one archive, packed and with all it expands
    to. ``archive_members`` counts entries of an archive with those of archives inside it;
    ``archive_depth`` 1 means that archives inside archives are not opened. ``entries`` and
    ``total_bytes`` bound the whole listing (files and folders; what is read, unpacked), None for
    no bound: beyond them it is given up."""

    file_bytes: int = 64 * 2**20
    archive_bytes: int = 256 * 2**20
    archive_members: int = 20_000
    archive_depth: int = 2
    entries: int | None = None
    total_bytes: int | None = None


DEFAULT = ArchiveLimits()

_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")


@record
class Unpacked:
    """The members of an archive by full path (``a.zip!/b/c.conf``), with those of archives in
    it, and what was noticed.
    """

    members: dict[str, bytes]
    findings: tuple[Finding, ...]


def is_archive(path: str) -> bool:
    """Whether a path names an archive that is opened.

    >>> is_archive("dump.TAR.GZ"), is_archive("routes.conf.gz")
    (True, False)
    """
    return path.lower().endswith(_SUFFIXES)


@lru_cache(maxsize=1)
def unpack(path: str, absolute: str, stamp: tuple[int, int], limits: ArchiveLimits) -> Unpacked:  # noqa: ARG001
    """Unpack the archive at ``absolute``, called ``path`` in the listing. The last one stays in
    memory (``stamp`` tells its versions apart).

    Raises OSError if it cannot be opened; whatever is wrong inside is a finding. Linear in the
    expanded bytes, which are bounded.
    """
    with open_regular(absolute) as stream:
        return unpacked(path, stream, limits)


def unpacked(path: str, stream: IO[bytes], limits: ArchiveLimits) -> Unpacked:
    """Unpack an archive that is open already; see ``unpack``."""
    budget = _Budget(limits)
    try:
        budget.unpack(path, stream, 1)
    except _Spent as spent:
        message = f"{spent} What comes after it in the archive is not read."
        budget.note(ARCHIVE_LIMIT, Severity.ERROR, path, message)
    budget.note_names()
    return Unpacked(budget.members, tuple(budget.findings))


def open_regular(absolute: str) -> IO[bytes]:
    """Open a file for reading; neither follows a link put there since it was listed nor waits on
    a pipe. Raises OSError.
    """
    return os.fdopen(descriptor_of(absolute), "rb")


def descriptor_of(absolute: str) -> int:
    """As ``open_regular``, without a stream around the descriptor, which takes longer than
    reading a small file.
    """
    return opened(absolute)[0]


def opened(absolute: str) -> tuple[int, int]:
    """The descriptor of ``descriptor_of``, and how many bytes the file has."""
    descriptor = os.open(absolute, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", absolute)
    return descriptor, status.st_size


class _Spent(Exception):
    """A limit over the whole outer archive is reached: nothing more of it is unpacked."""


@dataclass
class _Budget:
    """What an outer archive may still cost, and what it gave."""

    limits: ArchiveLimits
    members: dict[str, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    expanded: int = 0
    entries: int = 0

    def note(self, kind: FindingKind, severity: Severity, path: str, message: str) -> None:
        self.findings.append(kind.at(Source(path), message, severity=severity))

    def unpack(self, path: str, stream: IO[bytes], depth: int) -> None:
        entries = (
            self.zip_entries(path, stream)
            if path.lower().endswith(".zip")
            else self.tar_entries(path, stream)
        )
        try:
            for name, content in entries:
                self.add(f"{path}!/{name}", content, depth)
        except _Spent:
            raise
        except (
            Exception
        ) as error:  # the readers of the standard library raise almost anything on damaged bytes
            message = (
                f"This archive is damaged or of an unknown kind ({type(error).__name__}): "
                "not read from there on."
            )
            self.note(ARCHIVE_UNREADABLE, Severity.ERROR, path, message)

    def add(self, path: str, content: bytes, depth: int) -> None:
        if is_archive(path) and depth < self.limits.archive_depth:
            self.unpack(path, io.BytesIO(content), depth + 1)
            return
        if is_archive(path):
            message = f"Archives are opened {self.limits.archive_depth} deep: this one is not read."
            self.note(ARCHIVE_LIMIT, Severity.WARNING, path, message)
            return
        if path in self.members:
            message = (
                "The archive has this member more than once: the last one is read, as "
                "unpacking would."
            )
            self.note(ARCHIVE_MEMBER_TWICE, Severity.WARNING, path, message)
        self.members[path] = content

    def zip_entries(self, path: str, stream: IO[bytes]) -> Iterator[tuple[str, bytes]]:
        import zipfile

        if _directory_size(stream) > _DIRECTORY_BYTES:
            raise _Spent(f"Its table of contents has more than {_DIRECTORY_BYTES:,} bytes.")
        with zipfile.ZipFile(stream) as archive:
            for entry in archive.infolist():
                self.count()
                name = self.accepted(path, entry.filename)
                if name is None or entry.is_dir():
                    continue
                member = f"{path}!/{name}"
                if not entry.flag_bits & _NAME_IS_UTF8 and not name.isascii():
                    message = (
                        "The archive does not say in which encoding this name is: read as "
                        "code page 437."
                    )
                    self.note(FILE_NAME_NOT_TEXT, Severity.INFO, member, message)
                if entry.flag_bits & 1:
                    self.note(
                        ARCHIVE_MEMBER_REFUSED,
                        Severity.WARNING,
                        member,
                        "This member is encrypted: not read.",
                    )
                elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    message = "This member is packed in a way that is not supported: not read."
                    self.note(ARCHIVE_MEMBER_REFUSED, Severity.WARNING, member, message)
                elif (entry.external_attr >> 16) & 0o170000 == 0o120000:
                    self.note(
                        ARCHIVE_MEMBER_REFUSED,
                        Severity.WARNING,
                        member,
                        "Links in archives are not followed.",
                    )
                elif self.fits(member, entry.file_size):
                    try:
                        with archive.open(entry) as packed:
                            content = self.take(packed)
                    except _Spent:
                        raise
                    except Exception as error:  # damaged, or not what its header says
                        message = f"This member is damaged ({type(error).__name__}): not read."
                        self.note(ARCHIVE_UNREADABLE, Severity.ERROR, member, message)
                        continue
                    yield name, content

    def tar_entries(self, path: str, stream: IO[bytes]) -> Iterator[tuple[str, bytes]]:
        import gzip
        import tarfile

        packed = not path.lower().endswith(".tar")
        plain: IO[bytes] = gzip.GzipFile(fileobj=stream) if packed else stream  # type: ignore[assignment]
        bounded = _Bounded(plain, self.limits.archive_bytes)
        with tarfile.open(fileobj=bounded, mode="r|") as archive:
            for entry in archive:
                self.count()
                if entry.size < 0:
                    raise tarfile.ReadError("negative size")
                name = self.accepted(path, entry.name)
                if name is None or entry.isdir():
                    continue
                member = f"{path}!/{name}"
                if _has_surrogates(entry.name):
                    message = (
                        "The name of this member is not UTF-8 text; it is written with \\x.. "
                        "for the bytes that are not."
                    )
                    self.note(FILE_NAME_NOT_TEXT, Severity.INFO, member, message)
                if not entry.isreg() or entry.issparse():
                    message = "Links, devices and sparse files in archives are not read."
                    self.note(ARCHIVE_MEMBER_REFUSED, Severity.WARNING, member, message)
                elif self.fits(member, entry.size):
                    content = archive.extractfile(entry)
                    if content is not None:
                        yield name, self.take(content)
            end = archive.offset
        self.check_end(path, bounded, end)

    def check_end(self, path: str, bounded: _Bounded, end: int) -> None:
        """Whether a tar ends as it should behind its last member: the reader stops at what is no
        member without a word.
        """
        mark = bounded.last[max(0, end - (bounded.drawn - len(bounded.last))) :]
        if len(mark) < _TAR_BLOCK or mark[:_TAR_BLOCK].strip(b"\0"):
            message = (
                "This archive is damaged or cut off: what lies behind its last readable "
                "member is not read."
            )
            self.note(ARCHIVE_UNREADABLE, Severity.ERROR, path, message)
            return
        more = bool(mark.strip(b"\0"))
        try:
            # To the end, for the checksum of a packed archive stands there.
            while chunk := bounded.read(_TAR_RECORD):
                more = more or bool(chunk.strip(b"\0"))
        except _Spent:
            raise
        except Exception as error:
            message = (
                f"The end of this archive is damaged ({type(error).__name__}): what was read "
                "of it may be wrong."
            )
            self.note(ARCHIVE_UNREADABLE, Severity.ERROR, path, message)
            return
        if more:
            message = "Something lies behind the end of this archive: not read."
            self.note(ARCHIVE_TRAILING_DATA, Severity.WARNING, path, message)

    def count(self) -> None:
        self.entries += 1
        if self.entries > self.limits.archive_members:
            raise _Spent(f"It has more than {self.limits.archive_members:,} members.")

    def accepted(self, path: str, written: str) -> str | None:
        """The name of a member with ``/``, as from the top of the archive (tar drops a leading
        slash too); None (with a finding) if it climbs out or is hidden.
        """
        name = _text(written.replace("\\", "/"))
        if len(name) > _NAME_CHARACTERS:
            message = (
                f"A member has a name of {len(name):,} characters, at most "
                f"{_NAME_CHARACTERS:,} are taken: {name[:80]!r}... refused."
            )
            self.note(ARCHIVE_MEMBER_REFUSED, Severity.WARNING, path, message)
            return None
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if ".." in parts or not parts or parts[0][1:2] == ":" or "\0" in name or "!/" in name:
            shown = "".join(
                character if character.isprintable() else "?" for character in name[:200]
            )
            message = f"The member {shown!r} has a name that leads out of the archive: refused."
            self.note(ARCHIVE_MEMBER_REFUSED, Severity.WARNING, path, message)
            return None
        if any(part.startswith(".") for part in parts):
            message = "Hidden (its name begins with a dot): not read."
            self.note(HIDDEN_FILE, Severity.INFO, f"{path}!/{'/'.join(parts)}", message)
            return None
        return "/".join(parts)

    def note_names(self) -> None:
        """Say which members would replace each other on a file system that does not tell case
        apart; here they are all read.
        """
        first: dict[str, str] = {}
        for member in self.members:
            other = first.setdefault(member.casefold(), member)
            if other != member:
                message = (
                    f"Its name differs from that of {other} in case only: unpacked "
                    "elsewhere, one would replace the other."
                )
                self.note(ARCHIVE_NAMES_DIFFER_IN_CASE, Severity.INFO, member, message)

    def fits(self, member: str, size: int) -> bool:
        """Whether the size that the header declares is within the limit of one file."""
        if size <= self.limits.file_bytes:
            return True
        message = f"This member has {size:,} bytes; at most {self.limits.file_bytes:,} are read."
        self.note(FILE_TOO_LARGE, Severity.WARNING, member, message)
        return False

    def take(self, stream: IO[bytes]) -> bytes:
        """The content of a member; what it really expands to is charged, whatever its header
        says.
        """
        left = self.limits.archive_bytes - self.expanded
        content = stream.read(min(left, self.limits.file_bytes) + 1)
        self.expanded += len(content)
        if len(content) > min(left, self.limits.file_bytes):
            raise _Spent(f"It expands to more than {self.limits.archive_bytes:,} bytes.")
        return content


class _Bounded(io.RawIOBase):
    """A stream that ends the unpacking once more than ``limit`` bytes were drawn: a tar has to be
    expanded even to be skipped.

    ``last`` is what was drawn last. Who goes on reading behind the end, as tarfile does to skip a
    member that claims more bytes than there are (up to 2^63 of them), gets an EOFError.
    """

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        super().__init__()
        self.stream = stream
        self.limit = limit
        self.drawn = 0
        self.last = b""
        self.empty = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        wanted = self.limit + 1 - self.drawn
        content = self.stream.read(wanted if size < 0 else min(size, wanted))
        self.drawn += len(content)
        if self.drawn > self.limit:
            raise _Spent(f"It expands to more than {self.limit:,} bytes.")
        if content:
            self.last = content
        elif size:
            self.empty += 1
            if self.empty > _READS_BEHIND_THE_END:
                raise EOFError("a member ends behind the end of the archive")
        return content


_TAR_BLOCK = 512
_TAR_RECORD = 20 * _TAR_BLOCK
_READS_BEHIND_THE_END = 16
_NAME_CHARACTERS = 4_096
_NAME_IS_UTF8 = 0x800
"""The flag of a zip entry."""


def _has_surrogates(name: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in name)


def _text(name: str) -> str:
    """A name as text: bytes that are no UTF-8 are written as ``\\xff``, as in the listing of
    files.
    """
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode()


_DIRECTORY_BYTES = 16 * 2**20
"""Of a zip's table of contents: over 100,000 entries. It is read whole before the first entry
can be counted.
"""


def _directory_size(stream: IO[bytes]) -> int:
    """The size of the table of contents as the end records of a zip state it (with the zip64
    record, where there is one); 0 if there is none.
    """
    end = stream.seek(0, io.SEEK_END)
    start = max(0, end - 65_557 - 76)
    stream.seek(start)
    tail = stream.read()
    stream.seek(0)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + 22 > len(tail):
        return 0
    size: int = struct.unpack_from("<L", tail, at + 12)[0]
    if (
        at >= 76
        and tail[at - 20 : at - 16] == b"PK\x06\x07"
        and tail[at - 76 : at - 72] == b"PK\x06\x06"
    ):
        size = max(
            size if size != 0xFFFFFFFF else 0, struct.unpack_from("<Q", tail, at - 76 + 40)[0]
        )
    return size
