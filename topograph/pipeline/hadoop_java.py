"""A Java beside a worker of Python, which knows Hadoop's file systems: the Java that Spark itself
runs in on that machine, with its jars, and with what Spark sent there (``spark.jars``,
``spark.jars.packages``).

It has no work but that of its worker, and ends with it.
"""

from __future__ import annotations

import atexit
import errno
import os
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from topograph.digits import digits
from topograph.process.programs import NOWHERE, Program, start

_ANCESTORS = 4
"""Processes above a worker among which Spark's Java is: the daemon that forks, and Java."""

_OPTIONS = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")

_SECONDS = 60
_POLL_SECONDS = 0.02

_SERVER = ("py4j.GatewayServer", "--die-on-broken-pipe", "--enable-auth", "0")


def started() -> Any:
    """The gateway to a new Java, whose process ends when this one does. Raises OSError where none
    starts."""
    from py4j.java_gateway import GatewayParameters, JavaGateway

    java, classes = _java_of_spark()
    sent = _sent_by_spark()
    words = [java, *_OPTIONS, "-cp", os.pathsep.join([*classes, *sent]), *_SERVER]
    # The locale decides how Java reads the names of local files.
    surroundings = {**os.environ, "LC_ALL": os.environ.get("LC_ALL") or "C.UTF-8"}
    with tempfile.TemporaryFile() as told:
        process = start(
            words,
            NOWHERE,
            surroundings,
            stdin=subprocess.PIPE,  # it ends when nobody holds the other end any more
            stdout=told,
            stderr=subprocess.DEVNULL,
        )
        port, secret = _first_lines(process, told)
    atexit.register(_end, process)
    return JavaGateway(
        gateway_parameters=GatewayParameters(port=port, auth_token=secret, auto_field=True)
    )


def _first_lines(process: Program, told: IO[bytes]) -> tuple[int, str]:
    """The port and the secret that a gateway prints once it listens."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        lines = os.pread(told.fileno(), 1_000, 0).decode("utf-8", "replace").split("\n")
        port = digits(lines[0].strip())
        if len(lines) > 2 and port is not None:
            return port, lines[1].strip()
        if process.poll() is not None:
            break
        time.sleep(_POLL_SECONDS)
    process.kill()
    process.wait()
    raise OSError(errno.EIO, "no Java starts that knows Hadoop's file systems")


def _end(process: Program) -> None:
    """End the Java: it does so itself when nobody holds the other end of its input."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _java_of_spark() -> tuple[str, list[str]]:
    """The program and the class path of the Java that this worker was started by; where that cannot
    be seen, Java and the jars of ``SPARK_HOME``."""
    process = os.getppid()
    for _ in range(_ANCESTORS):
        folder = Path("/proc") / str(process)
        try:
            program = (folder / "exe").readlink()
            words = (folder / "cmdline").read_bytes().split(b"\0")
            here = (folder / "cwd").readlink()
            parent = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
        except (OSError, IndexError):
            break
        if program.name == "java":
            stated = _class_path([os.fsdecode(word) for word in words], here)
            if stated:
                return str(program), stated
        process = digits(parent, 1)
    home = os.environ.get("JAVA_HOME")
    classes = [str(Path(os.environ.get("SPARK_HOME", "")) / "jars" / "*")]
    if settings := os.environ.get("HADOOP_CONF_DIR"):
        classes.append(settings)
    return str(Path(home) / "bin" / "java") if home else "java", classes


def _class_path(words: list[str], here: Path) -> list[str]:
    """The class path in the words of a Java's command, or in its environment as YARN writes it;
    empty if there is none."""
    stated = ""
    for option, value in pairwise(words):
        if option in ("-cp", "-classpath", "--class-path"):
            stated = value
    stated = stated or os.environ.get("CLASSPATH", "")
    return [os.path.normpath(here / place) for place in stated.split(os.pathsep) if place]


def _sent_by_spark() -> list[str]:
    """The jars that Spark sent to this machine for the application."""
    from pyspark import SparkFiles

    try:
        folder = Path(SparkFiles.getRootDirectory())
    except (AssertionError, AttributeError):  # no worker of Spark's
        return []
    return sorted(str(jar) for jar in folder.glob("*.jar"))
