"""The work of an import in this process, without Spark: for so little of it, Spark takes longer to
start.

What ``pipeline.stages`` asks of a Spark context and its RDDs, done at once and in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from topograph.pipeline.imported_network import ImportedNetwork
from topograph.pipeline.planning import unread

_FILES, _BYTES = 2_000, 20 * 2**20
"""Files that are read without Spark, and bytes of them."""

_COMPILED = 100_000
"""Files of networks that are compiled without Spark: from there on other cores are worth more than
its start."""


def is_little(networks: Sequence[ImportedNetwork]) -> bool:
    """Whether the files of some networks that have to be read are so few and small that Spark is
    not worth its start."""
    files = [unread(network) for network in networks]
    return (
        sum(map(len, files)) <= _FILES
        and sum(int(own.sizes().sum()) for own in files) <= _BYTES
        and sum(len(network.files) for network in networks) <= _COMPILED
    )


class HereContext:
    """In place of a SparkContext with one core."""

    defaultParallelism = 1  # noqa: N815

    def parallelize(self, values: Sequence[Any], parts: int) -> HereRows:  # noqa: ARG002
        """The values, as one partition."""
        return HereRows([list(values)])


class HereRows:
    """In place of an RDD: its partitions, which are there already."""

    def __init__(self, partitions: list[list[Any]]) -> None:
        self._partitions = partitions

    def mapPartitions(self, task: Callable[[Iterable[Any]], Iterator[Any]]) -> HereRows:  # noqa: N802
        """What a task makes of each partition."""
        return HereRows([list(task(part)) for part in self._partitions])

    def partitionBy(self, count: int, number: Callable[[Any], int]) -> HereRows:  # noqa: ARG002, N802
        """All rows in one partition."""
        return HereRows([self.collect()])

    def getNumPartitions(self) -> int:  # noqa: N802
        return len(self._partitions)

    def collect(self) -> list[Any]:
        return [value for part in self._partitions for value in part]
