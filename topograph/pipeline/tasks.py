"""What the workers do, as functions over Arrow batches: recognise files, read bundles, write parts, compile networks, walk for interests.

Each takes and yields what Spark moves; everything they call is pure and the same as in one process. Workers reach the imported files and
the snapshot by their paths, so that both lie on storage that all workers share.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from topograph import extensions
from topograph.facts import Fact, encode
from topograph.files import FileReport
from topograph.findings import Finding
from topograph.forwarding.graph import EXPLICIT_FORWARDS_LIMIT, ForwardingGraph, GraphTables
from topograph.importers.plan import failed, read_bundle, recognise
from topograph.importers.reading import Bundle, Options, Reading, Recognised
from topograph.internal_errors import InternalError
from topograph.pipeline.output import write_table
from topograph.plain import from_plain, to_plain
from topograph.side_inputs import SideInputs
from topograph.store.identity import BLOCK
from topograph.store.listing import InputFile, read_bytes, reason_of
from topograph.store.parquet import Manifest, NetworkEntry, ParquetSnapshot, TableFile
from topograph.store.tables import Interest, from_arrow, in_order, schema, to_arrow

if TYPE_CHECKING:
    from topograph.redaction.redactor import Redactor

ROWS_PER_BATCH = 10_000

PICKLED = "value binary"
"""Rows of one pickled Python value: for small records of our own between our own processes."""

READ = pa.schema(
    [
        *(
            pa.field(name, pa.string())
            for name in ("table", "network", "system", "kind", "bundle", "server", "name", "file")
        ),
        pa.field("line", pa.int32()),
        pa.field("column", pa.int32()),
        pa.field("payload", pa.string()),
    ]
)
"""What reading yields: facts as their flat rows, findings and file reports with their JSON in ``payload``, told apart by ``table``."""

PART = pa.schema(
    [pa.field(field.name, pa.int64() if field.name == "rows" else pa.string()) for field in fields(TableFile)]
)
"""A written part: the fields of ``TableFile``."""


def plain_schema(fields: pa.Schema) -> pa.Schema:
    """The schema of a table as Spark moves it: texts that are not encoded."""
    return pa.schema(
        [
            pa.field(field.name, field.type.value_type if pa.types.is_dictionary(field.type) else field.type)
            for field in fields
        ]
    )


INTERESTS = plain_schema(schema("interests"))


def spark_schema(fields: pa.Schema) -> str:
    """An Arrow schema of plain columns as Spark writes it."""
    names = {
        pa.string(): "string",
        pa.int32(): "int",
        pa.int64(): "long",
        pa.bool_(): "boolean",
        pa.list_(pa.int32()): "array<int>",
    }
    return ", ".join(f"`{field.name}` {names[field.type]}" for field in fields)


@dataclass(frozen=True, slots=True)
class FileSeen:
    """One file after recognition: what it is and the SHA-256 of its content, or why it could not be read."""

    network: str
    path: str
    recognised: Recognised | None
    sha256: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class BundleTask:
    """A bundle to read: ``inputs`` are its files in this machine's terms, by path."""

    network: str
    bundle: Bundle
    inputs: tuple[InputFile, ...]
    options: Options


@dataclass(frozen=True, slots=True)
class NetworkTask:
    """A network to compile from the facts that ``files`` name."""

    root: str
    run: str
    network: str
    files: tuple[TableFile, ...]
    side_inputs: SideInputs


@dataclass(frozen=True, slots=True)
class SystemCounts:
    """What one system of a compiled network holds."""

    system: str
    servers: int
    points: int
    links: int
    forwards: int
    pairs: int | None
    """An upper bound of the implied interests, 0 for a system that has none; None where a server may hold a name twice, so that which
    names it holds is a search that a budget can end, and not a table."""


@dataclass(frozen=True, slots=True)
class NetworkMade:
    """A compiled network: the parts written, the findings, the systems ``present`` (several of them may share one graph), and the faults that
    cost some of it."""

    network: str
    systems: tuple[SystemCounts, ...]
    present: tuple[str, ...]
    files: tuple[TableFile, ...]
    findings: tuple[Finding, ...]
    errors: tuple[InternalError, ...]


@dataclass(frozen=True, slots=True)
class InterestTask:
    """The servers (by number) whose implied interests one task walks for."""

    network: NetworkTask
    system: str
    servers: tuple[int, ...]


def pickled(values: Iterable[Any]) -> pa.Table:
    """Values as the rows of a table for Spark."""
    return pa.table({"value": pa.array([pickle.dumps(value) for value in values], pa.binary())})


def unpickled(table: pa.Table | pa.RecordBatch) -> list[Any]:
    """The values of rows that ``pickled`` or a task made."""
    # Only what this program's own workers sent is ever read here.
    return [pickle.loads(value) for value in table.column("value").to_pylist()]  # noqa: S301


Task = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def knowing_systems(task: Task) -> Task:
    """``task`` for a worker that is to know exactly the systems which this process knows (``topograph.extensions``)."""
    known = dict(extensions.packages())

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        extensions.use(known)
        yield from task(batches)

    return run


def recognise_files(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Lists of (network, InputFile) to lists of FileSeen: reads one file at a time."""
    for batch in batches:
        for files in unpickled(batch):
            yield from pickled([[_recognise(network, file) for network, file in files]]).to_batches()


def _recognise(network: str, file: InputFile) -> FileSeen:
    try:
        data = read_bytes(file)
    except OSError as error:
        return FileSeen(network, file.path, None, failure=reason_of(error))
    return FileSeen(network, file.path, recognise(file.path, data), hashlib.sha256(data).hexdigest())


def reading(redactors: Mapping[str, Redactor]) -> Task:
    """Lists of BundleTask to rows of READ, one bundle's files in memory at a time; redacted where the network has a redactor."""

    def read_bundles(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held: list[pa.Table] = []
        number = 0
        for batch in batches:
            for task in (task for tasks in unpickled(batch) for task in tasks):
                held.append(_rows(task, redactors.get(task.network)))
                number += held[-1].num_rows
                if number >= ROWS_PER_BATCH:
                    yield from pa.concat_tables(held).combine_chunks().to_batches()
                    held, number = [], 0
        if held:
            yield from pa.concat_tables(held).combine_chunks().to_batches()

    return read_bundles


def _read(task: BundleTask) -> Reading:
    contents = {}
    for file in task.inputs:
        # One that is gone was there a moment ago; ``read_bundle`` says what its absence means.
        with contextlib.suppress(OSError):
            contents[file.path] = read_bytes(file)
    return read_bundle(task.bundle, contents, task.options)


def _rows(task: BundleTask, redactor: Redactor | None) -> pa.Table:
    """What a bundle gives, as rows of READ; one that cannot be written is the finding of an importer that failed."""
    try:
        return pa.Table.from_pylist(list(_records(task.network, _read(task), redactor)), READ)
    except Exception as error:  # becomes a finding: one file must not end the import of all others
        return pa.Table.from_pylist(list(_records(task.network, failed(task.bundle, error), redactor)), READ)


def _records(network: str, reading: Reading, redactor: Redactor | None) -> Iterator[dict[str, Any]]:
    for fact in reading.facts:
        yield {"table": "facts", "network": network, **encode(redactor.record(fact) if redactor else fact)}
    for finding in reading.findings:
        yield _row("findings", network, redactor.record(finding) if redactor else finding)
    for report in reading.files:
        yield _row("sources", network, redactor.record(report) if redactor else report)


def collect_values(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Lists of BundleTask to pairs of network and Values: which hosts, users and client ids there are, for redaction."""
    from topograph.redaction.values import Values, collect

    for batch in batches:
        for tasks in unpickled(batch):
            found: dict[str, Values] = {}
            for task in tasks:
                collect(_read(task).facts, found.setdefault(task.network, Values()))
            yield from pickled(found.items()).to_batches()


def _row(table: str, network: str, record: Finding | FileReport) -> dict[str, Any]:
    payload = json.dumps(to_plain(record), sort_keys=True, ensure_ascii=False)
    own = {"table": table, "network": network, "line": 0, "column": 0, "payload": payload}
    return dict.fromkeys(READ.names, "") | own


Writer = Callable[[tuple[pa.Scalar, ...], pa.Table], pa.Table]


def part_writer(run: str) -> Writer:
    """The function that writes one group of rows of READ as a part of a snapshot, into the folder ``run``; gives rows of PART."""

    def write(key: tuple[pa.Scalar, ...], rows: pa.Table) -> pa.Table:
        table, network, system, kind = (scalar.as_py() for scalar in key)
        if table == "facts":
            columns = schema("facts")
            part = in_order(
                "facts", pa.table([_as(rows.column(field.name), field.type) for field in columns], schema=columns)
            )
        else:
            record = Finding if table == "findings" else FileReport
            records = [from_plain(record, json.loads(text)) for text in rows.column("payload").to_pylist()]
            part = in_order(table, to_arrow(table, records, network=network))
        return parts([write_table(Path(run), table, network, [part], system=system, kind=kind)])

    return write


def _as(column: pa.ChunkedArray, type_: pa.DataType) -> pa.ChunkedArray:
    return column.dictionary_encode() if pa.types.is_dictionary(type_) else column.cast(type_)


def parts(files: Sequence[TableFile]) -> pa.Table:
    """Written parts as rows of PART."""
    return pa.Table.from_pylist([dict(zip(PART.names, astuple(file), strict=True)) for file in files], PART)


def written(table: pa.Table) -> list[TableFile]:
    """The parts that rows of PART name."""
    return [TableFile(**row) for row in table.to_pylist()]


def rows_of(root: Path, part: TableFile) -> Sequence[Any]:
    """The records of one written part."""
    return from_arrow(part.table, pq.read_table(root / part.path))


def facts_of(task: NetworkTask) -> Sequence[Fact]:
    """The facts of a network that is being imported, in the order of a finished snapshot."""
    return _snapshot(task).facts(task.network)


def _snapshot(task: NetworkTask) -> ParquetSnapshot:
    """The run as a snapshot of one network, as far as it is written."""
    systems = tuple(sorted({file.system for file in task.files if file.table == "servers"}))
    entry = NetworkEntry(task.network, systems=systems, side_inputs=task.side_inputs)
    return ParquetSnapshot(task.root, Path(task.root), Manifest("", 0, "", task.run, {}, (entry,), {}, task.files))


def compile_networks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """NetworkTask to NetworkMade: compiles each network and writes its graph tables."""
    for batch in batches:
        for task in unpickled(batch):
            yield from pickled([_compile(task)]).to_batches()


def _compile(task: NetworkTask) -> NetworkMade:
    from topograph.systems import compile_network, systems_in
    from topograph.systems.guarded import Guarded, nothing_of

    compiled = compile_network(facts_of(task), task.side_inputs)
    guarded = Guarded()
    files: list[TableFile] = []
    counts: list[SystemCounts] = []
    for tables in compiled.tables:
        written = guarded.made(systems_in(tables), partial(_write_graph, task, tables))
        own, counted = written or _write_graph(task, nothing_of(tables.system))
        files += own
        counts.append(counted)
    findings = (*compiled.findings, *guarded.told())
    errors = (*compiled.errors, *guarded.errors)
    return NetworkMade(task.network, tuple(counts), compiled.systems, tuple(files), findings, errors)


def _write_graph(task: NetworkTask, tables: GraphTables) -> tuple[list[TableFile], SystemCounts]:
    """Write the tables of one graph, and its forwards where they are not too many."""
    from topograph.systems import assemble

    run = Path(task.root) / "data" / task.run
    graph = assemble(tables)
    rows = {"servers": tables.servers, "points": tables.points, "guards": tables.guards, "links": tables.links}
    files = [
        write_table(
            run,
            name,
            task.network,
            [to_arrow(name, own, network=task.network, system=tables.system)],
            system=tables.system,
        )
        for name, own in rows.items()
    ]
    if graph.forward_count <= EXPLICIT_FORWARDS_LIMIT:
        blocks = _forwards(graph, task.network)
        files.append(write_table(run, "forwards", task.network, blocks, system=tables.system))
    return files, _counts(graph)


def _forwards(graph: ForwardingGraph, network: str) -> Iterator[pa.Table]:
    block = []
    first = 0
    for forward in graph.forwards():
        block.append(forward)
        if len(block) == ROWS_PER_BATCH:
            yield to_arrow("forwards", block, network=network, system=graph.system, first=first)
            first += len(block)
            block = []
    yield to_arrow("forwards", block, network=network, system=graph.system, first=first)


def _counts(graph: ForwardingGraph) -> SystemCounts:
    return SystemCounts(
        graph.system,
        len(graph.servers),
        len(graph.points),
        len(graph.links),
        graph.forward_count,
        _pairs_at_most(graph),
    )


def _pairs_at_most(graph: ForwardingGraph) -> int | None:
    """How many (server, name) pairs there can be at most: all pairs within each connected part of the network."""
    from topograph.systems import system_of

    names = system_of(graph).names
    if names is None:
        return 0
    if not names().names_are_unique(graph):
        return None
    from topograph.forwarding.components import connected, neighbours_of

    columns = graph.columns
    linked = columns.previous >= 0
    neighbours = neighbours_of(zip(columns.previous[linked].tolist(), columns.server[linked].tolist(), strict=True))
    return sum(len(part) * (len(part) - 1) for part in connected(neighbours, neighbours))


@lru_cache(maxsize=1)
def _graph(task: NetworkTask, system: str) -> ForwardingGraph:
    """The graph of a network that was compiled; a worker keeps the last one for its next task."""
    from topograph.systems import assemble

    return assemble(next(tables for tables in _snapshot(task).graph_tables(task.network) if tables.system == system))


def find_interests(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """InterestTask to rows of the table ``interests``: the names that some servers of a network hold (R22)."""
    from topograph.systems import system

    for batch in batches:
        for task in unpickled(batch):
            offered = system(task.system).names
            assert offered is not None  # only systems whose names are counted get such tasks
            graph = _graph(task.network, task.system)
            found = [Interest(*held) for held in offered().known_names(graph, task.servers)]
            table = to_arrow("interests", found, network=task.network.network, system=task.system)
            yield from table.cast(INTERESTS).combine_chunks().to_batches()


def interest_writer(run: str) -> Writer:
    """The function that writes the implied interests of one network and system as a part of a snapshot; gives rows of PART."""

    def write(key: tuple[pa.Scalar, ...], rows: pa.Table) -> pa.Table:
        network, system = (scalar.as_py() for scalar in key)
        columns = schema("interests")
        part = pa.table([_as(rows.column(field.name), field.type) for field in columns], schema=columns)
        return parts([write_table(Path(run), "interests", network, [in_order("interests", part)], system=system)])

    return write


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of a table of a snapshot, to be read by a worker."""

    path: str
    number: int
    table: str


def row_groups(root: Path, files: Sequence[TableFile]) -> list[RowGroup]:
    """The row groups of some files of a snapshot."""
    return [
        RowGroup(str(root / file.path), number, file.table)
        for file in files
        for number in range(-(-file.rows // BLOCK))
    ]


def read_row_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """RowGroup to the rows of its table."""
    for batch in batches:
        for group in unpickled(batch):
            with pq.ParquetFile(group.path) as file:
                table = file.read_row_group(group.number)
            yield from table.cast(plain_schema(schema(group.table))).to_batches()
