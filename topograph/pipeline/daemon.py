"""The process that Spark's Python workers of this machine are forked from: what every import needs
is imported in it once, before the first worker, and not once in each of them.

Spark runs it as ``python -m topograph.pipeline.daemon pyspark.worker``
(``spark.python.daemon.module``); otherwise it is PySpark's own daemon. Only a master on this
machine gets it: there workers find the package of the driver. On a cluster topograph reaches a
worker when its daemon runs already, so that Spark's own is used.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import sys
from pathlib import Path

from topograph import extensions

MODULE = __name__

PRELOADED = (
    "pyspark.worker",
    "pyarrow.compute",
    "pyarrow.parquet",
    "topograph.pipeline.tasks",
    "topograph.systems",
)
"""What the tasks of every import use. Importing them starts no thread but the one with which
Arrow's allocator gives memory back, and that allocator is made to be forked."""


def preload() -> None:
    """Import what workers need. What cannot be imported is left to the worker, whose task then
    fails with the reason, as with Spark's own daemon."""
    for name in PRELOADED:
        _end_if_forsaken()
        try:
            importlib.import_module(name)
        except ImportError:
            return
    for system in extensions.OWN:
        extensions.module(system, "importer")


def _installed_first() -> None:
    """Spark names its own archive of PySpark first, which is compiled anew each time, though the
    one that is installed here is the same."""
    archives = Path(os.environ.get("SPARK_HOME", ""), "python", "lib")
    sys.path.sort(key=lambda place: Path(place).parent == archives)


def _end_if_forsaken() -> None:
    """End this process if Spark has ended, and with it the pipe that it reads."""
    poller = select.poll()
    poller.register(0, 0)  # which tells nothing but that the other end is closed
    if poller.poll(0):
        sys.exit(0)


def prepare() -> None:
    """Make this process fit to be forked from."""
    # Libraries that compute on several threads would start them here, and threads do not survive a
    # fork.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    _installed_first()
    preload()
    # A worker collects garbage after each task: without what is here from the start, which never
    # is any, that takes no time; and untouched pages stay shared.
    gc.collect()
    gc.freeze()


def main() -> None:
    """Be PySpark's daemon, prepared, until Spark closes its input."""
    # As that does first of all: Ctrl-C is for the driver, which ends Spark, and that its daemon.
    os.setpgid(0, 0)
    prepare()
    from pyspark.daemon import manager

    manager()


if __name__ == "__main__":
    main()
