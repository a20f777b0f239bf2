"""Recorded selector results (``tests/golden/selectors/README.md``); another folder by
TOPOGRAPH_SELECTORS_DIR.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from topograph.errors import InvalidSelector
from topograph.selectors import parse

FOLDER = Path(os.environ.get("TOPOGRAPH_SELECTORS_DIR") or Path(__file__).parent / "selectors")
FILES = sorted(FOLDER.rglob("*.json"))


def outcome(case: dict) -> str:
    properties = {
        name: entry["value"]
        for name, entry in case["properties"].items()
        if entry["value"] is not None
    }
    for name, entry in case["properties"].items():
        if name in properties and entry["type"] in ("double", "float"):
            properties[name] = float(properties[name])
    try:
        return parse(case["selector"]).evaluate(properties).value
    except InvalidSelector as error:
        return f"INVALID: {error}"


def test_there_are_recorded_results_to_compare_with():
    assert FILES, f"no *.json below {FOLDER}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_selector_evaluates_as_recorded(file, capsys):
    cases = json.loads(file.read_text(encoding="utf-8"))
    assert cases
    wrong = [{**case, "got": got} for case in cases if (got := outcome(case)) != case["result"]]
    counts = Counter(case["result"] for case in cases)
    with capsys.disabled():
        print(
            f"\n{file.name}: {len(cases) - len(wrong)} of {len(cases)} recorded results "
            f"agree {dict(counts)}"
        )
    assert wrong == []
