"""Help teaches by example: every example in a help text is one that runs."""

from __future__ import annotations

import inspect
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from store.git_repositories import with_a_history

from topograph.cli.group import COMMANDS, topograph
from topograph.cli.main import exit_code
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.questions.records import QUESTIONS
from topograph.store.where import DatabaseAddress

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def commands(
    command: click.Command = topograph, name: str = "topograph"
) -> Iterator[tuple[str, click.Command]]:
    """Every command there is, with its full name."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from commands(found, f"{name} {below}")


def examples(command: click.Command) -> list[str]:
    """The command lines in a help text, without ``topograph``."""
    return re.findall(r"^ +topograph (.+)$", inspect.cleandoc(command.help or ""), re.MULTILINE)


ALL = {name: examples(command) for name, command in commands()}
SPARK = {words for lines in ALL.values() for words in lines if words.startswith("import")}
DATABASE = [
    words
    for lines in ALL.values()
    for words in lines
    if words.startswith(
        ("snapshots list", "snapshots publish", "cypher ", "reach HQ --engine neo4j")
    )
]
CHANGING = {
    words
    for lines in ALL.values()
    for words in lines
    if words.startswith(("db st", "snapshots delete"))
} - {"db status --format json"}
"""These start and stop a server and delete what is published: only that they can be read is
tested here.
"""
SERVING = {words for lines in ALL.values() for words in lines if words.startswith("mcp ")}
"""These talk to a client over standard input: tests/tools has one."""
ASKING = sorted(
    {words for lines in ALL.values() for words in lines}
    - SPARK
    - set(DATABASE)
    - CHANGING
    - SERVING
)
CODES = {
    example.words: example.exit_code
    for question in QUESTIONS
    for example in question.examples
    if example.estate == "estate" or all(one.estate != "estate" for one in question.examples)
}
ELSEWHERE = {
    example.words: example.estate
    for question in QUESTIONS
    if all(example.estate != "estate" for example in question.examples)
    for example in question.examples
}
"""The examples of questions that are about no server of the estate, and what they are asked of
instead.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder a newcomer works in: the examples, and the estate imported."""
    folder = tmp_path_factory.mktemp("help")
    (folder / "examples").symlink_to(EXAMPLES)
    with_a_history(folder)
    keep(read_snapshot(EXAMPLES / "estate"), folder / "topograph.snapshot")
    return folder


@pytest.mark.parametrize("name", ALL)
def test_every_help_shows_what_to_type(name: str) -> None:
    assert 1 <= len(ALL[name]) <= 6


@pytest.mark.parametrize("name", ALL)
def test_every_example_says_what_it_is_for(name: str) -> None:
    command = dict(commands())[name]
    lines = inspect.cleandoc(command.help or "").splitlines()
    shown = [line for line in lines if re.match(r" +(topograph|#) ", line)]
    assert shown[0].lstrip().startswith("# ")


@pytest.mark.parametrize("words", sorted({words for lines in ALL.values() for words in lines}))
def test_every_example_is_a_command_line(words: str) -> None:
    command: click.Command = topograph
    arguments = shlex.split(words)
    while isinstance(command, click.Group):
        name, found, arguments = command.resolve_command(click.Context(command), arguments)
        assert found is not None, name
        command = found
    command.make_context("topograph", arguments)


@pytest.mark.parametrize("words", ASKING)
def test_every_example_runs_on_the_estate(
    words: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    if words in ELSEWHERE:
        keep(read_snapshot(EXAMPLES / ELSEWHERE[words]), tmp_path / "other.snapshot")
        monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(tmp_path / "other.snapshot"))
    assert exit_code(shlex.split(words)) == CODES.get(words, 0)
    out, err = capsys.readouterr()
    assert out or err  # a picture goes to a file, and where it is to standard error
    assert "Error" not in err


@pytest.mark.neo4j
def test_the_examples_with_a_database_run_after_one_another(
    folder: Path,
    neo4j_environment: DatabaseAddress,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    for words in sorted(set(DATABASE), key=lambda words: "publish" not in words):
        assert exit_code(shlex.split(words)) == 0, words
        assert capsys.readouterr().out, words


@pytest.mark.spark
@pytest.mark.parametrize("words", sorted(SPARK))
def test_the_examples_of_import_run(words: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    done = subprocess.run(
        [sys.executable, "-m", "topograph", *shlex.split(words), "--neo4j", "none"],
        cwd=tmp_path,
        env={**os.environ, "TOPOGRAPH_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_first_help_leads_from_a_question_on_a_folder_to_an_import() -> None:
    first = [words.split()[0] for words in ALL["topograph"]]
    assert first[:3] == ["reach", "import", "show"]
    assert "-s examples/estate" in ALL["topograph"][0]
    assert {"reach", "propagate"} <= set(first)
    assert first[-1] == "view"


def written(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What ``--help`` of a command prints."""
    assert exit_code([name, "--help"]) == 0
    return capsys.readouterr().out


def sections(help_text: str) -> dict[str, list[str]]:
    """The options in a help text by the section they stand in."""
    found: dict[str, list[str]] = {}
    own: list[str] = []
    for line in help_text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            own = found.setdefault(line.removesuffix(":"), [])
        elif option := re.match(r"  (?:-\w, )?(--[\w-]+)", line):
            own.append(option[1])
    return {heading: options for heading, options in found.items() if options}


def test_options_for_one_kind_of_server_stand_apart_from_those_of_every_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = sections(written("trace", capsys))
    assert list(found) == [
        "Options",
        "Options for routers",
        "Options for queue managers",
        "Options for buses",
        "Options for brokers",
        "Common options",
    ]
    assert found["Options"][0] == "--destination"
    assert "--reply" in found["Options"]
    assert found["Options for routers"] == ["--anonymous", "--count"]
    assert found["Options for brokers"] == ["--key", "--expiration"]


@pytest.mark.parametrize("name", [*(question.name for question in QUESTIONS), "view", "report"])
def test_what_every_question_takes_stands_last_in_its_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = sections(written(name, capsys))
    assert list(found)[-1] == "Common options"
    assert found["Common options"][0] == "--snapshot"
    assert found["Common options"][-1] == "--help"
    assert not set(found.get("Options", ())) & {"--engine", "--snapshot"}


@pytest.mark.parametrize("name", [*(question.name for question in QUESTIONS), "view", "report"])
def test_examples_can_be_pasted_as_they_are(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = re.search(r"export TOPOGRAPH_SNAPSHOT=examples/(\S+)", written(name, capsys))
    assert folder
    assert (EXAMPLES / folder[1]).is_dir()


def test_the_help_of_impact_explains_each_column_of_a_sweep(
    capsys: pytest.CaptureFixture[str],
) -> None:
    explained = re.findall(r"^    (\w+) {2,}\S", written("impact", capsys), re.MULTILINE)
    printed = set()
    for estate in ("estate", "routers", "retail", "mixed", "queue_managers", "services"):
        assert exit_code(["impact", "--sweep", "-s", str(EXAMPLES / estate)]) == 0
        out = capsys.readouterr().out
        (headings,) = re.findall(r"^  failure +(.+?)  configured at$", out, re.MULTILINE)
        printed |= set(headings.split())
    assert printed == set(explained)


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_help_is_written_in_eighty_columns_but_for_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([name, "--help"]) == 0
    wide = [line for line in capsys.readouterr().out.splitlines() if len(line) > 80]
    assert [line for line in wide if not line.lstrip().startswith("topograph ")] == []
