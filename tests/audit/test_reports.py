"""An audit for other tools: SARIF against its official schema, JUnit XML, Markdown that nobody
can inject into.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner

import topograph
from topograph.audit.reports import junit, markdown, sarif
from topograph.cli.group import topograph as command
from topograph.questions.answers import AuditAnswer

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-schema-2.1.0.json"
REFUSED = "delete route X\ncreate route D url=tcp://d:7222 zone_name=CAMPUS zone_type=mhop\n"


@pytest.fixture(scope="module")
def refused() -> AuditAnswer:
    return topograph.read(ROOT / "examples" / "mhop-star" / "legal").audit(REFUSED, at="B")


@pytest.fixture(scope="module")
def accepted() -> AuditAnswer:
    return topograph.read(ROOT / "examples" / "estate").audit("delete route CANADA\n", at="HQ")


def hostile(answer: AuditAnswer, text: str) -> AuditAnswer:
    return replace(answer, steps=(replace(answer.steps[0], command=text), *answer.steps[1:]))


@pytest.mark.skipif(
    not SCHEMA.is_file(), reason="the official schema of SARIF is not beside this clone"
)
def test_sarif_is_valid_by_the_official_schema(refused: AuditAnswer, accepted: AuditAnswer) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for answer in (refused, accepted):
        jsonschema.Draft4Validator(schema).validate(json.loads(sarif(answer, "1.2.3")))


def test_sarif_tells_each_refusal_with_both_paths_through_the_files(refused: AuditAnswer) -> None:
    (run,) = json.loads(sarif(refused, "1.2.3"))["runs"]
    unknown, second = [one for one in run["results"] if one["level"] == "error"]
    assert (unknown["ruleId"], second["ruleId"]) == ("3.7", "R24")
    assert "codeFlows" not in unknown
    place = second["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "change", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2, "endLine": 2, "startColumn": 1, "endColumn": 2}
    flows = [
        [hop["location"]["message"]["text"] for hop in flow["threadFlows"][0]["locations"]]
        for flow in second["codeFlows"]
    ]
    assert flows == [
        ["A to B in zone CAMPUS (R13)"],
        ["A to D in zone CAMPUS (R13)", "D to B in zone CAMPUS (R13)"],
    ]
    hop = second["codeFlows"][1]["threadFlows"][0]["locations"][1]["location"]["physicalLocation"]
    assert hop["artifactLocation"]["uri"] == "change"
    assert run["tool"]["driver"]["version"] == "1.2.3"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {
        one["ruleId"] for one in run["results"]
    }


def test_sarif_describes_its_rules(refused: AuditAnswer, accepted: AuditAnswer) -> None:
    described = {
        rule["id"]: rule
        for answer in (refused, accepted)
        for rule in json.loads(sarif(answer, ""))["runs"][0]["tool"]["driver"]["rules"]
    }
    assert described["R24"] == {
        "id": "R24",
        "name": "The new route is refused",
        "shortDescription": {"text": "The new route is refused"},
        "fullDescription": {
            "text": 'A route that would close a second path is refused with "Implicit route to '
            "'<server>' already exists\"."
        },
        "help": {
            "text": 'A route that would close a second path is refused with "Implicit route to '
            "'<server>' already exists\"."
        },
    }
    for rule in described.values():
        assert rule["fullDescription"]["text"].endswith(".")
        assert rule["help"]["text"].startswith(rule["fullDescription"]["text"])


def test_fingerprints_do_not_depend_on_lines(refused: AuditAnswer) -> None:
    moved = topograph.read(ROOT / "examples" / "mhop-star" / "legal").audit(
        "# a comment\n" + REFUSED, at="B"
    )

    def marks(answer: AuditAnswer) -> list[str]:
        results = json.loads(sarif(answer, ""))["runs"][0]["results"]
        return [one["partialFingerprints"]["topograph/v1"] for one in results]

    assert marks(moved) == marks(refused)
    assert len(set(marks(refused))) == 2


def test_sarif_uris_are_quoted(accepted: AuditAnswer) -> None:
    place = replace(accepted.steps[0].source, file="a folder/ü#1.txt")
    note = replace(accepted.steps[0].notes[0], source=place)
    answer = replace(accepted, steps=(replace(accepted.steps[0], notes=(note,)),))
    (found, *_) = json.loads(sarif(answer, ""))["runs"][0]["results"]
    uri = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%20folder/%C3%BC%231.txt"


def test_junit_has_a_case_a_command(refused: AuditAnswer, accepted: AuditAnswer) -> None:
    suite = ET.fromstring(junit(refused).encode())[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "2", "0")
    cases = suite.findall("testcase")
    assert [case.get("classname") for case in cases] == ["B", "B"]
    assert [failure.get("type") for case in cases for failure in case] == ["3.7", "R24"]
    assert "Implicit route to 'A'" in str(cases[1][0].get("message"))
    good = ET.fromstring(junit(accepted).encode())[0]
    assert (good.get("tests"), good.get("failures")) == ("1", "0")
    assert "no longer reach each other" in str(good.findtext("system-out"))
    ET.fromstring(junit(hostile(refused, "\x00\x1b<&\ud800\"'")).encode("utf-8", "surrogatepass"))


def test_markdown_shows_names_as_they_stand(refused: AuditAnswer) -> None:
    page = markdown(hostile(refused, "@team #1 | <img src=x> [a](http://x) `b` **c** \n# d"))
    row = next(line for line in page.splitlines() if "team" in line)
    inside = re.sub(r"&#\d+;|\\.", "", row)
    assert not set("@#<>[]`*") & set(inside.replace("# d", ""))
    assert inside.count("|") == 5
    assert "&#64;team &#35;1 \\|" in row
    assert "http&#58;//x" in row


def test_markdown_begins_with_the_verdict_and_three_things(
    refused: AuditAnswer, accepted: AuditAnswer
) -> None:
    assert markdown(refused).splitlines()[0] == "### topograph audit: **reject**"
    lines = markdown(accepted).splitlines()
    assert lines[0] == "### topograph audit: accept"
    assert 1 <= sum(line.startswith("* ") for line in lines[:6]) <= 3


def test_the_command_writes_them_all(tmp_path: Path) -> None:
    script = tmp_path / "change.txt"
    script.write_text(REFUSED, encoding="utf-8")
    files = {name: tmp_path / f"audit.{name}" for name in ("sarif", "junit", "markdown")}
    estate = str(ROOT / "examples" / "mhop-star" / "legal")
    words = ["audit", "-s", estate, "--change", f"B={script}"]
    for name, file in files.items():
        words += [f"--{name}", str(file)]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 1
    assert result.stdout.startswith("Reject: 2 of 2 commands would be refused.")
    assert json.loads(files["sarif"].read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert ET.fromstring(files["junit"].read_bytes())[0].get("failures") == "2"
    assert files["markdown"].read_text(encoding="utf-8").startswith("### topograph audit")
    nowhere = CliRunner().invoke(command, [*words[:5], "--sarif", str(tmp_path / "no" / "where")])
    assert nowhere.exit_code != 0


def test_exit_codes(tmp_path: Path) -> None:
    script = tmp_path / "change.txt"
    script.write_text(
        "create route NEW url=tcp://n:1 zone_name=CAMPUS zone_type=mhop\n", encoding="utf-8"
    )
    words = [
        "audit",
        "-s",
        str(ROOT / "examples" / "mhop-star" / "legal"),
        "--change",
        f"B={script}",
    ]
    assert CliRunner().invoke(command, words).exit_code == 1
    assert CliRunner().invoke(command, [*words, "--accept-undetermined"]).exit_code == 0
    assert CliRunner().invoke(command, words[:3]).exit_code == 2
