"""Row groups of tables that are too long for one."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from topograph.pipeline.output import write_table
from topograph.store.digests import BLOCK, digest
from topograph.store.records import Interest
from topograph.store.tables import to_arrow


def test_a_row_group_holds_no_texts_of_the_others(tmp_path: Path) -> None:
    rows = [Interest(f"S{n}", f"N{n % 7}", f"V{n // 2}", n % 5) for n in range(2 * BLOCK + 100)]
    table = to_arrow("interests", rows, network="net", system="ems")
    done = write_table(tmp_path / "data" / "run", "interests", "net", [table], system="ems")
    assert done.digest == digest(table)
    with pq.ParquetFile(tmp_path / done.path) as file:
        assert file.read().to_pylist() == table.to_pylist()
        last = file.metadata.row_group(2)
    assert last.num_rows == 100
    taken = {
        last.column(n).path_in_schema: last.column(n).total_uncompressed_size
        for n in range(last.num_columns)
    }
    assert max(taken[name] for name in ("server", "name", "via")) < 40 * last.num_rows
