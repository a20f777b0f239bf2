"""URLs of storage elsewhere: every command but ``import`` refuses them in place of a path, and
writes nothing; ``import`` refuses those of no storage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import topograph
from topograph.cli.group import topograph as command_line
from topograph.cli.main import exit_code
from topograph.errors import UsageError
from topograph.local_paths import storage_or_path

ROUTING_PATHS = ("--frp", "--rrp")
"""Options whose ``PATH`` is one of destinations."""

IMPORTED = ("import", "import -o", "import --previous")
"""What takes URLs of storage that Spark reads."""

URLS = (
    "s3a://bucket/x",
    "s3://bucket/x",
    "S3A://bucket/x",
    "abfss://box@account.dfs.core.windows.net/x",
    "gs://bucket/x",
    "hdfs://name:8020/x",
    "hdfs:///x",
    "dbfs:/mnt/x",
    "hdfs:/x",
    "file:///x",
    "file:/x",
    "https://host/x",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An estate with a change, in which commands run."""
    (tmp_path / "estate").mkdir()
    (tmp_path / "estate" / "tibemsd.conf").write_text("server = A\nrouting = enabled\n")
    (tmp_path / "change.txt").write_text("create topic orders\n")
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path.parent / f"{tmp_path.name}-home"))
    monkeypatch.delenv("TOPOGRAPH_SNAPSHOT", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


Words = tuple[str, ...]


def commands(command: click.Command, *words: str) -> Iterator[tuple[Words, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, *words, name)
    else:
        yield words, command


def command_lines_with_a_path() -> Iterator[list[str]]:
    """The start of a command line for each parameter that its help says is a path."""
    for words, command in commands(command_line):
        for parameter in command.params:
            named = re.search(r"PATH|FILE|FOLDER|SNAPSHOT|\.json", parameter.metavar or "")
            if not named or set(parameter.opts) & set(ROUTING_PATHS):
                continue
            option = [parameter.opts[0]] if isinstance(parameter, click.Option) else []
            given = ["", "A="] if "SERVER=" in str(parameter.metavar) else [""]
            yield from ([*words, *option, before] for before in given)


def test_every_command_that_takes_a_path_is_among_those_tested() -> None:
    found = {" ".join(words).strip() for words in command_lines_with_a_path()}
    assert found >= {
        "import",
        "import -o",
        "import --config",
        "reach -s",
        "view -o",
        "view -s",
        "view --layout",
        "report -o",
        "report --change",
        "report --change A=",
        "report --before",
        "report --with",
        "audit --change",
        "audit --after",
        "audit --policy",
        "audit --sarif",
        "audit --save",
        "interests --observed",
        "snapshots publish",
    }


@pytest.mark.parametrize(
    "words",
    [words for words in command_lines_with_a_path() if " ".join(words).strip() not in IMPORTED],
    ids=" ".join,
)
def test_a_url_in_place_of_a_path_is_refused(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(folder)
    *start, given = words
    assert exit_code([*start, f"{given}s3a://bucket/x"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "'s3a://bucket/x' is a URL: only topograph import reads and writes s3a: storage." in said
    assert "(aws s3 sync s3://bucket/x FOLDER)" in said
    assert everything(folder) == before


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "https://host/x", "estate"],
        ["https://host/x"],
        ["--config", "s3a://b/x", "."],
        ["--previous", "https://host/x", "estate"],
    ],
)
def test_an_import_refuses_what_is_no_storage(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(folder)
    assert exit_code(["import", *words, "--neo4j", "none"]) == 2
    assert "is a URL" in capsys.readouterr().err
    assert everything(folder) == before


def test_a_url_of_a_file_of_this_machine_is_its_path() -> None:
    assert storage_or_path("file:///mnt/a%20b") == storage_or_path("file:/mnt/a%20b") == "/mnt/a b"
    assert storage_or_path("S3A://bucket/a%20b") == "s3a://bucket/a%20b"
    with pytest.raises(UsageError, match="'file://host/x' is a URL of no storage"):
        storage_or_path("file://host/x")


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize(
    "words",
    [
        ["check", "-s", "URL"],
        ["audit", "--before", "URL", "--after", "estate"],
        ["audit", "-s", "estate", "--change", "A=change.txt", "--save", "URL"],
        ["view", "-s", "estate", "-o", "URL"],
        ["report", "-s", "estate", "-o", "URL"],
    ],
    ids=lambda words: words[0],
)
def test_of_every_scheme(
    words: list[str], url: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(folder)
    assert exit_code([url if word == "URL" else word for word in words]) == 2
    assert "is a URL" in capsys.readouterr().err
    assert everything(folder) == before


def test_a_snapshot_named_in_the_environment_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", "gs://bucket/x")
    before = everything(folder)
    assert exit_code(["check"]) == 2
    assert "is a URL" in capsys.readouterr().err
    assert everything(folder) == before


def test_credentials_in_a_url_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["check", "-s", "s3a://key:tiger@bucket/x"]) == 2
    said = capsys.readouterr().err
    assert "tiger" not in said
    assert "bucket/x" in said


@pytest.mark.parametrize("output", ["./s3a:x", "./gs:/x", "s3a:x.html", "a:b/x.html"])
def test_a_local_file_of_such_a_name_is_written(output: str, folder: Path) -> None:
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    assert exit_code(["view", "-s", "estate", "-o", output, "--format", "html"]) == 0
    assert Path(output).is_file()


def test_a_local_folder_of_such_a_name_is_read(folder: Path) -> None:
    (folder / "hdfs:").mkdir()
    (folder / "estate").rename(folder / "hdfs:" / "estate")
    assert exit_code(["check", "-s", "./hdfs:/estate"]) == 0


def test_python_refuses_them_too() -> None:
    for call in (
        lambda: topograph.read("s3a://bucket/x"),
        lambda: topograph.open("s3a://bucket/x"),
    ):
        with pytest.raises(UsageError, match="'s3a://bucket/x' is a URL"):
            call()
