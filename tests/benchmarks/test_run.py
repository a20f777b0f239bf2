"""The benchmarks start: what they import is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "benchmarks" / "run.py"


@pytest.mark.slow
def test_the_table_of_benchmarks_names_its_parts():
    done = subprocess.run(
        [sys.executable, RUN, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "./dev bench walk commands" in done.stdout
