"""A survey finds what was put into a folder, and a question on it reads the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from surveying.messy import MARKS, SYSTEMS, beside, messy
from surveying.ten_folders import MADE

import topograph
from topograph.cli.main import exit_code
from topograph.inexact import Cause
from topograph.surveying.draft import draft
from topograph.surveying.records import Evidence
from topograph.surveying.texts import first_line, text

SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_survey_finds_what_was_put_into_a_folder(system: str, seed: int, tmp_path: Path) -> None:
    made = messy(system, seed, tmp_path / "estate")
    found = topograph.survey(made.root)
    assert {one.server for one in found.servers} == made.servers
    assert {one.system for one in found.servers} == {system}
    assert {one.server for one in found.guessed} == made.guessed
    assert {one.file: (one.of, one.by) for one in found.copies} == made.copies
    assert {one.folder for one in found.environments} == made.estates
    assert {one.file for one in found.left_out} == made.left_out
    files = {file.file: (one.server, file.evidence) for one in found.servers for file in one.files}
    assert {path: files[path] for path in made.of} == {
        path: (server, Evidence.PROMPT) for path, server in made.of.items()
    }
    assert files.keys() | made.copies.keys() | made.left_out == made.files.keys()
    for folder in made.estates:
        inside = topograph.survey(made.root / folder)
        assert inside.environments == ()
        assert {one.server for one in inside.servers} == made.servers


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_question_reads_the_files_that_a_survey_names(
    system: str, seed: int, tmp_path: Path
) -> None:
    made = messy(system, seed, tmp_path / "estate")
    network = topograph.read(made.root)
    files = network.show("files")
    read = {row["path"] for row in files.rows if row["status"] in ("read", "partly-read")}
    assert read == made.files.keys() - made.copies.keys() - made.left_out
    loaded = sorted(str(row["server"]) for row in network.show("servers").rows if row["loaded"])
    # Routers of one id are told apart by their files.
    assert {one.partition(" (")[0] for one in loaded} == made.servers
    answer = network.reach(loaded[0])
    causes = {one.cause for one in answer.inexact_because}
    assert (Cause.SEVERAL_ESTATES in causes) is bool(made.estates)
    differing = any(by in ("name", "date") for _, by in made.copies.values())
    assert (Cause.COPIES in causes) is differing
    if differing:
        left = [copy for copy, (_, by) in made.copies.items() if by in ("name", "date")]
        without = topograph.read(made.root, exclude=[f"/{copy}" for copy in left])
        kept = {one.cause for one in without.reach(sorted(made.servers)[0]).inexact_because}
        assert Cause.COPIES not in kept


@pytest.mark.parametrize("mark", MARKS, ids=[mark("x.conf") for mark in MARKS])
@pytest.mark.parametrize("system", SYSTEMS)
def test_of_copies_the_one_without_a_mark_is_read(system: str, mark, tmp_path: Path) -> None:
    files, mains = SYSTEMS[system](["MILL"], "orders")
    copy = beside(mains[0], mark)
    other = files[mains[0]].replace("orders", "trades").replace("ORDERS", "TRADES")
    for path, content in {**files, copy: other + "# kept\n" * (system != "ibm_mq")}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    found = topograph.survey(tmp_path)
    (one,) = found.servers
    assert mains[0] in {file.file for file in one.files}
    assert [(each.file, each.of) for each in found.copies] == [(copy, mains[0])]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_draft_is_a_topograph_yaml_that_changes_no_server(
    system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(6):
        made = messy(system, seed, tmp_path / str(seed))
        before = {str(row["server"]) for row in topograph.read(made.root).show("servers").rows}
        assert exit_code(["init", str(made.root)]) == 0
        written = (made.root / "topograph.yaml").read_text()
        assert written.startswith("# yaml-language-server: $schema=")
        assert exit_code(["init", str(made.root)]) == 2
        assert (made.root / "topograph.yaml").read_text() == written
        after = topograph.read(made.root)
        assert {str(row["server"]) for row in after.show("servers").rows} == before
        wrong = [one for one in after.check().findings if one["rule"] == "side-inputs-invalid"]
        assert wrong == []
        # What was left aside as a copy is left out now, so that no answer is in doubt about it.
        assert Cause.COPIES not in {
            one.cause for one in after.reach(sorted(before)[0]).inexact_because
        }
    capsys.readouterr()


def test_the_first_line_is_the_answer_and_lines_are_short(tmp_path: Path) -> None:
    for number, system in enumerate(SYSTEMS):
        for seed in range(8):
            made = messy(system, seed, tmp_path / f"{number}-{seed}")
            found = topograph.survey(made.root)
            lines = text(found).splitlines()
            assert " ".join(lines).startswith(first_line(found))
            assert f"{len(made.servers)} server" in first_line(found)
            long = [one for one in lines if len(one) > 80 and str(tmp_path) not in one]
            assert long == []


def test_json_has_the_fields_in_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = messy("ems", 1, tmp_path / "estate")
    assert exit_code(["survey", str(made.root), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [
        "question",
        "path",
        "files",
        "servers",
        "environments",
        "copies",
        "named_only",
        "left_out",
        "hosts",
    ]
    assert list(told["servers"][0]) == ["server", "system", "guessed", "files", "did_you_mean"]
    assert list(told["servers"][0]["files"][0]) == ["file", "role", "evidence", "because"]


def test_a_name_that_others_nearly_use_is_asked_about(tmp_path: Path) -> None:
    """QM_EAST in a definition and east.mqsc, which names nothing: they may be one."""
    (tmp_path / "hq.mqsc").write_text(
        "* Queue manager name: HQ\nDEFINE QREMOTE(R) RNAME(IN) RQMNAME(QM_EAST)\n"
    )
    (tmp_path / "east.mqsc").write_text("DEFINE QLOCAL(IN)\n")
    found = topograph.survey(tmp_path)
    assert {one.server: one.did_you_mean for one in found.servers} == {"HQ": "", "east": "QM_EAST"}
    assert [(one.server, one.did_you_mean) for one in found.named_only] == [("QM_EAST", "east")]
    answer = topograph.read(tmp_path).trace("HQ", "queue:R")
    assert Cause.NAMES in {one.cause for one in answer.inexact_because}
    assert "#   QM_EAST: east.mqsc" in draft(found)
    (tmp_path / "topograph.yaml").write_text("servers: {QM_EAST: east.mqsc}\n")
    settled = topograph.read(tmp_path).trace("HQ", "queue:R")
    assert Cause.NAMES not in {one.cause for one in settled.inexact_because}


def test_hosts_that_are_named_as_folders_are_guessed(tmp_path: Path) -> None:
    for name, files in {
        "router-a": "router {\n    id: prod-A\n    mode: interior\n}\n"
        "connector {\n    role: inter-router\n    host: router-b.mesh.example\n    port: 5671\n}\n",
        "router-b": "router {\n    id: prod-B\n    mode: interior\n}\n"
        "listener {\n    role: inter-router\n    host: 0.0.0.0\n    port: 5671\n}\n",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "qdrouterd.conf").write_text(files)
    found = topograph.survey(tmp_path)
    assert [(one.host, one.server) for one in found.hosts] == [
        ("router-b.mesh.example:5671", "prod-B")
    ]
    assert '#   "router-b.mesh.example:5671": prod-B' in draft(found)


def test_an_empty_folder_and_one_without_servers_say_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Nothing here.\n")
    found = topograph.survey(tmp_path)
    assert found.servers == ()
    assert first_line(found).endswith("holds 1 file, and none configures a server or router.")


@pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)
def test_ten_messy_folders_are_found_as_they_were_made(make, tmp_path: Path) -> None:
    make(tmp_path)
    servers, copies, estates = MADE[make]
    found = topograph.survey(tmp_path)
    assert {one.server for one in found.servers} == servers
    assert {one.file for one in found.copies} == copies
    assert {one.folder for one in found.environments} == estates
