"""What an earlier import of the same folders spares this one (``--previous``): a network of which
no file changed keeps its tables, and of others the files that did not change are not read again
(``pipeline.reuse``), but for those that listing opens: archives, patterns of files to leave out,
and topograph.yaml.

Each run keeps what told the files apart when it listed them (``pipeline.stamps``). A file whose
stamp is another one, or that changed shortly before it was listed, is read, and its digest decides.
What else a network follows from (the options, what listing found, the side inputs) is compared too:
where any of it differs, the network is planned and compiled anew. Nothing is kept from another
version of this program.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from topograph import extensions
from topograph.errors import SnapshotIncomplete, SnapshotNotFound, SnapshotOutdated, UsageError
from topograph.files import tally
from topograph.findings import Severity
from topograph.local_paths import is_storage, scheme_of, storage_or_path
from topograph.pipeline import hadoop
from topograph.pipeline.import_report import NetworkReport
from topograph.pipeline.imported_network import ImportedNetwork, entry_of
from topograph.pipeline.input_digests import InputDigests
from topograph.pipeline.kept_parts import LISTED, PARTS, Keeper, Kept, NotKept
from topograph.pipeline.output import Run
from topograph.pipeline.places import content, copy_part, opened, snapshot_at
from topograph.pipeline.reading_tasks import FAULTS
from topograph.pipeline.reuse import EarlierBundles, EarlierFiles, Reused
from topograph.pipeline.stamps import is_timed_by_store
from topograph.pipeline.stored_output import StoredRun, stored_manifest
from topograph.store.names import DATA
from topograph.store.parquet import (
    FORMAT,
    NetworkEntry,
    ParquetSnapshot,
    TableFile,
    open_snapshot,
    parse_manifest,
    run_path,
)
from topograph.store.readings import tool
from topograph.store.snapshot import SCHEMA_VERSION


def keep_listed(
    keeper: Keeper,
    networks: Sequence[ImportedNetwork],
    options: Mapping[str, Any],
    run: Run | StoredRun,
) -> None:
    """Keep in a run what the next import compares; all else is kept already. Linear in the
    networks."""
    keeper.end(_tool(), {network.name: _about(network, options) for network in networks})
    if isinstance(run, StoredRun):
        for name in (PARTS, LISTED):
            hadoop.files().send(keeper.folder / name, f"{run.path}/{name}")


def _about(network: ImportedNetwork, options: Mapping[str, Any]) -> str:
    """A digest of all that a network follows from but the contents of its files."""
    text = json.dumps([network.about, dict(options)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


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
        self._place = snapshot.place
        if not is_storage(self._place):
            self._place = str(Path(self._place).absolute())  # workers have another folder
        self._options = options
        self._fetched = TemporaryDirectory(prefix="topograph-previous-")
        self.why_not = ""
        """Why nothing of it is kept; empty where something may be."""
        try:
            self._kept: Kept | None = self._what_is_kept()
        except NotKept as reason:
            self._kept = None
            self.why_not = str(reason)
        self._files: dict[str, list[TableFile]] = {}
        for file in snapshot.manifest.files:
            self._files.setdefault(file.network, []).append(file)

    def release(self) -> None:
        """Let the run be removed: nothing more is read of it."""
        self._snapshot.release()
        self._fetched.cleanup()

    def _what_is_kept(self) -> Kept:
        if extensions.known_from_outside():
            raise NotKept("a package adds systems, whose rules may have changed")
        run = self._snapshot.manifest.run
        folder = run_path(Path(self._place), run)
        if is_storage(self._place):
            folder = Path(self._fetched.name)
            for name in (LISTED, PARTS):
                with contextlib.suppress(FileNotFoundError):
                    hadoop.files().fetch(f"{self._place}/{DATA}/{run}/{name}", folder / name)
        return Kept(folder, _tool())

    def is_unchanged(self, network: ImportedNetwork) -> bool:
        """Whether a network that was just listed is the one of the snapshot: it gets its digests
        then, else what can be taken of it. Linear in the files; reads those whose stamps differ
        until one is another."""
        if self._kept is None or network.stamps is None:
            return False
        try:
            files = EarlierFiles(self._kept, network.name)
            bundles = EarlierBundles(self._kept, network.name)
        except NotKept:
            return False
        rows = files.unchanged(network.files, network.stamps)
        if (
            self._kept.about(network.name) == _about(network, self._options)
            and files.has_paths_of(network.files)
            and bundles.all_sound()
            and not self._has_faults(network.name)
            and _have_contents(network, files, rows)
        ):
            table = files.seen.table
            network.digests = InputDigests(table["path"], table["sha256"])
            return True
        network.reused = Reused(
            files.chosen(rows[rows >= 0]),
            network.files.chosen(np.flatnonzero(rows < 0)),
            bundles,
            self._place,
            [file for file in self._files.get(network.name, ()) if file.table == "facts"],
        )
        return False

    def _has_faults(self, network: str) -> bool:
        """Whether something of the network failed in topograph: it may have been too little memory
        at that moment."""
        (kinds,) = self._columns("findings", network, "kind")
        return not set(FAULTS).isdisjoint(kinds)

    def _columns(self, table: str, network: str, *names: str) -> list[list[str]]:
        """Columns of texts of a table of a network. Linear in its rows."""
        files = [file for file in self._files.get(network, ()) if file.table == table]
        found: list[list[str]] = [[] for _ in names]
        for file in files:
            with opened(f"{self._place}/{file.path}") as part:
                rows = part.read(list(names), use_threads=False)
            for values, name in zip(found, names, strict=True):
                values.extend(rows.column(name).to_pylist())
        return found

    def carried(self, network: ImportedNetwork, run: Run | StoredRun, keeper: Keeper) -> Carried:
        """The tables of an unchanged network, as files of a new run. Raises OSError."""
        files = [
            replace(
                file, path=str(PurePosixPath(DATA, run.name, *PurePosixPath(file.path).parts[2:]))
            )
            for file in self._files.get(network.name, ())
        ]
        pairs = [
            (f"{self._place}/{old.path}", f"{run.place}/{new.path}")
            for old, new in zip(self._files.get(network.name, ()), files, strict=True)
        ]
        if is_storage(run.place) or is_storage(self._place):
            with ThreadPoolExecutor(_AT_ONCE) as copying:  # each waits for storage
                list(copying.map(copy_part, *zip(*pairs, strict=True)))
        else:
            for pair in pairs:
                copy_part(*pair)
        assert self._kept is not None
        for part in self._kept.parts(network.name):
            keeper.keep(network.name, part, self._kept.part(network.name, part))
        entry = replace(self._snapshot.entry(network.name), root=entry_of(network).root)
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


_AT_ONCE = 16
"""Files that are copied in storage at a time."""


class _Source(NamedTuple):
    path: str
    status: str
    role: str


_REDACTED = (
    "--previous does not go with redaction: a redacted snapshot does not say what its files were "
    "called. Import without --previous."
)


def _have_contents(
    network: ImportedNetwork, files: EarlierFiles, rows: np.ndarray[Any, Any]
) -> bool:
    """Whether the files whose stamps differ have the contents that they had."""
    for row in np.flatnonzero(rows < 0).tolist():
        (file,) = network.files.between(row, row + 1)
        try:
            data = content(file)
        except OSError:
            return False
        if hashlib.sha256(data).digest() != files.seen.table["sha256"][row].as_py():
            return False
    return True


def _tool() -> str:
    """A digest of this program, as far as a snapshot follows from it."""
    return hashlib.sha256(json.dumps(tool()).encode()).hexdigest()


def earlier_import(previous: str, options: Mapping[str, Any]) -> Earlier | None:
    """The import that made the snapshot ``previous``, a path or the URL of storage; None where
    there is no finished one, or one of another schema: all is read then, as the first time.

    Raises UsageError for a redacted one, which does not say what its files were called, InputError
    for one that is damaged."""
    try:
        snapshot = _stored(previous) if is_storage(previous) else open_snapshot(previous)
    except (SnapshotNotFound, SnapshotIncomplete, SnapshotOutdated):
        return None
    if snapshot is None:
        return None
    if snapshot.redaction:
        raise UsageError(_REDACTED)
    return Earlier(snapshot, options)


def _stored(place: str) -> ParquetSnapshot | None:
    found = stored_manifest(place)
    if found.get("format") != FORMAT or found.get("schema") != SCHEMA_VERSION:
        return None
    return snapshot_at(place, place, parse_manifest(found))


def may_be_compared(
    previous: str | os.PathLike[str] | None, sources: Sequence[str], *, redacted: bool
) -> str:
    """Where the earlier snapshot is, a path or the URL of storage; empty for none. Raises
    UsageError where nothing of an earlier import can be taken."""
    if previous is None:
        return ""
    if redacted:
        raise UsageError(
            "--previous does not go with --redact: which names are replaced follows from all files "
            "of a network together, and a redacted snapshot does not say what they were called. "
            "Import without --previous."
        )
    for source in filter(is_storage, sources):
        scheme = scheme_of(source)
        if not is_timed_by_store(scheme):
            raise UsageError(
                f"--previous does not go with {scheme}: storage: a file there may change and keep "
                "its time, so that it cannot be told from one that did not change. Import without "
                "--previous."
            )
    return storage_or_path(os.fspath(previous)).rstrip("/") or "/"
