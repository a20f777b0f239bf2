"""Every reader on files changed at random, and whole estates that are read, asked and changed: a
quarter of a minute in all tests, as long as wanted with ``./dev fuzz SECONDS`` (``fuzz.run``).
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from asked_answers import questions
from draws import draws
from ending_budgets import FOR_EVER, ending_after
from fuzz.estates import Estate
from fuzz.inputs import CORPUS, changed, seeds
from fuzz.targets import TARGETS, run
from fuzz.whole import Counts, Tried, cause_of, said
from hypothesis import HealthCheck, given, seed, settings

import topograph
from topograph.errors import UsageError

SECONDS = draws(15)
"""For all targets together."""
ESTATES = 20
"""Whole estates of drawn numbers; each takes a quarter of a second."""

BATCH = 50
KEPT = sorted(path for path in CORPUS.rglob("*") if path.is_file())
WHOLE = sorted((Path(__file__).parent / "kept").iterdir())
"""Estates that were once found."""
WITH_A_POLICY = "a-message-of-a-policy-that-is-open-anyway"


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


@pytest.mark.parametrize("folder", WHOLE, ids=lambda folder: folder.name)
def test_an_estate_that_was_once_found_is_asked(folder: Path) -> None:
    network = topograph.read(folder)
    for method, words, options in questions(network):
        with suppress(UsageError):
            said(network, method, words, options)


@pytest.mark.slow
def test_whole_estates_are_answered_or_refused() -> None:
    """A part of them is new in every run of tests that draws anew."""
    first = 1 if os.environ.get("CI") else int(time.time())
    counts, failed = Counts(), []

    def keep(what: str, estate: Estate, error: BaseException) -> None:
        failed.append((what, cause_of(error), estate.files))

    for number in range(first, first + ESTATES):
        Tried(number, counts, keep).run()
    assert not failed
    assert counts.questions > ESTATES


SCRIPT = b"#!/bin/sh\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(A)\nEOF\n"


@pytest.mark.parametrize(
    "line",
    [
        b"echo 'DEFINE QLOCAL('" + b"\\" * 90_000,
        b"echo 'DEFINE QLOCAL('\\''b'" + b"]" * 95_000 + b"')'",
        b">" * 90_000,
        b"echo a" + b" |'" * 30_000 + b" | runmqsc QM2\n",
        b"echo 'DEFINE QLOCAL(A)" + b"''" * 10_000 + b'" | runmqsc QM1\n',
    ],
    ids=[
        "backslashes",
        "brackets",
        "redirections",
        "pipes",
        "a quote that does not end behind many that do",
    ],
)
def test_a_line_of_one_thing_is_read_in_linear_time(line: bytes) -> None:
    run("mqsc.sh", SCRIPT + line)


def test_an_audit_says_that_the_message_of_a_policy_was_cut_whatever_else_is_open() -> None:
    network = topograph.read(Path(__file__).parent / "kept" / WITH_A_POLICY)

    policy = "policies:\n- {id: p, delivers: {from: A, destination: 'queue:W', to: C}}\n"

    def ask():
        script = "AdminTask.deleteSIBEngine('[-bus B -node n -server t]')\n"
        return network.audit(script, policy=policy)

    with ending_after(FOR_EVER) as clocks:
        whole = ask()
    looks = max(clock.looks for clock in clocks)
    assert not whole.exact
    assert looks > 2
    for number in range(1, looks):
        with ending_after(number):
            answer = ask()
        causes = [one.cause for one in answer.inexact_because]
        assert answer.to_dict() == whole.to_dict() or "budget" in causes, number


def test_a_header_of_very_many_columns_is_read_in_linear_time() -> None:
    run("clients.csv", b"server" + b"," * 100_000 + b"destination\nA,topic:orders\n")
