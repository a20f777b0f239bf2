"""What a run tries by chance: each process of it the same, over many runs everything."""

from __future__ import annotations

import draws
import pytest

CASES = range(11)


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "_TIMES", 1.0)


def _of_run(run: str | None, monkeypatch: pytest.MonkeyPatch, of: int = 2) -> list[int]:
    monkeypatch.setattr(draws, "_RUN", run)
    return draws.share(CASES, of)


def test_processes_of_a_run_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    first = _of_run("one run", monkeypatch)
    assert len(first) == 6
    assert first == sorted(first) == _of_run("one run", monkeypatch)


def test_every_case_is_tried_in_some_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = {case for run in range(40) for case in _of_run(str(run), monkeypatch, 3)}
    assert tried == set(CASES)


def test_a_run_of_one_process_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _of_run(None, monkeypatch) == list(CASES)


def test_more_is_drawn_where_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "_TIMES", 2.0)
    assert _of_run("one run", monkeypatch) == list(CASES)
    assert len(_of_run("one run", monkeypatch, 4)) == 6
