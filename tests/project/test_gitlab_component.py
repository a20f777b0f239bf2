"""The component of GitLab CI: its inputs, and its script, run in a repository as a job does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from pull_requests import comments, deleted_server, git, repository

ROOT = Path(__file__).resolve().parents[2]
SPEC, JOBS = yaml.safe_load_all((ROOT / "templates" / "topograph.yml").read_text("utf-8"))
INPUTS = SPEC["spec"]["inputs"]
_INPUT = re.compile(r"\$\[\[ inputs\.([\w-]+) \]\]")


def test_every_input_is_used_and_described() -> None:
    assert set(_INPUT.findall((ROOT / "templates" / "topograph.yml").read_text("utf-8"))) == set(
        INPUTS
    )
    page = (ROOT / "docs" / "pipelines.md").read_text("utf-8")
    for name, one in INPUTS.items():
        assert one["description"]
        assert f"`{name}`" in page
    assert [name for name, one in INPUTS.items() if "default" not in one] == ["package"]
    (job,) = JOBS.values()
    assert not any("$[[" in line for line in job["script"])  # values in variables alone


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "code"), [(comments, 0), (deleted_server, 1)], ids=["comments", "deleted"]
)
def test_the_job_judges_a_merge_request(change: object, code: int, tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", change)  # type: ignore[arg-type]
    (job,) = JOBS.values()

    def filled(text: str) -> str:
        return _INPUT.sub(lambda found: str(INPUTS[found[1]].get("default", "")), text)

    variables = {name: filled(value) for name, value in job["variables"].items()}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT")}
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(job["script"])],
        cwd=repo,
        env={
            **kept,
            **variables,
            "FOLDER": "conf/",
            "ACCEPT_UNDETERMINED": "false",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(repo, "rev-parse", "HEAD~1"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    (suite,) = ET.parse(repo / job["artifacts"]["reports"]["junit"]).getroot()
    assert (int(suite.get("errors", "0")) + int(suite.get("failures", "0")) > 0) == bool(code)
    (comment,) = job["artifacts"]["paths"]
    assert (repo / comment).read_text("utf-8").startswith("### topograph audit: ")
