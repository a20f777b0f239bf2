"""What a question may spend: steps, seconds by the clock, and what is said once it has ended."""

from __future__ import annotations

import pytest

from topograph.forwarding.budget import Budget, BudgetSpent


class Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_as_many_steps_are_taken_as_there_are_and_then_it_has_ended() -> None:
    budget = Budget(2)
    assert [budget.takes_step() for _ in range(4)] == [True, True, False, False]
    assert (budget.left, budget.spent, budget.goes_on()) == (0, True, False)
    with pytest.raises(BudgetSpent):
        budget.spend()
    assert budget.ended == "the search ended after 2 steps"


def test_a_check_takes_no_step_and_none_is_needed_for_it() -> None:
    budget = Budget(1)
    budget.check()
    budget.spend()
    assert (budget.left, budget.spent, budget.goes_on()) == (0, False, True)


def test_it_ends_after_its_seconds_and_not_at_the_last_one() -> None:
    clock = Clock()
    budget = Budget(None, 2.5, clock)
    clock.now = 102.5
    assert (budget.goes_on(), budget.takes_step(), budget.left) == (True, True, float("inf"))
    clock.now = 102.6
    assert (budget.goes_on(), budget.spent) == (False, True)
    clock.now = 100.0  # what has ended stays so
    assert not budget.takes_step()
    assert budget.ended == "the search ended after 2.5 s"


@pytest.mark.parametrize(("steps", "left"), [(0, "0 steps"), (1500, "9 s")])
def test_what_ended_it_is_named(steps: int, left: str) -> None:
    clock = Clock()
    budget = Budget(steps, 9, clock)
    clock.now += 10
    assert not budget.takes_step()
    assert budget.ended == f"the search ended after {left}"


@pytest.mark.parametrize(
    ("seconds", "later", "left"),
    [(None, 50.0, None), (9.0, 0.0, 9.0), (9.0, 4.0, 5.0), (9.0, 9.0, 0.001), (9.0, 20.0, 0.001)],
)
def test_the_seconds_left_are_a_millisecond_at_least_and_none_without_a_limit(
    seconds: float | None, later: float, left: float | None
) -> None:
    clock = Clock()
    budget = Budget(None, seconds, clock)
    clock.now += later
    assert budget.seconds_left == left


def test_a_budget_of_seconds_counts_no_steps() -> None:
    budget = Budget.of_seconds(60)
    assert (budget.steps, budget.seconds, budget.left) == (None, 60, float("inf"))
    assert Budget.of_seconds(None).seconds_left is None
