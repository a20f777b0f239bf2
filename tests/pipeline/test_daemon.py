"""The process that workers of this machine are forked from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark
import pytest

from topograph.pipeline import daemon
from topograph.pipeline.daemon import MODULE
from topograph.pipeline.division import chunked
from topograph.pipeline.session import _places

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_what_is_preloaded_starts_no_threads_of_python_or_numpy_and_no_pandas() -> None:
    """Threads do not survive a fork. Arrow's allocator has one, which it makes anew."""
    program = (
        "import sys, os; from topograph.pipeline import daemon\n"
        "from pathlib import Path\n"
        "daemon.prepare()\n"
        "tasks = Path('/proc/self/task').iterdir()\n"
        "names = [(task / 'comm').read_text().strip() for task in tasks]\n"
        "print('pandas' in sys.modules, 'topograph.importers.ems' in sys.modules)\n"
        "print(*[name for name in names[1:] if name != 'jemalloc_bg_thd'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]


def test_what_cannot_be_preloaded_is_left_to_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon, "PRELOADED", ("no.such.module", "pyarrow"))
    daemon.preload()


def test_a_daemon_whose_spark_has_ended_ends_without_a_word() -> None:
    """Before it has imported anything: nothing is left of an import that is interrupted."""
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", MODULE, "pyspark.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == ""
        said = process.stderr.read().splitlines()
    assert all(line.startswith("import time:") for line in said)
    assert not [line for line in said if line.endswith(" pyarrow")]


def test_workers_of_this_machine_are_forked_from_it(spark: SparkSession) -> None:
    def parent(_: int) -> str:
        place = Path(f"/proc/{os.getppid()}/cmdline")
        return place.read_text().replace("\0", " ")

    told = spark.sparkContext.parallelize([0], 1).map(parent).collect()
    assert MODULE in told[0]


def test_workers_of_this_machine_use_the_installed_pyspark_and_not_the_archive_of_it(
    spark: SparkSession,
) -> None:
    """What lies in the archive is compiled anew by each daemon: half a second of every import."""

    def place(_: int) -> str:
        return str(sys.modules["pyspark"].__file__)

    assert spark.sparkContext.parallelize([0], 1).map(place).collect() == [pyspark.__file__]


def test_of_the_places_of_modules_only_the_archives_of_spark_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPARK_HOME", "/spark")
    archives = ["/spark/python/lib/pyspark.zip", "/spark/python/lib/py4j-src.zip"]
    others = ["/package", "/other/python/lib/own.zip", "/spark/jars/core.jar", "/site-packages"]
    monkeypatch.setattr(sys, "path", [others[0], *archives, *others[1:]])
    daemon._installed_first()
    assert sys.path == [*others, *archives]


@pytest.mark.parametrize("master", ["spark://10.0.0.1:7077", "local-cluster[1,1,1024]", "yarn"])
def test_workers_that_topograph_is_sent_to_have_the_daemon_of_spark(
    master: str, tmp_path: Path
) -> None:
    name = "spark.python.daemon.module"
    assert _places("local[2]", tmp_path)[name] == MODULE
    assert name not in _places(master, tmp_path)


def test_few_small_files_are_few_lists_and_large_ones_a_list_each() -> None:
    def lengths(sizes: list[int]) -> list[int]:
        lists = chunked(sizes, lambda size: size, 4)
        assert [size for one in lists for size in one] == sizes
        return [len(one) for one in lists]

    assert lengths([]) == []
    assert lengths([100]) == [1]
    assert lengths([100] * 10) == [3, 3, 3, 1]
    assert lengths([100] * 400) == [100] * 4
    assert lengths([100] * 1_000) == [128] * 7 + [104]
    assert lengths([2**20, 2**20, 10, 10, 2**20, 10, 10]) == [1, 1, 2, 1, 2]
