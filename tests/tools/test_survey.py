"""``survey`` as a tool: of the folder or archive that is served, as the command line answers it."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tools.clients import Result, ask, call, connected, in_a_loop

from topograph.cli.main import exit_code
from topograph.questions.question import ParameterKind
from topograph.questions.records import QUESTIONS
from topograph.questions.schemas import answer_schema
from topograph.surveying.question import SURVEY
from topograph.tools.definitions import Limits, about_files, input_schema

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = [one.name for one in QUESTIONS]


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """Two estates with copies, notes and a name beyond ASCII."""
    folder = tmp_path / "messy"
    for name in ("DEV", "PROD"):
        shutil.copytree(EXAMPLES / "mhop-star" / "legal", folder / name)
    main = min((folder / "PROD").rglob("tibemsd.conf"))
    main.write_text(main.read_text("utf-8") + "\nmax_connections = 7\n", "utf-8")
    shutil.copyfile(main, main.with_name("tibemsd.conf.orig"))
    (folder / "Übersicht.md").write_text("# notes\n", "utf-8")
    return folder


def archived(folder: Path) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.writestr(str(file.relative_to(folder)), file.read_bytes())
    made = folder.with_suffix(".zip")
    made.write_bytes(data.getvalue())
    return made


def served(place: Path, *more: str) -> tuple[list[Any], Result]:
    """The tools that a server of a place lists, and what its ``survey`` gives."""
    found: list[Any] = []

    async def asked() -> None:
        async with connected(["-s", str(place), *more]) as session:
            found.append((await session.list_tools()).tools)
            found.append(await call(session, "survey", {}))

    in_a_loop(asked)
    return found[0], found[1]


def printed(place: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert exit_code(["survey", str(place), "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()  # the same bytes in every locale
    return json.loads(out)


@pytest.mark.parametrize("form", ["folder", "archive"])
def test_the_survey_of_what_is_served_is_that_of_the_command_line(
    form: str, messy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = messy if form == "folder" else archived(messy)
    tools, result = served(place)
    (tool,) = [one for one in tools if one.name == "survey"]
    assert [one.name for one in tools] == ["survey", *NAMES]
    assert tool.input_schema == {
        **{"type": "object", "properties": {}, "required": []},
        "additionalProperties": False,
    }
    assert tool.output_schema == answer_schema(SURVEY, described=False)
    assert tool.annotations.read_only_hint is True
    assert "which file speaks for which" in tool.description
    assert not result.error, result.text
    assert result.answer == printed(place, capsys)
    assert result.answer is not None
    assert len(result.answer["environments"]) == 2
    assert [one["file"].rpartition("/")[2] for one in result.answer["copies"]] == [
        "tibemsd.conf.orig"
    ]
    left_out = [one["file"] for one in result.answer["left_out"]]
    assert any(one.endswith("Übersicht.md") for one in left_out)
    assert result.exit_code == 0
    assert " ".join(result.texts[0].split()).startswith(f"{place} holds ")


def test_a_snapshot_has_no_survey(tmp_path: Path) -> None:
    """A snapshot, and the beginning of one."""
    finished, begun = tmp_path / "finished", tmp_path / "begun"
    finished.mkdir()
    (finished / "manifest.json").write_text('{"format": "topograph-snapshot"}', "utf-8")
    (begun / "data" / "20260301T120000-0123abcd").mkdir(parents=True)
    for place in (finished, begun):
        tools, result = served(place)
        assert [one.name for one in tools] == NAMES
        assert result.error
        assert "There is no tool 'survey'." in result.text


def test_a_survey_takes_no_arguments(messy: Path) -> None:
    tried: list[dict[str, Any]] = [
        *({"path": "/etc"}, {"snapshot": "/etc"}, {"network": "x"}, {"budget": 1}),
        *({"include": ["*"]}, {"format": "text"}),
    ]
    for arguments, result in zip(
        tried, ask(["-s", str(messy)], [("survey", one) for one in tried]), strict=True
    ):
        assert result.error, arguments
        assert f"'{next(iter(arguments))}' was unexpected" in result.text


def test_what_cannot_be_surveyed_is_an_error_with_the_message_of_the_command_line(
    messy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def asked() -> Result:
        async with connected(["-s", str(messy), "--root", str(tmp_path)]) as session:
            messy.rename(tmp_path / "moved")
            return await call(session, "survey", {})

    result = in_a_loop(asked)
    assert result.error
    assert exit_code(["survey", str(messy)]) == 3
    assert result.text.strip() == capsys.readouterr().err.strip()


@pytest.mark.slow
def test_a_survey_ends_with_its_time(messy: Path) -> None:
    begun, late = ask(["-s", str(messy), "--timeout", "0.05"], [("survey", {}), ("cycles", {})])
    for result in (begun, late):
        assert result.error
        assert "took longer than 0.05 s, reading included, and was ended" in result.text


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_links_of_the_folder_lead_a_survey_nowhere_else(messy: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "tibemsd.conf").write_text("server = HIDDEN-ONE\nrouting = enabled\n", "utf-8")
    (messy / "linked").symlink_to(secret)
    (messy / "tibemsd.conf").symlink_to(secret / "tibemsd.conf")
    os.mkfifo(messy / "waits.conf")
    (result,) = ask(["-s", str(messy)], [("survey", {})])
    assert not result.error
    assert "HIDDEN-ONE" not in json.dumps(result.answer) + result.text


@pytest.mark.slow
def test_a_folder_whose_name_is_not_utf_8_is_served(messy: Path) -> None:
    place = messy.with_name(os.fsdecode(b"caf\xe9"))
    try:
        messy.rename(place)
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    results = ask(
        ["-s", str(place)],
        [("survey", {}), ("show", {"what": "files"}), ("audit", {"change": ["A=/etc/passwd"]})],
    )
    for result in results[:2]:
        assert not result.error, result.text
    assert results[0].answer is not None
    assert results[0].answer["path"].endswith("caf\\udce9")
    assert results[2].error
    assert "caf\\udce9" in results[2].text


def test_records_about_files_are_told_by_where_they_name_them() -> None:
    assert about_files(SURVEY)
    assert not any(about_files(one) for one in QUESTIONS)
    asked = [p for one in QUESTIONS for p in one.parameters if p.kind is ParameterKind.ASKED]
    assert asked  # in brackets: -s is there too
    jsonschema.Draft202012Validator.check_schema(input_schema(SURVEY, Limits(1, 1)))
