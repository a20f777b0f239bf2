"""A snapshot read in this process, written to disk by this process alone: small estates need no
Spark to be kept.

The facts, graph tables and findings are those that an import writes; forwards that a rule gives,
and implied interests, which only a database wants, are left out.
"""

from __future__ import annotations

from pathlib import Path

from topograph.files import tally
from topograph.pipeline.output import begin_run, commit, write_table
from topograph.store.parquet import Manifest, NetworkEntry, TableFile
from topograph.store.records import parts_of
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.store.tables import in_order, to_arrow


def keep(snapshot: MemorySnapshot, root: Path) -> Manifest:
    """Write a snapshot to the folder ``root``, which is made, or a snapshot that is replaced.
    Linear in the rows.

    Raises InputError where ``root`` holds something else or cannot be written.
    """
    run = begin_run(root)
    files: list[TableFile] = []
    entries: list[NetworkEntry] = []
    for name, data in snapshot.data.items():
        files += _tables(run.path, name, data)
        entries.append(
            NetworkEntry(
                name,
                files=sum(tally(data.files).values()),
                systems=tuple(sorted(tables.system for tables in data.tables)),
                servers=sum(len(tables.servers) for tables in data.tables),
                points=sum(len(tables.points) for tables in data.tables),
                side_inputs=data.side_inputs,
            )
        )
    options = {"redact": snapshot.redaction} if snapshot.redaction else {}
    return commit(run, snapshot.id, options, entries, files)


def _tables(run: Path, network: str, data: NetworkData) -> list[TableFile]:
    files = []
    for part in parts_of(data):
        rows = to_arrow(part.name, part.rows, network=network, system=part.system)
        if part.name in _UNORDERED:
            rows = in_order(part.name, rows)
        files.append(
            write_table(run, part.name, network, [rows], system=part.system, kind=part.kind)
        )
    return files


_UNORDERED = ("facts", "findings", "sources")
"""Tables whose rows may be in any order in memory."""
