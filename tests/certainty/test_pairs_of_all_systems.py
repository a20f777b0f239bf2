"""A comparison that accepts a change, and is exact, has told whatever the change does: asked of
``trace`` and ``propagate`` on both states, every message that ends otherwise is in it.

Pairs of states of every system are drawn from a number: one or two entries of an estate go, come
or are replaced, a zone gets another type, or all files of a server go (3,000 pairs take an hour);
where 500 and more are drawn, all messages are asked for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed
from draws import draws

import topograph
from certainty.telling import messages, untold, written
from topograph.errors import UsageError
from topograph.network import Network
from topograph.questions.answers import AuditAnswer
from topograph.questions.text import text

pytestmark = pytest.mark.slow

PAIRS = draws(50)
SHARE = 5
ASKED = 8 if PAIRS < 500 else 10_000
"""Messages of a pair."""


def without_a_cause(answer: AuditAnswer, files: Collection[str]) -> list[str]:
    """What is told of messages without a line of a file that changed."""
    moved = answer.deliveries
    rows = [*moved.gained, *moved.lost, *moved.duplicated]
    rows += [*answer.would_gain, *answer.would_lose, *answer.would_duplicate]
    told = [(repr(one), one.source) for one in rows]
    told += [(repr(one), one.cause) for one in answer.outcomes]
    return [text for text, cause in told if cause.file not in files or not cause.line]


def kinds(network: Network, severity: str) -> set[tuple[str, str]]:
    """The kinds of findings of a severity that ``check`` has of each server."""
    found = network.check().findings
    return {(str(one["kind"]), str(one["server"])) for one in found if one["severity"] == severity}


def closes(answer: AuditAnswer, was: Network, now: Network) -> None:
    """A new error is never accepted, a new warning stands in the first lines, and what was not
    looked at is never accepted."""
    if kinds(now, "error") - kinds(was, "error"):
        assert answer.verdict != "accept"
    if answer.verdict == "accept" and kinds(now, "warning") - kinds(was, "warning"):
        first_lines = "\n".join(text(answer).splitlines()[:3])
        assert re.search(r"new warning|the change brings \d+ warning", first_lines), first_lines
    if any(one.effect == "rejects" for one in answer.findings):
        assert answer.verdict == "reject"
    cut = topograph.compare(was.within(1e-9), now)
    same = (cut.reach, cut.deliveries, cut.outcomes) == (
        *(answer.reach, answer.deliveries, answer.outcomes),
    )
    assert cut.verdict != "accept" or (cut.exact == answer.exact and same)


OPENED = (1366, 1508, 1842, 2762)
"""Pairs beyond the suite of which something was not told: a queue of MQ Everyplace that messages of
IBM MQ get to over a bridge, a queue manager that only a transmission queue without a channel names,
and one that is not loaded and has the name of a queue; and a file that is no longer read."""


@pytest.mark.parametrize("number", OPENED)
def test_pairs_of_which_something_was_not_told(number: int, tmp_path: Path) -> None:
    tells_every_difference(range(number, number + 1), tmp_path)


@pytest.mark.parametrize("first", range(0, PAIRS, SHARE))
def test_what_is_accepted_and_exact_tells_every_difference(first: int, tmp_path: Path) -> None:
    tells_every_difference(range(first, min(first + SHARE, PAIRS)), tmp_path)


def used(network: Network) -> set[tuple[str, str]]:
    """The files, each with what became of it."""
    return {(str(row["path"]), str(row["status"])) for row in network.show("files").rows}


def tells_every_difference(numbers: Iterable[int], tmp_path: Path) -> None:
    """Fails where a comparison accepts a change, is exact, and has not told what it does."""
    for number in numbers:
        system = sorted(DRAWN)[number % len(DRAWN)]
        at = random.Random(f"states {system} {number}")
        estate = drawn(system, "one", at.randrange(100_000))
        steps = changed(system, estate.files, at, at.choice((1, 2)))
        was = written(tmp_path / f"{number}a", estate.files)
        now = written(tmp_path / f"{number}b", steps[-1]) if steps else None
        if was is None or now is None:
            continue
        try:
            answer = topograph.compare(was, now)
        except UsageError:  # no system in common
            continue
        gone = {row.server for row in answer.servers.removed if row.loaded}
        first_lines = "\n".join(text(answer).splitlines()[:5])
        assert not gone or answer.verdict != "accept" or "gone" in first_lines, (system, number)
        closes(answer, was, now)
        files = {
            path
            for path in {*estate.files, *steps[-1]}
            if estate.files.get(path) != steps[-1].get(path)
        }
        files |= {path for path, _ in used(was) ^ used(now)}
        assert without_a_cause(answer, files) == [], (system, number)
        if answer.verdict != "accept" or not answer.exact:
            continue
        known = sorted({*was.server_names()} & {*now.server_names()} - gone)
        every = list(messages(system, estate.servers, known))
        for asked in at.sample(every, min(ASKED, len(every))):
            found = untold(system, answer, was, now, asked)
            assert found == [], (system, number, found)
