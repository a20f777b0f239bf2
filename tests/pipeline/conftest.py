"""One Spark session for all tests of the pipeline: starting one takes seconds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from topograph.pipeline.import_report import ImportReport
from topograph.pipeline.import_run import run_import
from topograph.pipeline.session import spark_starting

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Import = Callable[..., ImportReport]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need no Spark first: while the session is there, no other import can begin."""
    here = Path(__file__).parent
    places = [number for number, item in enumerate(items) if item.path.is_relative_to(here)]
    own = [items[number] for number in places]
    own.sort(key=_needs_spark)
    for number, item in zip(places, own, strict=True):
        items[number] = item


def _needs_spark(item: pytest.Item) -> bool:
    return "spark" in getattr(item, "fixturenames", ()) or any(item.iter_markers("spark"))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    before = dict(os.environ)
    with spark_starting(
        tmp_path_factory.mktemp("spark") / "spark.log", master="local[2]"
    ) as started:
        session = SparkSession(started())
        # Spark has read its variables. What else a test starts while the session is there must
        # not get them: its own Python would search other folders for modules.
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)
        yield session


@pytest.fixture
def importing(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Import:
    """``run_import`` in the shared session, without Neo4j unless asked for."""
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))

    def run(paths: list[Path], output: Path, **options: object) -> ImportReport:
        return run_import(paths, output, spark=spark, **{"neo4j": "none", **options})  # type: ignore[arg-type]

    return run
