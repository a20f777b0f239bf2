"""A snapshot read in this process, written to disk by this process alone: small estates need no Spark to be kept.

The facts, graph tables and findings are those that an import writes; forwards that a rule gives, and implied interests, which only a database
wants, are left out.
"""

from __future__ import annotations

from pathlib import Path

from topograph.forwarding.graph import STEPPING
from topograph.pipeline.output import begin_run, commit, write_table
from topograph.store.parquet import Manifest, NetworkEntry, TableFile
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.store.tables import in_order, to_arrow


def keep(snapshot: MemorySnapshot, root: Path) -> Manifest:
    """Write a snapshot to the folder ``root``, which is made, or a snapshot that is replaced. Linear in the rows.

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
                files=len({report.path for report in data.files}),
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
    for system, kind in sorted({(fact.system, fact.kind) for fact in data.facts}):
        facts = [fact for fact in data.facts if (fact.system, fact.kind) == (system, kind)]
        rows = in_order("facts", to_arrow("facts", facts, network=network))
        files.append(write_table(run, "facts", network, [rows], system=system, kind=kind))
    for tables in data.tables:
        # Where a rule gives the forwards they are made again; those of systems that go step by step are data.
        names = ("servers", "points", "guards", "links", *(["forwards"] if tables.system == STEPPING else []))
        for name in names:
            rows = to_arrow(name, getattr(tables, name), network=network, system=tables.system)
            files.append(write_table(run, name, network, [rows], system=tables.system))
    for name, records in (("findings", data.findings), ("sources", data.files)):
        files.append(write_table(run, name, network, [in_order(name, to_arrow(name, records, network=network))]))
    return files
