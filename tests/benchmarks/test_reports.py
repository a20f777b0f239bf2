"""The benchmark of reports runs whole, on a small estate: it stops where a page answers
otherwise than the estate it was made of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import reports

    yield reports
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.spark
@pytest.mark.browser
def test_every_kind_of_question_is_asked_in_a_report_and_measured(reports, tmp_path):
    from measurement import Bench

    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    size = reports.Size(hubs=3, most_bytes=1_000_000, command=60, first_draw=60, key=60)
    rows = list(reports.reports(Bench(tmp_path, 3, 3, 3, environment), [size], runs=1))
    assert [row.work.removeprefix("report of 30 servers, ") for row in rows] == [
        "the command",
        "size of its report",
        "size of its view",
        "first draw",
        "key to what it finds",
        "choice to its details",
        *reports.QUESTIONS,
    ]
    assert all(row.met is not None for row in rows if row.goal)
