"""Publishing a snapshot to Neo4j from Spark: a sink for rows of one kind, written by as many
workers as the database can serve.

Only ``topograph.store.publication`` writes; the sink hands it the rows of a partition.
Relationships are partitioned by target, so that two writers never wait for the same node. A
snapshot of few rows is written by this process itself: starting a job a kind takes longer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from topograph.errors import BackendError
from topograph.pipeline import tasks
from topograph.pipeline.places import snapshot_at
from topograph.pipeline.session import slices, spread
from topograph.records import record
from topograph.store.database import Database, connect
from topograph.store.parquet import Manifest, NetworkEntry, ParquetSnapshot
from topograph.store.publication import (
    KINDS,
    Publish,
    Published,
    already_published,
    finish_publish,
    fits,
    interest_rows,
    network_rows,
    publishing,
    write_network,
    write_rows,
)
from topograph.store.tables import schema
from topograph.store.where import DatabaseAddress, database_at
from topograph.systems import assemble

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource

WRITERS = 4
"""At most so many workers write at a time: one server takes no more (measured with two on two
cores).
"""

ONE_CLIENT_ROWS = 50_000
"""Up to so many rows in all tables one client writes them, in about the time in which Spark
plans and starts the first of its jobs (an estate of 13 servers: 2 s instead of 20)."""

_BY_TARGET = {"points": "server", "forwards": "end", "interests": "name"}
"""The kinds that come as tables, and the column that their relationships' target follows from;
in writing order.
"""

_DERIVED = KINDS.keys() - {"servers", "guards", *_BY_TARGET}
"""The kinds that are derived from a whole network."""


def target_of(neo4j: str, environment: Mapping[str, str] = os.environ) -> DatabaseAddress | None:
    """Where to publish: ``auto`` (the configured database, else the managed server if it runs,
    else nowhere), ``none`` or a URI.
    """
    if neo4j == "none":
        return None
    return database_at(
        environment if neo4j == "auto" else {**environment, "TOPOGRAPH_NEO4J_URI": neo4j}
    )


def publish(
    context: SparkContext,
    session: Callable[[], SparkSession],
    snapshot: ParquetSnapshot,
    address: DatabaseAddress,
) -> Published | None:
    """Publish a finished snapshot and make it current; ``session`` gives the SQL session of
    ``context``, which only a large one needs.

    A snapshot that is held already only becomes current again. One of up to ONE_CLIENT_ROWS rows is
    written without Spark. Networks with too many forwards are left out; None if that leaves none.
    Raises BackendError. Linear in the tables; the database is the limit.
    """
    with connect(address) as database:
        held = already_published(database, snapshot.id)
        if held is not None:
            return held
        fit = [entry for entry in snapshot.manifest.networks if fits(entry.forwards)]
        if not fit:
            return None
        names = [entry.name for entry in fit]
        with publishing(database, snapshot.id, names, snapshot.name, snapshot.redaction) as run:
            if (
                sum(file.rows for file in snapshot.manifest.files if file.network in names)
                <= ONE_CLIENT_ROWS
            ):
                for name in names:
                    write_network(
                        database,
                        run,
                        snapshot,
                        name,
                        [assemble(tables) for tables in snapshot.graph_tables(name)],
                    )
            else:
                _write_all(context, session(), database, run, snapshot, address, fit)
            return finish_publish(database, run, names)


def _write_all(
    context: SparkContext,
    session: SparkSession,
    database: Database,
    run: Publish,
    snapshot: ParquetSnapshot,
    address: DatabaseAddress,
    networks: Sequence[NetworkEntry],
) -> None:
    for kind in ("servers", "guards"):
        for network in networks:
            batches = snapshot.batches(kind, network.name)
            write_rows(database, run, kind, (row for batch in batches for row in batch.to_pylist()))
    names = {network.name for network in networks}
    for kind, column in _BY_TARGET.items():
        files = [
            file
            for file in snapshot.manifest.files
            if file.table == kind and file.network in names and file.rows
        ]
        if not files:
            continue
        session.dataSource.register(sink(address, run, kind))
        writers = min(WRITERS, context.defaultParallelism)
        groups = tasks.row_groups(snapshot.place, files)
        table = (
            session.createDataFrame(tasks.pickled(groups))
            .repartition(slices(context, len(groups)))
            .mapInArrow(tasks.read_row_groups, tasks.spark_schema(tasks.plain_schema(schema(kind))))
        )
        table.repartition(writers, column).write.format(f"topograph-{kind}").mode("append").save()
    derived = [
        _Derived(snapshot.place, snapshot.manifest, network.name, address, run)
        for network in networks
    ]
    spread(context, derived).mapPartitions(tasks.prepared(_write_derived)).collect()


def sink(address: DatabaseAddress, run: Publish, kind: str) -> type[DataSource]:
    """A Spark data source, ``topograph-<kind>``, that writes rows of one kind in a publishing run.

    The class is made anew for each: it travels to the workers by value, so that the password is in
    no option that Spark may print.
    """
    try:
        from pyspark.sql.datasource import DataSource, DataSourceArrowWriter, WriterCommitMessage
    except ImportError as error:  # Spark 3.5
        raise BackendError(
            "Workers publish to Neo4j from Spark 4 on. Import with --neo4j none, then run "
            "topograph snapshots publish."
        ) from error

    class Writer(DataSourceArrowWriter):
        def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
            rows: Iterator[dict[str, Any]] = (
                row for batch in iterator for row in batch.to_pylist()
            )
            with connect(address) as database:
                write_rows(
                    database, run, kind, interest_rows(rows) if kind == "interests" else rows
                )
            return WriterCommitMessage()

    class Sink(DataSource):
        @classmethod
        def name(cls) -> str:
            return f"topograph-{kind}"

        def writer(self, schema: object, overwrite: bool) -> Writer:  # noqa: ARG002
            return Writer()

    return Sink


@record
class _Derived:
    """A network whose derived rows one worker writes."""

    place: str
    manifest: Manifest
    network: str
    address: DatabaseAddress
    run: Publish


def _write_derived(networks: Iterator[_Derived]) -> Iterator[dict[str, int]]:
    """How many rows were written, by kind."""
    for task in networks:
        snapshot = snapshot_at(task.place, task.place, task.manifest)
        graphs = [assemble(tables) for tables in snapshot.graph_tables(task.network)]
        with connect(task.address) as database:
            yield {
                kind: write_rows(database, task.run, kind, items)
                for kind, items in network_rows(snapshot, task.network, graphs)
                if kind in _DERIVED
            }
