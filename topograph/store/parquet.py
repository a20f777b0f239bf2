"""Snapshots in Parquet: the layout, the manifest, and ``ParquetSnapshot``, which reads only what a
question needs.

::

    SNAPSHOT/manifest.json                   written last; names the run and every file of every table
    SNAPSHOT/data/<run>/facts/system=<system>/kind=<kind>/<network>-….parquet
    SNAPSHOT/data/<run>/{servers,points,guards,forwards,interests,findings,sources}/….parquet
    SNAPSHOT/data/<run>/layout-<number>.json
                                             where the servers stand in pictures, once one was
                                             drawn; not part of the manifest
    SNAPSHOT/data/<run>.lease                locked while the run is written or read

The manifest is the only list of files: what it does not name is not part of the snapshot. An import
into an existing snapshot writes a new run beside the old one and then replaces the manifest in one
rename, so that the old snapshot answers until the new one does. A run is removed only when no
process holds its lease. pyarrow is all this needs.
"""  # noqa: E501

from __future__ import annotations

import fcntl
import heapq
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from topograph.errors import (
    InputError,
    SnapshotIncomplete,
    SnapshotNotFound,
    SnapshotOutdated,
    UnknownNetwork,
)
from topograph.facts.choice import FactChoice, fact_order
from topograph.facts.names import FactNames
from topograph.facts.plain import from_plain
from topograph.forwarding.graph import GraphTables
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.store.names import DIGESTS, MANIFEST, holds_snapshot, layout_file, snapshots_in
from topograph.store.origin import Origin, imported
from topograph.store.records import COLUMNS, Interest, fact_names, facts_chosen, rows_of
from topograph.store.snapshot import SCHEMA_VERSION, ChosenFacts, FactsKept, read_tables
from topograph.store.tables import ArrowTable, empty, from_arrow
from topograph.words.did_you_mean import did_you_mean, nearest

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.files import FileReport
    from topograph.findings import Finding

FORMAT = "topograph-snapshot"

_FEW = 5
"""Snapshots that are worth naming though none of them has a similar name."""

_CHOSEN_BY = ("name", "payload")
"""Columns of facts that come as dictionaries where a few facts are chosen: what repeats is
compared once, and the others are not decoded.
"""

_WALKED_BY = ("kind", "server", "previous", "link", "zone", "zone_type", "guards")

READ_FIRST: dict[str, tuple[str, ...]] = {
    "points": _WALKED_BY,
    "servers": ("name", "runs", "loaded", "open_ended"),
}
"""Of some tables the columns that every walk asks for. The others are read when they are asked for,
each by itself; of tables that are not here all are read at once."""

_BATCH = 5_000
"""Facts that are decoded at a time when they are streamed."""

_WHOLE = 65_536
"""The same where all are wanted at once: their rows take more memory than they do."""

THREADED_ROWS = 500_000
"""Files of more rows are decoded by several threads; for fewer, starting those costs more than
they save.
"""


@record
class TableFile:
    """One Parquet file: rows of one network; of one system and one kind too where ``system`` and
    ``kind`` are set. ``path`` is relative to the snapshot, with ``/``; ``digest`` is
    ``identity.digest`` of its rows."""

    table: str
    network: str
    path: str
    rows: int
    digest: str
    system: str = ""
    kind: str = ""


@record
class NetworkEntry:
    """What the manifest says of one network. ``root`` is where it was imported from; ``files`` the
    number of files listed, skipped ones included.

    ``systems`` are the systems present, by name. ``forwards`` counts every forward, written out or
    not; ``forwards_written`` is False where there are more than EXPLICIT_FORWARDS_LIMIT,
    ``interests_written`` where there are too many implied interests.
    """

    name: str
    root: str = ""
    files: int = 0
    systems: tuple[str, ...] = ()
    servers: int = 0
    links: int = 0
    points: int = 0
    forwards: int = 0
    forwards_written: bool = False
    interests_written: bool = False
    side_inputs: SideInputs = field(default_factory=SideInputs)


@record
class TableEntry:
    """What the manifest says of one table: its rows, and a digest of its sorted canonical rows."""

    rows: int
    digest: str


@record
class Manifest:
    """A finished snapshot: everything that is not in the tables."""

    id: str
    schema: int
    tool: str
    run: str
    options: Mapping[str, Any]
    networks: tuple[NetworkEntry, ...]
    tables: Mapping[str, TableEntry]
    files: tuple[TableFile, ...]


def read_manifest(path: Path) -> Manifest:
    """The manifest of the snapshot at ``path``.

    Raises SnapshotNotFound where there is no snapshot, SnapshotIncomplete where its import did not
    end, InputError where the manifest cannot be read.
    """
    try:
        text = (path / MANIFEST).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise _absent(path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The snapshot {path} cannot be read: {error}") from error
    try:
        data = json.loads(text)
        if data.get("format") != FORMAT:
            raise InputError(f"{path / MANIFEST} is not the manifest of a topograph snapshot.")
        if data["schema"] != SCHEMA_VERSION:
            raise SnapshotOutdated(
                f"The snapshot {path} has schema {data['schema']} (written by topograph "
                f"{data['tool']}); this topograph reads schema "
                f"{SCHEMA_VERSION}. Import the files again."
            )
        return parse_manifest(data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path / MANIFEST} is damaged ({type(error).__name__}: {error}). Import the "
            "files again."
        ) from error


def _absent(path: Path) -> InputError:
    """Why there is no manifest, as the error to raise."""
    if holds_snapshot(path):
        return SnapshotIncomplete(
            f"{path} holds no finished snapshot: its import is still running or was "
            "stopped. Run topograph import again."
        )
    if path.exists():
        return SnapshotNotFound(
            f"{path} is not a snapshot. To make one of the configuration files in it: "
            f"topograph import {path} -o SNAPSHOT"
        )
    return SnapshotNotFound(
        f"There is no snapshot or folder at {path}.{_nearby(path)} Name one that exists (a folder "
        f"of configuration files will do), or make a snapshot: topograph import PATH -o {path}"
    )


def _nearby(path: Path) -> str:
    """The snapshots beside one that is not there: those of a similar name, else all if they are
    few.
    """
    beside = snapshots_in(path.parent)
    near = [str(path.with_name(name)) for name in nearest(path.name, beside)]
    if near:
        return f" Did you mean {' or '.join(near)}?"
    return (
        f" Beside it: {', '.join(str(path.with_name(name)) for name in beside)}."
        if 0 < len(beside) <= _FEW
        else ""
    )


def parse_manifest(data: dict[str, Any]) -> Manifest:
    """The manifest of its JSON form. Raises ValueError, KeyError or TypeError where that is not
    one.
    """
    files = tuple(
        TableFile(table=name, **entry)
        for name, table in data["tables"].items()
        for entry in table["files"]
    )
    for file in files:
        if PurePosixPath(file.path).is_absolute() or ".." in PurePosixPath(file.path).parts:
            raise ValueError(f"{file.path} lies outside the snapshot")
    return Manifest(
        id=data["id"],
        schema=data["schema"],
        tool=data["tool"],
        run=data["run"],
        options=data["options"],
        networks=tuple(from_plain(NetworkEntry, entry) for entry in data["networks"]),
        tables={
            name: TableEntry(table["rows"], table["digest"])
            for name, table in data["tables"].items()
        },
        files=files,
    )


class Lease:
    """A lock on one run of a snapshot: shared by its readers, exclusive to its writer and to
    whoever removes it.

    The kernel releases it when the process ends in whatever way. Advisory; on a file system without
    locks readers go without.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def shared(cls, root: Path, run: str) -> Lease | None:
        """A reader's lease, or None where the run has no lease file or a removal has begun."""
        try:
            descriptor = os.open(lease_path(root, run), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return cls(descriptor)

    @classmethod
    def exclusive(cls, root: Path, run: str) -> Lease | None:
        """The writer's (or remover's) lease, or None where another process holds one. Makes the
        lease file if need be.
        """
        path = lease_path(root, run)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink == 0:
                # Someone removed the file between open and lock: the lock guards nothing.
                raise BlockingIOError
        except BlockingIOError:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def downgrade(self) -> None:
        """From writer to reader, without a gap in between for a remover."""
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.release()


def run_path(root: Path, run: str) -> Path:
    """The folder of one run."""
    return root / "data" / run


def lease_path(root: Path, run: str) -> Path:
    """The lease file of one run."""
    return root / "data" / f"{run}.lease"


def open_snapshot(path: str | os.PathLike[str]) -> ParquetSnapshot:
    """The finished snapshot at ``path``.

    It stays readable while it is open, also if an import replaces it meanwhile. Raises
    SnapshotNotFound, SnapshotIncomplete or InputError.
    """
    root = Path(path)
    while True:
        manifest = read_manifest(root)
        lease = Lease.shared(root, manifest.run)
        # Without a lease (a file system without locks, or a removal that has begun) the run counts
        # only if it is still the current one.
        if run_path(root, manifest.run).is_dir() and (
            lease or read_manifest(root).run == manifest.run
        ):
            return ParquetSnapshot(os.fspath(path), root, manifest, lease)
        if read_manifest(root).run == manifest.run:
            raise SnapshotIncomplete(
                f"The data of the snapshot {path} is gone "
                f"({run_path(root, manifest.run)}). Import the files again."
            )


class ParquetSnapshot(ChosenFacts):
    """A snapshot kept in Parquet; implements ``topograph.store.snapshot.Snapshot``.

    Nothing is kept in memory but the manifest, and of facts what was read last (row groups, and
    small files as a whole): each call reads the files of the network it names, and of those the row
    groups it needs. Raises
    UnknownNetwork for a network that is not in the snapshot, InputError where a file is damaged.
    """

    def __init__(
        self, name: str, root: Path, manifest: Manifest, lease: Lease | None = None
    ) -> None:
        self.id = manifest.id
        self.name = name
        self.manifest = manifest
        self.root = root
        self._lease = lease
        self._entries = {entry.name: entry for entry in manifest.networks}
        self._kept = FactsKept()

    @property
    def place(self) -> str:
        """Where its files lie: a path, or the URL of storage."""
        return os.fspath(self.root)

    @property
    def redaction(self) -> str:
        return str(self.manifest.options.get("redact", ""))

    def release(self) -> None:
        """Let an import remove the run: nothing more is read of it."""
        if self._lease is not None:
            self._lease.release()

    @property
    def networks(self) -> Sequence[str]:
        return [entry.name for entry in self.manifest.networks]

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        return [
            read_tables(system, partial(self._rows, network=network, system=system))
            for system in self.entry(network).systems
        ]

    def _rows(self, name: str, network: str, system: str) -> Sequence[Any]:
        read = partial(self.table, name, network, system=system)
        first = READ_FIRST.get(name) or [column for column, _, _ in COLUMNS[name]]
        table = read(columns=[*first])
        return rows_of(name, ArrowTable(table, lambda late: read(columns=[late])[late]))

    def chosen(self, network: str, choice: FactChoice) -> Sequence[Fact]:
        found: list[Fact] = []
        server, names = choice.server, choice.names
        for file in self._fact_files(network, choice):
            if not server and names is None:
                found.extend(self._kept.whole(file.path, partial(self._facts_of, file, _WHOLE)))
            elif (kept := self._kept.chosen(file.path, choice)) is not None:
                found.extend(kept)
            elif names is None or names:
                for group in self._groups(file, server):
                    found.extend(facts_chosen(ArrowTable(group), server, names))
        # Within one file the rows are in this order already; sorting is linear then.
        found.sort(key=fact_order)
        return found

    def fact_stream(
        self, network: str, *, kinds: Sequence[str] = (), system: str = ""
    ) -> Iterator[Fact]:
        files = self._fact_files(network, FactChoice(kinds, system=system))
        streams = (self._facts_of(file, _BATCH) for file in files)
        yield from heapq.merge(*streams, key=fact_order)

    def _facts_of(self, file: TableFile, size: int) -> Iterator[Fact]:
        """The facts of a file, of which ``size`` at a time are there as rows too."""
        with self._open(file) as opened:
            batches = opened.iter_batches(size, use_threads=False)
            while True:
                try:
                    batch = next(batches, None)
                except (OSError, pa.ArrowException) as error:
                    raise InputError(
                        f"The snapshot {self.name} is damaged: {file.path}: {error}"
                    ) from error
                if batch is None:
                    return
                yield from from_arrow("facts", pa.Table.from_batches([batch]))

    def fact_names(self, network: str, *, kinds: Sequence[str] = (), system: str = "") -> FactNames:
        files = self._fact_files(network, FactChoice(kinds, system=system))
        read = partial(self._read, columns=["bundle", "server", "name"], dictionaries=_CHOSEN_BY)
        return fact_names(ArrowTable(read(file)) for file in files)

    def _fact_files(self, network: str, choice: FactChoice) -> list[TableFile]:
        files = self._files("facts", network)
        return [file for file in files if choice.has_kind(file.kind, file.system)]

    def findings(self, network: str) -> Sequence[Finding]:
        found: Sequence[Finding] = from_arrow("findings", self.table("findings", network))
        return found

    def files(self, network: str) -> Sequence[FileReport]:
        found: Sequence[FileReport] = from_arrow("sources", self.table("sources", network))
        return found

    def side_inputs(self, network: str) -> SideInputs:
        return self.entry(network).side_inputs

    def layout_path(self, network: str) -> Path:
        """Where the places of a network's servers are kept (``store.layouts``)."""
        number = list(self._entries).index(network)
        return run_path(self.root, self.manifest.run) / layout_file(number)

    def origin(self, network: str) -> Origin:
        """The time of the import; no digests in snapshots of versions that did not keep them."""
        digests: dict[str, str] = {}
        try:
            with (run_path(self.root, self.manifest.run) / DIGESTS).open(encoding="utf-8") as file:
                digests = json.load(file).get(network, {})
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError) as error:
            raise InputError(f"The snapshot {self.name} is damaged: {DIGESTS}: {error}") from error
        return imported(self.manifest.run, digests)

    def interests(self, network: str, system: str) -> Sequence[Interest] | None:
        """The names that servers hold by implication (R22), or None where there were too many to
        write.
        """
        if not self.entry(network).interests_written:
            return None
        found: Sequence[Interest] = from_arrow(
            "interests", self.table("interests", network, system=system)
        )
        return found

    def entry(self, network: str) -> NetworkEntry:
        """What the manifest says of a network."""
        try:
            return self._entries[network]
        except KeyError:
            known = ", ".join(self._entries) or "none"
            near = did_you_mean(network, self._entries)
            raise UnknownNetwork(
                f"The snapshot {self.name} holds no network {network!r}; it holds: {known}.{near}"
            ) from None

    def table(
        self, name: str, network: str, *, system: str = "", columns: list[str] | None = None
    ) -> pa.Table:
        """The rows of a table for one network (and one system) as Arrow, with all columns unless
        some are named; empty where there are none.
        """
        parts = [
            self._read(file, columns=columns)
            for file in self._files(name, network)
            if not system or file.system == system
        ]
        return pa.concat_tables(parts) if parts else empty(name)

    def batches(
        self, name: str, network: str, *, system: str = "", rows: int = 5_000
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a table in batches of at most ``rows``, for tables too big to hold."""
        for file in self._files(name, network):
            if not system or file.system == system:
                with self._open(file) as opened:
                    yield from opened.iter_batches(rows)

    def _files(self, table: str, network: str) -> list[TableFile]:
        self.entry(network)
        return [
            file for file in self.manifest.files if file.table == table and file.network == network
        ]

    def _open(self, file: TableFile, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(
                self.root / file.path, pre_buffer=False, read_dictionary=list(dictionaries)
            )
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                f"The snapshot {self.name} is damaged: {file.path}: {error}"
            ) from error

    def _read(
        self,
        file: TableFile,
        *,
        columns: list[str] | None = None,
        dictionaries: Sequence[str] = (),
    ) -> pa.Table:
        """The rows of a file; ``dictionaries`` are columns of texts that should come as
        dictionaries.
        """
        with self._open(file, dictionaries) as opened:
            try:
                return opened.read(columns, use_threads=file.rows > THREADED_ROWS)
            except (OSError, pa.ArrowException) as error:
                raise InputError(
                    f"The snapshot {self.name} is damaged: {file.path}: {error}"
                ) from error

    def _groups(self, file: TableFile, server: Servers) -> Iterator[pa.Table]:
        """The row groups of a file of facts that may hold some of a server, or of some (of all
        if empty).
        """
        least, most = (server, server) if isinstance(server, str) else (min(server), max(server))
        path = self.root / file.path
        try:
            for number, (first, last) in enumerate(_servers_of_groups(path)):
                if not server or (first <= most and (last is None or least <= last)):
                    yield _row_group(path, number)
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                f"The snapshot {self.name} is damaged: {file.path}: {error}"
            ) from error


@lru_cache(maxsize=64)
def _servers_of_groups(path: Path) -> list[tuple[str, str | None]]:
    """The first and last server of each row group of a file of facts; the last is None where the
    file does not say.
    """
    with pq.ParquetFile(path) as file:
        column = file.schema_arrow.get_field_index("server")
        shown = [
            file.metadata.row_group(number).column(column).statistics
            for number in range(file.num_row_groups)
        ]
    return [
        (one.min, one.max) if one is not None and one.has_min_max else ("", None) for one in shown
    ]


@lru_cache(maxsize=16)
def _row_group(path: Path, number: int) -> pa.Table:
    """A row group of a file of facts. The last ones are kept: a question asks for one server, or
    one name, after the other. No file of a run changes.
    """
    with pq.ParquetFile(path, pre_buffer=False, read_dictionary=list(_CHOSEN_BY)) as file:
        return file.read_row_group(number, use_threads=False)
