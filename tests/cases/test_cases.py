"""Small estates with the right value, asked through the command line: each is one of a class of
faults, with the source of the fact and why the value is right in its ``case.json``.

``runs`` holds what is asked (``args``; ``{case}`` is the folder of the case) and what is expected:
``exit`` (a code or several), texts that a stream has or lacks, ``lines_at_most``, and ``json``: a
dotted path (``*`` is every entry) and what the value there is, has, lacks or counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from topograph.cli.main import exit_code

CASES = Path(__file__).parent
OPEN = frozenset((CASES / "open.txt").read_text("utf-8").split())
"""Cases that are not right yet. One that becomes right fails until it is taken out."""


def cases() -> Iterator[Any]:
    for file in sorted(CASES.rglob("case.json")):
        name = file.parent.relative_to(CASES).as_posix()
        told = json.loads(file.read_text("utf-8"))
        # Run all the same: a case that is right by now must not stay in the list.
        waits = [pytest.mark.slow, pytest.mark.xfail(strict=True, reason=told["kind"])]
        large = any("seconds_at_most" in run for run in told["runs"]) and name.startswith("rel/")
        marks = waits if name in OPEN else [pytest.mark.slow] * large
        yield pytest.param(file.parent, id=name, marks=[*marks, *marks_of(told)])


def marks_of(told: Mapping[str, Any]) -> list[pytest.MarkDecorator]:
    """Those of a case that starts Spark."""
    return [pytest.mark.spark] * any(run["args"][0] == "import" for run in told["runs"])


@pytest.mark.parametrize("case", [*cases()])
def test_a_case_is_right(
    case: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    told = json.loads((case / "case.json").read_text("utf-8"))
    for run in told["runs"]:
        words = [word.replace("{case}", str(case)) for word in run["args"]]
        code, out, err = ended(words, capsys)
        assert [*wrong(run, code, out, err)] == [], (words, out[:2000], err[:2000])


def ended(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code of a command line and what it printed. What starts Spark is a process of its
    own: this one may have a session of another test."""
    if words[0] != "import":
        return (exit_code(words), *capsys.readouterr())
    line = [sys.executable, "-P", "-m", "topograph", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_what_is_open_is_a_case() -> None:
    assert {name for name in OPEN if not (CASES / name / "case.json").is_file()} == set()


def wrong(run: Mapping[str, Any], code: int, out: str, err: str) -> Iterator[str]:
    """What of a run is not as expected."""
    codes = run.get("exit", 0)
    if code not in (codes if isinstance(codes, list) else [codes]):
        yield f"exit {code}, not {codes}"
    for stream, text in (("stdout", out), ("stderr", err)):
        flat = " ".join(text.split())
        for wanted in run.get(f"{stream}_has", ()):
            if " ".join(wanted.split()) not in flat:
                yield f"{stream} lacks {wanted!r}"
        for bad in run.get(f"{stream}_lacks", ()):
            if " ".join(bad.split()) in flat:
                yield f"{stream} has {bad!r}"
    if out.count("\n") > run.get("lines_at_most", out.count("\n")):
        yield f"more than {run['lines_at_most']} lines"
    if "json" in run:
        document = json.loads(out)
        for check in run["json"]:
            yield from wrong_value(check, values(document, check["at"]))


def wrong_value(check: Mapping[str, Any], found: list[Any]) -> Iterator[str]:
    text = json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False)
    where = f"{check['at'] or 'the answer'} is {text[:160]}"

    def holds(value: object) -> bool:
        return value in found or any(isinstance(one, list) and value in one for one in found)

    if "is" in check and found != [check["is"]]:
        yield f"{where}, not {check['is']!r}"
    if "has" in check and not holds(check["has"]):
        yield f"{where}, without {check['has']!r}"
    if "lacks" in check and holds(check["lacks"]):
        yield f"{where}, with {check['lacks']!r}"
    if check.get("absent") and found not in ([], [None], [[]]):
        yield f"{where}, not absent"
    if "count" in check:
        only = found[0] if len(found) == 1 and isinstance(found[0], list | dict) else found
        if len(only) != check["count"]:
            yield f"{where}: not {check['count']} of them"
    if check.get("text_has", "") not in text:
        yield f"{where}: lacks {check['text_has']!r}"
    if "text_lacks" in check and check["text_lacks"] in text:
        yield f"{where}: has {check['text_lacks']!r}"


def values(document: object, path: str) -> list[Any]:
    """The values at a dotted path; ``*`` is every entry."""
    found: list[Any] = [document]
    for word in filter(None, path.split(".")):
        found = [inner for value in found for inner in _step(value, word)]
    return found


def _step(value: object, word: str) -> list[Any]:
    match value:
        case dict() if word == "*":
            return list(value.values())
        case list() if word == "*":
            return value
        case dict() if word in value:
            return [value[word]]
        case list() if word.lstrip("-").isdecimal() and -len(value) <= int(word) < len(value):
            return [value[int(word)]]
    return []
