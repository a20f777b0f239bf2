"""How Spark is started for an import, and how it ends."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from topograph.pipeline.session import _leave_accumulators_alone

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class _Accumulators:
    """A server like PySpark's, whose end takes as long as it is not ``free``."""

    def __init__(self) -> None:
        self.server_shutdown = False
        self.free = threading.Event()
        self.ended = threading.Event()
        self.handle_error: Any = None

    def shutdown(self) -> None:
        self.free.wait()
        self.ended.set()


def test_the_end_of_accumulators_is_not_waited_for(tmp_path: Path) -> None:
    server = _Accumulators()
    _leave_accumulators_alone(_context_with(server), tmp_path / "log")
    server.shutdown()
    assert server.server_shutdown
    assert not server.ended.is_set()
    server.free.set()
    assert server.ended.wait(timeout=60)


def test_half_a_message_goes_to_the_log_unless_accumulators_end(tmp_path: Path) -> None:
    server, log = _Accumulators(), tmp_path / "log"
    _leave_accumulators_alone(_context_with(server), log)
    server.handle_error(None, ("127.0.0.1", 1))
    logged = log.read_text("utf-8")
    assert logged.startswith("\nreading accumulators:\n")
    server.free.set()
    server.shutdown()
    server.handle_error(None, ("127.0.0.1", 1))
    assert log.read_text("utf-8") == logged


def _context_with(server: _Accumulators) -> Any:
    return SimpleNamespace(_accumulatorServer=server)


@pytest.mark.spark
def test_accumulators_of_a_real_spark_end_with_it(tmp_path: Path) -> None:
    """None of PySpark's threads is left, though nothing waited for them."""
    program = (
        "import sys, threading\n"
        "from pathlib import Path\n"
        "from topograph.pipeline.session import spark_starting\n"
        "with spark_starting(Path(sys.argv[1]), master='local[1]') as starting:\n"
        "    context = starting()\n"
        "    assert context.parallelize([1, 2], 2).map(abs).collect() == [1, 2]\n"
        "[thread.join(timeout=60) for thread in threading.enumerate()[1:]]\n"
        "print(*[thread.name for thread in threading.enumerate()[1:]])\n"
        "print('pandas' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "log")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False"]
    assert done.stderr == ""


def test_a_session_converts_what_java_takes_without_numpy(spark: SparkSession) -> None:
    gateway: Any = spark.sparkContext._gateway
    names = [type(each).__name__ for each in gateway._gateway_client.converters]
    assert "ListConverter" in names
    assert not [name for name in names if name.startswith("Numpy")]


def test_a_thread_that_learns_late_that_its_java_is_gone_prints_nothing(tmp_path: Path) -> None:
    """In a process of its own: what loggers have is the interpreter's."""
    (tmp_path / "py4j").mkdir()
    (tmp_path / "py4j" / "calls.py").write_text(
        "import logging\n\ndef call():\n    logging.exception('Exception while sending command.')\n"
    )
    code = (
        "import logging, sys; from pathlib import Path\n"
        "sys.path.insert(0, 'py4j')\n"
        "import calls\n"
        "from topograph.pipeline.session import _logged\n"
        "for _ in range(2):\n"
        "    try:\n"
        "        with _logged(Path('log')): raise OSError\n"
        "    except OSError: pass\n"
        "calls.call()\n"
        "logging.getLogger('other').warning('of another')\n"
        "logging.getLogger('other').info('unheard')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == "of another\n"
