"""``./dev`` names what a machine lacks in one line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def machine(tmp_path):
    """A folder for PATH with the tools that every system has, and neither Python nor Java nor
    apt-get.
    """
    for tool in ("sh", "dirname", "sed", "head", "tail", "cat", "rm", "mktemp", "cksum"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    return tmp_path


def program(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!{shutil.which('sh')}\n{body}\n")
    path.chmod(0o755)


def dev(*words: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"PATH": str(path)} if path else {})}
    command = [shutil.which("sh"), str(ROOT / "dev"), *words]
    return subprocess.run(
        command, env=environment, cwd="/", capture_output=True, text=True, check=False
    )


def test_an_unknown_word_shows_the_words_there_are():
    done = dev("tset")

    assert done.returncode == 2
    words = re.findall(r"^  \./dev (\w+)", done.stdout, re.MULTILINE)
    assert words == [
        "setup",
        "demo",
        "test",
        "fuzz",
        "patterns",
        "kills",
        "audit",
        "same",
        "cypher",
        "mutants",
        "record",
        "s3",
        "derive",
        "docs",
        "vendor",
        "lint",
        "bench",
    ]
    assert "./dev test --fast" in done.stdout


def test_without_python_it_names_the_package(machine):
    done = dev("setup", path=machine)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "dev: no Python 3.11 or newer; install what your system calls python3\n"


def test_on_debian_it_says_the_command_that_root_would_run(machine):
    program(machine, "apt-get", "exit 99")
    program(machine, "id", "echo 1000")
    done = dev("setup", path=machine)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "dev: no Python 3.11 or newer; run: sudo apt-get install python3\n"


def test_as_root_it_installs_and_says_so_and_what_went_wrong(machine):
    program(machine, "apt-get", "echo E: no network >&2; exit 100")
    program(machine, "id", "echo 0")
    done = dev("setup", path=machine)

    assert (done.returncode, done.stdout) == (1, "")
    said = done.stderr.splitlines()
    assert said[:2] == ["dev: no Python 3.11 or newer; installing python3", "E: no network"]
    assert said[2].startswith("dev: apt-get could not install python3; its log is ")


def test_a_python_without_the_venv_module_is_named(machine):
    program(machine, "python3", 'case "$*" in *venv*) exit 1 ;; esac')
    done = dev("setup", path=machine)

    assert done.returncode == 1
    assert (
        done.stderr
        == "dev: Python has no venv module; install what your system calls python3-venv\n"
    )


@pytest.mark.parametrize(
    ("version", "answer"),
    [("11.0.2", "is Java 11. topograph needs Java 17 or newer"), ("17.0.1", "")],
)
def test_which_java_will_do_is_known_before_anything_is_installed(machine, version, answer):
    program(machine, "java", f"echo 'openjdk version \"{version}\"' >&2")
    without_packages = [sys.executable, "-S", "-m", "topograph.process.java"]
    done = subprocess.run(
        without_packages,
        env={"PATH": str(machine)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1 if answer else 0, "")
    assert answer in done.stderr


def test_tests_name_the_browser_that_they_need_before_anything_else(machine):
    program(machine, "apt-get", "exit 99")
    program(machine, "id", "echo 1000")
    done = dev("test", path=machine)

    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == "dev: no Chromium, in which pages are tested; run: sudo apt-get install chromium\n"
    )


def test_fast_tests_need_no_browser(machine):
    done = dev("test", "--fast", path=machine)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "dev: no Python 3.11 or newer; install what your system calls python3\n"


@pytest.mark.slow
def test_fast_tests_are_those_without_spark_database_and_browser():
    script = (ROOT / "dev").read_text("utf-8")
    heavy = re.search(r'heavy="([^"]*)"', script)
    assert heavy is not None
    # Once for --fast; in a whole run before the others, so that every test runs once.
    assert re.findall(r'-m "(.*?)"', script) == [
        "not ($heavy)",
        "not ($heavy)",
        "($heavy) and not alone",
        "($heavy) and alone",
    ]
    others = [
        "tests/pipeline/test_processes.py",
        "tests/cli/test_questions.py",
        "tests/store/test_database.py",
        "tests/viz/browser",
    ]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-m",
            f"not ({heavy[1]})",
            "tests/store/test_listing.py",
            *others,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    files = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert files == {"tests/store/test_listing.py"}
