"""What configuration does not decide: rotation, ties, order of arrival. Every possible course of
events is run through.

A simulation asks ``Choices.pick`` where the router would choose by something that no file says.
``every_course`` runs the simulation once for every combination of picks, so that an answer is the
set of what can happen (section 5, positions 2 to 4).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from topograph.forwarding.budget import Budget

R = TypeVar("R")

COURSES = 2_000
"""Courses of events before the search ends and the answer says that it is not complete."""


@dataclass
class Choices:
    """The picks of one course of events. A question asked twice in a course is answered alike."""

    given: list[int] = field(default_factory=list)
    options: list[int] = field(default_factory=list)
    made: dict[Hashable, int] = field(default_factory=dict)

    def pick(self, key: Hashable, options: int) -> int:
        """One of ``options`` (a count), remembered under ``key``; a single option is no choice."""
        if options <= 1:
            return 0
        if key not in self.made:
            place = len(self.options)
            if place == len(self.given):
                self.given.append(0)
            self.options.append(options)
            self.made[key] = self.given[place]
        return self.made[key] % options


def every_course(
    run: Callable[[Choices], R], budget: Budget | None = None, most: int = COURSES
) -> tuple[list[R], bool]:
    """The results of all courses, in order of their picks, and whether all were run: ``most`` at
    most, and as many as the budget lets begin. O(courses) runs, each a step of the budget.
    Raises BudgetSpent if it lets none begin."""
    results: list[R] = []
    given: list[int] = []
    budget = budget or Budget()
    budget.check()
    while len(results) < most and budget.takes_step():
        choices = Choices(list(given))
        results.append(run(choices))
        given = choices.given[: len(choices.options)]
        while given and given[-1] + 1 == choices.options[len(given) - 1]:
            given.pop()
        if not given:
            return results, True
        given[-1] += 1
    return results, False
