"""Writing a snapshot: one run beside the data that is there, made visible by one rename of the
manifest.

``begin_run`` takes the lease of a new run; workers write Parquet files into the run with
``TableWriter``; ``commit`` writes the manifest. A run that dies at any moment leaves the manifest
as it was; ``sweep`` removes what dead runs left, and runs that no manifest names and no reader
holds.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from topograph.errors import NO_ROOM, BackendError, InputError, TopographError, no_room
from topograph.facts.plain import to_plain
from topograph.pipeline.earlier_places import keep_places
from topograph.records import record
from topograph.store.digests import BLOCK, Digest, combined
from topograph.store.names import DIGESTS, MANIFEST, is_run, runs_in
from topograph.store.parquet import (
    FORMAT,
    Lease,
    Manifest,
    NetworkEntry,
    TableFile,
    lease_path,
    parse_manifest,
    run_path,
)
from topograph.store.records import TABLES
from topograph.store.snapshot import SCHEMA_VERSION
from topograph.store.tables import schema
from topograph.version import __version__


@record(slots=False)
class Run:
    """One import's folder in a snapshot, with the lease that keeps it from being removed while
    it is written.
    """

    root: Path
    name: str
    lease: Lease
    made: tuple[Path, ...] = ()
    """The folders above the run that did not exist before."""

    @property
    def path(self) -> Path:
        return run_path(self.root, self.name)

    @property
    def place(self) -> str:
        """The path of the snapshot."""
        return str(self.root)

    def commit(
        self,
        snapshot_id: str,
        options: Mapping[str, Any],
        networks: Sequence[NetworkEntry],
        files: Sequence[TableFile],
        digests: Mapping[str, Mapping[str, str]],
    ) -> Manifest:
        """See ``commit``."""
        return commit(self, snapshot_id, options, networks, files, digests)

    def end(self) -> None:
        """Remove what the run replaced and what dead imports left, and give back the lease."""
        sweep(self.root)
        self.lease.release()

    def discard(self) -> None:
        """Remove the run, unless it is the snapshot already."""
        if _current_run(self.root) != self.name:
            shutil.rmtree(self.path, ignore_errors=True)
            lease_path(self.root, self.name).unlink(missing_ok=True)
        self.lease.release()
        for folder in self.made:
            with contextlib.suppress(OSError):
                folder.rmdir()


def begin_run(root: Path) -> Run:
    """Make the folder of a new run in the snapshot at ``root``.

    Raises InputError where ``root`` exists and is neither a snapshot nor an empty folder, or cannot
    be written.
    """
    _check_target(root)
    data = root / "data"
    made = tuple(folder for folder in (data, *data.parents) if not folder.exists())
    try:
        data.mkdir(parents=True, exist_ok=True)
        while True:
            name = new_run()
            lease = Lease.exclusive(root, name)
            if lease is not None:
                # The lease comes before the folder: whoever sweeps goes by the folders and asks for
                # their leases.
                run_path(root, name).mkdir()
                return Run(root, name, lease, made)
    except OSError as error:
        raise _not_written(root, error) from error


def _not_written(root: Path, error: OSError) -> TopographError:
    if error.errno in NO_ROOM:
        return BackendError(no_room(error, str(root)))
    return InputError(f"The snapshot {root} cannot be written: {error}")


def _check_target(root: Path) -> None:
    """Refuse a folder that holds something else: it would be mixed up with a snapshot, and a
    sweep must never touch it.
    """
    try:
        names = {entry.name for entry in root.iterdir()}
        runs = {entry.name for entry in (root / "data").iterdir()} if "data" in names else set()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _not_written(root, error) from error
    if MANIFEST in names:
        with contextlib.suppress(ValueError, OSError):
            found = json.loads((root / MANIFEST).read_text("utf-8"))
            if not isinstance(found, dict) or found.get("format") != FORMAT:
                raise InputError(
                    f"{root / MANIFEST} belongs to something else; name a new folder for "
                    "the snapshot."
                )
    foreign = sorted(names - {MANIFEST, "data"}) + sorted(name for name in runs if not is_run(name))
    if foreign:
        raise InputError(
            f"{root} is not a snapshot: it holds other files ({foreign[0]}). Nothing was written. "
            "Name a new folder with -o (without -o it is the one that TOPOGRAPH_SNAPSHOT names)."
        )


class TableWriter:
    """Writes the rows of one table of one network into one Parquet file, in row groups of BLOCK
    rows, and computes their digest.

    Holds at most one row group in memory. ``kind`` and ``system`` name the partition. Use as a
    context manager; ``done`` then is the ``TableFile``. A second attempt of a task writes a file of
    another name; the manifest names the one that counts.
    """

    def __init__(
        self, run: Path, table: str, network: str, *, system: str = "", kind: str = ""
    ) -> None:
        folder = run / table
        if table == "facts":
            folder = folder / f"system={quote(system, safe='')}" / f"kind={quote(kind, safe='')}"
        folder.mkdir(parents=True, exist_ok=True)
        # A network may have any name, of any length; the manifest says whose file it is.
        self._path = folder / f"{quote(network, safe=' ')[:80]}-{secrets.token_hex(4)}.parquet"
        self._relative = self._path.relative_to(run.parent.parent).as_posix()
        self._identity = (table, network, system, kind)
        self._writer = pq.ParquetWriter(self._path, schema(table), compression="zstd")
        self._digest = Digest(schema(table).names)
        self._pending: list[pa.Table] = []
        self._held = 0
        self.done: TableFile | None = None

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._flush(everything=True)
        self._writer.close()
        if kind is None:
            table, network, system, fact_kind = self._identity
            self.done = TableFile(
                table,
                network,
                self._relative,
                self._digest.rows,
                self._digest.hexdigest(),
                system,
                fact_kind,
            )

    def write(self, rows: pa.Table) -> None:
        """Append rows; they must be in the table's order already."""
        if rows.num_rows:
            self._pending.append(rows)
            self._held += rows.num_rows
            self._flush(everything=False)

    def _flush(self, *, everything: bool) -> None:
        if self._held < BLOCK and not (everything and self._held):
            return
        held = pa.concat_tables(self._pending).unify_dictionaries()
        at = 0
        while held.num_rows - at >= BLOCK or (everything and at < held.num_rows):
            block = held.slice(at, BLOCK)
            if len(block) < len(held):
                block = _with_own_texts(block)
            self._digest.update(block)
            self._writer.write_table(block, row_group_size=BLOCK)
            at += block.num_rows
        self._held = held.num_rows - at
        rest = held.slice(at)
        self._pending = [_with_own_texts(rest) if at else rest] if self._held else []


def _with_own_texts(block: pa.Table) -> pa.Table:
    """Some rows of a table with dictionaries of those texts alone that they hold: with all texts of
    the table in each of its row groups a table would grow with the square of its rows."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode()
        if pa.types.is_dictionary(column.type)
        else column
        for column in block.columns
    ]
    return pa.table(columns, schema=block.schema)


def write_table(
    run: Path,
    table: str,
    network: str,
    rows: Iterable[pa.Table],
    *,
    system: str = "",
    kind: str = "",
) -> TableFile:
    """Write all rows of one table of one network (system, kind) and return its entry for the
    manifest.
    """
    with TableWriter(run, table, network, system=system, kind=kind) as writer:
        for part in rows:
            writer.write(part)
    assert writer.done is not None
    return writer.done


def commit(
    run: Run,
    snapshot_id: str,
    options: Mapping[str, Any],
    networks: Sequence[NetworkEntry],
    files: Sequence[TableFile],
    digests: Mapping[str, Mapping[str, str]] | None = None,
) -> Manifest:
    """Make the run the snapshot and return its manifest: everything reaches the disk, then the
    manifest is replaced in one rename.

    Files of the run that no entry names (of attempts that failed) are removed first. ``digests``
    are the SHA-256 of the inputs by network and path. The run starts with the places of the
    snapshot that it replaces.
    """
    named = {file.path for file in files}
    for path in sorted(run.path.rglob("*.parquet")):
        if path.relative_to(run.root).as_posix() not in named:
            path.unlink()
    manifest = manifest_of(run.name, snapshot_id, options, networks, files)
    text = manifest_text(manifest)
    try:
        with (run.path / DIGESTS).open("wb") as file:
            file.writelines(digests_text(digests or {}))
        keep_places(
            run.root, run.path, [entry.name for entry in networks], str(options.get("redact", ""))
        )
        for path in run.path.rglob("*"):
            # What an earlier run has too reached the disk then.
            if path.is_dir() or path.stat().st_nlink == 1:
                _to_disk(path)
        draft = run.path / MANIFEST
        draft.write_bytes(text)
        _to_disk(draft)
        draft.replace(run.root / MANIFEST)
        _to_disk(run.root)
    except OSError as error:
        raise _not_written(run.root, error) from error
    run.lease.downgrade()
    return parse_manifest(manifest)


def manifest_of(
    run: str,
    snapshot_id: str,
    options: Mapping[str, Any],
    networks: Sequence[NetworkEntry],
    files: Sequence[TableFile],
) -> dict[str, Any]:
    """The manifest of a run as plain JSON."""
    return {
        "format": FORMAT,
        "schema": SCHEMA_VERSION,
        "tool": __version__,
        "id": snapshot_id,
        "run": run,
        "options": dict(options),
        "networks": [to_plain(entry) for entry in networks],
        "tables": {
            name: _table_entry([file for file in files if file.table == name]) for name in TABLES
        },
    }


def manifest_text(manifest: Mapping[str, Any]) -> bytes:
    """A manifest as it is written."""
    return json.dumps(manifest, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass")


def digests_text(digests: Mapping[str, Mapping[str, str]]) -> Iterator[bytes]:
    """The SHA-256 of inputs, by network and path, as they are written: one network at a time."""
    dumps = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    yield b"{"
    for number, name in enumerate(sorted(digests)):
        text = f"{', ' if number else ''}{dumps(name)}: {dumps(dict(digests[name]))}"
        yield text.encode("utf-8", "surrogatepass")
    yield b"}"


def new_run() -> str:
    """A name that no run has."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


def _table_entry(files: Sequence[TableFile]) -> dict[str, Any]:
    """The manifest's entry of one table; files in the order of what they hold."""
    ordered = sorted(files, key=lambda file: (file.network, file.system, file.kind))
    listed = []
    for file in ordered:
        entry = asdict(file)
        del entry["table"]
        listed.append(entry)
    digests = {(file.network, file.system, file.kind): file.digest for file in ordered}
    return {
        "rows": sum(file.rows for file in ordered),
        "digest": combined(digests),
        "files": listed,
    }


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(root: Path) -> list[str]:
    """Remove every run that the manifest does not name and whose lease nobody holds; return their
    names.

    Removes nothing where the manifest cannot be read: it may name any of them.
    """
    removed = []
    for name in runs_in(root):
        if _current_run(root) in (name, None):
            continue
        lease = Lease.exclusive(root, name)
        if lease is None:
            continue
        try:
            # Read again now that nobody can be writing it: it may have been committed meanwhile.
            if _current_run(root) not in (name, None):
                shutil.rmtree(run_path(root, name), ignore_errors=True)
                lease_path(root, name).unlink(missing_ok=True)
                removed.append(name)
        finally:
            lease.release()
    return removed


def _current_run(root: Path) -> str | None:
    """The run that the manifest names, of whatever schema; empty if there is no manifest, None
    if it cannot be read.
    """
    try:
        return str(json.loads((root / MANIFEST).read_text("utf-8"))["run"])
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, KeyError, TypeError):
        return None
