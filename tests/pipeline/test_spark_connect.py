"""An import over Spark Connect: with a server on this machine, where its client is installed
(``pip install pyspark[connect]``)."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pyarrow as pa
import pytest
from stored_estate import tables, write_estate

from topograph.opening.folders import read_snapshot
from topograph.pipeline import connect, stamps
from topograph.pipeline.import_run import run_import
from topograph.pipeline.snapshot_writer import keep


def batches(*values: object) -> list[pa.RecordBatch]:
    rows = pa.array([pickle.dumps(value) for value in values], pa.binary())
    return [
        pa.RecordBatch.from_arrays(
            [pa.array(range(len(values)), pa.int32()), rows], ["number", "value"]
        )
    ]


def test_tasks_take_and_give_values_of_data_frames() -> None:
    made = connect._made_by(lambda values: (value * 2 for value in values))(batches(1, "a", [3]))
    found = [pickle.loads(row) for batch in made for row in batch.column("value").to_pylist()]
    assert found == [2, "aa", [3, 3]]


def test_pairs_are_numbered_by_their_keys() -> None:
    made = list(connect._numbered(len, 3)(batches(("ab", 1), ("cde", 2), ("fg", 3))))
    assert [batch.column("number").to_pylist() for batch in made] == [[2], [0], [2]]


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.alone
def test_an_import_over_spark_connect_equals_one_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("grpc", reason="the client of Spark Connect is not installed")
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(stamps, "_SETTLED", 0)
    estate = write_estate(tmp_path / "estate")
    script = f"""
        from pyspark.sql import SparkSession
        from topograph.pipeline.import_run import run_import
        session = SparkSession.builder.remote("local[2]").getOrCreate()
        run_import([{str(estate)!r}], {str(tmp_path / "there")!r}, neo4j="none", spark=session)
        session.stop()
    """
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    keep(read_snapshot(estate), tmp_path / "kept")
    run_import([estate], tmp_path / "here", neo4j="none", previous=tmp_path / "kept")
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
