"""``./dev same``: what it compares, and what it calls different."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("same_run", ROOT / "benchmarks" / "same" / "run.py")
assert _SPEC is not None
assert _SPEC.loader is not None
run = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(run)
differences, read = run.differences, run.read


def test_equal_texts_are_no_difference():
    said = {("examples/orders", "check"): "No findings."}
    assert differences(said, dict(said)) == []


def test_a_changed_value_is_shown_where_it_is():
    before, after = (
        {("e", "reach A --format json"): json.dumps({"from": "A", "pad": "x" * 200, "hops": hops})}
        for hops in (1, 2)
    )
    ((estate, item, lines),) = differences(before, after)
    assert (estate, item) == ("e", "reach A --format json")
    assert lines == ['- "hops": 1', '+ "hops": 2']


def test_an_item_that_one_side_lacks_is_a_difference():
    before = {("e", "table facts"): "row 1", ("e", "view"): "x"}
    after = {("e", "table facts"): "row 1\nrow 2"}
    assert differences(before, after) == [
        ("e", "table facts", ["+row 2"]),
        ("e", "view", ["-x"]),
    ]


def test_what_is_written_is_read_again(tmp_path: Path):
    file = tmp_path / "said.txt"
    text = "two\nlines\tand a tab"
    file.write_text(f"e\titem\t{json.dumps(text)}\n", encoding="utf-8")
    assert read(file) == {("e", "item"): text}


@pytest.mark.slow
def test_one_example_says_the_same_in_two_processes():
    words = ["-m", "benchmarks.same.run", "HEAD", "HEAD", "--only", "examples/orders"]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("No difference: 1 estates, ")
