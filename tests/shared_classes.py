"""The classes that Java loads for Spark and for Neo4j, in archives that every Java of the tests
shares.

A third of what a small import costs, and half of what a Neo4j costs that starts, is reading and
checking the same thousands of classes. Java maps them into memory instead where an archive of them
is there (class data sharing). ``python tests/shared_classes.py`` makes the archives in the
environment, which ``./dev test`` does beside the quick tests; ``conftest.py`` names those that are
there to the Java that tests start. An archive that does not fit (another Java, other jars) is
passed over by Java, so tests do the same with and without.

The Java of tests lives some minutes, of which the better of its two compilers takes more than it
gives back: it does without.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from topograph.process.java import find_java
from topograph.store import neo4j_jars, neo4j_server
from topograph.store.homes import Home, home

FOLDER = Path(sys.prefix) / "shared_classes"
ESTATE = Path(__file__).parents[1] / "examples" / "mixed"
_PLANNED_ONCE = """\
dbms.cypher.min_replan_interval=24h
dbms.cypher.statistics_divergence_threshold=1.0
"""
"""That a statement is planned once, though each test publishes another estate: planning takes more
than half of what a Neo4j does in tests, running statements a fifth."""

SHORT_LIVED = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""What costs a Java least that lives some minutes on two cores."""

SPARK = "SPARK_SUBMIT_OPTS"
"""The variable with options of the Java that ``spark-submit`` starts."""

_SECONDS_TO_WRITE = 300


def archive(name: str) -> Path:
    """Where the archive of a program is, for the Java that would run it and the jars there are."""
    folder = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(folder) / "bin") if folder else None)
    java = Path(found or "java").resolve()
    changed = java.stat().st_mtime_ns if java.is_file() else 0
    jars = {"spark": metadata.version("pyspark"), "neo4j": neo4j_jars.version()}[name]
    key = hashlib.sha256(f"{java} {changed} {jars}".encode()).hexdigest()[:16]
    return FOLDER / f"{name}-{key}.jsa"


def _shared(name: str) -> tuple[str, ...]:
    """Options with which Java shares the classes of an archive; none where it is not there."""
    there = archive(name)
    # What Java says of an archive that does not fit would stand among what the program prints.
    return (f"-XX:SharedArchiveFile={there}", "-Xlog:disable") if there.is_file() else ()


def share() -> None:
    """Have every Spark and every Neo4j that this process starts share the classes of the
    archives.
    """
    if not os.environ.get(SPARK):
        os.environ[SPARK] = " ".join(f'"{option}"' for option in (*SHORT_LIVED, *_shared("spark")))
    neo4j_server._JVM = (*_short_lived(), *_shared("neo4j"))
    if _PLANNED_ONCE not in neo4j_server._CONFIGURATION:
        neo4j_server._CONFIGURATION += _PLANNED_ONCE


def _short_lived() -> tuple[str, ...]:
    """The options of a Neo4j for as long as tests need one."""
    others = tuple(option for option in neo4j_server._JVM if option != "-XX:+UseG1GC")
    return (*others, *SHORT_LIVED)


def write() -> None:
    """Make the archives that are missing."""
    FOLDER.mkdir(exist_ok=True)
    for name, run in (("spark", _spark), ("neo4j", _neo4j)):
        there = archive(name)
        if there.is_file():
            continue
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            made = Path(folder) / there.name
            run(Path(folder), f"-XX:ArchiveClassesAtExit={made}")
            if made.is_file() and _can_be_used(made):
                made.rename(there)


def _can_be_used(made: Path) -> bool:
    """Whether Java starts with it: half an archive, of a Java that was killed, ends the next."""
    options = [f"-XX:SharedArchiveFile={made}", f"-XX:ErrorFile={made.with_name('error')}"]
    command = [find_java("tests"), *options, "-version"]
    return (
        subprocess.run(command, capture_output=True, check=False, cwd=made.parent).returncode == 0
    )


def _spark(folder: Path, option: str) -> None:
    """Import something."""
    from topograph.pipeline import gateway
    from topograph.pipeline.import_run import run_import

    gateway._END_SECONDS = _SECONDS_TO_WRITE
    os.environ[SPARK] = f'"{option}"'
    try:
        run_import([ESTATE], folder / "snapshot", neo4j="none")
    finally:
        del os.environ[SPARK]


def _neo4j(folder: Path, option: str) -> None:
    """Publish something, and ask."""
    from topograph.engines.neo4j import Neo4jEngine
    from topograph.network import network_of
    from topograph.opening.folders import read_snapshot
    from topograph.store.database import connect
    from topograph.store.publication import publish_snapshot
    from topograph.store.where import DatabaseAddress
    from topograph.systems import assemble

    where = Home(folder / "home", home().cache)
    before = neo4j_server._JVM, neo4j_server._STOP_SECONDS
    neo4j_server._JVM = (*_short_lived(), option)
    neo4j_server._STOP_SECONDS = _SECONDS_TO_WRITE
    try:
        running = neo4j_server.start(where, port=neo4j_server.free_port(), heap="1g").server
        assert running is not None
        address = DatabaseAddress(running.uri, neo4j_server.USER, neo4j_server.password(where))
        with connect(address) as database:
            snapshot = read_snapshot(ESTATE)
            publish_snapshot(database, snapshot, assemble)
            (name,) = snapshot.networks
            network = network_of(
                snapshot, name, lambda graph: Neo4jEngine(database, snapshot.id, name, graph)
            )
            network.reach(network.server_names()[0])
    finally:
        neo4j_server.stop(where)
        neo4j_server._JVM, neo4j_server._STOP_SECONDS = before


if __name__ == "__main__":
    write()
