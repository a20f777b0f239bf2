"""``./dev mutants``: that a change is one, and stands where it is said to."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
"""Where tools of the project are found, also while the working directory is no place to look."""

PROGRAM = '''
"""A module."""
LIMIT: int | None = 3

if TYPE_CHECKING:
    import pathlib

PAIRS = zip(FIRST, OTHERS, strict=True)
KEPT = field(default=None, repr=False)

@cached(maxsize=8)
def over(value: int | None = 4, *, strict: bool = True) -> bool | None:
    if value == LIMIT and not value:
        return value + 1 > LIMIT
    return None
'''

SIGNATURE = "def over(value: int | None = 4, *, strict: bool = True) -> bool | None:"

LISTED = """
import json, sys
from benchmarks.mutants.sites import operators, places
program = sys.stdin.read()
changes = [change for place in places(program, operators()) for change in place]
print(json.dumps([(change.line, change.made(program)) for change in changes]))
"""

SHOWN = """
import json, sys
from pathlib import Path
from coverage import CoverageData
from benchmarks.mutants.run import Mutant, Recorded
from benchmarks.mutants.sites import Change
folder = Path(sys.argv[1])
(folder / "root").write_text(str(folder))
(folder / "seconds-1.jsonl").write_text('["tests/a.py::test", 1]\\n["tests/b.py::test", 1]\\n')
data = CoverageData(str(folder / "lines"))
of_tests = {"constants.py": "", "rules.py": "tests/a.py::test", "else/rules.py": "tests/b.py::test"}
for file, test in of_tests.items():
    data.set_context(test)
    data.add_lines({str(folder / "system" / file): [1]})
for test, line in (("", 1), ("tests/b.py::test", 2)):
    data.set_context(test)
    data.add_lines({str(folder / "system" / "values.py"): [line]})
data.write()
recorded = Recorded(folder)
changed = [Mutant(f"system/{file}", Change("", 0, 1), "") for file in [*of_tests, "values.py"]]
print(json.dumps([recorded.tests(one) for one in changed]))
"""


@pytest.fixture(scope="module")
def counted() -> str:
    """What is printed for two changes of the selectors, with the tests by vectors."""
    words = ["2", "--seed", "1", "--jobs", "1", "--at-least", "0"]
    of = ["--of", "topograph/selectors", "--tests", "tests/selectors/test_evaluation.py"]
    done = subprocess.run(
        ["./dev", "mutants", *words, *of], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_changes_are_counted_and_what_is_not_noticed_is_shown(counted: str) -> None:
    told = re.findall(r"^(\d)/2 \d+ s (\S+)", counted, re.MULTILINE)
    noticed = sum(how != "NOT" for _, how in told)

    assert [number for number, _ in told] == ["1", "2"]
    assert noticed > 0
    assert f"{noticed} of 2 noticed: {50 * noticed}.0 %" in counted
    shown = counted.partition("Not noticed, of 2 changes with seed 1:")[2]
    assert len(re.findall(r"^topograph/selectors/\w+\.py:\d+: ", shown, re.M)) == 2 - noticed


@pytest.mark.slow
def test_operators_constants_and_conditions_are_changed_where_they_stand(counted: str) -> None:
    done = subprocess.run(
        [ROOT / ".venv" / "mutants" / "bin" / "python", "-c", LISTED],
        cwd=ROOT,
        env=ENVIRONMENT,
        input=PROGRAM,
        capture_output=True,
        text=True,
        check=True,
    )

    lines = PROGRAM.splitlines()
    changed: dict[str, set[str]] = {}
    for line, made in json.loads(done.stdout):
        if made is not None:
            after = made.splitlines()
            assert [n for n, old in enumerate(lines, 1) if old != after[n - 1]] == [line]
            changed.setdefault(lines[line - 1].strip(), set()).add(after[line - 1].strip())
    assert changed.keys() == {
        "LIMIT: int | None = 3",
        SIGNATURE,
        "if value == LIMIT and not value:",
        "return value + 1 > LIMIT",
    }
    assert changed["LIMIT: int | None = 3"] == {"LIMIT: int | None = 2", "LIMIT: int | None = 4"}
    assert not any("/" in one for one in changed[SIGNATURE])
    assert {
        "if value == LIMIT or not value:",
        "if not value == LIMIT and not value:",
        "if value == LIMIT and  value:",
        "if value != LIMIT and not value:",
    } <= changed["if value == LIMIT and not value:"]


@pytest.mark.slow
def test_a_module_of_constants_is_shown_to_tests_that_run_none_of_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [ROOT / ".venv" / "mutants" / "bin" / "python", "-c", SHOWN, tmp_path],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )

    own, other = ["tests/a.py::test"], ["tests/b.py::test"]
    assert json.loads(done.stdout) == [own + other, own, other, other + own]


LOST = '''
import sys
from pathlib import Path
from benchmarks.mutants import run
root = Path(sys.argv[1])
MANY = """
import pytest
@pytest.mark.parametrize("one", ["here"])
def test_many(one): pass
def test_right(): pass
def test_wrong(): assert False
"""
(root / "test_a.py").write_text(MANY)
lost = "many[elsewhere]"
for names in ([lost, "right"], [lost], [lost, "wrong"], ["elsewhere", "right"]):
    print(bool(run._first_failure(root, [f"test_a.py::test_{name}" for name in names], 60)))
'''


@pytest.mark.slow
def test_a_test_that_is_not_there_notices_nothing(counted: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [ROOT / ".venv/mutants/bin/python", "-c", LOST, tmp_path],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["False", "False", "True", "False"], "")
