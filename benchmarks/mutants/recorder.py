"""A plugin of pytest that writes down which tests run which lines, and how long each takes.

It is active in processes of pytest that have ``TOPOGRAPH_RECORDED``, a folder, and the folders of
modules in ``TOPOGRAPH_RECORDED_OF``.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest


class Recorder:
    """Names each test to the coverage, and keeps the seconds of those that pass."""

    def __init__(self, folder: Path, of: list[str]) -> None:
        self._seconds = folder / f"seconds-{os.getpid()}.jsonl"
        self._coverage = coverage.Coverage(
            data_file=folder / "lines", data_suffix=True, include=[f"{one}/*" for one in of]
        )
        self._coverage.start()
        self._failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        began = time.perf_counter()
        result = yield
        seconds = time.perf_counter() - began
        self._coverage.switch_context("")
        if item.nodeid not in self._failed:
            with self._seconds.open("a") as file:
                file.write(json.dumps([item.nodeid, seconds]) + "\n")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_unconfigure(self) -> None:
        self._coverage.stop()
        self._coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Recording is for the processes that run tests, not for the one that hands them out."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        return
    folder = os.environ.get("TOPOGRAPH_RECORDED")
    if folder:
        of = os.environ["TOPOGRAPH_RECORDED_OF"].split(os.pathsep)
        config.pluginmanager.register(Recorder(Path(folder), of), "recorder")
