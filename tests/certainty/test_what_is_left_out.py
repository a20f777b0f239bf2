"""A limit never leaves something out in silence: where less is followed than could differ, a
comparison accepts nothing that it does not tell.

Pairs of states of every system are drawn from a number, as in ``test_pairs_of_all_systems``, and
compared with limits so small that these estates come to them.
"""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed

import topograph
from certainty.telling import written
from topograph.questions.answers import AuditAnswer

PAIRS = 20
"""Pairs of each system."""

LIMITS = (
    "stepping.begins.MOST_OF_A_KIND",
    "ibm_mq.routing.any_queue.MOST_OFFERED",
    "amq_interconnect.probes.MOST_MESSAGES",
    "amq_interconnect.probes.MOST_PAIRS",
    "ems.changes.probes.MOST_MESSAGES",
    "ems.changes.probes.MOST_KINDS",
    "ems.changes.entry_probes.MOST_SENT",
    "ems.changes.message_conditions.MOST_CONDITIONS",
    "ems.destinations.example_names.MOST_TOPICS",
)


@pytest.mark.parametrize("number", range(PAIRS))
@pytest.mark.parametrize("system", sorted(DRAWN))
def test_what_is_exact_within_small_limits_tells_every_difference(
    system: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = random.Random(f"limits {system} {number}")
    estate = drawn(system, "one", at.randrange(100_000))
    (after,) = changed(system, estate.files, at, 1)
    was, now = written(tmp_path / "a", estate.files), written(tmp_path / "b", after)
    if was is None or now is None:
        return
    whole = topograph.compare(was, now)
    for most in (0, 3, 10):
        for limit in LIMITS:
            module, _, name = f"topograph.systems.{limit}".rpartition(".")
            monkeypatch.setattr(importlib.import_module(module), name, most)
        within = topograph.compare(was, now)
        if any(row.polarity == "not_looked_at" for row in within.left_open):
            assert (within.exact, within.verdict == "accept") == (False, False), most
        else:
            assert told(within) == told(whole), most


def told(answer: AuditAnswer) -> tuple[object, ...]:
    """What an answer tells of messages, and how sure it is."""
    supposed = answer.would_gain, answer.would_lose, answer.would_duplicate
    return answer.exact, answer.verdict, answer.deliveries, *supposed, answer.outcomes
