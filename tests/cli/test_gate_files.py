"""The gate of a pipeline: baselines, waivers, and SARIF of ``check``."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import InputError
from topograph.findings import Source
from topograph.importers.waivers import waivers_in
from topograph.questions.check import check
from topograph.questions.check_sarif import sarif
from topograph.rules.waivers import read_waived

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-schema-2.1.0.json"
ESTATES = (
    "estate",
    "retail",
    "routers",
    "mixed",
    "queue_managers",
    "mqe_devices",
    "sibus_orders",
    "mhop-star/with-b-d",
)

IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@example.com")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def asked(*words: object) -> tuple[int, str, str]:
        code = exit_code([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return asked


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    """A copy of an estate with warnings."""
    return Path(shutil.copytree(EXAMPLES / "estate", tmp_path / "conf"))


def found(folder: Path) -> Counter[str]:
    answer = topograph.read(folder).check()
    return Counter(json.dumps(one) for one in answer.findings)


@pytest.mark.parametrize("estate", ESTATES)
def test_a_state_passes_its_own_baseline(run: Run, tmp_path: Path, estate: str) -> None:
    file = tmp_path / "baseline.json"
    written = run("check", "-s", EXAMPLES / estate, "--write-baseline", file)
    before = topograph.read(EXAMPLES / estate).check()
    code, out, _ = run(
        "check",
        "-s",
        EXAMPLES / estate,
        "--baseline",
        file,
        "--format",
        "json",
        "--fail-on",
        "warning",
    )
    answer = json.loads(out)
    assert (written[0], code) == (0, 0)
    assert (answer["findings"], answer["gone"]) == ([], [])
    assert sorted(map(json.dumps, answer["known"])) == sorted(map(json.dumps, before.findings))


def test_only_what_is_added_counts(conf: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(topograph.read(conf).baseline())
    before = found(conf)
    routes = conf / "madrid" / "routes.conf"
    routes.write_text(f"{routes.read_text()}\n[NOWHERE]\nurl=tcp://nowhere.example:7222\n")
    answer = topograph.read(conf).check(baseline=file)
    assert Counter(map(json.dumps, answer.findings)) == found(conf) - before
    assert {one["server"] for one in answer.findings} == {"MADRID"}
    assert answer.violation


def test_lines_that_move_are_not_new_and_what_was_mended_is_named(
    conf: Path, tmp_path: Path
) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(topograph.read(conf).baseline())
    for path in conf.rglob("*.conf"):
        path.write_text(f"# one\n# two\n{path.read_text()}")
    moved = topograph.read(conf).check(baseline=file)
    assert (moved.findings, moved.gone, moved.violation) == ((), (), False)
    assert len(moved.known) == len(topograph.read(conf).check().findings)

    shutil.rmtree(conf / "singapore")
    answer = topograph.read(conf).check(baseline=file)
    assert [one.server for one in answer.gone if one.rule == "TL-16"] == ["SINGAPORE"]


def test_of_equal_findings_as_many_are_known_as_there_were(tmp_path: Path, conf: Path) -> None:
    file = tmp_path / "baseline.json"
    whole = json.loads(topograph.read(conf).baseline())
    left_out = whole["findings"].pop()
    file.write_text(json.dumps(whole))
    answer = topograph.read(conf).check(baseline=file)
    assert [one["message"] for one in answer.findings] == [left_out["message"]]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1, "findings": [{}]}', "\xff"])
def test_another_file_is_not_a_baseline(tmp_path: Path, run: Run, text: str) -> None:
    file = tmp_path / "b.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"b\.json"):
        topograph.read(EXAMPLES / "estate").check(baseline=file)
    code, out, err = run("check", "-s", EXAMPLES / "estate", "--baseline", file)
    assert (code, out) == (3, "")
    assert "b.json" in err


def test_a_baseline_of_a_part_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    code, _, err = run(
        "check", "-s", EXAMPLES / "estate", "--write-baseline", file, "--rule", "TL-03"
    )
    assert code == 2
    assert "--rule" in err
    assert not file.exists()


WAIVED = "waivers:\n- rule: {rule}\n  reason: agreed with the team\n"


@pytest.mark.parametrize("rule", ["TL-03", "tl-03", "Global on one side only", "global-at-one-end"])
def test_a_waiver_takes_the_findings_of_its_rule_out(conf: Path, rule: str) -> None:
    before = topograph.read(conf).check()
    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule=rule))
    after = topograph.read(conf).check()
    waived = [one.finding for one in after.waived]
    assert waived == [one for one in before.findings if one["rule"] == "TL-03"]
    assert after.findings == tuple(one for one in before.findings if one["rule"] != "TL-03")
    assert {one.reason for one in after.waived} == {"agreed with the team"}


def test_a_waiver_is_about_the_servers_and_files_that_it_names(conf: Path) -> None:
    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule="TL-20") + "  server: 'F*'\n  file: '*/tibemsd.conf'\n")
    waived = topograph.read(conf).check().waived
    assert {one.finding["server"] for one in waived} == {"FRANKFURT"}


def test_files_are_named_from_the_folder_of_topograph_yaml(
    conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule="TL-20") + "  file: london/*.conf\n")
    repository = conf.parent
    for words in (["init", "-q"], ["add", "conf"], [*IDENTITY, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=repository, check=True)
    monkeypatch.chdir(repository)
    waived = [topograph.open(place).check().waived for place in ("conf", "HEAD:conf")]
    assert [[one.finding["server"] for one in each] for each in waived] == [["LONDON"], ["LONDON"]]


@pytest.mark.parametrize(
    ("today", "counts"), [(date(2030, 1, 31), False), (date(2030, 2, 1), True)]
)
def test_a_waiver_ends_with_its_last_day(conf: Path, today: date, counts: bool) -> None:
    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule="TL-03") + "  until: 2030-01-31\n")
    answer = check(topograph.read(conf)._model, today=today)
    assert any(one["rule"] == "TL-03" for one in answer.findings) == counts
    assert any(one["kind"] == "waiver-expired" for one in answer.findings) == counts


def test_a_waiver_that_fits_nothing_is_a_finding(conf: Path) -> None:
    lines = len((conf / "topograph.yaml").read_text().splitlines())
    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule="TL-30"))
    (unused,) = (
        one for one in topograph.read(conf).check().findings if one["kind"] == "waiver-unused"
    )
    assert unused["severity"] == "warning"
    assert unused["source"] == {"file": "topograph.yaml", "line": lines + 2, "column": 3}


@pytest.mark.parametrize(
    "entry", ["- rule: TL-03\n", "- rule: TL-03\n  reason: ''\n", "- reason: why\n",
              "- rule: TL-03\n  reason: why\n  until: 2030-02-31\n",
              "- rule: TL-03\n  reason: why\n  until: soon\n"],
)  # fmt: skip
def test_an_entry_with_a_mistake_waives_nothing(conf: Path, entry: str) -> None:
    before = topograph.read(conf).check()
    with (conf / "topograph.yaml").open("a") as file:
        file.write(f"waivers:\n{entry}")
    network = topograph.read(conf)
    after = network.check()
    assert after.waived == ()
    added = [one for one in after.findings if one not in before.findings]
    assert [one["kind"] for one in added] == ["side-inputs-invalid"]
    assert network.reach("HQ").exact == topograph.read(EXAMPLES / "estate").reach("HQ").exact


COMMENTS = {
    "estate": ("singapore/routes.conf", "# topograph: waive TL-16 TOKYO is retired in May"),
    "mixed": ("devices.yaml", "# topograph: waive EL-01 collected by hand"),
}


@pytest.mark.parametrize("estate", COMMENTS)
def test_a_comment_waives_a_rule_in_its_file(tmp_path: Path, estate: str) -> None:
    conf = Path(shutil.copytree(EXAMPLES / estate, tmp_path / "conf"))
    file, comment = COMMENTS[estate]
    rule = comment.split()[3]
    before = topograph.read(conf).check()
    path = conf / file
    path.write_text(f"{comment}\n{path.read_text()}")
    after = topograph.read(conf).check()
    assert {(one.finding["rule"], one.finding["source"]["file"]) for one in after.waived} == {  # type: ignore[index]
        (rule, file)
    }
    assert {(one.source, one.inline) for one in after.waived} == {(Source(file, 1, 1), True)}
    assert {one.reason for one in after.waived} == {comment.partition(f"{rule} ")[2]}
    assert len(after.findings) + len(after.waived) == len(before.findings)


@pytest.mark.parametrize(
    "line",
    [
        "# topograph: waive ML-05 known since 2020",
        "* topograph: waive ML-05 known since 2020",
        "// topograph:waive ML-05 - known since 2020",
        "  <!-- topograph: waive ML-05: known since 2020 -->",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_waiver_is_a_comment_of_any_format(line: str, encoding: str) -> None:
    text = f"x\n{line}\r\ny # topograph: waive ML-06 not on a line of its own\n"
    (found,) = waivers_in({"a/b": text.encode(encoding)})
    column = len(line) - len(line.lstrip()) + 1
    assert found.source == Source("a/b", 2, column)
    said = read_waived(found)
    assert said is not None
    assert (said.rule.rstrip(":"), said.reason) == ("ML-05", "known since 2020")


def test_a_comment_without_a_reason_is_a_finding_and_waives_nothing(conf: Path) -> None:
    path = conf / "singapore" / "routes.conf"
    path.write_text(f"# topograph: waive TL-16\n{path.read_text()}")
    answer = topograph.read(conf).check()
    assert answer.waived == ()
    kinds = [one["kind"] for one in answer.findings]
    assert "waiver-without-reason" in kinds
    assert "route-to-unloaded-server" in kinds


def test_what_is_waived_is_not_lost_in_a_report(conf: Path) -> None:
    from topograph.reporting.collecting import collect

    with (conf / "topograph.yaml").open("a") as file:
        file.write(WAIVED.format(rule="TL-16"))
    report = collect(topograph.read(conf)._model)
    (group,) = (one for one in report.groups if one.label == "TL-16")
    assert group.severity == "info"
    assert "agreed with the team" in group.findings[0].message


def results(text: str) -> Iterator[dict[str, Any]]:
    yield from json.loads(text)["runs"][0]["results"]


@pytest.mark.parametrize("estate", ESTATES)
def test_sarif_has_every_finding_at_a_place(run: Run, estate: str) -> None:
    code, out, _ = run("check", "-s", EXAMPLES / estate, "--format", "sarif")
    network = topograph.read(EXAMPLES / estate)
    answer = network.check()
    assert code == int(answer.violation)
    listed = list(results(out))
    assert len(listed) == len(answer.findings)
    assert all(one["locations"] for one in listed)
    marks = [one["partialFingerprints"]["topograph/v1"] for one in listed]
    assert len(set(marks)) == len(marks)
    if SCHEMA.is_file():
        jsonschema.Draft4Validator(json.loads(SCHEMA.read_text())).validate(json.loads(out))


def test_sarif_shows_what_is_waived_and_known_as_suppressed(
    run: Run, conf: Path, tmp_path: Path
) -> None:
    file, report = tmp_path / "baseline.json", tmp_path / "out.sarif"
    file.write_text(topograph.read(conf).baseline())
    path = conf / "singapore" / "routes.conf"
    path.write_text(f"# topograph: waive TL-16 retired\n{path.read_text()}")
    routes = conf / "madrid" / "routes.conf"
    routes.write_text(f"{routes.read_text()}\n[NOWHERE]\nurl=tcp://nowhere.example:7222\n")
    code, _, _ = run("check", "-s", conf, "--baseline", file, "--sarif", report)
    assert code == 1
    listed = list(results(report.read_text()))
    kinds = Counter(
        one["suppressions"][0]["kind"] if "suppressions" in one else one["baselineState"]
        for one in listed
    )
    answer = topograph.read(conf).check(baseline=file)
    assert kinds == {
        "new": len(answer.findings),
        "external": len(answer.known),
        "inSource": len(answer.waived),
    }
    if SCHEMA.is_file():
        schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft4Validator(schema).validate(json.loads(report.read_text()))


def test_paths_in_sarif_are_those_of_the_folder_that_the_command_runs_in(
    run: Run, conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(conf.parent)
    _, out, _ = run("check", "-s", "conf", "--format", "sarif")
    for one in results(out):
        place = one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert (conf.parent / place).exists()


def test_a_finding_without_a_file_is_shown_at_the_anchor() -> None:
    answer = topograph.read(EXAMPLES / "estate").check()
    nowhere = {**answer.findings[0], "source": {"file": "", "line": 0, "column": 0}}
    from dataclasses import replace

    (one,) = results(sarif(replace(answer, findings=(nowhere,)), "1", Source("a.conf", 1), "conf"))
    place = one["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "conf/a.conf"


@pytest.mark.parametrize("question", [("reach", "HQ"), ("show", "servers"), ("cycles",)])
def test_sarif_is_a_form_of_check_and_audit_only(run: Run, question: tuple[str, ...]) -> None:
    code, out, err = run(*question, "-s", EXAMPLES / "estate", "--format", "sarif")
    assert (code, out) == (2, "")
    assert "check and audit" in err


def test_waivers_hold_in_a_redacted_snapshot(conf: Path) -> None:
    path = conf / "singapore" / "routes.conf"
    path.write_text(f"# topograph: waive TL-16 the pineapple team agreed\n{path.read_text()}")
    (waived,) = topograph.read(conf, redact=True).check().waived
    assert waived.finding["rule"] == "TL-16"
    assert "pineapple" not in waived.reason
