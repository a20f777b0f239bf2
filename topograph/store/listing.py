"""Listing the files of an import: everything under a root, and a finding for everything that is not
opened.

What is hidden, linked out of the root, oversized, unreadable or no regular file is never opened and
never silently dropped. Archives are opened by ``topograph.store.archives``; their members stand in
the listing as ``archive.zip!/member``.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from topograph.errors import InputError
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.unnumbered import (
    FILE_NAME_COLLISION,
    FILE_NAME_NOT_TEXT,
    FILE_TOO_LARGE,
    HIDDEN_FILE,
    LINK_BROKEN,
    LINK_FOLLOWED,
    LINK_OUT_OF_ROOT,
    SPECIAL_FILE,
    UNREADABLE_FILE,
    UNREADABLE_FOLDER,
)
from topograph.store.archives import (
    DEFAULT,
    ArchiveLimits,
    descriptor_of,
    is_archive,
    opened,
    unpack,
)
from topograph.store.names import holds_snapshot, may_be_snapshot


@record
class InputFile:
    """A file to read. ``path`` is relative to the imported root, with ``/``; ``size`` in bytes;
    ``absolute`` the real file on disk.

    For a member of an archive ``absolute`` is the archive and ``member`` is True. Where a name is
    no text, ``path`` writes its bytes as ``\\xff`` and ``absolute`` keeps them (as surrogates), so
    that the file can still be opened.
    """

    path: str
    size: int
    absolute: str
    member: bool = False


@record
class Listing:
    """The files by path. ``aliases`` are (link, place) pairs: a link inside the root to a file
    or folder that is listed at its place.
    """

    files: tuple[InputFile, ...]
    findings: tuple[Finding, ...]
    aliases: tuple[tuple[str, str], ...] = ()
    limits: ArchiveLimits = DEFAULT
    left_out: tuple[tuple[str, str], ...] = ()
    """The files that patterns leave out, and why in words."""

    @property
    def skipped(self) -> dict[str, str]:
        """Path to finding kind, of what is there and is not read; ``LEFT_OUT`` where a pattern
        says so."""
        listed = {file.path for file in self.files}
        return dict.fromkeys((path for path, _ in self.left_out), LEFT_OUT) | {
            finding.source.file: finding.kind
            for finding in self.findings
            if finding.kind not in _NOTES and finding.source.file not in listed
        }

    @property
    def reports(self) -> tuple[FileReport, ...]:
        """A row of ``show files`` for each path that is skipped, by path; ``partly-read`` for an
        archive of which some members are read.
        """
        opened = {file.path.partition("!/")[0] for file in self.files if file.member}
        told = dict(self.left_out)
        return tuple(
            FileReport(
                path, "partly-read" if path in opened else "skipped", note=told.get(path, kind)
            )
            for path, kind in sorted(self.skipped.items())
        )


LEFT_OUT = "left-out"
"""In place of the kind of a finding, of a file that a pattern leaves out."""

IGNORE_FILE = ".topographignore"
"""At the root of a folder it lists patterns of files that are left out. Hidden, and read."""

_NOTES = frozenset({"link-followed", "file-name-not-text"})
"""Kinds that say something about a file without its being skipped."""


def network_name(root: Path) -> str:
    """What the network of an imported path is called: its last component, as text."""
    return _text(root.resolve().name or "root")


def reason_of(error: OSError) -> str:
    """Why a file cannot be read, without the folders of this machine that an error names too."""
    return error.strerror or type(error).__name__


class TooMuch(Exception):
    """There is more under the root than ``limits`` admit altogether; the text says more than
    what.
    """


def list_inputs(root: Path, *, limits: ArchiveLimits = DEFAULT) -> Listing:
    """Every file under ``root``, itself a folder, a file or an archive; by path, the same on every
    machine.

    Snapshots that lie under the root are passed over: they were made of configuration and are none.
    Raises InputError if there is nothing at ``root`` or it cannot be opened at all, TooMuch beyond
    the bounds of ``limits`` on the whole. Linear in the entries under the root; archives are
    unpacked once, in memory, within ``limits``.
    """
    try:
        real = root.resolve(strict=True)
        mode = real.stat().st_mode
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{root} cannot be read: {_reason(error)}.") from error
    walk = _Walk(str(real), limits)
    if stat.S_ISDIR(mode):
        walk.run()
    else:
        walk.base = os.path.dirname(walk.base)  # noqa: PTH120
        walk.add_file(_text(root.name or real.name), str(real))
    return walk.listing()


def read_bytes(file: InputFile, *, limits: ArchiveLimits = DEFAULT) -> bytes:
    """The content of a listed file. Raises OSError (``strerror`` says why) if it has gone, grown
    beyond the limit or cannot be read.

    Members of one archive are best read one after another: the archive read last is kept unpacked.
    ``limits`` as in the listing.
    """
    if not file.member:
        return _read(file.absolute, limits.file_bytes)
    archive = file.path.partition("!/")[0]
    members = unpack(archive, file.absolute, _stamp(file.absolute), limits).members
    if file.path not in members:
        raise OSError(errno.ENOENT, "it is no longer in its archive", file.path)
    return members[file.path]


class Gathering:
    """What a walk through folders has found so far, and how much of its limits that takes."""

    def __init__(self, limits: ArchiveLimits) -> None:
        self.limits = limits
        self.files: dict[str, InputFile] = {}
        self.findings: list[Finding] = []
        self.aliases: dict[str, str] = {}
        self._entries = 0
        self._bytes = 0

    def count(self, entries: int = 0, size: int = 0) -> None:
        """Charge what was found. Raises TooMuch."""
        self._entries += entries
        self._bytes += size
        if self.limits.entries is not None and self._entries > self.limits.entries:
            raise TooMuch(f"more than {self.limits.entries:,} files and folders")
        if self.limits.total_bytes is not None and self._bytes > self.limits.total_bytes:
            raise TooMuch(f"more than {self.limits.total_bytes // 2**20:,} MB")

    def listing(self) -> Listing:
        """What was found, by path."""
        return Listing(
            tuple(self.files[path] for path in sorted(self.files)),
            tuple(sorted(self.findings, key=lambda finding: (finding.source, finding.kind))),
            tuple(sorted(self.aliases.items())),
            self.limits,
        )

    def note(self, kind: FindingKind, severity: Severity, path: str, message: str) -> None:
        """Add a finding about a path of the listing, empty for its folder."""
        self.findings.append(kind.at(Source(path or "."), message, severity=severity))

    def alias(self, path: str, listed: str) -> None:
        """Note that a link is another name of what is listed already, empty for the folder."""
        self.aliases[path] = listed
        message = (
            f"This link is another name of {listed or 'the imported folder'}, which is read once."
        )
        self.note(LINK_FOLLOWED, Severity.INFO, path, message)

    def leads_out(self, path: str) -> None:
        """Note a link to a place outside of the folder."""
        message = "This link leads out of the imported folder: not followed."
        self.note(LINK_OUT_OF_ROOT, Severity.WARNING, path, message)

    def leads_nowhere(self, path: str, because: str) -> None:
        """Note a link that leads to nothing."""
        self.note(LINK_BROKEN, Severity.WARNING, path, f"This link leads nowhere: {because}.")

    def fits(self, path: str, size: int) -> bool:
        """Whether a file is small enough to be read; noted where it is not."""
        limit = self.limits.archive_bytes if is_archive(path) else self.limits.file_bytes
        if size > limit:
            message = f"This file has {size:,} bytes; at most {limit:,} are read."
            self.note(FILE_TOO_LARGE, Severity.WARNING, path, message)
        return size <= limit

    def unreadable(self, path: str, error: OSError) -> None:
        """Note a file that cannot be read."""
        message = f"This file cannot be read: {_reason(error)}."
        self.note(UNREADABLE_FILE, Severity.ERROR, path, message)

    def collided(self, path: str) -> None:
        """Note a second file that gets the name of another."""
        message = (
            "Two files have this name once bytes that are not text are written out: the "
            "second is not read."
        )
        self.note(FILE_NAME_COLLISION, Severity.ERROR, path, message)

    def not_text(self, path: str) -> None:
        """Note a file whose name is not UTF-8 text."""
        message = (
            "The name of this file is not UTF-8 text; it is written with \\x.. for the "
            "bytes that are not."
        )
        self.note(FILE_NAME_NOT_TEXT, Severity.INFO, path, message)


class _Walk(Gathering):
    """One walk. Folders are entered once by their real place; links are looked at when all that
    is not a link is known.
    """

    def __init__(self, base: str, limits: ArchiveLimits) -> None:
        super().__init__(limits)
        self.base = base
        self.places: dict[str, str] = {}
        """Real path of every folder entered and file listed, to its path in the listing."""
        self.links: list[tuple[str, str]] = []

    def run(self) -> None:
        self.enter("", self.base)
        while self.links:
            waiting, self.links = sorted(self.links), []
            for path, absolute in waiting:
                self.follow(path, absolute)

    def enter(self, path: str, absolute: str) -> None:
        """List a folder and those below it; without recursion, for a tree may be deeper than the
        stack.
        """
        self.places[absolute] = path
        waiting = [(path, absolute)]
        while waiting:
            folder, place = waiting.pop()
            try:
                with os.scandir(place) as entries:
                    found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
            except OSError as error:
                self.note(
                    UNREADABLE_FOLDER,
                    Severity.ERROR,
                    folder,
                    f"This folder cannot be read: {_reason(error)}.",
                )
                continue
            if (
                folder
                and may_be_snapshot({entry.name for entry in found})
                and holds_snapshot(Path(place))
            ):
                continue
            self.count(entries=len(found))
            for entry in found:
                inner = f"{folder}/{_text(entry.name)}" if folder else _text(entry.name)
                if entry.name.startswith(".") and inner != IGNORE_FILE:
                    self.note(
                        HIDDEN_FILE,
                        Severity.INFO,
                        inner,
                        "Hidden (its name begins with a dot): not read.",
                    )
                elif entry.is_symlink():
                    self.links.append((inner, entry.path))
                elif entry.path in self.places:
                    self.alias(inner, self.places[entry.path])
                elif entry.is_dir(follow_symlinks=False):
                    self.places[entry.path] = inner
                    waiting.append((inner, entry.path))
                else:
                    self.add_file(inner, entry.path)

    def follow(self, path: str, absolute: str) -> None:
        """A link: to a place outside the root never; to a listed place as an alias; to any other
        place in the root as if it lay here.
        """
        try:
            real = os.path.realpath(absolute, strict=True)
        except (OSError, ValueError) as error:
            self.leads_nowhere(path, _reason(error))
            return
        if real != self.base and not real.startswith(self.base.rstrip(os.sep) + os.sep):
            self.leads_out(path)
        elif real in self.places:
            self.alias(path, self.places[real])
        elif os.path.isdir(real):  # noqa: PTH112
            self.enter(path, real)
        else:
            self.add_file(path, real)

    def add_file(self, path: str, absolute: str) -> None:
        """List a file that is no link, or say why not."""
        try:
            status = os.lstat(absolute)
        except OSError as error:
            self.unreadable(path, error)
            return
        if not stat.S_ISREG(status.st_mode):
            kind = _SPECIAL.get(stat.S_IFMT(status.st_mode), "no regular file")
            self.note(SPECIAL_FILE, Severity.WARNING, path, f"This is {kind}: not opened.")
            return
        self.places[absolute] = path
        if path in self.files:
            self.collided(path)
            return
        if not self.fits(path, status.st_size):
            return
        if not _opens(absolute):
            self.note(UNREADABLE_FILE, Severity.ERROR, path, "This file cannot be opened.")
            return
        if "\\x" in path and _is_not_text(absolute):
            self.not_text(path)
        if not is_archive(path):
            self.count(size=status.st_size)
            self.files[path] = InputFile(path, status.st_size, absolute)
            return
        try:
            unpacked = unpack(path, absolute, _stamp(absolute), self.limits)
        except OSError as error:
            self.unreadable(path, error)
            return
        self.findings.extend(unpacked.findings)
        self.count(len(unpacked.members), sum(map(len, unpacked.members.values())))
        for name, content in unpacked.members.items():
            self.files[name] = InputFile(name, len(content), absolute, member=True)


_CHUNK = 2**20
"""Bytes that are read at a time."""

_SPECIAL = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a block device",
    stat.S_IFCHR: "a character device",
}


def _opens(absolute: str) -> bool:
    try:
        os.close(descriptor_of(absolute))
    except OSError:
        return False
    return True


def _read(absolute: str, limit: int) -> bytes:
    descriptor, expected = opened(absolute)
    try:
        # A byte more than there is: where that many come, nothing is left to be read.
        chunks = [os.read(descriptor, min(expected + 1, _CHUNK))]
        size = len(chunks[0])
        if size == expected <= limit:
            return chunks[0]
        while len(chunks[-1]) and size <= limit:
            chunks.append(os.read(descriptor, _CHUNK))
            size += len(chunks[-1])
    finally:
        os.close(descriptor)
    if size > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", absolute)
    return b"".join(chunks)


def _stamp(absolute: str) -> tuple[int, int]:
    """What changes when an archive does, so that one kept unpacked is not taken for its
    successor.
    """
    status = os.lstat(absolute)
    return status.st_mtime_ns, status.st_size


def _text(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 are written as ``\\xff``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _is_not_text(absolute: str) -> bool:
    try:
        os.fsencode(absolute).decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
