"""What the workers do, as functions over the values of a partition: write parts, compile networks,
walk for interests. What they do with files is in ``pipeline.reading_tasks``.

Each takes and yields what Spark moves; everything they call is pure and the same as in one process.
Workers reach the imported files and the snapshot by their paths, so that both lie on storage that
all workers share.
"""

from __future__ import annotations

import contextlib
import copyreg
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from topograph import extensions
from topograph.facts import Fact
from topograph.findings import Finding, Source
from topograph.forwarding.graph import (
    EXPLICIT_FORWARDS_LIMIT,
    Forward,
    ForwardingGraph,
    GraphTables,
)
from topograph.forwarding.points import PlainForwards
from topograph.pipeline import hadoop
from topograph.pipeline.places import begin_task, opened, snapshot_at, write_part
from topograph.process.forked import forked
from topograph.process.garbage import collector_paused
from topograph.process.internal_errors import InternalError
from topograph.records import record
from topograph.side_inputs import Contradiction, SideInputs
from topograph.store.digests import BLOCK
from topograph.store.parquet import Manifest, NetworkEntry, ParquetSnapshot, TableFile
from topograph.store.records import Interest
from topograph.store.tables import in_order, schema, to_arrow

if TYPE_CHECKING:
    from topograph.systems import Beside, CheckedApart
    from topograph.systems.contract.system import Check

ROWS_PER_BATCH = 10_000


def plain_schema(fields: pa.Schema) -> pa.Schema:
    """The schema of a table as Spark moves it: texts that are not encoded."""
    return pa.schema(
        [
            pa.field(
                field.name,
                field.type.value_type if pa.types.is_dictionary(field.type) else field.type,
            )
            for field in fields
        ]
    )


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


@record(order=True)
class PartKey:
    """Which part of a snapshot rows belong to; ``system`` and ``kind`` are empty where the table
    is not divided by them.
    """

    table: str
    network: str
    system: str = ""
    kind: str = ""

    @property
    def partition(self) -> int:
        """A number that is the same in every process: rows with equal numbers meet in one task."""
        return zlib.crc32("\0".join((self.table, self.network, self.system, self.kind)).encode())


Rows = tuple[PartKey, bytes]
"""Rows of one part on their way to the task that writes it, packed."""

REPORTED = ("findings", "sources")
"""Tables to which all steps of an import add."""

UNSOUND = "unsound"
"""In place of a table: the numbers of the bundles that the next import has to read again."""


def packed(table: pa.Table) -> bytes:
    """A table as compressed bytes, for Spark to move."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(
        sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")
    ) as stream:
        stream.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def unpacked(parts: Iterable[bytes]) -> pa.Table:
    """The rows of tables of one schema that ``packed`` made, in order. Raises ValueError for
    none.
    """
    tables = []
    for part in parts:
        with pa.ipc.open_stream(part) as stream:
            tables.append(stream.read_all())
    return pa.concat_tables(tables).unify_dictionaries()


def pickled_by_fields(kind: type[Any]) -> None:
    """Have values of a dataclass pickled as a call of it with its fields. What Python does for
    dataclasses with slots looks for the fields of each value anew, which takes several times as
    long; an import moves several of them for each file."""
    values = attrgetter(*(each.name for each in fields(kind)))
    copyreg.pickle(kind, lambda value: (kind, values(value)))


pickled_by_fields(Source)


_FINDING = [each.name for each in fields(Finding)]
_finding_values = attrgetter(*_FINDING)
_put_into_finding = [getattr(Finding, name).__set__ for name in _FINDING]


def _finding(*values: Any) -> Finding:
    """A finding of its fields: as it was made, without a second search for credentials."""
    finding = object.__new__(Finding)
    for put, value in zip(_put_into_finding, values, strict=True):
        put(finding, value)
    return finding


copyreg.pickle(Finding, lambda finding: (_finding, _finding_values(finding)))


@record
class NetworkTask:
    """A network to compile from the facts that ``files`` name; with ``apart`` the checks that need
    nothing compiled run at the same time, in a process of their own."""

    root: str
    run: str
    network: str
    files: tuple[TableFile, ...]
    side_inputs: SideInputs
    apart: bool = False


@record
class SystemCounts:
    """What one system of a compiled network holds."""

    system: str
    servers: int
    points: int
    links: int
    forwards: int
    pairs: int | None
    """An upper bound of the implied interests, 0 for a system that has none; None where a server
    may hold a name twice, so that which names it holds is a search that a budget can end, and
    not a table."""


@record
class NetworkMade:
    """A compiled network: the parts written, the findings, the systems ``present`` (several of
    them may share one graph), the faults that cost some of it, why its files are not of one
    estate, and what the checks found that ran apart."""

    network: str
    systems: tuple[SystemCounts, ...]
    present: tuple[str, ...]
    files: tuple[TableFile, ...]
    findings: tuple[Finding, ...]
    errors: tuple[InternalError, ...]
    contradictions: tuple[Contradiction, ...] = ()
    checked: tuple[bytes, ...] = ()
    """CheckedApart of systems, pickled by the processes that ran the checks: a worker that has
    compiled a large network does not make a million findings for the driver to make them again."""

    def checked_apart(self) -> Iterator[CheckedApart]:
        """What the checks found that ran apart; nothing where none did."""
        # What workers of this program wrote.
        yield from map(pickle.loads, self.checked)


@record
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


Task = Callable[[Iterator[Any]], Iterator[Any]]


def prepared(task: Task) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """``task`` for a worker that is to know exactly the systems which this process knows
    (``topograph.extensions``).

    A worker collects garbage after each task, not while it runs, and keeps no memory of Arrow's
    that is free again.
    """
    known = dict(extensions.packages())
    properties = hadoop.in_use()

    def run(values: Iterable[Any]) -> Iterator[Any]:
        with collector_paused():
            extensions.use(known)
            begin_task(properties)
            yield from task(iter(values))
        pa.default_memory_pool().release_unused()

    return run


def writing(root: str, run: str) -> Task:
    """Rows to what became of each part: facts and interests are written into a run of the snapshot
    at ``root``, which gives a TableFile; findings and sources, to which later steps add, are given
    back packed."""

    def write(rows: Iterator[Rows]) -> Iterator[TableFile | Rows]:
        parts: dict[PartKey, list[bytes]] = {}
        for key, some in rows:
            parts.setdefault(key, []).append(some)
        for key in sorted(parts):
            own = parts.pop(key)
            if key.table in (*REPORTED, UNSOUND):
                yield from ((key, some) for some in own)
            else:
                table = in_order(key.table, unpacked(own))
                yield write_part(
                    root, run, key.table, key.network, [table], system=key.system, kind=key.kind
                )

    return write


def facts_of(task: NetworkTask) -> Sequence[Fact]:
    """The facts of a network that is being imported, in the order of a finished snapshot."""
    return _snapshot(task).facts(task.network)


def _snapshot(task: NetworkTask) -> ParquetSnapshot:
    """The run as a snapshot of one network, as far as it is written."""
    systems = tuple(sorted({file.system for file in task.files if file.table == "servers"}))
    entry = NetworkEntry(task.network, systems=systems, side_inputs=task.side_inputs)
    manifest = Manifest("", 0, "", task.run, {}, (entry,), {}, task.files)
    return snapshot_at(task.root, task.root, manifest)


def compile_networks(tasks: Iterator[NetworkTask]) -> Iterator[NetworkMade]:
    """Compiles each network and writes its graph tables; of one whose checks run apart, those that
    need no tables begin as soon as servers and links are known, in a process that has them."""
    for task in tasks:
        with contextlib.ExitStack() as running:
            results: list[Callable[[], bytes]] = []
            begin = partial(_begin, running, results) if task.apart else None
            made = _compile(task, facts_of(task), begin)
            yield replace(made, checked=tuple(result() for result in results))


def _begin(
    running: contextlib.ExitStack,
    results: list[Callable[[], bytes]],
    name: str,
    checks: Sequence[Check],
) -> None:
    """Begin checks of a system in a process of their own; where there is none to be had, they are
    run when their result is asked for."""
    work = partial(_checked, name, checks)
    try:
        results.append(running.enter_context(forked(work)).result)
    except OSError:
        results.append(work)


def _checked(name: str, checks: Sequence[Check]) -> bytes:
    from topograph.systems import checked

    return pickle.dumps(checked(name, checks), pickle.HIGHEST_PROTOCOL)


def _compile(task: NetworkTask, facts: Sequence[Fact], beside: Beside | None) -> NetworkMade:
    from topograph.systems import assemble, compile_network, systems_in
    from topograph.systems.guarded import Guarded, nothing_of

    compiled = compile_network(facts, task.side_inputs, beside=beside)
    guarded = Guarded()
    files: list[TableFile] = []
    counts: list[SystemCounts] = []
    for tables in compiled.tables:
        written = guarded.made(
            systems_in(tables), partial(_write_graph, task, tables, compiled.graph)
        )
        own, counted = written or _write_graph(task, nothing_of(tables.system), assemble)
        files += own
        counts.append(counted)
    findings = (*compiled.findings, *guarded.told())
    errors = (*compiled.errors, *guarded.errors)
    return NetworkMade(
        task.network,
        tuple(counts),
        compiled.systems,
        tuple(files),
        findings,
        errors,
        compiled.contradictions,
    )


def _write_graph(
    task: NetworkTask, tables: GraphTables, graph_of: Callable[[GraphTables], ForwardingGraph]
) -> tuple[list[TableFile], SystemCounts]:
    """Write the tables of one graph, and its forwards where they are not too many."""
    write = partial(write_part, task.root, task.run)
    graph = graph_of(tables)
    rows = {
        "servers": tables.servers,
        "points": graph.columns,
        "guards": tables.guards,
        "links": tables.links,
    }
    files = [
        write(
            name,
            task.network,
            [to_arrow(name, own, network=task.network, system=tables.system)],
            system=tables.system,
        )
        for name, own in rows.items()
    ]
    if graph.forward_count <= EXPLICIT_FORWARDS_LIMIT:
        blocks = _forwards(graph, task.network)
        files.append(write("forwards", task.network, blocks, system=tables.system))
    return files, _counts(graph)


def _forwards(graph: ForwardingGraph, network: str) -> Iterator[pa.Table]:
    first = 0
    for block in _forward_blocks(graph):
        yield to_arrow("forwards", block, network=network, system=graph.system, first=first)
        first += len(block)


def _forward_blocks(graph: ForwardingGraph) -> Iterator[PlainForwards | list[Forward]]:
    if graph.forward_of is None:
        yield from graph.plain_forwards(ROWS_PER_BATCH)
        return
    forwards = graph.forwards()
    while block := list(islice(forwards, ROWS_PER_BATCH)):
        yield block


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
    """How many (server, name) pairs there can be at most: all pairs within each connected part
    of the network.
    """
    from topograph.systems import system_of

    names = system_of(graph).capabilities.names
    if names is None:
        return 0
    if not names().names_are_unique(graph):
        return None
    from topograph.forwarding.components import connected, neighbours_of

    columns = graph.columns
    linked = columns.previous >= 0
    neighbours = neighbours_of(
        zip(columns.previous[linked].tolist(), columns.server[linked].tolist(), strict=True)
    )
    return sum(len(part) * (len(part) - 1) for part in connected(neighbours, neighbours))


@lru_cache(maxsize=1)
def _graph(task: NetworkTask, system: str) -> ForwardingGraph:
    """The graph of a network that was compiled; a worker keeps the last one for its next task."""
    from topograph.systems import assemble

    return assemble(
        next(
            tables
            for tables in _snapshot(task).graph_tables(task.network)
            if tables.system == system
        )
    )


def find_interests(tasks: Iterator[InterestTask]) -> Iterator[Rows]:
    """Rows of the table ``interests``: the names that some servers of a network hold (R22)."""
    from topograph.systems import system

    for task in tasks:
        offered = system(task.system).capabilities.names
        assert offered is not None  # only systems whose names are counted get such tasks
        graph = _graph(task.network, task.system)
        found = [Interest(*held) for held in offered().known_names(graph, task.servers)]
        network = task.network.network
        table = to_arrow("interests", found, network=network, system=task.system)
        yield PartKey("interests", network, task.system), packed(table)


@record
class RowGroup:
    """A row group of a table of a snapshot, to be read by a worker; ``path`` is a path, or the URL
    of storage."""

    path: str
    number: int
    table: str


def row_groups(place: str, files: Sequence[TableFile]) -> list[RowGroup]:
    """The row groups of some files of a snapshot."""
    return [
        RowGroup(f"{place}/{file.path}", number, file.table)
        for file in files
        for number in range(-(-file.rows // BLOCK))
    ]


def read_row_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """RowGroup to the rows of its table."""
    for batch in batches:
        for group in unpickled(batch):
            with opened(group.path) as file:
                table = file.read_row_group(group.number)
            yield from table.cast(plain_schema(schema(group.table))).to_batches()
