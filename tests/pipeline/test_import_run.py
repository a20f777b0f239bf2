"""Imports through Spark: what becomes of files, and what a snapshot holds."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from every_question import questions

from topograph.errors import DatabaseUnavailable, InputError, UsageError
from topograph.findings import Severity
from topograph.network import open_network
from topograph.opening.folders import open_folder, read_snapshot
from topograph.pipeline import stages
from topograph.pipeline.tasks import NetworkTask
from topograph.questions.answers import Answer
from topograph.side_inputs import SideInputs
from topograph.store.parquet import TableFile, open_snapshot, read_manifest
from topograph.store.records import TABLES

pytestmark = pytest.mark.spark

Import = Callable[..., Any]
EXAMPLES = Path(__file__).parents[2] / "examples"


def write_server(folder: Path, name: str, *routes: str, topics: str = "topics.conf") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tibemsd.conf").write_text(
        f"server = {name}\nrouting = enabled\nroutes = routes.conf\ntopics = {topics}\n"
    )
    sections = [
        f"[{other}]\nurl = tcp://{other.lower()}:7222\nzone_name = Z\nzone_type = 1hop\n"
        for other in routes
    ]
    (folder / "routes.conf").write_text("\n".join(sections))
    if topics == "topics.conf":
        (folder / "topics.conf").write_text("orders global\n")


def write_pair(root: Path) -> Path:
    write_server(root / "a", "A", "B")
    write_server(root / "b", "B")
    return root


def everything(snapshot: Any, network: str) -> dict[str, list[str]]:
    """All that a snapshot holds of a network, in its order."""
    tables = snapshot.graph_tables(network)
    return {
        "servers": [repr(row) for each in tables for row in each.servers],
        "points": [repr(row) for each in tables for row in each.points],
        "guards": [repr(row) for each in tables for row in each.guards],
        "links": [repr(row) for each in tables for row in each.links],
        "facts": [repr(row) for row in snapshot.facts(network)],
        "findings": [repr(row) for row in snapshot.findings(network)],
        "files": [repr(row) for row in snapshot.files(network)],
        "side inputs": [repr(snapshot.side_inputs(network))],
    }


@pytest.mark.parametrize(
    "example", sorted(page.stem for page in EXAMPLES.glob("*.md") if page.with_suffix("").is_dir())
)
def test_an_import_holds_what_reading_in_one_process_gives(
    importing: Import, tmp_path: Path, example: str
) -> None:
    report = importing([EXAMPLES / example], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), read_snapshot(EXAMPLES / example)
    assert kept.id == here.id == report.snapshot
    assert everything(kept, example) == everything(here, example)
    asked, folder = open_network(str(tmp_path / "s")), open_network(str(EXAMPLES / example))
    for label, ask in questions(folder):
        assert told(ask(asked)) == told(ask(folder)), label


def told(answer: Answer) -> str:
    """An answer as JSON, without how to ask about one of several estates: a folder holds them
    still."""
    return re.sub(r"; ask one of them: [^\"]*", "", json.dumps(answer.to_dict()))


def test_a_server_that_topograph_yaml_declares_is_imported_as_it_is_read(
    importing: Import, tmp_path: Path
) -> None:
    folder = write_pair(tmp_path / "n")
    (folder / "topograph.yaml").write_text(
        "new:\n  B: {}\n  C:\n  D: {routing: disabled, listen: tcp://d.example:7222}\n"
    )
    importing([folder], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), read_snapshot(folder)
    assert kept.id == here.id
    assert everything(kept, "n") == everything(here, "n")
    asked, read = open_network(str(tmp_path / "s")), open_network(str(folder))
    for label, ask in questions(read):
        assert told(ask(asked)) == told(ask(read)), label
    assert [one.text.split()[0] for one in asked.reach("A").assumptions] == ["C", "D"]
    importing([folder], tmp_path / "r", redact=True)
    assert "d.example" not in repr(everything(open_snapshot(tmp_path / "r"), "n"))


@pytest.mark.parametrize("example", ["estate", "orders", "routers"])
def test_checks_beside_compiling_find_what_they_find_in_one_process(
    importing: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    monkeypatch.setattr(stages, "_APART", 1)
    importing([EXAMPLES / example], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), read_snapshot(EXAMPLES / example)
    assert everything(kept, example) == everything(here, example)


def test_findings_and_files_of_many_networks_are_those_of_each_alone(
    importing: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "_MANY_NETWORKS", 3)
    folders = [EXAMPLES / name for name in ("estate", "orders", "routers")]
    importing(folders, tmp_path / "s")
    kept = open_snapshot(tmp_path / "s")
    for folder in folders:
        assert everything(kept, folder.name) == everything(read_snapshot(folder), folder.name)


def _fact_files(rows: int, system: str, network: str = "n") -> tuple[TableFile, ...]:
    return (
        TableFile("facts", network, "a", rows - 1, "", system, "server"),
        TableFile("facts", network, "b", 1, "", system, "route"),
        TableFile("servers", network, "c", 1_000_000, "", system),
    )


@pytest.mark.parametrize(
    ("rows", "system", "expected"),
    [
        (20_000, "ems", True),
        (19_999, "ems", False),
        (2_000_000, "ems", True),
        (20_000, "amq_interconnect", False),
    ],
)
def test_only_large_networks_of_systems_with_such_checks_are_checked_beside_compiling(
    rows: int, system: str, expected: bool
) -> None:
    task = NetworkTask("root", "run", "n", _fact_files(rows, system), SideInputs())
    assert stages.is_checked_apart(task) == expected


@pytest.mark.parametrize("networks", [1, 2, 3])
def test_checks_have_a_process_of_their_own_only_where_a_core_is_left(
    networks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"n{number}" for number in range(networks)]
    tasks = {
        name: NetworkTask("root", "run", name, _fact_files(30_000, "ems", name), SideInputs())
        for name in names
    }
    given: Any = SimpleNamespace(
        _networks=names,
        _task=tasks.__getitem__,
        _context=SimpleNamespace(defaultParallelism=3),
    )
    work = stages.Stages._compilations(given)
    assert work == [replace(tasks[name], apart=networks < 3) for name in names]


def test_an_archive_imported_and_asked_has_one_id(importing: Import, tmp_path: Path) -> None:
    packed = tmp_path / "dump.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(path for path in (EXAMPLES / "estate").rglob("*") if path.is_file()):
            archive.write(path, path.relative_to(EXAMPLES / "estate"))
    importing([packed], tmp_path / "s")
    kept, here = open_snapshot(tmp_path / "s"), open_folder(packed)
    assert (kept.id, list(kept.networks)) == (here.id, ["dump.zip"])
    assert everything(kept, "dump.zip") == everything(here, "dump.zip")


def test_the_same_inputs_give_the_same_id_and_digests(importing: Import, tmp_path: Path) -> None:
    write_pair(tmp_path / "here" / "net")
    write_pair(tmp_path / "there" / "net")
    importing([tmp_path / "here" / "net"], tmp_path / "one")
    importing([tmp_path / "there" / "net"], tmp_path / "two")
    one, two = read_manifest(tmp_path / "one"), read_manifest(tmp_path / "two")
    assert (one.id, one.tables) == (two.id, two.tables)
    assert set(one.tables) == set(TABLES)
    (tmp_path / "there" / "net" / "a" / "topics.conf").write_text("orders\n")
    importing([tmp_path / "there" / "net"], tmp_path / "two")
    changed = read_manifest(tmp_path / "two")
    assert changed.id != one.id
    assert changed.tables["facts"].digest != one.tables["facts"].digest
    assert changed.tables["servers"] == one.tables["servers"]


ODD_NAMES = [
    "glob*[a-c]{x,y}?.d",
    "with space",
    "ünï-код-名",
    "_underscore",
    "part=1",
    "co:lon",
    "per%20cent%",
    "back\\slash",
    "comma,semi;quote'\"",
    "line\nbreak",
]


def test_names_of_any_kind_are_read(importing: Import, tmp_path: Path) -> None:
    for number, name in enumerate(ODD_NAMES):
        write_server(tmp_path / "net" / name, f"S{number}", f"S{(number + 1) % len(ODD_NAMES)}")
    report = importing([tmp_path / "net"], tmp_path / "out [1]" / "s*")
    assert report.networks[0].servers == len(ODD_NAMES)
    snapshot = open_snapshot(tmp_path / "out [1]" / "s*")
    places = {fact.source.file for fact in snapshot.facts("net", kinds=("server",))}
    assert places == {f"{name}/tibemsd.conf" for name in ODD_NAMES}
    assert len(snapshot.facts("net", kinds=("route",))) == len(ODD_NAMES)


def test_networks_may_have_any_name(importing: Import, tmp_path: Path) -> None:
    folder = write_pair(tmp_path / "in")
    for name in ("n [a]", "n=1", "ü/../%20"):
        importing([folder], tmp_path / "s", network=name)
        snapshot = open_snapshot(tmp_path / "s")
        assert list(snapshot.networks) == [name]
        assert len(snapshot.facts(name)) == 5
    with pytest.raises(UsageError, match="needs a name"):
        importing([folder], tmp_path / "s", network=" ")


def test_what_is_not_read_is_said(importing: Import, tmp_path: Path) -> None:
    write_pair(tmp_path / "net")
    odd = tmp_path / "net" / "odd"
    odd.mkdir()
    (odd / ".hidden.conf").write_text("server = H\n")
    with (odd / "huge.conf").open("wb") as file:
        file.truncate(2_200 * 2**20)
    (tmp_path / "outside.conf").write_text("server = OUT\n")
    (odd / "link.conf").symlink_to(tmp_path / "outside.conf")
    (odd / "binary.conf").write_bytes(bytes(range(256)) * 40)
    os.mkfifo(odd / "pipe.conf")
    with zipfile.ZipFile(odd / "more.zip", "w") as archive:
        archive.writestr("c/tibemsd.conf", "server = C\nrouting = enabled\n")
    report = importing([tmp_path / "net"], tmp_path / "s")
    snapshot = open_snapshot(tmp_path / "s")
    assert {server.name for server in snapshot.graph_tables("net")[0].servers} == {"A", "B", "C"}
    found = {finding.source.file: finding.kind for finding in snapshot.findings("net")}
    assert found["odd/.hidden.conf"] == "hidden-file"
    assert found["odd/huge.conf"] == "file-too-large"
    assert found["odd/link.conf"] == "link-out-of-root"
    assert found["odd/pipe.conf"] == "special-file"
    assert "odd/binary.conf" in found
    assert {
        row.path: row.status for row in snapshot.files("net") if row.path.startswith("odd/")
    } == {
        "odd/.hidden.conf": "skipped",
        "odd/huge.conf": "skipped",
        "odd/link.conf": "skipped",
        "odd/pipe.conf": "skipped",
        "odd/binary.conf": "not-read",
        "odd/more.zip!/c/tibemsd.conf": "read",
    }
    assert report.networks[0].files["skipped"] == 4


def test_a_file_that_two_servers_share_belongs_to_both(importing: Import, tmp_path: Path) -> None:
    write_server(tmp_path / "net" / "a", "A", "B", topics="../shared/topics.conf")
    write_server(tmp_path / "net" / "b", "B", topics="../shared/topics.conf")
    (tmp_path / "net" / "shared").mkdir()
    (tmp_path / "net" / "shared" / "topics.conf").write_text("orders global\nnews\n")
    importing([tmp_path / "net"], tmp_path / "s")
    topics = open_snapshot(tmp_path / "s").facts("net", kinds=("destination",))
    assert [(fact.server, fact.label, fact.source.file, fact.source.line) for fact in topics] == [
        ("A", "orders", "shared/topics.conf", 1),
        ("A", "news", "shared/topics.conf", 2),
        ("B", "orders", "shared/topics.conf", 1),
        ("B", "news", "shared/topics.conf", 2),
    ]


def test_a_snapshot_inside_the_imported_folder_is_not_part_of_the_input(
    importing: Import, tmp_path: Path
) -> None:
    write_pair(tmp_path / "net")
    first = importing([tmp_path / "net"], tmp_path / "net" / "topograph.snapshot")
    second = importing([tmp_path / "net"], tmp_path / "net" / "topograph.snapshot")
    assert first.snapshot == second.snapshot
    assert second.networks[0].files == {"read": 6}


def test_several_paths_are_several_networks(importing: Import, tmp_path: Path) -> None:
    write_pair(tmp_path / "one")
    write_server(tmp_path / "two" / "x", "X")
    report = importing([tmp_path / "one", tmp_path / "two"], tmp_path / "s")
    counts = [
        (each.name, each.servers, each.links, each.forwards, each.facts) for each in report.networks
    ]
    assert counts == [("one", 2, 1, 2, 5), ("two", 1, 0, 0, 2)]
    snapshot = open_snapshot(tmp_path / "s")
    assert [server.name for server in snapshot.graph_tables("two")[0].servers] == ["X"]
    assert {fact.server for fact in snapshot.facts("one")} == {"A", "B"}
    assert [
        (each.server, each.name, each.via, each.hops)
        for each in snapshot.interests("one", "ems") or ()
    ] == [
        ("A", "$TMP$.B.>", "B", 1),
        ("B", "$TMP$.A.>", "A", 1),
    ]
    assert [len(snapshot.table(name, "one")) for name in ("forwards", "points", "servers")] == [
        2,
        4,
        2,
    ]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no files"),
        ({"readme.txt": b"hello"}, "none is the main file"),
        (
            {"routes.conf": b"[B]\nurl = tcp://b:7222\n", "core": bytes(range(256))},
            "none is the main file",
        ),
    ],
)
def test_a_folder_without_a_main_file_is_refused(
    importing: Import, tmp_path: Path, files: dict[str, bytes], message: str
) -> None:
    (tmp_path / "net").mkdir()
    for name, data in files.items():
        (tmp_path / "net" / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        importing([tmp_path / "net"], tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_a_refused_import_leaves_the_snapshot_that_was_there(
    importing: Import, tmp_path: Path
) -> None:
    importing([write_pair(tmp_path / "net")], tmp_path / "s")
    before = read_manifest(tmp_path / "s")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError):
        importing([tmp_path / "empty"], tmp_path / "s")
    with pytest.raises(InputError, match="cannot be read"):
        importing([tmp_path / "absent"], tmp_path / "s")
    assert read_manifest(tmp_path / "s") == before
    assert len(list((tmp_path / "s" / "data").iterdir())) == 2


def test_importing_again_replaces_the_snapshot_and_leaves_nothing_of_the_old(
    importing: Import, tmp_path: Path
) -> None:
    importing([write_pair(tmp_path / "net")], tmp_path / "s")
    write_server(tmp_path / "net" / "c", "C", "A")
    importing([tmp_path / "net"], tmp_path / "s")
    assert len(open_snapshot(tmp_path / "s").graph_tables("net")[0].servers) == 3
    assert len(list((tmp_path / "s" / "data").iterdir())) == 2


def test_names_that_clash_and_options_that_do_not_fit_are_usage_errors(
    importing: Import, tmp_path: Path
) -> None:
    one, two = write_pair(tmp_path / "x" / "net"), write_pair(tmp_path / "y" / "net")
    cases: list[tuple[list[Path], dict[str, Any], str]] = [
        ([one, two], {}, "both be the network 'net'"),
        ([one, tmp_path / "x"], {"network": "n"}, "the network of one path"),
        ([], {}, "at least one"),
    ]
    for paths, options, message in cases:
        with pytest.raises(UsageError, match=message):
            importing(paths, tmp_path / "s", **options)
    assert not (tmp_path / "s").exists()


def test_a_config_is_used_for_all_networks_and_is_part_of_the_id(
    importing: Import, tmp_path: Path
) -> None:
    write_pair(tmp_path / "net")
    config = tmp_path / "mine.yaml"
    config.write_text("clients:\n  - {server: B, destination: 'topic:orders'}\n")
    plain = importing([tmp_path / "net"], tmp_path / "s")
    given = importing([tmp_path / "net"], tmp_path / "s", config=config)
    assert plain.snapshot != given.snapshot
    assert [
        client.server for client in open_snapshot(tmp_path / "s").side_inputs("net").clients
    ] == ["B"]
    config.write_text("nonsense: 1\n")
    with pytest.raises(InputError, match=r"mine\.yaml:1"):
        importing([tmp_path / "net"], tmp_path / "s", config=config)


def test_findings_are_counted_by_severity(importing: Import, tmp_path: Path) -> None:
    write_pair(tmp_path / "net")
    (tmp_path / "net" / "c").mkdir()
    (tmp_path / "net" / "c" / "tibemsd.json").write_text('{"tibemsd": {"server": "C", "routes": [')
    report = importing([tmp_path / "net"], tmp_path / "s")
    errors = [
        finding
        for finding in open_snapshot(tmp_path / "s").findings("net")
        if finding.severity is Severity.ERROR
    ]
    assert any(finding.source.file == "c/tibemsd.json" for finding in errors)
    assert report.findings(Severity.ERROR) == len(errors)


def test_a_database_that_does_not_answer_is_said_before_any_work(
    importing: Import, tmp_path: Path
) -> None:
    with pytest.raises(DatabaseUnavailable, match="--neo4j none"):
        importing([write_pair(tmp_path / "net")], tmp_path / "s", neo4j="bolt://127.0.0.1:1")
    assert not (tmp_path / "s").exists()


def test_the_stages_are_told_with_counts_and_seconds(importing: Import, tmp_path: Path) -> None:
    lines: list[str] = []
    report = importing([write_pair(tmp_path / "net")], tmp_path / "s", progress=lines.append)
    assert [line.partition(":")[0] for line in lines] == list(report.seconds)
    assert lines[0].startswith("Listing files: 6 files, 0 skipped, ")
    assert "2 servers, 1 link, 2 forwards" in lines[3]
    assert json.loads(json.dumps(report.to_dict()))["networks"][0]["servers"] == 2
