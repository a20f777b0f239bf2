"""Each option that names a file to write, and each place that takes none: one message that names
the file, the exit code of DESIGN section 4, and nothing left beside it.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from store.git_repositories import commit, repository

from topograph.cli.group import topograph
from topograph.cli.main import exit_code
from topograph.cli.written_files import write_file
from topograph.errors import BackendError, UsageError
from topograph.questions.question import ParameterKind
from topograph.questions.records import QUESTIONS

LINES = {
    "audit --junit": "audit -s . --change A=change.txt --junit",
    "audit --markdown": "audit -s . --change A=change.txt --markdown",
    "audit --sarif": "audit -s . --change A=change.txt --sarif",
    "audit --save": "audit -s . --change A=change.txt --save",
    "check --sarif": "check -s . --sarif",
    "check --write-baseline": "check -s . --write-baseline",
    "history -o": "history . -o",
    "report -o": "report -s . -o",
    "view -o": "view -s . -o",
}
SPARK = {"import -o"}
"""What is written by way of Spark has tests of its own (``pipeline.test_import_command``)."""


def writing() -> Iterator[str]:
    """The options that name a file to write: ``-o`` of any command, and those of questions."""
    context = click.Context(topograph)
    for name in topograph.list_commands(context):
        command = topograph.get_command(context, name)
        assert command is not None
        if any("-o" in one.opts for one in command.params):
            yield f"{name} -o"
    for question in QUESTIONS:
        for one in question.parameters:
            if one.kind is ParameterKind.WRITTEN:
                yield f"{question.name} {one.option}"


def test_every_option_that_names_a_file_to_write_is_tried() -> None:
    assert {*writing()} == {*LINES, *SPARK}


FOR_A_HINT = 4_000
"""Bytes that git writes on its standard error."""


@contextmanager
def no_room(but: int = 0) -> Iterator[None]:
    """No file of this process and of those that it starts may grow beyond so many bytes."""
    before, compiled = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python takes what it could write of a module for all of it
    resource.setrlimit(resource.RLIMIT_FSIZE, (but, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = compiled


PLACES = {
    "out.html": 4,
    "folder": 2,
    "file/out.html": 2,
    "nowhere/out.html": 2,
    ".": 2,
    "/sys/out.html": 2,
    "/dev/full": 4,
}
"""By the file, the exit code; ``out.html`` is written where there is no room."""


@pytest.fixture
def estate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = repository(tmp_path / "estate")
    (place / "tibemsd.conf").write_text("server = A\nrouting = enabled\n")
    (place / "change.txt").write_text("create topic t\n")
    commit(place)
    (place / "folder").mkdir()
    (place / "file").touch()
    monkeypatch.chdir(place)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    return place


@pytest.mark.parametrize("name", LINES)
def test_what_cannot_be_written_is_named(
    name: str, estate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(estate.rglob("*"))
    for place, code in PLACES.items():
        if place.startswith("/") and not Path(place).parent.is_dir():
            continue
        words = [*LINES[name].split(), place]
        if place == "out.html":
            with no_room(FOR_A_HINT * name.startswith("history")):
                found = exit_code(words)
        else:
            found = exit_code(words)
        said = capsys.readouterr().err
        assert (found, f"Error: {place} cannot be written: " in said) == (code, True), (words, said)
        assert "Traceback" not in said
        assert sorted(estate.rglob("*")) == before, words
    assert not (tmp_path / "home" / "reports").exists()


def test_a_draft_that_cannot_be_written_is_named(
    estate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with no_room():
        assert exit_code(["init", "."]) == 4
    assert "topograph.yaml cannot be written: File too large." in capsys.readouterr().err
    assert not (estate / "topograph.yaml").exists()


@pytest.mark.parametrize("home", ["file/home", "/sys/home", "/proc/home", "home"])
def test_a_cache_that_cannot_be_written_changes_no_answer(
    home: str, estate: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(estate / home))
    lines = (["reach", "A", "-s", "."], ["check", "-s", "."], ["impact", "--sweep", "-s", "."])

    def asked() -> list[tuple[int, str, str]]:
        return [(exit_code(line), *capsys.readouterr()) for line in lines]

    with no_room():
        without = asked()
    monkeypatch.setenv("TOPOGRAPH_HOME", str(estate.parent / "kept"))
    assert asked() == without
    assert asked() == without


def test_a_file_is_replaced_by_a_whole_one_and_what_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "out [1].html"
    place.write_text("before")
    abandoned = tmp_path / ".out [1].html.0123abcd.part"
    abandoned.write_text("half")
    other = tmp_path / ".out 1.html.0123abcd.part"
    other.write_text("of another file")
    write_file(str(place), "after")
    assert place.read_text() == "after"
    assert sorted(tmp_path.iterdir()) == sorted((place, other))
    with no_room(), pytest.raises(BackendError):
        write_file(str(place), "much")
    assert place.read_text() == "after"
    with pytest.raises(UsageError):
        write_file(str(tmp_path), "")
    long = tmp_path / ("é" * 125 + ".txt")
    write_file(str(long), "kept")
    assert long.read_text() == "kept"


def test_a_file_that_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    place, held = tmp_path / "out", tmp_path / ".out.0123abcd.part"
    held.write_text("half")
    with subprocess.Popen(
        ["flock", str(held), "sh", "-c", "echo held; read line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        write_file(str(place), "whole")
        assert held.exists()
        holder.communicate("\n")
    write_file(str(place), "whole")
    assert not held.exists()
