"""What an earlier import of the same folders spares this one (``--previous``): a network of which
no file changed keeps its tables, and none of its files is read but those that listing opens:
archives, patterns of files to leave out, and topograph.yaml.

Each run keeps what told the files apart when it listed them: size, times of change of content and
of entry, and the number in the file system, as git does. A file whose stamp is another one, or that
changed less than ``_SETTLED`` before it was listed, is read, and its digest decides. Anything else
that a network follows from (this program and its options, what listing found, the side inputs) is
compared too: where any of it differs, all is read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from topograph import extensions
from topograph.errors import SnapshotIncomplete, SnapshotNotFound, SnapshotOutdated, UsageError
from topograph.facts.plain import to_plain
from topograph.files import tally
from topograph.findings import Severity
from topograph.pipeline.import_report import NetworkReport
from topograph.pipeline.imported_network import ImportedNetwork, entry_of
from topograph.pipeline.output import Run
from topograph.rules.unnumbered import IMPORTER_FAILED, INTERNAL_ERROR
from topograph.store.listing import InputFile, read_bytes
from topograph.store.names import DATA, DIGESTS
from topograph.store.parquet import (
    NetworkEntry,
    ParquetSnapshot,
    TableFile,
    open_snapshot,
    run_path,
)
from topograph.store.readings import tool

LISTED = "listed.json"
"""In a run: what told the files apart when it listed them, and what else they were read with."""

_SETTLED = 2_000_000_000
"""Nanoseconds: a file that changed so shortly before it was listed may change again without another
time in the file system."""

Stamp = tuple[int, int, int, int]
"""Size, times of change of the content and of the entry in nanoseconds, and the number in the file
system."""


def stamps_of(files: Sequence[InputFile]) -> dict[str, Stamp]:
    """The stamps of listed files of this machine by path; taken before any of them is read. Not of
    files that may still be changing. Linear in the files."""
    latest = time.time_ns() - _SETTLED
    found = {}
    for file in files:
        with contextlib.suppress(OSError):  # gone: the stage that recognises files says so
            status = os.lstat(file.absolute)
            if max(status.st_mtime_ns, status.st_ctime_ns) < latest:
                found[file.path] = (
                    status.st_size,
                    status.st_mtime_ns,
                    status.st_ctime_ns,
                    status.st_ino,
                )
    return found


def about(network: ImportedNetwork, options: Mapping[str, Any]) -> str:
    """A digest of all that a network follows from but the contents of its files. Linear in what
    listing noted."""
    text = {
        "options": dict(options),
        "findings": to_plain(tuple(network.findings)),
        "reports": to_plain(tuple(network.reports)),
        "aliases": network.listing.aliases,
        "side_inputs": to_plain(network.side_inputs),
    }
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()


def keep_listed(run: Run, networks: Sequence[ImportedNetwork], options: Mapping[str, Any]) -> None:
    """Keep in a run what the next import compares. Linear in the files."""
    text = {
        "tool": _tool(),
        "networks": {
            network.name: {"about": about(network, options), "stamps": network.stamps}
            for network in networks
        },
    }
    (run.path / LISTED).write_text(json.dumps(text), "utf-8", "surrogatepass")


@dataclass
class Carried:
    """What an unchanged network is in the new snapshot: nothing of it is made anew."""

    entry: NetworkEntry
    report: NetworkReport
    files: tuple[TableFile, ...]


class Earlier:
    """A snapshot that an import made of the same folders."""

    def __init__(self, snapshot: ParquetSnapshot, options: Mapping[str, Any]) -> None:
        self._snapshot = snapshot
        self._options = options
        self._run = run_path(snapshot.root, snapshot.manifest.run)
        try:
            listed = json.loads((self._run / LISTED).read_text("utf-8", "surrogatepass"))
        except FileNotFoundError:
            listed = {}
        self.why_not = _why_not(listed)
        """Why nothing of it is kept; empty where something may be."""
        self._networks = {} if self.why_not else listed["networks"]
        self._digests: dict[str, dict[str, str]] = {}
        if self._networks:
            self._digests = json.loads((self._run / DIGESTS).read_text("utf-8", "surrogatepass"))
        self._files: dict[str, list[TableFile]] = {}
        for file in snapshot.manifest.files:
            self._files.setdefault(file.network, []).append(file)

    def release(self) -> None:
        """Let the run be removed: nothing more is read of it."""
        self._snapshot.release()

    def is_unchanged(self, network: ImportedNetwork) -> bool:
        """Whether a network that was just listed is the one of the snapshot; it gets its digests
        then. Linear in the files; reads those whose stamps differ."""
        known = self._networks.get(network.name)
        if known is None or known["about"] != about(network, self._options):
            return False
        digests = self._digests.get(network.name, {})
        if digests.keys() != {file.path for file in network.inputs}:
            return False
        stamps = known["stamps"]
        for file in network.inputs:
            if list(network.stamps.get(file.path, ())) != stamps.get(file.path):
                try:
                    data = read_bytes(file)
                except OSError:
                    return False
                if hashlib.sha256(data).hexdigest() != digests[file.path]:
                    return False
        if self._has_faults(network.name):
            return False
        network.digests = dict(digests)
        return True

    def _has_faults(self, network: str) -> bool:
        """Whether something of the network failed in topograph: it may have been too little memory
        at that moment."""
        (kinds,) = self._columns("findings", network, "kind")
        return not set(_FAULTS).isdisjoint(kinds)

    def _columns(self, table: str, network: str, *names: str) -> list[list[str]]:
        """Columns of texts of a table of a network. Linear in its rows."""
        files = [file for file in self._files.get(network, ()) if file.table == table]
        found: list[list[str]] = [[] for _ in names]
        for file in files:
            with pq.ParquetFile(self._snapshot.root / file.path, pre_buffer=False) as opened:
                rows = opened.read(list(names), use_threads=False)
            for values, name in zip(found, names, strict=True):
                values.extend(rows.column(name).to_pylist())
        return found

    def carried(self, network: ImportedNetwork, run: Run) -> Carried:
        """The tables of an unchanged network, as files of a new run: the same files under another
        name where the file system can do that."""
        snapshot = self._snapshot
        files = []
        for file in self._files.get(network.name, ()):
            path = str(PurePosixPath(DATA, run.name, *PurePosixPath(file.path).parts[2:]))
            target = run.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                target.hardlink_to(snapshot.root / file.path)
            except OSError:  # another file system, or one without such names
                shutil.copyfile(snapshot.root / file.path, target)
            files.append(replace(file, path=path))
        entry = replace(snapshot.entry(network.name), root=entry_of(network).root)
        return Carried(entry, self._report(entry, files), tuple(files))

    def _report(self, entry: NetworkEntry, files: Sequence[TableFile]) -> NetworkReport:
        name = entry.name
        sources = self._columns("sources", name, "path", "status", "role")
        rows = [_Source(*values) for values in zip(*sources, strict=True)]
        (found,) = self._columns("findings", name, "severity")
        return NetworkReport(
            name=name,
            root=entry.root,
            systems=entry.systems,
            servers=entry.servers,
            links=entry.links,
            points=entry.points,
            forwards=entry.forwards,
            facts=sum(file.rows for file in files if file.table == "facts"),
            files=tally(rows),  # type: ignore[arg-type]  # of reports it needs these alone
            findings={
                str(severity): found.count(severity)
                for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
            },
            unreadable=tuple(
                sorted(row.path for row in rows if row.role == "main" and row.status == "not-read")
            ),
        )


class _Source(NamedTuple):
    path: str
    status: str
    role: str


_REDACTED = (
    "--previous does not go with redaction: a redacted snapshot does not say what its files were "
    "called. Import without --previous."
)

_FAULTS = (INTERNAL_ERROR.kind, IMPORTER_FAILED.kind)
"""Kinds of findings about a fault of topograph."""


def _tool() -> str:
    """A digest of this program, as far as a snapshot follows from it."""
    return hashlib.sha256(json.dumps(tool()).encode()).hexdigest()


def _why_not(listed: Mapping[str, Any]) -> str:
    if not listed:
        return "it does not say when its files were changed"
    if listed["tool"] != _tool():
        return "it was made by another version of topograph"
    if extensions.known_from_outside():
        return "a package adds systems, whose rules may have changed"
    return ""


def earlier_import(previous: str | os.PathLike[str], options: Mapping[str, Any]) -> Earlier | None:
    """The import that made the snapshot ``previous``; None where there is no finished one, or one
    of another schema: all is read then, as the first time.

    Raises UsageError for a redacted one, which does not say what its files were called, InputError
    for one that is damaged."""
    try:
        snapshot = open_snapshot(previous)
    except (SnapshotNotFound, SnapshotIncomplete, SnapshotOutdated):
        return None
    if snapshot.redaction:
        raise UsageError(_REDACTED)
    return Earlier(snapshot, options)
