"""Tests run from the top folder, both as ``pytest`` and as ``python -m pytest``, which puts that
folder first on ``sys.path``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTEST = str(Path(sys.executable).with_name("pytest"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [(PYTEST,), (sys.executable, "-m", "pytest")], ids=["pytest", "python -m pytest"]
)
def test_no_folder_at_the_top_hides_what_tests_import(command):
    of_one_name = [
        path.name
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and (ROOT / path.name).is_dir()
    ]
    assert "viz" in of_one_name

    folders = [f"tests/{name}" for name in (*of_one_name, "conformance", "redaction")]
    done = subprocess.run(
        [*command, "--collect-only", "-q", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert all(
        f"{folder}/" in done.stdout for folder in folders if any((ROOT / folder).rglob("test_*.py"))
    )
