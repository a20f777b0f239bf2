"""The work of an import on Spark Connect, which has data frames and neither a Spark context nor
RDDs: what ``pipeline.stages`` asks of those, done with data frames of pickled values.

Partitions are those that Spark makes of a number in each row, so that rows with equal numbers meet
in one task.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from topograph.digits import digits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROW = "number int, value binary"

_CORES = 8
"""Parts that work is divided into where a server does not say how many cores it has."""


def is_connect(session: SparkSession) -> bool:
    """Whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect.")


class ConnectContext:
    """In place of the SparkContext of a session of Spark Connect."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        said = session.conf.get("spark.default.parallelism", "") or ""
        self.defaultParallelism = digits(said) or _CORES

    def addPyFile(self, path: str) -> None:  # noqa: N802
        """Send a package to the workers of the session."""
        self._session.addArtifacts(path, pyfile=True)

    def parallelize(self, values: Sequence[Any], parts: int) -> ConnectRows:
        """Values, distributed over so many partitions."""
        table = pa.table(
            {
                "number": pa.array(range(len(values)), pa.int32()),
                "value": pa.array([pickle.dumps(value) for value in values], pa.binary()),
            }
        )
        return ConnectRows(self._session.createDataFrame(table), parts)


class ConnectRows:
    """In place of an RDD: values that workers make when they are collected."""

    def __init__(self, frame: DataFrame, parts: int) -> None:
        self._frame = frame
        self._parts = parts

    def mapPartitions(self, task: Callable[[Iterable[Any]], Iterator[Any]]) -> ConnectRows:  # noqa: N802
        """What a task makes of the values of each partition."""
        spread = self._frame.repartition(self._parts, "number")
        return ConnectRows(spread.mapInArrow(_made_by(task), _ROW), self._parts)

    def partitionBy(self, count: int, number: Callable[[Any], int]) -> ConnectRows:  # noqa: N802
        """Pairs of a key and a value, those with equal numbers of their keys in one partition."""
        numbered = self._frame.mapInArrow(_numbered(number, count), _ROW)
        return ConnectRows(numbered, count)

    def getNumPartitions(self) -> int:  # noqa: N802
        return self._parts

    def collect(self) -> list[Any]:
        return [_value(row) for row in self._frame.toArrow().column("value")]


def _made_by(
    task: Callable[[Iterable[Any]], Iterator[Any]],
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        values = (_value(row) for batch in batches for row in batch.column("value"))
        for made in task(values):
            yield _batch(0, made)

    return run


def _numbered(
    number: Callable[[Any], int], count: int
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.column("value"):
                value = _value(row)
                yield _batch(number(value[0]) % count, value)

    return run


def _batch(number: int, value: Any) -> pa.RecordBatch:
    columns = [pa.array([number], pa.int32()), pa.array([pickle.dumps(value)], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, ["number", "value"])


def _value(row: pa.Scalar) -> Any:
    # Only what this program's own driver and workers sent is ever read here.
    return pickle.loads(row.as_buffer())  # noqa: S301
