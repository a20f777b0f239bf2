"""Nothing that lies in the working directory or in an estate runs, in no process of a command,
however it is started. Imports as users start them are among the commands of
``test_hostile_folder``.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyspark
import pytest
from planted_code import all_names, imported

from topograph import search_paths
from topograph.errors import NoJava
from topograph.pipeline.session import _environment
from topograph.process.java import find_java

TOPOGRAPH = str(Path(sys.executable).with_name("topograph"))

PLANTED = """\
import sys
with open({marker!r}, "a") as marker:
    marker.write({name!r} + " in " + " ".join(sys.orig_argv) + "\\n")
"""


class Estate:
    """A folder of configuration in which modules lie that leave a mark when they run."""

    def __init__(self, folder: Path, marker: Path) -> None:
        self.folder = folder
        self.marker = marker
        folder.mkdir()
        (folder / "tibemsd.conf").write_text("server = A\nrouting = enabled\n")

    def plant(self, names: frozenset[str]) -> None:
        assert {"json", "pyarrow"} <= names
        for name in names:
            text = PLANTED.format(marker=str(self.marker), name=name)
            if name == "topograph":
                (self.folder / name).mkdir()
                for part in ("__init__", "__main__"):
                    (self.folder / name / f"{part}.py").write_text(text)
            else:
                (self.folder / f"{name}.py").write_text(text)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the folder; what was planted there must not run."""
        home = self.folder.parent / "home"
        unset = (search_paths.SAFE, "PYTHONPATH", "TOPOGRAPH_SNAPSHOT", "SPARK_HOME")
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        done = subprocess.run(
            words,
            cwd=self.folder,
            env={**kept, "TOPOGRAPH_HOME": str(home), "XDG_CACHE_HOME": str(home), **variables},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert self.ran() == []
        return done

    def clear_of(self, *words: str, **variables: str) -> None:
        """Remove what Python itself runs of the folder, such as what it tries on other systems."""
        with contextlib.suppress(AssertionError):
            self.run(sys.executable, *words, **variables)
        for line in self.ran():
            (self.folder / f"{line.partition(' ')[0]}.py").unlink(missing_ok=True)
        self.marker.unlink(missing_ok=True)

    def ran(self) -> list[str]:
        return self.marker.read_text().splitlines() if self.marker.exists() else []


@pytest.fixture
def estate(tmp_path: Path) -> Estate:
    return Estate(tmp_path / "estate", tmp_path / "marker")


def importing(tmp_path: Path, *options: str) -> tuple[str, ...]:
    return ("import", ".", "-o", str(tmp_path / "out"), "--neo4j", "none", *options)


@pytest.mark.slow
def test_planted_modules_run_where_python_searches_the_working_directory(estate: Estate) -> None:
    """The control: what is planted does leave its mark."""
    estate.plant(all_names())
    with pytest.raises(AssertionError):
        estate.run(sys.executable, "-m", "json")


@pytest.mark.spark
def test_workers_without_a_daemon_run_none_either(estate: Estate, tmp_path: Path) -> None:
    estate.plant(all_names())
    # Each task starts a Python: one core has the fewest.
    alone = ("--master", "local[1]", "--spark-conf", "spark.python.use.daemon=false")
    done = estate.run(TOPOGRAPH, *importing(tmp_path, *alone))
    assert done.returncode == 0, done.stderr


@pytest.mark.spark
def test_relative_places_of_pythonpath_are_searched_by_no_process(
    estate: Estate, tmp_path: Path
) -> None:
    """Apart from what Python itself imports before topograph runs."""
    early = imported("import re, sys; print(*sys.modules)")
    estate.plant(all_names() - early - {"topograph", "sitecustomize", "usercustomize"})
    found = f":{tmp_path}::.:../estate:"
    estate.clear_of("-c", "import re", PYTHONPATH=found)
    done = estate.run(TOPOGRAPH, *importing(tmp_path), PYTHONPATH=found)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("check", "-s", "."), ("--version",), ("show", "servers")])
def test_no_command_runs_a_module_of_the_working_directory(
    estate: Estate, words: tuple[str, ...]
) -> None:
    estate.plant(all_names())
    done = estate.run(TOPOGRAPH, *words, TOPOGRAPH_SNAPSHOT=".")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("typed", ["", "reach ", "reach A --engine ", "check -s .", "import -o ./"])
def test_completion_runs_no_module_of_the_working_directory(estate: Estate, typed: str) -> None:
    estate.plant(all_names())
    line = f"topograph {typed}"
    done = estate.run(
        TOPOGRAPH,
        _TOPOGRAPH_COMPLETE="bash_complete",
        COMP_WORDS=line,
        COMP_CWORD=str(len(line.split(" ")) - 1),
        TOPOGRAPH_SNAPSHOT=".",
    )
    assert done.returncode == 0, done.stderr


def test_as_a_module_of_python_topograph_leaves_the_working_directory_out_at_once(
    estate: Estate,
) -> None:
    """What Python imports to find the module, and the package itself, come before our code."""
    estate.plant(all_names() - imported("", module=True) - {"topograph"})
    done = estate.run(sys.executable, "-m", "topograph", "check", "-s", ".")
    assert done.returncode == 0, done.stderr


@pytest.mark.spark
def test_an_import_as_a_module_of_python_leaves_it_out_in_workers_too(
    estate: Estate, tmp_path: Path
) -> None:
    estate.plant(all_names() - imported("", module=True) - {"topograph"})
    done = estate.run(sys.executable, "-m", "topograph", *importing(tmp_path))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("flags", "argv", "path", "left"),
    [
        (("-m", "topograph"), ["-m", "check"], ["{cwd}", "/lib"], ["/lib"]),
        (("-mtopograph",), ["-m"], ["{cwd}", "/lib"], ["/lib"]),
        (("-Bm", "topograph.cli.main"), ["-m", "x"], ["{cwd}", "/lib"], ["/lib"]),
        (("-m", "topography"), ["-m"], ["{cwd}", "/lib"], ["{cwd}", "/lib"]),
        (("-m", "notebook"), ["-m", "topograph"], ["{cwd}", "/lib"], ["{cwd}", "/lib"]),
        (("script.py",), ["script.py"], ["{cwd}", "/lib"], ["{cwd}", "/lib"]),
        (("-m", "topograph"), ["-m"], ["/lib", "{cwd}"], ["/lib", "{cwd}"]),
    ],
)
def test_only_where_python_runs_topograph_as_a_module_is_its_first_place_left_out(
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    argv: list[str],
    path: list[str],
    left: list[str],
) -> None:
    monkeypatch.setattr(sys, "orig_argv", ["python", *flags, *argv[1:]])
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "path", [place.format(cwd=Path.cwd()) for place in path])
    search_paths.leave_out_place_of_module()
    assert sys.path == [place.format(cwd=Path.cwd()) for place in left]


def test_places_that_are_named_in_full_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    here = str(Path.cwd())
    monkeypatch.setenv("PYTHONPATH", f".:/lib:{here}/tests:tests:docs:")
    monkeypatch.setattr(
        sys, "path", ["/bin", here, "/lib", f"{here}/tests", f"{here}/docs", "", "relative"]
    )
    search_paths.leave_out_relative_places()
    assert sys.path == ["/bin", "/lib", f"{here}/tests"]


@pytest.mark.parametrize("variables", [{}, {"PATH": ":/a:.:b/c:/d:", "PYTHONPATH": "."}])
def test_processes_that_are_started_search_full_paths_only(variables: Mapping[str, str]) -> None:
    changed = {**variables, **search_paths.safe(variables)}
    expected: dict[str, str] = {"PATH": "/a:/d", "PYTHONPATH": ""} if variables else {}
    assert changed == {**expected, search_paths.SAFE: "1"}


def test_java_of_a_relative_place_of_the_path_is_none(
    estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(estate.folder / "java", tmp_path)
    monkeypatch.chdir(estate.folder)
    with pytest.raises(NoJava):
        find_java("Spark", {"PATH": f":.:{tmp_path}:"})
    assert estate.ran() == []


@pytest.mark.spark
def test_spark_is_not_looked_for_beside_the_working_directory(
    estate: Estate, tmp_path: Path
) -> None:
    """PySpark's own search begins in the folder above it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "jars").mkdir()
    program(tmp_path / "bin" / "spark-submit", tmp_path)
    out = importing(tmp_path, "--master", "spark://127.0.0.1:nowhere")
    done = estate.run(TOPOGRAPH, *out)
    assert done.returncode == 4, done.stderr


def test_a_cluster_has_the_spark_of_the_installed_package_unless_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    with _environment("spark://host:7077", tmp_path):
        assert os.environ["SPARK_HOME"] == str(Path(pyspark.__file__).parent)
    monkeypatch.setenv("SPARK_HOME", "/opt/spark")
    with _environment("spark://host:7077", tmp_path):
        assert os.environ["SPARK_HOME"] == "/opt/spark"


def program(place: Path, tmp_path: Path) -> None:
    place.write_text(f'#!/bin/sh\necho "$0" >> {tmp_path}/marker\nexit 1\n')
    place.chmod(0o755)


@pytest.mark.spark
def test_workers_of_a_session_that_is_given_search_no_working_directory_during_an_import(
    estate: Estate, tmp_path: Path
) -> None:
    script = """\
import sys
from pyspark.sql import SparkSession
from topograph.pipeline.import_run import run_import
spark = SparkSession.builder.master("local[1]").getOrCreate()
before = dict(spark.sparkContext.environment)
run_import(["."], sys.argv[1], neo4j="none", spark=spark)
assert spark.sparkContext.environment == before
spark.stop()
"""
    (tmp_path / "script.py").write_text(script)
    estate.plant(all_names())
    out = str(tmp_path / "out")
    python = {"PYSPARK_PYTHON": sys.executable}
    done = estate.run(sys.executable, str(tmp_path / "script.py"), out, **python)
    assert done.returncode == 0, done.stderr


@pytest.mark.spark
@pytest.mark.slow
def test_workers_neither_start_in_the_working_directory_nor_search_their_own(
    estate: Estate, tmp_path: Path
) -> None:
    """Two walls, of which each would do: a worker is asked for both."""
    script = """\
import os, sys
from pathlib import Path
from topograph.pipeline.session import spark_starting
with spark_starting(Path(sys.argv[1]), master="local[2]") as started:
    asked = lambda _: (__import__("sys").flags.safe_path, __import__("os").getcwd())
    print(*started().parallelize([0], 1).map(asked).collect()[0])
"""
    (tmp_path / "script.py").write_text(script)
    estate.plant(all_names())
    done = estate.run(sys.executable, str(tmp_path / "script.py"), str(tmp_path / "log"))
    searched, place = done.stdout.split()
    assert searched == "True", done.stderr
    assert not Path(place).is_relative_to(estate.folder)
