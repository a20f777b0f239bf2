"""Recorded behaviour of a real router (``tests/golden/amq_interconnect/README.md``); another folder
by TOPOGRAPH_GOLDEN_DIR.

Every step of every case is predicted from the configuration files and compared field by field; what
is left out is said, with its number. A case of which steps are not replayed, because it says
something that the README does not define, is skipped with the reason once the rest is as recorded.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from golden.amq_interconnect_case import Case
from golden.fields import Fields

FOLDER = Path(os.environ.get("TOPOGRAPH_GOLDEN_DIR") or Path(__file__).parent / "amq_interconnect")
CASES = sorted(path.parent for path in FOLDER.rglob("scenario.json"))
COVERAGE = 0.95

ALL: dict[str, Fields] = {}


def test_there_are_recorded_cases_to_compare_with() -> None:
    assert CASES, f"no scenario.json below {FOLDER}"


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_step_is_as_recorded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = ALL[folder.name] = Case(folder).replay()
    with capsys.disabled():
        print(f"\n{folder.name}: {fields}", end="")
    assert not fields.different, "\n".join(fields.different)
    assert fields.compared >= COVERAGE * fields.total
    if fields.not_replayed:
        pytest.skip("not replayed: " + "; ".join(fields.not_replayed))


def test_how_much_was_compared(capsys: pytest.CaptureFixture[str]) -> None:
    compared = sum(fields.compared for fields in ALL.values())
    total = sum(fields.total for fields in ALL.values())
    with capsys.disabled():
        print(
            f"\nAMQ Interconnect, recorded: compared {compared} of {total} fields in "
            f"{len(ALL)} cases"
        )
        aside = sum((fields.aside for fields in ALL.values()), type(Fields().aside)())
        for reason, number in sorted(aside.items()):
            print(f"  not comparable: {reason}: {number}")
        for name, fields in ALL.items():
            for reason, number in fields.not_replayed.items():
                print(f"  not replayed: {name}: {reason}: {number}")
    assert len(ALL) == len(CASES), "run the whole file"
    assert compared >= COVERAGE * total
