"""``action.yml`` does what docs/pipelines.md says: its steps are run in their order, with the
variables that a runner sets, in repositories whose last commit is a change of a kind.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
import yaml
from pull_requests import (
    broken_file,
    comments,
    commit,
    deleted_server,
    five_at_once,
    git,
    renamed,
    repository,
)

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-schema-2.1.0.json"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_EXPRESSION = re.compile(r"\$\{\{ (inputs|steps)\.([\w.-]+) \}\}")


class Ran(NamedTuple):
    """What the steps left: the exit code of the last one, the outputs of the action, the page of
    the run, and what the steps wrote to the log."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str

    @property
    def comment(self) -> str:
        return Path(self.outputs["comment"]).read_text("utf-8")

    def sarif(self, name: str = "sarif") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(Path(self.outputs[name]).read_text("utf-8"))
        return found


def run(repo: Path, tmp: Path, **given: str) -> Ran:
    """Run every step that is a command, as a runner does."""
    inputs = {name: one["default"] for name, one in ACTION["inputs"].items()}
    inputs |= {name.replace("_", "-"): value for name, value in {"path": "conf", **given}.items()}
    outputs: dict[str, str] = {}

    def filled(text: str) -> str:
        def value(found: re.Match[str]) -> str:
            kind, name = found.groups()
            return inputs[name] if kind == "inputs" else outputs.get(name, "")

        return _EXPRESSION.sub(value, text)

    installed(tmp / "topograph" / "venv" / "bin")
    summary, log, code = tmp / "summary", "", 0
    for number, step in enumerate(STEPS):
        if "run" not in step or step["name"] == "Install":
            continue
        told = tmp / f"output-{number}"
        told.touch()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT")}
        environment = {
            **kept,
            **{name: filled(value) for name, value in step.get("env", {}).items()},
            "PYTHONPATH": str(ROOT),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(told),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_WORKSPACE": str(repo),
            "RUNNER_TEMP": str(tmp),
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=repo,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        log += done.stdout + done.stderr
        code = done.returncode
        assert code == 0 or step is STEPS[-1], (step["name"], done.stderr)
        for line in told.read_text("utf-8").splitlines():
            name, _, value = line.partition("=")
            outputs[f"{step['id']}.outputs.{name}"] = value
    own = {name: filled(one["value"]) for name, one in ACTION["outputs"].items()}
    return Ran(code, own, summary.read_text("utf-8"), log)


def installed(folder: Path) -> None:
    """What the step "Install" gives, of this checkout."""
    folder.mkdir(parents=True)
    for name in ("python", "topograph"):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).parent / name}" "$@"\n')
        script.chmod(0o755)


def accepted_by_code_scanning(sarif: Mapping[str, Any], repo: Path) -> None:
    """Hold a file to what code scanning asks for: a place for each result, in a file of HEAD."""
    if SCHEMA.is_file():
        jsonschema.Draft4Validator(json.loads(SCHEMA.read_text())).validate(sarif)
    (only,) = sarif["runs"]
    rules = {one["id"] for one in only["tool"]["driver"]["rules"]}
    for result in only["results"]:
        assert result["ruleId"] in rules
        assert result["message"]["text"]
        assert result["locations"], result
        flows = (
            one["location"]["physicalLocation"]
            for flow in result.get("codeFlows", ())
            for one in flow["threadFlows"][0]["locations"]
            if "physicalLocation" in one["location"]
        )
        for place in (*(one["physicalLocation"] for one in result["locations"]), *flows):
            file = place["artifactLocation"]["uri"]
            assert not file.startswith(("/", "..")), file
            lines = git(repo, "show", f"HEAD:{file}").splitlines()
            assert 1 <= place.get("region", {}).get("startLine", 1) <= max(1, len(lines))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "verdict", "most"),
    [
        (comments, "accept", 0),
        (renamed, "accept", 0),
        (deleted_server, "undetermined", 6),
        (five_at_once, "undetermined", 16),
        (broken_file, "undetermined", 8),
    ],
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_a_pull_request_is_judged_shown_and_uploaded(
    change: Callable[[Path], None], verdict: str, most: int, tmp_path: Path
) -> None:
    repo = repository(tmp_path / "repo", change)
    ran = run(repo, tmp_path / "runner")
    assert ran.outputs["verdict"] == verdict
    code = {"accept": "0", "undetermined": "1"}[verdict]
    assert ran.outputs["exit-code"] == code
    assert ran.outputs["check-exit-code"] == "0"
    assert str(ran.code) == code
    accepted_by_code_scanning(ran.sarif(), repo)
    accepted_by_code_scanning(ran.sarif("check-sarif"), repo)
    results = ran.sarif()["runs"][0]["results"]
    assert len(results) <= most
    assert bool(results) == (verdict != "accept")
    answer = json.loads(Path(ran.outputs["json"]).read_text("utf-8"))
    assert answer["verdict"] == verdict
    assert ran.comment == ran.summary
    assert "### topograph check" in ran.comment
    assert "&#" not in ran.comment
    told = ran.comment.replace("\\", "")
    for text in (
        *(one["because"] for one in answer["left_open"]),
        *(one["message"].rstrip(".") for one in answer["findings"]),
    ):
        assert text in told
    reported = "\n".join(one["message"]["text"] for one in results)
    assert all(one["because"] in reported for one in answer["left_open"])
    assert git(repo, "status", "--porcelain") == ""


@pytest.mark.slow
def test_what_has_no_answer_is_said_in_the_comment_and_fails(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", comments)
    ran = run(repo, tmp_path / "runner", path="elsewhere")
    assert ran.code == int(ran.outputs["exit-code"]) != 0
    assert ran.outputs["verdict"] == ran.outputs["sarif"] == ran.outputs["json"] == ""
    assert ran.comment.startswith("### topograph audit: no answer")
    assert "elsewhere" in ran.comment


@pytest.mark.slow
def test_policies_are_judged_and_undetermined_can_be_let_pass(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", deleted_server)
    policy = "policies:\n  - id: kept\n    reaches: {from: CANADA, to: HQ}\n"
    (repo / "gate.yaml").write_text(policy)
    (tmp_path / "outside.yaml").write_text(policy.replace("HQ", "USA").replace("kept", "other"))
    commit(repo, "policy")
    given = {"before": "HEAD~2", "policy": "gate.yaml\n../outside.yaml\n"}
    ran = run(repo, tmp_path / "runner", accept_undetermined="true", **given)
    answer = json.loads(Path(ran.outputs["json"]).read_text("utf-8"))
    assert [one["id"] for one in answer["policy"]] == ["kept", "other"]
    assert ran.code == (0 if ran.outputs["verdict"] == "undetermined" else 1)
    accepted_by_code_scanning(ran.sarif(), repo)
    accepted_by_code_scanning(ran.sarif("check-sarif"), repo)


def test_text_of_others_has_no_power_in_the_steps() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        if "uses" in step:
            assert re.search(r"@v\d+\.\d+\.\d+\Z", step["uses"])
        else:
            assert step["shell"] == "bash"
    given = re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text("utf-8"))
    assert set(given) == set(ACTION["inputs"])
    page = (ROOT / "docs" / "pipelines.md").read_text("utf-8")
    for name, one in {**ACTION["inputs"], **ACTION["outputs"]}.items():
        assert one["description"]
        assert f"`{name}`" in page, name


def test_only_answers_are_uploaded_each_in_its_category() -> None:
    uploads = [one for one in STEPS if "upload-sarif" in one.get("uses", "")]
    assert [one["if"] for one in uploads] == [
        f"${{{{ inputs.upload == 'true' && steps.{step}.outputs.sarif != '' }}}}"
        for step in ("audit", "check")
    ]
    assert len({one["with"]["category"] for one in uploads}) == 2
    assert all(one is not STEPS[-1] for one in uploads)  # before the step that fails


@pytest.mark.slow
def test_the_action_installs_its_own_files(tmp_path: Path) -> None:
    """Without what topograph depends on, and without an index."""
    own = tmp_path / "action"
    for name in git(ROOT, "ls-files", "-z").rstrip("\0").split("\0"):
        if name.startswith(("tests/", "docs/", "examples/", "benchmarks/")):
            continue
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, own / name, follow_symlinks=False)
    builder = tmp_path / "builder"
    builder.mkdir()
    import setuptools

    packages = Path(setuptools.__file__).parents[1]
    for entry in packages.iterdir():
        if entry.name.startswith(("setuptools", "_distutils_hack", "pkg_resources")):
            (builder / entry.name).symlink_to(entry)
    (install,) = [one["run"] for one in STEPS if one.get("name") == "Install"]
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(builder),
        "GITHUB_ACTION_PATH": str(own),
        "RUNNER_TEMP": str(tmp_path),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # the name of the variable says the opposite: no isolation
    }
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", install]
    subprocess.run(words, cwd=tmp_path, env=environment, check=True)
    python = tmp_path / "topograph" / "venv" / "bin" / "python"
    code = (
        "import topograph, importlib.resources as r, pathlib as p;"
        "assert (r.files('topograph') / 'cli' / 'message.schema.json').is_file();"
        "assert (r.files('topograph') / 'importers' / 'side_inputs.schema.json').is_file();"
        "print(p.Path(topograph.__file__))"
    )
    done = subprocess.run(
        [python, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert str(tmp_path / "topograph" / "venv") in done.stdout
