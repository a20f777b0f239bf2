"""What the messaging engine of Open Liberty did, predicted from its server.xml
(``tests/golden/sibus/README.md``); another folder by TOPOGRAPH_LIBERTY_DIR.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from golden.liberty_replay import predicted, read, recorded

FOLDER = Path(os.environ.get("TOPOGRAPH_LIBERTY_DIR") or Path(__file__).parent / "sibus")
FILES = sorted(FOLDER.glob("*.json"))


def test_there_are_recorded_outcomes_to_compare_with() -> None:
    outcomes = [
        outcome
        for file in FILES
        for estate in json.loads(file.read_text(encoding="utf-8"))["estates"]
        for outcome in estate["outcomes"]
    ]
    assert len(outcomes) >= 500


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_outcome_is_predicted(file: Path, tmp_path: Path) -> None:
    wrong = []
    for number, estate in enumerate(json.loads(file.read_text(encoding="utf-8"))["estates"]):
        network = read(tmp_path / str(number), estate["server.xml"])
        for ask, got in estate["outcomes"]:
            said, done = predicted(network, ask), recorded(ask, got)
            if said != done:
                wrong.append((number, ask, {"predicted": said, "recorded": done, "got": got}))
    assert wrong == []
