"""Further estates of each case (``variations``): what is right of one is right of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases.test_cases import CASES, OPEN, ended, marks_of, wrong
from cases.variations import names, varied
from draws import draws

EACH = draws(2)

AREAS = ("ems", "ibm", "amq", "audit", "field", "use", "viz")


def closed() -> list[str]:
    """The cases that are right."""
    found = sorted(
        file.parent.relative_to(CASES).as_posix()
        for area in AREAS
        for file in (CASES / area).rglob("case.json")
    )
    return [name for name in found if name not in OPEN]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=marks_of(json.loads((CASES / name / "case.json").read_text("utf-8")))
        )
        for name in closed()
    ],
)
def test_further_estates_of_a_case_are_right(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    told = json.loads((CASES / name / "case.json").read_text("utf-8"))
    found = {}
    for number in range(EACH):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        for run in varied(CASES / name, told, folder, number)["runs"]:
            words = [word.replace("{case}", str(folder)) for word in run["args"]]
            code, out, err = ended(words, capsys)
            if faults := [*wrong(run, code, out, err)]:
                found[number] = (words, faults, err[:1000])
    assert found == {}


def test_most_cases_have_names_to_change() -> None:
    """Else all variations would be the case itself."""
    named = [
        name
        for name in closed()
        if names(CASES / name, json.loads((CASES / name / "case.json").read_text("utf-8")))
    ]
    assert len(named) >= 0.9 * len(closed())
