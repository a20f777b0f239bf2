"""Two traces of one message, compared."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from crane import rules as crane
from crane.networks import rules

from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.tracing.comparison import EndingAt, OutcomeComparison, compare
from topograph.tracing.exploration import explore
from topograph.tracing.states import State
from topograph.tracing.trace import Trace

DELIVER = ("b/in deliver", "c/in deliver")
AT_B = EndingAt("crane", "b", "b/in", "DELIVERED(b/in)")
AT_C = EndingAt("crane", "c", "c/in", "DELIVERED(c/in)")


def follow(lines: Sequence[str], states: int = 1_000) -> Trace:
    own = crane.stepping(rules(*lines, *DELIVER))
    start = State("a", "in")
    return explore({"crane": own}, "crane", start, Message.to("queue:in"), budget=Budget(states))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("copy b/in", "copy b/in", OutcomeComparison((), (), (), (), True)),
        ("copy b/in", "copy c/in", OutcomeComparison((AT_C,), (AT_B,), (), (), True)),
        ("copy b/in c/in", "one_of K b/in c/in", OutcomeComparison((), (), (AT_B, AT_C), (), True)),
        ("maybe b/in", "copy b/in", OutcomeComparison((), (), (), (AT_B,), True)),
        ("only x=1 b/in", "copy b/in", OutcomeComparison((AT_B,), (), (), (), True)),
    ],
)
def test_endings_are_gained_lost_and_change_between_certain_and_possible(
    before: str, after: str, expected: OutcomeComparison
) -> None:
    found = compare(follow([f"a/in {before}"]), follow([f"a/in {after}"]))
    assert found == expected
    assert bool(found) == (before != after)


def test_a_comparison_of_a_trace_that_was_cut_is_not_exact() -> None:
    assert not compare(follow(["a/in copy b/in"]), follow(["a/in copy b/in"], states=1)).exact
