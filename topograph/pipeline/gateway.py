"""The Java process behind Spark: started at once, connected to later, ended in any case.

PySpark starts its Java and waits for it in one call. Here the two are apart: Java takes a second or
two to start, in which the driver lists files.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from topograph.process.programs import start

if TYPE_CHECKING:
    from pyspark import SparkConf

_POLL_SECONDS = 0.02
_END_SECONDS = 10


class Java:
    """A Java that runs Spark's gateway for Python, with the Spark of ``SPARK_HOME``; what it
    prints goes to ``output``. It and the workers that it starts run in ``work``, a folder of
    topograph's own: the working directory may hold files that any of them would read.
    """

    def __init__(self, conf: SparkConf, work: Path, output: IO[bytes]) -> None:
        home = os.environ["SPARK_HOME"]
        settings = [word for name, value in conf.getAll() for word in ("--conf", f"{name}={value}")]
        # The same command, and the same two variables, as in pyspark.java_gateway.launch_gateway.
        words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell"))
        self._told = work / "gateway"
        self._gateway: Any = None
        self._process = start(
            [str(Path(home).absolute() / "bin" / "spark-submit"), *settings, *words],
            work,
            {
                **os.environ,
                "SPARK_CONNECT_MODE": "0",
                "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._told),
            },
            stdin=subprocess.PIPE,  # it ends when nobody holds the other end any more
            stdout=output,
            stderr=output,
            preexec_fn=_deaf_to_ctrl_c,
        )

    def gateway(self) -> Any:
        """The connection to it, once it has started. Raises PySparkRuntimeError if it ends
        instead.
        """
        from pyspark.errors import PySparkRuntimeError
        from pyspark.java_gateway import launch_gateway
        from pyspark.serializers import UTF8Deserializer, read_int

        while not self._told.is_file():
            if self._process.poll() is not None:
                raise PySparkRuntimeError(None, "JAVA_GATEWAY_EXITED", {})
            time.sleep(_POLL_SECONDS)
        with self._told.open("rb") as told:
            port = read_int(told)  # type: ignore[no-untyped-call]
            secret = UTF8Deserializer().loads(told)  # type: ignore[no-untyped-call]
        # With these two PySpark connects to a Java that runs instead of starting one.
        known = {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}
        os.environ.update(known)
        try:
            self._gateway = launch_gateway()  # type: ignore[no-untyped-call]
        finally:
            for name in known:
                del os.environ[name]
        _without_numpy(self._gateway)
        return self._gateway

    def end(self) -> None:
        """End it, and make room for another session."""
        from pyspark import SparkContext

        from topograph.process.interrupts import held_back

        with held_back():
            SparkContext._gateway = None
            SparkContext._jvm = None
            if self._gateway is None:
                self._process.terminate()
            else:
                with contextlib.suppress(Exception):  # what is gone already need not be told
                    self._gateway.shutdown()
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(timeout=_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _without_numpy(gateway: Any) -> None:
    """No value of NumPy's is given to this Java: to ask of each value whether it is one, PySpark
    imports pandas."""
    client = gateway._gateway_client
    client.converters = [
        each for each in client.converters if not type(each).__name__.startswith("Numpy")
    ]


def _deaf_to_ctrl_c() -> None:
    # Ctrl-C reaches the whole group; how Java then ends is the driver's to decide.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
