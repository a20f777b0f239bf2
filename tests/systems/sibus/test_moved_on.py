"""A message that its exception destination sends on (S-45): why it was moved is told at its end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from topograph.message import parse_path
from topograph.questions.text import text

from .buses import network, script


def drawn(number: int) -> tuple[list[str], dict[str, object], int, int]:
    """Destinations of bus B, what the sender says, the reason for which queue A lets a message go,
    and how many queues the exception destination sends it over."""
    at = random.Random(number)
    further = at.randint(0, 3)
    names = [f"KEEP{one}" for one in range(further)]
    onward = f" -defaultForwardRoutingPath [{' '.join(f'[B {name}]' for name in names)}]"
    lines = [f"Queue BAD{onward if names else ''}", *(f"Queue {name}" for name in names)]
    if at.random() < 0.5:
        return (
            [*lines, "Queue A -exceptionDestination BAD"],
            {"forward_path": "B:GONE"},
            37,
            further,
        )
    limit = at.randint(1, 4)
    queue = f"Queue A -maxFailedDeliveries {limit} -exceptionDestination BAD"
    return [*lines, queue], {"rollbacks": limit}, 35, further


@pytest.mark.parametrize("number", range(24))
def test_the_reason_for_which_a_message_was_moved_is_told(number: int, tmp_path: Path) -> None:
    lines, said, reason, further = drawn(number)
    if "forward_path" in said:
        said["forward_path"] = parse_path(str(said["forward_path"]))
    on = network(tmp_path, {"b.py": script("B", *lines)})
    answer, told = on.propagate("B", "queue:A", **said), on.trace("B", "queue:A", **said)
    moved = f"EXCEPTIONED(BAD@B, {reason})"
    assert [(one.ending, one.goes_on) for one in answer.ends] == [(moved, further > 0)]
    words = f"is moved to an exception destination (BAD@B, {reason})"
    assert words in text(answer).splitlines()[0]
    if further:
        assert words in text(told).splitlines()[0]
        last = f"KEEP{further - 1}@B"
        assert [(one.destination, one.judgement) for one in answer.deliveries] == [(last, "yes")]
        assert told.outcomes == (f"DELIVERED({last})",)
        assert moved in [step.outcome for step in told.steps]
    else:
        assert answer.deliveries == ()
        assert told.outcomes == (moved,)
