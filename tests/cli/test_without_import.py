"""Questions on a folder or archive of configuration: no import before, the same answer as after
one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from draws import share
from store.hostile_archives import Hostile, hostile_archives

import topograph
from topograph.cli.main import exit_code
from topograph.importers import ems
from topograph.importers.reading import Bundle, Options, Reading
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep

EXAMPLES = Path(__file__).parents[2] / "examples"
ESTATE = str(EXAMPLES / "estate")

ASKED = [
    ["reach", "HQ"],
    ["hops", "CANADA", "MADRID"],
    ["hops", "--matrix"],
    ["paths", "CANADA", "MADRID"],
    ["cycles"],
    ["interests", "MADRID"],
    ["propagate", "HQ", "--destination", "topic:orders", "--set", "country=Spain"],
    ["trace", "HQ", "--destination", "topic:orders", "--set", "country=Spain"],
    ["check"],
    ["show", "servers"],
    ["show", "findings"],
    ["show", "files"],
]


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)


@pytest.mark.parametrize("asked", share(ASKED, 2), ids=" ".join)
def test_a_folder_is_answered_as_a_snapshot_of_it(
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("TOPOGRAPH_CACHE_MB")
    keep(read_snapshot(ESTATE), tmp_path / "kept")
    said = []
    for snapshot in (str(tmp_path / "kept"), ESTATE, ESTATE):
        for form in ("text", "json", "jsonl"):
            said.append(
                (exit_code([*asked, "-s", snapshot, "--format", form]), *capsys.readouterr())
            )
    assert said[0:3] == said[3:6] == said[6:9]
    assert said[0][0] in (0, 1)


def test_the_environment_may_name_a_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", ESTATE)
    assert exit_code(["view", "reach", "HQ", "-o", str(tmp_path / "reach.html")]) == 0
    assert (tmp_path / "reach.html").stat().st_size > 10_000
    assert exit_code(["reach", "HQ", "--network", "other"]) == 2
    assert "holds no network 'other'; it holds estate." in capsys.readouterr().err


def test_python_opens_a_folder_too() -> None:
    assert (
        topograph.open(ESTATE).reach("HQ").to_dict() == topograph.read(ESTATE).reach("HQ").to_dict()
    )


def test_an_archive_and_a_single_file_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "dump.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(path for path in Path(ESTATE).rglob("*") if path.is_file()):
            archive.write(path, path.relative_to(ESTATE))
    assert exit_code(["reach", "HQ", "-s", str(packed)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("HQ reaches 10 of 12 other servers")
    assert " · network dump.zip · " in out
    main = next(Path(ESTATE).rglob("tibemsd.conf"))
    assert exit_code(["show", "servers", "-s", str(main)]) == 0


@pytest.mark.parametrize("archive", share(hostile_archives(), 2), ids=lambda archive: archive.name)
def test_a_hostile_archive_is_bounded_as_in_an_import(
    archive: Hostile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "net"
    folder.mkdir()
    (folder / "tibemsd.conf").write_text("server = A\nrouting = enabled\n")
    (folder / archive.name).write_bytes(archive.data)
    ended = exit_code(["show", "findings", "-s", str(folder), "--format", "json"])
    out, err = capsys.readouterr()
    if ended == 2:  # 20,000 members are more than a question reads
        assert "more than a question reads" in err
        return
    assert ended == 0
    found = {(row["kind"], row["source"]["file"]) for row in json.loads(out)["rows"]}
    name = archive.name
    expected = {(kind, f"{name}!/{place}" if place else name) for kind, place in archive.findings}
    assert expected <= found
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == ["net"]


def test_archives_that_cannot_be_read_are_not_called_no_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with the only archive of a folder, the message names it and says what."""
    asked = 0
    for number, archive in enumerate(hostile_archives()):
        if archive.members or archive.made is not archive.data:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / archive.name).write_bytes(archive.data)
        ended = exit_code(["show", "findings", "-s", str(folder)])
        out, err = capsys.readouterr()
        lost = any(
            kind not in ("hidden-file", "archive-trailing-data") for kind, _ in archive.findings
        )
        assert (out, ended) == ("", 3 if lost else 2), archive
        if lost:
            assert "holds no files" not in err
            assert archive.name in err
            asked += 1
    assert asked > 10


def test_what_is_neither_is_one_message_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "manifest.json").write_text("{}")
    (tmp_path / "notes" / "data").mkdir()
    for folder, said in (
        ("empty", "empty holds no files."),
        ("notes", "notes holds 1 file, and none is the main file"),
    ):
        assert exit_code(["cycles", "-s", folder]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"Error: {said}")
        assert err.endswith("It is not a snapshot either.\n")


def test_an_import_that_did_not_end_is_no_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "half" / "data" / "20260102T030405-0123abcd").mkdir(parents=True)
    assert exit_code(["cycles", "-s", str(tmp_path / "half")]) == 3
    assert "holds no finished snapshot" in capsys.readouterr().err


def test_snapshots_in_the_folder_are_no_part_of_it(tmp_path: Path) -> None:
    folder = Path(copytree(ESTATE, tmp_path / "estate"))
    before = read_snapshot(folder)
    keep(before, folder / "topograph.snapshot")
    (folder / "half" / "data" / "20260102T030405-0123abcd").mkdir(parents=True)
    again = read_snapshot(folder)
    assert again.id == before.id
    assert again.findings("estate") == before.findings("estate")
    assert again.files("estate") == before.files("estate")


def test_a_main_file_that_cannot_be_read_ends_as_an_import_of_it_would(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOPOGRAPH_CACHE_MB")
    folder = tmp_path / "net"
    for name in ("A", "B", "C"):
        (folder / name).mkdir(parents=True)
        (folder / name / "tibemsd.conf").write_text(f"server = {name}\nrouting = enabled\n")
    read = ems.read

    def failing(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
        if bundle.server == "C":
            raise RecursionError
        return read(bundle, contents, options)

    monkeypatch.setattr(ems, "read", failing)
    for asked in (
        ["reach", "A"],
        ["reach", "A"],
        ["hops", "--matrix", "--format", "jsonl"],
        ["view", "-o", "-"],
    ):
        assert exit_code([*asked, "-s", str(folder)]) == 3
        out, err = capsys.readouterr()
        assert out
        assert "Error: C/tibemsd.conf: this main file cannot be read" in err


def test_neo4j_on_a_folder_says_how_to_publish_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["reach", "HQ", "-s", ESTATE, "--engine", "neo4j"]) == 4
    assert (
        f"To publish this configuration: topograph snapshots publish {ESTATE}"
        in capsys.readouterr().err
    )


@pytest.mark.neo4j
@pytest.mark.usefixtures("neo4j_environment")
def test_neo4j_answers_a_folder_once_it_is_published(
    tmp_path: Path, network_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(copytree(ESTATE, tmp_path / network_name))
    keep(read_snapshot(folder), tmp_path / "kept")

    def asked(place: str, engine: str) -> dict[str, Any]:
        assert exit_code(["reach", "HQ", "-s", place, "--engine", engine, "--format", "json"]) == 0
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    assert exit_code(["reach", "HQ", "-s", folder, "--engine", "neo4j"]) == 4
    assert f"does not hold the snapshot {read_snapshot(folder).id}" in (
        said := capsys.readouterr().err
    )
    assert f"topograph snapshots publish {folder}" in said
    for place in (
        folder,
        str(tmp_path / "kept"),
    ):  # a database that does not hold it is no news in every answer
        answer = asked(place, "auto")
        assert (answer["engine"], answer["warnings"]) == (
            "memory",
            asked(place, "memory")["warnings"],
        )
    assert exit_code(["snapshots", "publish", folder]) == 0
    capsys.readouterr()
    assert {**asked(folder, "neo4j"), "engine": "memory"} == asked(folder, "memory")
    assert asked(folder, "neo4j")["engine"] == "neo4j"
    assert asked(str(tmp_path / "kept"), "auto")["engine"] == "neo4j"


def test_a_question_on_a_folder_loads_neither_spark_nor_a_driver_nor_pandas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TOPOGRAPH_CACHE_MB")
    code = (
        "import sys\n"
        "from topograph.cli.main import exit_code\n"
        f"assert exit_code(['reach', 'HQ', '-s', {ESTATE!r}]) == 0\n"
        "slow = {'pyspark', 'pandas', 'neo4j', 'networkx', 'pyarrow.parquet', "
        "'pyarrow.compute'} & set(sys.modules)\n"
        "assert not slow, slow\n"
    )
    for _ in ("read", "found in the cache"):
        ended = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
