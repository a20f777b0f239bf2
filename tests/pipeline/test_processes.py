"""Imports as processes: killed, interrupted, without Java, and on a cluster whose workers have
no topograph.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from topograph.opening.folders import read_snapshot
from topograph.store.parquet import open_snapshot, read_manifest

pytestmark = [pytest.mark.spark, pytest.mark.alone]

SERVERS = 40


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    """A chain of servers: big enough that an import is under way for a while."""
    for number in range(SERVERS):
        folder = tmp_path / "net" / f"s{number}"
        folder.mkdir(parents=True)
        (folder / "tibemsd.conf").write_text(
            f"server = S{number}\nrouting = enabled\nroutes = routes.conf\n"
        )
        (folder / "routes.conf").write_text(f"[S{number + 1}]\nurl = tcp://s{number + 1}:7222\n")
    return tmp_path / "net"


@contextlib.contextmanager
def running(
    tmp_path: Path, *arguments: object, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """``topograph import`` as a process group of its own, away from this repository."""
    process = subprocess.Popen(
        [sys.executable, "-m", "topograph", "import", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={
            **os.environ,
            "TOPOGRAPH_HOME": str(tmp_path / "home"),
            "TMPDIR": str(tmp_path),
            **environment,
        },
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(process: subprocess.Popen[str], stage: str) -> None:
    """Until the process says that a stage is over."""
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(stage):
            return
    raise AssertionError(f"the import ended before {stage!r}")


def group(number: int) -> dict[int, str]:
    """The processes of a group (the import, its Java) that still run, each with its command, by
    what /proc says: ``ps`` is not everywhere.
    """
    running = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, _, group_id = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            command = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # it ended while the folder was read
        if int(group_id) == number and state != "Z":
            running[int(folder.name)] = command
    return running


@pytest.mark.parametrize("stage", ["Listing files", "Recognising files", "Compiling networks"])
def test_a_killed_import_leaves_the_old_snapshot_answering(
    importing: Callable[..., Any], estate: Path, tmp_path: Path, stage: str
) -> None:
    importing([estate], tmp_path / "s")
    before = read_manifest(tmp_path / "s")
    (estate / "s0" / "routes.conf").write_text("")
    with running(tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none") as process:
        wait_for(process, stage)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert read_manifest(tmp_path / "s") == before
    assert len(open_snapshot(tmp_path / "s").facts("net", kinds=("route",))) == SERVERS
    again = importing([estate], tmp_path / "s")
    assert read_manifest(tmp_path / "s").id == again.snapshot != before.id
    assert len(open_snapshot(tmp_path / "s").facts("net", kinds=("route",))) == SERVERS - 1
    assert len(list((tmp_path / "s" / "data").iterdir())) == 2


@pytest.mark.parametrize("stage", ["Listing files", "Starting Spark", "Recognising files"])
def test_ctrl_c_ends_an_import_with_one_line_and_leaves_nothing(
    estate: Path, tmp_path: Path, stage: str
) -> None:
    with running(tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none") as process:
        wait_for(process, stage)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err.splitlines()[-1]) == (130, "", "Interrupted.")
        assert "Traceback" not in err
        assert not (tmp_path / "s").exists()
        assert not group(process.pid)


def test_an_import_that_is_terminated_leaves_nothing(estate: Path, tmp_path: Path) -> None:
    with running(tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none") as process:
        wait_for(process, "Starting Spark")
        assert list(tmp_path.glob("topograph-spark-*"))
        process.terminate()
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err.splitlines()[-1]) == (143, "", "Terminated.")
        assert not (tmp_path / "s").exists()
        assert not list(tmp_path.glob("topograph-*"))
        assert not group(process.pid)


def test_an_import_whose_java_dies_says_so_in_one_line(estate: Path, tmp_path: Path) -> None:
    with running(tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none") as process:
        wait_for(process, "Recognising files")
        for number, command in group(process.pid).items():
            if "org.apache.spark.deploy.SparkSubmit" in command:
                os.kill(number, signal.SIGKILL)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out) == (4, "")
        assert err.splitlines()[-1].startswith("Error: Spark failed while ")
        assert "Traceback" not in err
        assert not (tmp_path / "s").exists()
        assert not group(process.pid)


def test_without_java_the_import_says_what_to_install(estate: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    nowhere = {"PATH": str(tmp_path / "bin"), "JAVA_HOME": ""}
    with running(
        tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none", "-q", **nowhere
    ) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (4, "")
    assert err.startswith("Error: There is no Java. Spark needs Java 17 or newer")
    assert len(err.splitlines()) == 1
    (tmp_path / "bin" / "java").write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    (tmp_path / "bin" / "java").chmod(0o755)
    with running(
        tmp_path, estate, "-o", tmp_path / "s", "--neo4j", "none", "-q", **nowhere
    ) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, len(err.splitlines())) == (4, "", 1)
    assert "is Java 11" in err
    assert not (tmp_path / "s").exists()


def test_a_cluster_whose_workers_have_no_topograph_imports(estate: Path, tmp_path: Path) -> None:
    python = worker_python(tmp_path)
    with cluster(tmp_path / "cluster") as master:
        arguments = (
            estate,
            "-o",
            tmp_path / "s",
            "--neo4j",
            "none",
            "--master",
            master,
            "--format",
            "json",
        )
        with running(tmp_path, *arguments, PYSPARK_PYTHON=str(python)) as process:
            out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert (tmp_path / "worker-python-ran").exists()
    here = read_snapshot(estate)
    kept = open_snapshot(tmp_path / "s")
    report = json.loads(out)
    assert report["snapshot"] == kept.id == here.id
    assert (report["networks"][0]["servers"], report["networks"][0]["links"]) == (
        SERVERS + 1,
        SERVERS,
    )
    assert sorted(map(repr, kept.facts("net"))) == sorted(map(repr, here.facts("net")))
    assert list(kept.graph_tables("net")[0].points) == list(here.graph_tables("net")[0].points)
    assert len(kept.interests("net", "ems") or ()) == SERVERS * (SERVERS + 1)
    assert all(line.partition(":")[2].endswith(" s") for line in err.splitlines()), err


def worker_python(tmp_path: Path) -> Path:
    """A Python with all dependencies and without topograph; it leaves a mark when a worker runs
    in it.
    """
    packages = tmp_path / "packages"
    packages.mkdir()
    for kind in ("purelib", "platlib"):
        for entry in Path(sysconfig.get_path(kind)).iterdir():
            if (
                not entry.name.startswith(("topograph", "__editable__", "__pycache__"))
                and entry.suffix != ".pth"
            ):
                with contextlib.suppress(FileExistsError):
                    (packages / entry.name).symlink_to(entry)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    found = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    (Path(found.stdout.strip()) / "dependencies.pth").write_text(f"{packages}\n")
    probe = [python, "-c", "import pyarrow, pyspark, click\nimport topograph"]
    # A session of this process that still runs names its own package in PYTHONPATH.
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = subprocess.run(
        probe, capture_output=True, text=True, cwd=tmp_path, env=alone, check=False
    )
    assert "No module named 'topograph'" in said.stderr
    wrapper = tmp_path / "worker-python"
    wrapper.write_text(
        f'#!/bin/sh\ntouch {tmp_path}/worker-python-ran\nunset PYTHONHOME\nexec {python} "$@"\n'
    )
    wrapper.chmod(0o755)
    return wrapper


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A standalone Spark master and two workers on loopback; yields the master's URL."""
    import pyspark

    folder.mkdir()
    home = Path(pyspark.__file__).parent
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYSPARK_PYTHON")
    }
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home)}
    words = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
    worker = [*words, "--work-dir", str(folder), url]
    roles = [
        ("master", ["Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]),
        ("worker", ["Worker", *worker]),
        ("worker", ["Worker", *worker]),
    ]
    with contextlib.ExitStack() as stack:
        for number, (role, (name, *arguments)) in enumerate(roles):
            log = stack.enter_context((folder / f"{number}.log").open("w"))
            process = subprocess.Popen(
                [
                    home / "bin" / "spark-class",
                    f"org.apache.spark.deploy.{role}.{name}",
                    *arguments,
                ],
                stdout=log,
                stderr=log,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
            stack.callback(end, process)
        deadline = time.monotonic() + 120
        for number in (1, 2):
            log_of = folder / f"{number}.log"
            while "Successfully registered with master" not in log_of.read_text():
                assert time.monotonic() < deadline, (folder / "0.log").read_text()
                time.sleep(0.2)
        yield url
        shutil.rmtree(folder, ignore_errors=True)


def end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
