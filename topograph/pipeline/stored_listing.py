"""Listing the files of an import that lie in storage behind Hadoop's file systems: with the rules
of ``topograph.store.listing``, so that the same files give the same snapshot wherever they lie.

A store is asked for all names below the folder at once; which of them are hidden, lie in a snapshot
or are too large is decided here.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import PurePosixPath

from topograph.credentials import without_user_info
from topograph.errors import InputError
from topograph.findings import Severity
from topograph.pipeline.hadoop import Entry, HadoopFiles
from topograph.rules.unnumbered import HIDDEN_FILE
from topograph.store.archives import DEFAULT, ArchiveLimits, is_archive, unpacked
from topograph.store.listing import IGNORE_FILE, Gathering, InputFile, Listing, reason_of
from topograph.store.names import DATA, MANIFEST, begins_snapshot, is_run


def name_in(place: str) -> str:
    """The last component of a URL; the name of its bucket or host where it has no path.

    >>> name_in("s3a://bucket/conf/estate/"), name_in("s3a://bucket/")
    ('estate', 'bucket')
    """
    return place.rstrip("/").rpartition("/")[2] or "root"


def list_stored(
    files: HadoopFiles,
    root: str,
    limits: ArchiveLimits = DEFAULT,
    modified: dict[str, int] | None = None,
) -> Listing:
    """Every file below the URL ``root``, itself a folder, a file or an archive; by path.
    ``modified`` gets the time of change of what is listed, in milliseconds: by path, of members of
    archives that of the archive.

    Raises InputError if there is nothing at ``root`` or it cannot be listed. Linear in the files;
    archives are fetched and unpacked once, in memory, within ``limits``.
    """
    try:
        top = files.status(root)
        found = files.files_below(root) if top.is_folder else [top]
    except OSError as error:
        shown = without_user_info(root, urls_only=True)
        raise InputError(f"{shown} cannot be read: {reason_of(error)}.") from error
    walk = _StoredWalk(files, limits, {} if modified is None else modified)
    if not top.is_folder:
        walk.add_file(name_in(top.place), top)
    elif found:
        walk.enter(_tree(top.place, found))
    return walk.listing()


_Folder = dict[str, "_Folder | Entry"]


def _tree(root: str, entries: Iterable[Entry]) -> _Folder:
    """The entries below a root by the names on their way. Linear in the names."""
    top: _Folder = {}
    start = len(root.rstrip("/")) + 1
    for entry in entries:
        *folders, name = entry.place[start:].split("/")
        at = top
        for folder in folders:
            inside = at.setdefault(folder, {})
            if isinstance(inside, Entry):  # an object store may have a/b and a
                inside = at[f"{folder}/"] = {}
            at = inside
        at[name] = entry
    return top


class _StoredWalk(Gathering):
    """One walk through the names of a store."""

    def __init__(self, files: HadoopFiles, limits: ArchiveLimits, modified: dict[str, int]) -> None:
        super().__init__(limits)
        self._store = files
        self._modified = modified

    def enter(self, top: _Folder) -> None:
        """List a folder and those below it; without recursion, for a tree may be deeper than the
        stack."""
        waiting = [("", top)]
        while waiting:
            folder, inside = waiting.pop()
            if folder and self._holds_snapshot(inside):
                continue
            self.count(entries=len(inside))
            for name in sorted(inside):
                found = inside[name]
                path = f"{folder}/{name.rstrip('/')}" if folder else name.rstrip("/")
                if name.startswith(".") and path != IGNORE_FILE:
                    message = "Hidden (its name begins with a dot): not read."
                    self.note(HIDDEN_FILE, Severity.INFO, path, message)
                elif isinstance(found, Entry):
                    self.add_file(path, found)
                else:
                    waiting.append((path, found))

    def _holds_snapshot(self, inside: _Folder) -> bool:
        data, manifest = inside.get(DATA), inside.get(MANIFEST)
        if isinstance(data, dict) and any(map(is_run, data)):
            return True
        if not isinstance(manifest, Entry):
            return False
        try:
            return begins_snapshot(self._store.beginning(manifest.place, 200))
        except OSError:  # read again with all others, which says so
            return False

    def add_file(self, path: str, entry: Entry) -> None:
        """List a file, or say why not."""
        if entry.is_link:
            self.leads_out(path)
            return
        if path in self.files:
            self.collided(path)
            return
        if not self.fits(path, entry.size):
            return
        if not is_archive(path):
            self.count(size=entry.size)
            self.files[path] = InputFile(path, entry.size, entry.place)
            self._modified[path] = entry.modified
            return
        try:
            data = self._store.read(entry.place, self.limits.archive_bytes, entry.size)
        except OSError as error:
            self.unreadable(path, error)
            return
        opened = unpacked(path, io.BytesIO(data), self.limits)
        self.findings.extend(opened.findings)
        self.count(len(opened.members), sum(map(len, opened.members.values())))
        for name, content in opened.members.items():
            self.files[name] = InputFile(name, len(content), entry.place, member=True)
            self._modified[name] = entry.modified


def lies_in(place: str, folder: str) -> bool:
    """Whether a URL is that of a folder, or lies below it.

    >>> lies_in("s3a://b/x/y", "s3a://b/x"), lies_in("s3a://b/xy", "s3a://b/x")
    (True, False)
    """
    return PurePosixPath(place).is_relative_to(PurePosixPath(folder))
