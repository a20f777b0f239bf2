"""Every reader on files changed at random: half a minute in all tests, as long as wanted with
``./dev fuzz SECONDS``.
"""

from __future__ import annotations

import hashlib
import os
import time

import pytest
from fuzz.inputs import CORPUS, changed, seeds
from fuzz.targets import TARGETS, run
from hypothesis import HealthCheck, given, seed, settings

SECONDS = float(os.environ.get("TOPOGRAPH_FUZZ_SECONDS", "30"))
"""For all targets together."""

BATCH = 50
KEPT = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_that_was_once_found_is_read(path) -> None:
    run(path.parent.name, path.read_bytes())


def test_every_folder_of_the_corpus_is_of_a_target() -> None:
    assert {path.parent.name for path in KEPT} <= TARGETS.keys()


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_files_as_they_are_meant_are_read(name: str) -> None:
    assert len(seeds(name)) > 1
    for data in seeds(name):
        run(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_no_change_of_a_file_makes_its_reader_fail(name: str) -> None:
    """Batches of random inputs, each from a seed of its own, until the time is up; the first
    seeds are the same in every run.
    """
    failing = b""

    def target(data: bytes) -> None:
        nonlocal failing
        try:
            run(name, data)
        except BaseException:
            failing = data  # hypothesis ends with the smallest
            raise

    ends, number = time.monotonic() + SECONDS / len(TARGETS), 0
    while number == 0 or time.monotonic() < ends:
        number += 1
        search = settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        try:
            seed(number)(search(given(changed(name))(target)))()
        except BaseException as error:
            path = CORPUS / name / hashlib.sha256(failing).hexdigest()[:12]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(failing)
            error.add_note(f"The input is kept as {path}; with it there, it is a test.")
            raise
