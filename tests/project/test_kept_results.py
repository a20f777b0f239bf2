"""What is kept of the values that tests make: that a change of any of them is noticed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import kept_results
import pytest

from topograph.findings import Finding, Severity, Source
from topograph.questions.answers.listings import CheckAnswer
from topograph.store.archives import Limits
from topograph.systems.fact_sources import FactList

TESTS_FOLDER = Path(__file__).parents[1]

FOUND = Finding("kind", Severity.INFO, "message", Source("a.conf", 2), "TL-1", server="A")


@dataclass(frozen=True)
class Named:
    names: frozenset[str]
    of: object


def made(*values: object) -> dict[str, set[str]]:
    return {"Finding": {kept_results.written(value) for value in values}}


def kept(found: dict[str, set[str]], without: str = "") -> str:
    return f"{kept_results.together(kept_results.digests(found))}{without}"


def test_the_values_that_are_kept_pass() -> None:
    kept_results.compare(kept(made(FOUND)), made(FOUND))


@pytest.mark.parametrize(
    "changed",
    [
        replace(FOUND, message="messages"),
        replace(FOUND, source=Source("a.conf", 3)),
        replace(FOUND, severity=Severity.WARNING),
    ],
)
def test_a_value_with_another_field_fails(changed: Finding) -> None:
    with pytest.raises(pytest.fail.Exception, match="other values"):
        kept_results.compare(kept(made(FOUND)), made(changed))


def test_one_value_more_or_less_fails() -> None:
    other = replace(FOUND, server="B")
    for before, after in ((made(FOUND, other), made(FOUND)), (made(FOUND), made(FOUND, other))):
        with pytest.raises(pytest.fail.Exception, match="Finding"):
            kept_results.compare(kept(before), after)


def test_a_class_that_is_left_out_is_not_compared() -> None:
    beside = {"Named": {"x"}}
    expected = kept(made(FOUND), " without Named")

    kept_results.compare(expected, made(FOUND) | beside)
    with pytest.raises(pytest.fail.Exception):
        kept_results.compare(kept(made(FOUND)), made(FOUND) | beside)


def test_a_value_is_written_with_all_its_parts_and_sets_in_order() -> None:
    value = Named(frozenset("cab"), [{"k": (Severity.INFO, None, 1.5)}, object()])

    assert kept_results.written(value) == (
        "Named(names={'a', 'b', 'c'}, of=({'k': (Severity.INFO, None, 1.5)}, object))"
    )


def test_a_field_of_an_answer_that_says_what_was_asked_is_left_out() -> None:
    fields = kept_results.written(CheckAnswer.__new__(CheckAnswer))

    assert "findings=" in fields
    assert "snapshot=" not in fields


def test_where_tests_run_and_write_is_left_out(tmp_path: Path) -> None:
    here = [str(kept_results.ROOT / "a.conf"), f"see {tmp_path}/b.conf", "c/d.conf"]

    assert kept_results.written(here) == (
        f"('PLACE/a.conf', 'see PLACE/{tmp_path.name}/b.conf', 'c/d.conf')"
    )


def test_of_where_facts_are_kept_only_the_class_is_written() -> None:
    assert kept_results.written([FactList(()), Limits()]) == "(FactList(all=()), Limits)"


def test_what_is_known_is_written_as_a_digest_of_all_its_parts() -> None:
    one, same, other = FOUND, replace(FOUND), replace(FOUND, source=Source("a.conf", 3))
    known: kept_results.Known = {}

    first, *others = (kept_results.written((each, 1), known) for each in (one, one, same, other))

    assert first.endswith(", 1)")
    assert "Finding" not in first
    assert [text == first for text in others] == [True, True, False]


CONFTEST = """
from pathlib import Path

import kept_results

kept_results.TABLES = Path(__file__).parent / "tests" / "kept_results"

def pytest_configure(config):
    if kept_results.is_wanted():
        config.pluginmanager.register(kept_results.KeptResults())
"""

TESTS = """
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.systems.ems.network.urls import endpoints

def test_value():
    Source("a.conf", LINE)

def test_steps():
    budget = Budget()
    for _ in range(STEPS):
        budget.spend()

def test_kept_by_a_function():
    endpoints("tcp://HOST:7222")

def test_the_same_again():
    endpoints("tcp://HOST:7222")
"""


@pytest.mark.slow
def test_a_test_is_compared_with_the_values_it_makes_and_the_steps_it_takes(tmp_path: Path) -> None:
    """A project of four tests beside the plugin: first it is written down what they make, then
    they run unchanged, changed, and changed with the comparison off.
    """
    tables, written = tmp_path / "tests" / "kept_results", tmp_path / "written"
    for folder in (tables, written):
        folder.mkdir(parents=True)
    (tmp_path / "conftest.py").write_text(CONFTEST)

    def failing(line: int = 1, steps: int = 5, host: str = "a", **variables: str) -> set[str]:
        tests = TESTS.replace("LINE", str(line)).replace("STEPS", str(steps)).replace("HOST", host)
        (tmp_path / "tests" / "test_it.py").write_text(tests)
        kept = {name: value for name, value in os.environ.items() if "_RESULTS" not in name}
        packages = os.pathsep.join(map(str, (TESTS_FOLDER.parent, TESTS_FOLDER)))
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
            cwd=tmp_path,
            env={**kept, "PYTHONPATH": packages, "COLUMNS": "200", **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return set(re.findall(r"^FAILED .*::(\w+) - Failed: this test makes", done.stdout, re.M))

    assert failing(KEPT_RESULTS=f"forwards {written}") == set()
    (file,) = written.iterdir()
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    (tables / "test_it.txt").write_text(
        "".join(f"{test.rpartition('::')[2]}: {kept_results.together(of)}\n" for test, of in rows)
    )
    assert len(rows) == 4
    assert failing() == set()
    assert failing(line=2) == {"test_value"}
    assert failing(steps=6) == {"test_steps"}
    assert failing(host="b") == {"test_kept_by_a_function", "test_the_same_again"}
    assert failing(line=2, steps=6, TOPOGRAPH_COMPARE_RESULTS="0") == set()
