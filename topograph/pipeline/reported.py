"""Findings and file reports, which all stages of an import add to, written as tables of a
snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from topograph.files import FileReport
from topograph.findings import Finding
from topograph.pipeline.places import write_part
from topograph.records import record
from topograph.store.parquet import TableFile
from topograph.store.tables import in_order, to_arrow

if TYPE_CHECKING:
    from topograph.pipeline.tasks import Task


@record
class Reported:
    """All that an import found in one network's files."""

    network: str
    findings: Sequence[Finding]
    reports: Sequence[FileReport]


def written(place: str, run: str, reported: Reported) -> list[TableFile]:
    """Write the findings and file reports of one network into a run of the snapshot at a place.
    Sorts them: n log n."""
    tables = (("findings", reported.findings), ("sources", reported.reports))
    return [
        write_part(
            place,
            run,
            table,
            reported.network,
            [in_order(table, to_arrow(table, rows, network=reported.network))],
        )
        for table, rows in tables
    ]


def reported_tables(place: str, run: str) -> Task:
    """Lists of Reported to the files that were written of each; see ``written``."""

    def write(chunks: Iterator[list[Reported]]) -> Iterator[list[TableFile]]:
        for chunk in chunks:
            yield [file for one in chunk for file in written(place, run, one)]

    return write
