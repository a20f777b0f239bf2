"""The files of ``examples/pipeline`` do what ``docs/pipelines.md`` says: their own commands are
run, in a git repository made of the example.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "pipeline"
WORKFLOW = EXAMPLE / ".github" / "workflows" / "audit.yml"
SCHEMA = ROOT.parent / "shared" / "schemas" / "sarif-schema-2.1.0.json"
IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@example.net", "-c", "commit.gpgsign=false"]


@pytest.fixture
def repo(tmp_path):
    """A repository whose last commit is the change, with the state before as its first parent."""
    folder = tmp_path / "repo"
    shutil.copytree(EXAMPLE / "conf", folder / "conf")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "before")
    shutil.copytree(EXAMPLE / "edited", folder, dirs_exist_ok=True)
    shutil.copytree(EXAMPLE / "changes", folder / "changes")
    commit(folder, "after")
    return folder


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *IDENTITY, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def run(folder: Path, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command as a runner starts it, with this project's ``topograph`` first on the path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {
        **kept,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        **variables,
    }
    words = ["bash", "-e", "-c", command]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def add(file: Path, lines: str) -> None:
    file.write_text(f"{file.read_text()}\n{lines}")


def steps() -> list[dict[str, str]]:
    (job,) = yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
    return list(job["steps"])


@pytest.mark.slow
def test_the_workflow_fails_as_it_should_and_reports(repo, tmp_path):
    codes = {}
    for step in steps():
        if "run" not in step or "pip install" in step["run"]:
            continue
        codes[step["name"]] = (
            done := run(repo, step["run"], GITHUB_STEP_SUMMARY=str(tmp_path / "summary"))
        ).returncode
        assert "Traceback" not in done.stderr
    assert codes == {
        "Judge the change script": 1,
        "Compare the configuration before and after": 1,
        "Show both on the page of the run": 0,
    }
    assert (tmp_path / "summary").read_text().count("### topograph audit: **reject**") == 2
    uploaded = {
        step["with"]["sarif_file"] for step in steps() if "upload-sarif" in step.get("uses", "")
    }
    assert uploaded == {"change.sarif", "state.sarif"}
    for name in uploaded:
        found = json.loads((repo / name).read_text())
        if SCHEMA.is_file():
            jsonschema.Draft4Validator(json.loads(SCHEMA.read_text())).validate(found)
        results = found["runs"][0]["results"]
        refused = [one for one in results if one["level"] == "error"]
        assert refused
        for result in results:
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
            lines = (repo / place["artifactLocation"]["uri"]).read_text().splitlines()
            assert 1 <= place["region"]["startLine"] <= len(lines)
    (line,) = {
        (place["artifactLocation"]["uri"], place["region"]["startLine"])
        for result in json.loads((repo / "state.sarif").read_text())["runs"][0]["results"]
        if result["level"] == "error"
        for place in [result["locations"][0]["physicalLocation"]]
    }
    assert (repo / line[0]).read_text().splitlines()[line[1] - 1] == "[D]"
    assert git(repo, "status", "--porcelain", "conf", "changes") == ""


def test_the_workflow_gives_untrusted_text_no_power_and_little_is_permitted():
    text = WORKFLOW.read_text()
    content = yaml.safe_load(text)
    assert content["permissions"] == {}
    assert content["jobs"]["audit"]["permissions"] == {
        "contents": "read",
        "security-events": "write",
    }
    assert set(content[True]) == {"pull_request"}  # YAML 1.1 reads "on" as true
    assert [step["run"] for step in steps() if "${{" in step.get("run", "")] == []
    assert [
        step["uses"]
        for step in steps()
        if "uses" in step and not re.search(r"@v\d+\.\d+\.\d+\Z", step["uses"])
    ] == []
    (checkout,) = [step for step in steps() if "checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 2, "persist-credentials": False}
    # A comment of the page: values in its environment alone.
    page = (ROOT / "docs" / "pipelines.md").read_text()
    assert [line for line in page.splitlines() if "run:" in line and "${{" in line] == []


@pytest.mark.slow
def test_the_clone_that_the_workflow_fetches_is_deep_enough(repo, tmp_path):
    (checkout,) = [step for step in steps() if "checkout" in step.get("uses", "")]
    (judge,) = [step["run"] for step in steps() if step.get("name") == "Judge the change script"]
    for depth, code in ((checkout["with"]["fetch-depth"], 1), (1, 3)):
        git(tmp_path, "clone", "-q", f"--depth={depth}", f"file://{repo}", f"depth-{depth}")
        done = run(tmp_path / f"depth-{depth}", judge)
        assert done.returncode == code, done.stderr
    assert "which is a shallow clone" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_the_jobs_of_gitlab_fail_as_they_should_and_report(repo):
    jobs = yaml.safe_load((EXAMPLE / ".gitlab-ci.yml").read_text())
    before = git(repo, "rev-parse", "HEAD~1")
    for name in ("change", "state"):
        assert jobs[name]["extends"] == ".topograph"
        (command,) = jobs[name]["script"]
        assert run(repo, command, CI_MERGE_REQUEST_DIFF_BASE_SHA=before).returncode == 1
        report = ET.parse(repo / jobs[".topograph"]["artifacts"]["reports"]["junit"]).getroot()
        (suite,) = report
        assert int(suite.get("errors")) == len(list(suite.iter("error")))
        assert int(suite.get("failures")) == len(list(suite.iter("failure"))) > 0
    assert jobs[".topograph"]["variables"]["GIT_DEPTH"] == "0"


@pytest.mark.slow
def test_the_hooks_of_pre_commit_fail_as_they_should(repo):
    hooks = {
        hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    }
    (used,) = yaml.safe_load((EXAMPLE / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    audit = hooks[used["id"]]
    assert not audit["pass_filenames"]
    assert used["args"] == audit["args"]
    command = " ".join([audit["entry"], *used["args"]])
    assert run(repo, command).returncode == 0  # what would be committed is what is committed
    git(repo, "checkout", "-q", "HEAD~1", "--", "conf")
    git(repo, "commit", "-q", "-m", "back")
    shutil.copytree(EXAMPLE / "edited", repo, dirs_exist_ok=True)
    git(repo, "add", "-A")
    assert run(repo, command).returncode == 1
    check = hooks["topograph-check"]
    assert run(repo, " ".join([check["entry"], *check["args"]])).returncode == 1


@pytest.mark.slow
def test_a_saved_change_is_found_done_in_the_commit_that_did_it(repo):
    page = (ROOT / "docs" / "pipelines.md").read_text()
    save, replay = re.findall(r"^topograph audit .*$", page, re.MULTILINE)
    script = repo / "changes" / "next.txt"
    script.write_text("connect tcp://b.example.net:7222\ncreate topic parcels global\n")
    assert run(repo, save.replace("HEAD:conf", "HEAD~1:conf")).returncode == 0
    git(repo, "checkout", "-q", "HEAD~1", "--", "conf")
    add(repo / "conf" / "b" / "topics.conf", "parcels global\n")
    commit(repo, "done")
    done = run(repo, replay.replace("BEFORE", "HEAD~2"))
    assert done.returncode == 0, done.stdout + done.stderr
    add(repo / "conf" / "c" / "topics.conf", "extra global\n")
    commit(repo, "more")
    done = run(repo, replay.replace("BEFORE", "HEAD~3"))
    assert done.returncode == 1
    assert "1 entry changed as well" in done.stdout
