"""Findings and file reports, which all stages of an import add to, written as tables of a
snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from topograph.files import FileReport, tally
from topograph.findings import Finding, count_by_severity, distinct
from topograph.opening.inputs import unreadable_mains
from topograph.pipeline.packed_rows import PackedRows
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
    findings: PackedRows[Finding]
    reports: PackedRows[FileReport]

    @property
    def size(self) -> int:
        """How much there is, to divide work by."""
        return self.findings.size + self.reports.size


@record
class ReportsWritten:
    """What was written of a network, and what an import says of it: how many files there are by
    status, how many findings by severity, and the main files of which nothing could be read."""

    network: str
    files: tuple[TableFile, ...]
    tally: dict[str, int]
    findings: dict[str, int]
    unreadable: tuple[str, ...]


def written(place: str, run: str, reported: Reported) -> ReportsWritten:
    """Write the findings and file reports of one network into a run of the snapshot at a place.
    Sorts them: n log n."""
    findings, reports = distinct(reported.findings), list(reported.reports)
    files = [
        write_part(
            place,
            run,
            table,
            reported.network,
            [in_order(table, to_arrow(table, rows, network=reported.network))],
        )
        for table, rows in (("findings", findings), ("sources", reports))
    ]
    return ReportsWritten(
        reported.network,
        tuple(files),
        tally(reports),
        count_by_severity(findings),
        unreadable_mains(reports),
    )


def reported_tables(place: str, run: str) -> Task:
    """Lists of Reported to what was written of each; see ``written``."""

    def write(chunks: Iterator[list[Reported]]) -> Iterator[list[ReportsWritten]]:
        for chunk in chunks:
            yield [written(place, run, one) for one in chunk]

    return write
