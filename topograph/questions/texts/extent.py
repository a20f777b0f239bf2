"""How far an answer goes that is not exact, as the end of a clause of its first line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.inexact import Cause

if TYPE_CHECKING:
    from topograph.questions.answers.base import Answer

SHOWN = ", as far as the loaded files show"
SEARCHED = ", as far as was searched"


def as_far(answer: Answer) -> str:
    """As far as the search got, or as the loaded files show it; empty where an answer is exact."""
    if answer.exact:
        return ""
    budget = any(one.cause == Cause.BUDGET for one in answer.inexact_because)
    return SEARCHED if budget else SHOWN
